#pragma once

#include <string>
#include <vector>

#include "carom/stepper/step_report.h"
#include "carom/study/impact_at_hand.h"

namespace carom {

/// Place to which a law takes an impact.
struct LawLanding {
  LawKind law = LawKind::plus;
  std::string refusal;                ///< why the law can't say, a sentence; then nothing below holds
  VectorX v;                          ///< after the impact, Model::velocity_count()
  ImpactReport impact;                ///< with its certificate
  std::vector<ImpactContact> struck;  ///< contacts that took part
  double energy_ratio = 0;            ///< kinetic energy after over that before; NaN where that is zero
};

/// Every law of impacts in the catalogue (LawKind::none is not one).
std::vector<LawKind> laws_of_impacts(const Catalogue& catalogue = default_catalogue());

/// Those of these names, each once; without names all. Throws Error for a law that says nothing of an impact.
std::vector<LawKind> parse_laws_of_impacts(const std::vector<std::string>& names);

/// The impact under each of the laws, by the handler that steppers use, with the options of ImpactAtHand::method. A law
/// that throws Error is refused with its sentence.
std::vector<LawLanding> law_landings(const ImpactAtHand& hand, const std::vector<LawKind>& laws);

}  // namespace carom
