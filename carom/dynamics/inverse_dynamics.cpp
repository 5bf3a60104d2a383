#include "carom/dynamics/recursions.h"

namespace carom {
namespace {

/// Sums the bodies' forces in scratch_f towards the roots and projects them on the joints.
void project_forces(const Model& model, DynamicsWorkspace& workspace, VectorX& tau) {
  tau.resize(model.velocity_count());
  for (int i = model.body_count() - 1; i >= 0; --i) {
    const Joint& joint = model.joints()[i];
    const int size = velocity_size(joint);
    if (size > 0) {
      tau.segment(joint.v_index, size).noalias() = workspace.S[i].transpose() * workspace.scratch_f[i];
    }
    if (joint.parent >= 0) {
      workspace.scratch_f[joint.parent] += workspace.X_PB[i].force(workspace.scratch_f[i]);
    }
  }
}

/// Accelerations scratch_a and inertial forces scratch_f of the motion in which the base has the acceleration `base`
/// (world axes) and the joint of body i adds joint_acceleration(i), a motion vector in B.
template <typename JointAcceleration>
void inertial_forces(const Model& model, const Vec6& base, DynamicsWorkspace& workspace,
                     JointAcceleration&& joint_acceleration) {
  for (int i = 0; i < model.body_count(); ++i) {
    const int parent = model.joints()[i].parent;
    const Vec6& A_parent = parent < 0 ? base : workspace.scratch_a[parent];
    const Vec6 A = workspace.X_PB[i].inverse_motion(A_parent) + workspace.bias[i] + joint_acceleration(i);
    const SpatialInertia& inertia = model.bodies()[i].inertia;
    workspace.scratch_a[i] = A;
    workspace.scratch_f[i] = inertia * A + cross_force(workspace.V[i], inertia * workspace.V[i]);
  }
}

/// S v̇ with the v̇ that keeps the momentum of the joint's own motion straight in F's axes.
Vec6 straight_acceleration(const Model& model, int body, const VectorX& v, const DynamicsWorkspace& workspace) {
  const Joint& joint = model.joints()[body];
  if (joint.type != JointType::free) return Vec6::Zero();
  const Vec3 c_M = joint.X_BM.R.transpose() * (model.bodies()[body].inertia.center - joint.X_BM.p);
  const Vec3 w = v.segment<3>(joint.v_index), v_o = v.segment<3>(joint.v_index + 3);
  // v̇_c + ω × v_c = 0 for the centre's velocity v_c = v_o + ω × c, with ω̇ = 0.
  const Vec3 straight = -w.cross(v_o + w.cross(c_M));
  return workspace.S[body].rightCols<3>() * straight;
}

}  // namespace

void inverse_dynamics(const Model& model, const VectorX& vdot, DynamicsWorkspace& workspace, VectorX& tau) {
  // A base that accelerates upwards stands for gravity.
  Vec6 base = Vec6::Zero();
  base.tail<3>() = -model.gravity();
  inertial_forces(model, base, workspace, [&](int i) -> Vec6 {
    const Joint& joint = model.joints()[i];
    const int size = velocity_size(joint);
    if (size == 0) return Vec6::Zero();
    return workspace.S[i] * vdot.segment(joint.v_index, size);
  });
  project_forces(model, workspace, tau);
  for (const Joint& joint : model.joints()) {
    const Eigen::Index size = joint.reflected_inertia.size();
    tau.segment(joint.v_index, size) += joint.reflected_inertia.cwiseProduct(vdot.segment(joint.v_index, size));
  }
}

void momentum_bias(const Model& model, const VectorX& v, DynamicsWorkspace& workspace, VectorX& bias) {
  inertial_forces(model, Vec6::Zero(), workspace, [&](int i) { return straight_acceleration(model, i, v, workspace); });
  project_forces(model, workspace, bias);
}

void gravity_force(const Model& model, DynamicsWorkspace& workspace, VectorX& tau) {
  for (int i = 0; i < model.body_count(); ++i) {
    Vec6 g = Vec6::Zero();
    g.tail<3>() = workspace.X_WB[i].R.transpose() * model.gravity();
    workspace.scratch_f[i] = model.bodies()[i].inertia * g;
  }
  project_forces(model, workspace, tau);
}

}  // namespace carom
