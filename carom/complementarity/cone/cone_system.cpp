#include "carom/complementarity/cone/cone_system.h"

#include <algorithm>
#include <cmath>

#include "carom/complementarity/linear/dense_kernels.h"
#include "carom/complementarity/worse_of.h"

namespace carom {

namespace {

void add_three(int n, const double* a, const double* __restrict x, std::ptrdiff_t stride, double* __restrict y) {
  const double a0 = a[0], a1 = a[1], a2 = a[2];
  const double* __restrict x1 = x + stride;
  const double* __restrict x2 = x + 2 * stride;
  for (int i = 0; i < n; ++i) y[i] += (a0 * x[i] + a1 * x1[i]) + a2 * x2[i];
}

}  // namespace

void ConeSystem::reserve(int blocks) {
  contacts_.reserve(blocks);
  weight_.reserve(static_cast<std::size_t>(blocks) * OneContact::max_size);
  centre_.reserve(static_cast<std::size_t>(blocks) * OneContact::max_size);
}

void ConeSystem::prepare(const ContactProblem& problem) {
  rows_ = static_cast<int>(problem.u.size());
  u_ = problem.u.data();
  dense_ = nullptr;
  sparse_ = nullptr;
  product_ = nullptr;
  has_columns_ = true;
  proximal_ = false;
  contacts_.resize(problem.blocks.size());
  entries_ = static_cast<double>(rows_) * rows_;
  if (problem.A.form() == ContactOperator::Form::factors) {  // these methods want columns
    store_.resize(static_cast<std::size_t>(rows_) * rows_);
    problem.A.copy_to(Eigen::Map<Eigen::MatrixXd>(store_.data(), rows_, rows_));
    const Eigen::Map<const Eigen::MatrixXd> A(store_.data(), rows_, rows_);
    prepare({A, problem.u, problem.blocks});
    return;
  }
  measure(problem);
  if (problem.A.form() == ContactOperator::Form::product) {
    prepare_product(problem);
    return;
  }
  if (problem.A.form() == ContactOperator::Form::dense) {
    dense_ = problem.A.dense().data();
    stride_ = problem.A.dense().outerStride();
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      const Block& block = problem.blocks[i];
      contacts_[i].prepare(block, dense_ + block.row * (stride_ + 1), static_cast<int>(stride_));
    }
    return;
  }
  sparse_ = &problem.A.sparse();
  entries_ = static_cast<double>(sparse_->nonZeros());
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Block& block = problem.blocks[i];
    double own[OneContact::max_size * OneContact::max_size] = {};
    for (int j = 0; j < block.size(); ++j) {
      for (Eigen::SparseMatrix<double>::InnerIterator it(*sparse_, block.row + j); it; ++it) {
        const auto local = it.row() - block.row;
        if (local >= 0 && local < block.size()) own[local + OneContact::max_size * j] = it.value();
      }
    }
    contacts_[i].prepare(block, own, OneContact::max_size);
  }
}

void ConeSystem::measure(const ContactProblem& problem) {
  velocity_size_ = 0;
  for (const Block& block : problem.blocks) {
    const bool driven = block.kind == BlockKind::bilateral || block.kind == BlockKind::bounded;
    velocity_size_ = std::max(velocity_size_, driven ? std::abs(block.offset) : -block.offset);
    if (block.floor > 0 && problem.A.form() != ContactOperator::Form::product) {
      const int n = block.normal_row();
      const bool is_dense = problem.A.form() == ContactOperator::Form::dense;
      velocity_size_ =
          std::max(velocity_size_, block.floor * (is_dense ? problem.A.dense()(n, n) : problem.A.sparse().coeff(n, n)));
    }
    for (int i = 0; i < std::min(3, block.size()); ++i) {
      velocity_size_ = std::max(velocity_size_, std::abs(problem.u(block.row + i)));
    }
  }
  if (velocity_size_ == 0) velocity_size_ = 1;
}

void ConeSystem::prepare_reduced(const ContactProblem& problem, const ContactProblem& whole,
                                 const std::vector<int>& block_indices, const double* A, std::ptrdiff_t stride) {
  prepare(problem);
  measure(whole);
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Block& block = whole.blocks[block_indices[i]];
    OneContact original;
    original.prepare(block, A + block.row * (stride + 1), static_cast<int>(stride));
    contacts_[i].set_sizes(original.mean_diagonal(), 1e-12 * velocity_size_);
  }
}

