#include "carom/study/impact_study.h"

#include <fmt/format.h>

#include <map>

#include "carom/error.h"
#include "carom/record/contact_names.h"

namespace carom {

ImpactStudy impact_study(const Scene& scene, ImpactAtHand hand, const std::vector<LawKind>& laws,
                         const OutcomeSearch& search) {
  KineticSpace space(hand);
  ImpactStudy report{scene, std::move(hand), std::move(space), {}, {}, {}, {}};
  report.landings = law_landings(report.hand, laws);
  try {
    report.outcomes = impact_outcomes(report.hand, report.space, search);
  } catch (const Error& error) {
    report.no_outcomes = error.what();
  }
  for (const LawLanding& landing : report.landings) {
    const bool placed = report.outcomes && landing.refusal.empty();
    report.placements.push_back(placed ? place(*report.outcomes, report.space, landing.v) : Placement{});
  }
  return report;
}

std::vector<std::string> contact_names(const ImpactAtHand& hand) {
  std::vector<std::string> names;
  std::map<std::string, int> count, number;
  for (const Contact& contact : hand.contacts) {
    names.push_back(contact_name(*hand.model, contact.id, contact.body_a, contact.body_b));
    ++count[names.back()];
  }
  for (std::string& name : names) {
    if (count[name] > 1) name += fmt::format(" ({})", ++number[name]);
  }
  return names;
}

}  // namespace carom
