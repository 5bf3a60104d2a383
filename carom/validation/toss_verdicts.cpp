#include "carom/validation/toss_verdicts.h"

#include <fmt/format.h>

#include <array>

namespace carom {
namespace {

/// Errors published with the measurements, averages over tosses, each simulator fitted to 60 of them: a
/// Stewart–Trinkle stepper with two coefficients of friction, the same with one, MuJoCo, and the largest of MuJoCo's,
/// Bullet's and ODE's.
struct Published {
  double two_frictions, one_friction, mujoco, worst_engine;
};
constexpr std::array<Published, toss_figures.size()> published{
    {{10.6, 10.9, 11.3, 22.3}, {21.6, 23.1, 24.9, 50.0}, {13.2, 13.7, 14.0, 19.7}, {21.0, 22.3, 22.8, 31.1}}};

std::string reach(const Interval& interval, const char* number) {
  return fmt::format("95 %: {} to {}", fmt::format(fmt::runtime(number), interval.lower),
                     fmt::format(fmt::runtime(number), interval.upper));
}

}  // namespace

void add_error_entries(const std::string& source, const TossScore& score, TossFit fit,
                       const std::vector<TossScore>& peers, Validation& validation) {
  constexpr std::size_t fewest = 5;  // of fewer tosses, draws are alike and an interval says nothing
  const bool strict = fit == TossFit::two_frictions && score.errors.size() >= fewest;
  const std::string by_chance = "; may be worse by chance alone";
  for (std::size_t i = 0; i < published.size(); ++i) {
    const Published& theirs = published[i];
    const Interval ours = score_interval(score, i);
    const double reference = fit == TossFit::one_friction ? theirs.one_friction : theirs.two_frictions;
    const std::string allowed =
        strict ? by_chance : fmt::format("; at most as the least accurate of three engines, {}", theirs.worst_engine);
    validation.entries.push_back(from(
        Origin::printed, error_entry(source, score.name, toss_figures[i], reference, ours.mean,
                                     strict ? ours.mean - ours.lower : theirs.worst_engine - reference,
                                     reach(ours, "{:.1f}") + (fit == TossFit::none ? ", not fitted" : "") + allowed)));
  }
  if (fit == TossFit::none) return;
  for (const TossScore& peer : peers) {
    for (std::size_t i = 0; i < published.size(); ++i) {
      const Interval less = paired_interval(score, peer, i);
      validation.entries.push_back(from(
          Origin::program,
          error_entry(
              source, score.name, fmt::format("less {}: {}", peer.name, toss_figures[i]), 0, less.mean,
              strict ? less.mean - less.lower : published[i].worst_engine - published[i].mujoco,
              reach(less, "{:+.1f}") + (strict ? by_chance : "; at most as the least accurate of three engines is"))));
    }
  }
}

}  // namespace carom
