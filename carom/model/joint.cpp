#include "carom/model/joint.h"

namespace carom {

int position_size(JointType type) {
  switch (type) {
    case JointType::fixed:
      return 0;
    case JointType::revolute:
    case JointType::prismatic:
      return 1;
    case JointType::planar:
      return 3;
    case JointType::spherical:
      return 4;
    case JointType::free:
      return 7;
  }
  return 0;
}

int velocity_size(JointType type) {
  switch (type) {
    case JointType::fixed:
      return 0;
    case JointType::revolute:
    case JointType::prismatic:
      return 1;
    case JointType::planar:
    case JointType::spherical:
      return 3;
    case JointType::free:
      return 6;
  }
  return 0;
}

std::string joint_name(JointType type) {
  switch (type) {
    case JointType::fixed:
      return "fixed";
    case JointType::revolute:
      return "revolute";
    case JointType::prismatic:
      return "prismatic";
    case JointType::planar:
      return "planar";
    case JointType::spherical:
      return "spherical";
    case JointType::free:
      return "free";
  }
  return "";
}

}  // namespace carom
