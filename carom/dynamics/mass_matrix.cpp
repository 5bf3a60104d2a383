#include <algorithm>

#include "carom/dynamics/joint_column.h"
#include "carom/dynamics/recursions.h"
#include "carom/dynamics/tree_mass.h"

namespace carom {
namespace {

/// Fills M between one body's coordinates, and between them and those of the bodies before it towards the root. Adds
/// the body's composite inertia to its parent's. The argument `at` gives a coordinate's place in M. Bodies come from
/// the last to the first.
template <typename Place>
void add_body(const Model& model, int body, DynamicsWorkspace& workspace, const Place& at, MatrixX& M) {
  const TreeNode& node = model.nodes()[body];
  if (node.parent >= 0)
    workspace.composite[node.parent].add_shifted(workspace.composite[body], workspace.nodes[body].r);
  for (int k = node.v_index; k < node.v_index + node.velocity_size; ++k) {
    // The force that the composite body needs for a unit acceleration of the coordinate, carried up to each ancestor.
    Force F = workspace.composite[body] * workspace.columns[k].S;
    for (int l = node.v_index; l <= k; ++l) M(at(k), at(l)) = M(at(l), at(k)) = project(workspace.columns[l], F);
    M(at(k), at(k)) += workspace.columns[k].reflected_inertia;
    for (int j = body; model.nodes()[j].parent >= 0;) {
      F = F.moved_back_by(workspace.nodes[j].r);
      j = model.nodes()[j].parent;
      const TreeNode& ancestor = model.nodes()[j];
      for (int l = ancestor.v_index; l < ancestor.v_index + ancestor.velocity_size; ++l) {
        M(at(k), at(l)) = M(at(l), at(k)) = project(workspace.columns[l], F);
      }
    }
  }
}

}  // namespace

void mass_matrix(const Model& model, DynamicsWorkspace& workspace, MatrixX& M) {
  M.setZero(model.velocity_count(), model.velocity_count());
  for (int i = 0; i < model.body_count(); ++i) workspace.composite[i] = workspace.nodes[i].inertia;
  for (int i = model.body_count() - 1; i >= 0; --i)
    add_body(
        model, i, workspace, [](int k) { return k; }, M);
}

void tree_mass_matrix(const Model& model, const Tree& tree, DynamicsWorkspace& workspace, MatrixX& M) {
  int size = 0;
  for (const auto& run : tree.coordinates) size += run.second;
  M.setZero(size, size);
  const auto place = [&](int k) {
    int before = 0;
    for (const auto& [first, count] : tree.coordinates) {
      if (k < first + count) return before + k - first;
      before += count;
    }
    return before;
  };
  for (const int body : tree.bodies) workspace.composite[body] = workspace.nodes[body].inertia;
  std::for_each(tree.bodies.rbegin(), tree.bodies.rend(),
                [&](int body) { add_body(model, body, workspace, place, M); });
}

}  // namespace carom
