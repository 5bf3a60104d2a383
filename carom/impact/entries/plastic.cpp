#include "carom/impact/plastic.h"
#include "carom/impact/impact_solver.h"
#include "carom/impact/law_entries.h"

namespace carom {

constinit const LawEntry law_entries::plastic{
    .name = "plastic",
    .assumption =
        "nothing rebounds; all contacts stop approaching at once, with Coulomb friction at the end of the impact",
    .restitution = RestitutionUse::as_0,
    .make = [](const ImpactLawOptions&) -> std::unique_ptr<ImpactSolver> {
      return std::make_unique<PlainImpactSolver<PlasticLaw>>();
    },
};

}  // namespace carom
