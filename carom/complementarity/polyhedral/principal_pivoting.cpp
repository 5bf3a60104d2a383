#include "carom/complementarity/polyhedral/principal_pivoting.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "carom/complementarity/linear/dense_kernels.h"

namespace carom {

namespace {

/// Entries of the equilibrated tableau that are smaller are round-off of zero.
constexpr double zero_entry = 1e-11;

/// Values below this times the demand are round-off of zero.
constexpr double no_value = 1e-13;

/// Steps that differ by less than this, relative, are tied.
constexpr double tie_width = 1e-10;

/// Pivots of the final factorization that span more than this are none.
constexpr double rank_tolerance = 1e-14;

}  // namespace

void PrincipalPivoting::equilibrate(const Eigen::Ref<const Eigen::MatrixXd>& R,
                                    const Eigen::Ref<const Eigen::VectorXd>& q) {
  n_ = static_cast<int>(q.size());
  const std::size_t n = n_;
  table_.resize(n * n);
  for (auto* vector : {&value_, &scale_, &column_, &row_}) vector->resize(n);
  z_basic_.assign(n, 0);
  set_.reserve(n);
  ray_.reserve(n);
  ray_.clear();
  double demand = 0;
  for (int i = 0; i < n_; ++i) {
    scale_[i] = R(i, i) > 0 ? std::ldexp(1.0, -std::ilogb(std::sqrt(R(i, i)))) : 1.0;
    value_[i] = scale_[i] * q(i);
    demand = std::max(demand, -value_[i]);
  }
  for (int j = 0; j < n_; ++j) {
    for (int i = 0; i < n_; ++i) column(j)[i] = scale_[i] * R(i, j) * scale_[j];
  }
  zero_ = no_value * demand;
}

LcpResult PrincipalPivoting::solve(const Eigen::Ref<const Eigen::MatrixXd>& R,
                                   const Eigen::Ref<const Eigen::VectorXd>& q, std::span<const int> basic_z,
                                   const LcpOptions& options, Eigen::Ref<Eigen::VectorXd> z) {
  equilibrate(R, q);
  lu_.reserve(n_);
  LcpResult result;
  result.paths = 1;
  result.rungs.entered.add(SolverRung::pivoting);
  result.rungs.won.add(SolverRung::pivoting);
  z.setZero();
  driver_ = 0;
  for (const int i : basic_z) {
    if (z_basic_[i] == 0 && column(i)[i] > zero_entry) start_with(i);
  }
  const int limit = options.max_pivots > 0 ? options.max_pivots : 100 + 20 * n_;
  const auto stop = [&](SolveStatus status) {
    result.status = status;
    result.residual = lcp_residual(R, q, z);
    return result;
  };
  for (int r = first_negative(); r >= 0; ++result.pivots) {
    ask_to_go_on(options.stop);
    if (result.pivots == limit) return stop(SolveStatus::iteration_limit);
    int leaving = -1;
    const Step step = raise(r, leaving);
    if (step == Step::not_semidefinite) return stop(SolveStatus::inaccurate);
    if (step == Step::ray) return stop(store_ray(r, R, q) ? SolveStatus::secondary_ray : SolveStatus::inaccurate);
    pivot(leaving);
    if (step == Step::blocked) continue;
    value_[r] = driver_;
    driver_ = 0;
    r = first_negative();
  }
  result.residual = finish(R, q, z);
  if (!(result.residual <= options.residual_tolerance)) {
    result.status = SolveStatus::inaccurate;
    z.setZero();
    result.residual = lcp_residual(R, q, z);
  }
  return result;
}

int PrincipalPivoting::first_negative() const {
  for (int i = 0; i < n_; ++i) {
    if (value_[i] < -zero_) return i;
  }
  return -1;
}

PrincipalPivoting::Step PrincipalPivoting::raise(int r, int& leaving) {
  const double* change = column(r);
  const double size = std::max(1.0, dense::largest(n_, change));
  double step = std::numeric_limits<double>::infinity();
  leaving = -1;
  if (change[r] < -zero_entry * size) return Step::not_semidefinite;
  if (change[r] > zero_entry * size) {
    step = -value_[r] / change[r];
    leaving = r;
  }
  // In a tie x_r goes first, then the least index.
  for (int i = 0; i < n_; ++i) {
    if (i == r || value_[i] < -zero_ || change[i] >= -zero_entry * size) continue;
    if (column(i)[i] <= zero_entry) continue;  // then so is the change: T_ir² ≤ T_ii T_rr
    const double reached = std::max(0.0, value_[i]) / -change[i];
    if (reached < step * (1 - tie_width)) {
      step = reached;
      leaving = i;
    }
  }
  if (leaving < 0) return Step::ray;
  dense::add_scaled(n_, step, change, value_.data());
  driver_ += step;
  value_[leaving] = 0;
  return leaving == r ? Step::done : Step::blocked;
}

void PrincipalPivoting::pivot(int i) {
  // x_i and y_i change places. The tableau is that of y = 0 but for the driver, so values stay.
  const double inverse = 1 / column(i)[i];
  for (int j = 0; j < n_; ++j) row_[j] = column(j)[i];
  std::copy_n(column(i), n_, column_.data());
  for (int j = 0; j < n_; ++j) {
    const double factor = row_[j] * inverse;
    if (j == i || factor == 0) continue;
    dense::add_scaled(n_, -factor, column_.data(), column(j));
    column(j)[i] = -factor;
  }
  for (int k = 0; k < n_; ++k) column(i)[k] = column_[k] * inverse;
  column(i)[i] = inverse;
  z_basic_[i] ^= 1;
}

void PrincipalPivoting::start_with(int i) {
  const double step = -value_[i] / column(i)[i];
  dense::add_scaled(n_, step, column(i), value_.data());
  value_[i] = step;
  pivot(i);
}

bool PrincipalPivoting::store_ray(int r, const Eigen::Ref<const Eigen::MatrixXd>& R,
                                  const Eigen::Ref<const Eigen::VectorXd>& q) {
  ray_.assign(n_, 0.0);
  const double below = zero_entry * std::max(1.0, dense::largest(n_, column(r)));
  for (int i = 0; i < n_; ++i) {
    if (z_basic_[i] != 0 && column(r)[i] > below) ray_[i] = scale_[i] * column(r)[i];
  }
  if (z_basic_[r] == 0) ray_[r] = scale_[r];
  return proves_infeasible(R, q, ray());
}

double PrincipalPivoting::finish(const Eigen::Ref<const Eigen::MatrixXd>& R, const Eigen::Ref<const Eigen::VectorXd>& q,
                                 Eigen::Ref<Eigen::VectorXd> z) {
  // From R itself: the tableau has gathered the round-off of all pivots.
  constexpr int refinements = 2;
  set_.clear();
  for (int i = 0; i < n_; ++i) {
    if (z_basic_[i] != 0) set_.push_back(i);
  }
  const int m = static_cast<int>(set_.size());
  double* basis = lu_.prepare(m);
  for (int j = 0; j < m; ++j) {
    for (int i = 0; i < m; ++i) {
      basis[static_cast<std::size_t>(j) * m + i] = scale_[set_[i]] * R(set_[i], set_[j]) * scale_[set_[j]];
    }
  }
  if (lu_.factor(rank_tolerance) < m) return std::numeric_limits<double>::infinity();
  for (int pass = 0; pass <= refinements; ++pass) {
    for (int i = 0; i < m; ++i) {
      double w = q(set_[i]);
      for (const int j : set_) w += R(set_[i], j) * z(j);
      row_[i] = -scale_[set_[i]] * w;
    }
    lu_.solve(row_.data());
    for (int i = 0; i < m; ++i) z(set_[i]) += scale_[set_[i]] * row_[i];
  }
  for (const int i : set_) z(i) = std::max(0.0, z(i));
  return lcp_residual(R, q, z);
}

}  // namespace carom
