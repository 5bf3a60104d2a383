#include "carom/impact/impact_solver.h"
#include "carom/impact/law_entries.h"
#include "carom/impact/newton_impact.h"

namespace carom {

constinit const LawEntry law_entries::newton{
    .name = "newton",
    .assumption = "each contact leaves with e times the speed at which it came, all at once, however it was struck",
    .in_step = InStep::newton,
    .is_plastic_without_restitution = true,
    .make = [](const ImpactLawOptions&) -> std::unique_ptr<ImpactSolver> {
      return std::make_unique<PlainImpactSolver<NewtonImpactLaw>>();
    },
};

}  // namespace carom
