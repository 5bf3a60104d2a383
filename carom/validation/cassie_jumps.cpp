#include "carom/validation/cassie_jumps.h"

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <filesystem>

#include "carom/error.h"
#include "carom/scene/scene_text.h"
#include "carom/validation/cassie_landing.h"
#include "carom/validation/cassie_report.h"
#include "carom/validation/law_choice.h"
#include "carom/validation/planar_impact_scores.h"
#include "carom/whole_file.h"

namespace carom {
namespace {

namespace fs = std::filesystem;

constexpr const char* source = "cassie_jumps";
constexpr const char* body = "cassie";
constexpr const char* robot_file = "cassie_v2.urdf";
constexpr const char* landings_file = "jumps_train.h5";

struct Files {
  std::string landings, robot, shipped, fits, scene;
};

Files files_of(const ValidationOptions& options) {
  const fs::path data = options.data, folder = fs::path(options.scenes) / source;
  Files files;
  files.landings = (fs::is_directory(data) ? data / landings_file : data).string();
  files.robot = ((fs::is_directory(data) ? data : data.parent_path()) / robot_file).string();
  files.shipped = (folder / "fits.json").string();
  files.fits = options.fits.empty() ? files.shipped : options.fits;
  files.scene = (folder / "landing.yaml").string();
  return files;
}

/// The text of the scene, with the robot's file where it is.
std::string scene_text(const Files& files) {
  const std::string named = std::string("package://cassie_jumps/") + robot_file;
  std::string text = read_scene_text(files.scene);
  const auto at = text.rfind(named);
  if (at == std::string::npos) throw Error(files.scene + ": it must have the model file " + named);
  return text.replace(at, named.size(), '"' + fs::absolute(files.robot).string() + '"');
}

std::vector<CassieMotion> land_all(const Scene& scene, const std::vector<CassieLanding>& landings) {
  const CassieRobot robot(scene);
  std::vector<CassieMotion> motions(landings.size());
  tbb::parallel_for(std::size_t{0}, landings.size(), [&](std::size_t i) { motions[i] = robot.land(landings[i]); });
  return motions;
}

std::vector<CassieErrors> errors_of(const std::vector<CassieLanding>& landings,
                                    const std::vector<CassieMotion>& motions) {
  std::vector<CassieErrors> errors;
  errors.reserve(landings.size());
  for (std::size_t i = 0; i < landings.size(); ++i) {
    errors.push_back(cassie_errors(landings[i], motions[i].velocities));
  }
  return errors;
}

std::vector<CassieErrors> held_by(const std::vector<CassieLanding>& landings) {
  std::vector<CassieErrors> held;
  held.reserve(landings.size());
  for (const CassieLanding& landing : landings) held.push_back(held_errors(landing));
  return held;
}

/// Landings that a fit for a fold may see; fold −1: all.
std::vector<CassieLanding> training(const std::vector<CassieLanding>& landings, int fold) {
  std::vector<CassieLanding> seen;
  for (const CassieLanding& landing : landings) {
    if (planar_fold(landing.number, fold_count) != fold) seen.push_back(landing);
  }
  return seen;
}

void fit(PlanarFits& fits, const std::vector<PlanarLaw*>& laws, const std::vector<CassieLanding>& landings,
         const Files& files, const ValidationOptions& options) {
  std::vector<std::int64_t> numbers;
  for (const CassieLanding& landing : landings) numbers.push_back(landing.number);
  set_folds(fits, body, planar_fold_numbers(numbers));
  const auto objective = [&](const Scene& scene, int fold) {
    const std::vector<CassieLanding> seen = training(landings, fold);
    return cassie_objective(errors_of(seen, land_all(scene, seen)), held_by(seen));
  };
  MinimumOptions minimum;
  minimum.evaluations = options.evaluations;
  for (PlanarLaw* law : laws) {
    law->fits[body] = fit_by_folds(*law, body, scene_text(files), files.scene, objective, minimum);
    if (options.progress) {
      const FittedValues& all = law->fits[body].all;
      options.progress(
          fmt::format("{} fitted: {:.4f} after {} evaluations", law->name, all.objective, all.evaluations));
    }
    write_planar_fits(fits, files.fits);
  }
}

/// Each landing by values that were fitted without it.
CassieLawRun run_law(const PlanarLaw& law, const std::vector<CassieLanding>& landings,
                     const std::vector<std::vector<std::int64_t>>& folds, const Files& files) {
  CassieLawRun run;
  run.law = law;
  run.errors.resize(landings.size());
  const PlanarBodyFit& fitted = law.fits.at(body);
  const std::string text = scene_text(files);
  for (std::size_t group = 0; group <= folds.size(); ++group) {
    std::vector<CassieLanding> own;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < landings.size(); ++i) {
      if (fold_of(folds, landings[i].number) != group) continue;
      own.push_back(landings[i]);
      places.push_back(i);
    }
    if (own.empty()) continue;
    const FittedValues& values = group < folds.size() ? fitted.folds[group] : fitted.all;
    const std::vector<CassieMotion> motions = land_all(planar_scene(text, files.scene, law, values.values), own);
    const std::vector<CassieErrors> errors = errors_of(own, motions);
    for (std::size_t i = 0; i < own.size(); ++i) {
      run.errors[places[i]] = errors[i];
      run.steps += motions[i].steps;
      run.unsolved += motions[i].unsolved;
      run.rod_error = std::max(run.rod_error, motions[i].rod_error);
    }
  }
  return run;
}

void add_entries(const CassieLawRun& run, const std::vector<Interval>& held, Validation& validation) {
  constexpr double rod_digits = 1e-6;  // m
  auto& entries = validation.entries;
  entries.push_back(absolute_entry(source, run.law.name, "unsolved steps", 0, static_cast<double>(run.unsolved), 0));
  entries.push_back(
      absolute_entry(source, run.law.name, "largest change of a rod's length (m)", 0, run.rod_error, rod_digits));
  // A variant without fitted values shows what a wrong model does; it need not be good.
  if (run.law.parameters.empty()) return;
  const std::vector<Interval> ours = mean_errors(run.errors);
  for (std::size_t group = 0; group < ours.size(); ++group) {
    const CassieGroup& of = cassie_groups()[group];
    entries.push_back(error_entry(source, run.law.name, fmt::format("error of {} ({})", of.title, of.unit),
                                  held[group].mean, ours[group].mean, 0, "that of velocities held"));
  }
}

void write_files(const CassieReport& report, const std::string& output, Validation& validation) {
  const fs::path folder = output;
  std::error_code exists;
  if (!folder.empty()) fs::create_directories(folder, exists);  // the files' own errors say what went wrong
  validation.files = {(folder / "cassie_jumps.json").string(), (folder / "cassie_jumps.html").string()};
  write_whole_file(validation.files[0], cassie_report_json(report), "the table");
  write_cassie_page(report, validation.files[1]);
}

}  // namespace

