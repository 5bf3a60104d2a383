#pragma once

#include "carom/dynamics/workspace.h"

namespace carom {

/// Powers of the forces that are functions of state and time, W.
struct SmoothPower {
  double damping = 0;  ///< taken by dampers of joints and of springs, ≥ 0
  double drives = 0;   ///< given by drives, servos, applied wrenches and the controller
};

/// The forces of a mechanism that are functions of state and time. They come from springs and dampers of joints and
/// between points, force drives, servos (clamped at their limits), and applied wrenches. Gravity is the recursions'.
class SmoothForces {
 public:
  explicit SmoothForces(const Model& model);

  /// tau (nv, N m or N) for the coordinates of v. controlled: the controller's part. Needs forward_kinematics at q.
  SmoothPower gather(const Model& model, double time, const VectorX& q, const VectorX& v, const VectorX& controlled,
                     const DynamicsWorkspace& workspace, VectorX& tau);

 private:
  VectorX damping_, spring_, applied_;
};

}  // namespace carom
