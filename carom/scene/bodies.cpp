#include "carom/scene/bodies.h"

#include <utility>

namespace carom {
namespace {

using Kind = YamlNode::Kind;

Mat3 symmetric(double xx, double yy, double zz, double xy, double xz, double yz) {
  Mat3 I;
  I << xx, xy, xz, xy, yy, yz, xz, yz, zz;
  return I;
}

/// Three rows, or xx, yy, zz, xy, xz, yz.
std::optional<Mat3> read_inertia_matrix(const YamlNode& node, Diagnostics& diagnostics) {
  const bool rows = node.kind == Kind::list && node.items.size() == 3;
  if (!rows) {
    const bool six = node.kind == Kind::list && node.items.size() == 6;
    if (!six) {
      diagnostics.add(node.place,
                      "matrix must be three rows of three numbers, or the six numbers xx, yy, zz, xy, xz, "
                      "yz (kg m²), but is " +
                          describe(node));
      return {};
    }
    const auto I = read_numbers(node, "matrix", 6, {quantity::moment}, Range::any, diagnostics);
    if (!I) return {};
    return symmetric((*I)[0], (*I)[1], (*I)[2], (*I)[3], (*I)[4], (*I)[5]);
  }
  Mat3 I = Mat3::Zero();
  bool complete = true;
  for (int i = 0; i < 3; ++i) {
    const std::string label = "row " + std::to_string(i + 1) + " of matrix";
    const auto row = read_vector(node.items[i], label, quantity::moment, Range::any, diagnostics);
    if (row) I.row(i) = row->transpose();
    complete = complete && row;
  }
  if (!complete) return {};
  return I;
}

/// {mass, center, moments or matrix, orientation}, in the body frame.
std::optional<SpatialInertia> read_given_inertia(const YamlNode& node, Diagnostics& diagnostics) {
  Fields fields(node, "inertia", {"mass", "center", "moments", "matrix", "orientation"}, diagnostics);
  const YamlNode* mass_node = fields.require("mass", "a number in kg");
  std::optional<double> mass;
  if (mass_node) mass = read_number(*mass_node, "mass", quantity::mass, Range::positive, diagnostics);
  Vec3 center = Vec3::Zero();
  if (const YamlNode* found = fields.find("center")) {
    center = read_vector(*found, "center", quantity::length, Range::any, diagnostics).value_or(center);
  }
  Mat3 R = Mat3::Identity();
  if (const YamlNode* found = fields.find("orientation")) {
    R = read_orientation(*found, "orientation", diagnostics).value_or(Orientation()).R;
  }
  fields.exclude("moments", "matrix", "keep one: moments are the diagonal of a matrix without products of inertia");
  std::optional<Mat3> I;
  if (const YamlNode* matrix = fields.find("matrix")) {
    I = read_inertia_matrix(*matrix, diagnostics);
  } else if (const YamlNode* found =
                 fields.require("moments", "xx, yy, zz about the centre of mass, kg m² (or 'matrix')")) {
    const auto moments = read_vector(*found, "moments", quantity::moment, Range::not_negative, diagnostics);
    if (moments) I = moments->asDiagonal();
  }
  if (!mass || !I) return {};
  return SpatialInertia{*mass, center, R * *I * R.transpose()};
}

/// A mass without extent: a body without shapes, or whose only shape is a sphere of radius 0.
std::optional<SpatialInertia> point_inertia(const SceneBody& body, double mass) {
  if (body.shapes.empty()) return SpatialInertia{mass, Vec3::Zero(), Mat3::Zero()};
  const Sphere* sphere = std::get_if<Sphere>(&body.shapes.front().shape);
  if (body.shapes.size() > 1 || sphere == nullptr || sphere->radius != 0) return {};
  return SpatialInertia{mass, body.shapes.front().X_BS.p, Mat3::Zero()};
}

/// The inertia of the shapes as solids of the given density, or, if `is_mass`, of that mass together.
std::optional<SpatialInertia> solid_inertia(const SceneBody& body, const YamlNode& node, double value, bool is_mass,
                                            Diagnostics& diagnostics) {
  SpatialInertia sum;
  for (const SceneShape& shape : body.shapes) {
    if (std::holds_alternative<HalfSpace>(shape.shape)) return {};  // told elsewhere: no moving body may have one
    if (std::holds_alternative<HeightField>(shape.shape)) {
      diagnostics.add(node.place, "body " + in_quotes(body.name) +
                                      " carries a height field, which has no volume to take an inertia from; give "
                                      "'inertia' instead");
      return {};
    }
    try {
      sum = sum + shape_inertia(shape.shape, 1).in(shape.X_BS);
    } catch (const Error& error) {
      diagnostics.add(shape.place, "body " + in_quotes(body.name) + ": " + error.what());
      return {};
    }
  }
  if (!(sum.mass > 0)) {
    if (auto point = point_inertia(body, value); is_mass && point) return point;
    diagnostics.add(node.place, "body " + in_quotes(body.name) +
                                    " has no shape with a volume to take its inertia from; "
                                    "give 'inertia' instead");
    return {};
  }
  const double density = is_mass ? value / sum.mass : value;
  return SpatialInertia{sum.mass * density, sum.center, sum.central * density};
}

void read_inertia(Fields& fields, SceneBody& body, bool shapes_complete, Diagnostics& diagnostics) {
  const std::string right = "keep one: the inertia is given, or follows from the shapes and a density or a mass";
  fields.exclude("density", "inertia", right);
  fields.exclude("mass", "inertia", right);
  fields.exclude("density", "mass", right);
  const YamlNode* given = fields.find("inertia");
  const YamlNode* density = fields.find("density");
  const YamlNode* mass = fields.find("mass");
  body.inertia_read = false;
  if (given) {
    body.inertia = read_given_inertia(*given, diagnostics);
  } else if (density || mass) {
    const YamlNode& node = density ? *density : *mass;
    const auto value = density ? read_number(node, "density", quantity::density, Range::positive, diagnostics)
                               : read_number(node, "mass", quantity::mass, Range::positive, diagnostics);
    if (value && shapes_complete) body.inertia = solid_inertia(body, node, *value, !density, diagnostics);
  } else {
    body.inertia_read = true;
  }
  if (!body.inertia) return;
  body.inertia_read = true;
  if (const std::string fault = inertia_fault(*body.inertia); !fault.empty()) {
    diagnostics.add(fields.place(given     ? "inertia"
                                 : density ? "density"
                                           : "mass"),
                    "body " + in_quotes(body.name) + " " + fault);
  }
}

void read_initial_motion(const Fields& fields, SceneBody& body, Diagnostics& diagnostics) {
  for (const char* key : {"angular_velocity", "velocity", "orientation", "position"}) {
    if (fields.find(key)) body.motion_place = fields.place(key);
  }
  const auto vector = [&](const char* key, Quantity quantity) -> Vec3 {
    const YamlNode* node = fields.find(key);
    if (!node) return Vec3::Zero();
    return read_vector(*node, key, quantity, Range::any, diagnostics).value_or(Vec3::Zero());
  };
  body.position = vector("position", quantity::length);
  body.velocity = vector("velocity", quantity::speed);
  body.angular_velocity = vector("angular_velocity", quantity::angular_rate);
  if (const YamlNode* node = fields.find("orientation")) {
    body.orientation = read_orientation(*node, "orientation", diagnostics).value_or(Orientation());
  }
}

void read_body(const YamlNode& node, const SceneMaterials& materials, const CollisionGroups& groups,
               SceneBodies& bodies, Diagnostics& diagnostics) {
  Fields fields(node, "a body",
                {"name", "shapes", "density", "mass", "inertia", "position", "orientation", "velocity",
                 "angular_velocity", "groups", "collides_with"},
                diagnostics);
  SceneBody body;
  body.place = node.place;
  std::optional<std::string> name;
  if (const YamlNode* found = fields.require("name", "joints and records refer to it")) {
    name = read_name(*found, "name", diagnostics);
    if (name == "world") {
      diagnostics.add(found->place, "'world' is the name of what does not move; give the body another");
      name.reset();
    }
  }
  body.name = name.value_or("?");
  bool shapes_complete = true;
  const GroupMasks masks = read_group_masks(fields, groups, {}, diagnostics);
  if (const YamlNode* shapes = fields.find("shapes")) {
    body.shapes = read_shapes(*shapes, body.name, materials, groups, masks, shapes_complete, diagnostics);
  }
  read_inertia(fields, body, shapes_complete, diagnostics);
  read_initial_motion(fields, body, diagnostics);
  if (!name) {
    bodies.complete = false;
    return;
  }
  if (!bodies.index.emplace(*name, static_cast<int>(bodies.bodies.size())).second) {
    diagnostics.add(fields.find("name")->place,
                    "there are two bodies named " + in_quotes(*name) + "; give each its own name");
    return;
  }
  bodies.bodies.push_back(std::move(body));
}

}  // namespace

SceneBodies read_bodies(const YamlNode& scene, const SceneMaterials& materials, const CollisionGroups& groups,
                        Diagnostics& diagnostics) {
  SceneBodies bodies;
  const YamlNode* list = peek(scene, "bodies");
  if (!list || list->kind != Kind::list) bodies.complete = false;
  if (!list) return bodies;
  for (const YamlNode& node : read_list(*list, "bodies", "bodies", diagnostics)) {
    read_body(node, materials, groups, bodies, diagnostics);
  }
  if (list->kind == Kind::list && list->items.empty()) {
    diagnostics.add(list->place, "bodies is an empty list; a scene needs at least one body");
  }
  return bodies;
}

std::optional<int> read_body_reference(const YamlNode& node, const std::string& label, const SceneBodies& bodies,
                                       Diagnostics& diagnostics) {
  const auto name = read_text(node, label, diagnostics);
  if (!name) return {};
  if (*name == "world") return -1;
  const auto found = bodies.index.find(*name);
  if (found != bodies.index.end()) return found->second;
  if (!bodies.complete) return {};
  std::vector<std::string> names{"world"};
  for (const SceneBody& body : bodies.bodies) names.push_back(body.name);
  diagnostics.add(node.place, "there is no body " + in_quotes(*name) + suggestion(*name, names, "the bodies are"));
  return {};
}

}  // namespace carom
