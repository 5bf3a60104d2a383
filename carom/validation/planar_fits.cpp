#include "carom/validation/planar_fits.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "carom/error.h"
#include "carom/scene/scene_text.h"
#include "carom/validation/planar_impact_scores.h"

namespace carom {
namespace {

using Json = nlohmann::ordered_json;

std::vector<std::string> names_of(const PlanarLaw& law) {
  std::vector<std::string> names;
  for (const PlanarParameter& parameter : law.parameters) names.push_back(parameter.name);
  return names;
}

PlanarLaw law_of(const Json& object) {
  PlanarLaw law;
  law.name = object.at("name").get<std::string>();
  law.title = object.at("title").get<std::string>();
  law.method.stepper = parse_stepper(object.at("stepper").get<std::string>());
  law.method.law = parse_law(object.at("law").get<std::string>());
  if (object.contains("variant")) law.variant = object.at("variant").get<std::string>();
  if (object.contains("fixed")) {
    for (const auto& [name, value] : object.at("fixed").items()) law.fixed.emplace_back(name, value.get<double>());
  }
  for (const auto& [name, value] : object.at("fitted").items()) {
    law.parameters.push_back({name, value.at("start").get<double>(), value.at("between").at(0).get<double>(),
                              value.at("between").at(1).get<double>()});
  }
  if (object.contains("published")) law.published = object.at("published").get<decltype(law.published)>();
  if (!object.contains("values")) return law;
  const std::vector<std::string> names = names_of(law);
  for (const auto& [body, values] : object.at("values").items()) {
    PlanarBodyFit& fit = law.fits[body];
    fit.all = fitted_of(names, values.at("all"));
    for (const Json& fold : values.at("folds")) fit.folds.push_back(fitted_of(names, fold));
  }
  return law;
}

Json json_of(const PlanarLaw& law) {
  Json object;
  object["name"] = law.name;
  object["title"] = law.title;
  object["stepper"] = stepper_name(law.method.stepper);
  object["law"] = law_name(law.method.law);
  if (!law.variant.empty()) object["variant"] = law.variant;
  for (const auto& [name, value] : law.fixed) object["fixed"][name] = value;
  object["fitted"] = Json::object();
  for (const PlanarParameter& parameter : law.parameters) {
    object["fitted"][parameter.name] = {{"start", parameter.start}, {"between", {parameter.lower, parameter.upper}}};
  }
  if (!law.published.empty()) object["published"] = law.published;
  const std::vector<std::string> names = names_of(law);
  for (const auto& [body, fit] : law.fits) {
    Json& values = object["values"][body];
    values["all"] = json_of(names, fit.all);
    for (const FittedValues& fold : fit.folds) values["folds"].push_back(json_of(names, fold));
  }
  return object;
}

void check(const PlanarFits& fits, const std::string& path) {
  for (const PlanarLaw& law : fits.laws) {
    for (const auto& [body, fit] : law.fits) {
      const auto folds = fits.folds.find(body);
      if (folds != fits.folds.end() && folds->second.size() == fit.folds.size()) continue;
      throw Error(fmt::format("{}: law {} has values for {} folds of the {}; there are {}", path, law.name,
                              fit.folds.size(), body, folds == fits.folds.end() ? 0 : folds->second.size()));
    }
  }
}

/// The impacts whose fold is another than this one; −1: all.
PlanarImpacts training(const PlanarImpacts& impacts, int fold) {
  PlanarImpacts chosen{impacts.body, impacts.gyration_radius, {}, {}};
  for (const PlanarImpact& impact : impacts.impacts) {
    if (planar_fold(impact.number, fold_count) != fold) chosen.impacts.push_back(impact);
  }
  return chosen;
}

/// One fit, from a start.
FittedValues fit_values(const PlanarLaw& law, const std::function<double(const std::vector<double>&)>& objective,
                        const std::vector<double>& start, const MinimumOptions& options) {
  std::vector<double> lower, upper;
  for (const PlanarParameter& parameter : law.parameters) {
    lower.push_back(parameter.lower);
    upper.push_back(parameter.upper);
  }
  Minimum least{start, 0, 0};
  if (!start.empty()) least = noisy_minimum(objective, start, lower, upper, options);
  for (double& value : least.at) value = rounded(value);
  return {least.at, rounded(objective(least.at)), least.evaluations + 1};
}

}  // namespace

PlanarFits read_planar_fits(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw Error(path + ": can't be read; it must hold laws and what was fitted for them");
  PlanarFits fits;
  try {
    const Json object = Json::parse(file);
    if (object.contains("folds")) fits.folds = object.at("folds").get<decltype(fits.folds)>();
    for (const Json& law : object.at("laws")) fits.laws.push_back(law_of(law));
  } catch (const nlohmann::json::exception& error) {
    throw Error(path + ": " + error.what());
  } catch (const Error& error) {
    throw Error(path + ": " + error.what());
  }
  check(fits, path);
  return fits;
}

void write_planar_fits(const PlanarFits& fits, const std::string& path) {
  Json object;
  object["laws"] = Json::array();
  for (const PlanarLaw& law : fits.laws) object["laws"].push_back(json_of(law));
  if (!fits.folds.empty()) object["folds"] = fits.folds;
  std::ofstream file(path);
  file << object.dump(1) << "\n";
  if (!file.flush()) throw Error(path + ": can't be written");
}

PlanarFits planar_fits_for(const std::string& path, const std::string& shipped, bool fit) {
  if (!fit || std::filesystem::exists(path)) return read_planar_fits(path);
  PlanarFits fits = read_planar_fits(shipped);
  for (PlanarLaw& law : fits.laws) law.fits.clear();
  fits.folds.clear();
  return fits;
}

std::string planar_scene_name(const PlanarLaw& law, const std::string& body) {
  return body + (law.variant.empty() ? "" : "_" + law.variant) + ".yaml";
}

Scene planar_scene(const std::string& text, const std::string& file, const PlanarLaw& law,
                   const std::vector<double>& values) {
  std::vector<std::pair<std::string, double>> settings = law.fixed;
  for (std::size_t i = 0; i < values.size(); ++i) settings.emplace_back(law.parameters[i].name, values[i]);
  return scene_with({SceneText(text, file).with(settings), file, {}}, law.method);
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

PlanarBodyFit fit_by_folds(const PlanarLaw& law, const std::string& text, const std::string& file,
                           const FoldObjective& objective, const MinimumOptions& options) {
  const auto objective_of = [&](int fold) {
    return
        [&, fold](const std::vector<double>& values) { return objective(planar_scene(text, file, law, values), fold); };
  };
  std::vector<double> start;
  for (const PlanarParameter& parameter : law.parameters) start.push_back(parameter.start);
  PlanarBodyFit fit;
  fit.all = fit_values(law, objective_of(-1), start, options);
  MinimumOptions near = options;
  near.step = options.step / 4;
  for (int fold = 0; fold < fold_count; ++fold) {
    fit.folds.push_back(fit_values(law, objective_of(fold), fit.all.values, near));
  }
  return fit;
}

PlanarBodyFit fit_planar(const PlanarLaw& law, const std::string& text, const std::string& file,
                         const PlanarImpacts& impacts, const MinimumOptions& options,
                         const std::function<void(const std::string&)>& progress) {
  std::vector<PlanarImpacts> trainings{training(impacts, -1)};
  for (int fold = 0; fold < fold_count; ++fold) trainings.push_back(training(impacts, fold));
  PlanarBodyFit fit = fit_by_folds(
      law, text, file,
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
