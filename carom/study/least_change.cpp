#include "carom/study/least_change.h"

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <utility>

#include "carom/complementarity/linear/nonnegative_least_squares.h"

namespace carom {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double difference = 6e-6;    // cube root of the unit round-off, in units of y
constexpr double elastic_weight = 30;  // ω of steps where the linearised conditions contradict each other

/// Moved inside the bounds, and onto one that only round-off keeps it from.
VectorXd inside(const LeastChangeProblem& problem, const VectorXd& y) {
  VectorXd moved = y.cwiseMax(problem.lower).cwiseMin(problem.upper);
  for (Eigen::Index k = 0; k < y.size(); ++k) {
    for (const double bound : {problem.lower[k], problem.upper[k]}) {
      if (std::isfinite(bound) && std::abs(moved[k] - bound) <= 1e-15 * std::max(1.0, std::abs(bound)))
        moved[k] = bound;
    }
  }
  return moved;
}

VectorXd violations(const LeastChangeProblem& problem, const VectorXd& values) {
  VectorXd violated(values.size());
  for (Eigen::Index i = 0; i < values.size(); ++i) violated[i] = violation(values[i], problem.inequality[i]);
  return violated;
}

/// Central differences; one-sided where the other side has no values. Empty if neither side has.
template <class F>
std::optional<MatrixXd> derivatives(F&& f, const VectorXd& y, const VectorXd& here) {
  MatrixXd J(here.size(), y.size());
  for (Eigen::Index k = 0; k < y.size(); ++k) {
    VectorXd moved = y;
    moved[k] = y[k] + difference;
    const std::optional<VectorXd> ahead = f(moved);
    const double width_ahead = moved[k] - y[k];
    moved[k] = y[k] - difference;
    const std::optional<VectorXd> behind = f(moved);
    const double width_behind = y[k] - moved[k];
    if (!ahead && !behind) return {};
    const VectorXd &to = ahead ? *ahead : here, &from = behind ? *behind : here;
    J.col(k) = (to - from) / ((ahead ? width_ahead : 0) + (behind ? width_behind : 0));
  }
  return J;
}

/// The z of least length with J z = c for equalities, J z ≥ c otherwise, low ≤ z ≤ high. With weight > 0 conditions may
/// be missed by e at the price of weight² ‖e‖². Empty if there is none.
///
/// Lawson and Hanson's problem leaves 1 / (1 + ‖z‖²) of the unit vector, which round-off takes for zero when z is long.
/// So the unit of length is the longest way to a single condition or bound; z can't be shorter than that.
std::optional<VectorXd> least_distance(const MatrixXd& J, const VectorXd& c, const std::vector<bool>& inequality,
                                       const VectorXd& low, const VectorXd& high, double weight) {
  const Eigen::Index n = J.cols(), m = J.rows(), slack = weight > 0 ? m : 0;
  std::vector<VectorXd> columns;
  std::vector<bool> free;
  const auto add = [&](const VectorXd& normal, double offset, bool equality) {
    VectorXd column = VectorXd::Zero(n + slack + 1);
    column.head(normal.size()) = normal;
    column[n + slack] = offset;
    columns.push_back(column);
    free.push_back(equality);
  };
  for (Eigen::Index i = 0; i < m; ++i) {
    VectorXd normal = VectorXd::Zero(n + slack);
    normal.head(n) = J.row(i);
    double length = normal.norm();
    if (slack > 0) normal[n + i] = 1 / weight;
    if (!(length > 0)) length = 1;
    add(normal / length, c[i] / length, !inequality[i]);
  }
  for (Eigen::Index k = 0; k < n; ++k) {
    if (std::isfinite(low[k])) add(VectorXd::Unit(n, k), low[k], false);
    if (std::isfinite(high[k])) add(-VectorXd::Unit(n, k), -high[k], false);
  }
  MatrixXd E(n + slack + 1, static_cast<Eigen::Index>(columns.size()));
  double unit = 1;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    E.col(static_cast<Eigen::Index>(i)) = columns[i];
    const double offset = columns[i][n + slack], length = columns[i].head(n + slack).norm();
    if (length > 0) unit = std::max(unit, (free[i] ? std::abs(offset) : offset) / length);
  }
  E.row(n + slack) /= unit;
  VectorXd u(E.cols());
  const NonnegativeResult result = nonnegative_least_squares(E, VectorXd::Unit(n + slack + 1, n + slack), free, {}, u);
  const double left = 1 - E.row(n + slack).dot(u);
  if (!result.converged || !(left > 1e-10)) return {};
  VectorXd z = E.topRows(n) * u * (unit / left);
  Eigen::Index column = m;
  for (Eigen::Index k = 0; k < n; ++k) {  // bounds that push hold exactly
    if (std::isfinite(low[k]) && u[column++] > 0) z[k] = low[k];
    if (std::isfinite(high[k]) && u[column++] > 0) z[k] = high[k];
  }
  return z;
}

