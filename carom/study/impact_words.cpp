#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "carom/counted.h"
#include "carom/study/impact_study.h"

namespace carom {
namespace {

constexpr double on_it = 1e-6;  // of √(2 E): a law that lands so near an outcome lands on it

std::string many(std::size_t count, const std::string& one) { return counted(static_cast<std::int64_t>(count), one); }

std::string list_of(const std::vector<std::string>& names) {
  constexpr std::size_t most = 6;
  std::string text;
  for (std::size_t i = 0; i < std::min(most, names.size()); ++i) {
    const bool last = i + 1 == names.size();
    text += (i == 0 ? "" : last ? " and " : ", ") + names[i];
  }
  return names.size() > most ? text + fmt::format(" and {} more", names.size() - most) : text;
}

/// A number of sequences or resets, which may be beyond counting.
std::string whole_number(double value) {
  if (!std::isfinite(value)) return "no end of";
  return value < 1e15 ? fmt::format("{:.0f}", value) : fmt::format("{:.2g}", value);
}

std::string where_and_when(const ImpactStudy& report) {
  const ImpactAtHand& hand = report.hand;
  std::vector<std::string> striking, names = contact_names(hand);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (hand.strikes[i]) striking.push_back(names[i]);
  }
  std::string text = many(striking.size(), "contact") + (striking.size() == 1 ? " strikes" : " strike");
  text += hand.at_start ? " at the scene's start"
                        : fmt::format(" at {:.6g} s, to which the motion was followed from the start", hand.time);
  if (!hand.at_start) {
    text += fmt::format(" by stepper {}", stepper_name(hand.method.stepper));
    if (hand.impacts > 0)
      text += fmt::format(" and law {} through {}", law_name(hand.method.law), many(hand.impacts, "impact"));
  }
  text += ": " + list_of(striking) + ".";
  if (!report.outcomes) return text;
  const std::size_t part = report.outcomes->contacts.size(), other = names.size() - part;
  std::size_t strike_in_part = 0;
  for (const int i : report.outcomes->contacts) strike_in_part += hand.strikes[static_cast<std::size_t>(i)] ? 1 : 0;
  if (part > strike_in_part) {
    text += fmt::format(" {} more {} closed and take{} part.", part - strike_in_part,
                        part - strike_in_part == 1 ? "is" : "are", part - strike_in_part == 1 ? "s" : "");
  }
  if (other > 0) {
    text += fmt::format(" {} more {} closed and {} no part in it.", other, other == 1 ? "is" : "are",
                        other == 1 ? "has" : "have");
  }
  return text;
}

/// "by 2 sequences of 2 to 3 resets"
std::string by_sequences(const OutcomeSet& set) {
  std::string text = fmt::format("by {}{} {} of {}", set.cut ? "at least " : "", whole_number(set.sequences),
                                 set.sequences == 1 ? "sequence" : "sequences", set.shortest);
  if (set.longest != set.shortest) text += " to " + whole_number(set.longest);
  return text + (set.longest == 1 ? " reset" : " resets");
}

std::string how_many(const ImpactOutcomes& outcomes) {
  const OutcomeSet& set = outcomes.all;
  const std::size_t n = set.outcomes.size();
  if (n == 0) {
    return set.cut ? fmt::format("nothing within {} momenta", set.momenta) : std::string("no outcome");
  }
  if (n == 1) return fmt::format("{}one outcome, {}", set.cut ? "at least " : "", by_sequences(set));
  return fmt::format("{}{} outcomes, up to {:.3g} of the speed apart, {}", set.cut ? "at least " : "", n,
                     set.indeterminacy, by_sequences(set));
}

/// The verdict's sentence begins with the verdict.
std::string verdict_words(const Uniqueness& verdict) {
  const std::size_t colon = verdict.sentence.find(": ");
  const std::string reason = colon == std::string::npos ? verdict.sentence : verdict.sentence.substr(colon + 2);
  if (verdict.outcomes.outcomes.empty() && verdict.unique == Unique::unknown) return "That is to say: " + reason + ".";
  const char* unique = verdict.unique == Unique::yes ? "Yes" : verdict.unique == Unique::no ? "No" : "Unknown";
  return fmt::format("Is it the only one, whatever the order? {}: {}.", unique, reason);
}

std::string frictionless_picture(const ImpactOutcomes& outcomes) {
  const OutcomeSet& set = outcomes.all;
  std::string text = "Taken one contact after another, elastically and without friction, resets in any order lead to " +
                     how_many(outcomes) + ". " + verdict_words(outcomes.verdict);
  if (set.outcomes.size() > 1) {
    const int d = outcomes.hull.dimension;
    text += d == 1   ? " They lie on a line."
            : d == 2 ? " They lie in a plane."
                     : fmt::format(" They span {} dimensions.", d);
  }
  const auto minimal =
      static_cast<std::size_t>(std::count(outcomes.in_literal.begin(), outcomes.in_literal.end(), true));
  if (outcomes.literal.cut) {
    text += minimal == 0
                ? std::string(
                      " Which of these sequences without any shorter way inside them reach was not found "
                      "within the budget.")
                : fmt::format(" Sequences without any shorter way inside them reach at least {} of these.", minimal);
  } else if (minimal < set.outcomes.size()) {
    text += fmt::format(" Sequences without any shorter way inside them reach {} of these.", minimal);
  }
  if (set.endless && !set.outcomes.empty()) text += " Some orders of resets never end.";
  if (outcomes.has_friction) {
    text += " This is the picture without friction, which the scene has; laws that know of it were given it.";
  }
  return text;
}

/// Words on where a law lands, so that laws with the same words can be named together.
std::string landing_words(const ImpactStudy& report, std::size_t i) {
  const Placement& placement = report.placements[i];
  if (placement.nearest < 0) return {};
  const std::string& nearest = report.outcomes->outcomes[static_cast<std::size_t>(placement.nearest)].name;
  if (placement.relative <= on_it) return "on " + nearest;
  std::string text = fmt::format("{:.3g} of the speed from {}", placement.relative, nearest);
  if (placement.in_hull) text += ", among the outcomes";
  if (placement.closest == nearest) return text;
  if (placement.closest_relative <= on_it) return text + ", on " + placement.closest;
  return text + fmt::format(" and {:.3g} from {}", placement.closest_relative, placement.closest);
}

std::string laws_paragraph(const ImpactStudy& report) {
  std::vector<std::pair<std::string, std::vector<std::string>>> groups;
  for (std::size_t i = 0; i < report.landings.size(); ++i) {
    if (!report.landings[i].refusal.empty()) continue;
    const std::string words = landing_words(report, i);
    if (words.empty()) continue;
    const std::string law = law_name(report.landings[i].law);
    const auto known =
        std::find_if(groups.begin(), groups.end(), [&](const auto& group) { return group.first == words; });
    if (known == groups.end()) {
      groups.push_back({words, {law}});
    } else {
      known->second.push_back(law);
    }
  }
  std::string text;
  for (const auto& [words, laws] : groups) {
    text += fmt::format("{}{} {} {}", text.empty() ? "Law" + std::string(laws.size() > 1 ? "s " : " ") : "; ",
                        list_of(laws), laws.size() > 1 ? "land" : "lands", words);
  }
  return text.empty() ? text : text + ".";
}

std::string spread_paragraph(const ImpactStudy& report) {
  std::size_t a = 0, b = 0;
  double most = 0;
  for (std::size_t i = 0; i < report.landings.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (!report.landings[i].refusal.empty() || !report.landings[j].refusal.empty()) continue;
      const double apart = report.space.distance(report.landings[i].v, report.landings[j].v);
      if (!(apart > most)) continue;
      most = apart;
      a = j;
      b = i;
    }
  }
  const double scale = std::sqrt(2 * report.space.energy(report.hand.v));
  if (!(scale > 0) || !(most > 0)) return {};
  if (most <= on_it * scale) return "All laws land in the same place.";
  return fmt::format("The laws furthest apart are {} and {}: {:.3g} of the speed.", law_name(report.landings[a].law),
                     law_name(report.landings[b].law), most / scale);
}

