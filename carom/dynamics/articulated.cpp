#include "carom/dynamics/node_motion.h"
#include "carom/dynamics/recursions.h"
#include "carom/dynamics/twists_joint.h"

namespace carom {
namespace {

/// Leaves-to-roots step of the factors for one body, whose IA is complete: eliminates the joint's columns, the last one
/// first, and adds what is left to the parent's IA. `extra` is the joint's own, or null.
inline void factor_node(const TreeNode& node, int i, const double* extra, DynamicsWorkspace& workspace) {
  const NodeState& state = workspace.nodes[i];
  JointColumn* columns = workspace.columns.data() + node.v_index;
  ArticulatedInertia I = state.IA;
  const bool has_parent = node.parent >= 0;
  if (node.type == JointType::twists) {
    factor_twists(node, extra, columns, I, workspace.twists_inverse[i]);
    if (has_parent) workspace.nodes[node.parent].IA.add_shifted(I, state.r);
    return;
  }
  for (int k = node.velocity_size - 1; k >= 0; --k) {
    JointColumn& column = columns[k];
    column.U = times(I, column);
    const double D = project(column, column.U) + column.reflected_inertia + (extra ? extra[k] : 0.0);
    column.D_inverse = 1 / D;
    if (has_parent || k > 0) I.eliminate(column.U, column.D_inverse);
  }
  if (has_parent) workspace.nodes[node.parent].IA.add_shifted(I, state.r);
}

/// Leaves-to-roots step of the solve for one body. On entry its f is the bias force and x the joint's b; on exit x
/// holds u = b − Sᵀ f, each f that of its column, and the parent's bias force has grown by the articulated body's.
inline void gather_node(const TreeNode& node, int i, DynamicsWorkspace& workspace, VectorX& all) {
  const NodeState& state = workspace.nodes[i];
  const JointColumn* columns = workspace.columns.data() + node.v_index;
  double* x = all.data() + node.v_index;
  Force f = state.f;
  if (node.type == JointType::twists) {
    gather_twists(node, columns, workspace.twists_inverse[i], x, f);
    if (node.parent >= 0) workspace.nodes[node.parent].f += f.moved_back_by(state.r);
    return;
  }
  for (int k = node.velocity_size - 1; k >= 0; --k) {
    x[k] -= project(columns[k], f);
    const double acceleration = columns[k].D_inverse * x[k];
    f += {acceleration * columns[k].U.moment, acceleration * columns[k].U.force};
  }
  if (node.parent >= 0) workspace.nodes[node.parent].f += f.moved_back_by(state.r);
}

/// Roots-to-leaves step: x holds u on entry and the joint's acceleration on exit. `a` is the parent's acceleration told
/// about O, and becomes the body's.
inline void spread_node(const TreeNode& node, int i, const DynamicsWorkspace& workspace, VectorX& all, Motion& a) {
  const JointColumn* columns = workspace.columns.data() + node.v_index;
  double* x = all.data() + node.v_index;
  if (node.type == JointType::twists) {
    spread_twists(node, columns, workspace.twists_inverse[i], x, a);
    return;
  }
  for (int k = 0; k < node.velocity_size; ++k) {
    x[k] = columns[k].D_inverse * (x[k] - dot(columns[k].U, a));
    add_scaled(columns[k], x[k], a);
  }
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
  for (auto i = tree.bodies.rbegin(); i != tree.bodies.rend(); ++i) gather_node(model.nodes()[*i], *i, workspace, x);
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
  // A base that accelerates upwards stands for gravity.
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
