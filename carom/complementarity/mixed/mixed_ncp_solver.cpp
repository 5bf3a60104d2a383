#include "carom/complementarity/mixed/mixed_ncp_solver.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/error.h"

namespace carom {

namespace {

/// Unknowns within this many tolerances of the bound that holds are put onto it.
constexpr double snap_distance = 100;

/// Uniform in [−1, 1), one sequence for all platforms.
double uniform(std::uint64_t& state) {
  state = state * 6364136223846793005U + 1442695040888963407U;
  return static_cast<double>(state >> 11) * 0x1p-52 - 1;
}

NcpMethod other(NcpMethod method) {
  return method == NcpMethod::semismooth_newton ? NcpMethod::newton_josephy : NcpMethod::semismooth_newton;
}

}  // namespace

std::string method_name(NcpMethod method) {
  return method == NcpMethod::semismooth_newton ? "semismooth Newton" : "Newton-Josephy";
}

void MixedNcpSolver::keep_best(NcpStatus status, NcpMethod method, MixedNcpResult& result) {
  if (!(iterate_.residual() < result.residual) && result.starts > 1) return;
  result.residual = iterate_.residual();
  result.status = status;
  result.method = method;
  model_.to_original(iterate_.x().data(), best_.data());
}

/// One method from one start, given in the caller's units. True if solved.
bool MixedNcpSolver::attempt(NcpMethod method, const std::vector<double>& start, MixedNcpResult& result) {
  if (method == NcpMethod::newton_josephy && !dense_fits()) return false;
  ++result.starts;
  model_.set_proximal(0, nullptr);
  model_.to_scaled(start.data(), scaled_.data());
  bool defined = iterate_.begin(model_, scaled_.data()) && model_.linearize();
  if (defined) {
    model_.scale();
    model_.to_scaled(start.data(), scaled_.data());
    defined = iterate_.begin(model_, scaled_.data());
  }
  NcpStatus status = NcpStatus::function_undefined;
  if (defined) {
    const NcpIterate::Goal goal{.residual = options_.tolerance, .merit = -1, .max_iterations = options_.max_iterations};
    status = method == NcpMethod::semismooth_newton ? semismooth_.run(iterate_, goal, result.iterations)
                                                    : josephy_.run(iterate_, goal, result.iterations);
  }
  if (status == NcpStatus::solved && options_.polish) iterate_.polish();
  if (status == NcpStatus::solved) iterate_.snap(snap_distance * options_.tolerance, options_.tolerance);
  keep_best(status, method, result);
  return status == NcpStatus::solved;
}

/// Follows the solutions of F + λ (x − xᶜ) from the best point, the centre moving along and λ falling. True if solved.
bool MixedNcpSolver::proximal_attempt(MixedNcpResult& result) {
  constexpr int rounds = 8;
  constexpr double first_weight = 10, fall = 0.25, merit_goal = 1e-8;
  start_ = best_;
  model_.to_scaled(start_.data(), scaled_.data());
  double weight = first_weight;
  for (int round = 0; round < rounds; ++round, weight *= fall) {
    model_.set_proximal(weight, scaled_.data());
    if (!iterate_.begin(model_, scaled_.data())) break;
    const NcpIterate::Goal goal{.residual = options_.tolerance, .merit = merit_goal, .max_iterations = 30};
    const NcpStatus status = semismooth_.run(iterate_, goal, result.iterations);
    if (status != NcpStatus::solved) break;
    scaled_ = iterate_.x();
  }
  model_.to_original(scaled_.data(), start_.data());
  return attempt(options_.first, start_, result);
}

/// A point about the given one; every fourth, of unknowns with two bounds, anywhere in the box.
void MixedNcpSolver::further_start(const MixedNcp& problem, int number, std::uint64_t& random) {
  constexpr double distances[] = {1, 0.1, 10, 100};
  const double distance = distances[number % 4];
  for (std::size_t i = 0; i < start_.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    const double l = problem.lower(row), u = problem.upper(row), draw = uniform(random);
    const double size = std::max(problem.sizes.empty() ? 1 : problem.sizes[i], std::abs(given_[i]));
    const bool anywhere = number % 4 == 3 && std::isfinite(l) && std::isfinite(u);
    start_[i] = std::clamp(anywhere ? l + (u - l) * (draw + 1) / 2 : given_[i] + distance * size * draw, l, u);
  }
}

MixedNcpResult MixedNcpSolver::solve(const MixedNcp& problem, const MixedNcpOptions& options,
                                     Eigen::Ref<Eigen::VectorXd> x) {
  const auto n = static_cast<std::size_t>(problem.size());
  if (problem.upper.size() != problem.size() || x.size() != problem.size() ||
      (!problem.sizes.empty() && problem.sizes.size() != n)) {
    throw Error("The mixed complementarity problem has " + std::to_string(n) + " lower bounds, " +
                std::to_string(problem.upper.size()) + " upper ones, " + std::to_string(problem.sizes.size()) +
                " sizes and a start of " + std::to_string(x.size()) + " unknowns; all (but no sizes) must be as many.");
  }
  if (!problem.row_sizes.empty() && problem.row_sizes.size() != n) {
    throw Error("The mixed complementarity problem has " + std::to_string(problem.row_sizes.size()) +
                " sizes of rows; it must have " + std::to_string(n) + ", as many as unknowns, or none.");
  }
  options_ = options;
  model_.begin(problem);
  for (auto* buffer : {&given_, &start_, &scaled_, &best_}) buffer->resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    best_[i] = given_[i] = std::clamp(x(row), problem.lower(row), problem.upper(row));
  }
  MixedNcpResult result;
  result.residual = std::numeric_limits<double>::infinity();
  bool done = attempt(options.first, given_, result);
  if (!done && options.fall_back) {
    done = attempt(other(options.first), given_, result) || proximal_attempt(result);
    std::uint64_t random = 0x2545f4914f6cdd1dU;
    for (int number = 0; !done && number < options.further_starts; ++number) {
      further_start(problem, number, random);
      done = attempt(number % 2 == 0 ? options.first : other(options.first), start_, result);
    }
  }
  for (std::size_t i = 0; i < n; ++i) x(static_cast<Eigen::Index>(i)) = best_[i];
  result.function_calls = model_.function_calls;
  result.jacobian_calls = model_.jacobian_calls;
  return result;
}

}  // namespace carom
