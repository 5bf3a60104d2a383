#include "carom/stepper/law_faults.h"
#include "carom/stepper/method.h"
#include "carom/stepper/quasi_rigid/quasi_rigid_data.h"
#include "carom/stepper/quasi_rigid/quasi_rigid_stepper.h"
#include "carom/stepper/stepper_entries.h"

namespace carom {
namespace {

constexpr std::string_view fields_of_quasi_rigid[] = {"gyroscopic", "quasi_rigid", "overlap"};
constexpr std::string_view data_of_quasi_rigid[] = {"torsional_friction"};

std::unique_ptr<Stepper> make_quasi_rigid(const Model& model, const Method& method) {
  return std::make_unique<QuasiRigidStepper>(model, method);
}

std::string fault_at_the_end(const StepperEntry& stepper, const LawEntry&, const Catalogue&) {
  return "stepper " + std::string(stepper.name) +
         " closes contacts at the end of the step, where a rebound has opened them again, and knows no restitution: "
         "choose law none with it, or stepper stewart-trinkle or semi-explicit";
}

}  // namespace

constinit const StepperEntry stepper_entries::implicit_geometry{
    .name = "implicit-geometry",
    .assumption =
        "bodies are rigid and smooth; where they touch, and how, is solved for at the end of the step "
        "together with the motion; nothing rebounds",
    .make = make_quasi_rigid,
    .takes = takes_no_restitution,
    .law_fault = fault_at_the_end,
    .fields = fields_of_quasi_rigid,
    .material_data = data_of_quasi_rigid,
    .is_implicit_in_geometry = true,
    .is_at_position_level = true,
    .cone = ConeUse::exact,
    .data_faults = quasi_rigid_data_faults,
};

constinit const StepperEntry stepper_entries::quasi_rigid{
    .name = "quasi-rigid",
    .assumption =
        "bodies are rigid cores with thin compliant layers as their materials say; where they touch, how far "
        "the layers give way and the motion are solved for together at the end of the step",
    .make = make_quasi_rigid,
    .takes = takes_no_restitution,
    .law_fault = fault_at_the_end,
    .fields = fields_of_quasi_rigid,
    .material_data = data_of_quasi_rigid,
    .is_implicit_in_geometry = true,
    .is_at_position_level = true,
    .cone = ConeUse::exact,
    .layers = LayerUse::of_materials,
    .data_faults = quasi_rigid_data_faults,
};

}  // namespace carom
