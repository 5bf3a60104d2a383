#include "carom/study/comparison_verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "carom/study/comparison_text.h"

namespace carom {
namespace {

std::vector<std::size_t> judged_runs(const Comparison& comparison) {
  std::vector<std::size_t> judged;
  for (std::size_t i = 0; i < comparison.runs.size(); ++i) {
    if (comparison.is_judged(i)) judged.push_back(i);
  }
  return judged;
}

/// The groups that the runs of each value of `part` are in; a part with one value tells nothing apart.
template <class Part>
bool tells_groups_apart(const Comparison& comparison, const std::vector<std::size_t>& judged, Part&& part) {
  std::map<std::string, std::set<std::size_t>> groups;
  for (const std::size_t run : judged) {
    groups[part(comparison.runs[run].choice)].insert(group_number(comparison, run));
  }
  return groups.size() > 1 &&
         std::all_of(groups.begin(), groups.end(), [](const auto& one) { return one.second.size() == 1; });
}

std::string law_of(const MethodChoice& choice) { return law_name(choice.law); }
std::string stepper_of(const MethodChoice& choice) { return stepper_name(choice.stepper); }

template <class Part>
std::size_t count_of(const Comparison& comparison, const std::vector<std::size_t>& judged, Part&& part) {
  std::set<std::string> values;
  for (const std::size_t run : judged) values.insert(part(comparison.runs[run].choice));
  return values.size();
}

Decisive decisive_part(const Comparison& comparison, const std::vector<std::size_t>& judged) {
  if (judged.size() < 2) return Decisive::unknown;
  if (comparison.groups.size() < 2) return Decisive::none;
  const bool by_law = tells_groups_apart(comparison, judged, law_of);
  const bool by_stepper = tells_groups_apart(comparison, judged, stepper_of);
  if (by_law == by_stepper) return Decisive::method;
  return by_law ? Decisive::law : Decisive::stepper;
}

/// The part that differs among the judged runs: "law", "stepper", "method".
std::string what_was_varied(const Comparison& comparison, const std::vector<std::size_t>& judged) {
  const bool laws = count_of(comparison, judged, law_of) > 1, steppers = count_of(comparison, judged, stepper_of) > 1;
  return laws && steppers ? "method" : laws ? "law" : "stepper";
}

/// "all 4 methods", "both methods"; "4 of 18 methods" if the others can't tell.
std::string how_many(const Comparison& comparison, std::size_t judged) {
  if (judged < comparison.runs.size()) return fmt::format("{} of {} methods", judged, comparison.runs.size());
  return judged == 2 ? "both methods" : fmt::format("all {} methods", judged);
}

std::string on_agreement(const Comparison& comparison, const ComparisonVerdict& verdict,
                         const std::vector<std::size_t>& judged) {
  const std::string apart = length_text(verdict.between_methods), varied = what_was_varied(comparison, judged);
  if (!comparison.runs[judged.front()].settled) {
    double error = 0;
    for (const std::size_t run : judged) error = std::max(error, largest_error(comparison.runs[run]));
    return fmt::format(
        "No method settled, so it can't be told if the {} matters here: {} are within {} of one another, with errors "
        "of up to {}.",
        varied, how_many(comparison, judged.size()), apart, length_text(error));
  }
  const std::string subject = varied == "method" ? "Law and stepper do" : "The " + varied + " does";
  if (judged.size() < comparison.runs.size()) {
    return fmt::format("{} not matter here as far as {} can tell: they are within {} of one another.", subject,
                       how_many(comparison, judged.size()), apart);
  }
  return fmt::format("{} not matter here: {} are within {} of one another.", subject,
                     how_many(comparison, judged.size()), apart);
}

std::string on_methods(const Comparison& comparison, const ComparisonVerdict& verdict,
                       const std::vector<std::size_t>& judged) {
  if (verdict.decisive == Decisive::unknown) {
    return "Fewer than two methods got to the end with a known error, so nothing can be said of the law.";
  }
  if (verdict.decisive == Decisive::none) return on_agreement(comparison, verdict, judged);
  const std::string subject = verdict.decisive == Decisive::law       ? "The law matters"
                              : verdict.decisive == Decisive::stepper ? "The stepper matters"
                                                                      : "Law and stepper matter";
  const auto named = [&](std::size_t run) {
    return verdict.decisive == Decisive::law ? law_of(comparison.runs[run].choice) : run_name(comparison, run);
  };
  const std::string of =
      judged.size() < comparison.runs.size() ? fmt::format(" ({} can tell)", how_many(comparison, judged.size())) : "";
  return fmt::format("{} here{}: {} and {} are up to {} apart; motions part from {:.4g} s on.", subject, of,
                     named(verdict.first), named(verdict.second), length_text(verdict.between_methods),
                     verdict.parted_at);
}

/// Words of the runs that have a step, and not a tolerance, on it.
struct StepTold {
  std::size_t all = 0, unsettled = 0;
  const RefinedRun* moved = nullptr;  // that moved most when its step was halved last, of those that did not settle
};

StepTold step_told(const Comparison& comparison) {
  StepTold told;
  for (const RefinedRun& refined : comparison.runs) {
    if (is_integrated(refined.run.method)) continue;
    ++told.all;
    if (refined.settled) continue;
    ++told.unsettled;
    const double change =
        refined.trials.empty() ? std::numeric_limits<double>::quiet_NaN() : refined.trials.back().change;
    if (std::isnan(change) || (told.moved != nullptr && change <= told.moved->trials.back().change)) continue;
    told.moved = &refined;
  }
  return told;
}

/// "The step matters", in words that go on from those on the methods.
std::string step_matters(Decisive decisive) {
  switch (decisive) {
    case Decisive::unknown:
      return "The step matters";
    case Decisive::none:
      return "The step does";
    default:
      return "The step matters too";
  }
}

/// Sentence on the step where no method whose step is judged is off by more than the tolerance.
std::string on_short_step(const Comparison& comparison, const ComparisonVerdict& verdict, Decisive decisive,
                          const StepTold& told) {
  const std::string denied = decisive == Decisive::none      ? "The step does not either"
                             : decisive == Decisive::unknown ? "The step does not matter"
                                                             : "The step does not";
  const double step = comparison.runs[verdict.coarsest].scene_step;
  const std::string error = length_text(verdict.step_error);
  if (told.unsettled == 0)
    return fmt::format("{}: at {:.4g} s no time stepper is off by more than {}.", denied, step, error);
  const std::size_t settled = told.all - told.unsettled;
  return fmt::format("{} as far as {} of {} time steppers can tell: at {:.4g} s {} off by no more than {}.", denied,
                     settled, told.all, step, settled == 1 ? "it is" : "they are", error);
}

std::string on_step(const Comparison& comparison, const ComparisonVerdict& verdict) {
  const StepTold told = step_told(comparison);
  const std::string open =
      told.unsettled > 0 ? fmt::format("; {} of {} time steppers did not settle", told.unsettled, told.all) : "";
  // Agreement of methods that none has settled is told as unknown, and the step's words do not go on from it.
  const bool unknown = verdict.decisive == Decisive::none && !comparison.runs[verdict.first].settled;
  const Decisive decisive = unknown ? Decisive::unknown : verdict.decisive;
  const std::string matters = step_matters(decisive);
  if (verdict.step_error > comparison.tolerance) {
    const RefinedRun& worst = comparison.runs[verdict.coarsest];
    const std::string enough =
        worst.settled ? fmt::format("for it {:.3g} s is short enough", worst.trials.back().accuracy)
                      : fmt::format("down to {:.3g} s none was short enough for it", worst.trials.back().accuracy);
    return fmt::format("{}: at {:.4g} s {} is off by up to {}; {}{}.", matters, worst.scene_step,
                       run_name(comparison, verdict.coarsest), length_text(verdict.step_error), enough, open);
  }
  if (told.moved != nullptr) {
    const StepTrial& last = told.moved->trials.back();
    return fmt::format("{}: {} still moved by {} when its step went down to {:.3g} s{}.", matters,
                       told.moved->choice.name(), length_text(last.change), last.accuracy, open);
  }
  if (std::isnan(verdict.step_error) || told.unsettled == told.all) return "";
  return on_short_step(comparison, verdict, decisive, told);
}

}  // namespace

std::size_t group_number(const Comparison& comparison, std::size_t run) {
  for (std::size_t i = 0; i < comparison.groups.size(); ++i) {
    const std::vector<std::size_t>& group = comparison.groups[i];
    if (std::find(group.begin(), group.end(), run) != group.end()) return i + 1;
  }
  return 0;
}

std::string decisive_name(Decisive decisive) {
  switch (decisive) {
    case Decisive::unknown:
      return "unknown";
    case Decisive::none:
      return "none";
    case Decisive::law:
      return "law";
    case Decisive::stepper:
      return "stepper";
    case Decisive::method:
      return "method";
  }
  return "unknown";
}

ComparisonVerdict verdict_of(const Comparison& comparison) {
  const std::vector<std::size_t> judged = judged_runs(comparison);
  ComparisonVerdict verdict;
  verdict.decisive = decisive_part(comparison, judged);
  verdict.parted_at = std::numeric_limits<double>::infinity();
  // Pairs that are as far apart but for round-off are told by the first of them.
  constexpr double alike = 1 + 1e-6;
  for (std::size_t a = 0; a < judged.size(); ++a) {
    for (std::size_t b = a + 1; b < judged.size(); ++b) {
      const Parting& parting = comparison.parting(judged[a], judged[b]);
      if (verdict.between_methods > 0 && parting.largest <= alike * verdict.between_methods) continue;
      // Two runs of one group say nothing where there are several.
      if (comparison.groups.size() > 1 && group_number(comparison, judged[a]) == group_number(comparison, judged[b])) {
        continue;
      }
      verdict.between_methods = parting.largest;
      verdict.first = judged[a];
      verdict.second = judged[b];
    }
  }
  if (comparison.groups.size() > 1) verdict.parted_at = splits(comparison).front().parting.time;
  verdict.step_error = std::numeric_limits<double>::quiet_NaN();
  for (const std::size_t run : judged) {
    const double error = comparison.runs[run].scene_step_error;
    if (std::isnan(error) || error <= verdict.step_error) continue;
    verdict.step_error = error;
    verdict.coarsest = run;
  }
  verdict.words = {on_methods(comparison, verdict, judged)};
  const std::string step = on_step(comparison, verdict);
  if (!step.empty()) verdict.words.push_back(step);
  return verdict;
}

}  // namespace carom
