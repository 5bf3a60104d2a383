#include "carom/validation/planar_fits.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

#include "carom/scene/scene_text.h"
#include "carom/validation/planar_impact_scores.h"

namespace carom {
namespace {

/// The impacts whose fold is another than this one; −1: all.
PlanarImpacts training(const PlanarImpacts& impacts, int fold) {
  PlanarImpacts chosen{impacts.body, impacts.gyration_radius, {}, {}};
  for (const PlanarImpact& impact : impacts.impacts) {
    if (planar_fold(impact.number, fold_count) != fold) chosen.impacts.push_back(impact);
  }
  return chosen;
}

/// One fit, from the best of the starts.
FittedValues fit_values(const PlanarLaw& law, const std::function<double(const std::vector<double>&)>& objective,
                        const std::vector<std::vector<double>>& starts, const MinimumOptions& options) {
  std::vector<double> start = starts.front();
  int tried = 0;
  if (starts.size() > 1) {
    double least = std::numeric_limits<double>::infinity();
    for (const std::vector<double>& one : starts) {
      const double error = objective(one);
      ++tried;
      if (error < least) {
        least = error;
        start = one;
      }
    }
  }
  std::vector<double> lower, upper;
  for (const PlanarParameter& parameter : law.parameters) {
    lower.push_back(parameter.lower);
    upper.push_back(parameter.upper);
  }
  Minimum least{start, 0, 0};
  if (!start.empty()) least = noisy_minimum(objective, start, lower, upper, options);
  for (double& value : least.at) value = rounded(value);
  return {least.at, rounded(objective(least.at)), least.evaluations + 1 + tried};
}

}  // namespace

std::string planar_scene_name(const PlanarLaw& law, const std::string& body) {
  return body + (law.variant.empty() ? "" : "_" + law.variant) + ".yaml";
}

Scene planar_scene(const std::string& text, const std::string& file, const PlanarLaw& law,
                   const std::vector<double>& values) {
  std::vector<std::pair<std::string, double>> settings = law.fixed;
  for (std::size_t i = 0; i < values.size(); ++i) settings.emplace_back(law.parameters[i].name, values[i]);
  return scene_with(source_of(SceneText(text, file), settings), law.method);
}

std::vector<std::vector<std::int64_t>> planar_fold_numbers(const std::vector<std::int64_t>& numbers) {
  std::vector<std::set<std::int64_t>> sets(fold_count);
  for (const std::int64_t number : numbers) {
    sets[static_cast<std::size_t>(planar_fold(number, fold_count))].insert(number);
  }
  std::vector<std::vector<std::int64_t>> folds;
  folds.reserve(sets.size());
  for (const auto& fold : sets) folds.emplace_back(fold.begin(), fold.end());
  return folds;
}

std::size_t fold_of(const std::vector<std::vector<std::int64_t>>& folds, std::int64_t number) {
  const auto own = std::find_if(folds.begin(), folds.end(), [&](const auto& numbers) {
    return std::binary_search(numbers.begin(), numbers.end(), number);
  });
  return static_cast<std::size_t>(own - folds.begin());
}

void set_folds(PlanarFits& fits, const std::string& body, std::vector<std::vector<std::int64_t>> folds) {
  if (fits.folds[body] == folds) return;
  for (PlanarLaw& law : fits.laws) law.fits.erase(body);
  fits.folds[body] = std::move(folds);
}

std::vector<std::vector<std::int64_t>> planar_fold_numbers(const PlanarImpacts& impacts) {
  std::vector<std::int64_t> numbers;
  numbers.reserve(impacts.impacts.size());
  for (const PlanarImpact& impact : impacts.impacts) numbers.push_back(impact.number);
  return planar_fold_numbers(numbers);
}

PlanarBodyFit fit_by_folds(const PlanarLaw& law, const std::string& body, const std::string& text,
                           const std::string& file, const FoldObjective& objective, const MinimumOptions& options) {
  const auto objective_of = [&](int fold) {
    return
        [&, fold](const std::vector<double>& values) { return objective(planar_scene(text, file, law, values), fold); };
  };
  const auto known = law.fits.find(body);
  std::vector<double> start;
  for (const PlanarParameter& parameter : law.parameters) start.push_back(parameter.start);
  std::vector<std::vector<double>> starts{start};
  if (known != law.fits.end()) starts.push_back(known->second.all.values);
  PlanarBodyFit fit;
  fit.all = fit_values(law, objective_of(-1), starts, options);
  MinimumOptions near = options;
  near.step = options.step / 4;
  for (int fold = 0; fold < fold_count; ++fold) {
    starts = {fit.all.values};
    if (known != law.fits.end()) starts.push_back(known->second.folds.at(static_cast<std::size_t>(fold)).values);
    fit.folds.push_back(fit_values(law, objective_of(fold), starts, near));
  }
  return fit;
}

PlanarBodyFit fit_planar(const PlanarLaw& law, const std::string& text, const std::string& file,
                         const PlanarImpacts& impacts, const MinimumOptions& options,
                         const std::function<void(const std::string&)>& progress) {
  std::vector<PlanarImpacts> trainings{training(impacts, -1)};
  for (int fold = 0; fold < fold_count; ++fold) trainings.push_back(training(impacts, fold));
  PlanarBodyFit fit = fit_by_folds(
      law, impacts.body, text, file,
      [&](const Scene& scene, int fold) {
        const int place = fold + 1;  // −1: all
        const PlanarImpacts& those = trainings[static_cast<std::size_t>(place)];
        return planar_objective(those, strike_all(scene, those.impacts).after);
      },
      options);
  if (progress) {
    progress(fmt::format("{} fitted to the {}: {:.4f} after {} evaluations", law.name, impacts.body, fit.all.objective,
                         fit.all.evaluations));
  }
  return fit;
}

PlanarStrikes predict_unseen(const PlanarLaw& law, const std::string& text, const std::string& file,
                             const PlanarImpacts& impacts, const std::vector<std::vector<std::int64_t>>& folds) {
  const PlanarBodyFit& fit = law.fits.at(impacts.body);
  PlanarStrikes all;
  all.after.resize(impacts.impacts.size());
  std::vector<std::vector<std::size_t>> groups(folds.size() + 1);
  for (std::size_t i = 0; i < impacts.impacts.size(); ++i) {
    groups[fold_of(folds, impacts.impacts[i].number)].push_back(i);
  }
  for (std::size_t group = 0; group < groups.size(); ++group) {
    if (groups[group].empty()) continue;
    const std::vector<double>& values = group < folds.size() ? fit.folds[group].values : fit.all.values;
    std::vector<PlanarImpact> own;
    for (const std::size_t i : groups[group]) own.push_back(impacts.impacts[i]);
    const PlanarStrikes predicted = strike_all(planar_scene(text, file, law, values), own);
    for (std::size_t j = 0; j < own.size(); ++j) all.after[groups[group][j]] = predicted.after[j];
    keep_worst(predicted.certificate, all.certificate);
  }
  return all;
}

}  // namespace carom
