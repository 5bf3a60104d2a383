#include "carom/validation/cube_fits.h"

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>

#include "carom/error.h"
#include "carom/scene/scene.h"
#include "carom/validation/toss_run.h"

namespace carom {
namespace {

using Json = nlohmann::ordered_json;

constexpr double frames_per_second = 148;

std::vector<std::string> names_of(const CubeLaw& law) {
  std::vector<std::string> names;
  names.reserve(law.starts.size());
  for (const auto& [name, start] : law.starts) names.push_back(name);
  return names;
}

Method method_of(const Json& object) {
  Method method;
  method.stepper = parse_stepper(object.at("stepper").get<std::string>());
  method.law = parse_law(object.at("law").get<std::string>());
  method.step = 1 / (frames_per_second * object.at("steps_per_frame").get<int>());
  if (object.contains("directions")) {
    method.directions = object.at("directions").get<int>();
  } else {
    method.cone = FrictionCone::exact;
  }
  return method;
}

CubeLaw law_of(const Json& object) {
  CubeLaw law;
  law.name = object.at("name").get<std::string>();
  law.method = method_of(object);
  if (object.contains("fixed")) {
    for (const auto& [name, value] : object.at("fixed").items()) {
      law.fixed.*cube_parameter(name).value = value.get<double>();
    }
  }
  for (const auto& [name, value] : object.at("start").items()) {
    law.starts.emplace_back(cube_parameter(name).name, value.get<double>());
  }
  if (object.contains("start_of")) law.start_of = object.at("start_of").get<std::string>();
  if (object.contains("evaluations")) law.evaluations = object.at("evaluations").get<int>();
  if (object.contains("all")) law.all = fitted_of(names_of(law), object.at("all"));
  if (object.contains("folds")) {
    for (const Json& fold : object.at("folds")) law.folds.push_back(fitted_of(names_of(law), fold));
  }
  return law;
}

Json json_of(const CubeLaw& law) {
  Json object;
  object["name"] = law.name;
  object["stepper"] = stepper_name(law.method.stepper);
  object["law"] = law_name(law.method.law);
  object["steps_per_frame"] = std::lround(1 / (frames_per_second * law.method.step));
  if (law.method.cone == FrictionCone::polyhedral) object["directions"] = law.method.directions;
  const CubeParameters standard;
  for (const CubeParameter& parameter : cube_parameters()) {
    const double value = law.fixed.*parameter.value;
    if (value != standard.*parameter.value) object["fixed"][parameter.name] = value;
  }
  for (const auto& [name, value] : law.starts) object["start"][name] = value;
  if (!law.start_of.empty()) object["start_of"] = law.start_of;
  if (law.evaluations > 0) object["evaluations"] = law.evaluations;
  if (law.all) object["all"] = json_of(names_of(law), *law.all);
  for (const FittedValues& fold : law.folds) object["folds"].push_back(json_of(names_of(law), fold));
  return object;
}

/// The law's own start, with the values that the law before has for this fold in place of it.
std::vector<double> start_of_fit(const CubeLaw& law, const CubeLaw* before, int fold) {
  std::vector<double> start;
  start.reserve(law.starts.size());
  for (const auto& [name, value] : law.starts) {
    start.push_back(value);
    if (!before) continue;
    const FittedValues& fitted = fold < 0 ? *before->all : before->folds[static_cast<std::size_t>(fold)];
    for (std::size_t i = 0; i < before->starts.size(); ++i) {
      if (before->starts[i].first == name) start.back() = fitted.values[i];
    }
  }
  return start;
}

}  // namespace

CubeFits read_cube_fits(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw Error(path + ": can't be read; it must hold the laws of cubes and what was fitted for them");
  CubeFits fits;
  try {
    const Json object = Json::parse(file);
    if (object.contains("folds")) fits.folds = object.at("folds").get<decltype(fits.folds)>();
    for (const Json& law : object.at("laws")) fits.laws.push_back(law_of(law));
  } catch (const nlohmann::json::exception& error) {
    throw Error(path + ": " + error.what());
  } catch (const Error& error) {
    throw Error(path + ": " + error.what());
  }
  for (const CubeLaw& law : fits.laws) {
    if (law.folds.empty() || law.folds.size() == fits.folds.size()) continue;
    throw Error(fmt::format("{}: law {} has values for {} folds; there are {}", path, law.name, law.folds.size(),
                            fits.folds.size()));
  }
  return fits;
}

void write_cube_fits(const CubeFits& fits, const std::string& path) {
  Json object;
  object["laws"] = Json::array();
  for (const CubeLaw& law : fits.laws) object["laws"].push_back(json_of(law));
  if (!fits.folds.empty()) object["folds"] = fits.folds;
  std::ofstream file(path);
  file << object.dump(1) << "\n";
  if (!file.flush()) throw Error(path + ": can't be written");
}

CubeParameters parameters_of(const CubeLaw& law, const std::vector<double>& values) {
  CubeParameters cube = law.fixed;
  for (std::size_t i = 0; i < law.starts.size(); ++i) cube.*cube_parameter(law.starts[i].first).value = values[i];
  return cube;
}

std::vector<int> training_positions(int n, const std::vector<std::vector<int>>& folds, int fold) {
  std::vector<char> held(static_cast<std::size_t>(n), 0);
  if (fold >= 0) {
    for (const int i : folds[static_cast<std::size_t>(fold)]) held[static_cast<std::size_t>(i)] = 1;
  }
  std::vector<int> positions;
  for (int i = 0; i < n; ++i) {
    if (!held[static_cast<std::size_t>(i)]) positions.push_back(i);
  }
  return positions;
}

double toss_objective(const TossSimulator& simulate, const std::vector<Toss>& tosses, const TossProtocol& protocol) {
  constexpr double radian = 180 / EIGEN_PI;
  std::vector<double> errors(tosses.size());
  tbb::parallel_for(std::size_t{0}, tosses.size(), [&](std::size_t i) {
    const TossError error = toss_error(simulate(tosses[i]), tosses[i].poses, protocol);
    errors[i] = error.mean.position + error.mean.rotation / radian;
  });
  return std::accumulate(errors.begin(), errors.end(), 0.0) / static_cast<double>(tosses.size());
}

FittedValues fit_tosses(const std::function<TossSimulator(const std::vector<double>&)>& simulator,
                        const std::vector<double>& start, const std::vector<double>& lower,
                        const std::vector<double>& upper, const std::vector<Toss>& distinct,
                        const std::vector<std::vector<int>>& folds, int fold, const TossProtocol& protocol,
                        const MinimumOptions& options, bool near) {
  const std::vector<int> may = training_positions(static_cast<int>(distinct.size()), folds, fold);
  std::vector<Toss> tosses, some;
  tosses.reserve(tosses_per_fit);
  some.reserve(tosses_per_fit);
  for (const int i : evenly_spaced(static_cast<int>(may.size()), tosses_per_fit)) {
    tosses.push_back(distinct[static_cast<std::size_t>(may[static_cast<std::size_t>(i)])]);
  }
  const int third = (static_cast<int>(tosses.size()) + 2) / 3;
  for (const int i : evenly_spaced(static_cast<int>(tosses.size()), third)) {
    some.push_back(tosses[static_cast<std::size_t>(i)]);
  }
  const auto objective_of = [&](const std::vector<Toss>& these) {
    return [&](const std::vector<double>& values) { return toss_objective(simulator(values), these, protocol); };
  };
  MinimumOptions stage = options;
  Minimum around{start, 0, 0};
  if (!near) {
    stage.evaluations = options.evaluations * 2 / 3;
    around = noisy_minimum(objective_of(some), start, lower, upper, stage);
  }
  stage.evaluations = options.evaluations - around.evaluations;
  stage.step = options.step / 4;
  Minimum least = noisy_minimum(objective_of(tosses), around.at, lower, upper, stage);
  for (double& value : least.at) value = rounded(value);
  return {least.at, objective_of(tosses)(least.at), around.evaluations + least.evaluations};
}

void fit_law(CubeLaw& law, const CubeLaw* before, const std::vector<Toss>& distinct,
             const std::vector<std::vector<int>>& folds, const TossProtocol& protocol, const MinimumOptions& options,
             const std::function<void(const std::string&)>& progress) {
  MinimumOptions own = options;
  if (law.evaluations > 0) own.evaluations = law.evaluations;
  std::vector<double> lower, upper;
  for (const auto& [name, value] : law.starts) {
    lower.push_back(cube_parameter(name).lower);
    upper.push_back(cube_parameter(name).upper);
  }
  const auto simulator = [&](const std::vector<double>& values) -> TossSimulator {
    const Scene scene = parse_scene(cube_scene(parameters_of(law, values), law.method, {}), law.name);
    return [scene, &protocol](const Toss& toss) {
      return throw_cube(scene, release_of(scene, toss, protocol), toss.poses.size(), protocol).poses;
    };
  };
  law.folds.clear();
  for (int fold = -1; fold < static_cast<int>(folds.size()); ++fold) {
    const std::vector<double> start = start_of_fit(law, before, fold);
    FittedValues fitted =
        fit_tosses(simulator, start, lower, upper, distinct, folds, fold, protocol, own, before != nullptr);
    if (progress) {
      const std::string whose = fold < 0 ? "all tosses" : fmt::format("fold {}", fold + 1);
      progress(fmt::format("{} fitted for {}: {:.4f} after {} evaluations", law.name, whose, fitted.objective,
                           fitted.evaluations));
    }
    if (fold < 0) {
      law.all = std::move(fitted);
    } else {
      law.folds.push_back(std::move(fitted));
    }
  }
}

}  // namespace carom
