#include "carom/stepper/compliant/compliant_data.h"
#include "carom/stepper/compliant/compliant_stepper.h"
#include "carom/stepper/law_faults.h"
#include "carom/stepper/method.h"
#include "carom/stepper/stepper_entries.h"

namespace carom {
namespace {

constexpr std::string_view fields_of_compliant[] = {"tolerance", "compliant"};
constexpr std::string_view data_of_compliant[] = {"static_friction", "viscous_friction", "tangential_spring"};

}  // namespace

constinit const StepperEntry stepper_entries::compliant{
    .name = "compliant",
    .assumption =
        "surfaces are elastic layers by Hertz with dissipation by Hunt and Crossley; an impact takes its time "
        "and contacts share it as their stiffnesses have it; friction rises with slip, so that nothing "
        "sticks for good but on a tangential spring",
    .make = [](const Model& model, const Method& method) -> std::unique_ptr<Stepper> {
      return std::make_unique<CompliantStepper>(model, method);
    },
    .takes = takes_no_restitution,
    .law_fault =
        [](const StepperEntry& stepper, const LawEntry& law, const Catalogue&) {
          return "law " + std::string(law.name) + " says what an impact does at once, and stepper " + stepper.name +
                 " integrates through it: choose law none with it, or stepper event-driven";
        },
    .fields = fields_of_compliant,
    .material_data = data_of_compliant,
    .is_integrated = true,
    .has_own_restitution = true,
    .cone = ConeUse::slip_speed,
    .layers = LayerUse::everywhere,
    .overlap_at_start = "their surfaces are pressed in by that, and push back",
    .data_faults = compliant_data_faults,
    .data_warnings = compliant_data_warnings,
};

}  // namespace carom
