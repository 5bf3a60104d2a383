#include "carom/dynamics/solve_columns.h"

#include <algorithm>

namespace carom {
namespace {

using Numbers = ColumnSolveScratch::Numbers;
using Vectors = ColumnSolveScratch::Vectors;
using Forces = ColumnSolveScratch::Forces;
using Motions = ColumnSolveScratch::Motions;
using Kind = JointColumn::Kind;

/// to += r × v, of each right-hand side
void add_cross(const Vec3& r, const Vectors& v, Vectors& to) {
  to.col(0) += r.y() * v.col(2) - r.z() * v.col(1);
  to.col(1) += r.z() * v.col(0) - r.x() * v.col(2);
  to.col(2) += r.x() * v.col(1) - r.y() * v.col(0);
}

void add_scaled(const Vec3& v, const Numbers& x, Vectors& to) {
  for (int c = 0; c < 3; ++c) to.col(c) += v[c] * x;
}

void subtract_products(const Vectors& v, const Vec3& s, Numbers& x) {
  x -= s.x() * v.col(0) + s.y() * v.col(1) + s.z() * v.col(2);
}

/// x −= Sᵀ f
void subtract_projection(const JointColumn& column, const Forces& f, Numbers& x) {
  if (column.kind != Kind::linear) subtract_products(f.moment, column.S.angular, x);
  if (column.kind != Kind::angular) subtract_products(f.force, column.S.linear, x);
}

/// w = D⁻¹ x of a joint of `twists`.
void divide_twists(const TreeNode& node, const Mat6& D_inverse, const Numbers* x, Numbers* w) {
  for (int k = 0; k < node.velocity_size; ++k) {
    w[k].setZero();
    for (int l = 0; l < node.velocity_size; ++l) w[k] += D_inverse(k, l) * x[l];
  }
}

/// gather_columns (column_solve.h) for a block of right-hand sides.
void gather(const TreeNode& node, const JointColumn* columns, const Mat6* twists_inverse, Numbers* x, Forces& f) {
  if (twists_inverse) {
    Numbers w[6];
    for (int k = 0; k < node.velocity_size; ++k) subtract_projection(columns[k], f, x[k]);
    divide_twists(node, *twists_inverse, x, w);
    for (int k = 0; k < node.velocity_size; ++k) {
      add_scaled(columns[k].U.moment, w[k], f.moment);
      add_scaled(columns[k].U.force, w[k], f.force);
    }
    return;
  }
  for (int k = node.velocity_size - 1; k >= 0; --k) {
    subtract_projection(columns[k], f, x[k]);
    const Numbers acceleration = columns[k].D_inverse * x[k];
    add_scaled(columns[k].U.moment, acceleration, f.moment);
    add_scaled(columns[k].U.force, acceleration, f.force);
  }
}

/// a += S x
void add_motion(const JointColumn& column, const Numbers& x, Motions& a) {
  if (column.kind != Kind::linear) add_scaled(column.S.angular, x, a.angular);
  if (column.kind != Kind::angular) add_scaled(column.S.linear, x, a.linear);
}

/// x −= Uᵀ a
void subtract_inertial(const JointColumn& column, const Motions& a, Numbers& x) {
  subtract_products(a.angular, column.U.moment, x);
  subtract_products(a.linear, column.U.force, x);
}

/// spread_columns for a block of right-hand sides.
void spread(const TreeNode& node, const JointColumn* columns, const Mat6* twists_inverse, Numbers* x, Motions& a) {
  if (twists_inverse) {
    Numbers w[6];
    for (int k = 0; k < node.velocity_size; ++k) subtract_inertial(columns[k], a, x[k]);
    divide_twists(node, *twists_inverse, x, w);
    for (int k = 0; k < node.velocity_size; ++k) add_motion(columns[k], x[k] = w[k], a);
    return;
  }
  for (int k = 0; k < node.velocity_size; ++k) {
    subtract_inertial(columns[k], a, x[k]);
    x[k] *= columns[k].D_inverse;
    add_motion(columns[k], x[k], a);
  }
}

void gather_tree(const Model& model, const DynamicsWorkspace& workspace, ColumnSolveScratch& scratch) {
  for (int i = model.body_count() - 1; i >= 0; --i) {
    const TreeNode& node = model.nodes()[i];
    Numbers* x = scratch.x.data() + node.v_index;
    const bool pushed_here = std::any_of(x, x + node.velocity_size, [](const Numbers& b) { return !b.isZero(0); });
    Forces& f = scratch.f[i];
    if (!scratch.is_pushed[i]) {
      if (!pushed_here) continue;
      f.moment.setZero();
      f.force.setZero();
      scratch.is_pushed[i] = true;
    }
    gather(node, workspace.columns.data() + node.v_index, workspace.inverse_of(node, i), x, f);
    if (node.parent < 0) continue;
    const Vec3& r = workspace.nodes[i].r;
    add_cross(r, f.force, f.moment);
    Forces& parent = scratch.f[node.parent];
    if (scratch.is_pushed[node.parent]) {
      parent.moment += f.moment;
      parent.force += f.force;
    } else {
      parent = f;
      scratch.is_pushed[node.parent] = true;
    }
  }
}

void spread_tree(const Model& model, const DynamicsWorkspace& workspace, ColumnSolveScratch& scratch) {
  for (int i = 0; i < model.body_count(); ++i) {
    const TreeNode& node = model.nodes()[i];
    if (!scratch.is_pushed[model.root(i)]) continue;
    Motions& a = scratch.a[i];
    if (node.parent >= 0) {
      a = scratch.a[node.parent];
      add_cross(-workspace.nodes[i].r, a.angular, a.linear);  // a × r
    } else {
      a.angular.setZero();
      a.linear.setZero();
    }
    spread(node, workspace.columns.data() + node.v_index, workspace.inverse_of(node, i),
           scratch.x.data() + node.v_index, a);
  }
}

}  // namespace

ColumnSolveScratch::ColumnSolveScratch(const Model& model)
    : x(model.velocity_count()), f(model.body_count()), a(model.body_count()), is_pushed(model.body_count()) {}

void solve_mass_columns(const Model& model, const DynamicsWorkspace& workspace, ColumnSolveScratch& scratch,
                        Eigen::Ref<MatrixX> B) {
  constexpr Eigen::Index width = ColumnSolveScratch::width;
  for (Eigen::Index first = 0; first < B.cols(); first += width) {
    const Eigen::Index count = std::min(width, B.cols() - first);
    for (Eigen::Index k = 0; k < B.rows(); ++k) {
      scratch.x[k].setZero();
      scratch.x[k].head(count) = B.row(k).segment(first, count).transpose();
    }
    std::fill(scratch.is_pushed.begin(), scratch.is_pushed.end(), false);
    gather_tree(model, workspace, scratch);
    spread_tree(model, workspace, scratch);
    for (Eigen::Index k = 0; k < B.rows(); ++k) {
      B.row(k).segment(first, count) = scratch.x[k].head(count).transpose();
    }
  }
}

}  // namespace carom
