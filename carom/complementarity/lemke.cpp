#include "carom/complementarity/lemke.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "carom/complementarity/dense_kernels.h"

namespace carom {

namespace {

/// Sweeps of equilibration, after which rows and columns have sizes near one.
constexpr int scaling_sweeps = 3;

/// Pivots after which the values of the basic variables are made anew, so that their round-off does not add up.
constexpr int pivots_between_recomputations = 16;

/// Values below this times the demand are round-off of zero. To make them zero gives degenerate rows exactly equal
/// ratios, which the lexicographic order then resolves as it would without round-off.
constexpr double zero_value = 1e-13;

/// Ratios that differ by less than this, relative, are tied.
constexpr double tie_tolerance = 1e-10;

double power_of_two(double x) { return std::ldexp(1.0, std::ilogb(x)); }

}  // namespace

void LemkeSolver::equilibrate(const Eigen::Ref<const Eigen::MatrixXd>& R, const Eigen::Ref<const Eigen::VectorXd>& q) {
  const std::size_t n = n_;
  R_.resize(n * n);
  q_.resize(n);
  row_scale_.assign(n, 1.0);
  column_scale_.assign(n, 1.0);
  row_size_.resize(n);
  for (std::size_t j = 0; j < n; ++j) std::copy_n(R.data() + j * R.outerStride(), n, R_.data() + j * n);
  for (int sweep = 0; sweep < scaling_sweeps; ++sweep) {
    std::fill(row_size_.begin(), row_size_.end(), 0.0);
    for (std::size_t j = 0; j < n; ++j) {
      const double* column = R_.data() + j * n;
      double size = 0;
      for (std::size_t i = 0; i < n; ++i) {
        const double entry = std::abs(column[i]) * row_scale_[i];
        size = std::max(size, entry);
        row_size_[i] = std::max(row_size_[i], entry * column_scale_[j]);
      }
      // Sizes of the last sweep scale rows and columns together, so that a symmetric matrix stays so.
      column_size_[j] = size * column_scale_[j];
    }
    for (std::size_t i = 0; i < n; ++i) {
      if (row_size_[i] > 0) row_scale_[i] /= std::sqrt(row_size_[i]);
      if (column_size_[i] > 0) column_scale_[i] /= std::sqrt(column_size_[i]);
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    row_scale_[i] = power_of_two(row_scale_[i]);
    column_scale_[i] = power_of_two(column_scale_[i]);
  }
  for (std::size_t j = 0; j < n; ++j) {
    double* column = R_.data() + j * n;
    for (std::size_t i = 0; i < n; ++i) column[i] *= row_scale_[i] * column_scale_[j];
    q_[j] = row_scale_[j] * q(j);
  }
}

LcpResult LemkeSolver::solve(const Eigen::Ref<const Eigen::MatrixXd>& R, const Eigen::Ref<const Eigen::VectorXd>& q,
                             const LcpOptions& options, Eigen::Ref<Eigen::VectorXd> z) {
  return solve_from(R, q, LcpStart{}, options, z);
}

LcpResult LemkeSolver::solve_from(const Eigen::Ref<const Eigen::MatrixXd>& R,
                                  const Eigen::Ref<const Eigen::VectorXd>& q, const LcpStart& start,
                                  const LcpOptions& options, Eigen::Ref<Eigen::VectorXd> z) {
  n_ = static_cast<int>(q.size());
  column_size_.resize(n_);
  equilibrate(R, q);
  q_original_ = q_;
  candidate_.resize(n_);
  ties_.reserve(n_ + 1);
  tie_value_.reserve(n_ + 1);
  ray_.reserve(n_);
  LcpResult result;
  const auto attempt = [&](const LcpStart& from) {
    ++result.paths;
    const PathEnd end = follow(from, options, result.pivots);
    if (end != PathEnd::solution) return end;
    const double residual = finish(R, q);
    if (residual < result.residual) {
      result.residual = residual;
      z = Eigen::Map<const Eigen::VectorXd>(candidate_.data(), n_);
    }
    return result.residual <= options.residual_tolerance ? end : PathEnd::lost;
  };

  z.setZero();
  result.residual = lcp_residual(R, q, z);
  const PathEnd first = attempt(start);
  if (first == PathEnd::solution) return result;
  result.status = first == PathEnd::ray           ? SolveStatus::secondary_ray
                  : first == PathEnd::pivot_limit ? SolveStatus::pivot_limit
                                                  : SolveStatus::inaccurate;
  if (first == PathEnd::ray && proves_infeasible(R, q, ray())) return result;
  const bool advanced = !start.basic_z.empty() || !start.covering.empty();
  if (advanced && attempt(LcpStart{}) == PathEnd::solution) {
    result.status = SolveStatus::solved;
    return result;
  }
  proximal_points(R, q, options, result, z);
  if (result.residual <= options.residual_tolerance) result.status = SolveStatus::solved;
  return result;
}

void LemkeSolver::proximal_points(const Eigen::Ref<const Eigen::MatrixXd>& R,
                                  const Eigen::Ref<const Eigen::VectorXd>& q, const LcpOptions& options,
                                  LcpResult& result, Eigen::Ref<Eigen::VectorXd> z) {
  struct Round {
    double epsilon;  // relative to the equilibrated matrix, whose entries are near one
    int points;
  };
  constexpr Round rounds[] = {{1e-7, 8}, {1e-4, 24}};
  const std::size_t n = n_;
  for (const Round& round : rounds) {
    std::fill(candidate_.begin(), candidate_.end(), 0.0);
    for (std::size_t i = 0; i < n; ++i) R_[i * n + i] += round.epsilon;
    for (int point = 0; point < round.points; ++point) {
      for (std::size_t i = 0; i < n; ++i) q_[i] = q_original_[i] - round.epsilon * candidate_[i] / column_scale_[i];
      ++result.paths;
      if (follow(LcpStart{}, options, result.pivots) != PathEnd::solution) break;
      const double residual = finish(R, q);
      if (residual < result.residual) {
        result.residual = residual;
        z = Eigen::Map<const Eigen::VectorXd>(candidate_.data(), n_);
      }
      if (residual <= options.residual_tolerance) break;
    }
    for (std::size_t i = 0; i < n; ++i) R_[i * n + i] = row_scale_[i] * column_scale_[i] * R(i, i);
    q_ = q_original_;
    if (result.residual <= options.residual_tolerance) return;
  }
}

LemkeSolver::PathEnd LemkeSolver::follow(const LcpStart& start, const LcpOptions& options, int& pivots) {
  basis_.bind(R_.data(), n_);
  demand_ = 0;
  for (const double q : q_) demand_ = std::max(demand_, -q);
  int leaving = -1;
  if (!begin(start, leaving)) return PathEnd::lost;
  if (leaving < 0) return PathEnd::solution;
  const int z0 = 2 * n_;
  const int limit = options.max_pivots > 0 ? options.max_pivots : 100 + 20 * n_;
  advance(z0, leaving);
  ++pivots;
  for (int count = 1; count < limit; ++count) {
    ++pivots;
    const int entering = complement(leaving);
    bool accurate = basis_.column(entering, column_);
    leaving = accurate ? choose_leaving(options.pivot_tolerance) : -1;
    if (leaving < 0) {  // a ray, or digits lost: decide on fresh ones
      if (!basis_.refactorize()) return PathEnd::lost;
      accurate = basis_.column(entering, column_) && recompute_values();
      if (!accurate) return PathEnd::lost;
      leaving = choose_leaving(options.pivot_tolerance);
      if (leaving < 0) {
        store_ray(entering);
        return PathEnd::ray;
      }
    }
    advance(entering, leaving);
    if (leaving == z0) return PathEnd::solution;
    if (count % pivots_between_recomputations == 0 && !recompute_values()) {
      if (!basis_.refactorize() || !recompute_values()) return PathEnd::lost;
    }
  }
  return PathEnd::pivot_limit;
}

bool LemkeSolver::begin(const LcpStart& start, int& leaving) {
  const int n = n_;
  if (!basis_.start(start.basic_z)) return false;
  initial_.resize(n);
  for (int i = 0; i < n; ++i) initial_[i] = basis_.is_basic(i) ? i : n + i;
  on_z_.resize(n + 1);
  if (!recompute_values()) return false;
  leaving = -1;
  for (const int variable : initial_) {
    if (value(variable) < 0) leaving = variable;
  }
  if (leaving < 0) return true;
  set_covering(start.covering);
  leaving = first_leaving();
  return basis_.column(2 * n, column_);
}

void LemkeSolver::set_covering(std::span<const double> covering) {
  // d = B₀ (weights), so that z₀ raises the basic variable of pair i by weight i.
  double* d = basis_.covering();
  cover_weight_.resize(n_);
  std::fill(d, d + n_, 0.0);
  for (int i = 0; i < n_; ++i) {
    double weight = 1;
    if (!covering.empty()) weight = covering[i] * (initial_[i] < n_ ? row_scale_[i] : 1 / column_scale_[i]);
    if (weight == 0 && value(initial_[i]) < 0) weight = 1;
    cover_weight_[i] = weight;
    if (weight == 0) continue;
    if (initial_[i] < n_) {
      d[i] += weight;
    } else {
      dense::add_scaled(n_, -weight, R_.data() + static_cast<std::size_t>(i) * n_, d);
    }
  }
}

int LemkeSolver::first_leaving() const {
  // Lexicographically least [value, unit row] / weight: of equal ratios, the last row.
  int leaving = -1;
  double least = 0;
  for (int i = 0; i < n_; ++i) {
    if (cover_weight_[i] == 0) continue;
    const double ratio = value(initial_[i]) / cover_weight_[i];
    if (leaving < 0 || ratio <= least) {
      least = ratio;
      leaving = initial_[i];
    }
  }
  return leaving;
}

int LemkeSolver::choose_leaving(double pivot_tolerance) {
  const int k = basis_.order();
  double size = 0;
  for (int s = 0; s < k; ++s) size = std::max(size, std::abs(column_.z[s]));
  for (const double entry : column_.w) size = std::max(size, std::abs(entry));
  const double smallest = pivot_tolerance * size;
  double least = std::numeric_limits<double>::infinity();
  for (int s = 0; s < k; ++s) {
    if (column_.z[s] > smallest) least = std::min(least, value(basis_.slot_variable(s)) / column_.z[s]);
  }
  for (int i = 0; i < n_; ++i) {
    if (column_.w[i] > smallest) least = std::min(least, value_w_[i] / column_.w[i]);
  }
  if (least == std::numeric_limits<double>::infinity()) return -1;

  const double tied = least + tie_tolerance * std::max(least, demand_ / size);
  ties_.clear();
  for (int s = 0; s < k; ++s) {
    const int variable = basis_.slot_variable(s);
    if (!(column_.z[s] > smallest) || value(variable) / column_.z[s] > tied) continue;
    if (variable == 2 * n_) return variable;  // z₀ may reach zero: a solution
    ties_.push_back(variable);
  }
  for (int i = 0; i < n_; ++i) {
    if (column_.w[i] > smallest && value_w_[i] / column_.w[i] <= tied) ties_.push_back(i);
  }
  return ties_.size() == 1 ? ties_.front() : resolve_ties();
}

int LemkeSolver::resolve_ties() {
  // Rows of B⁻¹ B₀ over their pivots, compared column by column. The column of a variable that is basic is a unit
  // vector, so its own row is the larger and drops out.
  tie_value_.resize(ties_.size());
  for (int i = 0; i < n_ && ties_.size() > 1; ++i) {
    const int variable = initial_[i];
    if (basis_.is_basic(variable)) {
      std::erase(ties_, variable);
      continue;
    }
    basis_.column_on_z(variable, on_z_);
    double least = std::numeric_limits<double>::infinity();
    double size = 0, largest_entry = 1;
    for (int s = 0; s < basis_.order(); ++s) largest_entry = std::max(largest_entry, std::abs(on_z_[s]));
    for (std::size_t t = 0; t < ties_.size(); ++t) {
      const int row = ties_[t];
      double entry = row < n_ ? basis_.row_entry(variable, on_z_, row) : on_z_[basis_.slot(row)];
      if (std::abs(entry) <= tie_tolerance * largest_entry) entry = 0;
      tie_value_[t] = entry / column_value(row);
      least = std::min(least, tie_value_[t]);
      size = std::max(size, std::abs(tie_value_[t]));
    }
    std::size_t kept = 0;
    for (std::size_t t = 0; t < ties_.size(); ++t) {
      if (tie_value_[t] <= least + tie_tolerance * size) ties_[kept++] = ties_[t];
    }
    ties_.resize(kept);
  }
  // Rows that round-off cannot tell apart: the largest pivot is the safest.
  int leaving = ties_.front();
  for (const int row : ties_) {
    if (column_value(row) > column_value(leaving)) leaving = row;
  }
  return leaving;
}

void LemkeSolver::advance(int entering, int leaving) {
  const double step = std::max(0.0, value(leaving) / column_value(leaving));
  for (int s = 0; s < basis_.order(); ++s) value(basis_.slot_variable(s)) -= step * column_.z[s];
  for (int i = 0; i < n_; ++i) value_w_[i] -= step * column_.w[i];
  value(leaving) = 0;
  value(entering) = step;
  basis_.pivot(entering, leaving, column_);
  snap();
}

bool LemkeSolver::recompute_values(double refine_above) {
  const bool accurate = basis_.solve(q_.data(), values_, refine_above);
  value_w_ = values_.w;
  value_z_.assign(n_ + 1, 0.0);
  for (int s = 0; s < basis_.order(); ++s) value(basis_.slot_variable(s)) = values_.z[s];
  snap();
  return accurate;
}

void LemkeSolver::snap() {
  const double zero = zero_value * demand_;
  for (double& v : value_w_) {
    if (std::abs(v) <= zero) v = 0;
  }
  for (double& v : value_z_) {
    if (std::abs(v) <= zero) v = 0;
  }
}

void LemkeSolver::store_ray(int entering) {
  ray_.assign(n_, 0.0);
  for (int s = 0; s < basis_.order(); ++s) {
    const int variable = basis_.slot_variable(s);
    if (variable < 2 * n_) ray_[variable - n_] = column_scale_[variable - n_] * std::max(0.0, -column_.z[s]);
  }
  if (entering >= n_) ray_[entering - n_] = column_scale_[entering - n_];
}

double LemkeSolver::finish(const Eigen::Ref<const Eigen::MatrixXd>& R, const Eigen::Ref<const Eigen::VectorXd>& q) {
  constexpr double accurate_residual = 1e-12;
  double residual = 0;
  for (int attempt = 0; attempt < 2; ++attempt) {
    if (attempt == 1 && !basis_.refactorize()) break;
    recompute_values(0);  // to the last digit: contacts at rest should not creep
    for (int i = 0; i < n_; ++i) candidate_[i] = column_scale_[i] * std::max(0.0, value_z_[i]);
    residual = lcp_residual(R, q, Eigen::Map<const Eigen::VectorXd>(candidate_.data(), n_));
    if (residual <= accurate_residual) break;
  }
  return residual;
}

double lcp_residual(const Eigen::Ref<const Eigen::MatrixXd>& R, const Eigen::Ref<const Eigen::VectorXd>& q,
                    const Eigen::Ref<const Eigen::VectorXd>& z) {
  double impulse = 0, velocity = 0;
  for (Eigen::Index i = 0; i < q.size(); ++i) {
    impulse = std::max(impulse, std::abs(z(i)));
    velocity = std::max(velocity, -q(i));
  }
  if (impulse == 0) impulse = 1;
  if (velocity == 0) velocity = 1;
  double residual = 0;
  constexpr Eigen::Index strip = 64;  // rows at a time: R is read along its columns, and w needs no memory
  double w[strip];
  for (Eigen::Index first = 0; first < q.size(); first += strip) {
    const Eigen::Index rows = std::min(strip, q.size() - first);
    for (Eigen::Index i = 0; i < rows; ++i) w[i] = q(first + i);
    for (Eigen::Index j = 0; j < z.size(); ++j) {
      if (z(j) != 0) dense::add_scaled(static_cast<int>(rows), z(j), R.data() + j * R.outerStride() + first, w);
    }
    for (Eigen::Index i = 0; i < rows; ++i) {
      if (!std::isfinite(w[i]) || !std::isfinite(z(first + i))) return std::numeric_limits<double>::infinity();
      residual = std::max(residual, std::abs(std::min(z(first + i) / impulse, w[i] / velocity)));
    }
  }
  return residual;
}

bool proves_infeasible(const Eigen::Ref<const Eigen::MatrixXd>& R, const Eigen::Ref<const Eigen::VectorXd>& q,
                       const Eigen::Ref<const Eigen::VectorXd>& y, double tolerance) {
  double work = 0, work_size = 0;
  for (Eigen::Index i = 0; i < q.size(); ++i) {
    if (!(y(i) >= 0)) return false;
    work += q(i) * y(i);
    work_size += std::abs(q(i)) * y(i);
  }
  if (!(work < -tolerance * work_size)) return false;
  for (Eigen::Index j = 0; j < q.size(); ++j) {
    double sum = 0, size = 0;
    for (Eigen::Index i = 0; i < q.size(); ++i) {
      sum += R(i, j) * y(i);
      size += std::abs(R(i, j)) * y(i);
    }
    if (sum > tolerance * size) return false;
  }
  return true;
}

}  // namespace carom
