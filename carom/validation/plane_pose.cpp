#include "carom/validation/plane_pose.h"

#include <cmath>

#include "carom/spatial/rotation.h"

namespace carom {

Pose plane_pose(const Vec3& coordinates) {
  return {Vec3(coordinates[0], 0, coordinates[1]), exponential(Vec3(0, -coordinates[2], 0))};
}

double plane_angle(const Quaternion& orientation) { return -logarithm(orientation).y(); }

bool moves_in_xz_plane(const Model& model) {
  if (model.body_count() != 1) return false;
  const Joint& joint = model.joints().front();
  Mat3 plane;
  plane << 1, 0, 0, 0, 0, -1, 0, 1, 0;
  return joint.type == JointType::planar && joint.X_PF.R.isApprox(plane, 1e-12) && joint.X_PF.p.isZero(0) &&
         joint.X_BM.R.isApprox(plane, 1e-12) && joint.X_BM.p.isZero(0) &&
         model.bodies().front().inertia.center.isZero(0);
}

}  // namespace carom
