#include "carom/dynamics/multiply_mass.h"

#include "carom/dynamics/joint_column.h"

namespace carom {

void multiply_mass(const Model& model, const VectorX& x, DynamicsWorkspace& workspace, VectorX& y) {
  for (int i = 0; i < model.body_count(); ++i) {
    const TreeNode& node = model.nodes()[i];
    NodeState& state = workspace.nodes[i];
    state.a = node.parent < 0 ? Motion() : workspace.nodes[node.parent].a.moved_by(state.r);
    for (int k = node.v_index; k < node.v_index + node.velocity_size; ++k) {
      add_scaled(workspace.columns[k], x[k], state.a);
    }
    state.f = state.inertia * state.a;
  }
  project_forces(model, workspace, y);
  for (int k = 0; k < model.velocity_count(); ++k) y[k] += workspace.columns[k].reflected_inertia * x[k];
}

}  // namespace carom
