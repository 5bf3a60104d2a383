#include "carom/impact/stronge.h"
#include "carom/impact/impact_solver.h"
#include "carom/impact/law_entries.h"

namespace carom {

constinit const LawEntry law_entries::stronge{
    .name = "stronge",
    .assumption =
        "each contact gives back e² of the work that it took in compression; slip may stop and turn on the way",
    .make = [](const ImpactLawOptions&) -> std::unique_ptr<ImpactSolver> {
      return std::make_unique<PlainImpactSolver<StrongeLaw>>();
    },
};

}  // namespace carom
