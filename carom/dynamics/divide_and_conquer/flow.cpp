#include "carom/dynamics/column_solve.h"
#include "carom/dynamics/divide_and_conquer/divide_and_conquer.h"
#include "carom/dynamics/node_motion.h"

// The flow of a right-hand side through the assembled inertias: solve, forward_dynamics, joint_forces.
namespace carom {

/// The walk from the leaves of one run, from the force that hangs on its outboard handle to the force at its inboard
/// one. The argument x holds b on entry and u on exit. Reads f of the nodes.
Force DivideAndConquer::gather_run(const Model& model, const Assembly& run, const Force& outboard,
                                   const DynamicsWorkspace& workspace, double* x) const {
  Force f = outboard;
  for (int k = run.last - 1; k >= run.first; --k) {
    const int i = tree_.path_bodies[k];
    const TreeNode& node = model.nodes()[i];
    const NodeState& state = workspace.nodes[i];
    if (k + 1 < run.last) f = f.moved_back_by(workspace.nodes[tree_.path_bodies[k + 1]].r);
    f += state.f;
    gather_columns(node, workspace.columns.data() + node.v_index, workspace.inverse_of(node, i), x + node.v_index, f);
  }
  return f;
}

/// The walk back. The argument x holds u on entry and accelerations on exit. `inboard` is expressed about O of the
/// run's top. Writes a of the nodes; returns that of the bottom.
Motion DivideAndConquer::spread_run(const Model& model, const Assembly& run, const Motion& inboard,
                                    DynamicsWorkspace& workspace, double* x) const {
  Motion a = inboard;
  for (int k = run.first; k < run.last; ++k) {
    const int i = tree_.path_bodies[k];
    const TreeNode& node = model.nodes()[i];
    NodeState& state = workspace.nodes[i];
    if (k > run.first) a = a.moved_by(state.r);
    spread_columns(node, workspace.columns.data() + node.v_index, workspace.inverse_of(node, i), x + node.v_index, a);
    if (in_motion_) a += state.bias;
    state.a = a;
  }
  return a;
}

/// f of the run's nodes: what their own motion needs, and the paths that hang on them.
void DivideAndConquer::load_run(const Assembly& run, DynamicsWorkspace& workspace) const {
  for (int k = run.first; k < run.last; ++k) {
    const int i = tree_.path_bodies[k];
    NodeState& state = workspace.nodes[i];
    state.f = Force();
    if (in_motion_) {
      state.f = cross(state.V, state.inertia * state.V);
      state.f += state.IA * state.bias;  // table 7.1's bias accelerations as forces
    }
    for (int s = tree_.side_start[i]; s < tree_.side_start[i + 1]; ++s) {
      const int side = tree_.side_paths[s];
      const Vec3& r = workspace.nodes[tree_.assemblies[side].top].r;
      state.f += to_force(flow_[side].force).moved_back_by(r);
    }
  }
}

/// Forces to the inboard handle, with the outboard one free.
void DivideAndConquer::flow_in(const Model& model, int assembly, DynamicsWorkspace& workspace, VectorX& x) {
  const Assembly& part = tree_.assemblies[assembly];
  Flow& flow = flow_[assembly];
  if (part.is_run()) {
    load_run(part, workspace);
    double* u = x.data();
    if (part.has_outboard) {  // not yet its real u, which waits for the force on the outboard handle
      u = scratch_.data();
      for (int k = part.first; k < part.last; ++k) {
        const TreeNode& node = model.nodes()[tree_.path_bodies[k]];
        scratch_.segment(node.v_index, node.velocity_size) = x.segment(node.v_index, node.velocity_size);
      }
    }
    flow.force = to_vector(gather_run(model, part, Force(), workspace, u));
    if (part.has_outboard) flow.motion = to_vector(spread_run(model, part, Motion(), workspace, u));
    return;
  }
  const Flow& A = flow_[part.inboard];
  const Flow& B = flow_[part.outboard];
  const Vec3& r = workspace.nodes[tree_.assemblies[part.outboard].top].r;
  const Vec6 from_B = moved_back_force(r, B.force);
  flow.force = A.force + transfer(part.inboard).transpose() * from_B;
  if (!part.has_outboard) return;
  const Vec6 at_handle = A.motion - response(part.inboard) * from_B;
  flow.motion = B.motion + transfer(part.outboard) * moved_motion(r, at_handle);
}

/// Accelerations from the inboard handle, and the force on the outboard one, to the parts.
void DivideAndConquer::flow_out(const Model& model, int assembly, DynamicsWorkspace& workspace, VectorX& x) {
  const Assembly& part = tree_.assemblies[assembly];
  Flow& flow = flow_[assembly];
  if (part.parent < 0) {
    flow.outboard.setZero();
    const int below = model.nodes()[part.top].parent;
    const NodeState& top = workspace.nodes[part.top];
    if (below >= 0) {
      flow.inboard = to_vector(workspace.nodes[below].a.moved_by(top.r));
    } else if (in_motion_) {
      flow.inboard << Vec3::Zero(), -model.gravity();  // a base that accelerates upwards represents gravity
    } else {
      flow.inboard.setZero();
    }
  }
  if (part.is_run()) {
    if (part.has_outboard) gather_run(model, part, to_force(flow.outboard), workspace, x.data());
    spread_run(model, part, to_motion(flow.inboard), workspace, x.data());
    return;
  }
  Flow& A = flow_[part.inboard];
  Flow& B = flow_[part.outboard];
  const Vec3& r = workspace.nodes[tree_.assemblies[part.outboard].top].r;
  B.outboard = flow.outboard;
  Vec6 from_B = B.force;
  if (part.has_outboard) from_B += transfer(part.outboard).transpose() * B.outboard;
  A.outboard = moved_back_force(r, from_B);
  A.inboard = flow.inboard;
  const Vec6 at_handle = transfer(part.inboard) * A.inboard + A.motion - response(part.inboard) * A.outboard;
  B.inboard = moved_motion(r, at_handle);
}

void DivideAndConquer::flow(const Model& model, bool in_motion, DynamicsWorkspace& workspace, VectorX& x) {
  in_motion_ = in_motion;
  up([&](int assembly) { flow_in(model, assembly, workspace, x); });
  down([&](int assembly) { flow_out(model, assembly, workspace, x); });
}

void DivideAndConquer::solve(const Model& model, const VectorX& b, DynamicsWorkspace& workspace, VectorX& x) {
  x = b;
  flow(model, false, workspace, x);
}

void DivideAndConquer::forward_dynamics(const Model& model, const VectorX& q, const VectorX& v, const VectorX& tau,
                                        DynamicsWorkspace& workspace, VectorX& vdot) {
  for (int i = 0; i < model.body_count(); ++i) {
    const TreeNode& node = model.nodes()[i];
    NodeState& state = workspace.nodes[i];
    const NodeState* parent = node.parent < 0 ? nullptr : &workspace.nodes[node.parent];
    JointColumn* columns = workspace.columns.data() + node.v_index;
    pose_node(node, model.joints()[i], q, parent, state, columns);
    move_node(node, v, parent, state, columns);
  }
  factor(model, VectorX(), workspace);
  vdot = tau;
  flow(model, true, workspace, vdot);
}

void DivideAndConquer::joint_forces(const DynamicsWorkspace& workspace, std::vector<Force>& forces) const {
  forces.resize(workspace.nodes.size());
  // The outboard handle of a run passes on what hangs there, whose inertia and bias force are known. So no sum is
  // longer than a run.
  for (int assembly = 0; assembly < tree_.size(); ++assembly) {
    const Assembly& run = tree_.assemblies[assembly];
    if (!run.is_run()) continue;
    Force carried;
    if (run.has_outboard) {
      const Vec6 a = to_vector(workspace.nodes[run.bottom].a);
      carried = to_force(handles_[assembly].outboard_inertia * a + flow_[assembly].outboard);
    }
    for (int k = run.last - 1; k >= run.first; --k) {
      const int i = tree_.path_bodies[k];
      const NodeState& state = workspace.nodes[i];
      if (k + 1 < run.last) carried = carried.moved_back_by(workspace.nodes[tree_.path_bodies[k + 1]].r);
      carried += state.inertia * state.a;
      if (in_motion_) carried += cross(state.V, state.inertia * state.V);
      for (int s = tree_.side_start[i]; s < tree_.side_start[i + 1]; ++s) {
        const Assembly& side = tree_.assemblies[tree_.side_paths[s]];
        carried += forces[side.top].moved_back_by(workspace.nodes[side.top].r);
      }
      forces[i] = carried;
    }
  }
}

}  // namespace carom
