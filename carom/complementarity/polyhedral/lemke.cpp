#include "carom/complementarity/polyhedral/lemke.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "carom/complementarity/linear/dense_kernels.h"

namespace carom {

namespace {

/// Pivots after which the values of the basic variables are made anew, so that their round-off does not add up.
constexpr int pivots_between_recomputations = 16;

/// Values below this times the demand are round-off of zero. To make them zero gives degenerate rows exactly equal
/// ratios, which the lexicographic order then resolves as it would without round-off.
constexpr double zero_value = 1e-13;

/// Residual, relative, that no refinement takes away.
constexpr double last_digit = 2e-16;

/// Ratios that differ by less than this, relative, are tied.
constexpr double tie_tolerance = 1e-10;

/// Proximal points: ε relative to the equilibrated matrix, whose entries are near one, and how many.
constexpr double proximal_first = 1e-4, proximal_least = 1e-13, proximal_largest = 1;
constexpr int proximal_points_most = 200, proximal_patience = 12;

/// Instead of a leaving variable, where the ratios are not numbers.
constexpr int undecided = -2;

/// Tolerance of the sums that show a problem infeasible, relative to their terms.
constexpr double infeasible_tolerance = 1e-9;

/// Sizes that lcp_residual is relative to: one over the sizes of impulse and velocity.
class ResidualSizes {
 public:
  ResidualSizes(const Eigen::Ref<const Eigen::VectorXd>& q, const double* z, double least_velocity)
      : velocity_(least_velocity) {
    for (Eigen::Index i = 0; i < q.size(); ++i) {
      impulse_ = std::max(impulse_, std::abs(z[i]));
      velocity_ = std::max(velocity_, -q(i));
    }
    impulse_ = impulse_ == 0 ? 1 : 1 / impulse_;
    velocity_ = velocity_ == 0 ? 1 : 1 / velocity_;
  }
  double violation(double z, double w) const {
    if (!std::isfinite(z) || !std::isfinite(w)) return std::numeric_limits<double>::infinity();
    return std::abs(std::min(z * impulse_, w * velocity_));
  }

