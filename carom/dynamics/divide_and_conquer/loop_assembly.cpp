#include "carom/dynamics/divide_and_conquer/loop_assembly.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "carom/dynamics/column_solve.h"
#include "carom/dynamics/divide_and_conquer/run_elimination.h"

// Assembly: columns in runs and through joins. Rows are closed in loop_closing.cpp, disassembly is in loop_flow.cpp.
namespace carom {

int LoopAssembly::Columns::find(int row) const {
  const auto at = std::lower_bound(rows.begin(), rows.end(), row);
  return at == rows.end() || *at != row ? -1 : 1 + static_cast<int>(at - rows.begin());
}

/// Zero columns for these rows, and that of b.
void LoopAssembly::Columns::start(std::vector<int>& unsorted_rows) {
  std::sort(unsorted_rows.begin(), unsorted_rows.end());
  unsorted_rows.erase(std::unique(unsorted_rows.begin(), unsorted_rows.end()), unsorted_rows.end());
  rows = unsorted_rows;
  ends.assign(rows.size(), 0);
  scale.assign(rows.size(), 0.0);
  p.setZero(6, count());
  w.setZero(6, count());
  A.setZero(count(), count());
}

void LoopAssembly::Columns::meet(int row, int more_ends, double other_scale) {
  const int k = find(row) - 1;
  ends[k] += more_ends;
  scale[k] = std::max(scale[k], other_scale);
}

void LoopAssembly::Columns::widen_scales() {
  for (int c = 1; c < count(); ++c) scale[c - 1] = std::max(scale[c - 1], A(c, c));
}

/// The order of the others stays.
void LoopAssembly::Columns::drop(int column) {
  const int left = count() - 1;
  for (int c = column; c < left; ++c) {
    p.col(c) = p.col(c + 1);
    w.col(c) = w.col(c + 1);
    A.col(c) = A.col(c + 1);
  }
  for (int c = column; c < left; ++c) A.row(c) = A.row(c + 1);
  p.conservativeResize(6, left);
  w.conservativeResize(6, left);
  A.conservativeResize(left, left);
  rows.erase(rows.begin() + column - 1);
  ends.erase(ends.begin() + column - 1);
  scale.erase(scale.begin() + column - 1);
}

LoopAssembly::LoopAssembly(const Model& model, const AssemblyOptions& options)
    : tree_(model, options),
      parts_(tree_.size()),
      a_in_(tree_.size()),
      f_out_(tree_.size()),
      load_(model.body_count()),
      work_(VectorX::Zero(model.velocity_count())) {
  for (int a = 0; a < tree_.size(); ++a) {
    const Assembly& assembly = tree_.assemblies[a];
    if (assembly.parent < 0 && model.nodes()[assembly.top].parent < 0) roots_.push_back(a);
  }
}

void LoopAssembly::list_pushes(const Model& model, const DynamicsWorkspace& workspace) {
  pushes_.clear();
  end_count_.assign(rows_.size(), 0);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const ConstraintRow& row = rows_[i].row;
    const auto add = [&](Push push) {
      push.row = static_cast<int>(i);
      if (end_count_[i]++ == 0) {
        push.target = rows_[i].closes ? rows_[i].target : 0;
        push.compliance = row.compliance;
      }
      pushes_.push_back(push);
    };
    if (row.coordinate >= 0) {
      row.for_each_term([&](int k, double coefficient) { add({0, model.coordinate_body(k), k, coefficient, {}}); });
      continue;
    }
    const auto on_body = [&](int body, const Vec3& point, double sign) {
      if (body < 0) return;
      const Vec3 arm = point - workspace.nodes[body].p;
      add({0, body, -1, 0, {-sign * (arm.cross(row.direction) + row.moment), -sign * row.direction}});
    };
    on_body(row.body_a, row.point_a, 1);
    on_body(row.body_b, row.point_b, -1);
  }
  std::stable_sort(pushes_.begin(), pushes_.end(), [&](const Push& a, const Push& b) {
    return std::pair(tree_.run_of[a.body], a.row) < std::pair(tree_.run_of[b.body], b.row);
  });
  push_start_.assign(tree_.size() + 1, 0);
  for (const Push& push : pushes_) ++push_start_[tree_.run_of[push.body] + 1];
  for (int a = 0; a < tree_.size(); ++a) push_start_[a + 1] += push_start_[a];
}

void LoopAssembly::assemble(const Model& model, const VectorX& extra, const VectorX& b,
                            const std::vector<LoopRow>& rows, DynamicsWorkspace& workspace) {
  rows_ = rows;
  b_ = b;
  redundant_.clear();
  inconsistency_ = 0;
  largest_scale_ = 0;
  most_columns_ = 0;
  list_pushes(model, workspace);
  for (int a = 0; a < tree_.size(); ++a) {
    const Assembly& assembly = tree_.assemblies[a];
    Part& part = parts_[a];
    part.closed.clear();
    if (assembly.is_run()) {
      eliminate_run(model, a, extra, workspace);
      open_run(model, a, b, workspace);
    } else {
      join(a, workspace);
    }
    most_columns_ = std::max(most_columns_, part.columns.count());
    const bool at_root = assembly.parent < 0 && model.nodes()[assembly.top].parent < 0;
    close_rows(assembly, at_root, part);
  }
  close_root();
}