/// A walk towards the conditions.
class Restoration {
 public:
  Restoration(const LeastChangeProblem& problem, const LeastChangeOptions& options)
      : problem_(problem), options_(options) {}

  LeastChangeResult run(const VectorXd& from) {
    result_.at = inside(problem_, from);
    const std::optional<VectorXd> first = problem_.conditions(result_.at);
    if (!first) return result_;
    result_.values = *first;
    for (; result_.steps < options_.max_steps; ++result_.steps) {
      if (!step()) break;
    }
    const VectorXd violated = violations(problem_, result_.values);
    result_.met = violated.size() == 0 || violated.cwiseAbs().maxCoeff() <= options_.tolerance;
    tell_bounds();
    if (!result_.met) tell_why(violated);
    return result_;
  }

 private:
  /// One step that lowers the violation; false if there is none, or nothing left to lower.
  bool step() {
    const VectorXd violated = violations(problem_, result_.values);
    if (violated.size() == 0 || violated.cwiseAbs().maxCoeff() == 0) return false;
    const std::optional<MatrixXd> J = derivatives(problem_.conditions, result_.at, result_.values);
    if (!J) return false;
    J_ = *J;
    const VectorXd low = problem_.lower - result_.at, high = problem_.upper - result_.at;
    MatrixXd slopes = J_;
    VectorXd lack = -result_.values;
    for (Eigen::Index i = 0; i < lack.size(); ++i) {
      slopes.row(i) /= slope(i);
      lack[i] /= slope(i);
    }
    const auto exact = least_distance(slopes, lack, problem_.inequality, low, high, 0);
    if (exact && try_along(*exact, violated)) return true;
    if (violated.cwiseAbs().maxCoeff() <= options_.tolerance) return false;
    for (const double weight : {elastic_weight, 1.0, 0.03}) {
      const auto elastic = least_distance(slopes, lack, problem_.inequality, low, high, weight);
      if (elastic && try_along(*elastic, violated)) return true;
    }
    return false;
  }

  /// Goes along d, halved until the violation falls by a part of what its derivatives promise (Armijo).
  bool try_along(const VectorXd& d, const VectorXd& violated) {
    const double before = measure(violated);
    for (double t = 1; t > 1e-9; t /= 2) {
      const double promised = before - measure(violations(problem_, result_.values + t * (J_ * d)));
      if (!(promised > 1e-15 * before)) return false;
      const VectorXd to = inside(problem_, result_.at + t * d);
      const std::optional<VectorXd> values = problem_.conditions(to);
      if (!values || !(measure(violations(problem_, *values)) < before - 1e-4 * promised)) continue;
      result_.at = to;
      result_.values = *values;
      return true;
    }
    return false;
  }

  /// Violations in units of y: each over the length of its derivative.
  double measure(const VectorXd& violated) const {
    double sum = 0;
    for (Eigen::Index i = 0; i < violated.size(); ++i) sum += std::pow(violated[i] / slope(i), 2);
    return std::sqrt(sum);
  }
  double slope(Eigen::Index condition) const {
    const double length = J_.row(condition).norm();
    return length > 1e-12 ? length : 1;
  }

