#include "carom/dynamics/column_solve.h"
#include "carom/dynamics/divide_and_conquer/loop_assembly.h"

// Disassembly of mechanisms with loops: from the root to the runs, forces of closed rows on the way.
namespace carom {

/// λ of a closed row, from those that were open when it was closed.
void LoopAssembly::close_last(const Closed& closed, const Vec6& a_in, const Vec6& f_out, VectorX& lambda) const {
  double residual = closed.A[0] - closed.p.dot(a_in) + closed.w.dot(f_out);
  for (std::size_t k = 0; k < closed.rows.size(); ++k) {
    residual += closed.A[static_cast<Eigen::Index>(k) + 1] * lambda[closed.rows[k]];
  }
  lambda[closed.row] = -residual / closed.diagonal;
}

void LoopAssembly::disassemble(const Model& model, const VectorX& contact_lambda, DynamicsWorkspace& workspace,
                               VectorX& x, VectorX& lambda) {
  lambda.setZero(static_cast<Eigen::Index>(rows_.size()));
  if (contact_lambda.size() > 0) {
    for (std::size_t k = 0; k < contacts_.size(); ++k) {
      lambda[contacts_[k]] = contact_lambda[static_cast<Eigen::Index>(k)];
    }
  }
  for (auto closed = root_.closed.rbegin(); closed != root_.closed.rend(); ++closed) {
    close_last(*closed, Vec6::Zero(), Vec6::Zero(), lambda);
  }
  x = b_;
  for (int a = tree_.size() - 1; a >= 0; --a) {
    const Assembly& assembly = tree_.assemblies[a];
    if (assembly.parent < 0) {
      f_out_[a].setZero();
      a_in_[a].setZero();
      const int below = model.nodes()[assembly.top].parent;
      if (below >= 0) a_in_[a] = to_vector(workspace.nodes[below].a.moved_by(workspace.nodes[assembly.top].r));
    }
    const Part& part = parts_[a];
    for (auto closed = part.closed.rbegin(); closed != part.closed.rend(); ++closed) {
      close_last(*closed, a_in_[a], f_out_[a], lambda);
    }
    if (assembly.is_run()) {
      spread_run(model, a, lambda, workspace, x);
    } else {
      spread_join(a, workspace, lambda);
    }
  }
}

/// The motion of A's handle without B is c, and g is the force that B needs with its handle at rest. Then a = c − K (Nᵀ
/// c + Kᵀ g) and f = −(P_B a + g).
void LoopAssembly::spread_join(int assembly, const DynamicsWorkspace& workspace, const VectorX& lambda) {
  const Assembly& joined = tree_.assemblies[assembly];
  const Part& A = parts_[joined.inboard];
  const Part& B = parts_[joined.outboard];
  const Part& AB = parts_[assembly];
  const Vec3& r = workspace.nodes[tree_.assemblies[joined.outboard].top].r;
  Vec6 c = A.Psi * a_in_[assembly] + A.columns.w.col(0);
  for (int k = 1; k < A.columns.count(); ++k) c += lambda[A.columns.rows[k - 1]] * A.columns.w.col(k);
  Vec6 from_B = B.columns.p.col(0);
  for (int k = 1; k < B.columns.count(); ++k) from_B += lambda[B.columns.rows[k - 1]] * B.columns.p.col(k);
  if (joined.has_outboard) from_B -= B.Psi.transpose() * f_out_[assembly];
  const Vec6 g = moved_back_force(r, from_B);
  const Vec6 a = c - AB.K * (AB.N.transpose() * c + AB.K.transpose() * g);
  a_in_[joined.inboard] = a_in_[assembly];
  f_out_[joined.inboard] = -(AB.P_B * a + g);
  a_in_[joined.outboard] = moved_motion(r, a);
  f_out_[joined.outboard] = f_out_[assembly];
}

void LoopAssembly::spread_run(const Model& model, int assembly, const VectorX& lambda, DynamicsWorkspace& workspace,
                              VectorX& x) {
  const Assembly& run = tree_.assemblies[assembly];
  for (int k = run.first; k < run.last; ++k) load_[tree_.path_bodies[k]] = Force();
  load_run(assembly, -1, 1, workspace, x);
  const Columns& open = parts_[assembly].columns;
  for (const int row : open.rows) load_run(assembly, row, lambda[row], workspace, x);
  for (const Closed& closed : parts_[assembly].closed) {
    load_run(assembly, closed.row, lambda[closed.row], workspace, x);
  }
  Force f = to_force(-f_out_[assembly]);
  for (int k = run.last - 1; k >= run.first; --k) {
    const int i = tree_.path_bodies[k];
    const TreeNode& node = model.nodes()[i];
    if (k + 1 < run.last) f = f.moved_back_by(workspace.nodes[tree_.path_bodies[k + 1]].r);
    f += load_[i];
    gather_columns(node, workspace.columns.data() + node.v_index, workspace.inverse_of(node, i),
                   x.data() + node.v_index, f);
  }
  Motion a = to_motion(a_in_[assembly]);
  for (int k = run.first; k < run.last; ++k) {
    const int i = tree_.path_bodies[k];
    const TreeNode& node = model.nodes()[i];
    if (k > run.first) a = a.moved_by(workspace.nodes[i].r);
    spread_columns(node, workspace.columns.data() + node.v_index, workspace.inverse_of(node, i),
                   x.data() + node.v_index, a);
    workspace.nodes[i].a = a;
  }
}

}  // namespace carom
