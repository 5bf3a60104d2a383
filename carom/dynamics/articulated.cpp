#include "carom/dynamics/node_motion.h"
#include "carom/dynamics/recursions.h"

namespace carom {
namespace {

/// Leaves-to-roots step of the factors for one body, whose IA is complete: eliminates the joint's columns, the last one
/// first, and adds what is left to the parent's IA. `extra` is the joint's own, or null.
inline void factor_node(const TreeNode& node, const NodeState& state, const double* extra, JointColumn* columns,
                        NodeState* parent) {
  ArticulatedInertia I = state.IA;
  for (int k = node.velocity_size - 1; k >= 0; --k) {
    JointColumn& column = columns[k];
    column.U = times(I, column);
    const double D = project(column, column.U) + (extra ? extra[k] : 0.0);
    column.D_inverse = 1 / D;
    if (parent || k > 0) I.eliminate(column.U, column.D_inverse);
  }
  if (parent) parent->IA.add_shifted(I, state.r);
}

/// Leaves-to-roots step of the solve for one body. On entry its f is the bias force and x the joint's b; on exit x
/// holds u = b − Sᵀ f, each f that of its column, and the parent's bias force has grown by the articulated body's.
inline void gather_node(const TreeNode& node, const NodeState& state, const JointColumn* columns, NodeState* parent,
                        double* x) {
  Force f = state.f;
  for (int k = node.velocity_size - 1; k >= 0; --k) {
    x[k] -= project(columns[k], f);
    const double acceleration = columns[k].D_inverse * x[k];
    f += {acceleration * columns[k].U.moment, acceleration * columns[k].U.force};
  }
  if (parent) parent->f += f.moved_back_by(state.r);
}

/// Roots-to-leaves step: x holds u on entry and the joint's acceleration on exit. `a` is the parent's acceleration told
/// about O, and becomes the body's.
inline void spread_node(const TreeNode& node, const JointColumn* columns, double* x, Motion& a) {
  for (int k = 0; k < node.velocity_size; ++k) {
    x[k] = columns[k].D_inverse * (x[k] - dot(columns[k].U, a));
    add_scaled(columns[k], x[k], a);
  }
}

void gather_body(const Model& model, int i, DynamicsWorkspace& workspace, VectorX& x) {
  const TreeNode& node = model.nodes()[i];
  NodeState* parent = node.parent < 0 ? nullptr : &workspace.nodes[node.parent];
  gather_node(node, workspace.nodes[i], workspace.columns.data() + node.v_index, parent, x.data() + node.v_index);
}

void spread_body(const Model& model, int i, DynamicsWorkspace& workspace, VectorX& x) {
  const TreeNode& node = model.nodes()[i];
  NodeState& state = workspace.nodes[i];
  state.a = node.parent < 0 ? Motion() : workspace.nodes[node.parent].a.moved_by(state.r);
  spread_node(node, workspace.columns.data() + node.v_index, x.data() + node.v_index, state.a);
}

}  // namespace

void factor_mass(const Model& model, const VectorX& extra, DynamicsWorkspace& workspace) {
  for (NodeState& state : workspace.nodes) state.IA = ArticulatedInertia(state.inertia);
  for (int i = model.body_count() - 1; i >= 0; --i) {
    const TreeNode& node = model.nodes()[i];
    const double* own_extra = extra.size() > 0 ? extra.data() + node.v_index : nullptr;
    NodeState* parent = node.parent < 0 ? nullptr : &workspace.nodes[node.parent];
    factor_node(node, workspace.nodes[i], own_extra, workspace.columns.data() + node.v_index, parent);
  }
}

void solve_mass(const Model& model, const VectorX& b, DynamicsWorkspace& workspace, VectorX& x) {
  x = b;
  for (NodeState& state : workspace.nodes) state.f = Force();
  for (int i = model.body_count() - 1; i >= 0; --i) gather_body(model, i, workspace, x);
  for (int i = 0; i < model.body_count(); ++i) spread_body(model, i, workspace, x);
}

void solve_mass_tree(const Model& model, int root, const VectorX& b, DynamicsWorkspace& workspace, VectorX& x) {
  const Tree& tree = model.tree(root);
  for (const auto& [first, count] : tree.coordinates) x.segment(first, count) = b.segment(first, count);
  for (const int i : tree.bodies) workspace.nodes[i].f = Force();
  for (auto i = tree.bodies.rbegin(); i != tree.bodies.rend(); ++i) gather_body(model, *i, workspace, x);
  for (const int i : tree.bodies) spread_body(model, i, workspace, x);
}

void forward_dynamics(const Model& model, const VectorX& q, const VectorX& v, const VectorX& tau,
                      DynamicsWorkspace& workspace, VectorX& vdot) {
  vdot = tau;
  NodeState* const states = workspace.nodes.data();
  for (int i = 0; i < model.body_count(); ++i) {
    const TreeNode& node = model.nodes()[i];
    NodeState& state = states[i];
    const NodeState* parent = node.parent < 0 ? nullptr : states + node.parent;
    JointColumn* columns = workspace.columns.data() + node.v_index;
    pose_node(node, q, parent, state, columns);
    move_node(node, q, v, parent, state, columns);
    workspace.X_WB[i] = Transform{state.R, state.p} * node.X_MB;
    workspace.V[i] = velocity_in_body(state, workspace.X_WB[i]);
    state.IA = ArticulatedInertia(state.inertia);
    state.f = cross(state.V, state.inertia * state.V);
  }
  for (int i = model.body_count() - 1; i >= 0; --i) {
    const TreeNode& node = model.nodes()[i];
    NodeState& state = states[i];
    NodeState* parent = node.parent < 0 ? nullptr : states + node.parent;
    JointColumn* columns = workspace.columns.data() + node.v_index;
    // Table 7.1 with its bias accelerations c as a force IA c, so that both walks are those of solve_mass.
    state.f += state.IA * state.bias;
    factor_node(node, state, nullptr, columns, parent);
    gather_node(node, state, columns, parent, vdot.data() + node.v_index);
  }
  // A base that accelerates upwards stands for gravity.
  const Motion base{Vec3::Zero(), -model.gravity()};
  for (int i = 0; i < model.body_count(); ++i) {
    const TreeNode& node = model.nodes()[i];
    NodeState& state = states[i];
    state.a = node.parent < 0 ? base : states[node.parent].a.moved_by(state.r);
    spread_node(node, workspace.columns.data() + node.v_index, vdot.data() + node.v_index, state.a);
    state.a += state.bias;
  }
}

}  // namespace carom
