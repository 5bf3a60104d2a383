#include "carom/dynamics/recursions.h"

namespace carom {

void forward_kinematics(const Model& model, const VectorX& q, DynamicsWorkspace& workspace) {
  const Vec6 at_rest = Vec6::Zero();
  for (int i = 0; i < model.body_count(); ++i) {
    const Joint& joint = model.joints()[i];
    const int size = velocity_size(joint);
    const JointMotion motion = joint_motion(joint, q.segment(joint.q_index, position_size(joint)), at_rest.head(size));
    workspace.X_PB[i] = joint.X_PF * motion.X_FM * joint.X_BM.inverse();
    workspace.X_WB[i] = joint.parent < 0 ? workspace.X_PB[i] : workspace.X_WB[joint.parent] * workspace.X_PB[i];
    for (int k = 0; k < size; ++k) workspace.S[i].col(k) = joint.X_BM.motion(motion.S.col(k));
  }
}

void forward_velocity(const Model& model, const VectorX& /*q*/, const VectorX& v, DynamicsWorkspace& workspace) {
  for (int i = 0; i < model.body_count(); ++i) {
    const Joint& joint = model.joints()[i];
    const int size = velocity_size(joint);
    Vec6 V = Vec6::Zero();
    if (joint.parent >= 0) V = workspace.X_PB[i].inverse_motion(workspace.V[joint.parent]);
    if (size == 0) {
      workspace.V[i] = V;
      workspace.bias[i].setZero();
      continue;
    }
    const auto rates = v.segment(joint.v_index, size);
    const Vec6 V_joint = workspace.S[i] * rates;
    V += V_joint;
    workspace.V[i] = V;
    workspace.bias[i] = cross_motion(V, V_joint);
    // S was moved from M to B, and the bracket with it.
    if (subspace_varies(joint)) workspace.bias[i] += exponential_product_bias(workspace.S[i], rates);
    workspace.reflected_energy[i] = 0.5 * joint.reflected_inertia.dot(rates.cwiseAbs2());
  }
}

void point_jacobian(const Model& model, int body, const Vec3& point_W, const DynamicsWorkspace& workspace,
                    Eigen::Ref<MatrixX> J) {
  J.setZero();
  for (int i = body; i >= 0; i = model.joints()[i].parent) {
    const Joint& joint = model.joints()[i];
    for (int k = 0; k < velocity_size(joint); ++k) {
      const Vec6 twist = workspace.S[i].col(k);
      const Vec3 angular = twist.head<3>(), linear = twist.tail<3>();
      const Vec3 arm = workspace.X_WB[i].R.transpose() * (point_W - workspace.X_WB[i].p);
      J.col(joint.v_index + k) = workspace.X_WB[i].R * (linear + angular.cross(arm));
    }
  }
}

Vec3 point_velocity(int body, const Vec3& point_W, const DynamicsWorkspace& workspace) {
  if (body < 0) return Vec3::Zero();
  const Transform& X_WB = workspace.X_WB[body];
  const Vec3 angular = workspace.V[body].head<3>(), linear = workspace.V[body].tail<3>();
  const Vec3 arm = X_WB.R.transpose() * (point_W - X_WB.p);
  return X_WB.R * (linear + angular.cross(arm));
}

}  // namespace carom
