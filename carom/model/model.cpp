#include "carom/model/model.h"

namespace carom {

VectorX Model::neutral_position() const {
  VectorX q = VectorX::Zero(position_count_);
  for (const Joint& joint : joints_) {
    const bool has_quaternion = joint.type == JointType::spherical || joint.type == JointType::free;
    if (has_quaternion) q[joint.q_index] = 1;
  }
  return q;
}

}  // namespace carom
