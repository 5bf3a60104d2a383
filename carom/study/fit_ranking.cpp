#include "carom/study/fit_ranking.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "carom/study/bootstrap.h"
#include "carom/study/cube_fits.h"

namespace carom {
namespace {

using Eigen::VectorXd;

constexpr double none = std::numeric_limits<double>::quiet_NaN();

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Mean loss of each experiment, by the fit to all.
std::vector<double> own_losses(const MethodFit& fit, const Misfit& misfit) {
  std::vector<double> losses;
  for (int e = 0; e < misfit.experiments(); ++e) {
    losses.push_back(2 * cost_of_experiment(misfit, e, fit.best().u) / static_cast<double>(fit.rows(e).size()));
  }
  return losses;
}

/// Mean loss of each experiment by the fit to the experiments of other folds.
std::vector<double> held_out_losses(const MethodFit& fit, const Misfit& misfit,
                                    const std::vector<std::vector<int>>& folds) {
  std::vector<double> losses(static_cast<std::size_t>(misfit.experiments()), none);
  std::vector<int> shared, own;
  for (int k = 0; k < misfit.unknowns(); ++k) {
    (misfit.owner[static_cast<std::size_t>(k)] < 0 ? shared : own).push_back(k);
  }
  tbb::parallel_for(std::size_t{0}, folds.size(), [&](std::size_t f) {
    Misfit others = misfit, held = misfit;
    held.weight.assign(held.weight.size(), 0.0);
    for (const int e : folds[f]) {
      others.weight[static_cast<std::size_t>(e)] = 0;
      held.weight[static_cast<std::size_t>(e)] = 1;
    }
    VectorXd u = least_misfit(others, fit.best().u, all_but(misfit.unknowns()), fit.smooth(), true).u;
    u = least_misfit(held, u, own, fit.smooth(), true).u;
    for (const int e : folds[f]) {
      losses[static_cast<std::size_t>(e)] =
          2 * cost_of_experiment(misfit, e, u) / static_cast<double>(std::max<std::size_t>(1, fit.rows(e).size()));
    }
  });
  return losses;
}

}  // namespace

std::vector<RankedMethod> ranked(const std::vector<TriedMethod>& tried, const FitStudy& study,
                                 std::vector<std::size_t>& order) {
  const MethodFit* first = nullptr;
  double least = 0;
  for (const TriedMethod& method : tried) {
    if (!method.fit) continue;
    const double cost =
        cost_at(method.fit->misfit_in(tried.front().fit ? tried.front().fit->noise() : method.fit->noise()),
                method.fit->best().u);
    if (first != nullptr && !(cost < least)) continue;
    first = method.fit.get();
    least = cost;
  }
  std::vector<RankedMethod> all;
  std::vector<std::vector<double>> losses;
  for (const TriedMethod& method : tried) {
    RankedMethod one{method.name, none, none, none, none, method.left_out};
    losses.emplace_back();
    if (method.fit) {
      const Misfit misfit = method.fit->misfit_in(first->noise());
      losses.back() = own_losses(*method.fit, misfit);
      one.misfit = std::sqrt(mean_of(losses.back()));
      if (study.folds > 0) {
        losses.back() = held_out_losses(*method.fit, misfit, deal_folds(misfit.experiments(), study.folds));
        one.held_out = std::sqrt(mean_of(losses.back()));
      }
    }
    all.push_back(std::move(one));
  }
  order.resize(tried.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto rank = [&](std::size_t i) {
    const double misfit = study.folds > 0 ? all[i].held_out : all[i].misfit;
    return std::isnan(misfit) ? std::numeric_limits<double>::infinity() : misfit;
  };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
  std::vector<RankedMethod> sorted;
  for (const std::size_t i : order) {
    const std::vector<double>& best = losses[order.front()];
    if (i != order.front() && !losses[i].empty() && best.size() > 1) {
      std::vector<double> differences;
      for (std::size_t e = 0; e < best.size(); ++e) differences.push_back(losses[i][e] - best[e]);
      const Interval interval = bootstrap_mean(differences);
      all[i].low = interval.lower;
      all[i].high = interval.upper;
    }
    sorted.push_back(all[i]);
  }
  return sorted;
}

}  // namespace carom
