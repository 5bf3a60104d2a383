#include "carom/complementarity/polyhedral/stewart_trinkle_matrix.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "carom/complementarity/linear/dense_kernels.h"

namespace carom {

void StewartTrinkleMatrix::build(const ContactOperator& A, const Eigen::Ref<const Eigen::VectorXd>& u,
                                 std::span<const Block> blocks, const StewartTrinkleLayout& layout) {
  const bool dense = A.form() == ContactOperator::Form::dense;
  layout_ = &layout;
  dense_ = dense ? A.dense().data() : nullptr;
  stride_ = dense ? A.dense().outerStride() : 0;
  sparse_ = dense ? nullptr : &A.sparse();
  k_ = static_cast<int>(u.size());
  p_.resize(k_);
  y_.resize(k_);
  resize(layout.size());
  set_groups();
  equilibrate();
  set_constants(blocks, u);
}

void StewartTrinkleMatrix::set_groups() {
  const auto parts = layout_->parts();
  largest_core_ = 0;
  for (std::size_t b = 0; b < parts.size(); ++b) {
    const Part& part = parts[b];
    largest_core_ += part.beta >= 0 ? 5 : 2;  // c, three β and λ, or c and λ: more are dependent
    if (part.cap < 0) continue;
    const int group = static_cast<int>(groups_.size()), c = static_cast<int>(b);
    group_of_cap_[part.cap] = group;
    const Group members = part.beta < 0 ? Group{part.cap, c, 1} : Group{part.cap, part.beta, layout_->directions()};
    groups_.push_back(members);
    for (int j = members.first; j < members.first + members.count; ++j) {
      member_group_[j] = cap_group_[j] = group;
      cap_entry_[j] = -1;
    }
    if (part.beta >= 0) {
      cap_group_[c] = group;
      cap_entry_[c] = part.bound;
    }
  }
}

void StewartTrinkleMatrix::equilibrate() {
  const auto diagonal = [&](int i) { return sparse_ == nullptr ? dense_[i * stride_ + i] : sparse_->coeff(i, i); };
  const auto parts = layout_->parts();
  double sum = 0;
  scale_.resize(parts.size());
  for (std::size_t b = 0; b < parts.size(); ++b) {
    const Part& part = parts[b];
    double size = diagonal(part.normal_row);
    sum += size;
    if (part.beta >= 0) {
      size = std::max(size, part.stretch_x * part.stretch_x * diagonal(part.row));
      size = std::max(size, part.stretch_y * part.stretch_y * diagonal(part.row + 1));
    }
    scale_[b] = size > 0 && std::isfinite(size) ? std::ldexp(1.0, -std::ilogb(std::sqrt(size))) : 1.0;
  }
  unit_ = impulse_unit(sum, parts.size());
  for (int j = 0; j < n_; ++j) {
    const double scale = scale_[layout_->block_of(j)];
    pair_scale_[j] = scale;
    row_scale_[j] = is_cap(j) ? unit_ / scale : scale;
    column_scale_[j] = is_cap(j) ? 1 / scale : scale / unit_;
  }
}

void StewartTrinkleMatrix::set_constants(std::span<const Block> blocks, const Eigen::Ref<const Eigen::VectorXd>& u) {
  const auto parts = layout_->parts();
  u_.assign(u.data(), u.data() + k_);
  for (const Part& part : parts) {
    if (part.constant != 0) add_operator_column(part.normal_row, part.constant, u_.data());
  }
  q_.assign(n_, 0.0);
  layout_->project(u_.data(), q_.data());
  for (std::size_t b = 0; b < parts.size(); ++b) {
    const Part& part = parts[b];
    q_[b] += blocks[b].offset;
    if (part.cap >= 0) q_[part.cap] = (part.beta < 0 ? part.range : part.bound * part.constant) / unit_;
  }
}

void StewartTrinkleMatrix::copy_normals(Eigen::Ref<Eigen::MatrixXd> R) {
  const auto parts = layout_->parts();
  for (std::size_t j = 0; j < parts.size(); ++j) {
    std::fill(y_.begin(), y_.end(), 0.0);
    add_operator_column(parts[j].normal_row, unit_, y_.data());
    for (std::size_t i = 0; i < parts.size(); ++i) R(i, j) = y_[parts[i].normal_row];
  }
}

void StewartTrinkleMatrix::add_operator_column(int column, double x, double* y) const {
  if (sparse_ == nullptr) {
    dense::add_scaled(k_, x, dense_ + column * stride_, y);
  } else {
    for (Eigen::SparseMatrix<double>::InnerIterator it(*sparse_, column); it; ++it) y[it.row()] += it.value() * x;
  }
}

void StewartTrinkleMatrix::add_impulse_column(int j, double x, double* y) const {
  // y += A P e_j x
  const int b = layout_->block_of(j);
  const Part& part = layout_->parts()[b];
  if (j == b) {
    add_operator_column(part.normal_row, scale_[b] * x, y);
    return;
  }
  const Eigen::Vector2d d = (scale_[b] * x) * layout_->direction(part, j - part.beta);
  if (d.x() != 0) add_operator_column(part.row, d.x(), y);
  if (d.y() != 0) add_operator_column(part.row + 1, d.y(), y);
}

double StewartTrinkleMatrix::entry(int j, const double* y) const {
  // Row j of Pᵀ y.
  const int b = layout_->block_of(j);
  const Part& part = layout_->parts()[b];
  if (j == b) return scale_[b] * y[part.normal_row];
  const Eigen::Vector2d d = layout_->direction(part, j - part.beta);
  return scale_[b] * (d.x() * y[part.row] + d.y() * y[part.row + 1]);
}

void StewartTrinkleMatrix::add_rows(const double* y, double* w) const {
  const int K = layout_->directions();
  const double* d = layout_->unit_vectors();
  const auto parts = layout_->parts();
  for (std::size_t b = 0; b < parts.size(); ++b) {
    const Part& part = parts[b];
    w[b] += scale_[b] * y[part.normal_row];
    if (part.beta < 0) continue;
    const double along = scale_[b] * part.stretch_x * y[part.row];
    const double across = scale_[b] * part.stretch_y * y[part.row + 1];
    double* rows = w + part.beta;
    for (int j = 0; j < K; ++j) rows[j] += d[2 * j] * along + d[2 * j + 1] * across;
  }
}

void StewartTrinkleMatrix::add_column(int j, double x, double* w) {
  if (is_cap(j)) {
    const Group& group = groups_[group_of_cap(j)];
    for (int i = 0; i < group.count; ++i) w[group.first + i] += x;
    return;
  }
  std::fill(y_.begin(), y_.end(), 0.0);
  add_impulse_column(j, x, y_.data());
  add_rows(y_.data(), w);
  if (cap_group_[j] >= 0) w[groups_[cap_group_[j]].cap] += cap_entry_[j] * x;
  w[j] += shift_ * x;
}

void StewartTrinkleMatrix::add_operator_product(const double* z, double* w) {
  // w += Pᵀ A P z, and the shift
  const int K = layout_->directions();
  const double* d = layout_->unit_vectors();
  const auto parts = layout_->parts();
  std::fill(p_.begin(), p_.end(), 0.0);
  for (std::size_t b = 0; b < parts.size(); ++b) {
    const Part& part = parts[b];
    p_[part.normal_row] = scale_[b] * z[b];
    if (part.beta < 0) continue;
    const double* beta = z + part.beta;
    double x = 0, y = 0;
    for (int j = 0; j < K; ++j) {
      x += beta[j] * d[2 * j];
      y += beta[j] * d[2 * j + 1];
    }
    p_[part.row] = scale_[b] * part.stretch_x * x;
    p_[part.row + 1] = scale_[b] * part.stretch_y * y;
  }
  std::fill(y_.begin(), y_.end(), 0.0);
  if (sparse_ == nullptr) {
    dense::ColumnSum sum(k_, y_.data());
    for (int i = 0; i < k_; ++i) sum.add(p_[i], dense_ + i * stride_);
  } else {
    for (int i = 0; i < k_; ++i) {
      if (p_[i] != 0) add_operator_column(i, p_[i], y_.data());
    }
  }
  add_rows(y_.data(), w);
  if (shift_ == 0) return;
  for (int j = 0; j < n_; ++j) w[j] += is_cap(j) ? 0.0 : shift_ * z[j];
}

void StewartTrinkleMatrix::multiply_add(const double* z, double* w) {
  add_operator_product(z, w);
  const auto parts = layout_->parts();
  for (const Group& group : groups_) {
    const double cap = z[group.cap];
    double sum = 0;
    for (int j = group.first; j < group.first + group.count; ++j) {
      sum += z[j];
      w[j] += cap;
    }
    const int b = layout_->block_of(group.cap);
    w[group.cap] += parts[b].bound * z[b] - sum;
  }
}

void StewartTrinkleMatrix::multiply_transposed_add(const double* w, double* z) {
  add_operator_product(w, z);  // A is symmetric
  const auto parts = layout_->parts();
  for (const Group& group : groups_) {
    const double cap = w[group.cap];
    double sum = 0;
    for (int j = group.first; j < group.first + group.count; ++j) {
      sum += w[j];
      z[j] -= cap;
    }
    const int b = layout_->block_of(group.cap);
    z[b] += parts[b].bound * cap;
    z[group.cap] += sum;
  }
}

void StewartTrinkleMatrix::row(int i, std::span<const int> columns, double* entries) {
  if (is_cap(i)) {
    const int group = group_of_cap(i);
    for (std::size_t s = 0; s < columns.size(); ++s) {
      entries[s] = columns[s] < n_ && cap_group_[columns[s]] == group ? cap_entry_[columns[s]] : 0.0;
    }
    return;
  }
  std::fill(y_.begin(), y_.end(), 0.0);
  add_impulse_column(i, 1.0, y_.data());  // A is symmetric
  for (std::size_t s = 0; s < columns.size(); ++s) {
    const int j = columns[s];
    if (j == n_) {
      entries[s] = 0;
    } else if (is_cap(j)) {
      entries[s] = member_group_[i] >= 0 && groups_[member_group_[i]].cap == j ? 1.0 : 0.0;
    } else {
      entries[s] = entry(j, y_.data()) + (j == i ? shift_ : 0.0);
    }
  }
}

}  // namespace carom
