#include "carom/validation/square_drops.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "carom/error.h"
#include "carom/scene/scene_text.h"
#include "carom/validation/cube_fits.h"
#include "carom/validation/drop_report.h"
#include "carom/validation/law_choice.h"
#include "carom/validation/planar_impact_scores.h"
#include "carom/validation/toss_entries.h"
#include "carom/validation/toss_page.h"
#include "carom/whole_file.h"

namespace carom {
namespace {

namespace fs = std::filesystem;

constexpr const char* source = "square_drops";
constexpr const char* body = "square";
constexpr int plotted_drops = 20;
/// Frames after the first flight that a fit sees, 0.12 s: the first impact and the flight after it. Later impacts
/// multiply every error, so that over whole drops a search finds values that suit its drops by luck, and no others.
constexpr int fitted_frames = 30;

struct Files {
  fs::path folder;
  std::string shipped, fits;
  std::string scene(const PlanarLaw& law) const { return (folder / planar_scene_name(law, body)).string(); }
};

Files files_of(const ValidationOptions& options) {
  const fs::path folder = fs::path(options.scenes) / source;
  const std::string shipped = (folder / "fits.json").string();
  return {folder, shipped, options.fits.empty() ? shipped : options.fits};
}

/// Drops as they are judged, and those that are not.
struct DropSet {
  TossProtocol protocol;
  TossSet tosses;
  DropReport report;  // its counts alone
};

DropSet read_drop_set(const ValidationOptions& options) {
  const SquareDrops drops = read_square_drops(options.data);
  DropSet set;
  set.protocol = protocol_of(drops);
  std::vector<Toss> judged;
  for (const SquareDrop& drop : drops.drops) {
    JudgedDrop one = judge_drop(drop, drops);
    if (one.fault == DropFault::none) {
      judged.push_back(std::move(one.toss));
    } else {
      set.report.left_out[one.fault].push_back(drop.number);
    }
  }
  if (judged.empty()) throw Error(options.data + ": no drop of /square_drops can be judged by the protocol");
  const int n = static_cast<int>(judged.size());
  for (const int i : evenly_spaced(n, options.tosses > 0 && !options.fit ? options.tosses : n)) {
    set.tosses.thrown.push_back(static_cast<int>(set.tosses.whole.size()));
    set.tosses.whole.push_back(judged[static_cast<std::size_t>(i)]);
  }
  set.tosses.cut = set.tosses.whole;
  set.tosses.places = set.tosses.thrown;
  set.report.judged = set.tosses.cut.size();
  return set;
}

/// The frames of a measured drop that fits see.
std::size_t frames_to_fit(const Toss& drop) {
  return std::min(drop.poses.size(), static_cast<std::size_t>(drop.flight + fitted_frames));
}

std::vector<Pose> beginning(const std::vector<Pose>& poses, std::size_t frames) {
  return {poses.begin(), poses.begin() + static_cast<std::ptrdiff_t>(frames)};
}

/// Errors of the frames that fits see.
TossScore score_of_beginnings(const LawRuns& law, const TossProtocol& protocol) {
  TossScore score{law.name, {}};
  for (const TossRun& run : law.runs) {
    const std::size_t frames = frames_to_fit(run.measured);
    score.errors.push_back(
        toss_error(beginning(run.simulated, frames), beginning(run.measured.poses, frames), protocol));
  }
  return score;
}

/// The drops' beginnings that a fit for a fold uses, evenly spaced among those of the others; fold −1: among all.
std::vector<Toss> training_drops(const std::vector<Toss>& drops, int fold) {
  std::vector<Toss> others, some;
  for (const Toss& drop : drops) {
    if (planar_fold(drop.number, fold_count) != fold) others.push_back(drop);
  }
  for (const int i : evenly_spaced(static_cast<int>(others.size()), tosses_per_fit)) {
    some.push_back(others[static_cast<std::size_t>(i)]);
    some.back().poses.resize(frames_to_fit(some.back()));
  }
  return some;
}

/// Fits the laws to the drops, each written down as soon as it is done. Values fitted to other drops are worth nothing
/// beside these.
void fit(PlanarFits& fits, const std::vector<PlanarLaw*>& laws, const DropSet& set, const Files& files,
         const ValidationOptions& options) {
  std::vector<std::int64_t> numbers;
  for (const Toss& toss : set.tosses.cut) numbers.push_back(toss.number);
  set_folds(fits, body, planar_fold_numbers(numbers));
  std::vector<std::vector<Toss>> trainings;
  for (int fold = -1; fold < fold_count; ++fold) trainings.push_back(training_drops(set.tosses.cut, fold));
  const auto objective = [&](const Scene& scene, int fold) {
    const auto simulate = [&](const Toss& toss) {
      return throw_cube(scene, release_of(scene, toss, set.protocol), toss.poses.size(), set.protocol).poses;
    };
    const int place = fold + 1;  // −1: all
    return toss_objective(simulate, trainings[static_cast<std::size_t>(place)], set.protocol);
  };
  MinimumOptions minimum;
  minimum.evaluations = options.evaluations;
  for (PlanarLaw* law : laws) {
    const std::string file = files.scene(*law);
    const PlanarBodyFit fitted = fit_by_folds(*law, body, read_scene_text(file), file, objective, minimum);
    if (options.progress) {
      options.progress(fmt::format("{} fitted to the drops: {:.4f} after {} evaluations", law->name,
                                   fitted.all.objective, fitted.all.evaluations));
    }
    law->fits[body] = fitted;
    write_planar_fits(fits, files.fits);
  }
}

LawScenes scenes_of(const PlanarLaw& law, const Files& files) {
  if (law.fits.count(body) == 0) {
    throw Error(
        fmt::format("{}: law {} has no fitted values; fit it with --fit --laws {}", files.fits, law.name, law.name));
  }
  const std::string file = files.scene(law), text = read_scene_text(file);
  const PlanarBodyFit& fitted = law.fits.at(body);
  LawScenes scenes{law.name, planar_scene(text, file, law, fitted.all.values), {}};
  for (const FittedValues& fold : fitted.folds) scenes.folds.push_back(planar_scene(text, file, law, fold.values));
  return scenes;
}

void add_entries(const DropLawRun& run, const DropReport& report, const TossProtocol& protocol,
                 Validation& validation) {
  add_run_entries(source, run.runs, validation);
  const Interval ours = drop_objective(score_of_beginnings(run.runs, protocol));
  const Interval whole = drop_objective(run.score), frozen = drop_objective(report.frozen);
  double fitted = 0;
  const PlanarBodyFit& fit = run.law.fits.at(body);
  for (const FittedValues& fold : fit.folds) fitted += fold.objective / static_cast<double>(fit.folds.size());
  // The fits saw drops of the folds, but none of another file.
  const double chance = 0.5 * (ours.upper - ours.lower) * (report.unseen_by_folds ? 1 : std::sqrt(2.0));
  auto& entries = validation.entries;
  entries.push_back(
      from(Origin::carom,
           absolute_entry(source, run.law.name, "error of unseen drops until 0.12 s after landing (widths + radians)",
                          fitted, ours.mean, chance, "reference: that of the fits; tolerance: chance, 95 %")));
  entries.push_back(error_entry(source, run.law.name, "error beside flight, then freeze", frozen.mean, whole.mean, 0,
                                "worse than no law of contact at all"));
}

/// Predictions of every law, the table, and a page with some drops by the first law.
void write_files(const DropReport& report, const Scene& first, const fs::path& folder, const TossProtocol& protocol,
                 Validation& validation) {
  std::error_code exists;
  if (!folder.empty()) fs::create_directories(folder, exists);  // the files' own errors say what went wrong
  for (const DropLawRun& run : report.laws) {
    validation.files.push_back((folder / fmt::format("square_drops_{}.h5", run.law.name)).string());
    write_predictions(run.runs.predictions, validation.files.back());
  }
  validation.files.push_back((folder / "square_drops.json").string());
  write_whole_file(validation.files.back(), drop_report_json(report), "the table");
  const auto& runs = report.laws.front().runs.runs;
  std::vector<TossRun> some;
  for (const int i : evenly_spaced(static_cast<int>(runs.size()), plotted_drops)) {
    some.push_back(runs[static_cast<std::size_t>(i)]);
  }
  validation.files.push_back((folder / "square_drops.html").string());
  const TossPageWords words{.title = "Measured drops of a square beside every law",
                            .lead =
                                "Measurements: N. Fazeli, S. Zapolsky, E. Drumwright and A. Rodriguez, ICRA 2017; "
                                "data of DAIRLab/ImpactModeling. Plots are of the first law.",
                            .toss = "drop",
                            .body = "square"};
  write_toss_page(words, first, some, protocol, validation.files.back(), drop_sections(report));
}

}  // namespace

Validation validate_square_drops(const ValidationOptions& options) {
  const Files files = files_of(options);
  PlanarFits fits = planar_fits_for(files.fits, files.shipped, options.fit);
  const std::vector<PlanarLaw*> laws = choose_laws(fits, options, source, files.fits);
  DropSet set = read_drop_set(options);
  if (options.fit) fit(fits, laws, set, files, options);
  Validation validation;
  validation.name = source;
  DropReport& report = set.report;
  const auto& folds = fits.folds[body];
  for (const Toss& toss : set.tosses.cut) {
    report.unseen_by_folds = report.unseen_by_folds && fold_of(folds, toss.number) < folds.size();
  }
  std::vector<Scene> first;
  for (const PlanarLaw* law : laws) {
    if (options.progress) options.progress(law->name);
    const LawScenes scenes = scenes_of(*law, files);
    if (first.empty()) first.push_back(scenes.all);
    DropLawRun run{*law, run_law(scenes, set.tosses, folds, set.protocol), {}};
    run.score.name = law->name;
    for (const TossRun& one : run.runs.runs) run.score.errors.push_back(one.error);
    report.laws.push_back(std::move(run));
  }
  report.frozen.name = "flight, then freeze";
  for (const TossRun& one : report.laws.front().runs.runs) report.frozen.errors.push_back(one.frozen);
  for (const DropLawRun& run : report.laws) add_entries(run, report, set.protocol, validation);
  validation.text = drop_report(report);
  write_files(report, first.front(), options.output, set.protocol, validation);
  return validation;
}

}  // namespace carom
