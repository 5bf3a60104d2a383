#include "carom/dynamics/divide_and_conquer/divide_and_conquer.h"
#include "carom/dynamics/joint_elimination.h"

// Hierarchic assembly and disassembly of the inertias: DivideAndConquer::factor.
namespace carom {
namespace {

/// Ψ and G of the bodies outboard of a joint, of which the joint becomes one more.
void pass_joint(const TreeNode& node, const JointColumn* columns, const Mat6* twists_inverse, Mat6& transfer,
                Mat6& response) {
  Vec6 e[6], U[6];
  const int size = node.velocity_size;
  if (!twists_inverse) {
    for (int k = size - 1; k >= 0; --k) {
      const Vec6 moved = transfer * to_vector(columns[k].S);
      const Vec6 scaled = columns[k].D_inverse * moved;
      transfer.noalias() -= scaled * to_vector(columns[k].U).transpose();
      response.noalias() += scaled * moved.transpose();
    }
    return;
  }
  for (int k = 0; k < size; ++k) {
    e[k] = transfer * to_vector(columns[k].S);
    U[k] = to_vector(columns[k].U);
  }
  for (int k = 0; k < size; ++k) {
    Vec6 scaled = Vec6::Zero();
    for (int l = 0; l < size; ++l) scaled += (*twists_inverse)(k, l) * e[l];
    transfer.noalias() -= scaled * U[k].transpose();
    response.noalias() += scaled * e[k].transpose();
  }
}

void mirror_lower(Mat6& A) {
  for (int j = 1; j < 6; ++j) {
    for (int i = 0; i < j; ++i) A(i, j) = A(j, i);
  }
}

}  // namespace

DivideAndConquer::DivideAndConquer(const Model& model, const AssemblyOptions& options)
    : tree_(model, options),
      handles_(tree_.size()),
      flow_(tree_.size()),
      scratch_(VectorX::Zero(model.velocity_count())) {}

/// The run's joints one after the other, from its outboard handle. Standing: with what hangs on that; this is the
/// elimination that the workspace keeps.
void DivideAndConquer::eliminate_run(const Model& model, int assembly, const VectorX& extra, bool standing,
                                     DynamicsWorkspace& workspace) {
  const Assembly& run = tree_.assemblies[assembly];
  Handles& handles = handles_[assembly];
  Mat6 transfer = Mat6::Identity(), response = Mat6::Zero();
  ArticulatedInertia carried;
  if (standing && run.has_outboard) carried = to_articulated(handles.outboard_inertia);
  for (int k = run.last - 1; k >= run.first; --k) {
    const int i = tree_.path_bodies[k];
    const TreeNode& node = model.nodes()[i];
    NodeState& state = workspace.nodes[i];
    if (standing == !run.has_outboard) {  // the first time here: the body, and the paths that hang on it
      state.IA = ArticulatedInertia(state.inertia);
      for (int s = tree_.side_start[i]; s < tree_.side_start[i + 1]; ++s) {
        const int side = tree_.side_paths[s];
        const Vec3& r = workspace.nodes[tree_.assemblies[side].top].r;
        state.IA.add_shifted(to_articulated(handles_[side].inertia), r);
      }
    }
    ArticulatedInertia I = state.IA;
    I.add_shifted(carried, k + 1 < run.last ? workspace.nodes[tree_.path_bodies[k + 1]].r : Vec3::Zero());
    if (standing) state.IA = I;
    Mat6* twists_inverse = node.type == JointType::twists ? &workspace.twists_inverse[i] : nullptr;
    JointColumn* columns = workspace.columns.data() + node.v_index;
    eliminate_joint(node, extra.size() > 0 ? extra.data() + node.v_index : nullptr, node.parent >= 0, columns,
                    twists_inverse, I);
    carried = I;
    if (!run.has_outboard) continue;
    pass_joint(node, columns, twists_inverse, transfer, response);
    if (k > run.first) shift_columns(state.r, transfer);
  }
  if (!standing || !run.has_outboard) handles.inertia = to_matrix(carried);
  if (!run.has_outboard) return;
  mirror_lower(response);
  if (standing) {
    handles.standing_transfer = transfer;
    handles.standing_response = response;
  } else {
    handles.transfer = transfer;
    handles.root = semidefinite_root(response);
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
