#include "carom/record/body_motion.h"

#include "carom/dynamics/recursions.h"

namespace carom {

std::vector<BodyMotion> body_motions(const Model& model, const State& state) {
  DynamicsWorkspace workspace(model);
  forward_kinematics(model, state.q, workspace);
  forward_velocity(model, state.q, state.v, workspace);
  std::vector<BodyMotion> motions(model.bodies().size());
  for (std::size_t i = 0; i < motions.size(); ++i) {
    const Transform& X_WB = workspace.X_WB[i];
    const Vec6& V = workspace.V[i];
    Quaternion orientation(X_WB.R);
    if (orientation.w() < 0) orientation.coeffs() *= -1;
    motions[i] = {X_WB.p, orientation, X_WB.R * V.tail<3>(), X_WB.R * V.head<3>()};
  }
  return motions;
}

}  // namespace carom
