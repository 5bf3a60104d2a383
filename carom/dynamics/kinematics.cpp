#include "carom/dynamics/node_motion.h"
#include "carom/dynamics/recursions.h"

namespace carom {

void forward_kinematics(const Model& model, const VectorX& q, DynamicsWorkspace& workspace) {
  for (int i = 0; i < model.body_count(); ++i) {
    const TreeNode& node = model.nodes()[i];
    NodeState& state = workspace.nodes[i];
    const NodeState* parent = node.parent < 0 ? nullptr : &workspace.nodes[node.parent];
    pose_node(node, model.joints()[i], q, parent, state, workspace.columns.data() + node.v_index);
    workspace.X_WB[i] = Transform{state.R, state.p} * node.X_MB;
  }
}

void forward_velocity(const Model& model, const VectorX& /*q*/, const VectorX& v, DynamicsWorkspace& workspace) {
  for (int i = 0; i < model.body_count(); ++i) {
    const TreeNode& node = model.nodes()[i];
    NodeState& state = workspace.nodes[i];
    const NodeState* parent = node.parent < 0 ? nullptr : &workspace.nodes[node.parent];
    move_node(node, v, parent, state, workspace.columns.data() + node.v_index);
    workspace.V[i] = velocity_in_body(state, workspace.X_WB[i]);
    const auto rates = v.segment(node.v_index, node.velocity_size);
    workspace.reflected_energy[i] = 0.5 * model.joints()[i].reflected_inertia.dot(rates.cwiseAbs2());
  }
}

Vec3 point_velocity(int body, const Vec3& point_W, const DynamicsWorkspace& workspace) {
  if (body < 0) return Vec3::Zero();
  const NodeState& state = workspace.nodes[body];
  return state.V.moved_by(point_W - state.p).linear;
}

}  // namespace carom
