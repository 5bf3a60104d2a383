#include "carom/stepper/law_faults.h"
#include "carom/stepper/method.h"
#include "carom/stepper/semi_explicit_stepper.h"
#include "carom/stepper/stepper_entries.h"

namespace carom {
namespace {

constexpr std::string_view fields_of_hybrid_dca[] = {"gyroscopic", "directions", "cone",
                                                     "proximity",  "rebound",    "overlap"};

bool locates_impacts(const Method& method) {
  return method.law->restitution != RestitutionUse::none && method.rebound == Rebound::located;
}

}  // namespace

constinit const StepperEntry stepper_entries::hybrid_dca{
    .name = "hybrid-dca",
    .assumption =
        "as stewart-trinkle, with normals and masses of the middle of the step; joints and constraints hold "
        "exactly at the velocities of its end, and what redundant rows might bear is borne by the others",
    .make = [](const Model& model, const Method& method) -> std::unique_ptr<Stepper> {
      if (locates_impacts(method)) return std::make_unique<SemiExplicitStepper>(model, method);
      return std::make_unique<TimeStepper>(model, method);
    },
    .takes = [](const LawEntry& law) { return law.in_step == InStep::inelastic || law.in_step == InStep::newton; },
    .law_fault =
        [](const StepperEntry& stepper, const LawEntry& law, const Catalogue&) {
          return "stepper " + std::string(stepper.name) + " knows restitution by Newton's hypothesis alone, not law " +
                 law.name + ": choose law newton or none with it, or stepper semi-explicit";
        },
    .fields = fields_of_hybrid_dca,
    .has_impacts = locates_impacts,
    .is_at_position_level = true,
    .joins_constraints = true,
};

}  // namespace carom
