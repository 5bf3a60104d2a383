#include "carom/import/sdf_joints.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <numbers>

namespace carom {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double no_limit = 1e16;  // the format's word for none
constexpr double parallel = 1e-9;

/// Data of a file on one coordinate.
struct Coordinate {
  double lower = -infinity, upper = infinity;
  double damping = 0, friction = 0, stiffness = 0, rest = 0, initial = 0;
  double effort = infinity;
};

double read_not_negative(const SdfPlace& place, const std::string& child) {
  const double value = read_number(place, child).value_or(0);
  if (value >= 0) return value;
  const SdfPlace at = first(place, child);
  at.fault("<" + child + "> is " + at.node->text + "; it cannot be negative");
  return 0;
}

double read_limit(const SdfPlace& limit, const std::string& child, double none) {
  const SdfPlace at = first(limit, child);
  if (!at.node) return none;
  const std::string& text = at.node->text;
  if (text == "inf" || text == "+inf" || text == "-inf") {
    if ((text == "-inf") == (none < 0)) return none;
    at.fault("<" + child + "> is " + text + ", so nothing is allowed; it must be finite, or left out");
    return none;
  }
  const double value = read_number(limit, child).value_or(none);
  return std::abs(value) >= no_limit ? none : value;
}

Coordinate read_coordinate(const SdfPlace& axis, bool limited) {
  Coordinate read;
  const SdfPlace limit = first(axis, "limit");
  if (limit.node) {
    const double effort = read_limit(limit, "effort", infinity);
    if (effort >= 0) read.effort = effort;  // below 0: none, by the specification
  }
  if (limit.node && limited) {
    read.lower = read_limit(limit, "lower", -infinity);
    read.upper = read_limit(limit, "upper", infinity);
    if (read.lower > read.upper) limit.fault("<lower> is above <upper>; no position is allowed");
  }
  const SdfPlace dynamics = first(axis, "dynamics");
  read.damping = read_not_negative(dynamics, "damping");
  read.friction = read_not_negative(dynamics, "friction");
  read.stiffness = read_not_negative(dynamics, "spring_stiffness");
  read.rest = read_number(dynamics, "spring_reference").value_or(0);
  read.initial = read_number(axis, "initial_position").value_or(0);
  return read;
}

void apply(const std::vector<Coordinate>& coordinates, SdfMotion& motion) {
  const int n = static_cast<int>(coordinates.size());
  Joint& joint = motion.joint;
  for (VectorX* values : {&joint.lower, &joint.upper, &joint.damping, &joint.friction, &joint.stiffness, &joint.rest,
                          &joint.effort, &motion.position}) {
    values->setZero(n);
  }
  for (int i = 0; i < n; ++i) {
    const Coordinate& c = coordinates[i];
    joint.lower[i] = c.lower;
    joint.upper[i] = c.upper;
    joint.damping[i] = c.damping;
    joint.friction[i] = c.friction;
    joint.stiffness[i] = c.stiffness;
    joint.rest[i] = c.rest;
    joint.effort[i] = c.effort;
    motion.position[i] = c.initial;
  }
  if (motion.position.isZero(0)) motion.position.resize(0);
}

/// A motor's rotor behind a gear, as Drake writes it.
void read_rotor(const SdfJoint& joint, Joint& made) {
  const double inertia = read_not_negative(joint.place, "drake:rotor_inertia");
  const double ratio = read_number(joint.place, "drake:gear_ratio").value_or(1);
  if (inertia == 0) return;
  if (velocity_size(made) != 1) {
    first(joint.place, "drake:rotor_inertia").fault("a joint without a single axis has no use for a rotor; remove it");
    return;
  }
  made.reflected_inertia = VectorX::Constant(1, ratio * ratio * inertia);
}

SdfPlace require_axis(const SdfJoint& joint, const std::string& type, int index) {
  const std::string name = index == 0 ? "axis" : "axis2";
  const SdfPlace axis = first(joint.place, name);
  if (!axis.node) {
    joint.place.fault("a " + type + " joint needs an <" + name + ">, and this has none");
  } else if (!first(axis, "xyz").node) {
    axis.fault("<" + name + "> has no <xyz>; it needs one");
    return {axis.file, nullptr};
  }
  return axis;
}

/// Metres per radian, right-handed positive.
std::optional<double> read_pitch(const SdfJoint& joint) {
  if (const auto lead = read_number(joint.place, "screw_thread_pitch")) {
    if (*lead != 0) return *lead / (2 * std::numbers::pi);
    first(joint.place, "screw_thread_pitch").fault("<screw_thread_pitch> is 0; a screw advances, metres per turn");
    return {};
  }
  const SdfPlace place = first(joint.place, "thread_pitch");
  if (!place.node) {
    joint.place.fault("a screw joint needs a <thread_pitch>, and this has none");
    return {};
  }
  const auto turns = read_number(joint.place, "thread_pitch");
  if (!turns) return {};
  if (*turns != 0) return -1 / *turns;
  place.fault("<thread_pitch> is 0; it counts radians per metre, so the screw would move without end");
  return {};
}

std::optional<Transform> read_one_axis(const SdfJoint& joint, const std::string& type, SdfMotion& motion) {
  const SdfPlace axis = require_axis(joint, type, 0);
  if (!axis.node) return {};
  const bool screw = type == "screw";
  if (screw) {
    const auto pitch = read_pitch(joint);
    if (!pitch) return {};
    motion.joint.pitch = *pitch;
  }
  if (const SdfPlace second = peek(joint.place, "axis2"); second.node) {
    second.fault("a " + type + " joint has one axis; remove <axis2>, or make the joint universal or revolute2");
  }
  motion.joint.type = screw ? JointType::screw : type == "prismatic" ? JointType::prismatic : JointType::revolute;
  const Coordinate coordinate = read_coordinate(axis, type != "continuous");
  if (screw && (std::isfinite(coordinate.lower) || std::isfinite(coordinate.upper))) {
    first(axis, "limit")
        .fault("the format does not say whether limits of a screw are angles or lengths; leave them out");
  }
  apply({coordinate}, motion);
  return Transform{contact_frame(joint.axis[0]), Vec3::Zero()};
}

std::optional<Transform> read_two_axes(const SdfJoint& joint, const std::string& type, SdfMotion& motion) {
  const SdfPlace axis = require_axis(joint, type, 0), axis2 = require_axis(joint, type, 1);
  if (!axis.node || !axis2.node) return {};
  const Vec3 &a = joint.axis[0], &b = joint.axis[1];
  if (a.cross(b).norm() < parallel) {
    axis2.fault("<axis> and <axis2> are parallel; a " + type + " joint needs two directions");
    return {};
  }
  const std::vector<Coordinate> coordinates = {read_coordinate(axis, true), read_coordinate(axis2, true)};
  Transform X_JF;
  if (std::abs(a.dot(b)) < parallel) {
    motion.joint.type = JointType::universal;
    const Vec3 z = a.cross(b).normalized();
    X_JF.R << a, z.cross(a), z;
  } else {
    motion.joint.type = JointType::twists;
    motion.joint.twists.setZero(6, 2);
    motion.joint.twists.topRows<3>() << a, b;
  }
  apply(coordinates, motion);
  return X_JF;
}

std::optional<Transform> read_planar(const SdfJoint& joint, SdfMotion& motion) {
  motion.joint.type = JointType::planar;
  if (const auto damping = read_numbers(joint.place, "drake:damping", 3)) {
    motion.joint.damping = *damping;
    if (damping->minCoeff() < 0) first(joint.place, "drake:damping").fault("damping cannot be negative");
  }
  return Transform();
}

std::optional<Transform> read_kind(const SdfJoint& joint, SdfMotion& motion) {
  const std::string* given = joint.place.node->attribute("type");
  std::string type = given ? *given : "";
  std::transform(type.begin(), type.end(), type.begin(), [](unsigned char c) { return std::tolower(c); });
  if (joint.place.node->name == "drake:joint") {
    if (type == "planar") return read_planar(joint, motion);
    joint.place.fault("type \"" + type + "\" of <drake:joint> is not understood; planar is");
    return {};
  }
  if (type == "revolute" || type == "continuous" || type == "prismatic" || type == "screw") {
    return read_one_axis(joint, type, motion);
  }
  if (type == "universal" || type == "revolute2") return read_two_axes(joint, type, motion);
  if (type == "ball" || type == "fixed") {
    motion.joint.type = type == "ball" ? JointType::spherical : JointType::fixed;
    return Transform();
  }
  joint.place.fault("type \"" + type +
                    "\" of <joint> is not understood; revolute, continuous, prismatic, screw, "
                    "universal, revolute2, ball, gearbox and fixed are");
  return {};
}

/// Engines drive a joint by their own terms: what they would do to it cannot be left out.
void check_motor(const SdfPlace& joint) {
  const SdfPlace force = peek(peek(peek(joint, "physics"), "ode"), "max_force");
  if (force.node && force.node->text != "0" && force.node->text != "0.0") {
    force.fault("<max_force> makes a motor of this joint; remove it, and drive the joint otherwise");
  }
}

bool is_plain(const SdfMotion& motion) {
  const Joint& joint = motion.joint;
  const auto is_zero = [](const VectorX& v) { return v.size() == 0 || v.isZero(0); };
  const bool unlimited =
      joint.lower.size() == 0 || ((joint.lower.array() == -infinity).all() && (joint.upper.array() == infinity).all());
  return unlimited && is_zero(joint.damping) && is_zero(joint.friction) && is_zero(joint.stiffness) &&
         is_zero(joint.reflected_inertia) && is_zero(motion.position);
}

}  // namespace