  void tell_bounds() {
    for (Eigen::Index k = 0; k < result_.at.size(); ++k) {
      result_.at_bound.push_back(result_.at[k] <= problem_.lower[k] ? -1 : result_.at[k] >= problem_.upper[k] ? 1 : 0);
    }
  }

  void tell_why(const VectorXd& violated) {
    if (J_.size() == 0) return;
    const Eigen::JacobiSVD<MatrixXd> svd(J_);
    for (const double value : svd.singularValues()) result_.rank += value > 1e-8 * svd.singularValues()[0] ? 1 : 0;
    const VectorXd gradient = J_.transpose() * violated;
    for (Eigen::Index k = 0; k < result_.at.size(); ++k) {
      if (result_.at_bound[k] * gradient[k] < 0) result_.blocking.push_back(static_cast<int>(k));
    }
  }

  const LeastChangeProblem& problem_;
  const LeastChangeOptions& options_;
  LeastChangeResult result_;
  MatrixXd J_;
};

/// Descent along the set of points that meet the conditions.
class Descent {
 public:
  Descent(const LeastChangeProblem& problem, const LeastChangeOptions& options, LeastChangeResult start)
      : problem_(problem), options_(options), best_(std::move(start)) {
    goal_ = goal(best_.at);
  }

  LeastChangeResult run() {
    for (int i = 0; i < options_.max_descents && goal_; ++i) {
      std::optional<VectorXd> slope = gradient();
      if (slope && i == 0) count_in_slopes(*slope);
      std::optional<VectorXd> d = slope ? shorter_direction(*slope) : std::nullopt;
      if (!d) {
        best_.stationarity = -1;
        break;
      }
      best_.stationarity = d->norm() / step_;
      if (best_.stationarity <= options_.stationary * (1 + slope->norm())) break;
      const VectorXd downhill = *d / step_;
      if (i > 0) {
        adapt_step(downhill);
        d = shorter_direction(*slope);
      }
      last_ = best_.at;
      last_downhill_ = downhill;
      if (!d || !go_along(*d)) break;
    }
    land();
    return best_;
  }

 private:
  std::optional<double> goal(const VectorXd& at) const {
    if (!problem_.objective) return 0.5 * (at - problem_.start).squaredNorm();
    const std::optional<double> value = problem_.objective(at);
    if (!value) return {};
    return *value / unit_;
  }

  std::optional<VectorXd> gradient() const {
    if (!problem_.objective) return VectorXd(best_.at - problem_.start);
    const auto value = [this](const VectorXd& at) -> std::optional<VectorXd> {
      const auto number = goal(at);
      if (!number) return {};
      return VectorXd::Constant(1, *number);
    };
    const auto row = derivatives(value, best_.at, VectorXd::Constant(1, *goal_));
    if (!row) return {};
    return VectorXd(row->row(0).transpose());
  }

  /// Takes the first slope for the unit of an objective, so that steps and ends are the same whatever it is measured
  /// in. A slope below what differences can tell from round-off is none.
  void count_in_slopes(VectorXd& slope) {
    if (!problem_.objective) return;
    const double length = std::max(slope.norm(), 1e-6 * std::abs(*goal_));
    if (!(length > 0) || !std::isfinite(length)) return;
    unit_ = length;
    slope /= unit_;
    *goal_ /= unit_;
  }

  /// The direction, with the step shortened where the linearised problem has no solution in numbers.
  std::optional<VectorXd> shorter_direction(const VectorXd& slope) {
    constexpr int most_cuts = 20;
    for (int i = 0; i < most_cuts; ++i, step_ /= 8) {
      if (auto d = direction(slope)) return d;
    }
    return {};
  }

