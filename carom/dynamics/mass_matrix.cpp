#include "carom/dynamics/joint_column.h"
#include "carom/dynamics/recursions.h"

namespace carom {

void mass_matrix(const Model& model, DynamicsWorkspace& workspace, MatrixX& M) {
  M.setZero(model.velocity_count(), model.velocity_count());
  for (int i = 0; i < model.body_count(); ++i) workspace.composite[i] = workspace.nodes[i].inertia;
  for (int i = model.body_count() - 1; i >= 0; --i) {
    const TreeNode& node = model.nodes()[i];
    if (node.parent >= 0) workspace.composite[node.parent].add_shifted(workspace.composite[i], workspace.nodes[i].r);
    for (int k = node.v_index; k < node.v_index + node.velocity_size; ++k) {
      // The force that the composite body needs for a unit acceleration of the coordinate, carried up to each ancestor.
      Force F = workspace.composite[i] * workspace.columns[k].S;
      for (int l = node.v_index; l <= k; ++l) M(k, l) = M(l, k) = project(workspace.columns[l], F);
      M(k, k) += workspace.columns[k].reflected_inertia;
      for (int j = i; model.nodes()[j].parent >= 0;) {
        F = F.moved_back_by(workspace.nodes[j].r);
        j = model.nodes()[j].parent;
        const TreeNode& ancestor = model.nodes()[j];
        for (int l = ancestor.v_index; l < ancestor.v_index + ancestor.velocity_size; ++l) {
          M(k, l) = M(l, k) = project(workspace.columns[l], F);
        }
      }
    }
  }
}

}  // namespace carom
