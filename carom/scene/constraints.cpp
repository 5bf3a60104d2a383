#include "carom/scene/constraints.h"

#include <algorithm>
#include <array>
#include <set>

#include "carom/scene/joint_sums.h"
#include "carom/scene/time_functions.h"

namespace carom {
namespace {

constexpr ConstraintKind kinds[] = {
    ConstraintKind::ball,    ConstraintKind::weld,   ConstraintKind::hinge,          ConstraintKind::rod,
    ConstraintKind::coupler, ConstraintKind::blade,  ConstraintKind::point_on_plane, ConstraintKind::rolling,
    ConstraintKind::rope,    ConstraintKind::spring, ConstraintKind::tendon};

/// The keys beside name and type.
std::vector<std::string> own_keys(ConstraintKind kind) {
  std::vector<std::string> keys{"a", "b", "on_a", "on_b"};
  switch (kind) {
    case ConstraintKind::coupler:
      return {"a", "b", "ratio", "sum", "offset"};
    case ConstraintKind::tendon:
      return {"sum", "range", "restitution"};
    case ConstraintKind::hinge:
      keys.emplace_back("axis");
      break;
    case ConstraintKind::rope:
      return {"a", "b", "on_a", "on_b", "length", "restitution"};
    case ConstraintKind::spring:
      return {"a", "b", "on_a", "on_b", "length", "stiffness", "damping", "acts"};
    case ConstraintKind::blade:
      return keys;
    case ConstraintKind::rod:
      keys.emplace_back("length");
      break;
    case ConstraintKind::rolling:
      keys.emplace_back("radius");
      break;
    default:
      break;
  }
  keys.emplace_back("path");
  return keys;
}

bool read_bodies(Fields& fields, const SceneBodies& bodies, Constraint& constraint, Diagnostics& diagnostics) {
  const YamlNode* a_node = fields.require("a", "the name of a body, or world");
  const YamlNode* b_node = fields.require("b", "the name of another body, or world");
  std::optional<int> a, b;
  if (a_node) a = read_body_reference(*a_node, "a", bodies, diagnostics);
  if (b_node) b = read_body_reference(*b_node, "b", bodies, diagnostics);
  if (!a || !b) return false;
  constraint.body_a = *a;
  constraint.body_b = *b;
  return true;
}

void read_restitution(Fields& fields, Constraint& constraint, Diagnostics& diagnostics) {
  const YamlNode* node = fields.find("restitution");
  if (node == nullptr) return;
  constraint.restitution = read_number(*node, "restitution", quantity::ratio, Range::fraction, diagnostics).value_or(0);
}

/// `b` times `ratio`, or a sum: a coupler's joint follows it.
std::vector<CoordinateShare> read_followed(Fields& fields, const SceneJoints& joints, Diagnostics& diagnostics) {
  if (const YamlNode* sum = fields.find("sum")) {
    for (const char* other : {"b", "ratio"}) fields.exclude("sum", other, "name one joint b and its ratio, or a sum");
    const auto read = read_joint_sum(*sum, joints, diagnostics);
    return read ? read->shares : std::vector<CoordinateShare>();
  }
  const YamlNode* b = fields.require("b", "the name of another joint (or sum: several with their ratios)");
  const YamlNode* ratio = fields.require("ratio", "how far a goes for each unit of b");
  double value = 1;
  if (ratio) value = read_number(*ratio, "ratio", quantity::ratio, Range::any, diagnostics).value_or(1);
  const auto found = b ? read_joint_coordinate(*b, "b", joints, diagnostics) : std::nullopt;
  if (!found) return {};
  return {{found->body, found->coordinate, value}};
}

bool read_coupler(Fields& fields, const SceneJoints& joints, Constraint& constraint, Diagnostics& diagnostics) {
  const YamlNode* a_node = fields.require("a", "the name of a joint");
  constraint.shares = read_followed(fields, joints, diagnostics);
  std::optional<JointCoordinate> a;
  if (a_node) a = read_joint_coordinate(*a_node, "a", joints, diagnostics);
  if (!a || constraint.shares.empty()) return false;
  if (const YamlNode* offset = fields.find("offset")) {
    const Quantity measure = a->is_angle ? quantity::angle : quantity::length;
    constraint.offset = read_number(*offset, "offset", measure, Range::any, diagnostics).value_or(0);
  }
  constraint.body_a = a->body;
  constraint.coordinate_a = a->coordinate;
  return true;
}

bool read_tendon(Fields& fields, const SceneJoints& joints, Constraint& constraint, Diagnostics& diagnostics) {
  const YamlNode* node = fields.require("sum", "a list of joints with their ratios, as in [{joint: hip, ratio: -1}]");
  const auto sum = node ? read_joint_sum(*node, joints, diagnostics) : std::nullopt;
  if (const YamlNode* range = fields.require("range", "the least and the greatest sum, .inf for no end")) {
    const Quantity measure = sum && !sum->is_angle ? quantity::length : quantity::angle;
    if (const auto ends = read_numbers(*range, "range", 2, {measure}, Range::limit, diagnostics)) {
      constraint.lower = (*ends)[0];
      constraint.upper = (*ends)[1];
    }
  }
  read_restitution(fields, constraint, diagnostics);
  if (!sum) return false;
  constraint.shares = sum->shares;
  return true;
}

void read_sizes(Fields& fields, Constraint& constraint, Diagnostics& diagnostics) {
  const auto positive = [&](const char* key, const char* right) {
    const YamlNode* node = fields.require(key, right);
    return node ? read_number(*node, key, quantity::length, Range::positive, diagnostics).value_or(1) : 1;
  };
  if (constraint.kind == ConstraintKind::rod) constraint.length = positive("length", "how long the rod is, m");
  if (constraint.kind == ConstraintKind::rope) constraint.length = positive("length", "how long the rope is, m");
  if (constraint.kind == ConstraintKind::rope) read_restitution(fields, constraint, diagnostics);
  if (constraint.kind == ConstraintKind::rolling) constraint.radius = positive("radius", "the disc's radius, m");
}

void read_spring(Fields& fields, Constraint& constraint, Diagnostics& diagnostics) {
  const auto read = [&](const YamlNode* node, const char* key, const char* unit, double& value) {
    if (node) value = read_number(*node, key, Quantity{unit}, Range::not_negative, diagnostics).value_or(1);
  };
  const YamlNode *stiffness = fields.find("stiffness"), *damping = fields.find("damping");
  const char* far = "how far apart its points are without tension, m";
  read(stiffness || !damping ? fields.require("length", far) : fields.find("length"), "length", "m", constraint.length);
  if (!stiffness && !damping) fields.require("stiffness", "its tension for each metre beyond its length, N/m");
  read(stiffness, "stiffness", "N/m", constraint.stiffness);
  read(damping, "damping", "N s/m", constraint.damping);
  if (const YamlNode* node = fields.find("acts")) {
    constexpr std::array sides{SpringSide::both, SpringSide::pull, SpringSide::push};
    std::vector<std::string> names;
    for (const SpringSide side : sides) names.push_back(spring_side_name(side));
    if (const auto choice = read_choice(*node, "acts", names, diagnostics)) constraint.side = sides[*choice];
  }
}

std::optional<ConstraintKind> read_kind(const YamlNode& node, Diagnostics& diagnostics) {
  std::vector<std::string> names;
  for (const ConstraintKind kind : kinds) names.push_back(constraint_name(kind));
  const YamlNode* type = node.kind == YamlNode::Kind::map ? peek(node, "type") : nullptr;
  if (!type) {
    diagnostics.add(node.place, "a constraint lacks the key 'type': one of " + listed(names));
    return {};
  }
  const auto choice = read_choice(*type, "constraint type", names, diagnostics);
  if (!choice) return {};
  return kinds[*choice];
}

std::optional<SceneConstraint> read_constraint(const YamlNode& node, const SceneBodies& bodies,
                                               const SceneJoints& joints, std::set<std::string>& names,
                                               Diagnostics& diagnostics) {
  const auto kind = read_kind(node, diagnostics);
  if (!kind) return {};
  std::vector<std::string> known = own_keys(*kind);
  known.insert(known.begin(), {"name", "type"});
  Fields fields(node, "a " + constraint_name(*kind) + " constraint", known, diagnostics);
  SceneConstraint result;
  result.place = node.place;
  Constraint& constraint = result.constraint;
  constraint.kind = *kind;
  constraint.name = read_unique_name(fields, "constraints", names, diagnostics);
  if (is_of_coordinates(*kind)) {
    const bool is_coupler = *kind == ConstraintKind::coupler;
    const bool sound = is_coupler ? read_coupler(fields, joints, constraint, diagnostics)
                                  : read_tendon(fields, joints, constraint, diagnostics);
    if (!sound) return {};
    return result;
  }
  const bool sides = read_bodies(fields, bodies, constraint, diagnostics);
  constraint.X_AF = read_frame(fields, "on_a", diagnostics);
  constraint.X_BG = read_frame(fields, "on_b", diagnostics);
  if (*kind == ConstraintKind::hinge) {
    const auto R = read_common_axis(fields, {"on_a", "on_b"}, "the hinge's", diagnostics);
    if (R) constraint.X_AF.R = constraint.X_BG.R = *R;
  }
  read_sizes(fields, constraint, diagnostics);
  if (*kind == ConstraintKind::spring) read_spring(fields, constraint, diagnostics);
  if (const YamlNode* path = fields.find("path")) constraint.path = read_path(*path, diagnostics);
  if (!sides) return {};
  return result;
}

}  // namespace

std::vector<SceneConstraint> read_constraints(const YamlNode& scene, const SceneBodies& bodies,
                                              const SceneJoints& joints, Diagnostics& diagnostics) {
  std::vector<SceneConstraint> constraints;
  const YamlNode* list = peek(scene, "constraints");
  if (!list) return constraints;
  std::set<std::string> names;
  for (const YamlNode& node : read_list(*list, "constraints", "constraints", diagnostics)) {
    auto constraint = read_constraint(node, bodies, joints, names, diagnostics);
    if (constraint) constraints.push_back(std::move(*constraint));
  }
  return constraints;
}

}  // namespace carom
