#include "carom/model/coordinate_names.h"

namespace carom {
namespace {

using Coordinates = std::vector<CoordinateName>;

/// "q1", "q2", …
Coordinates numbered(const std::string& letter, int count) {
  Coordinates coordinates;
  for (int i = 1; i <= count; ++i) coordinates.push_back({letter + std::to_string(i), "1"});
  return coordinates;
}

}  // namespace

std::vector<CoordinateName> position_coordinates(const Joint& joint) {
  Coordinates quaternion{{"qw", "1"}, {"qx", "1"}, {"qy", "1"}, {"qz", "1"}};
  switch (joint.type) {
    case JointType::fixed:
      return {};
    case JointType::revolute:
    case JointType::screw:
      return {{"", "rad"}};
    case JointType::prismatic:
      return {{"", "m"}};
    case JointType::cylindrical:
      return {{"angle", "rad"}, {"displacement", "m"}};
    case JointType::universal:
      return {{"angle_x", "rad"}, {"angle_y", "rad"}};
    case JointType::slot:
      return {{"displacement", "m"}, {"angle", "rad"}};
    case JointType::planar:
      return {{"x", "m"}, {"y", "m"}, {"angle", "rad"}};
    case JointType::twists:
      return numbered("q", position_size(joint));
    case JointType::spherical:
      return quaternion;
    case JointType::free: {
      Coordinates free = quaternion;
      for (const char* axis : {"x", "y", "z"}) free.push_back({axis, "m"});
      return free;
    }
  }
  return {};
}

std::vector<CoordinateName> velocity_coordinates(const Joint& joint) {
  Coordinates turning{{"wx", "rad/s"}, {"wy", "rad/s"}, {"wz", "rad/s"}};
  switch (joint.type) {
    case JointType::fixed:
      return {};
    case JointType::revolute:
    case JointType::screw:
      return {{"rate", "rad/s"}};
    case JointType::prismatic:
      return {{"speed", "m/s"}};
    case JointType::cylindrical:
      return {{"rate", "rad/s"}, {"speed", "m/s"}};
    case JointType::universal:
      return {{"rate_x", "rad/s"}, {"rate_y", "rad/s"}};
    case JointType::slot:
      return {{"speed", "m/s"}, {"rate", "rad/s"}};
    case JointType::planar:
      return {{"vx", "m/s"}, {"vy", "m/s"}, {"rate", "rad/s"}};
    case JointType::twists:
      return numbered("v", velocity_size(joint));
    case JointType::spherical:
      return turning;
    case JointType::free: {
      Coordinates free = turning;
      for (const char* axis : {"vx", "vy", "vz"}) free.push_back({axis, "m/s"});
      return free;
    }
  }
  return {};
}

std::string joint_name(const Model& model, std::size_t body) {
  const Joint& joint = model.joints()[body];
  const bool own = joint.type != JointType::free && !joint.name.empty();
  return own ? joint.name : model.bodies()[body].name;
}

}  // namespace carom
