#include "carom/study/comparison_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/counted.h"
#include "carom/study/comparison_verdict.h"
#include "carom/study/text_table.h"

namespace carom {
namespace {

std::string names(const Comparison& comparison, const std::vector<std::size_t>& runs) {
  std::string text;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == runs.size() ? " and " : ", ") + run_name(comparison, runs[i]);
  }
  return text;
}

std::string what_agrees(const Comparison& comparison) {
  const double end = comparison.scene.duration;
  if (comparison.runs.size() == 1) return "One method alone: there is nothing to compare it with.";
  const std::string within = fmt::format("within {} beyond their own errors", length_text(comparison.tolerance));
  std::size_t judged = 0;
  for (std::size_t i = 0; i < comparison.runs.size(); ++i) judged += comparison.is_judged(i) ? 1 : 0;
  if (judged == 0)
    return "No method got to the end with an error that is known: nothing can be said of what they share.";
  if (judged == 1) return "One method alone can be judged: there is nothing to compare it with.";
  std::string methods = judged == 2 ? "both methods" : fmt::format("all {} methods", judged);
  if (judged < comparison.runs.size()) methods = fmt::format("the {} methods that settled", judged);
  if (!comparison.groups.empty() && !comparison.runs[comparison.groups.front().front()].settled) {
    double error = 0;
    for (std::size_t i = 0; i < comparison.runs.size(); ++i) {
      if (comparison.is_judged(i)) error = std::max(error, largest_error(comparison.runs[i]));
    }
    methods = fmt::format("the {} methods that got there", judged);
    methods += fmt::format(", of which none has settled and errors are up to {},", length_text(error));
  }
  if (comparison.groups.size() == 1) {
    return fmt::format("To the end ({:g} s) {} agree, {}.", end, methods, within);
  }
  std::string text =
      fmt::format("Up to {:.4g} s {} agree, {}. At the end ({:g} s) there are {} different motions:",
                  splits(comparison).front().parting.time, methods, within, end, comparison.groups.size());
  for (std::size_t i = 0; i < comparison.groups.size(); ++i) {
    text += fmt::format(" ({}) {};", i + 1, names(comparison, comparison.groups[i]));
  }
  text.back() = '.';
  return text;
}

/// Numbers of the groups that the runs belong to, from 1.
std::vector<std::size_t> groups_of(const Comparison& comparison, const std::vector<std::size_t>& runs) {
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < comparison.groups.size(); ++i) {
    const std::vector<std::size_t>& group = comparison.groups[i];
    if (std::find(runs.begin(), runs.end(), group.front()) != runs.end()) numbers.push_back(i + 1);
  }
  return numbers;
}

/// "group 1", "groups 2 and 3".
std::string group_text(const std::vector<std::size_t>& numbers) {
  std::string text = numbers.size() == 1 ? "group" : "groups";
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    text += (i == 0 ? " " : i + 1 == numbers.size() ? " and " : ", ") + std::to_string(numbers[i]);
  }
  return text;
}

std::string what_parts(const Comparison& comparison, const Split& split) {
  const Parting& parting = split.parting;
  const std::vector<std::size_t> second = groups_of(comparison, split.second);
  std::string text = fmt::format("At {:.4g} s {} {} from {}", parting.time, group_text(second),
                                 second.size() > 1 ? "part" : "parts", group_text(groups_of(comparison, split.first)));
  text +=
      fmt::format(" (seen in {} and {})", run_name(comparison, parting.second), run_name(comparison, parting.first));
  const bool limit = parting.pair[0] == parting.pair[1];
  if (!parting.has_cause) {
    text += fmt::format(": their velocities come apart between {:.4g} and {:.4g} s without any contact", parting.from,
                        parting.to);
  } else {
    text += fmt::format(
        ": what did it is {} {} between {:.4g} and {:.4g} s, where they give {} of {:.4g} and {:.4g} {}",
        parting.strikes ? "the impact" : "the lasting contact", pair_name(*comparison.scene.model, parting.pair),
        parting.from, parting.to, limit ? "an impulse" : "a normal impulse", parting.second_impulse,
        parting.first_impulse, limit ? "N m s or N s" : "N s");
    const double larger = std::max(std::abs(parting.first_impulse), std::abs(parting.second_impulse));
    if (std::abs(parting.first_impulse - parting.second_impulse) < 0.01 * larger) text += ", and a different friction";
  }
  return text + fmt::format(". Afterwards they are up to {} apart.", length_text(parting.largest));
}

