#include "carom/stepper/ignored_data.h"

namespace carom {

std::vector<std::string> ignored_material_data(const Method& method) {
  switch (method.stepper) {
    case StepperKind::stewart_trinkle:
    case StepperKind::anitescu_potra:
    case StepperKind::stewart_trinkle_nonlinear:
      return {"static_friction", "impact_friction", "viscous_friction", "torsional_friction"};
    case StepperKind::implicit_geometry:
    case StepperKind::quasi_rigid:
      return {"static_friction", "impact_friction", "viscous_friction"};
    case StepperKind::semi_explicit:
    case StepperKind::event_driven:
    case StepperKind::variational:
      return {"viscous_friction", "torsional_friction"};
    case StepperKind::compliant:
      return {"impact_friction", "torsional_friction"};  // it has no blows
  }
  return {};
}

std::string article_of(const std::string& key) { return key.starts_with("impact") ? "an " : "a "; }

std::string ignored_material_data_remedy(const Method& method, const std::string& key) {
  if (key == "viscous_friction") {
    return "which stepper compliant uses, and stepper " + stepper_name(method.stepper) +
           " would ignore; leave it out, or choose that one";
  }
  if (key == "torsional_friction") {
    return "which steppers implicit-geometry and quasi-rigid use, and stepper " + stepper_name(method.stepper) +
           " would ignore; leave it out, or choose one of these";
  }
  const char* const users = key == "impact_friction" ? "semi-explicit, event-driven and variational"
                                                     : "semi-explicit, event-driven, variational and compliant";
  return std::string("which steppers ") + users + " use, and stepper " + stepper_name(method.stepper) +
         " would ignore; leave it out, or choose one of these";
}

}  // namespace carom
