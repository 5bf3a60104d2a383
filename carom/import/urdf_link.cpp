#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/error.h"
#include "carom/import/mesh_file.h"
#include "carom/import/urdf_elements.h"
#include "carom/import/urdf_shapes.h"

namespace carom {
namespace {

std::optional<Shape> read_hull(XmlNode& node, UrdfMeshes& meshes, XmlFaults& faults) {
  const auto mesh = read_urdf_mesh(node, faults);
  if (!mesh) return {};
  try {
    const std::string path = resolve_path(mesh->uri, faults.file(), meshes.options);
    try {
      return ConvexMesh{meshes.solids.hull(path, {}, mesh->scale)};
    } catch (const Error& error) {
      throw Error(quote(mesh->uri) + " " + error.what());
    }
  } catch (const MissingFile& missing) {
    faults.add_missing(node, "mesh", missing);
    return {};
  } catch (const Error& error) {
    faults.add(node, std::string("mesh ") + error.what());
    return {};
  }
}

/// Bullet's plane through the origin of the `<collision>`, whose normal becomes z of the shape's frame.
std::optional<Shape> read_plane(XmlNode& node, XmlFaults& faults, Transform& X_BS) {
  const auto normal = faults.require(node, "normal") ? faults.numbers(node, "normal", 3) : std::nullopt;
  if (!normal) return {};
  if (normal->norm() == 0) {
    faults.add(node, "normal of <plane> is 0 0 0, which is no direction; give it a length");
    return {};
  }
  X_BS.R = X_BS.R * contact_frame(normal->normalized());
  return HalfSpace{};
}

std::optional<Shape> read_geometry(XmlNode& collision, UrdfMeshes& meshes, XmlFaults& faults, Transform& X_BS) {
  XmlNode* shape = find_urdf_shape(collision, faults);
  if (!shape) return {};
  if (shape->name == "plane") return read_plane(*shape, faults, X_BS);
  return shape->name == "mesh" ? read_hull(*shape, meshes, faults) : read_urdf_solid(*shape, faults);
}

/// Drake's coefficient of a shape. Sliding has the dynamic one; so has sticking, if that is the same.
std::optional<double> read_own_friction(XmlNode& collision, XmlFaults& faults) {
  XmlNode* properties = only_child(collision, "drake:proximity_properties", faults);
  if (!properties) return {};
  XmlNode* dynamic = only_child(*properties, "drake:mu_dynamic", faults);
  const auto is_static = [](const XmlNode& child) { return child.name == "drake:mu_static"; };
  const auto fixed = std::find_if(properties->children.begin(), properties->children.end(), is_static);
  if (fixed != properties->children.end()) {
    const std::string *one = fixed->attribute("value"), *other = dynamic ? dynamic->attribute("value") : nullptr;
    if (!dynamic || (one && other && *one == *other)) fixed->take();
    if (!dynamic) dynamic = &*fixed;
  }
  if (!dynamic) return {};
  const auto mu = required_number(*dynamic, "value", faults);
  if (mu && *mu < 0) faults.add(*dynamic, "the coefficient of friction is negative; it cannot be");
  return mu;
}

void read_collisions(XmlNode& node, UrdfMeshes& meshes, XmlFaults& faults, UrdfLink& link) {
  const std::vector<XmlNode*> collisions = node.all("collision");
  for (XmlNode* collision : collisions) {
    Collider collider;
    const std::string* name = collision->attribute("name");
    collider.name = link.name;
    if (collisions.size() > 1) collider.name += "_" + std::to_string(link.colliders.size() + 1);
    if (name && !name->empty()) collider.name = *name;
    collider.material = -1;
    collider.X_BS = read_origin(*collision, faults);
    const auto shape = read_geometry(*collision, meshes, faults, collider.X_BS);
    if (!shape) continue;
    collider.shape = *shape;
    link.colliders.push_back(collider);
    link.collider_lines.push_back(collision->line);
    link.own_friction.push_back(read_own_friction(*collision, faults));
  }
}

/// Bullet's `<contact><lateral_friction value="…"/></contact>`. Other content stays unread.
void read_contact(XmlNode& node, XmlFaults& faults, UrdfLink& link) {
  XmlNode* contact = only_child(node, "contact", faults);
  XmlNode* friction = contact ? only_child(*contact, "lateral_friction", faults) : nullptr;
  if (!friction) return;
  link.friction = required_number(*friction, "value", faults);
  if (link.friction && *link.friction < 0) {
    faults.add(*friction, "value of <lateral_friction> is negative; a coefficient of friction cannot be");
  }
}

std::optional<Mat3> read_inertia_matrix(XmlNode& inertial, XmlFaults& faults) {
  XmlNode* node = only_child(inertial, "inertia", faults);
  if (!node) {
    faults.add(inertial, "<inertial> has no <inertia>; it needs one, with ixx, ixy, ixz, iyy, iyz and izz");
    return {};
  }
  Mat3 matrix;
  bool whole = true;
  const auto entry = [&](const char* name, int row, int column) {
    const auto value = required_number(*node, name, faults);
    whole = whole && value;
    matrix(row, column) = matrix(column, row) = value.value_or(0);
  };
  entry("ixx", 0, 0);
  entry("ixy", 0, 1);
  entry("ixz", 0, 2);
  entry("iyy", 1, 1);
  entry("iyz", 1, 2);
  entry("izz", 2, 2);
  if (!whole) return {};
  return matrix;
}

std::optional<double> read_mass(XmlNode& inertial, XmlFaults& faults) {
  XmlNode* node = only_child(inertial, "mass", faults);
  if (!node) {
    faults.add(inertial, "<inertial> has no <mass>; it needs one");
    return {};
  }
  const auto mass = required_number(*node, "value", faults);
  if (!mass || *mass >= 0) return mass;
  faults.add(*node, "value of <mass> is " + sized_number(*mass) + " kg; a mass cannot be negative");
  return {};
}

void read_inertial(XmlNode& node, XmlFaults& faults, UrdfLink& link) {
  XmlNode* inertial = only_child(node, "inertial", faults);
  if (!inertial) return;
  link.has_inertial = true;
  const Transform X_BC = read_origin(*inertial, faults);
  const auto mass = read_mass(*inertial, faults);
  const auto matrix = read_inertia_matrix(*inertial, faults);
  if (mass && matrix) {
    link.inertia = SpatialInertia{*mass, Vec3::Zero(), *matrix}.in(X_BC);
  } else {
    link.inertia.mass = std::numeric_limits<double>::quiet_NaN();
  }
}

}  // namespace

UrdfLink read_urdf_world(XmlNode& node, UrdfMeshes& meshes, UrdfVisuals& visuals, XmlFaults& faults) {
  UrdfLink link;
  link.name = "world";
  link.line = node.line;
  read_collisions(node, meshes, faults, link);
  link.visuals = visuals.read(node, link.name);
  read_contact(node, faults, link);
  return link;
}

UrdfLink read_urdf_link(XmlNode& node, UrdfMeshes& meshes, UrdfVisuals& visuals, XmlFaults& faults) {
  UrdfLink link;
  link.name = faults.require(node, "name").value_or("");
  link.line = node.line;
  read_inertial(node, faults, link);
  read_collisions(node, meshes, faults, link);
  link.visuals = visuals.read(node, link.name);
  read_contact(node, faults, link);
  return link;
}

}  // namespace carom
