#include "carom/dynamics/divide_and_conquer/divide_and_conquer.h"
#include "carom/dynamics/divide_and_conquer/run_elimination.h"

// Hierarchic assembly and disassembly of the inertias: DivideAndConquer::factor.
namespace carom {

DivideAndConquer::DivideAndConquer(const Model& model, const AssemblyOptions& options)
    : tree_(model, options),
      handles_(tree_.size()),
      flow_(tree_.size()),
      scratch_(VectorX::Zero(model.velocity_count())) {}

/// If `standing`, the run includes what hangs on its outboard handle; this is the elimination that the workspace keeps.
void DivideAndConquer::eliminate_run(const Model& model, int assembly, const VectorX& extra, bool standing,
                                     DynamicsWorkspace& workspace) {
  const Assembly& run = tree_.assemblies[assembly];
  Handles& handles = handles_[assembly];
  ArticulatedInertia hung;
  if (standing && run.has_outboard) hung = to_articulated(handles.outboard_inertia);
  if (standing != run.has_outboard) {  // the first time here
    load_bodies(
        tree_, run, [&](int side) -> const Mat6& { return handles_[side].inertia; }, workspace);
  }
  const RunHandles left = carom::eliminate_run(model, tree_, run, extra, hung, standing, workspace);
  if (!standing || !run.has_outboard) handles.inertia = to_matrix(left.inertia);
  if (!run.has_outboard) return;
  if (standing) {
    handles.standing_transfer = left.transfer;
    handles.standing_response = left.response;
  } else {
    handles.transfer = left.transfer;
    handles.root = semidefinite_root(left.response);
  }
}

void DivideAndConquer::join(int assembly, const DynamicsWorkspace& workspace) {
  const Assembly& joined = tree_.assemblies[assembly];
  const Handles& A = handles_[joined.inboard];
  const Handles& B = handles_[joined.outboard];
  Handles& AB = handles_[assembly];
  const Vec3& r = workspace.nodes[tree_.assemblies[joined.outboard].top].r;
  const Mat6 P_B = shifted_inertia(r, B.inertia);
  const Coupling coupling(A.root, P_B);
  AB.inertia = A.inertia + congruent(A.transfer, P_B - coupling.N * coupling.N.transpose());
  if (!joined.has_outboard) return;
  Mat6 Psi_B = B.transfer;
  shift_columns(r, Psi_B);
  const Mat6 passed = coupling.N.transpose() * A.transfer;
  const Mat6 at_handle = A.transfer - coupling.K * passed;
  AB.transfer.noalias() = Psi_B * at_handle;
  const Mat6 moved = Psi_B * coupling.K;
  Mat6 response = B.root * B.root.transpose();
  response.noalias() += moved * moved.transpose();
  AB.root = semidefinite_root(response);
}

/// Tells the parts of an assembly what hangs on their outboard handles.
void DivideAndConquer::hang(int assembly, const DynamicsWorkspace& workspace) {
  const Assembly& joined = tree_.assemblies[assembly];
  const Vec3& r = workspace.nodes[tree_.assemblies[joined.outboard].top].r;
  Handles& B = handles_[joined.outboard];
  Mat6 P_B = B.inertia;
  if (joined.has_outboard) {
    B.outboard_inertia = handles_[assembly].outboard_inertia;
    const Coupling coupling(B.root, B.outboard_inertia);
    P_B += congruent(B.transfer, B.outboard_inertia - coupling.N * coupling.N.transpose());
  }
  handles_[joined.inboard].outboard_inertia = shifted_inertia(r, P_B);
}

void DivideAndConquer::join_standing(int assembly, const DynamicsWorkspace& workspace) {
  const Assembly& joined = tree_.assemblies[assembly];
  if (!joined.has_outboard) return;
  const Handles& A = handles_[joined.inboard];
  const Handles& B = handles_[joined.outboard];
  Mat6 Psi_B = B.standing_transfer;
  shift_columns(workspace.nodes[tree_.assemblies[joined.outboard].top].r, Psi_B);
  handles_[assembly].standing_transfer.noalias() = Psi_B * A.standing_transfer;
  handles_[assembly].standing_response = B.standing_response + congruent(Psi_B.transpose(), A.standing_response);
}

void DivideAndConquer::factor(const Model& model, const VectorX& extra, DynamicsWorkspace& workspace) {
  up([&](int assembly) {
    const Assembly& part = tree_.assemblies[assembly];
    if (part.is_run()) {
      eliminate_run(model, assembly, extra, !part.has_outboard, workspace);
    } else {
      join(assembly, workspace);
    }
  });
  down([&](int assembly) {
    const Assembly& part = tree_.assemblies[assembly];
    if (!part.is_run()) {
      hang(assembly, workspace);
    } else if (part.has_outboard) {
      eliminate_run(model, assembly, extra, true, workspace);
    }
  });
  up([&](int assembly) {
    if (!tree_.assemblies[assembly].is_run()) join_standing(assembly, workspace);
  });
}

}  // namespace carom
