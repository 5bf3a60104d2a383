#include "carom/study/least_misfit.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>

#include "carom/study/noisy_minimum.h"
#include "carom/study/sweep_draws.h"

namespace carom {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Residuals one below the other and their derivatives, both with the roots of weights and slopes of the loss.
struct Linear {
  VectorXd r;
  MatrixXd J;
};

Linear linearised(const Misfit& misfit, const VectorXd& u, const std::vector<VectorXd>& here,
                  const std::vector<int>& free, double h) {
  Linear linear{VectorXd(), jacobian(misfit, u, here, free, h)};
  linear.r.resize(linear.J.rows());
  Eigen::Index row = 0;
  for (std::size_t e = 0; e < here.size(); ++e) {
    for (const double r : here[e]) {
      const double root = std::sqrt(misfit.weight[e] * loss_at(misfit.loss, r * r).slope);
      linear.r[row] = root * r;
      linear.J.row(row++) *= root;
    }
  }
  return linear;
}

/// Counts simulations against a budget. Searches ask between steps, when nothing runs, so that they end at the same
/// point on any number of threads.
class Budget {
 public:
  explicit Budget(std::int64_t runs) : runs_(runs) {}

  /// The same misfit, counted.
  Misfit counted(const Misfit& misfit) {
    Misfit same = misfit;
    same.residuals = [this, &misfit](int experiment, const VectorXd& u) {
      ++spent_;
      return misfit.residuals(experiment, u);
    };
    return same;
  }
  bool bounded() const { return runs_ > 0; }
  std::int64_t spent() const { return spent_; }
  std::int64_t left() const { return std::max<std::int64_t>(0, runs_ - spent_); }
  bool has(std::int64_t runs) const { return !bounded() || runs <= left(); }
  /// False, and the search is cut, if so many more runs would not fit.
  bool allows(std::int64_t runs) {
    if (has(runs)) return true;
    cut_ = true;
    return false;
  }
  void cut_short() { cut_ = true; }
  bool cut() const { return cut_; }

 private:
  std::int64_t runs_;
  std::atomic<std::int64_t> spent_ = 0;
  bool cut_ = false;
};

/// Simulations of an evaluation.
std::int64_t runs_of_all(const Misfit& misfit) { return std::ssize(counted_experiments(misfit)); }

/// Simulations that central differences by the unknowns of `free` take.
std::int64_t runs_of_jacobian(const Misfit& misfit, const std::vector<int>& free) {
  std::int64_t runs = 0;
  for (const int k : free) {
    const int owner = misfit.owner[static_cast<std::size_t>(k)];
    if (owner < 0) {
      runs += 2 * runs_of_all(misfit);
    } else if (misfit.weight[static_cast<std::size_t>(owner)] > 0) {
      runs += 2;
    }
  }
  return runs;
}

/// Levenberg and Marquardt's steps, by differences of half-width h, until one gains less than a part of C.
MisfitPoint gauss_newton(const Misfit& misfit, const VectorXd& start, const std::vector<int>& free, double h,
                         int iterations, double gain, Budget& budget) {
  std::optional<std::vector<VectorXd>> here = all_residuals(misfit, start);
  MisfitPoint best{start, here ? cost_of(misfit, *here) : std::numeric_limits<double>::infinity()};
  if (!here || free.empty()) return best;
  double damping = 1e-3;
  const auto n = static_cast<Eigen::Index>(free.size());
  for (int i = 0; i < iterations; ++i) {
    if (!budget.allows(runs_of_jacobian(misfit, free) + runs_of_all(misfit))) return best;
    const Linear linear = linearised(misfit, best.u, *here, free, h);
    VectorXd g = linear.J.transpose() * linear.r;
    MatrixXd H = linear.J.transpose() * linear.J;
    const double least = 1e-12 * std::max(H.diagonal().maxCoeff(), 1e-300);
    for (Eigen::Index k = 0; k < n; ++k) {
      const double at = best.u[free[static_cast<std::size_t>(k)]];
      const bool held = (at <= 0 && g[k] > 0) || (at >= 1 && g[k] < 0) || !(H(k, k) > least);
      if (!held) continue;
      g[k] = 0;
      H.row(k).setZero();
      H.col(k).setZero();
      H(k, k) = 1;
    }
    const double before = best.cost;
    double moved = 0;
    bool went = false;
    for (; damping < 1e9 && !went; damping *= 6) {
      MatrixXd damped = H;
      damped.diagonal() *= 1 + damping;
      const VectorXd d = damped.ldlt().solve(-g);
      MisfitPoint trial = best;
      for (Eigen::Index k = 0; k < n; ++k) {
        double& at = trial.u[free[static_cast<std::size_t>(k)]];
        at = std::clamp(at + d[k], 0.0, 1.0);
      }
      moved = (trial.u - best.u).cwiseAbs().maxCoeff();
      if (!(moved > 1e-12) || !budget.allows(runs_of_all(misfit))) return best;
      auto residuals = all_residuals(misfit, trial.u);
      if (!residuals) continue;
      trial.cost = cost_of(misfit, *residuals);
      if (!(trial.cost < best.cost)) continue;
      best = trial;
      here = std::move(residuals);
      went = true;
    }
    if (!went) return best;
    damping = std::max(damping / 36, 1e-10);
    if (before - best.cost < gain * before && moved < 1e-3) return best;
  }
  return best;
}

/// Methods without derivatives, in turns over shared unknowns and those of each experiment.
class Polish {
 public:
  Polish(const Misfit& misfit, const std::vector<int>& free, bool thorough, Budget& budget)
      : misfit_(misfit), thorough_(thorough), budget_(budget) {
    own_.resize(misfit.weight.size());
    for (const int k : free) {
      const int owner = misfit.owner[static_cast<std::size_t>(k)];
      (owner < 0 ? shared_ : own_[static_cast<std::size_t>(owner)]).push_back(k);
    }
  }

