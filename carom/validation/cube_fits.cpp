#include "carom/validation/cube_fits.h"

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <array>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>

#include "carom/error.h"
#include "carom/scene/scene.h"
#include "carom/study/fit.h"
#include "carom/validation/toss_run.h"

namespace carom {
namespace {

using Json = nlohmann::ordered_json;

constexpr double frames_per_second = 148;

Method method_of(const Json& object) {
  Method method;
  method.stepper = parse_stepper(object.at("stepper").get<std::string>());
  method.law = parse_law(object.at("law").get<std::string>());
  method.smooth = SmoothParts::first_order;  // with which the numbers were fitted
  method.step = 1 / (frames_per_second * object.at("steps_per_frame").get<int>());
  if (object.contains("directions")) {
    method.cone = FrictionCone::polyhedral;
    method.directions = object.at("directions").get<int>();
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

/// Coordinates of the tracked point, and the cosines: entry (i, j) of the rotation is that between axis i of the board
/// and axis j of the cube. A turn by a small angle changes the nine, in the sum of their sizes, by some 3.4 times it, a
/// shift the three by 1.5 times its length, both over all directions: their noise weighs a radian like a width of the
/// cube.
std::vector<FitColumn> pose_columns(const TossProtocol& protocol) {
  constexpr double noise = 0.01;  // widths, radians
  std::vector<FitColumn> columns;
  for (const char* axis : {"x", "y", "z"}) {
    columns.push_back({axis, std::string("cube.position.") + axis, noise * 2 * protocol.half_width, {}});
  }
  const std::array<const char*, 9> cosines{"1 - 2 * (Y^2 + Z^2)", "2 * (X * Y - Z * W)", "2 * (X * Z + Y * W)",
                                           "2 * (X * Y + Z * W)", "1 - 2 * (X^2 + Z^2)", "2 * (Y * Z - X * W)",
                                           "2 * (X * Z - Y * W)", "2 * (Y * Z + X * W)", "1 - 2 * (X^2 + Y^2)"};
  for (std::size_t i = 0; i < cosines.size(); ++i) {
    std::string formula;
    for (const char* c = cosines[i]; *c != 0; ++c) {
      if (*c >= 'W' && *c <= 'Z') {
        formula += std::string("cube.orientation.") + static_cast<char>(*c - 'W' + 'w');
      } else {
        formula += *c;
      }
    }
    columns.push_back({fmt::format("R{}{}", i / 3, i % 3), formula, noise * 3.4 / 1.5, {}});
  }
  return columns;
}

MeasuredMotion motion_of(const Toss& toss, const TossProtocol& protocol) {
  MeasuredMotion motion{std::to_string(toss.number), {}, std::vector<std::vector<double>>(12)};
  for (std::size_t k = 0; k < toss.poses.size(); ++k) {
    motion.times.push_back(static_cast<double>(k) / protocol.frame_rate);
    const Mat3 R = toss.poses[k].orientation.toRotationMatrix();
    for (Eigen::Index i = 0; i < 3; ++i) {
      motion.values[static_cast<std::size_t>(i)].push_back(toss.poses[k].position[i]);
      for (Eigen::Index j = 0; j < 3; ++j) motion.values[static_cast<std::size_t>(3 + 3 * i + j)].push_back(R(i, j));
    }
  }
  return motion;
}

/// The toss's release as numbers of the scene. The flight's least-squares problem is linear in the mass centre's
/// place, so that two of its solutions give all.
std::vector<std::pair<std::string, double>> release_settings(const Toss& toss, const TossProtocol& protocol) {
  constexpr double apart = 0.01;  // m
  const Release middle = fit_release(toss, protocol);
  const Release beside = fit_release(toss, protocol, Vec3(0, 0, apart));
  std::vector<std::pair<std::string, double>> settings;
  for (std::size_t i = 0; i < release_quantities.size(); ++i) {
    const auto axis = static_cast<Eigen::Index>(i % 3);
    const double here = i < 3 ? middle.position[axis] : middle.velocity[axis];
    const double there = i < 3 ? beside.position[axis] : beside.velocity[axis];
    settings.emplace_back(release_quantities[i], here);
    settings.emplace_back(std::string(release_quantities[i]) + "_by_centre", (there - here) / apart);
  }
  const Quaternion& q = middle.orientation;
  const std::array<double, 4> turn{q.w(), q.x(), q.y(), q.z()};
  for (std::size_t i = 0; i < turn.size(); ++i) {
    settings.emplace_back(fmt::format("bodies/cube/orientation/{}", i), turn[i]);
  }
  for (Eigen::Index i = 0; i < 3; ++i) {
    settings.emplace_back(fmt::format("bodies/cube/angular_velocity/{}", i), middle.angular_velocity[i]);
  }
  return settings;
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

std::vector<std::string> names_of(const CubeLaw& law) {
  std::vector<std::string> names;
  names.reserve(law.starts.size());
  for (const auto& [name, start] : law.starts) names.push_back(name);
  return names;
}

CubeParameters parameters_of(const CubeLaw& law, const std::vector<double>& values) {
  CubeParameters cube = law.fixed;
  for (std::size_t i = 0; i < law.starts.size(); ++i) cube.*cube_parameter(law.starts[i].first).value = values[i];
  return cube;
}

std::vector<Toss> training_tosses(const std::vector<Toss>& distinct, const std::vector<std::vector<int>>& folds,
                                  int fold) {
  std::vector<char> held(distinct.size(), 0);
  if (fold >= 0) {
    for (const int i : folds[static_cast<std::size_t>(fold)]) held[static_cast<std::size_t>(i)] = 1;
  }
  std::vector<const Toss*> may;
  for (std::size_t i = 0; i < distinct.size(); ++i) {
    if (!held[i]) may.push_back(&distinct[i]);
  }
  std::vector<Toss> tosses;
  tosses.reserve(tosses_per_fit);
  for (const int i : evenly_spaced(static_cast<int>(may.size()), tosses_per_fit)) {
    tosses.push_back(*may[static_cast<std::size_t>(i)]);
  }
  return tosses;
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

CubeFit cube_fit(const CubeLaw& law, const std::vector<double>& start, const std::vector<Toss>& tosses,
                 const TossProtocol& protocol, int evaluations) {
  CubeFit fit;
  FitStudy& study = fit.study;
  study.scene = law.name;
  study.scene_text = cube_scene(parameters_of(law, start), names_of(law), law.method, {}, CubeRelease::parameters);
  study.data = fit.data.file = "the measured tosses";
  for (const std::string& name : names_of(law)) {
    const CubeParameter& parameter = cube_parameter(name);
    study.unknowns.push_back(
        {.name = name, .path = name, .lower = parameter.lower, .upper = parameter.upper, .place = {}});
  }
  study.columns = pose_columns(protocol);
  for (const FitColumn& column : study.columns) fit.data.columns.push_back(column.name);
  for (const Toss& toss : tosses) {
    fit.data.motions.push_back(motion_of(toss, protocol));
    study.experiments[fit.data.motions.back().name] = release_settings(toss, protocol);
  }
  study.loss = Loss::soft_l1;
  study.starts = 1;
  study.smooth = false;  // one toss that falls to another face makes a jump
  study.intervals = IntervalSource::none;
  study.runs = static_cast<std::int64_t>(evaluations) * std::ssize(tosses);
  return fit;
}

void fit_law(CubeLaw& law, const CubeLaw* before, const std::vector<Toss>& distinct,
             const std::vector<std::vector<int>>& folds, const TossProtocol& protocol, int evaluations,
             const std::function<void(const std::string&)>& progress) {
  law.folds.clear();
  for (int fold = -1; fold < static_cast<int>(folds.size()); ++fold) {
    const std::vector<Toss> tosses = training_tosses(distinct, folds, fold);
    const CubeFit asked = cube_fit(law, start_of_fit(law, before, fold), tosses, protocol,
                                   law.evaluations > 0 ? law.evaluations : evaluations);
    const FitResult found = fit(asked.study, asked.data);
    FittedValues fitted;
    for (const FittedNumber& number : found.numbers) fitted.values.push_back(rounded(number.value));
    const Scene scene =
        parse_scene(cube_scene(parameters_of(law, fitted.values), names_of(law), law.method, {}), law.name);
    const auto simulate = [&](const Toss& toss) {
      return throw_cube(scene, release_of(scene, toss, protocol), toss.poses.size(), protocol).poses;
    };
    fitted.objective = rounded(toss_objective(simulate, tosses, protocol));
    fitted.evaluations = static_cast<int>(found.runs / std::ssize(tosses));
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