/// The groups that a run that has not settled may go with, for all that is known of it.
std::string where_it_may_belong(const Comparison& comparison, std::size_t run) {
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < comparison.groups.size(); ++i) {
    const auto& group = comparison.groups[i];
    if (std::any_of(group.begin(), group.end(),
                    [&](std::size_t of) { return of == run || !comparison.parting(of, run).parted(); })) {
      numbers.push_back(i + 1);
    }
  }
  if (comparison.groups.size() < 2) return numbers.empty() ? " It goes with none of the others." : "";
  return numbers.empty() ? " It goes with none of the groups."
                         : " For all that is known it may go with " + group_text(numbers) + ".";
}

std::string what_is_not_settled(const Comparison& comparison) {
  std::string text;
  for (std::size_t i = 0; i < comparison.runs.size(); ++i) {
    const RefinedRun& refined = comparison.runs[i];
    if (refined.settled) continue;
    const StepTrial& last = refined.trials.back();
    if (!text.empty()) text += " ";
    text += refined.choice.name();
    if (!refined.run.trouble.empty()) {
      text += fmt::format(" did not get to the end: {}.", refined.run.trouble);
    } else if (std::isnan(last.change)) {
      text += " was too slow to be run a second time: its error is not known.";
    } else {
      const auto beyond = std::find_if(refined.error.begin(), refined.error.end(),
                                       [&](double error) { return error > comparison.tolerance; });
      const auto at = static_cast<std::size_t>(beyond - refined.error.begin());
      text += fmt::format(
          " still moved by {} when its {} went down to {:.3g}: after {:.4g} s its motion is no better "
          "known than that.",
          length_text(last.change), is_integrated(refined.run.method) ? "tolerance" : "step", last.accuracy,
          refined.run.times[std::min(at, refined.run.times.size() - 1)]);
    }
    if (!comparison.is_judged(i)) text += where_it_may_belong(comparison, i);
  }
  return text;
}

/// Warnings of the scene with each method, but for those of keys that other methods have no use for.
std::string what_is_warned(const Comparison& comparison) {
  std::vector<std::pair<std::string, std::string>> told;  // sentence, methods
  for (const RefinedRun& refined : comparison.runs) {
    for (const std::string& warning : refined.warnings) {
      if (warning.find("no effect") != std::string::npos) continue;
      const auto known = std::find_if(told.begin(), told.end(), [&](const auto& one) { return one.first == warning; });
      if (known == told.end()) {
        told.emplace_back(warning, refined.choice.name());
      } else {
        known->second += ", " + refined.choice.name();
      }
    }
  }
  std::string text;
  for (const auto& [warning, methods] : told) {
    const bool all =
        static_cast<std::size_t>(std::count(methods.begin(), methods.end(), ',')) + 1 == comparison.runs.size();
    text += fmt::format("{}{}{}.", text.empty() ? "Mind: " : " ", warning, all ? "" : " (" + methods + ")");
  }
  return text;
}

std::string what_is_unsolved(const Comparison& comparison) {
  std::string text;
  for (const RefinedRun& refined : comparison.runs) {
    const RunCertificate& certificate = refined.run.certificate;
    if (certificate.unsolved_steps == 0 && certificate.unresolved_impacts == 0) continue;
    std::string what;
    if (certificate.unsolved_steps > 0) what = counted(certificate.unsolved_steps, "step") + " not solved";
    if (certificate.unresolved_impacts > 0) {
      what += (what.empty() ? "" : " and ") + counted(certificate.unresolved_impacts, "impact") + " not resolved";
    }
    text += fmt::format("{}{}: {}.", text.empty() ? "See the certificates. " : " ", refined.choice.name(), what);
  }
  return text;
}