  MisfitPoint run(MisfitPoint at) {
    wall_ = 10 * at.cost + 1e3;
    const bool mixed = !shared_.empty() && has_own();
    for (int round = 0; round < (mixed && thorough_ ? 3 : 1); ++round) {
      const double before = at.cost;
      if (!shared_.empty()) move_shared(at);
      if (has_own()) move_own(at);
      if (budget_.cut()) break;
      if (before - at.cost < 1e-4 * before) break;
    }
    return at;
  }

 private:
  bool has_own() const {
    return std::any_of(own_.begin(), own_.end(), [](const auto& some) { return !some.empty(); });
  }
  MinimumOptions options(std::size_t unknowns, double cost) const {
    const auto n = static_cast<int>(unknowns);
    MinimumOptions options;
    options.evaluations = thorough_ ? 60 + 60 * n : 10 + 25 * n;
    options.step = thorough_ ? 0.05 : 0.01;
    options.resolution = 1e-6;
    options.gain = 0.005 / std::max(cost, 0.005);  // a hundredth of what a quantile of an interval's end is worth
    return options;
  }
  /// So many evaluations of `runs` simulations each, or as many as the budget has left.
  int within_budget(int evaluations, std::int64_t runs) const {
    if (!budget_.bounded() || evaluations * runs <= budget_.left()) return evaluations;
    return static_cast<int>(budget_.left() / runs);
  }
  static std::vector<double> taken(const VectorXd& u, const std::vector<int>& which) {
    std::vector<double> values;
    values.reserve(which.size());
    for (const int k : which) values.push_back(u[k]);
    return values;
  }

  /// The way of the experiments' own unknowns along the trend, for a change of shared ones: −(J_oᵀJ_o)⁻¹ J_oᵀ J_s each.
  MatrixXd followed(const MisfitPoint& at, const std::vector<int>& own) {
    MatrixXd staying = MatrixXd::Zero(static_cast<Eigen::Index>(own.size()), std::ssize(shared_));
    const std::int64_t runs =
        runs_of_all(misfit_) + runs_of_jacobian(misfit_, own) + runs_of_jacobian(misfit_, shared_);
    if (own.empty() || !budget_.has(runs)) return staying;
    const auto here = all_residuals(misfit_, at.u);
    if (!here) return staying;
    const MatrixXd to_own = linearised(misfit_, at.u, *here, own, wide_difference).J;
    const MatrixXd to_shared = linearised(misfit_, at.u, *here, shared_, wide_difference).J;
    return -to_own.completeOrthogonalDecomposition().solve(to_shared);
  }