 private:
  double impulse_ = 0, velocity_;
};

}  // namespace

LcpResult LemkeSolver::solve(const Eigen::Ref<const Eigen::MatrixXd>& R, const Eigen::Ref<const Eigen::VectorXd>& q,
                             const LcpOptions& options, Eigen::Ref<Eigen::VectorXd> z) {
  return solve_from(R, q, LcpStart{}, options, z);
}

LcpResult LemkeSolver::solve_from(const Eigen::Ref<const Eigen::MatrixXd>& R,
                                  const Eigen::Ref<const Eigen::VectorXd>& q, const LcpStart& start,
                                  const LcpOptions& options, Eigen::Ref<Eigen::VectorXd> z) {
  dense_.build(R);
  return solve_from(dense_, q, start, options, z);
}

LcpResult LemkeSolver::solve_from(LcpMatrix& R, const Eigen::Ref<const Eigen::VectorXd>& q, const LcpStart& start,
                                  const LcpOptions& options, Eigen::Ref<Eigen::VectorXd> z) {
  bind(R, q, options);
  LcpResult result;
  const auto attempt = [&](SolverRung rung, const LcpStart& from) {
    const PathEnd end = enter(rung, from, options, result);
    if (end != PathEnd::solution) return end;
    const double residual = finish(q);
    if (residual < result.residual) {
      result.residual = residual;
      result.rungs.won = RungSet(rung);
      z = Eigen::Map<const Eigen::VectorXd>(candidate_.data(), n_);
    }
    return result.residual <= options.residual_tolerance ? end : PathEnd::lost;
  };

  z.setZero();
  result.rungs.won = RungSet(SolverRung::lemke);
  result.residual = ResidualSizes(q, z.data(), options.demand).violation(0, q.size() > 0 ? q.minCoeff() : 0.0);
  const PathEnd first = attempt(SolverRung::lemke, start);
  if (first == PathEnd::solution) return result;
  result.status = first == PathEnd::ray               ? SolveStatus::secondary_ray
                  : first == PathEnd::iteration_limit ? SolveStatus::iteration_limit
                                                      : SolveStatus::inaccurate;
  if (first == PathEnd::ray && ray_proves_infeasible(q)) return result;
  const bool advanced = !start.basic_z.empty() || !start.covering.empty();
  if (advanced && attempt(SolverRung::lemke_afresh, LcpStart{}) == PathEnd::solution) {
    result.status = SolveStatus::solved;
    return result;
  }
  proximal_points(q, options, result, z);
  if (result.residual <= options.residual_tolerance) result.status = SolveStatus::solved;
  return result;
}

void LemkeSolver::bind(LcpMatrix& R, const Eigen::Ref<const Eigen::VectorXd>& q, const LcpOptions& options) {
  n_ = R.size();
  R_ = &R;
  q_.resize(n_);
  least_demand_ = demand_ = options.demand;
  for (int i = 0; i < n_; ++i) {
    q_[i] = R.row_scale(i) * q(i);
    if (q_[i] < 0) demand_ = std::max(demand_, -q_[i] / R.pair_scale(i));
  }
  zero_.assign(2 * n_ + 1, zero_value * demand_);
  for (int i = 0; i < n_; ++i) zero_[i] = zero_[n_ + i] = zero_value * demand_ * R.pair_scale(i);
  candidate_.assign(n_, 0.0);
  product_.resize(n_);
  centre_.reserve(n_);
  ties_.reserve(n_ + 1);
  candidates_.resize(2 * n_ + 2);
  for (auto* row : {&best_row_, &other_row_}) row->entries.reserve(2 * n_);
  ray_.reserve(n_);
  ray_.clear();
  basic_z_.reserve(n_);
  no_covering_.assign(n_, 0.0);
  basis_.bind(R);
}

/// One more path.
LemkeSolver::PathEnd LemkeSolver::enter(SolverRung rung, const LcpStart& start, const LcpOptions& options,
                                        LcpResult& result) {
  ++result.paths;
  result.rungs.entered.add(rung);
  return follow(start, options, result.pivots);
}

double LemkeSolver::try_basis_without_shift(const Eigen::Ref<const Eigen::VectorXd>& q, const LcpOptions& options,
                                            LcpResult& result) {
  store_basis();
  R_->set_shift(0);
  for (int i = 0; i < n_; ++i) q_[i] = R_->row_scale(i) * q(i);
  const PathEnd end = enter(SolverRung::unshifted_basis, {basic_z_, no_covering_}, options, result);
  return end == PathEnd::solution ? finish(q) : std::numeric_limits<double>::infinity();
}

void LemkeSolver::proximal_points(const Eigen::Ref<const Eigen::VectorXd>& q, const LcpOptions& options,
                                  LcpResult& result, Eigen::Ref<Eigen::VectorXd> z) {
  const auto keep = [&](SolverRung rung, double residual) {
    if (residual < result.residual) {
      result.residual = residual;
      result.rungs.won = RungSet(rung);
      z = Eigen::Map<const Eigen::VectorXd>(candidate_.data(), n_);
    }
    return residual <= options.residual_tolerance;
  };
  centre_.assign(n_, 0.0);
  basic_z_.clear();
  double epsilon = proximal_first, shrink = 0.1, last = std::numeric_limits<double>::infinity();
  for (int point = 1, idle = 0; point <= proximal_points_most && idle < proximal_patience; ++point) {
    for (int i = 0; i < n_; ++i) {
      q_[i] = R_->row_scale(i) * q(i) - (R_->is_cap(i) ? 0.0 : epsilon * centre_[i] / R_->column_scale(i));
    }
    R_->set_shift(epsilon);
    PathEnd end = enter(SolverRung::shifted_lemke, {basic_z_, {}}, options, result);
    if (end != PathEnd::solution && !basic_z_.empty()) {  // from the last point's basis; then from none
      end = enter(SolverRung::shifted_lemke, {}, options, result);
    }
    const double residual = end == PathEnd::solution ? finish(q) : std::numeric_limits<double>::infinity();
    if (keep(SolverRung::shifted_lemke, residual)) break;
    idle = residual < 0.7 * last ? 0 : idle + 1;
    if (end != PathEnd::solution) {  // wider, and on from there by less
      basic_z_.clear();
      epsilon *= 10 / shrink;
      shrink = std::sqrt(shrink);
      if (epsilon > proximal_largest) break;
      continue;
    }
    last = residual;
    centre_ = candidate_;
    const bool power_of_two = (point & (point - 1)) == 0;
    if (power_of_two && keep(SolverRung::unshifted_basis, try_basis_without_shift(q, options, result))) break;
    if (!power_of_two) store_basis();
    epsilon = std::max(proximal_least, shrink * epsilon);
  }
  R_->set_shift(0);
}

void LemkeSolver::store_basis() {
  basic_z_.clear();
  for (int j = 0; j < n_; ++j) {
    if (basis_.is_basic(n_ + j)) basic_z_.push_back(j);
  }
}

LemkeSolver::PathEnd LemkeSolver::follow(const LcpStart& start, const LcpOptions& options, int& pivots) {
  int leaving = -1;
  ask_to_go_on(options.stop);
  if (!begin(start, leaving)) return PathEnd::lost;
  if (leaving < 0) return PathEnd::solution;
  const int z0 = 2 * n_;
  const int limit = options.max_pivots > 0 ? options.max_pivots : 100 + 20 * n_;
  advance(z0, leaving);
  ++pivots;
  for (int count = 1; count < limit; ++count) {
    ++pivots;
    ask_to_go_on(options.stop);
    const int entering = complement(leaving);
    bool accurate = basis_.column(entering, column_);
    leaving = accurate ? choose_leaving(options.pivot_tolerance) : -1;
    if (leaving < 0) {  // a ray, or digits lost: decide on fresh ones
      if (!basis_.refactorize()) return PathEnd::lost;
      accurate = basis_.column(entering, column_) && recompute_values();
      if (!accurate) return PathEnd::lost;
      leaving = choose_leaving(options.pivot_tolerance);
      if (leaving < 0) {
        if (leaving == undecided) return PathEnd::lost;
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
  return PathEnd::iteration_limit;
}

bool LemkeSolver::begin(const LcpStart& start, int& leaving) {
  const int n = n_;
  basis_.start(start.basic_z);
  initial_.resize(n);
  for (int i = 0; i < n; ++i) initial_[i] = basis_.is_basic(i) ? i : n + i;
  if (!recompute_values(last_digit)) return false;
  leaving = -1;
  for (const int variable : initial_) {
    if (value_[variable] < 0) leaving = variable;
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
    if (!covering.empty()) weight = covering[i] * (initial_[i] < n_ ? R_->row_scale(i) : 1 / R_->column_scale(i));
    if (weight == 0 && value_[initial_[i]] < 0) weight = R_->pair_scale(i);
    cover_weight_[i] = weight;
    if (weight == 0) continue;
    if (initial_[i] < n_) {
      d[i] += weight;
    } else {
      R_->add_column(i, -weight, d);
    }
  }
}

int LemkeSolver::first_leaving() const {
  // Lexicographically least [value, unit row] / weight: of equal ratios, the last row.
  int leaving = -1;
  double least = 0;
  for (int i = 0; i < n_; ++i) {
    if (cover_weight_[i] == 0) continue;
    const double ratio = value_[initial_[i]] / cover_weight_[i];
    if (leaving < 0 || ratio <= least) {
      least = ratio;
      leaving = initial_[i];
    }
  }
  return leaving;
}

int LemkeSolver::choose_leaving(double pivot_tolerance) {
  // Entries of nonbasic variables are zero and take no part.
  const int z0 = 2 * n_;
  const double size = dense::largest(z0 + 1, column_.data());
  const double smallest = pivot_tolerance * size;
  int count = 0;
  for (int v = 0; v <= z0; ++v) {  // without a branch, as signs have no pattern
    candidates_[count] = v;
    count += column_[v] > smallest ? 1 : 0;
  }
  if (count == 0) return -1;
  double least = std::numeric_limits<double>::infinity();
  for (int c = 0; c < count; ++c) least = std::min(least, value_[candidates_[c]] / column_[candidates_[c]]);

  // Values below zero are round-off of the path so far.
  const double tied = least + tie_tolerance * std::max(std::abs(least), demand_ / size);
  if (column_[z0] > smallest && value_[z0] <= tied * column_[z0]) return z0;  // z₀ may reach zero: a solution
  ties_.clear();
  for (int c = 0; c < count; ++c) {
    const int v = candidates_[c];
    if (value_[v] <= tied * column_[v]) ties_.push_back(v);
  }
  if (ties_.empty()) return undecided;
  return ties_.size() == 1 ? ties_.front() : resolve_ties();
}

int LemkeSolver::resolve_ties() {
  const auto begin = [&](int row, TieRow& into) {
    basis_.begin_row(row, into.entries);
    into.complete = false;
  };
  int best = ties_.front();
  begin(best, best_row_);
  for (std::size_t t = 1; t < ties_.size(); ++t) {
    begin(ties_[t], other_row_);
    if (!precedes(ties_[t], best)) continue;
    best = ties_[t];
    std::swap(best_row_, other_row_);
  }
  return best;
}

bool LemkeSolver::precedes(int row, int best) {
  // Rows of B⁻¹ B₀ over their pivots, lexicographically: other_row_ of `row` against best_row_ of `best`. The columns
  // are taken in the order of pairs. That of a basic variable is a unit vector.
  const auto zero = [&](const TieRow& r) {
    return tie_tolerance * std::max(1.0, dense::largest(2 * n_, r.entries.data()));
  };
  const auto complete = [&](int of, TieRow& r) {
    if (!r.complete) basis_.complete_row(of, r.entries);
    r.complete = true;
  };
  const auto entry = [&](const TieRow& r, int of, int variable, double below) {
    if (variable >= n_ && basis_.is_basic(variable)) return variable == of ? 1.0 : 0.0;
    const double x = r.entries[variable];
    return std::abs(x) <= below ? 0.0 : variable < n_ ? x : -x;
  };
  double row_zero = zero(other_row_), best_zero = zero(best_row_);
  for (const int variable : initial_) {
    if ((variable >= n_ || R_->is_cap(variable)) && !(other_row_.complete && best_row_.complete)) {
      complete(row, other_row_);
      complete(best, best_row_);
      row_zero = zero(other_row_);
      best_zero = zero(best_row_);
    }
    const double a = entry(other_row_, row, variable, row_zero) / column_[row];
    const double b = entry(best_row_, best, variable, best_zero) / column_[best];
    if (std::abs(a - b) > tie_tolerance * std::max(std::abs(a), std::abs(b))) return a < b;
  }
  return column_[row] > column_[best];  // round-off cannot tell them apart: the larger pivot is safer
}

void LemkeSolver::advance(int entering, int leaving) {
  const double step = std::max(0.0, value_[leaving] / column_[leaving]);
  dense::add_scaled(2 * n_ + 1, -step, column_.data(), value_.data());
  value_[leaving] = 0;
  value_[entering] = step;
  basis_.pivot(entering, leaving, column_);
  fresh_ = false;
  snap();
}

bool LemkeSolver::recompute_values(double refine_above) {
  const bool accurate = basis_.solve(q_.data(), value_, refine_above);
  fresh_ = refine_above <= last_digit;
  snap();
  return accurate;
}

void LemkeSolver::snap() {
  for (int v = 0; v <= 2 * n_; ++v) value_[v] = std::abs(value_[v]) <= zero_[v] ? 0.0 : value_[v];
}

void LemkeSolver::store_ray(int entering) {
  if (!ray_.empty()) return;  // of an earlier path
  ray_.resize(n_);
  for (int j = 0; j < n_; ++j) ray_[j] = R_->column_scale(j) * std::max(0.0, -column_[n_ + j]);
  if (entering >= n_) ray_[entering - n_] = R_->column_scale(entering - n_);
}

double LemkeSolver::finish(const Eigen::Ref<const Eigen::VectorXd>& q) {
  constexpr double accurate_residual = 1e-12;
  double residual = 0;
  for (int attempt = 0; attempt < 2; ++attempt) {
    if (attempt == 1) {
      if (!basis_.refactorize()) break;
      fresh_ = false;
    }
    if (!fresh_) recompute_values(last_digit);  // contacts at rest should not creep
    for (int i = 0; i < n_; ++i) candidate_[i] = R_->column_scale(i) * std::max(0.0, value_[n_ + i]);
    residual = residual_of_candidate(q);
    if (residual <= accurate_residual) break;
  }
  return residual;
}

double LemkeSolver::residual_of_candidate(const Eigen::Ref<const Eigen::VectorXd>& q) {
  const double shift = R_->shift();
  R_->set_shift(0);
  std::vector<double>& scaled = column_;  // free after a path
  scaled.resize(2 * n_ + 1);
  for (int i = 0; i < n_; ++i) {
    scaled[i] = candidate_[i] / R_->column_scale(i);
    product_[i] = R_->row_scale(i) * q(i);
  }
  R_->multiply_add(scaled.data(), product_.data());
  R_->set_shift(shift);
  const ResidualSizes sizes(q, candidate_.data(), least_demand_);
  double residual = 0;
  for (int i = 0; i < n_; ++i) {
    residual = std::max(residual, sizes.violation(candidate_[i], product_[i] / R_->row_scale(i)));
  }
  return residual;
}

double lcp_residual(const Eigen::Ref<const Eigen::MatrixXd>& R, const Eigen::Ref<const Eigen::VectorXd>& q,
                    const Eigen::Ref<const Eigen::VectorXd>& z) {
  const ResidualSizes sizes(q, z.data(), 0);
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
      residual = std::max(residual, sizes.violation(z(first + i), w[i]));
    }
  }
  return residual;
}

namespace {

/// qᵀy < 0, y ≥ 0, and for every column of R the sum over its entries times y not above zero.
template <typename Column>
bool proves(const Eigen::Ref<const Eigen::VectorXd>& q, const Eigen::Ref<const Eigen::VectorXd>& y, double tolerance,
            Column&& column) {
  double work = 0, work_size = 0;
  for (Eigen::Index i = 0; i < q.size(); ++i) {
    if (!(y(i) >= 0)) return false;
    work += q(i) * y(i);
    work_size += std::abs(q(i)) * y(i);
  }
  if (!(work < -tolerance * work_size)) return false;
  for (Eigen::Index j = 0; j < q.size(); ++j) {
    const double* entries = column(j);
    double sum = 0, size = 0;
    for (Eigen::Index i = 0; i < q.size(); ++i) {
      sum += entries[i] * y(i);
      size += std::abs(entries[i]) * y(i);
    }
    if (sum > tolerance * size) return false;
  }
  return true;
}

}  // namespace

bool LemkeSolver::ray_proves_infeasible(const Eigen::Ref<const Eigen::VectorXd>& q) {
  return proves(q, ray(), infeasible_tolerance, [&](Eigen::Index j) {
    std::fill(product_.begin(), product_.end(), 0.0);
    R_->add_column(static_cast<int>(j), 1.0, product_.data());
    for (int i = 0; i < n_; ++i) product_[i] /= R_->row_scale(i);
    return product_.data();
  });
}

bool proves_infeasible(const Eigen::Ref<const Eigen::MatrixXd>& R, const Eigen::Ref<const Eigen::VectorXd>& q,
                       const Eigen::Ref<const Eigen::VectorXd>& y, double tolerance) {
  return proves(q, y, tolerance, [&](Eigen::Index j) { return R.data() + j * R.outerStride(); });
}

}  // namespace carom