/// "Law plus spent …", "Laws plus and lzb spent …"; empty if there are none.
std::string of_laws(const std::vector<std::string>& laws, const std::string& did) {
  if (laws.empty()) return {};
  return fmt::format("Law{} {} {}.", laws.size() > 1 ? "s" : "", list_of(laws), did);
}

/// The source of the energy that laws keep beyond what there was; empty if none does.
std::string drive_sentence(const ImpactStudy& report) {
  double most = 0;
  std::string law;
  for (const LawLanding& landing : report.landings) {
    const double work = landing.refusal.empty() ? landing.impact.drive_work : 0;
    if (!(landing.energy_ratio > 1 + on_it) || !(work > most)) continue;
    most = work;
    law = law_name(landing.law);
  }
  if (law.empty()) return {};
  std::vector<std::string> names;
  for (const Constraint& constraint : report.hand.model->constraints()) {
    if (constraint.kind == ConstraintKind::motion) names.push_back(constraint.name);
  }
  const std::string who = names.empty() ? "A path that is prescribed" : "Prescribed motion " + list_of(names);
  return fmt::format(
      "{} goes on through the impact and gives it energy, under law {} {:.3g} J: more is kept than there was.", who,
      law, most);
}

std::string warnings_paragraph(const ImpactStudy& report) {
  std::vector<std::string> sentences, spent, contradicted, gained;
  for (const LawLanding& landing : report.landings) {
    const std::string law = law_name(landing.law);
    if (!landing.refusal.empty()) {
      sentences.push_back(fmt::format("Law {} can't say: {}.", law, landing.refusal));
      continue;
    }
    if (landing.impact.outcome.status == ImpactStatus::budget) spent.push_back(law);
    if (landing.impact.outcome.status == ImpactStatus::inconsistent) contradicted.push_back(law);
    if (landing.impact.certificate.energy_gain > 1e-8) gained.push_back(law);
  }
  sentences.push_back(of_laws(spent, "ran out of rounds or steps, and the impact was ended without restitution"));
  sentences.push_back(of_laws(contradicted, "found no answer that all contacts agree with"));
  sentences.push_back(of_laws(gained, gained.size() > 1 ? "make energy here" : "makes energy here"));
  sentences.push_back(drive_sentence(report));
  if (report.outcomes && !report.outcomes->immovable.empty()) {
    const std::size_t n = report.outcomes->immovable.size();
    sentences.push_back(fmt::format("{} that no impulse moves {} left out of the outcomes.", many(n, "contact"),
                                    n == 1 ? "is" : "are"));
  }
  std::string text;
  for (const std::string& sentence : sentences) {
    if (!sentence.empty()) text += (text.empty() ? "" : " ") + sentence;
  }
  return text;
}

}  // namespace

std::vector<std::string> impact_words(const ImpactStudy& report) {
  std::vector<std::string> words{where_and_when(report)};
  words.push_back(report.outcomes ? frictionless_picture(*report.outcomes)
                                  : "Outcomes of resets can't be told: " + report.no_outcomes + ".");
  for (const std::string& more : {laws_paragraph(report), spread_paragraph(report), warnings_paragraph(report)}) {
    if (!more.empty()) words.push_back(more);
  }
  return words;
}

}  // namespace carom
