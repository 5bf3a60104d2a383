#include "carom/study/law_landings.h"

#include <algorithm>
#include <limits>

#include "carom/dynamics/recursions.h"
#include "carom/error.h"
#include "carom/stepper/impact_handler.h"

namespace carom {
namespace {

LawLanding land(const ImpactAtHand& hand, LawKind law) {
  const Model& model = *hand.model;
  LawLanding landing;
  landing.law = law;
  Method method = hand.method;
  method.law = law;
  const bool sprung = std::any_of(hand.contacts.begin(), hand.contacts.end(),
                                  [](const Contact& contact) { return contact.surface.tangential_spring.has_value(); });
  if (sprung && !law->reads_tangential_spring) {
    landing.refusal = "a contact has a tangential_spring, which this law would ignore";
    return landing;
  }
  DynamicsWorkspace workspace(model);
  forward_kinematics(model, hand.q, workspace);
  forward_velocity(model, hand.q, hand.v, workspace);
  const double before = kinetic_energy(model, workspace);
  landing.v = hand.v;
  StepReport report;
  try {
    ImpactHandler handler(model, method);
    MassOperator mass(model, method.dynamics);
    handler.strike(model, hand.time, hand.q, hand.contacts, hand.strikes, 0, workspace, mass, landing.v, report);
  } catch (const Error& error) {
    landing.refusal = error.what();
    return landing;
  }
  landing.impact = report.impacts.front();
  landing.struck = report.struck;
  forward_velocity(model, hand.q, landing.v, workspace);
  landing.energy_ratio =
      before > 0 ? kinetic_energy(model, workspace) / before : std::numeric_limits<double>::quiet_NaN();
  return landing;
}

}  // namespace

std::vector<LawKind> laws_of_impacts(const Catalogue& catalogue) {
  std::vector<LawKind> laws;
  for (const LawKind law : catalogue.laws) {
    if (law->make != nullptr) laws.push_back(law);
  }
  return laws;
}

std::vector<LawKind> parse_laws_of_impacts(const std::vector<std::string>& names) {
  if (names.empty()) return laws_of_impacts();
  std::vector<LawKind> laws;
  for (const std::string& name : names) {
    const LawKind law = parse_law(name);
    if (law->make == nullptr) {
      throw Error("--law " + name + ": it says nothing of an impact; leave --law out for all that do");
    }
    if (std::find(laws.begin(), laws.end(), law) == laws.end()) laws.push_back(law);
  }
  return laws;
}

std::vector<LawLanding> law_landings(const ImpactAtHand& hand, const std::vector<LawKind>& laws) {
  std::vector<LawLanding> landings;
  landings.reserve(laws.size());
  for (const LawKind law : laws) landings.push_back(land(hand, law));
  return landings;
}

}  // namespace carom
