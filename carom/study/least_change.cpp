#include "carom/study/least_change.h"

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <nlopt.hpp>

#include "carom/complementarity/linear/nonnegative_least_squares.h"

namespace carom {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double difference = 6e-6;    // cube root of the unit round-off, in units of y
constexpr double elastic_weight = 30;  // ω of steps where the linearised conditions contradict each other
constexpr double infinity = std::numeric_limits<double>::infinity();

VectorXd inside(const LeastChangeProblem& problem, const VectorXd& y) {
  return y.cwiseMax(problem.lower).cwiseMin(problem.upper);
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

/// The z of least length with J z = c for equalities, J z ≥ c otherwise, low ≤ z ≤ high; with weight > 0 conditions may
/// be missed by e at the price of weight² ‖e‖². Empty if there is none.
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
  for (std::size_t i = 0; i < columns.size(); ++i) E.col(static_cast<Eigen::Index>(i)) = columns[i];
  VectorXd u(E.cols());
  const NonnegativeResult result =
      nonnegative_least_squares(E, VectorXd::Unit(n + slack + 1, n + slack), free, {}, u);
  const double left = 1 - E.row(n + slack).dot(u);
  if (!result.converged || !(left > 1e-10)) return {};
  return VectorXd(E.topRows(n) * u / left);
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

  /// Goes along d, halved until the violation falls.
  bool try_along(const VectorXd& d, const VectorXd& violated) {
    const double before = measure(violated);
    for (double t = 1; t > 1e-9; t /= 2) {
      const VectorXd to = inside(problem_, result_.at + t * d);
      const std::optional<VectorXd> values = problem_.conditions(to);
      if (!values || !(measure(violations(problem_, *values)) < (1 - 1e-4 * t) * before)) continue;
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

/// What NLopt's callbacks share. Conditions and their derivatives at the last point are kept: it asks for equalities and
/// inequalities apart.
struct Minimisation {
  const LeastChangeProblem& problem;
  VectorXd y, values;
  MatrixXd J;
  std::exception_ptr thrown = nullptr;

  std::optional<VectorXd> goal(const VectorXd& at) const {
    const auto value = problem.objective(at);
    if (!value) return {};
    return VectorXd::Constant(1, *value);
  }

  double objective(const VectorXd& at, double* gradient) const {
    if (!problem.objective) {
      if (gradient != nullptr) Eigen::Map<VectorXd>(gradient, at.size()) = at - problem.start;
      return 0.5 * (at - problem.start).squaredNorm();
    }
    const auto value = goal(at);
    if (!value) throw nlopt::forced_stop();
    if (gradient != nullptr) {
      const auto slope = derivatives([this](const VectorXd& x) { return goal(x); }, at, *value);
      if (!slope) throw nlopt::forced_stop();
      Eigen::Map<VectorXd>(gradient, at.size()) = slope->row(0);
    }
    return (*value)[0];
  }

  void go_to(const VectorXd& at) {
    if (y.size() == at.size() && y == at) return;
    const auto here = problem.conditions(at);
    if (!here) throw nlopt::forced_stop();
    const auto slope = derivatives(problem.conditions, at, *here);
    if (!slope) throw nlopt::forced_stop();
    y = at;
    values = *here;
    J = *slope;
  }

  /// NLopt's conditions of one kind: = 0, or ≤ 0.
  void tell(bool inequalities, double* result, double* gradient) const {
    const double sign = inequalities ? -1 : 1;
    Eigen::Index row = 0;
    for (Eigen::Index i = 0; i < values.size(); ++i) {
      if (problem.inequality[i] != inequalities) continue;
      result[row] = sign * values[i];
      if (gradient != nullptr) Eigen::Map<VectorXd>(gradient + row * J.cols(), J.cols()) = sign * J.row(i);
      ++row;
    }
  }
};

template <class Work>
void guarded(Minimisation& shared, Work&& work) {
  try {
    work();
  } catch (const nlopt::forced_stop&) {
    throw;
  } catch (...) {
    shared.thrown = std::current_exception();
    throw nlopt::forced_stop();
  }
}

double objective_callback(unsigned n, const double* y, double* gradient, void* data) {
  auto* shared = static_cast<Minimisation*>(data);
  double value = 0;
  guarded(*shared, [&] { value = shared->objective(Eigen::Map<const VectorXd>(y, n), gradient); });
  return value;
}

template <bool inequalities>
void conditions_callback(unsigned /*m*/, double* result, unsigned n, const double* y, double* gradient, void* data) {
  auto* shared = static_cast<Minimisation*>(data);
  guarded(*shared, [&] {
    shared->go_to(Eigen::Map<const VectorXd>(y, n));
    shared->tell(inequalities, result, gradient);
  });
}

/// Where SLSQP ends from a point; the point itself if it gets nowhere.
VectorXd minimised(const LeastChangeProblem& problem, const VectorXd& from, const LeastChangeOptions& options) {
  const auto n = static_cast<unsigned>(from.size());
  Minimisation shared{problem, {}, {}, {}};
  nlopt::opt optimizer(nlopt::LD_SLSQP, n);
  optimizer.set_min_objective(objective_callback, &shared);
  const auto inequalities = static_cast<std::size_t>(std::count(problem.inequality.begin(), problem.inequality.end(), true));
  const std::size_t equalities = problem.inequality.size() - inequalities;
  if (equalities > 0) {
    optimizer.add_equality_mconstraint(conditions_callback<false>, &shared, std::vector<double>(equalities, 1e-10));
  }
  if (inequalities > 0) {
    optimizer.add_inequality_mconstraint(conditions_callback<true>, &shared, std::vector<double>(inequalities, 1e-10));
  }
  std::vector<double> lower(n), upper(n), at(n);
  for (unsigned k = 0; k < n; ++k) {
    lower[k] = std::isfinite(problem.lower[k]) ? problem.lower[k] : -HUGE_VAL;
    upper[k] = std::isfinite(problem.upper[k]) ? problem.upper[k] : HUGE_VAL;
    at[k] = from[k];
  }
  optimizer.set_lower_bounds(lower);
  optimizer.set_upper_bounds(upper);
  optimizer.set_xtol_abs(1e-12);
  optimizer.set_maxeval(options.max_evaluations);
  try {
    optimizer.optimize(at);
  } catch (const nlopt::roundoff_limited&) {  // as good as it gets
  } catch (const std::exception&) {           // the point reached stands, and is restored and compared
    if (shared.thrown) std::rethrow_exception(shared.thrown);
  }
  return Eigen::Map<const VectorXd>(at.data(), n);
}

double goal_of(const LeastChangeProblem& problem, const VectorXd& at) {
  if (!problem.objective) return (at - problem.start).norm();
  return problem.objective(at).value_or(infinity);
}

}  // namespace

double violation(double value, bool inequality) { return inequality ? std::min(value, 0.0) : value; }

LeastChangeResult restore(const LeastChangeProblem& problem, const VectorXd& from, const LeastChangeOptions& options) {
  return Restoration(problem, options).run(from);
}

LeastChangeResult least_change(const LeastChangeProblem& problem, const LeastChangeOptions& options) {
  LeastChangeResult best = restore(problem, problem.start, options);
  if (!best.met) return best;
  const VectorXd lower = minimised(problem, best.at, options);
  if (lower.allFinite()) {
    LeastChangeResult other = restore(problem, lower, options);
    other.steps += best.steps;
    if (other.met && goal_of(problem, other.at) <= goal_of(problem, best.at)) best = std::move(other);
  }
  if (problem.objective) return best;
  const auto J = derivatives(problem.conditions, best.at, best.values);
  if (!J) return best;
  const VectorXd c = *J * (best.at - problem.start) - best.values;
  const auto nearest = least_distance(*J, c, problem.inequality, problem.lower - problem.start,
                                      problem.upper - problem.start, 0);
  if (nearest) best.stationarity = (*nearest - (best.at - problem.start)).norm();
  return best;
}

}  // namespace carom
