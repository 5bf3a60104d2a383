#include "carom/validation/toss_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/validation/first_impact.h"

namespace carom {
namespace {

constexpr double rest_height = 0.0513;  // m, of the tracked centre of the measured cube

std::string values_text(const CubeLaw& law, const std::vector<double>& values) {
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i) text += fmt::format(" {} {:.5g}", law.starts[i].first, values[i]);
  return text;
}

/// Table of every law's values fitted to all folds, and how far those of single folds spread around them.
std::string fitted_table(const std::vector<CubeLaw>& laws) {
  std::string text = "  fitted values (lengths in m), and the least and greatest of the folds\n";
  for (const CubeLaw& law : laws) {
    text += fmt::format("  {:<30}{}\n", law.name, values_text(law, law.all->values));
    std::vector<double> least = law.all->values, greatest = least;
    for (const FittedValues& fold : law.folds) {
      for (std::size_t i = 0; i < least.size(); ++i) {
        least[i] = std::min(least[i], fold.values[i]);
        greatest[i] = std::max(greatest[i], fold.values[i]);
      }
    }
    text += fmt::format("  {:<30}{}\n  {:<30}{}\n", "", values_text(law, least), "", values_text(law, greatest));
  }
  return text + "\n";
}

/// The first impact's misses of one simulator, each a mean with its interval.
struct Misses {
  std::vector<double> velocity, rise, spin;
};

std::string miss_line(const std::string& name, const Misses& misses) {
  const auto cell = [](const std::vector<double>& values) {
    const Interval interval = bootstrap_mean(values);
    return fmt::format("{:.3f} [{:.3f}, {:.3f}]", interval.mean, interval.lower, interval.upper);
  };
  return fmt::format("  {:<30} {:>25} {:>25} {:>25}\n", name, cell(misses.velocity), cell(misses.rise),
                     cell(misses.spin));
}

std::string first_impact_table(const TossReport& report, const TossSet& set, const TossProtocol& protocol,
                               const Vec3& mass_centre) {
  std::vector<std::pair<std::size_t, MeasuredRebound>> rebounds;
  for (std::size_t i = 0; i < set.cut.size(); ++i) {
    if (const auto rebound = first_rebound(set.cut[i], rest_height, mass_centre, protocol)) {
      rebounds.emplace_back(i, *rebound);
    }
  }
  if (rebounds.empty()) return "";
  std::string text =
      fmt::format("  after the first impact, {} tosses\n  {:<30} {:>25} {:>25} {:>25}\n", rebounds.size(), "",
                  "velocity missed (m/s)", "rise, less measured (m/s)", "spin missed (rad/s)");
  const auto line = [&](const std::string& name, const auto& poses_of) {
    Misses misses;
    for (const auto& [i, rebound] : rebounds) {
      const ReboundMiss miss = rebound_miss(poses_of(i), rebound, mass_centre, protocol);
      misses.velocity.push_back(miss.velocity);
      misses.rise.push_back(miss.rise);
      misses.spin.push_back(miss.spin);
    }
    text += miss_line(name, misses);
  };
  for (const LawRuns& law : report.laws) {
    line(law.name, [&](std::size_t i) { return law.runs[i].simulated; });
  }
  for (const TossPredictions& peer : report.peers) {
    line(peer.name, [&](std::size_t i) { return predicted_poses(peer, set.cut[i]); });
  }
  return text;
}

Vec3 mass_centre_of(const TossReport& report) {
  if (report.fits.empty()) return Vec3::Zero();
  const CubeLaw& law = report.fits.front();
  return {0, 0, parameters_of(law, law.all->values).mass_centre};
}

}  // namespace

TossScore score_of(const LawRuns& law) {
  TossScore score{law.name, {}};
  score.errors.reserve(law.runs.size());
  for (const TossRun& run : law.runs) score.errors.push_back(run.error);
  return score;
}

std::string toss_report(const TossReport& report, const TossSet& set, const TossProtocol& protocol) {
  std::vector<TossScore> scores;
  scores.reserve(report.laws.size() + report.peer_scores.size() + 1);
  for (const LawRuns& law : report.laws) scores.push_back(score_of(law));
  scores.insert(scores.end(), report.peer_scores.begin(), report.peer_scores.end());
  TossScore frozen{"flight, then freeze", {}};
  frozen.errors.reserve(report.laws.front().runs.size());
  for (const TossRun& run : report.laws.front().runs) frozen.errors.push_back(run.frozen);
  scores.push_back(frozen);
  std::string text = fitted_table(report.fits);
  text +=
      fmt::format("  errors of {} tosses, means with 95 % intervals\n", set.cut.size()) + score_table(scores) + "\n";
  text += "  differences toss by toss, means with 95 % intervals; * zero lies outside\n";
  text += paired_table(scores, scores.front()) + "\n";
  for (const TossScore& peer : report.peer_scores) text += paired_table(scores, peer) + "\n";
  return text + first_impact_table(report, set, protocol, mass_centre_of(report));
}

}  // namespace carom
