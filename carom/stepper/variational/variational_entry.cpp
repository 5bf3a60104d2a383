#include "carom/stepper/law_faults.h"
#include "carom/stepper/method.h"
#include "carom/stepper/stepper_entries.h"
#include "carom/stepper/variational/variational_stepper.h"

namespace carom {
namespace {

constexpr std::string_view fields_of_variational[] = {"directions", "cone", "proximity"};
constexpr std::string_view data_of_variational[] = {"static_friction", "impact_friction"};

}  // namespace

constinit const StepperEntry stepper_entries::variational{
    .name = "variational",
    .assumption =
        "bodies are rigid; steps are those of a discrete action, so momentum is kept and energy does not "
        "drift; impacts are met inside the step where the bodies touch, bounces that outpace it become "
        "contact; contacts that last push at both ends of the step",
    .make = [](const Model& model, const Method& method) -> std::unique_ptr<Stepper> {
      return std::make_unique<VariationalStepper>(model, method);
    },
    .takes = takes_laws_of_impacts,
    .law_fault = fault_beside_impacts,
    .fields = fields_of_variational,
    .material_data = data_of_variational,
    .has_impacts = [](const Method&) { return true; },
    .overlap_at_start = "they stay so: the discrete action of stepper variational has no move without velocity",
};

}  // namespace carom
