// The steppers that are TimeStepper alone: Stewart and Trinkle's in its three forms.

#include "carom/stepper/law_faults.h"
#include "carom/stepper/method.h"
#include "carom/stepper/stepper_entries.h"
#include "carom/stepper/time_stepper.h"

namespace carom {
namespace {

constexpr std::string_view on_gaps[] = {"gyroscopic", "smooth", "directions", "cone", "contact_tolerance", "overlap"};
constexpr std::string_view on_rates[] = {"gyroscopic", "smooth", "directions", "cone", "contact_tolerance"};
constexpr std::string_view by_iteration[] = {
    "gyroscopic", "directions", "cone", "contact_tolerance", "overlap", "nonlinear_iterations", "nonlinear_tolerance"};

std::unique_ptr<Stepper> make_time_stepper(const Model& model, const Method& method) {
  return std::make_unique<TimeStepper>(model, method);
}

}  // namespace

constinit const StepperEntry stepper_entries::stewart_trinkle{
    .name = "stewart-trinkle",
    .assumption =
        "bodies are rigid; all contacts of a step act at once, at its end, where no overlap is left; an impact "
        "is felt within a step of its time",
    .make = make_time_stepper,
    .takes = takes_laws_in_step,
    .law_fault = fault_in_step,
    .fields = on_gaps,
    .is_at_position_level = true,
};

constinit const StepperEntry stepper_entries::anitescu_potra{
    .name = "anitescu-potra",
    .assumption =
        "bodies are rigid; all contacts of a step act at once on the velocities at its end, and overlap is "
        "taken out afterwards",
    .make = make_time_stepper,
    .takes = takes_laws_in_step,
    .law_fault = fault_in_step,
    .fields = on_rates,
};

constinit const StepperEntry stepper_entries::stewart_trinkle_nonlinear{
    .name = "stewart-trinkle-nonlinear",
    .assumption = "as stewart-trinkle, with normals, tangents and masses of the end of the step instead of its start",
    .make = make_time_stepper,
    .takes = takes_no_restitution,
    .law_fault =
        [](const StepperEntry& stepper, const LawEntry&, const Catalogue&) {
          return std::string(stepper.name) +
                 " iterates on the end of the step, where a rebound has opened the contact again, and knows no "
                 "restitution: choose law none with it, or stepper stewart-trinkle or anitescu-potra";
        },
    .fields = by_iteration,
    .is_at_position_level = true,
};

}  // namespace carom
