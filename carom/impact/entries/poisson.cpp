#include "carom/impact/impact_solver.h"
#include "carom/impact/law_entries.h"
#include "carom/impact/poisson_impact.h"

namespace carom {

constinit const LawEntry law_entries::poisson{
    .name = "poisson",
    .assumption = "all contacts are compressed at once, then each gets back e times its own impulse of compression",
    .in_step = InStep::poisson,
    .is_plastic_without_restitution = true,
    .make = [](const ImpactLawOptions&) -> std::unique_ptr<ImpactSolver> {
      return std::make_unique<PlainImpactSolver<PoissonImpactLaw>>();
    },
};

}  // namespace carom
