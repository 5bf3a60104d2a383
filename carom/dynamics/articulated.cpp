#include "carom/dynamics/column_solve.h"
#include "carom/dynamics/joint_elimination.h"
#include "carom/dynamics/node_motion.h"
#include "carom/dynamics/recursions.h"

namespace carom {
namespace {

/// Leaves-to-roots step of the factors for one body whose IA is complete. Eliminates its joint, and adds the remaining
/// inertia to the parent's IA. The argument `extra` is the joint's own, or null.
inline void factor_node(const TreeNode& node, int i, const double* extra, DynamicsWorkspace& workspace) {
  const NodeState& state = workspace.nodes[i];
  ArticulatedInertia I = state.IA;
  const bool has_parent = node.parent >= 0;
  Mat6* twists_inverse = node.type == JointType::twists ? &workspace.twists_inverse[i] : nullptr;
  eliminate_joint(node, extra, has_parent, workspace.columns.data() + node.v_index, twists_inverse, I);
  if (has_parent) workspace.nodes[node.parent].IA.add_shifted(I, state.r);
}

/// Leaves-to-roots step of the solve for one body: see gather_columns. The parent's bias force grows by the articulated
/// body's.
inline void gather_node(const TreeNode& node, int i, DynamicsWorkspace& workspace, VectorX& x) {
  const NodeState& state = workspace.nodes[i];
  Force f = state.f;
  gather_columns(node, workspace.columns.data() + node.v_index, workspace.inverse_of(node, i), x.data() + node.v_index,
                 f);
  if (node.parent >= 0) workspace.nodes[node.parent].f += f.moved_back_by(state.r);
}

/// Roots-to-leaves step: see spread_columns.
inline void spread_node(const TreeNode& node, int i, const DynamicsWorkspace& workspace, VectorX& x, Motion& a) {
  spread_columns(node, workspace.columns.data() + node.v_index, workspace.inverse_of(node, i), x.data() + node.v_index,
                 a);
}

void spread_body(const TreeNode& node, int i, DynamicsWorkspace& workspace, VectorX& x) {
  NodeState& state = workspace.nodes[i];
  Motion a = node.parent < 0 ? Motion() : workspace.nodes[node.parent].a.moved_by(state.r);
  spread_node(node, i, workspace, x, a);
  state.a = a;
}

}  // namespace

void factor_mass(const Model& model, const VectorX& extra, DynamicsWorkspace& workspace) {
  for (NodeState& state : workspace.nodes) state.IA = ArticulatedInertia(state.inertia);
  for (int i = model.body_count() - 1; i >= 0; --i) {
    const TreeNode& node = model.nodes()[i];
    const double* own_extra = extra.size() > 0 ? extra.data() + node.v_index : nullptr;
    factor_node(node, i, own_extra, workspace);
  }
}

void solve_mass(const Model& model, const VectorX& b, DynamicsWorkspace& workspace, VectorX& x) {
  x = b;
  for (NodeState& state : workspace.nodes) state.f = Force();
  for (int i = model.body_count() - 1; i >= 0; --i) gather_node(model.nodes()[i], i, workspace, x);
  for (int i = 0; i < model.body_count(); ++i) spread_body(model.nodes()[i], i, workspace, x);
}

void solve_mass_tree(const Model& model, int root, const VectorX& b, DynamicsWorkspace& workspace, VectorX& x) {
  const Tree& tree = model.tree(root);
  for (const auto& [first, count] : tree.coordinates) x.segment(first, count) = b.segment(first, count);
  for (const int i : tree.bodies) workspace.nodes[i].f = Force();
  for (std::size_t k = tree.bodies.size(); k-- > 0;) {
    gather_node(model.nodes()[tree.bodies[k]], tree.bodies[k], workspace, x);
  }
  for (const int i : tree.bodies) spread_body(model.nodes()[i], i, workspace, x);
}

void forward_dynamics(const Model& model, const VectorX& q, const VectorX& v, const VectorX& tau,
                      DynamicsWorkspace& workspace, VectorX& vdot) {
  vdot = tau;
  for (int i = 0; i < model.body_count(); ++i) {
    const TreeNode& node = model.nodes()[i];
    NodeState& state = workspace.nodes[i];
    const NodeState* parent = node.parent < 0 ? nullptr : &workspace.nodes[node.parent];
    JointColumn* columns = workspace.columns.data() + node.v_index;
    pose_node(node, model.joints()[i], q, parent, state, columns);
    move_node(node, v, parent, state, columns);
    state.IA = ArticulatedInertia(state.inertia);
    state.f = cross(state.V, state.inertia * state.V);
  }
  for (int i = model.body_count() - 1; i >= 0; --i) {
    const TreeNode& node = model.nodes()[i];
    NodeState& state = workspace.nodes[i];
    // Table 7.1 with its bias accelerations c as a force IA c, so that both walks are those of solve_mass.
    state.f += state.IA * state.bias;
    factor_node(node, i, nullptr, workspace);
    gather_node(node, i, workspace, vdot);
  }
  // A base that accelerates upwards represents gravity.
  const Motion base{Vec3::Zero(), -model.gravity()};
  for (int i = 0; i < model.body_count(); ++i) {
    const TreeNode& node = model.nodes()[i];
    NodeState& state = workspace.nodes[i];
    Motion a = node.parent < 0 ? base : workspace.nodes[node.parent].a.moved_by(state.r);
    spread_node(node, i, workspace, vdot, a);
    a += state.bias;
    state.a = a;
  }
}

}  // namespace carom