std::string accuracy_text(const RefinedRun& refined) {
  const double last = refined.trials.back().accuracy;
  return is_integrated(refined.run.method) ? fmt::format("tol {:.3g}", last) : fmt::format("{:.4g} s", last);
}

}  // namespace

std::string length_text(double meters) {
  if (meters == 0) return "0 m";
  if (std::abs(meters) < 1e-6) return fmt::format("{:.1e} m", meters);
  if (std::abs(meters) < 1e-3) return fmt::format("{:.2g} mm", 1e3 * meters);
  return std::abs(meters) < 1 ? fmt::format("{:.3g} mm", 1e3 * meters) : fmt::format("{:.3g} m", meters);
}

std::string run_name(const Comparison& comparison, std::size_t run) { return comparison.runs[run].choice.name(); }

std::string pair_name(const Model& model, const BodyPair& pair) {
  const auto name = [&](int body) {
    return body < 0 ? "the world" : model.bodies()[static_cast<std::size_t>(body)].name;
  };
  if (pair[0] == pair[1]) return "at a limit of a joint or tendon of " + name(pair[0]);
  return fmt::format("{} – {}", name(pair[1]), name(pair[0]));
}

std::vector<std::string> comparison_words(const Comparison& comparison) {
  std::vector<std::string> words{what_agrees(comparison)};
  for (const Split& split : splits(comparison)) words.push_back(what_parts(comparison, split));
  const std::string open = what_is_not_settled(comparison);
  if (!open.empty()) words.push_back(open);
  const std::string warned = what_is_warned(comparison);
  if (!warned.empty()) words.push_back(warned);
  if (comparison.exact_in_place) {
    words.emplace_back(
        "Mind: the scene's friction cone is polyhedral, and the time steppers have the exact one here. With --cone "
        "polyhedral they keep the scene's.");
  }
  const std::string unsolved = what_is_unsolved(comparison);
  if (!unsolved.empty()) words.push_back(unsolved);
  return words;
}

ComparisonTable comparison_table(const Comparison& comparison) {
  ComparisonTable table;
  table.columns = {"method",        "step",           "error, about",    "from reference", "at the end",
                   "energy at end", "normal impulse", "deepest overlap", "unsolved steps", "computed in"};
  for (std::size_t i = 0; i < comparison.runs.size(); ++i) {
    const RefinedRun& refined = comparison.runs[i];
    const std::vector<double>& distance = comparison.from_reference[i].distance;
    const SampledRun& run = refined.run;
    const bool reference = i == comparison.reference;
    table.rows.push_back(
        {refined.choice.name(), accuracy_text(refined),
         refined.error.empty() ? "not known" : length_text(largest_error(refined)) + (refined.settled ? "" : " (!)"),
         reference ? "reference" : length_text(largest(distance)), reference ? "" : length_text(distance.back()),
         fmt::format("{:.5g} J", run.energy.back()),
         fmt::format("{:.4g} N s", contact_impulse(run, run.times.size() - 1)),
         length_text(run.certificate.penetration),
         fmt::format("{} of {}", run.certificate.unsolved_steps, run.certificate.steps),
         fmt::format("{:.3f} s", refined.trials.back().seconds)});
  }
  return table;
}

ComparisonTable group_table(const Comparison& comparison) {
  ComparisonTable table{{"stepper"}, {}};
  std::vector<LawKind> laws;
  for (const LawKind law : comparison.scene.catalogue->laws) {
    if (std::any_of(comparison.runs.begin(), comparison.runs.end(),
                    [&](const RefinedRun& refined) { return refined.choice.law == law; })) {
      laws.push_back(law);
      table.columns.push_back(law == LawKind::none ? "no law" : law_name(law));
    }
  }
  for (const StepperKind stepper : comparison.scene.catalogue->steppers) {
    std::vector<std::string> row{stepper_name(stepper)};
    row.resize(table.columns.size());
    bool any = false;
    for (std::size_t i = 0; i < comparison.runs.size(); ++i) {
      const MethodChoice& choice = comparison.runs[i].choice;
      if (choice.stepper != stepper) continue;
      any = true;
      const auto column = std::find(laws.begin(), laws.end(), choice.law) - laws.begin();
      const std::size_t group = group_number(comparison, i);
      row[static_cast<std::size_t>(column) + 1] = group == 0 ? "–" : std::to_string(group);
    }
    if (any) table.rows.push_back(std::move(row));
  }
  return table;
}

