#include "carom/validation/cube_tosses.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "carom/error.h"
#include "carom/validation/law_choice.h"
#include "carom/validation/toss_entries.h"
#include "carom/validation/toss_page.h"
#include "carom/validation/toss_peers.h"
#include "carom/validation/toss_report.h"
#include "carom/validation/toss_verdicts.h"

namespace carom {
namespace {

namespace fs = std::filesystem;

constexpr const char* source = "cube_tosses";
constexpr const char* unfitted_name = "not fitted";
constexpr int plotted_tosses = 20;

struct Files {
  fs::path folder, fits, peers;
  std::string scene(const CubeLaw& law) const { return (folder / (law.name + ".yaml")).string(); }
};

Files files_of(const ValidationOptions& options) {
  const fs::path folder = fs::path(options.scenes) / source;
  return {folder, folder / "fits.json", folder / "peers.csv"};
}

std::vector<std::size_t> chosen_laws(const CubeFits& fits, const ValidationOptions& options, const Files& files) {
  std::vector<NamedLaw> laws;
  for (const CubeLaw& law : fits.laws) laws.push_back({law.name, law.all.has_value()});
  return choose_laws(laws, options, source, files.fits.string());
}

void write_scene(const CubeLaw& law, const std::string& path) {
  std::ofstream file(path);
  file << cube_scene(parameters_of(law, law.all->values), names_of(law), law.method,
                     {"The cube of the measured tosses with the values fitted for this law (carom validate cube_tosses",
                      "--fit); docs/validation/cube_tosses.md says how. The throw below is an example."});
  if (!file.flush()) throw Error(path + ": can't be written");
}

/// The law at whose values this one's search starts; null if it has a start of its own.
const CubeLaw* law_before(const CubeFits& fits, const CubeLaw& law, const Files& files) {
  if (law.start_of.empty()) return nullptr;
  const auto found = std::find_if(fits.laws.begin(), fits.laws.end(),
                                  [&](const CubeLaw& other) { return other.name == law.start_of; });
  if (found == fits.laws.end() || !found->all || found->folds.size() != fits.folds.size()) {
    throw Error(fmt::format("{}: law {} starts at the values of {}, which is not fitted; fit it first",
                            files.fits.string(), law.name, law.start_of));
  }
  return &*found;
}

/// Fits the laws to the set's tosses, each written down as soon as it is done.
void fit(CubeFits& fits, const std::vector<std::size_t>& laws, const TossSet& set, const Files& files,
         const TossProtocol& protocol, const ValidationOptions& options) {
  const auto folds = deal_folds(static_cast<int>(set.cut.size()), fold_count);
  std::vector<std::vector<std::int64_t>> numbers(folds.size());
  for (std::size_t fold = 0; fold < folds.size(); ++fold) {
    for (const int i : folds[fold]) numbers[fold].push_back(set.cut[static_cast<std::size_t>(i)].number);
  }
  if (fits.folds != numbers) {  // values fitted to other tosses are worth nothing beside these
    for (CubeLaw& law : fits.laws) {
      law.all.reset();
      law.folds.clear();
    }
  }
  fits.folds = numbers;
  std::vector<std::size_t> order = laws;  // those first at whose values others start
  std::stable_partition(order.begin(), order.end(), [&](std::size_t i) { return fits.laws[i].start_of.empty(); });
  for (const std::size_t i : order) {
    fit_law(fits.laws[i], law_before(fits, fits.laws[i], files), set.cut, folds, protocol, options.evaluations,
            options.progress);
    write_scene(fits.laws[i], files.scene(fits.laws[i]));
    write_cube_fits(fits, files.fits.string());
  }
}

LawScenes scenes_of(const CubeLaw& law, const Files& files) {
  if (!law.all || law.folds.empty()) {
    throw Error(fmt::format("{}: law {} has no fitted values; fit it with --fit --laws {}", files.fits.string(),
                            law.name, law.name));
  }
  LawScenes scenes{law.name, load_scene(files.scene(law)), {}};
  for (const FittedValues& fold : law.folds) {
    scenes.folds.push_back(
        parse_scene(cube_scene(parameters_of(law, fold.values), names_of(law), law.method, {}), law.name));
  }
  return scenes;
}

TossFit fit_of(const CubeLaw& law) {
  const std::vector<std::string> names = names_of(law);
  const bool own =
      law.fixed.impact_friction >= 0 || std::find(names.begin(), names.end(), "impact_friction") != names.end();
  return own ? TossFit::two_frictions : TossFit::one_friction;
}

TossScore score_of_predictions(const TossPredictions& peer, const TossSet& set, const TossProtocol& protocol) {
  TossScore score{peer.name, {}};
  score.errors.reserve(set.cut.size());
  for (const Toss& toss : set.cut)
    score.errors.push_back(toss_error(predicted_poses(peer, toss), toss.poses, protocol));
  return score;
}

/// Scores of the simulators whose errors come with the scenes, which laws are held against. Those have to be of all
/// tosses of the set.
std::vector<TossScore> shipped_peers(const Files& files, const TossSet& set) {
  std::vector<TossScore> scores;
  for (const TossPeer& peer : read_toss_peers(files.peers.string())) {
    if (auto score = score_in(peer, set.cut)) scores.push_back(std::move(*score));
  }
  return scores;
}

/// All other simulators of the report: those of predictions, and those shipped that have another name.
void add_peers(const std::vector<std::string>& predictions, const std::vector<TossScore>& shipped, const TossSet& set,
               const TossProtocol& protocol, TossReport& report) {
  for (const std::string& path : predictions) {
    report.peers.push_back(read_predictions(path));
    report.peer_scores.push_back(score_of_predictions(report.peers.back(), set, protocol));
  }
  for (const TossScore& peer : shipped) {
    const auto same = [&](const TossScore& score) { return score.name == peer.name; };
    if (std::none_of(report.peer_scores.begin(), report.peer_scores.end(), same)) report.peer_scores.push_back(peer);
  }
}

/// Predictions of every law, errors of other simulators' predictions, and a page of some tosses by the first law.
void write_files(const TossReport& report, const Scene& first, const TossSet& set, const fs::path& folder,
                 const TossProtocol& protocol, Validation& validation) {
  std::error_code exists;
  if (!folder.empty()) fs::create_directories(folder, exists);  // the files' own errors say what went wrong
  for (const LawRuns& law : report.laws) {
    if (law.name == unfitted_name) continue;
    validation.files.push_back((folder / fmt::format("cube_tosses_{}.h5", law.name)).string());
    write_predictions(law.predictions, validation.files.back());
  }
  if (!report.peers.empty()) {
    std::vector<TossPeer> peers;
    peers.reserve(report.peers.size());
    for (std::size_t i = 0; i < report.peers.size(); ++i) peers.push_back(peer_of(report.peer_scores[i], set.cut));
    validation.files.push_back((folder / "cube_tosses_peers.csv").string());
    write_toss_peers(peers, validation.files.back());
  }
  const auto& runs = report.laws.front().runs;
  std::vector<TossRun> some;
  for (const int i : evenly_spaced(static_cast<int>(runs.size()), plotted_tosses)) {
    some.push_back(runs[static_cast<std::size_t>(i)]);
  }
  validation.files.push_back((folder / "cube_tosses.html").string());
  const TossPageWords words{.title = fmt::format("{} cube tosses, measured and simulated", some.size()),
                            .lead =
                                "Measurements: S. Pfrommer, M. Halm and M. Posa, ContactNets, Conference on Robot "
                                "Learning, 2020 (DAIRLab/contact-nets).",
                            .toss = "toss",
                            .body = "cube"};
  write_toss_page(words, first, some, protocol, validation.files.back());
}

}  // namespace

std::vector<Toss> choose_tosses(const std::string& path, int count, const TossProtocol& protocol) {
  return read_toss_set(path, count, protocol).cut;
}

Validation validate_cube_tosses(const ValidationOptions& options) {
  const Files files = files_of(options);
  const Scene unfitted = load_scene((fs::path(options.scenes) / "measured_toss.yaml").string());
  const TossProtocol protocol = protocol_of(unfitted);
  CubeFits fits = read_cube_fits(files.fits.string());
  const std::vector<std::size_t> chosen = chosen_laws(fits, options, files);
  const TossSet set = read_toss_set(options.data, options.fit ? 0 : options.tosses, protocol);
  Validation validation;
  validation.name = source;
  TossReport report;
  if (options.fit) fit(fits, chosen, set, files, protocol, options);
  const std::vector<TossScore> shipped = shipped_peers(files, set);
  add_peers(options.predictions, shipped, set, protocol, report);
  std::vector<LawScenes> laws;
  std::vector<TossFit> kinds;
  laws.reserve(chosen.size() + 1);
  kinds.reserve(chosen.size() + 1);
  for (const std::size_t i : chosen) {
    laws.push_back(scenes_of(fits.laws[i], files));
    kinds.push_back(fit_of(fits.laws[i]));
  }
  laws.push_back({unfitted_name, unfitted, {}});
  kinds.push_back(TossFit::none);
  for (std::size_t i = 0; i < laws.size(); ++i) {
    const LawScenes& law = laws[i];
    if (options.progress) options.progress(law.name);
    try {
      report.laws.push_back(run_law(law, set, fits.folds, protocol));
    } catch (const Error& error) {
      throw Error(options.data + ": " + error.what());
    }
    add_run_entries(source, report.laws.back(), validation);
    add_error_entries(source, score_of(report.laws.back()), kinds[i], shipped, validation);
  }
  write_files(report, laws.front().all, set, options.output, protocol, validation);
  for (const std::size_t i : chosen) report.fits.push_back(fits.laws[i]);
  validation.text = toss_report(report, set, protocol);
  return validation;
}

}  // namespace carom
