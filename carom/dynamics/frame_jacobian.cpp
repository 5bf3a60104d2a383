#include "carom/dynamics/frame_jacobian.h"

#include "carom/dynamics/joint_column.h"
#include "carom/dynamics/recursions.h"

namespace carom {

void frame_jacobian(const Model& model, int body, const Vec3& point_W, const DynamicsWorkspace& workspace,
                    Eigen::Ref<MatrixX> J) {
  J.setZero();
  for (int i = body; i >= 0; i = model.nodes()[i].parent) {
    const TreeNode& node = model.nodes()[i];
    const Vec3 arm = point_W - workspace.nodes[i].p;
    for (int k = node.v_index; k < node.v_index + node.velocity_size; ++k) {
      const Motion S = workspace.columns[k].S.moved_by(arm);
      J.col(k) << S.angular, S.linear;
    }
  }
}

void frame_jacobian_rate(const Model& model, int body, const Vec3& point_W, const VectorX& v,
                         const DynamicsWorkspace& workspace, Eigen::Ref<MatrixX> J_dot) {
  J_dot.setZero();
  const Vec3 point_rate = point_velocity(body, point_W, workspace);
  for (int i = body; i >= 0; i = model.nodes()[i].parent) {
    const TreeNode& node = model.nodes()[i];
    const NodeState& state = workspace.nodes[i];
    const Vec3 arm = point_W - state.p;
    Motion carrier = state.V;
    if (!subspace_fixed_in_body(node)) {
      carrier = node.parent < 0 ? Motion() : workspace.nodes[node.parent].V.moved_by(state.r);
    }
    for (int k = node.v_index; k < node.v_index + node.velocity_size; ++k) {
      const JointColumn& column = workspace.columns[k];
      const Motion rate = cross_scaled(carrier, column, 1).moved_by(arm);
      J_dot.col(k) << rate.angular, rate.linear + column.S.angular.cross(point_rate);
      if (!subspace_fixed_in_body(node)) add_scaled(column, v[k], carrier);
    }
  }
}

Vec6 frame_bias_acceleration(const Model& model, int body, const Vec3& point_W, const DynamicsWorkspace& workspace) {
  Vec6 acceleration = Vec6::Zero();
  if (body < 0) return acceleration;
  Motion sum;
  for (int i = body; i >= 0; i = model.nodes()[i].parent) {
    sum += workspace.nodes[i].bias.moved_by(point_W - workspace.nodes[i].p);
  }
  const Vec3 point_rate = point_velocity(body, point_W, workspace);
  acceleration << sum.angular, sum.linear + workspace.nodes[body].V.angular.cross(point_rate);
  return acceleration;
}

}  // namespace carom
