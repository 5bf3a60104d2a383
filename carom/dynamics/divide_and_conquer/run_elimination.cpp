#include "carom/dynamics/divide_and_conquer/run_elimination.h"

#include "carom/dynamics/joint_elimination.h"

namespace carom {
namespace {

/// Ψ and G of the bodies outboard of a joint, of which the joint becomes one more.
void pass_joint(const TreeNode& node, const JointColumn* columns, const Mat6* twists_inverse, Mat6& transfer,
                Mat6& response) {
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
  Vec6 e[6], U[6];
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

RunHandles eliminate_run(const Model& model, const AssemblyTree& tree, const Assembly& run, const VectorX& extra,
                         const ArticulatedInertia& hung, bool keep, DynamicsWorkspace& workspace) {
  RunHandles handles;
  if (run.has_outboard) {
    handles.transfer.setIdentity();
    handles.response.setZero();
  }
  ArticulatedInertia carried = hung;
  for (int k = run.last - 1; k >= run.first; --k) {
    const int i = tree.path_bodies[k];
    const TreeNode& node = model.nodes()[i];
    NodeState& state = workspace.nodes[i];
    ArticulatedInertia I = state.IA;
    if (k + 1 < run.last) {
      I.add_shifted(carried, workspace.nodes[tree.path_bodies[k + 1]].r);
    } else if (run.has_outboard) {
      I.add_shifted(carried, Vec3::Zero());
    }
    if (keep) state.IA = I;
    Mat6* twists_inverse = node.type == JointType::twists ? &workspace.twists_inverse[i] : nullptr;
    JointColumn* columns = workspace.columns.data() + node.v_index;
    eliminate_joint(node, extra.size() > 0 ? extra.data() + node.v_index : nullptr, node.parent >= 0, columns,
                    twists_inverse, I);
    carried = I;
    if (!run.has_outboard) continue;
    pass_joint(node, columns, twists_inverse, handles.transfer, handles.response);
    if (k > run.first) shift_columns(state.r, handles.transfer);
  }
  handles.inertia = carried;
  if (run.has_outboard) mirror_lower(handles.response);
  return handles;
}

}  // namespace carom
