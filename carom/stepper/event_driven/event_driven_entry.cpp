#include "carom/stepper/event_driven/event_driven_stepper.h"
#include "carom/stepper/law_faults.h"
#include "carom/stepper/method.h"
#include "carom/stepper/stepper_entries.h"

namespace carom {
namespace {

constexpr std::string_view fields_of_event_driven[] = {"tolerance", "proximity"};
constexpr std::string_view data_of_event_driven[] = {"static_friction", "impact_friction", "impact_friction_slope",
                                                     "restitution_change", "tangential_spring"};

}  // namespace

constinit const StepperEntry stepper_entries::event_driven{
    .name = "event-driven",
    .assumption =
        "bodies are rigid; every touch, slip and lift-off has its own instant, the motion between is exact "
        "to a tolerance; contacts that hold follow Coulomb's law of forces",
    .make = [](const Model& model, const Method& method) -> std::unique_ptr<Stepper> {
      return std::make_unique<EventDrivenStepper>(model, method);
    },
    .takes = takes_laws_of_impacts,
    .law_fault = fault_beside_impacts,
    .fields = fields_of_event_driven,
    .material_data = data_of_event_driven,
    .has_impacts = [](const Method&) { return true; },
    .is_integrated = true,
    .cone = ConeUse::exact,
};

}  // namespace carom
