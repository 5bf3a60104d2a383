#include "carom/dynamics/multiply_mass.h"

namespace carom {

void multiply_mass(const Model& model, const VectorX& x, DynamicsWorkspace& workspace, VectorX& y) {
  auto& twist = workspace.scratch_a;
  auto& momentum = workspace.scratch_f;
  for (int i = 0; i < model.body_count(); ++i) {
    const Joint& joint = model.joints()[i];
    twist[i] = joint.parent < 0 ? Vec6(Vec6::Zero()) : workspace.X_PB[i].inverse_motion(twist[joint.parent]);
    twist[i].noalias() += workspace.S[i] * x.segment(joint.v_index, workspace.S[i].cols());
    momentum[i] = model.bodies()[i].inertia * twist[i];
  }
  for (int i = model.body_count() - 1; i >= 0; --i) {
    const Joint& joint = model.joints()[i];
    auto own = y.segment(joint.v_index, workspace.S[i].cols());
    own.noalias() = workspace.S[i].transpose() * momentum[i];
    own += joint.reflected_inertia.cwiseProduct(x.segment(joint.v_index, own.size()));
    if (joint.parent >= 0) momentum[joint.parent] += workspace.X_PB[i].force(momentum[i]);
  }
}

}  // namespace carom