  void move_shared(MisfitPoint& at) {
    std::vector<int> own;
    for (const std::vector<int>& some : own_) own.insert(own.end(), some.begin(), some.end());
    const MatrixXd follow = followed(at, own);
    const MisfitPoint from = at;
    const auto point = [&](const std::vector<double>& values) {
      VectorXd u = from.u, change(std::ssize(shared_));
      for (std::size_t i = 0; i < shared_.size(); ++i) {
        u[shared_[i]] = values[i];
        change[static_cast<Eigen::Index>(i)] = values[i] - from.u[shared_[i]];
      }
      const VectorXd with = follow * change;
      for (std::size_t i = 0; i < own.size(); ++i) {
        u[own[i]] = std::clamp(u[own[i]] + with[static_cast<Eigen::Index>(i)], 0.0, 1.0);
      }
      return u;
    };
    const std::vector<double> lower(shared_.size(), 0.0), upper(shared_.size(), 1.0);
    MinimumOptions how = options(shared_.size(), at.cost);
    const int wanted = how.evaluations;
    how.evaluations = within_budget(wanted, runs_of_all(misfit_));
    if (how.evaluations < 1) return budget_.cut_short();
    const Minimum found = noisy_minimum(
        [&](const std::vector<double>& values) { return std::min(cost_at(misfit_, point(values)), wall_); },
        taken(at.u, shared_), lower, upper, how);
    if (how.evaluations < wanted && found.evaluations >= how.evaluations) budget_.cut_short();
    if (found.value < at.cost) at = {point(found.at), found.value};
  }

  void move_own(MisfitPoint& at) {
    std::vector<VectorXd> moved(own_.size(), at.u);
    std::int64_t sharing = 0;
    std::size_t most = 0;
    for (std::size_t e = 0; e < own_.size(); ++e) {
      if (own_[e].empty() || !(misfit_.weight[e] > 0)) continue;
      ++sharing;
      most = std::max(most, own_[e].size());
    }
    if (sharing == 0) return;
    const int wanted = options(most, 0).evaluations;
    const int evaluations = within_budget(wanted + 2, sharing) - 2;  // of each, beside those at its ends
    if (evaluations < wanted) budget_.cut_short();
    if (evaluations < 1) return;
    tbb::parallel_for(std::size_t{0}, own_.size(), [&](std::size_t e) {
      if (own_[e].empty() || !(misfit_.weight[e] > 0)) return;
      const auto place = [&](const std::vector<double>& values) {
        VectorXd u = at.u;
        for (std::size_t i = 0; i < values.size(); ++i) u[own_[e][i]] = values[i];
        return u;
      };
      const int experiment = static_cast<int>(e);
      const double before = cost_of_experiment(misfit_, experiment, at.u);
      const std::vector<double> lower(own_[e].size(), 0.0), upper(own_[e].size(), 1.0);
      MinimumOptions how = options(own_[e].size(), before);
      how.evaluations = std::min(how.evaluations, evaluations);
      const Minimum found = noisy_minimum(
          [&](const std::vector<double>& values) {
            return std::min(cost_of_experiment(misfit_, experiment, place(values)), wall_);
          },
          taken(at.u, own_[e]), lower, upper, how);
      if (found.value < before) moved[e] = place(found.at);
    });
    MisfitPoint next = at;
    for (std::size_t e = 0; e < own_.size(); ++e) {
      for (const int k : own_[e]) next.u[k] = moved[e][k];
    }
    next.cost = cost_at(misfit_, next.u);
    if (next.cost < at.cost) at = next;
  }