ComparisonTable strike_table(const Comparison& comparison) {
  std::vector<BodyPair> pairs;
  for (const RefinedRun& refined : comparison.runs) {
    for (const Strike& strike : refined.run.strikes) {
      if (std::find(pairs.begin(), pairs.end(), strike.pair) == pairs.end()) pairs.push_back(strike.pair);
    }
  }
  constexpr std::size_t most = 12;
  if (pairs.size() > most) pairs.resize(most);
  ComparisonTable table;
  table.columns = {"method"};
  for (const BodyPair& pair : pairs) table.columns.push_back(pair_name(*comparison.scene.model, pair));
  for (const RefinedRun& refined : comparison.runs) {
    std::vector<std::string> row{refined.choice.name()};
    for (const BodyPair& pair : pairs) {
      const auto first = std::find_if(refined.run.strikes.begin(), refined.run.strikes.end(),
                                      [&](const Strike& strike) { return strike.pair == pair; });
      row.push_back(first == refined.run.strikes.end() ? "–" : fmt::format("{:.5g} s", first->time));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

ComparisonTable assumption_table(const Comparison& comparison) {
  ComparisonTable table{{"choice", "what it assumes"}, {}};
  const auto is_run = [&](const auto& is) { return std::any_of(comparison.runs.begin(), comparison.runs.end(), is); };
  for (const StepperKind stepper : comparison.scene.catalogue->steppers) {
    if (!is_run([&](const RefinedRun& refined) { return refined.choice.stepper == stepper; })) continue;
    table.rows.push_back({"stepper " + stepper_name(stepper), stepper->assumption});
  }
  for (const LawKind law : comparison.scene.catalogue->laws) {
    if (!is_run([&](const RefinedRun& refined) { return refined.choice.law == law; })) continue;
    table.rows.push_back({"law " + law_name(law), law->assumption});
  }
  return table;
}

std::string comparison_text(const Comparison& comparison) {
  std::string text =
      fmt::format("{}: {} to {:g} s; each step halved until the motion changes by less than {}\n\n",
                  comparison.scene.name, counted(static_cast<std::int64_t>(comparison.runs.size()), "method"),
                  comparison.scene.duration, length_text(comparison.tolerance));
  std::string verdict;
  for (const std::string& sentence : verdict_of(comparison).words) verdict += (verdict.empty() ? "" : " ") + sentence;
  text += wrapped(verdict) + "\n";
  for (const std::string& paragraph : comparison_words(comparison)) text += wrapped(paragraph) + "\n";
  const ComparisonTable table = comparison_table(comparison);
  text += padded(table.columns, table.rows) + "\n";
  text += "What they assume:\n";
  for (const auto& row : assumption_table(comparison).rows) text += wrapped("  " + row[0] + ": " + row[1]);
  text += "\n";
  // Methods that are left out for one reason are grouped.
  std::vector<std::pair<std::string, std::string>> reasons;
  for (const LeftOut& left : comparison.left_out) {
    const auto known =
        std::find_if(reasons.begin(), reasons.end(), [&](const auto& reason) { return reason.first == left.reason; });
    if (known == reasons.end()) {
      reasons.emplace_back(left.reason, left.choice.name());
    } else {
      known->second += ", " + left.choice.name();
    }
  }
  for (const auto& [reason, methods] : reasons)
    text += wrapped(fmt::format("Left out {}: {}.", methods, reason)) + "\n";
  return text;
}

}  // namespace carom
