#include "carom/study/design.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/error.h"
#include "carom/impact/propagative/outcome_set.h"
#include "carom/stop_signal.h"
#include "carom/study/design_trial.h"
#include "carom/study/least_change.h"
#include "carom/study/noisy_minimum.h"

namespace carom {
namespace {

using Minimise = DesignStudy::Minimise;

constexpr double tolerance = 2e-12;  // of conditions, in their units: that of least_change, and x rounded once more

OutcomeSet outcomes_of(const DesignImpact& impact, const NormalImpact& normal, int max_momenta) {
  OutcomeOptions options;
  options.kinetic_energy = impact.kinetic_energy;
  options.max_momenta = max_momenta;
  return outcome_set(normal, options);
}

/// Contacts that close by more than round-off of their speed.
int approaching(const DesignImpact& impact) {
  const double speed = std::sqrt(2 * impact.kinetic_energy);
  int count = 0;
  for (Eigen::Index i = 0; i < impact.u.size(); ++i) {
    count += impact.u[i] < -1e-9 * speed * std::sqrt(impact.A(i, i)) ? 1 : 0;
  }
  return count;
}

/// Cost that `minimise: indeterminacy` makes least. First count the contacts, of `at_start`, that no longer approach:
/// an impact that does not occur leaves nothing open and is no design. Then comes the indeterminacy, or 2 (its
/// greatest) if not all outcomes were seen.
double impact_cost(const DesignImpact& impact, int at_start, int max_momenta) {
  const double lost = std::max(0, at_start - approaching(impact));
  const OutcomeSet set = outcomes_of(impact, normal_impact(impact.A, impact.u), max_momenta);
  return 3 * lost + (set.cut ? 2 : set.indeterminacy);
}

DesignVerdict verdict_of(const DesignImpact& impact, int max_momenta) {
  DesignVerdict verdict;
  const NormalImpact normal = normal_impact(impact.A, impact.u);
  verdict.approaching = (impact.u.array() < 0).any();
  UniquenessOptions options;
  options.outcomes.kinetic_energy = impact.kinetic_energy;
  options.outcomes.max_momenta = max_momenta;
  const Uniqueness here = uniqueness(normal, options);
  verdict.here = here.unique;
  verdict.sentence = here.sentence;
  if (verdict.approaching) {
    const OutcomeSet set = outcomes_of(impact, normal, max_momenta);
    verdict.outcomes = set.outcomes.size();
    verdict.cut = set.cut;
    verdict.indeterminacy = set.indeterminacy;
  }
  // A momentum that violates all contacts makes all of them take part; independent normals allow one.
  if (normal.independent()) {
    const Uniqueness all = uniqueness(normal_impact(impact.A, -impact.A.diagonal().cwiseSqrt()), options);
    verdict.always = all.any_momentum && all.unique == Unique::yes ? Unique::yes
                     : all.first >= 0                              ? Unique::no
                                                                   : Unique::unknown;
  }
  return verdict;
}

/// The unknowns that make the outcomes differ least, with all conditions met.
LeastChangeResult least_indeterminacy(const DesignTrial& trial, const LeastChangeProblem& problem,
                                      const DesignStudy& study, const DesignOptions& options) {
  for (const DesignUnknown& unknown : study.unknowns) {
    if (std::isfinite(unknown.lower) && std::isfinite(unknown.upper)) continue;
    throw SceneError({{study.file, unknown.place.line, unknown.place.column,
                       "minimise: indeterminacy searches between bounds; give " + unknown.name + " two finite ones"}});
  }
  const int at_start = approaching(trial.impact(trial.start()));
  if (at_start == 0) {
    throw Error(study.file + ": minimise: indeterminacy needs an impact, but at the start of " + study.scene +
                " no contact is closing; give the scene a velocity");
  }
  const auto cost = [&](const std::vector<double>& at) {
    const LeastChangeResult point =
        restore(problem, Eigen::Map<const Eigen::VectorXd>(at.data(), problem.start.size()));
    if (!point.met) return 3.0 * at_start + 10;  // above any cost
    return impact_cost(trial.impact(point.at.cwiseProduct(trial.scale())), at_start, options.max_momenta) +
           1e-6 * (point.at - problem.start).squaredNorm();
  };
  const auto list = [](const Eigen::VectorXd& v) { return std::vector<double>(v.data(), v.data() + v.size()); };
  MinimumOptions minimum;
  minimum.evaluations = options.minimum_evaluations;
  minimum.resolution = 1e-9;
  LeastChangeResult first = restore(problem, problem.start);
  if (!first.met) return first;
  if (approaching(trial.impact(first.at.cwiseProduct(trial.scale()))) == 0) {
    throw Error(
        study.file +
        ": minimise: indeterminacy needs an impact, but where the conditions are met no contact is closing; add "
        "conditions on velocities, or begin elsewhere");
  }
  const Minimum found = noisy_minimum(cost, list(first.at), list(problem.lower), list(problem.upper), minimum);
  return restore(problem, Eigen::Map<const Eigen::VectorXd>(found.at.data(), problem.start.size()));
}

/// Which condition is not met, by how much, and what is in its way.
std::string why_not(const DesignResult& result, const LeastChangeResult& found) {
  double worst = 0;
  for (const DesignedCondition& condition : result.conditions) worst = std::max(worst, condition.miss);
  std::string why;
  for (const DesignedCondition& condition : result.conditions) {
    if (condition.met || condition.miss < 1e-6 * worst)
      continue;  // what gives way a little to the one that can't be met
    why += fmt::format("{} can't be met: it comes to {:.6g}, which misses it by {:.3g}.\n", condition.told,
                       condition.after, std::abs(condition.after - condition.target));
  }
  if (!found.blocking.empty()) {
    why += "In its way:";
    for (const int i : found.blocking) {
      const DesignedUnknown& unknown = result.unknowns[static_cast<std::size_t>(i)];
      why += fmt::format(" {} at its {} bound {:.6g};", unknown.name, unknown.at_bound < 0 ? "lower" : "upper",
                         unknown.after);
    }
    why.back() = '.';
    why += " Move these bounds, or let something else change.";
  } else if (found.rank < static_cast<int>(result.conditions.size())) {
    why += fmt::format(
        "No bound is in its way: near here the {} conditions answer to the unknowns in {} independent ways only, so "
        "some contradict "
        "each other or nothing that may change moves them. Let more change, or begin elsewhere.",
        result.conditions.size(), found.rank);
  } else {
    why +=
        "No bound is in its way: no small change of the unknowns lowers it further. Begin elsewhere, or let more "
        "change.";
  }
  return why;
}

void fill_unknowns(const DesignStudy& study, const DesignTrial& trial, const Eigen::VectorXd& after,
                   const std::vector<int>& at_bound, DesignResult& result) {
  const Eigen::VectorXd moved = (after - trial.start()).cwiseQuotient(trial.scale());
  result.change = moved.norm();
  for (std::size_t i = 0; i < study.unknowns.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    const DesignUnknown& unknown = study.unknowns[i];
    result.unknowns.push_back({.name = unknown.name,
                               .path = unknown.path,
                               .before = trial.start()[k],
                               .after = after[k],
                               .scale = trial.scale()[k],
                               .lower = unknown.lower,
                               .upper = unknown.upper,
                               .at_bound = i < at_bound.size() ? at_bound[i] : 0,
                               .share = result.change > 0 ? std::pow(moved[k] / result.change, 2) : 0});
  }
}

}  // namespace

DesignResult design(const DesignStudy& study, const DesignOptions& options) {
  const auto tell = [&](const std::string& what) {
    if (options.progress) options.progress(what);
  };
  const DesignTrial trial(study);
  LeastChangeProblem problem = trial.problem();
  problem.conditions = [&options, conditions = std::move(problem.conditions)](const Eigen::VectorXd& at) {
    if (options.stop && options.stop()) throw Stopped();
    return conditions(at);
  };
  tell("meeting the conditions");
  const LeastChangeResult found = study.minimise == Minimise::indeterminacy
                                      ? least_indeterminacy(trial, problem, study, options)
                                      : least_change(problem);
  DesignResult result;
  result.study = study;
  result.met = found.met;
  result.stationarity = found.stationarity;
  Eigen::VectorXd after = found.at.cwiseProduct(trial.scale());
  for (std::size_t i = 0; i < found.at_bound.size(); ++i) {  // a bound to the bit, not to a rounding
    const DesignUnknown& unknown = study.unknowns[i];
    if (found.at_bound[i] != 0)
      after[static_cast<Eigen::Index>(i)] = found.at_bound[i] < 0 ? unknown.lower : unknown.upper;
  }
  fill_unknowns(study, trial, after, found.at_bound, result);
  result.impact_before = trial.impact(trial.start());
  result.impact_after = trial.impact(after);
  const Eigen::VectorXd from = trial.quantities(trial.start(), result.impact_before);
  const Eigen::VectorXd to = trial.quantities(after, result.impact_after);
  for (std::size_t i = 0; i < study.conditions.size(); ++i) {
    const DesignCondition& condition = study.conditions[i];
    const auto k = static_cast<Eigen::Index>(i);
    const auto miss = [&](double quantity) {
      return std::abs(violation(condition_value(condition, quantity), problem.inequality[i]));
    };
    const bool met = miss(to[k]) <= tolerance;
    result.conditions.push_back(
        {condition.told, condition.target, from[k], to[k], miss(to[k]), miss(from[k]) <= tolerance, met});
    result.met = result.met && met;
  }
  result.verdict_before = verdict_of(result.impact_before, options.max_momenta);
  result.verdict_after = verdict_of(result.impact_after, options.max_momenta);
  if (!result.met) result.why = why_not(result, found);
  result.text_before = trial.text_before();
  result.text_after = trial.text(after);
  result.overlaps = other_overlaps(trial.scene(after), study.contacts, 1e-9);
  result.evaluations = trial.evaluations();
  return result;
}

}  // namespace carom