void ConeSystem::prepare_product(const ContactProblem& problem) {
  product_ = &problem.A.product();
  has_columns_ = rows_ <= largest_stored;
  unit_.assign(rows_, 0);
  column_.resize(rows_);
  if (has_columns_) {
    store_.resize(static_cast<std::size_t>(rows_) * rows_);
    dense_ = store_.data();
    stride_ = rows_;
  }
  Eigen::Map<Eigen::VectorXd> unit(unit_.data(), rows_);
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Block& block = problem.blocks[i];
    double own[OneContact::max_size * OneContact::max_size] = {};
    for (int j = 0; j < block.size(); ++j) {
      const int row = block.row + j;
      double* column = has_columns_ ? store_.data() + row * stride_ : column_.data();
      unit_[row] = 1;
      product_->multiply(unit, Eigen::Map<Eigen::VectorXd>(column, rows_));
      unit_[row] = 0;
      std::copy_n(column + block.row, block.size(), own + OneContact::max_size * j);
    }
    contacts_[i].prepare(block, own, OneContact::max_size);
  }
}

void ConeSystem::set_proximal(double alpha, const double* centre) {
  proximal_ = alpha > 0;
  weight_.assign(rows_, 0);
  centre_.assign(centre, centre + rows_);
  for (OneContact& contact : contacts_) {
    double none[OneContact::max_size] = {};
    contact.add_diagonal(none);
    double* weight = weight_.data() + contact.row();
    for (int i = 0; i < contact.size(); ++i) weight[i] = alpha * (contact.entry(i, i) + 1e-3 * contact.mean_diagonal());
    if (alpha > 0) contact.add_diagonal(weight);
  }
}

void ConeSystem::velocity(const double* p, double* w) const {
  product_velocity(p, w);
  if (!proximal_) return;
  for (int i = 0; i < rows_; ++i) w[i] += weight_[i] * (p[i] - centre_[i]);
}

void ConeSystem::product_velocity(const double* p, double* w) const {
  if (rows_ == 0) return;  // an empty matrix has no address
  if (dense_ != nullptr) {
    std::copy_n(u_, rows_, w);
    dense::ColumnSum sum(rows_, w);
    for (int j = 0; j < rows_; ++j) sum.add(p[j], dense_ + j * stride_);
    return;
  }
  if (sparse_ != nullptr) {
    std::copy_n(u_, rows_, w);
    for (int j = 0; j < rows_; ++j) {
      if (p[j] == 0) continue;
      for (Eigen::SparseMatrix<double>::InnerIterator it(*sparse_, j); it; ++it) w[it.row()] += it.value() * p[j];
    }
    return;
  }
  product_->multiply(Eigen::Map<const Eigen::VectorXd>(p, rows_), Eigen::Map<Eigen::VectorXd>(w, rows_));
  for (int i = 0; i < rows_; ++i) w[i] += u_[i];
}

void ConeSystem::add_response(const OneContact& contact, const double* change, double* w) const {
  if (proximal_) {
    for (int j = 0; j < contact.size(); ++j) w[contact.row() + j] += weight_[contact.row() + j] * change[j];
  }
  if (dense_ != nullptr) {
    const double* columns = dense_ + contact.row() * stride_;
    if (contact.size() >= 3) add_three(rows_, change, columns, stride_, w);
    if (contact.size() == 4) dense::add_scaled(rows_, change[3], columns + 3 * stride_, w);
    if (contact.size() == 1) dense::add_scaled(rows_, change[0], columns, w);
    return;
  }
  for (int j = 0; j < contact.size(); ++j) {
    if (change[j] == 0) continue;
    for (Eigen::SparseMatrix<double>::InnerIterator it(*sparse_, contact.row() + j); it; ++it) {
      w[it.row()] += it.value() * change[j];
    }
  }
}

double ConeSystem::impulse_size(const double* p) const {
  double square = 0;
  for (const OneContact& contact : contacts_) {
    double own = 0;
    for (int j = 0; j < std::min(3, contact.size()); ++j) own += p[contact.row() + j] * p[contact.row() + j];
    square = std::max(square, own);
  }
  if (square > 0) return std::sqrt(square);
  double asked = 0, most = 0;
  for (const OneContact& contact : contacts_) {
    const double a = contact.mean_diagonal();
    if (!(a > 0)) continue;
    most = std::max(most, a);
    for (int j = 0; j < std::min(3, contact.size()); ++j) asked = std::max(asked, std::abs(u_[contact.row() + j]) / a);
  }
  return asked > 0 ? asked : most > 0 ? velocity_size_ / most : 1;
}

double ConeSystem::residual(const double* p, const double* w) const {
  double impulse = 0, rows = 0;
  const double size = impulse_size(p);
  for (const OneContact& contact : contacts_) {
    impulse = worse_of(impulse, contact.natural_map(p + contact.row(), w + contact.row()));
    rows = worse_of(rows, contact.row_residual(p + contact.row(), w + contact.row(), size, velocity_size_));
  }
  return worse_of(impulse / size, rows);
}

}  // namespace carom
