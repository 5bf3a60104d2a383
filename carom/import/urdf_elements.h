#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "carom/import/imported_model.h"
#include "carom/import/mesh_solids.h"
#include "carom/import/urdf_visuals.h"
#include "carom/import/xml_node.h"

namespace carom {

/// `"name"`, as sentences show it.
std::string quote(const std::string& name);

/// True if both elements say the same, in the same order.
bool same_content(const XmlNode& a, const XmlNode& b);

/// The one child of that name; a fault for each further one that says something else, null if there is none.
XmlNode* only_child(XmlNode& parent, const std::string& child, XmlFaults& faults);

/// An attribute that must be there, as one finite number.
std::optional<double> required_number(XmlNode& node, const std::string& attribute, XmlFaults& faults);

/// The pose in `<origin>`: rpy turns about the fixed x, then y, then z axis, rad; or quat_xyzw, of any length. Identity
/// if there is none.
Transform read_origin(XmlNode& parent, XmlFaults& faults);

/// The readers of shapes share it.
struct UrdfMeshes {
  const ImportOptions& options;
  MeshSolids solids;
};

/// A `<link>`: its body, and what is on it, whose `body` is yet to be set.
struct UrdfLink {
  std::string name;
  int line = 0;
  bool has_inertial = false;
  SpatialInertia inertia;  ///< mass not a number if a fault in `<inertial>` was found
  std::vector<Collider> colliders;
  std::vector<int> collider_lines;
  std::vector<Visual> visuals;
  std::vector<std::optional<double>> own_friction;  ///< by collider, from Drake's `<drake:proximity_properties>`
  bool is_weightless = false;                       ///< gravity does not act on it, from `<gazebo>`
  std::optional<double> friction;                   ///< of its shapes, from Bullet's `<contact>`
};

/// A `<joint>`. Names of links are resolved by the tree.
struct UrdfJoint {
  int line = 0;
  std::string parent, child;  ///< names of links
  Joint joint;
  bool type_known = false;
  bool lacks_limits = false;  ///< of a type that the specification has limited
  std::string mimicked;       ///< name of the joint that this one follows; empty: none
  double multiplier = 1, offset = 0;
  int mimic_line = 0;
};

UrdfLink read_urdf_link(XmlNode& node, UrdfMeshes& meshes, UrdfVisuals& visuals, XmlFaults& faults);
/// The world, which neither moves nor needs an inertia: one that is given stays unread.
UrdfLink read_urdf_world(XmlNode& node, UrdfMeshes& meshes, UrdfVisuals& visuals, XmlFaults& faults);
UrdfJoint read_urdf_joint(XmlNode& node, XmlFaults& faults);

}  // namespace carom
