#include "carom/import/urdf_shapes.h"

#include <array>

#include "carom/import/urdf_elements.h"

namespace carom {
namespace {

constexpr double least_length = 1e-6;  // m, for a length of zero

/// A line or a disc may stand for something small: it is as thin as makes no difference, and told.
void warn_of_zero(XmlNode& node, const std::string& what, XmlFaults& faults) {
  faults.warn(node, what + " of <" + node.name + "> is 0: it is taken as a micrometre");
}

/// A length that must be given and not negative.
std::optional<double> read_length(XmlNode& node, const std::string& attribute, XmlFaults& faults,
                                  bool may_be_zero = false) {
  const auto length = required_number(node, attribute, faults);
  if (!length) return {};
  if (*length > 0 || (may_be_zero && *length == 0)) return length;
  if (*length == 0) {
    warn_of_zero(node, attribute, faults);
    return least_length;
  }
  faults.add(node, attribute + " of <" + node.name + "> is " + sized_number(*length) + " m; it must be positive");
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
  faults.add(node, "size of <box> has the edge " + sized_number(size->minCoeff()) + " m; edges must be positive");
  return {};
}

std::optional<Shape> read_ellipsoid(XmlNode& node, XmlFaults& faults) {
  const auto a = read_length(node, "a", faults), b = read_length(node, "b", faults), c = read_length(node, "c", faults);
  if (!a || !b || !c) return {};
  return Ellipsoid{{*a, *b, *c}};
}

constexpr std::array shapes = {"box",  "sphere", "cylinder",      "capsule",
                               "mesh", "plane",  "drake:capsule", "drake:ellipsoid"};

}  // namespace

std::string sized_number(double number) {
  std::string text = std::to_string(number);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

XmlNode* find_urdf_shape(XmlNode& holder, XmlFaults& faults) {
  XmlNode* geometry = only_child(holder, "geometry", faults);
  if (!geometry) {
    faults.add(holder, "<" + holder.name + "> has no <geometry>; it needs one");
    return nullptr;
  }
  XmlNode* found = nullptr;
  for (const char* name : shapes) {
    for (XmlNode* shape : geometry->all(name)) {
      if (found) faults.add(*shape, "<geometry> has a second shape; write a <" + holder.name + "> for each");
      if (!found) found = shape;
    }
  }
  if (!found) {
    faults.add(*geometry, "<geometry> has no shape; it needs a <box>, <sphere>, <cylinder>, <capsule> or <mesh>");
  }
  return found;
}

std::optional<Shape> read_urdf_solid(XmlNode& node, XmlFaults& faults) {
  if (node.name == "box") return read_box(node, faults);
  if (node.name == "cylinder") return read_round<Cylinder>(node, faults);
  if (node.name == "capsule" || node.name == "drake:capsule") return read_round<Capsule>(node, faults);
  if (node.name == "drake:ellipsoid") return read_ellipsoid(node, faults);
  const auto radius = read_length(node, "radius", faults, true);  // 0: a point, as robots have them for feet
  return radius ? std::optional<Shape>(Sphere{*radius}) : std::nullopt;
}

std::optional<UrdfMesh> read_urdf_mesh(XmlNode& node, XmlFaults& faults) {
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
  return UrdfMesh{*uri, scale};
}

}  // namespace carom
