#include "carom/complementarity/bilateral_elimination.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "carom/complementarity/linear/dense_kernels.h"

namespace carom {

namespace {

/// A rest of a diagonal entry below this share of it is round-off of it: of the arithmetic, and of A itself.
constexpr double held_fast = 1e-10;

/// A diagonal entry below this share of A's largest is round-off from the start. Such a row moves nothing, as along the
/// axes of a planar loop. No ratio of masses in a mechanism comes near.
constexpr double round_off_row = 1e-13;

/// Velocities below this share of the largest are round-off.
constexpr double round_off = 1e-12;

/// Velocities below this share of the largest are round-off in rows that nothing moves any more.
constexpr double held_velocity = 3e-10;

}  // namespace

void BilateralElimination::reserve(int blocks) {
  // The reduced matrix is largest without bilateral rows, the others where half the blocks are bilateral.
  const std::size_t rows = static_cast<std::size_t>(blocks) * 4;
  for (std::vector<int>* v : {&bilateral_, &others_, &block_indices_}) v->reserve(rows);
  blocks_.reserve(blocks);
  factor_.reserve(static_cast<std::size_t>(blocks) * blocks);
  coupling_.reserve(static_cast<std::size_t>(blocks) * blocks);
  reduced_.reserve(rows * rows);
  for (std::vector<double>* v : {&offsets_, &velocity_, &start_, &work_}) v->reserve(rows);
}

void BilateralElimination::gather(const ContactProblem& problem) {
  bilateral_.clear();
  others_.clear();
  block_indices_.clear();
  offsets_.clear();
  blocks_.clear();
  for (std::size_t b = 0; b < problem.blocks.size(); ++b) {
    Block block = problem.blocks[b];
    if (block.kind == BlockKind::bilateral) {
      bilateral_.push_back(block.row);
      offsets_.push_back(block.offset);
      continue;
    }
    const int row = block.row;
    block.row = static_cast<int>(others_.size());
    for (int i = 0; i < block.size(); ++i) others_.push_back(row + i);
    blocks_.push_back(block);
    block_indices_.push_back(static_cast<int>(b));
  }
}

/// Pivoted Cholesky of A_bb in factor_, reordering bilateral_ and offsets_ with it.
void BilateralElimination::factor(std::ptrdiff_t rows) {
  const int n = static_cast<int>(bilateral_.size());
  factor_.resize(static_cast<std::size_t>(n) * n);
  work_.resize(n);
  const auto L = [&](int i, int j) -> double& { return factor_[i + static_cast<std::size_t>(j) * n]; };
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) L(i, j) = matrix_[bilateral_[i] + bilateral_[j] * stride_];
    work_[j] = L(j, j);
  }
  double largest = 0;
  for (std::ptrdiff_t i = 0; i < rows; ++i) largest = std::max(largest, matrix_[i * (stride_ + 1)]);
  for (rank_ = 0; rank_ < n; ++rank_) {
    const int k = rank_;
    int pivot = -1;
    double most = held_fast;
    for (int i = k; i < n; ++i) {
      if (work_[i] > round_off_row * largest && L(i, i) / work_[i] > most) {
        most = L(i, i) / work_[i];
        pivot = i;
      }
    }
    if (pivot < 0) return;
    if (pivot != k) {
      std::swap(bilateral_[k], bilateral_[pivot]);
      std::swap(offsets_[k], offsets_[pivot]);
      std::swap(work_[k], work_[pivot]);
      for (int j = 0; j < k; ++j) std::swap(L(k, j), L(pivot, j));
      std::swap(L(k, k), L(pivot, pivot));
      for (int i = k + 1; i < pivot; ++i) std::swap(L(i, k), L(pivot, i));
      for (int i = pivot + 1; i < n; ++i) std::swap(L(i, k), L(i, pivot));
    }
    L(k, k) = std::sqrt(L(k, k));
    for (int i = k + 1; i < n; ++i) L(i, k) /= L(k, k);
    for (int j = k + 1; j < n; ++j) {
      if (L(j, k) != 0) dense::add_scaled(n - j, -L(j, k), &L(j, k), &L(j, j));
    }
  }
}

void BilateralElimination::solve_lower(double* x) const {
  const auto n = bilateral_.size();
  for (int k = 0; k < rank_; ++k) {
    const double* own = factor_.data() + k * n;
    x[k] /= own[k];
    if (x[k] != 0) dense::add_scaled(rank_ - k - 1, -x[k], own + k + 1, x + k + 1);
  }
}

