#include "carom/impact/law_entries.h"

namespace carom {

constinit const LawEntry law_entries::none{
    .name = "none",
    .assumption =
        "nothing rebounds; what strikes together stops together, with Coulomb friction at the end of the "
        "step",
    .in_step = InStep::inelastic,
    .restitution = RestitutionUse::none,
};

}  // namespace carom
