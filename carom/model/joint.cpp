#include "carom/model/joint.h"

namespace carom {

std::string joint_name(JointType type) {
  switch (type) {
    case JointType::fixed:
      return "fixed";
    case JointType::revolute:
      return "revolute";
    case JointType::prismatic:
      return "prismatic";
    case JointType::screw:
      return "screw";
    case JointType::cylindrical:
      return "cylindrical";
    case JointType::universal:
      return "universal";
    case JointType::slot:
      return "slot";
    case JointType::planar:
      return "planar";
    case JointType::twists:
      return "twists";
    case JointType::spherical:
      return "spherical";
    case JointType::free:
      return "free";
  }
  return "";
}

bool has_scalar_coordinates(JointType type) {
  return type != JointType::fixed && type != JointType::spherical && type != JointType::free;
}

int velocity_size(const Joint& joint) {
  switch (joint.type) {
    case JointType::fixed:
      return 0;
    case JointType::revolute:
    case JointType::prismatic:
    case JointType::screw:
      return 1;
    case JointType::cylindrical:
    case JointType::universal:
    case JointType::slot:
      return 2;
    case JointType::planar:
    case JointType::spherical:
      return 3;
    case JointType::twists:
      return static_cast<int>(joint.twists.cols());
    case JointType::free:
      return 6;
  }
  return 0;
}

int position_size(const Joint& joint) {
  const bool has_quaternion = joint.type == JointType::spherical || joint.type == JointType::free;
  return velocity_size(joint) + (has_quaternion ? 1 : 0);
}

Twists coordinate_twists(const Joint& joint) {
  if (joint.type == JointType::twists) return joint.twists;
  const bool scalar = has_scalar_coordinates(joint.type);
  Twists twists = Twists::Zero(6, scalar ? velocity_size(joint) : 0);
  const auto turn = [&](int coordinate, int axis) { twists(axis, coordinate) = 1; };
  const auto slide = [&](int coordinate, int axis) { twists(3 + axis, coordinate) = 1; };
  constexpr int x = 0, y = 1, z = 2;
  switch (joint.type) {
    case JointType::revolute:
      turn(0, z);
      break;
    case JointType::prismatic:
      slide(0, z);
      break;
    case JointType::screw:
      turn(0, z);
      twists(3 + z, 0) = joint.pitch;
      break;
    case JointType::cylindrical:
      turn(0, z);
      slide(1, z);
      break;
    case JointType::universal:
      turn(0, x);
      turn(1, y);
      break;
    case JointType::slot:
      slide(0, x);
      turn(1, z);
      break;
    case JointType::planar:
      slide(0, x);
      slide(1, y);
      turn(2, z);
      break;
    case JointType::twists:
    case JointType::fixed:
    case JointType::spherical:
    case JointType::free:
      break;
  }
  return twists;
}

bool is_angle(const Joint& joint, int coordinate) {
  return !coordinate_twists(joint).col(coordinate).head<3>().isZero(0);
}

}  // namespace carom