void BilateralElimination::solve_upper(double* x) const {
  const auto n = bilateral_.size();
  for (int k = rank_ - 1; k >= 0; --k) {
    const double* own = factor_.data() + k * n;
    x[k] = (x[k] - dense::dot(rank_ - k - 1, own + k + 1, x + k + 1)) / own[k];
  }
}

void BilateralElimination::reduce(const Eigen::Ref<const Eigen::VectorXd>& u) {
  const int c = static_cast<int>(others_.size());
  coupling_.resize(static_cast<std::size_t>(rank_) * c);
  reduced_.resize(static_cast<std::size_t>(c) * c);
  velocity_.resize(c);
  start_.resize(rank_);
  double size = 0;
  for (int i = 0; i < rank_; ++i) {
    start_[i] = u(bilateral_[i]) + offsets_[i];
    size = std::max(size, std::abs(start_[i]));
  }
  solve_lower(start_.data());
  for (int j = 0; j < c; ++j) {
    double* own = coupling_.data() + static_cast<std::ptrdiff_t>(j) * rank_;
    for (int i = 0; i < rank_; ++i) own[i] = matrix_[bilateral_[i] + others_[j] * stride_];
    solve_lower(own);
    size = std::max(size, std::abs(u(others_[j])));
  }
  for (int j = 0; j < c; ++j) {
    const double* own = coupling_.data() + static_cast<std::ptrdiff_t>(j) * rank_;
    for (int i = 0; i <= j; ++i) {
      const double* other = coupling_.data() + static_cast<std::ptrdiff_t>(i) * rank_;
      const double entry = matrix_[others_[i] + others_[j] * stride_] - dense::dot(rank_, other, own);
      reduced_[i + static_cast<std::size_t>(j) * c] = reduced_[j + static_cast<std::size_t>(i) * c] = entry;
    }
    velocity_[j] = u(others_[j]) - dense::dot(rank_, own, start_.data());
    if (std::abs(velocity_[j]) <= round_off * size) velocity_[j] = 0;
  }
  for (int j = 0; j < c; ++j) {
    if (reduced_[static_cast<std::size_t>(j) * (c + 1)] > held_fast * matrix_[others_[j] * (stride_ + 1)]) continue;
    for (int i = 0; i < c; ++i) {
      reduced_[i + static_cast<std::size_t>(j) * c] = reduced_[j + static_cast<std::size_t>(i) * c] = 0;
    }
    if (std::abs(velocity_[j]) <= held_velocity * size) velocity_[j] = 0;
  }
}

bool BilateralElimination::eliminate(const ContactProblem& problem) {
  gather(problem);
  if (bilateral_.empty()) return false;
  if (problem.A.form() == ContactOperator::Form::dense) {
    matrix_ = problem.A.dense().data();
    stride_ = problem.A.dense().outerStride();
  } else {
    stride_ = problem.A.rows();
    whole_.resize(static_cast<std::size_t>(stride_) * stride_);
    problem.A.copy_to(Eigen::Map<Eigen::MatrixXd>(whole_.data(), stride_, stride_));
    matrix_ = whole_.data();
  }
  factor(problem.A.rows());
  reduce(problem.u);
  return true;
}

void BilateralElimination::expand(const double* p_c, double* impulse) {
  for (const int row : bilateral_) impulse[row] = 0;
  work_.assign(start_.begin(), start_.end());
  {
    dense::ColumnSum sum(rank_, work_.data());
    for (std::size_t j = 0; j < others_.size(); ++j) {
      impulse[others_[j]] = p_c[j];
      sum.add(p_c[j], coupling_.data() + j * rank_);
    }
  }
  solve_upper(work_.data());
  for (int i = 0; i < rank_; ++i) impulse[bilateral_[i]] = -work_[i];
}

void BilateralElimination::correct(const double* velocity, double* impulse) {
  work_.resize(rank_);
  for (int i = 0; i < rank_; ++i) work_[i] = velocity[bilateral_[i]] + offsets_[i];
  solve_lower(work_.data());
  solve_upper(work_.data());
  for (int i = 0; i < rank_; ++i) impulse[bilateral_[i]] -= work_[i];
}

}  // namespace carom
