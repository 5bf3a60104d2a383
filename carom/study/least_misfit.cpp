#include "carom/study/least_misfit.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
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

/// Levenberg and Marquardt's steps, by differences of half-width h, until one gains less than a part of C.
MisfitPoint gauss_newton(const Misfit& misfit, const MisfitPoint& start, const std::vector<int>& free, double h,
                         int iterations, double gain) {
  MisfitPoint best = start;
  std::optional<std::vector<VectorXd>> here = all_residuals(misfit, best.u);
  if (!here || free.empty()) return best;
  double damping = 1e-3;
  const auto n = static_cast<Eigen::Index>(free.size());
  for (int i = 0; i < iterations; ++i) {
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
      if (!(moved > 1e-12)) return best;
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
  Polish(const Misfit& misfit, const std::vector<int>& free, bool thorough) : misfit_(misfit), thorough_(thorough) {
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
  static std::vector<double> taken(const VectorXd& u, const std::vector<int>& which) {
    std::vector<double> values;
    for (const int k : which) values.push_back(u[k]);
    return values;
  }
  MinimumOptions bounded(std::size_t n, double cost, std::vector<double>& lower, std::vector<double>& upper) const {
    lower.assign(n, 0.0);
    upper.assign(n, 1.0);
    return options(n, cost);
  }

  /// The way of the experiments' own unknowns along the trend, for a change of shared ones: −(J_oᵀJ_o)⁻¹ J_oᵀ J_s each.
  MatrixXd followed(const MisfitPoint& at, std::vector<int>& own) const {
    for (const std::vector<int>& some : own_) own.insert(own.end(), some.begin(), some.end());
    const auto here = all_residuals(misfit_, at.u);
    if (!here || own.empty()) return MatrixXd::Zero(static_cast<Eigen::Index>(own.size()), std::ssize(shared_));
    const MatrixXd to_own = linearised(misfit_, at.u, *here, own, wide_difference).J;
    const MatrixXd to_shared = linearised(misfit_, at.u, *here, shared_, wide_difference).J;
    return -to_own.completeOrthogonalDecomposition().solve(to_shared);
  }

  void move_shared(MisfitPoint& at) {
    std::vector<int> own;
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
    std::vector<double> lower, upper;
    const MinimumOptions how = bounded(shared_.size(), at.cost, lower, upper);
    const Minimum found = noisy_minimum(
        [&](const std::vector<double>& values) { return std::min(cost_at(misfit_, point(values)), wall_); },
        taken(at.u, shared_), lower, upper, how);
    if (found.value < at.cost) at = {point(found.at), found.value};
  }

  void move_own(MisfitPoint& at) {
    std::vector<VectorXd> moved(own_.size(), at.u);
    tbb::parallel_for(std::size_t{0}, own_.size(), [&](std::size_t e) {
      if (own_[e].empty() || !(misfit_.weight[e] > 0)) return;
      const auto place = [&](const std::vector<double>& values) {
        VectorXd u = at.u;
        for (std::size_t i = 0; i < values.size(); ++i) u[own_[e][i]] = values[i];
        return u;
      };
      const int experiment = static_cast<int>(e);
      const double before = cost_of_experiment(misfit_, experiment, at.u);
      std::vector<double> lower, upper;
      const MinimumOptions how = bounded(own_[e].size(), before, lower, upper);
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
  std::vector<int> shared_;
  std::vector<std::vector<int>> own_;  ///< by experiment
  double wall_ = 0;                    ///< C in place of an infinite one, for models of the function
};

}  // namespace

std::vector<int> all_but(int n, int left_out) {
  std::vector<int> numbers;
  for (int k = 0; k < n; ++k) {
    if (k != left_out) numbers.push_back(k);
  }
  return numbers;
}

MisfitPoint least_misfit(const Misfit& misfit, const VectorXd& start, const std::vector<int>& free, bool smooth,
                         bool thorough) {
  const MisfitPoint from{start, cost_at(misfit, start)};
  if (free.empty()) return from;
  if (smooth) return gauss_newton(misfit, from, free, smooth_difference, thorough ? 60 : 25, thorough ? 1e-9 : 1e-6);
  const MisfitPoint near = gauss_newton(misfit, from, free, wide_difference, thorough ? 15 : 5, 1e-4);
  return Polish(misfit, free, thorough).run(near);
}

StartsResult least_misfit_of_starts(const Misfit& misfit, const VectorXd& start, int starts, std::uint64_t seed) {
  const int n = misfit.unknowns();
  std::vector<VectorXd> from{start};
  for (const std::vector<double>& point : unit_points(SweepSampling::latin, seed, std::max(0, starts - 1), n)) {
    from.emplace_back(Eigen::Map<const VectorXd>(point.data(), n));
  }
  StartsResult result;
  result.starts = static_cast<int>(from.size());
  // Around the start, since elsewhere in the ranges it may be another motion altogether.
  std::vector<VectorXd> points{start};
  for (const std::vector<double>& point : unit_points(SweepSampling::random, seed, 2, n)) {
    VectorXd near = start;
    for (int k = 0; k < n; ++k) {
      near[k] = std::clamp(start[k] + 0.1 * (point[static_cast<std::size_t>(k)] - 0.5), 0.0, 1.0);
    }
    points.push_back(std::move(near));
  }
  result.smoothness = smoothness(misfit, points);
  const auto search = [&](bool smooth, const std::vector<VectorXd>& starting) {
    std::vector<MisfitPoint> ends(starting.size());
    tbb::parallel_for(std::size_t{0}, starting.size(),
                      [&](std::size_t i) { ends[i] = least_misfit(misfit, starting[i], all_but(n), smooth, true); });
    return ends;
  };
  std::vector<MisfitPoint> ends = search(result.smoothness.smooth, from);
  const auto lower = [](const MisfitPoint& a, const MisfitPoint& b) { return a.cost < b.cost; };
  result.best = *std::min_element(ends.begin(), ends.end(), lower);
  if (result.smoothness.smooth) {
    const Smoothness there = smoothness(misfit, {result.best.u});
    result.smoothness.worst = std::max(result.smoothness.worst, there.worst);
    if (!there.smooth) {
      result.smoothness = there;
      ends = search(false, {result.best.u});
      result.best = ends.front();
      result.starts = 1;
    }
  }
  for (const MisfitPoint& end : ends) result.agreeing += end.cost < result.best.cost + 0.1 ? 1 : 0;
  return result;
}

}  // namespace carom
