#include "carom/dynamics/delassus.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "carom/dynamics/column_solve.h"
#include "carom/numerics/symmetric_spectrum.h"

namespace carom {
namespace {

/// Adds to `row` the velocity of body's point along `direction`, and its angular velocity about `moment`, per unit of
/// each velocity coordinate.
void add_wrench(const Model& model, int body, const Vec3& point, const Vec3& direction, const Vec3& moment,
                const DynamicsWorkspace& workspace, double* row) {
  if (body < 0) return;
  const Vec3 arm = point - workspace.nodes[body].p;
  add_projected(model, body, {arm.cross(direction) + moment, direction}, workspace, row);
}

/// Most bodies, and most coordinates, between a body and the root.
std::pair<int, int> longest_path(const Model& model) {
  std::vector<std::pair<int, int>> path(model.body_count());
  std::pair<int, int> longest{1, 1};
  for (int i = 0; i < model.body_count(); ++i) {
    const TreeNode& node = model.nodes()[i];
    path[i] = {1, node.velocity_size};
    if (node.parent >= 0) path[i].first += path[node.parent].first, path[i].second += path[node.parent].second;
    longest = {std::max(longest.first, path[i].first), std::max(longest.second, path[i].second)};
  }
  return longest;
}

/// Terms that the rows of sums have beyond two, all together, and the most of one row.
std::pair<std::size_t, std::size_t> further_terms(const Model& model) {
  std::size_t sum = 0, most = 0;
  const auto count = [&](std::size_t terms) {
    sum += terms > 2 ? terms - 2 : 0;
    most = std::max(most, terms);
  };
  for (std::size_t i = 0; i < model.constraints().size(); ++i) count(model.constraint_terms(i).size());
  for (std::size_t i = 0; i < model.drives().size(); ++i) count(model.drive_terms(i).size());
  return {sum, most};
}

}  // namespace

void Delassus::reserve(const Model& model, int rows) {
  const std::size_t k = rows;
  if (A_.size() < k * k) A_.resize(k * k);
  reserve_product(model, rows);
}

void Delassus::reserve_product(const Model& model, int rows) {
  const std::size_t k = rows, n = model.velocity_count(), bodies = model.body_count();
  if (row_.size() != n) row_.assign(n, 0.0);
  if (compliance_.size() < k) compliance_.resize(k);
  if (longest_path_.first == 0) longest_path_ = longest_path(model);
  const auto [further, most] = further_terms(model);
  stretches_.reserve(longest_path_.first * (2 * k + further));
  for (auto* values : {&J_, &u_, &w_}) values->reserve(longest_path_.second * (2 * k + further));
  walks_.reserve(most);
  for (auto* start : {&stretch_start_, &value_start_}) start->reserve(k + 1);
  roots_.reserve(bodies);
  touched_.resize(bodies);
  columns_.resize(n);
  r_.resize(bodies);
  a_.resize(bodies);
  x_.resize(static_cast<Eigen::Index>(n));
  response_.resize(static_cast<Eigen::Index>(n));
}

ConstraintRow coordinate_row(std::span<const RowTerm> terms) {
  ConstraintRow row;
  row.coordinate = terms.front().coordinate;
  row.coefficient = terms.front().coefficient;
  row.others = terms.subspan(1);
  return row;
}

void Delassus::build(const Model& model, const std::vector<ConstraintRow>& rows, const DynamicsWorkspace& workspace,
                     Form form, int leading) {
  model_ = &model;
  count_ = static_cast<int>(rows.size());
  velocities_ = model.velocity_count();
  matrix_rows_ = form == Form::matrix ? count_ : leading;
  reserve(model, matrix_rows_);
  reserve_product(model, count_);
  stretches_.clear();
  for (auto* values : {&J_, &u_, &w_}) values->clear();
  for (auto* start : {&stretch_start_, &value_start_}) start->assign(1, 0);
  roots_.clear();
  std::fill(touched_.begin(), touched_.end(), char{0});
  for (int i = 0; i < count_; ++i) {
    fill_row(model, rows[i], workspace);
    compliance_[i] = rows[i].compliance;
  }
  build_matrix();
  keep_factors(model, workspace);
}

void Delassus::build_matrix() {
  const auto k = static_cast<std::size_t>(matrix_rows_);
  for (std::size_t i = 0; i < k; ++i) {
    // The row spread out over all coordinates, and zeros again when done.
    const int row = static_cast<int>(i);
    add_to(row, w_, 1, row_.data());
    for (std::size_t j = 0; j <= i; ++j) A_[i * k + j] = A_[j * k + i] = dot(static_cast<int>(j), u_, row_.data());
    add_to(row, w_, -1, row_.data());
    A_[i * k + i] += compliance_[i];
  }
}

void Delassus::touch(const Model& model, int body) {
  if (body < 0 || touched_[model.root(body)]) return;
  touched_[model.root(body)] = 1;
  roots_.push_back(model.root(body));
}

void Delassus::fill_row(const Model& model, const ConstraintRow& row, const DynamicsWorkspace& workspace) {
  int a = row.body_a, b = row.body_b;
  if (row.coordinate >= 0) {
    row.for_each_term([&](int k, double coefficient) { row_[k] += coefficient; });
    if (row.others.size() > 1) return gather_all(model, row, workspace);
    a = model.coordinate_body(row.coordinate);
    b = row.others.empty() ? -1 : model.coordinate_body(row.others[0].coordinate);
  } else {
    add_wrench(model, a, row.point_a, row.direction, row.moment, workspace, row_.data());
    add_wrench(model, b, row.point_b, -row.direction, -row.moment, workspace, row_.data());
  }
  touch(model, a);
  touch(model, b);
  gather(model, a, b, workspace);
}

/// J, u and w of the row that row_ contains. The walk goes up the paths of both bodies, the body of higher number
/// first, and up one path after they meet.
void Delassus::gather(const Model& model, int body_a, int body_b, const DynamicsWorkspace& workspace) {
  Force f, other;
  int body = body_a, next = body_b;
  while (body >= 0 || next >= 0) {
    if (next > body) std::swap(body, next), std::swap(f, other);
    if (next == body) {
      f += other;
      next = -1;
    }
    body = gather_joint(model, body, workspace, f);
  }
  end_row();
}

/// The same for a row on the coordinates of many joints.
void Delassus::gather_all(const Model& model, const ConstraintRow& row, const DynamicsWorkspace& workspace) {
  walks_.clear();
  row.for_each_term([&](int k, double) {
    walks_.emplace_back(model.coordinate_body(k), Force());
    touch(model, walks_.back().first);
  });
  while (!walks_.empty()) {
    const int body = std::max_element(walks_.begin(), walks_.end(), [](const auto& x, const auto& y) {
                       return x.first < y.first;
                     })->first;
    Force f;
    std::erase_if(walks_, [&](const auto& walk) {
      if (walk.first == body) f += walk.second;
      return walk.first == body;
    });
    const int next = gather_joint(model, body, workspace, f);
    if (next >= 0) walks_.emplace_back(next, f);
  }
  end_row();
}

/// J, u and w of one joint on the way; f is the force on the body, and then on the parent. Returns the parent.
int Delassus::gather_joint(const Model& model, int body, const DynamicsWorkspace& workspace, Force& f) {
  const TreeNode& node = model.nodes()[body];
  const JointColumn* columns = workspace.columns.data() + node.v_index;
  const Mat6* inverse = workspace.inverse_of(node, body);
  if (node.velocity_size > 0) stretches_.push_back({body, node.v_index, node.velocity_size});
  const std::size_t at = J_.size();
  double* row = row_.data() + node.v_index;
  J_.insert(J_.end(), row, row + node.velocity_size);
  u_.insert(u_.end(), row, row + node.velocity_size);
  w_.resize(u_.size());
  std::fill_n(row, node.velocity_size, 0.0);
  gather_columns(node, columns, inverse, u_.data() + at, f);
  divide_by_D(node, columns, inverse, u_.data() + at, w_.data() + at);
  f = f.moved_back_by(workspace.nodes[body].r);
  return node.parent;
}

void Delassus::end_row() {
  stretch_start_.push_back(static_cast<int>(stretches_.size()));
  value_start_.push_back(static_cast<int>(J_.size()));
}

void Delassus::add_to(int i, const std::vector<double>& values, double factor, double* y) const {
  const double* value = values.data() + value_start_[i];
  for (int s = stretch_start_[i]; s < stretch_start_[i + 1]; ++s) {
    double* to = y + stretches_[s].first;
    for (int k = 0; k < stretches_[s].count; ++k) to[k] += factor * *value++;
  }
}

double Delassus::dot(int i, const std::vector<double>& values, const double* y) const {
  const double* value = values.data() + value_start_[i];
  double sum = 0;
  for (int s = stretch_start_[i]; s < stretch_start_[i + 1]; ++s) {
    const double* from = y + stretches_[s].first;
    for (int k = 0; k < stretches_[s].count; ++k) sum += from[k] * *value++;
  }
  return sum;
}

double Delassus::diagonal(int row) const {
  double sum = compliance_[row];
  for (int k = value_start_[row]; k < value_start_[row + 1]; ++k) sum += u_[k] * w_[k];
  return sum;
}

/// g = C u with Cᵀ C = D⁻¹ of the joint.
void Delassus::scale_by_root(const Stretch& stretch, const double* u, double* g) const {
  if (model_->nodes()[stretch.body].type != JointType::twists) {
    for (int k = 0; k < stretch.count; ++k) g[k] = std::sqrt(columns_[stretch.first + k].D_inverse) * u[k];
    return;
  }
  // D⁺ of a joint whose twists depend on each other is singular; its square root is not needed often.
  const Mat6& inverse = twists_inverse_[stretch.body];
  const SmallSpectrum spectrum = small_spectrum(inverse);
  const int n = stretch.count;
  for (int k = 0; k < n; ++k) {
    const double root = std::sqrt(std::max(0.0, spectrum.values[6 - n + k]));
    g[k] = 0;
    for (int l = 0; l < n; ++l) g[k] += root * spectrum.vectors(l, 6 - n + k) * u[l];
  }
}

MatrixX Delassus::jacobian() const {
  MatrixX J = MatrixX::Zero(count_, velocities_);
  for (int i = 0; i < count_; ++i) {
    const double* value = J_.data() + value_start_[i];
    for (int s = stretch_start_[i]; s < stretch_start_[i + 1]; ++s) {
      for (int k = 0; k < stretches_[s].count; ++k) J(i, stretches_[s].first + k) = *value++;
    }
  }
  return J;
}

void Delassus::keep_factors(const Model& model, const DynamicsWorkspace& workspace) {
  if (!workspace.twists_inverse.empty()) twists_inverse_.resize(workspace.twists_inverse.size());
  for (const int root : roots_) {
    const Tree& tree = model.tree(root);
    for (const int body : tree.bodies) {
      r_[body] = workspace.nodes[body].r;
      if (const Mat6* inverse = workspace.inverse_of(model.nodes()[body], body)) twists_inverse_[body] = *inverse;
    }
    for (const auto& [first, count] : tree.coordinates) {
      std::copy_n(workspace.columns.data() + first, count, columns_.data() + first);
    }
  }
}

void Delassus::apply(const VectorX& v, Eigen::Ref<VectorX> y) const {
  for (int i = 0; i < count_; ++i) y[i] = dot(i, J_, v.data());
}

void Delassus::add_transposed(const Eigen::Ref<const VectorX>& p, Eigen::Ref<VectorX> f) const {
  for (int i = 0; i < count_; ++i) add_to(i, J_, p[i], f.data());
}

void Delassus::multiply(const Eigen::Ref<const VectorX>& p, Eigen::Ref<VectorX> y) {
  response_.setZero();
  add_response(p, response_);
  apply(response_, y);
  for (int i = 0; i < count_; ++i) y[i] += compliance_[i] * p[i];
}

void Delassus::add_response(const Eigen::Ref<const VectorX>& p, VectorX& v) {
  for (const int root : roots_) {
    for (const auto& [first, count] : model_->tree(root).coordinates) x_.segment(first, count).setZero();
  }
  for (int i = 0; i < count_; ++i) {
    if (p[i] != 0) add_to(i, u_, p[i], x_.data());
  }
  for (const int root : roots_) {
    for (const int body : model_->tree(root).bodies) {
      const TreeNode& node = model_->nodes()[body];
      const Mat6* inverse = node.type == JointType::twists ? &twists_inverse_[body] : nullptr;
      Motion a = node.parent < 0 ? Motion() : a_[node.parent].moved_by(r_[body]);
      spread_columns(node, columns_.data() + node.v_index, inverse, x_.data() + node.v_index, a);
      a_[body] = a;
      for (int k = node.v_index; k < node.v_index + node.velocity_size; ++k) v[k] += x_[k];
    }
  }
}

}  // namespace carom
