#include "carom/dynamics/delassus.h"

#include <algorithm>
#include <utility>

#include "carom/dynamics/column_solve.h"

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

int root_of(const Model& model, int body) { return body < 0 ? -1 : model.root(body); }

}  // namespace

void Delassus::reserve(const Model& model, int rows) {
  const std::size_t k = rows;
  if (A_.size() < k * k) A_.resize(k * k);
  reserve_product(model, rows);
}

void Delassus::reserve_product(const Model& model, int rows) {
  const std::size_t k = rows, n = model.velocity_count(), bodies = model.body_count();
  if (J_.size() < k * n) J_.resize(k * n), u_.resize(k * n), w_.resize(k * n);
  support_.reserve(k);
  if (compliance_.size() < k) compliance_.resize(k);
  depth_.resize(bodies);
  int deepest = 0;
  for (std::size_t i = 0; i < bodies; ++i) {
    const int parent = model.nodes()[i].parent;
    depth_[i] = parent < 0 ? 1 : depth_[parent] + 1;
    deepest = std::max(deepest, depth_[i]);
  }
  stride_ = 2 * deepest;
  if (runs_.size() < k * stride_) runs_.resize(k * stride_);
  roots_.reserve(bodies);
  touched_.resize(bodies);
  columns_.resize(n);
  r_.resize(bodies);
  a_.resize(bodies);
  x_.resize(static_cast<Eigen::Index>(n));
  response_.resize(static_cast<Eigen::Index>(n));
}

void Delassus::build(const Model& model, const std::vector<ConstraintRow>& rows, const DynamicsWorkspace& workspace,
                     Form form) {
  model_ = &model;
  count_ = static_cast<int>(rows.size());
  velocities_ = model.velocity_count();
  const std::size_t k = rows.size(), n = velocities_;
  form == Form::matrix ? reserve(model, count_) : reserve_product(model, count_);
  support_.assign(k, {});
  std::fill(J_.begin(), J_.begin() + static_cast<long>(k * n), 0.0);
  std::fill(w_.begin(), w_.begin() + static_cast<long>(k * n), 0.0);
  for (int i = 0; i < count_; ++i) {
    fill_row(model, rows[i], i, workspace);
    compliance_[i] = rows[i].compliance;
  }
  if (form == Form::matrix) build_matrix();
  keep_factors(model, workspace);
}

void Delassus::build_matrix() {
  const auto k = static_cast<std::size_t>(count_), n = static_cast<std::size_t>(velocities_);
  for (int i = 0; i < count_; ++i) {
    for (int j = 0; j <= i; ++j) {
      const double value = share_a_tree(i, j) ? product(i, u_.data() + i * n, w_.data() + j * n) : 0.0;
      A_[i * k + j] = A_[j * k + i] = value;
    }
    A_[i * k + i] += compliance_[i];
  }
}

void Delassus::fill_row(const Model& model, const ConstraintRow& row, int i, const DynamicsWorkspace& workspace) {
  double* J = J_.data() + static_cast<std::size_t>(i) * velocities_;
  int a = row.body_a, b = row.body_b;
  if (row.coordinate >= 0) {
    J[row.coordinate] = row.coefficient;
    if (row.other_coordinate >= 0) J[row.other_coordinate] += row.other_coefficient;
    a = model.coordinate_body(row.coordinate);
    b = row.other_coordinate < 0 ? -1 : model.coordinate_body(row.other_coordinate);
  } else {
    add_wrench(model, a, row.point_a, row.direction, row.moment, workspace, J);
    add_wrench(model, b, row.point_b, -row.direction, -row.moment, workspace, J);
  }
  support_[i].root_a = root_of(model, a);
  support_[i].root_b = root_of(model, b) == support_[i].root_a ? -1 : root_of(model, b);
  gather(model, i, a, b, workspace);
}

/// u of row i: up the paths of both bodies, the body of higher number first, and in one from where they meet.
void Delassus::gather(const Model& model, int i, int body_a, int body_b, const DynamicsWorkspace& workspace) {
  const std::size_t start = static_cast<std::size_t>(i) * velocities_;
  std::copy(J_.data() + start, J_.data() + start + velocities_, u_.data() + start);
  Force f, other;
  int body = body_a, next = body_b;
  while (body >= 0 || next >= 0) {
    if (next > body) std::swap(body, next), std::swap(f, other);
    if (next == body) {
      f += other;
      next = -1;
    }
    const TreeNode& node = model.nodes()[body];
    const JointColumn* columns = workspace.columns.data() + node.v_index;
    const Mat6* inverse = workspace.inverse_of(node, body);
    double* u = u_.data() + start + node.v_index;
    gather_columns(node, columns, inverse, u, f);
    divide_by_D(node, columns, inverse, u, w_.data() + start + node.v_index);
    add_run(i, node.v_index, node.velocity_size);
    f = f.moved_back_by(workspace.nodes[body].r);
    body = node.parent;
  }
}

void Delassus::add_run(int i, int first, int count) {
  if (count == 0) return;
  Support& support = support_[i];
  std::pair<int, int>* runs = runs_.data() + static_cast<std::size_t>(i) * stride_;
  if (support.runs > 0 && runs[support.runs - 1].first == first + count) {
    runs[support.runs - 1].first = first;
    runs[support.runs - 1].second += count;
  } else {
    runs[support.runs++] = {first, count};
  }
}

bool Delassus::share_a_tree(int i, int j) const {
  const Support &a = support_[i], &b = support_[j];
  const auto in_b = [&](int root) { return root >= 0 && (root == b.root_a || root == b.root_b); };
  return in_b(a.root_a) || in_b(a.root_b);
}

/// Σ a b over the coordinates of row i. Four sums, since one would wait for each addition.
double Delassus::product(int i, const double* a, const double* b) const {
  const std::pair<int, int>* runs = runs_.data() + static_cast<std::size_t>(i) * stride_;
  double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  for (int run = 0; run < support_[i].runs; ++run) {
    const int end = runs[run].first + runs[run].second;
    int k = runs[run].first;
    for (; k + 4 <= end; k += 4) {
      s0 += a[k] * b[k];
      s1 += a[k + 1] * b[k + 1];
      s2 += a[k + 2] * b[k + 2];
      s3 += a[k + 3] * b[k + 3];
    }
    for (; k < end; ++k) s0 += a[k] * b[k];
  }
  return (s0 + s1) + (s2 + s3);
}

void Delassus::keep_factors(const Model& model, const DynamicsWorkspace& workspace) {
  roots_.clear();
  std::fill(touched_.begin(), touched_.end(), char{0});
  for (const Support& support : support_) {
    for (const int root : {support.root_a, support.root_b}) {
      if (root < 0 || touched_[root]) continue;
      touched_[root] = 1;
      roots_.push_back(root);
    }
  }
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
  for (int i = 0; i < count_; ++i) {
    y[i] = product(i, J_.data() + static_cast<std::size_t>(i) * velocities_, v.data());
  }
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
    if (p[i] == 0) continue;
    const double* u = u_.data() + static_cast<std::size_t>(i) * velocities_;
    const std::pair<int, int>* runs = runs_.data() + static_cast<std::size_t>(i) * stride_;
    for (int run = 0; run < support_[i].runs; ++run) {
      for (int k = runs[run].first; k < runs[run].first + runs[run].second; ++k) x_[k] += p[i] * u[k];
    }
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