  /// From here to the point of the linearised conditions nearest to here − step · slope.
  std::optional<VectorXd> direction(const VectorXd& slope) {
    if (J_at_.size() != best_.at.size() || J_at_ != best_.at) {
      const auto J = derivatives(problem_.conditions, best_.at, best_.values);
      if (!J) return {};
      J_ = *J;
      J_at_ = best_.at;
    }
    MatrixXd rows = J_;
    VectorXd lack = J_ * (step_ * slope) - best_.values;
    for (Eigen::Index i = 0; i < rows.rows(); ++i) {
      const double length = std::max(rows.row(i).norm(), 1e-12);
      rows.row(i) /= length;
      lack[i] /= length;
    }
    const VectorXd moved = best_.at - step_ * slope;
    const auto z = least_distance(rows, lack, problem_.inequality, problem_.lower - moved, problem_.upper - moved, 0);
    if (!z) return {};
    return VectorXd(*z - step_ * slope);
  }

  /// Barzilai and Borwein's step: the inverse of the goal's curvature along the last move, that of the set included.
  void adapt_step(const VectorXd& downhill) {
    const VectorXd moved = best_.at - last_, turned = last_downhill_ - downhill;
    const double curvature = moved.dot(turned);
    if (curvature > 0) step_ = std::clamp(moved.squaredNorm() / curvature, 1e-3, 1e3);
  }

  /// Steps of least length miss a bound by round-off of derivatives. Unknowns that the last direction puts at a bound
  /// are put there to the bit, and the others then meet the conditions.
  void land() {
    const std::optional<VectorXd> slope = goal_ ? gradient() : std::nullopt;
    const std::optional<VectorXd> d = slope ? direction(*slope) : std::nullopt;
    if (!d) return;
    LeastChangeProblem fixed = problem_;
    const VectorXd to = inside(problem_, best_.at + *d);
    bool any = false;
    for (Eigen::Index k = 0; k < to.size(); ++k) {
      const bool bound = to[k] == problem_.lower[k] || to[k] == problem_.upper[k];
      if (!bound || to[k] == best_.at[k] || !(std::abs((*d)[k]) < 1e-7)) continue;
      fixed.lower[k] = fixed.upper[k] = to[k];
      any = true;
    }
    if (!any) return;
    LeastChangeResult landed = restore(fixed, best_.at, options_);
    if (!landed.met) return;
    landed.steps += best_.steps;
    landed.stationarity = best_.stationarity;
    for (Eigen::Index k = 0; k < to.size(); ++k) {  // told of the bounds that were given
      landed.at_bound[static_cast<std::size_t>(k)] = landed.at[k] <= problem_.lower[k]   ? -1
                                                     : landed.at[k] >= problem_.upper[k] ? 1
                                                                                         : 0;
    }
    best_ = std::move(landed);
  }

  bool go_along(const VectorXd& d) {
    for (double t = 1; t > 1e-4; t /= 2) {
      LeastChangeResult other = restore(problem_, best_.at + t * d, options_);
      if (!other.met) continue;
      const auto reached = goal(other.at);
      if (!reached || !(*reached <= *goal_ - 1e-4 * t * d.squaredNorm() / step_)) continue;
      other.steps += best_.steps;
      other.stationarity = best_.stationarity;
      best_ = std::move(other);
      goal_ = reached;
      return true;
    }
    return false;
  }

  const LeastChangeProblem& problem_;
  const LeastChangeOptions& options_;
  LeastChangeResult best_;
  std::optional<double> goal_;
  double step_ = 1, unit_ = 1;  // unit_: of the objective
  VectorXd last_, last_downhill_, J_at_;
  MatrixXd J_;
};

}  // namespace

double violation(double value, bool inequality) { return inequality ? std::min(value, 0.0) : value; }

LeastChangeResult restore(const LeastChangeProblem& problem, const VectorXd& from, const LeastChangeOptions& options) {
  return Restoration(problem, options).run(from);
}

LeastChangeResult least_change(const LeastChangeProblem& problem, const LeastChangeOptions& options) {
  LeastChangeResult best = restore(problem, problem.start, options);
  if (!best.met) return best;
  return Descent(problem, options, std::move(best)).run();
}

}  // namespace carom