void LoopAssembly::eliminate_run(const Model& model, int assembly, const VectorX& extra, DynamicsWorkspace& workspace) {
  const Assembly& run = tree_.assemblies[assembly];
  load_bodies(
      tree_, run, [&](int side) -> const Mat6& { return parts_[side].P; }, workspace);
  const RunHandles handles = carom::eliminate_run(model, tree_, run, extra, ArticulatedInertia(), false, workspace);
  Part& part = parts_[assembly];
  part.P = to_matrix(handles.inertia);
  if (!run.has_outboard) return;
  part.Psi = handles.transfer;
  part.G = handles.response;
}

/// The columns of the run: what pushes on it, and what comes from the paths that hang on it.
void LoopAssembly::open_run(const Model& model, int assembly, const VectorX& b, DynamicsWorkspace& workspace) {
  const Assembly& run = tree_.assemblies[assembly];
  Columns& columns = parts_[assembly].columns;
  std::vector<int> rows;
  std::vector<int> sides;
  int coordinates = 0;
  for (int k = run.first; k < run.last; ++k) {
    const int body = tree_.path_bodies[k];
    coordinates += model.nodes()[body].velocity_size;
    sides.insert(sides.end(), tree_.side_paths.begin() + tree_.side_start[body],
                 tree_.side_paths.begin() + tree_.side_start[body + 1]);
  }
  for (int k = push_start_[assembly]; k < push_start_[assembly + 1]; ++k) rows.push_back(pushes_[k].row);
  for (const int side : sides) {
    rows.insert(rows.end(), parts_[side].columns.rows.begin(), parts_[side].columns.rows.end());
  }
  columns.start(rows);
  for (int k = push_start_[assembly]; k < push_start_[assembly + 1]; ++k) {
    const int c = columns.find(pushes_[k].row);
    columns.meet(pushes_[k].row, 1, 0);
    columns.A(0, c) -= pushes_[k].target;
    columns.A(c, 0) -= pushes_[k].target;
    columns.A(c, c) += pushes_[k].compliance;
  }
  for (const int side : sides) {
    const Columns& from = parts_[side].columns;
    for (int i = 0; i < from.count(); ++i) {
      const int to_i = i == 0 ? 0 : columns.find(from.rows[i - 1]);
      if (i > 0) columns.meet(from.rows[i - 1], from.ends[i - 1], from.scale[i - 1]);
      for (int j = 0; j < from.count(); ++j) {
        columns.A(to_i, j == 0 ? 0 : columns.find(from.rows[j - 1])) += from.A(i, j);
      }
    }
  }
  u_.setZero(coordinates, columns.count());
  w_.setZero(coordinates, columns.count());
  for (int k = run.first; k < run.last; ++k) {
    const TreeNode& node = model.nodes()[tree_.path_bodies[k]];
    work_.segment(node.v_index, node.velocity_size) = b.segment(node.v_index, node.velocity_size);
  }
  for (int c = 0; c < columns.count(); ++c) pass_column(model, assembly, c, workspace);
  columns.A.noalias() += u_.transpose() * w_;
}

/// Puts column `row` (−1: that of b) on the run, times a factor: on x and load_.
void LoopAssembly::load_run(int assembly, int row, double factor, const DynamicsWorkspace& workspace, VectorX& x) {
  const Assembly& run = tree_.assemblies[assembly];
  if (row >= 0) {
    const auto begin = pushes_.begin() + push_start_[assembly], end = pushes_.begin() + push_start_[assembly + 1];
    const auto first =
        std::lower_bound(begin, end, row, [](const Push& push, int number) { return push.row < number; });
    for (auto push = first; push != end && push->row == row; ++push) {
      if (push->coordinate >= 0) {
        x[push->coordinate] += factor * push->coefficient;
      } else {
        load_[push->body] += {factor * push->force.moment, factor * push->force.force};
      }
    }
  }
  for (int k = run.first; k < run.last; ++k) {
    const int i = tree_.path_bodies[k];
    for (int s = tree_.side_start[i]; s < tree_.side_start[i + 1]; ++s) {
      const int side = tree_.side_paths[s];
      const int c = row < 0 ? 0 : parts_[side].columns.find(row);
      if (c < 0) continue;
      const Vec6 force = factor * parts_[side].columns.p.col(c);
      load_[i] += to_force(force).moved_back_by(workspace.nodes[tree_.assemblies[side].top].r);
    }
  }
}

