#pragma once

#include <map>
#include <string>
#include <vector>

#include "carom/import/imported_model.h"
#include "carom/import/xml_node.h"

namespace carom {

/// Reads the `<visual>`s of a robot. None of their faults keeps the robot from being used: each is a note.
class UrdfVisuals {
 public:
  /// Colours by name: those of the robot's own materials, else of those that its visuals define.
  UrdfVisuals(XmlNode& robot, const std::string& file, const ImportOptions& options);

  /// The visuals of a link, whose `body` is yet to be set. A material without an inline `<color>` takes the named one.
  /// No mesh is opened.
  std::vector<Visual> read(XmlNode& link, const std::string& link_name);

  /// Adds a note for everything in a visual that is not drawn, with the reason.
  void list_undrawn(std::vector<ImportNote>& notes) const;

 private:
  std::optional<Visual> read_one(XmlNode& node);
  std::optional<VisualShape> read_shape(XmlNode& node);
  std::optional<Rgba> read_color(XmlNode& material);
  void know(XmlNode& parent);

  const ImportOptions& options_;
  XmlFaults faults_;
  std::map<std::string, Rgba> colors_;
};

}  // namespace carom
