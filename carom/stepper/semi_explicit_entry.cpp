#include "carom/stepper/law_faults.h"
#include "carom/stepper/method.h"
#include "carom/stepper/semi_explicit_stepper.h"
#include "carom/stepper/stepper_entries.h"

namespace carom {
namespace {

constexpr std::string_view fields_of_semi_explicit[] = {"gyroscopic", "smooth", "directions", "cone", "proximity"};
constexpr std::string_view data_of_semi_explicit[] = {"static_friction", "impact_friction", "impact_friction_slope",
                                                      "restitution_change", "tangential_spring"};

}  // namespace

constinit const StepperEntry stepper_entries::semi_explicit{
    .name = "semi-explicit",
    .assumption =
        "bodies are rigid; impacts are instants of their own, met where the bodies touch; contacts that last "
        "are those of anitescu-potra without restitution",
    .make = [](const Model& model, const Method& method) -> std::unique_ptr<Stepper> {
      return std::make_unique<SemiExplicitStepper>(model, method);
    },
    .takes = takes_laws_of_impacts,
    .law_fault = fault_beside_impacts,
    .fields = fields_of_semi_explicit,
    .material_data = data_of_semi_explicit,
    .has_impacts = [](const Method&) { return true; },
};

}  // namespace carom
