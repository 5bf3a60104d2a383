#include <array>
#include <cmath>
#include <limits>

#include "carom/error.h"
#include "carom/import/mesh_file.h"
#include "carom/import/urdf_elements.h"

namespace carom {
namespace {

std::string sized(double number) {
  std::string text = std::to_string(number);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

constexpr double least_length = 1e-6;  // m, for a length of zero

/// A point, a line or a disc may stand for something small: it is as thin as makes no difference, and told.
void warn_of_zero(XmlNode& node, const std::string& what, XmlFaults& faults) {
  faults.warn(node, what + " of <" + node.name + "> is 0: it is taken as a micrometre");
}

/// A length that must be given and not negative.
std::optional<double> read_length(XmlNode& node, const std::string& attribute, XmlFaults& faults) {
  const auto length = required_number(node, attribute, faults);
  if (!length) return {};
  if (*length > 0) return length;
  if (*length == 0) {
    warn_of_zero(node, attribute, faults);
    return least_length;
  }
  faults.add(node, attribute + " of <" + node.name + "> is " + sized(*length) + " m; it must be positive");
  return {};
}

/// <cylinder> or <capsule>, made of its radius and half its length.
template <class Round>
std::optional<Shape> read_round(XmlNode& node, XmlFaults& faults) {
  const auto radius = read_length(node, "radius", faults), length = read_length(node, "length", faults);
  if (!radius || !length) return {};
  return Round{*radius, *length / 2};
}

std::optional<Shape> read_box(XmlNode& node, XmlFaults& faults) {
  if (!faults.require(node, "size")) return {};
  const auto size = faults.numbers(node, "size", 3);
  if (!size) return {};
  if (size->minCoeff() == 0) warn_of_zero(node, "size", faults);
  if (size->minCoeff() >= 0) return Box{size->cwiseMax(least_length) / 2};
  faults.add(node, "size of <box> has the edge " + sized(size->minCoeff()) + " m; edges must be positive");
  return {};
}

std::optional<Shape> read_ellipsoid(XmlNode& node, XmlFaults& faults) {
  const auto a = read_length(node, "a", faults), b = read_length(node, "b", faults), c = read_length(node, "c", faults);
  if (!a || !b || !c) return {};
  return Ellipsoid{{*a, *b, *c}};
}

std::optional<Shape> read_mesh(XmlNode& node, MeshHulls& hulls, XmlFaults& faults) {
  const auto uri = faults.require(node, "filename");
  Vec3 scale = Vec3::Ones();
  if (node.attribute("scale")) {
    const auto given = faults.numbers(node, "scale", 3);
    if (!given) return {};
    scale = *given;
  }
  if ((scale.array() == 0).any()) {
    faults.add(node, "scale of <mesh> is 0 along an axis, which leaves no solid; write 1 1 1 to keep its size");
    return {};
  }
  if (!uri) return {};
  try {
    return ConvexMesh{hulls.hull(*uri, faults.file(), scale)};
  } catch (const MissingFile& missing) {
    faults.add_missing(node, "mesh", missing);
    return {};
  } catch (const Error& error) {
    faults.add(node, std::string("mesh ") + error.what());
    return {};
  }
}

std::optional<Shape> read_shape(XmlNode& node, MeshHulls& hulls, XmlFaults& faults) {
  if (node.name == "box") return read_box(node, faults);
  if (node.name == "cylinder") return read_round<Cylinder>(node, faults);
  if (node.name == "capsule" || node.name == "drake:capsule") return read_round<Capsule>(node, faults);
  if (node.name == "drake:ellipsoid") return read_ellipsoid(node, faults);
  if (node.name == "mesh") return read_mesh(node, hulls, faults);
  const auto radius = read_length(node, "radius", faults);
  if (!radius) return {};
  return Sphere{*radius};
}

constexpr std::array shapes = {"box",  "sphere", "cylinder",      "capsule",
                               "mesh", "plane",  "drake:capsule", "drake:ellipsoid"};

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

std::optional<Shape> read_geometry(XmlNode& collision, MeshHulls& hulls, XmlFaults& faults, Transform& X_BS) {
  XmlNode* geometry = only_child(collision, "geometry", faults);
  if (!geometry) {
    faults.add(collision, "<collision> has no <geometry>; it needs one");
    return {};
  }
  XmlNode* found = nullptr;
  for (const char* name : shapes) {
    for (XmlNode* shape : geometry->all(name)) {
      if (found) faults.add(*shape, "<geometry> has a second shape; write a <collision> for each");
      if (!found) found = shape;
    }
  }
  if (!found) {
    faults.add(*geometry, "<geometry> has no shape; it needs a <box>, <sphere>, <cylinder>, <capsule> or <mesh>");
    return {};
  }
  return found->name == "plane" ? read_plane(*found, faults, X_BS) : read_shape(*found, hulls, faults);
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

void read_collisions(XmlNode& node, MeshHulls& hulls, XmlFaults& faults, UrdfLink& link) {
  const std::vector<XmlNode*> collisions = node.all("collision");
  for (XmlNode* collision : collisions) {
    Collider collider;
    const std::string* name = collision->attribute("name");
    collider.name = link.name;
    if (collisions.size() > 1) collider.name += "_" + std::to_string(link.colliders.size() + 1);
    if (name && !name->empty()) collider.name = *name;
    collider.material = -1;
    collider.X_BS = read_origin(*collision, faults);
    const auto shape = read_geometry(*collision, hulls, faults, collider.X_BS);
    if (!shape) continue;
    collider.shape = *shape;
    link.colliders.push_back(collider);
    link.collider_lines.push_back(collision->line);
    link.own_friction.push_back(read_own_friction(*collision, faults));
  }
}

/// Bullet's `<contact><lateral_friction value="…"/></contact>`. What else it holds stays unread.
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
  faults.add(*node, "value of <mass> is " + sized(*mass) + " kg; a mass cannot be negative");
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

std::shared_ptr<const Polyhedron> MeshHulls::hull(const std::string& uri, const std::string& from_file,
                                                  const Vec3& scale) {
  const std::string path = resolve_path(uri, from_file, options_);
  std::shared_ptr<const Polyhedron>& hull = hulls_[{path, {scale.x(), scale.y(), scale.z()}}];
  if (hull) return hull;
  std::vector<Vec3> points;
  try {
    points = mesh_vertices(path);
  } catch (const Error& error) {
    throw Error(quote(uri) + " " + error.what());
  }
  for (Vec3& point : points) point = point.cwiseProduct(scale).eval();
  try {
    hull = std::make_shared<const Polyhedron>(convex_hull(points));
  } catch (const Error& error) {
    throw Error(quote(uri) + " has no convex hull: " + error.what());
  }
  return hull;
}

UrdfLink read_urdf_world(XmlNode& node, MeshHulls& hulls, XmlFaults& faults) {
  UrdfLink link;
  link.name = "world";
  link.line = node.line;
  read_collisions(node, hulls, faults, link);
  read_contact(node, faults, link);
  return link;
}

UrdfLink read_urdf_link(XmlNode& node, MeshHulls& hulls, XmlFaults& faults) {
  UrdfLink link;
  link.name = faults.require(node, "name").value_or("");
  link.line = node.line;
  read_inertial(node, faults, link);
  read_collisions(node, hulls, faults, link);
  read_contact(node, faults, link);
  return link;
}

}  // namespace carom