  const Misfit& misfit_;
  bool thorough_;
  Budget& budget_;
  std::vector<int> shared_;
  std::vector<std::vector<int>> own_;  ///< by experiment
  double wall_ = 0;                    ///< C in place of an infinite one, for models of the function
};

/// The start and two points around it. Elsewhere in the ranges it may be another motion altogether.
std::vector<VectorXd> points_near(const VectorXd& start, std::uint64_t seed) {
  const int n = static_cast<int>(start.size());
  std::vector<VectorXd> points{start};
  for (const std::vector<double>& point : unit_points(SweepSampling::random, seed, 2, n)) {
    VectorXd near = start;
    for (int k = 0; k < n; ++k) {
      near[k] = std::clamp(start[k] + 0.1 * (point[static_cast<std::size_t>(k)] - 0.5), 0.0, 1.0);
    }
    points.push_back(std::move(near));
  }
  return points;
}

}  // namespace

std::vector<int> all_but(int n, int left_out) {
  std::vector<int> numbers;
  for (int k = 0; k < n; ++k) {
    if (k != left_out) numbers.push_back(k);
  }
  return numbers;
}

MisfitPoint least_misfit(const Misfit& misfit, const VectorXd& start, const std::vector<int>& free, bool smooth,
                         const SearchEffort& effort) {
  Budget budget(effort.runs);
  const Misfit counted = budget.counted(misfit);
  const bool thorough = effort.thorough;
  MisfitPoint best;
  if (smooth) {
    best = gauss_newton(counted, start, free, smooth_difference, thorough ? 60 : 25, thorough ? 1e-9 : 1e-6, budget);
  } else {
    constexpr int fewest = 5;
    const bool has_steps = budget.has(fewest * (runs_of_jacobian(misfit, free) + runs_of_all(misfit)));
    best = gauss_newton(counted, start, free, wide_difference, !has_steps ? 0 : thorough ? 15 : 5, 1e-4, budget);
    if (!free.empty()) best = Polish(counted, free, thorough, budget).run(best);
  }
  best.cut = budget.cut();
  best.runs = budget.spent();
  return best;
}

StartsResult least_misfit_of_starts(const Misfit& misfit, const VectorXd& start, const StartsOptions& options) {
  const int n = misfit.unknowns();
  std::vector<VectorXd> from{start};
  std::int64_t starts = std::max(1, options.starts);
  if (options.runs > 0) {
    starts = std::clamp<std::int64_t>(options.runs / std::max<std::int64_t>(1, runs_of_all(misfit)), 1, starts);
  }
  for (const std::vector<double>& point :
       unit_points(SweepSampling::latin, options.seed, static_cast<int>(starts) - 1, n)) {
    from.emplace_back(Eigen::Map<const VectorXd>(point.data(), n));
  }
  StartsResult result;
  result.starts = static_cast<int>(from.size());
  if (options.smooth) {
    result.smoothness.smooth = *options.smooth;
  } else {
    result.smoothness = smoothness(misfit, points_near(start, options.seed));
  }
  SearchEffort effort{.thorough = true, .runs = options.runs / starts};
  std::int64_t spent = 0;
  const auto search = [&](bool smooth, const std::vector<VectorXd>& starting) {
    std::vector<MisfitPoint> ends(starting.size());
    tbb::parallel_for(std::size_t{0}, starting.size(),
                      [&](std::size_t i) { ends[i] = least_misfit(misfit, starting[i], all_but(n), smooth, effort); });
    for (const MisfitPoint& end : ends) {
      spent += end.runs;
      result.cut = result.cut || end.cut;
    }
    return ends;
  };
  std::vector<MisfitPoint> ends = search(result.smoothness.smooth, from);
  const auto lower = [](const MisfitPoint& a, const MisfitPoint& b) { return a.cost < b.cost; };
  result.best = *std::min_element(ends.begin(), ends.end(), lower);
  if (result.smoothness.smooth && !options.smooth) {
    const Smoothness there = smoothness(misfit, {result.best.u});
    result.smoothness.worst = std::max(result.smoothness.worst, there.worst);
    if (!there.smooth) {
      result.smoothness = there;
      if (options.runs > 0) effort.runs = std::max<std::int64_t>(1, options.runs - spent);
      ends = search(false, {result.best.u});
      result.best = ends.front();
      result.starts = 1;
    }
  }
  for (const MisfitPoint& end : ends) result.agreeing += end.cost < result.best.cost + 0.1 ? 1 : 0;
  return result;
}

}  // namespace carom
