#pragma once

#include <optional>
#include <string>
#include <vector>

#include "carom/import/xml_node.h"
#include "carom/model/appearance.h"

// The readers of all formats need this for things that are drawn.
namespace carom {

/// A shape as one that is drawn; nothing of those that only collide.
std::optional<VisualShape> visual_shape(const Shape& shape);

/// Four numbers as a colour, each brought between 0 and 1.
Rgba color_of(const VectorX& rgba);

/// Path of a mesh that a file names for drawing; the mesh stays unopened. If there is none, adds a fault and returns
/// the name in the file.
std::string find_visual_mesh(const std::string& uri, const XmlNode& at, const ImportOptions& options,
                             XmlFaults& faults);

/// Faults of things that are drawn as notes on `<element>`: none keeps a model from being used.
void add_undrawn(const std::string& element, const XmlFaults& faults, std::vector<ImportNote>& notes);

}  // namespace carom
