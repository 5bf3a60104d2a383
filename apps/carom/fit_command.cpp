#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "carom/error.h"
#include "carom/stop_signal.h"
#include "carom/study/fit.h"
#include "carom/study/written_scene.h"
#include "commands.h"
#include "interrupt.h"
#include "output_file.h"
#include "progress.h"

namespace carom {
namespace {

/// The study of the short form: a scene, its data, and what the options say.
FitStudy short_study(const FitCommandOptions& options) {
  if (options.unknowns.empty()) {
    throw Error("what is to be fitted? Name it with --unknown NAME=LOW:HIGH, as in --unknown friction=0.05:0.9");
  }
  if (options.columns.empty()) {
    throw Error("what are the columns of " + options.data +
                "? Say it with --column NAME=FORMULA, as in --column z=ball.position.z");
  }
  FitStudy study;
  study.scene = options.study;
  study.data = options.data;
  for (const std::string& text : options.unknowns) study.unknowns.push_back(parse_fit_unknown(text));
  for (const std::string& text : options.columns) {
    study.columns.push_back(parse_fit_column(text));
    const std::string& name = study.columns.back().name;
    const auto same = std::count_if(study.columns.begin(), study.columns.end(),
                                    [&](const FitColumn& column) { return column.name == name; });
    if (same > 1) throw Error("--column " + text + ": column " + name + " has a formula already");
  }
  if (!options.loss.empty()) study.loss = parse_loss(options.loss);
  return study;
}

FitStudy study_of(const FitCommandOptions& options) {
  if (!options.data.empty()) return short_study(options);
  for (const auto& [given, option] :
       {std::pair{!options.unknowns.empty(), "--unknown"}, std::pair{!options.columns.empty(), "--column"},
        std::pair{!options.loss.empty(), "--loss"}}) {
    if (given) {
      throw Error(std::string(option) + " belongs to carom fit SCENE DATA; the study " + options.study +
                  " says it itself");
    }
  }
  return load_fit_study(options.study);
}

FitResult fitted(const FitStudy& study, const FitData& data, const FitCommandOptions& options) {
  FitOptions how;
  how.threads = options.threads;
  how.stop = interrupted;
  std::optional<Working> working;
  how.progress = [&](const std::string& what, double) {
    if (options.quiet) return;
    working.reset();  // wiped before the next one is drawn
    working.emplace(what);
  };
  catch_interrupts();
  FitResult result = fit(study, data, how);
  release_interrupts();
  return result;
}

}  // namespace

int fit_command(const FitCommandOptions& options) {
  const FitStudy study = study_of(options);
  if (!options.out.empty()) check_scene_place("--out", options.out, study.scene);
  const std::string page = page_place(options.page, options.study, {}, "fit", "--page").string();
  const FitData data = read_fit_data(study.data);
  FitResult result;
  try {
    result = fitted(study, data, options);
  } catch (const Stopped&) {
    fmt::print(stderr, "carom: stopped before the fit had an end\n");
    return 1;
  }
  if (!options.out.empty()) {
    make_folder_of(options.out);
    write_scene_text("--out", options.out, result.text);
  }
  write_fit_page(result, page);
  if (options.json) {
    fmt::print("{}\n", fit_json(result, page, options.out));
  } else if (!options.quiet) {
    fmt::print("{}  page   {}\n", fit_text(result), page);
    if (!options.out.empty()) fmt::print("  scene  {}\n", options.out);
  }
  return 0;
}

}  // namespace carom