std::optional<SdfMotion> read_joint(const SdfJoint& joint, const SdfTree& tree) {
  SdfMotion motion;
  const auto X_JF = read_kind(joint, motion);
  if (!X_JF) return {};
  check_motor(joint.place);
  read_rotor(joint, motion.joint);
  const auto X_W = [&](int link) { return link < 0 ? Transform() : tree.links[link].X_WB; };
  const Transform X_WF = joint.X_WJ * *X_JF;
  motion.joint.name = joint.name;
  motion.joint.parent = joint.parent;
  motion.joint.X_PF = X_W(joint.parent).inverse() * X_WF;
  motion.joint.X_BM = X_W(joint.child).inverse() * X_WF;
  return motion;
}

std::optional<Joint> reversed(const Joint& joint, int child) {
  Joint other = joint;
  other.parent = child;
  other.X_PF = joint.X_BM;
  other.X_BM = joint.X_PF;
  if (joint.type == JointType::fixed || joint.type == JointType::spherical) return other;
  if (joint.type != JointType::revolute && joint.type != JointType::prismatic && joint.type != JointType::screw) {
    return {};
  }
  // Half a turn about x points z the other way, so that the coordinate counts as before.
  Transform turn;
  turn.R = Vec3(1, -1, -1).asDiagonal();
  other.X_PF = other.X_PF * turn;
  other.X_BM = other.X_BM * turn;
  return other;
}

