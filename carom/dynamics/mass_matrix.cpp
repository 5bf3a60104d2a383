#include "carom/dynamics/inertia_shift.h"
#include "carom/dynamics/recursions.h"

namespace carom {

void mass_matrix(const Model& model, DynamicsWorkspace& workspace, MatrixX& M) {
  M.setZero(model.velocity_count(), model.velocity_count());
  for (int i = 0; i < model.body_count(); ++i) workspace.scratch_I[i] = model.bodies()[i].inertia.matrix();
  for (int i = model.body_count() - 1; i >= 0; --i) {
    const Joint& joint = model.joints()[i];
    const int size = velocity_size(joint);
    if (joint.parent >= 0) {
      workspace.scratch_I[joint.parent] += shift_inertia(workspace.X_PB[i], workspace.scratch_I[i]);
    }
    if (size == 0) continue;
    // Forces that the composite body needs for unit accelerations of the joint, carried up to each ancestor's joint.
    DynamicsWorkspace::Subspace F = workspace.scratch_I[i] * workspace.S[i];
    const DynamicsWorkspace::JointMatrix own = workspace.S[i].transpose() * F;
    M.block(joint.v_index, joint.v_index, size, size) = 0.5 * (own + own.transpose());
    M.diagonal().segment(joint.v_index, size) += joint.reflected_inertia;
    for (int j = i; model.joints()[j].parent >= 0;) {
      for (int k = 0; k < size; ++k) F.col(k) = workspace.X_PB[j].force(F.col(k));
      j = model.joints()[j].parent;
      const Joint& ancestor = model.joints()[j];
      const int width = velocity_size(ancestor);
      if (width == 0) continue;
      const DynamicsWorkspace::JointMatrix block = F.transpose() * workspace.S[j];
      M.block(joint.v_index, ancestor.v_index, size, width) = block;
      M.block(ancestor.v_index, joint.v_index, width, size) = block.transpose();
    }
  }
}

}  // namespace carom