Validation validate_cassie_jumps(const ValidationOptions& options) {
  const Files files = files_of(options);
  PlanarFits fits = planar_fits_for(files.fits, files.shipped, options.fit);
  const std::vector<PlanarLaw*> laws = choose_laws(fits, options, source, files.fits);
  const std::vector<CassieLanding> landings = read_cassie_landings(files.landings);
  if (!fs::exists(files.robot)) {
    throw Error(files.robot + ": the robot's file must lie in the folder of the landings, and is not there");
  }
  if (options.fit) fit(fits, laws, landings, files, options);
  const auto& folds = fits.folds[body];
  CassieReport report;
  report.held = held_by(landings);
  for (const CassieLanding& landing : landings) {
    report.landings.push_back(landing.number);
    report.unseen_by_folds = report.unseen_by_folds && fold_of(folds, landing.number) < folds.size();
  }
  Validation validation;
  validation.name = source;
  for (const PlanarLaw* law : laws) {
    if (law->fits.count(body) == 0) {
      throw Error(fmt::format("{}: {} has no values; fit it with --fit --laws {}", files.fits, law->name, law->name));
    }
    if (options.progress) options.progress(law->name);
    report.laws.push_back(run_law(*law, landings, folds, files));
    add_entries(report.laws.back(), mean_errors(report.held), validation);
  }
  validation.text = cassie_report(report);
  write_files(report, options.output, validation);
  return validation;
}

}  // namespace carom
