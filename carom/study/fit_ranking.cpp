#include "carom/study/fit_ranking.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "carom/study/bootstrap.h"
#include "carom/study/folds.h"
#include "carom/study/no_number.h"

namespace carom {
namespace {

using Eigen::VectorXd;

constexpr double alike = 1e-6;  // part of a misfit by which two that are the same may differ

/// Mean over experiments that have a loss.
double mean_of(const std::vector<double>& values) {
  double sum = 0, count = 0;
  for (const double value : values) {
    if (std::isnan(value)) continue;
    sum += value;
    count += 1;
  }
  return sum / count;
}

/// Mean loss of an experiment; NaN where nothing of it was measured.
double loss_of(const MethodFit& fit, const Misfit& misfit, int experiment, const VectorXd& u) {
  const std::size_t rows = fit.rows(experiment).size();
  return rows == 0 ? none : 2 * cost_of_experiment(misfit, experiment, u) / static_cast<double>(rows);
}

/// Mean loss of each experiment, by the fit to all.
std::vector<double> own_losses(const MethodFit& fit, const Misfit& misfit) {
  std::vector<double> losses;
  losses.reserve(misfit.weight.size());
  for (int e = 0; e < misfit.experiments(); ++e) losses.push_back(loss_of(fit, misfit, e, fit.best().u));
  return losses;
}

/// Mean loss of each experiment by the fit to the experiments of other folds. Each search begins where the study does,
/// because the fit to all has seen the experiments left out.
std::vector<double> held_out_losses(const MethodFit& fit, const Misfit& misfit, const FitStudy& study) {
  const std::vector<std::vector<int>> folds = deal_folds(misfit.experiments(), study.folds);
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
    VectorXd u = least_misfit_of_starts(others, fit.trial().start(), starts_options(study)).best.u;
    u = least_misfit(held, u, own, fit.smooth(), {.thorough = true, .runs = study.runs}).u;
    for (const int e : folds[f]) {
      losses[static_cast<std::size_t>(e)] = loss_of(fit, misfit, e, u);
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
        losses.back() = held_out_losses(*method.fit, misfit, study);
        one.held_out = std::sqrt(mean_of(losses.back()));
      }
    }
    all.push_back(std::move(one));
  }
  order.resize(tried.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto rank = [&](std::size_t i) {
    const double misfit = study.folds > 0 ? all[i].held_out : all[i].misfit;
    // Methods that differ by round-off stay in the study's order.
    return std::isnan(misfit) ? std::numeric_limits<double>::infinity() : std::round(std::log(misfit) / alike);
  };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
  std::vector<RankedMethod> sorted;
  for (const std::size_t i : order) {
    const std::vector<double>& best = losses[order.front()];
    if (i != order.front() && !losses[i].empty() && best.size() > 1) {
      std::vector<double> differences;
      for (std::size_t e = 0; e < best.size(); ++e) {
        const double difference = losses[i][e] - best[e];
        if (!std::isnan(difference)) differences.push_back(std::abs(difference) > alike * best[e] ? difference : 0);
      }
      if (differences.size() < 2) {
        sorted.push_back(all[i]);
        continue;
      }
      const Interval interval = bootstrap_mean(differences);
      all[i].low = interval.lower;
      all[i].high = interval.upper;
    }
    sorted.push_back(all[i]);
  }
  return sorted;
}

}  // namespace carom