/// One column through the run: u and D⁻¹ u, p, w. work_ holds b for the first and zeros for the others, and zeros
/// after.
void LoopAssembly::pass_column(const Model& model, int assembly, int column, const DynamicsWorkspace& workspace) {
  const Assembly& run = tree_.assemblies[assembly];
  Columns& columns = parts_[assembly].columns;
  for (int k = run.first; k < run.last; ++k) load_[tree_.path_bodies[k]] = Force();
  load_run(assembly, column == 0 ? -1 : columns.rows[column - 1], 1, workspace, work_);
  Force f;
  auto at = static_cast<int>(u_.rows());
  for (int k = run.last - 1; k >= run.first; --k) {
    const int i = tree_.path_bodies[k];
    const TreeNode& node = model.nodes()[i];
    const JointColumn* joint = workspace.columns.data() + node.v_index;
    if (k + 1 < run.last) f = f.moved_back_by(workspace.nodes[tree_.path_bodies[k + 1]].r);
    f += load_[i];
    at -= node.velocity_size;
    double* u = u_.col(column).data() + at;
    std::copy_n(work_.data() + node.v_index, node.velocity_size, u);
    gather_columns(node, joint, workspace.inverse_of(node, i), u, f);
    divide_by_D(node, joint, workspace.inverse_of(node, i), u, w_.col(column).data() + at);
  }
  columns.p.col(column) = to_vector(f);
  Motion a;
  for (int k = run.first; k < run.last; ++k) {
    const int i = tree_.path_bodies[k];
    const TreeNode& node = model.nodes()[i];
    if (k > run.first) a = a.moved_by(workspace.nodes[i].r);
    double* x = work_.data() + node.v_index;
    std::copy_n(u_.col(column).data() + at, node.velocity_size, x);
    at += node.velocity_size;
    spread_columns(node, workspace.columns.data() + node.v_index, workspace.inverse_of(node, i), x, a);
    std::fill_n(x, node.velocity_size, 0.0);
  }
  if (run.has_outboard) columns.w.col(column) = to_vector(a);
}

/// The join of DivideAndConquer, with outboard handles free, and of the columns: with Q = p_B, S = Nᵀ W + Kᵀ Q,
///
///   A = A_A + A_B − Wᵀ P W − Wᵀ Q − Qᵀ W + Sᵀ S,  p = p_A + Ψ_Aᵀ (P (W − K S) + Q),  w = w_B + Ψ_B (W − K S)
///
/// where W = w_A, P = P_B, all expressed about A's handle.
void LoopAssembly::join(int assembly, const DynamicsWorkspace& workspace) {
  const Assembly& joined = tree_.assemblies[assembly];
  const Part& A = parts_[joined.inboard];
  const Part& B = parts_[joined.outboard];
  Part& AB = parts_[assembly];
  const Vec3& r = workspace.nodes[tree_.assemblies[joined.outboard].top].r;
  AB.P_B = shifted_inertia(r, B.P);
  const Coupling coupling(A.F, AB.P_B);
  AB.K = coupling.K;
  AB.N = coupling.N;
  AB.P = A.P + congruent(A.Psi, AB.P_B - AB.N * AB.N.transpose());
  Mat6 Psi_B = Mat6::Zero();
  if (joined.has_outboard) {
    Psi_B = B.Psi;
    shift_columns(r, Psi_B);
    AB.Psi = Psi_B * (A.Psi - AB.K * (AB.N.transpose() * A.Psi));
    const Mat6 moved = Psi_B * AB.K;
    AB.G = B.G + moved * moved.transpose();
  }
  Columns& columns = AB.columns;
  std::vector<int> rows = A.columns.rows;
  rows.insert(rows.end(), B.columns.rows.begin(), B.columns.rows.end());
  columns.start(rows);
  Eigen::Matrix<double, 6, Eigen::Dynamic> W(6, columns.count()), Q(6, columns.count());
  W.setZero();
  Q.setZero();
  const auto take = [&](const Columns& from, bool inboard) {
    std::vector<int> to(from.count(), 0);
    for (int c = 1; c < from.count(); ++c) {
      to[c] = columns.find(from.rows[c - 1]);
      columns.meet(from.rows[c - 1], from.ends[c - 1], from.scale[c - 1]);
    }
    for (int c = 0; c < from.count(); ++c) {
      if (inboard) {
        W.col(to[c]) = from.w.col(c);
        columns.p.col(to[c]) = from.p.col(c);
      } else {
        Q.col(to[c]) = moved_back_force(r, from.p.col(c));
        columns.w.col(to[c]) = from.w.col(c);
      }
      for (int d = 0; d < from.count(); ++d) columns.A(to[c], to[d]) += from.A(c, d);
    }
  };
  take(A.columns, true);
  take(B.columns, false);
  const MatrixX S = AB.N.transpose() * W + AB.K.transpose() * Q;
  const MatrixX WQ = W.transpose() * Q;
  columns.A += S.transpose() * S - W.transpose() * AB.P_B * W - WQ - WQ.transpose();
  const Eigen::Matrix<double, 6, Eigen::Dynamic> at_handle = W - AB.K * S;
  columns.p += A.Psi.transpose() * (AB.P_B * at_handle + Q);
  if (joined.has_outboard) columns.w += Psi_B * at_handle;
}

}  // namespace carom