bool can_close_loop(const SdfMotion& motion) {
  const JointType type = motion.joint.type;
  const bool has_kind = type == JointType::spherical || type == JointType::revolute || type == JointType::fixed;
  return has_kind && is_plain(motion);
}

std::optional<Constraint> loop_constraint(const SdfJoint& joint, const SdfMotion& motion) {
  Constraint constraint;
  constraint.name = joint.name;
  constraint.body_a = joint.parent;
  constraint.body_b = joint.child;
  constraint.X_AF = motion.joint.X_PF;
  constraint.X_BG = motion.joint.X_BM;
  if (motion.joint.type == JointType::spherical) {
    constraint.kind = ConstraintKind::ball;
  } else if (motion.joint.type == JointType::revolute) {
    constraint.kind = ConstraintKind::hinge;
  } else if (motion.joint.type == JointType::fixed) {
    constraint.kind = ConstraintKind::weld;
  } else {
    joint.place.fault("joint \"" + joint.name +
                      "\" closes a loop of joints, which only revolute, continuous, ball and "
                      "fixed joints can, and no other joint of the loop can in its place");
    return {};
  }
  if (is_plain(motion)) return constraint;
  joint.place.fault(
      "joint \"" + joint.name +
      "\" closes a loop of joints, where limits, damping, friction, springs, "
      "rotors and initial positions have no place, and no other joint of the loop can close it in its place; "
      "remove them from one joint of the loop");
  return {};
}

}  // namespace carom
