#include "carom/validation/planar_impacts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "carom/error.h"
#include "carom/scene/scene_text.h"
#include "carom/validation/law_choice.h"
#include "carom/validation/planar_report.h"
#include "carom/whole_file.h"

namespace carom {
namespace {

namespace fs = std::filesystem;

constexpr const char* source = "planar_impacts";
constexpr double published_digits = 0.001;  // means are printed to 0.001
constexpr double law_residual = 1e-9;
constexpr double step_residual = 1e-5;  // compliant contacts, integrated

/// Number of a body's impacts that the published means are of.
std::size_t published_count(const std::string& body) { return body == "ellipse" ? 862 : 380; }

struct Files {
  fs::path folder;
  std::string fits;
  std::string scene(const PlanarLaw& law, const std::string& body) const {
    return (folder / planar_scene_name(law, body)).string();
  }
};

Files files_of(const ValidationOptions& options) {
  const fs::path folder = fs::path(options.scenes) / source;
  return {folder, options.fits.empty() ? (folder / "fits.json").string() : options.fits};
}

/// Fits the laws to a body's impacts. Values fitted to other impacts of it are worth nothing beside these.
void fit(PlanarFits& fits, const std::vector<PlanarLaw*>& laws, const PlanarImpacts& impacts, const Files& files,
         const ValidationOptions& options) {
  set_folds(fits, impacts.body, planar_fold_numbers(impacts));
  MinimumOptions minimum;
  minimum.evaluations = options.evaluations;
  for (PlanarLaw* law : laws) {
    const std::string file = files.scene(*law, impacts.body), text = read_scene_text(file);
    law->fits[impacts.body] = fit_planar(*law, text, file, impacts, minimum, options.progress);
    write_planar_fits(fits, files.fits);
  }
}

PlanarBodyReport report_of(const PlanarFits& fits, const std::vector<PlanarLaw*>& laws, PlanarImpacts impacts,
                           const Files& files) {
  PlanarBodyReport report;
  report.balance = moment_balance(impacts);
  if (!impacts.printed.empty()) report.printed = printed_moment_balance(impacts);
  for (const PlanarLaw* law : laws) {
    const std::string file = files.scene(*law, impacts.body), text = read_scene_text(file);
    if (law->fits.count(impacts.body) == 0) {
      throw Error(fmt::format("{}: law {} has no fitted values for the {}; fit it with --fit --laws {}", files.fits,
                              law->name, impacts.body, law->name));
    }
    const auto& folds = fits.folds.at(impacts.body);
    PlanarLawRun run{*law, predict_unseen(*law, text, file, impacts, folds), {}};
    run.score = planar_score(impacts, run.strikes.after);
    report.laws.push_back(std::move(run));
    for (const PlanarImpact& impact : impacts.impacts) {
      report.unseen_by_folds = report.unseen_by_folds && fold_of(folds, impact.number) < folds.size();
    }
  }
  report.impacts = std::move(impacts);
  return report;
}

void add_entries(const PlanarBodyReport& body, Validation& validation) {
  auto& entries = validation.entries;
  for (const PlanarLawRun& run : body.laws) {
    const std::string where = body.impacts.body + ", " + run.law.name;
    const ImpactCertificate& certificate = run.strikes.certificate;
    const bool stepped = run.law.method.stepper == StepperKind::compliant;
    const double worst =
        std::max({certificate.momentum_residual, certificate.approach, certificate.pull, certificate.cone_violation});
    entries.push_back(absolute_entry(source, where, "largest residual of an impact's certificate", 0, worst,
                                     stepped ? step_residual : law_residual,
                                     "momentum, approach left, pull, friction cone"));
    const auto published = run.law.published.find(body.impacts.body);
    if (published == run.law.published.end()) continue;
    const Interval& mean = run.score.mean;
    const std::string note = fmt::format("{:.4f} to {:.4f}", mean.lower, mean.upper);
    if (body.unseen_by_folds && body.impacts.impacts.size() == published_count(body.impacts.body)) {
      entries.push_back(from(Origin::printed, absolute_entry(source, where, "mean kinetic error, five folds",
                                                             published->second, mean.mean, published_digits, note)));
    } else {
      // Both means are of samples: of this file, and of the published one.
      const double chance = std::sqrt(2.0) * 0.5 * (mean.upper - mean.lower);
      entries.push_back(
          from(Origin::printed,
               absolute_entry(source, where, "mean kinetic error, impacts of another file", published->second,
                              mean.mean, published_digits + chance, note + "; tolerance: by chance, 95 %")));
    }
  }
}

void write_files(const std::vector<PlanarBodyReport>& bodies, const fs::path& folder, Validation& validation) {
  std::error_code exists;
  if (!folder.empty()) fs::create_directories(folder, exists);  // the files' own errors say what went wrong
  for (std::size_t i = 0; i < bodies.front().laws.size(); ++i) {
    const std::string& name = bodies.front().laws[i].law.name;
    std::vector<PlanarPrediction> predictions;
    predictions.reserve(bodies.size());
    for (const PlanarBodyReport& body : bodies) {
      predictions.push_back({body.impacts.body, body.laws[i].strikes.after});
    }
    validation.files.push_back((folder / fmt::format("planar_impacts_{}.h5", name)).string());
    write_planar_predictions(name, predictions, validation.files.back());
  }
  validation.files.push_back((folder / "planar_impacts.json").string());
  write_whole_file(validation.files.back(), planar_report_json(bodies), "the table");
  validation.files.push_back((folder / "planar_impacts.html").string());
  write_planar_page(bodies, validation.files.back());
}

}  // namespace

Validation validate_planar_impacts(const ValidationOptions& options) {
  const Files files = files_of(options);
  PlanarFits fits = planar_fits_for(files.fits, (files.folder / "fits.json").string(), options.fit);
  const std::vector<PlanarLaw*> laws = choose_laws(fits, options, source, files.fits);
  std::vector<PlanarImpacts> bodies = read_planar_impacts(options.data);
  if (options.fit) {
    for (const PlanarImpacts& impacts : bodies) fit(fits, laws, impacts, files, options);
  }
  Validation validation;
  validation.name = source;
  std::vector<PlanarBodyReport> reports;
  for (PlanarImpacts& impacts : bodies) {
    if (options.progress) options.progress("impacts of the " + impacts.body);
    reports.push_back(report_of(fits, laws, std::move(impacts), files));
    add_entries(reports.back(), validation);
  }
  validation.text = planar_report(reports);
  write_files(reports, options.output, validation);
  return validation;
}

}  // namespace carom
