#include "carom/dynamics/delassus.h"

#include <algorithm>
#include <utility>

#include "carom/dynamics/recursions.h"

namespace carom {
namespace {

/// Adds to `row` the velocity of body's point along `direction`, and its angular velocity about `moment`, per unit of
/// each velocity coordinate.
void add_wrench(const Model& model, int body, const Vec3& point, const Vec3& direction, const Vec3& moment,
                const DynamicsWorkspace& workspace, double* row) {
  if (body < 0) return;
  // The unit push as a force vector in the body, carried from body to body towards the root.
  const Transform& X_WB = workspace.X_WB[body];
  const Vec3 force = X_WB.R.transpose() * direction;
  const Vec3 arm = X_WB.R.transpose() * (point - X_WB.p);
  Vec6 wrench;
  wrench << arm.cross(force) + X_WB.R.transpose() * moment, force;
  for (int i = body; i >= 0; i = model.joints()[i].parent) {
    const Joint& joint = model.joints()[i];
    for (int k = 0; k < velocity_size(joint); ++k) row[joint.v_index + k] += workspace.S[i].col(k).dot(wrench);
    wrench = workspace.X_PB[i].force(wrench);
  }
}

int root_of(const Model& model, int body) { return body < 0 ? -1 : model.root(body); }

double product(const Tree& tree, const double* a, const double* b) {
  double sum = 0;
  for (const auto& [first, count] : tree.coordinates) {
    for (int k = first; k < first + count; ++k) sum += a[k] * b[k];
  }
  return sum;
}

}  // namespace

void Delassus::reserve(const Model& model, int rows) {
  const std::size_t k = rows, n = model.velocity_count();
  if (A_.size() < k * k) A_.resize(k * k);
  if (J_.size() < k * n) J_.resize(k * n), Y_.resize(k * n);
  trees_.reserve(k);
}

void Delassus::build(const Model& model, const std::vector<ConstraintRow>& rows, DynamicsWorkspace& workspace) {
  model_ = &model;
  count_ = static_cast<int>(rows.size());
  velocities_ = model.velocity_count();
  const std::size_t k = rows.size();
  reserve(model, count_);
  trees_.resize(k);
  column_.resize(velocities_);
  for (int i = 0; i < count_; ++i) {
    fill_row(model, rows[i], i, workspace);
    respond(model, i, workspace);
  }
  for (int i = 0; i < count_; ++i) {
    for (int j = 0; j <= i; ++j) {
      const double value = entry(model, i, j);
      A_[i * k + j] = A_[j * k + i] = value;
    }
  }
}

void Delassus::fill_row(const Model& model, const ConstraintRow& row, int i, const DynamicsWorkspace& workspace) {
  double* J = J_.data() + static_cast<std::size_t>(i) * velocities_;
  std::fill(J, J + velocities_, 0.0);
  if (row.coordinate >= 0) {
    const auto tree_of = [&](int coordinate) {
      return coordinate < 0 ? -1 : model.root(model.coordinate_body(coordinate));
    };
    J[row.coordinate] = row.coefficient;
    if (row.other_coordinate >= 0) J[row.other_coordinate] += row.other_coefficient;
    const int a = tree_of(row.coordinate), b = tree_of(row.other_coordinate);
    trees_[i] = {a, b == a ? -1 : b};
    return;
  }
  add_wrench(model, row.body_a, row.point_a, row.direction, row.moment, workspace, J);
  add_wrench(model, row.body_b, row.point_b, -row.direction, -row.moment, workspace, J);
  const int a = root_of(model, row.body_a), b = root_of(model, row.body_b);
  trees_[i] = a == b ? std::pair(a, -1) : std::pair(a, b);
}

void Delassus::respond(const Model& model, int i, DynamicsWorkspace& workspace) {
  const double* J = J_.data() + static_cast<std::size_t>(i) * velocities_;
  double* Y = Y_.data() + static_cast<std::size_t>(i) * velocities_;
  for (const int root : {trees_[i].first, trees_[i].second}) {
    if (root < 0) continue;
    const Tree& tree = model.tree(root);
    for (const auto& [first, count] : tree.coordinates) std::copy(J + first, J + first + count, column_.data() + first);
    solve_mass_tree(model, root, column_, workspace, column_);
    for (const auto& [first, count] : tree.coordinates) {
      std::copy(column_.data() + first, column_.data() + first + count, Y + first);
    }
  }
}

double Delassus::entry(const Model& model, int i, int j) const {
  const double* J = J_.data() + static_cast<std::size_t>(i) * velocities_;
  const double* Y = Y_.data() + static_cast<std::size_t>(j) * velocities_;
  double sum = 0;
  for (const int root : {trees_[i].first, trees_[i].second}) {
    const bool shared = root >= 0 && (root == trees_[j].first || root == trees_[j].second);
    if (shared) sum += product(model.tree(root), J, Y);
  }
  return sum;
}

void Delassus::apply(const VectorX& v, Eigen::Ref<VectorX> y) const {
  for (int i = 0; i < count_; ++i) {
    const double* J = J_.data() + static_cast<std::size_t>(i) * velocities_;
    double sum = 0;
    for (const int root : {trees_[i].first, trees_[i].second}) {
      if (root >= 0) sum += product(model_->tree(root), J, v.data());
    }
    y[i] = sum;
  }
}

void Delassus::add_response(const Eigen::Ref<const VectorX>& p, VectorX& v) const {
  for (int i = 0; i < count_; ++i) {
    const double* Y = Y_.data() + static_cast<std::size_t>(i) * velocities_;
    for (const int root : {trees_[i].first, trees_[i].second}) {
      if (root < 0) continue;
      for (const auto& [first, count] : model_->tree(root).coordinates) {
        for (int k = first; k < first + count; ++k) v[k] += p[i] * Y[k];
      }
    }
  }
}

}  // namespace carom
