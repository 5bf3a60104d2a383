#include "carom/dynamics/spring_stretch.h"

#include "carom/spatial/rotation.h"

namespace carom {

OfCoordinates spring_stretch(const Joint& joint, const VectorX& q) {
  const int size = velocity_size(joint);
  if (size == 0) return {};
  if (has_scalar_coordinates(joint.type)) return q.segment(joint.q_index, size) - joint.rest;
  const Quaternion R_FM = Quaternion(q[joint.q_index], q[joint.q_index + 1], q[joint.q_index + 2], q[joint.q_index + 3])
                              .normalized();  // stages of an integration are not
  OfCoordinates stretch(size);
  stretch.head<3>() = logarithm(exponential(-joint.rest.head<3>()) * R_FM);
  if (joint.type == JointType::free) {
    stretch.tail<3>() = R_FM.conjugate() * Vec3(q.segment<3>(joint.q_index + 4) - joint.rest.tail<3>());
  }
  return stretch;
}

}  // namespace carom
