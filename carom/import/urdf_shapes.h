#pragma once

#include <optional>
#include <string>

#include "carom/geometry/shape.h"
#include "carom/import/xml_node.h"

namespace carom {

/// A number without the zeros at its end, as sentences show it.
std::string sized_number(double number);

/// The one shape in the `<geometry>` of a `<collision>` or `<visual>`; null with a fault if there is none.
XmlNode* find_urdf_shape(XmlNode& holder, XmlFaults& faults);

/// A `<box>`, `<sphere>`, `<cylinder>`, `<capsule>` or Drake's own. A sphere of radius 0 is a point; other
/// lengths of zero are a micrometre, with a warning.
std::optional<Shape> read_urdf_solid(XmlNode& node, XmlFaults& faults);

/// A `<mesh>`: the file that it names, and its scale along the axes, none of them 0.
struct UrdfMesh {
  std::string uri;
  Vec3 scale = Vec3::Ones();
};
std::optional<UrdfMesh> read_urdf_mesh(XmlNode& node, XmlFaults& faults);

}  // namespace carom
