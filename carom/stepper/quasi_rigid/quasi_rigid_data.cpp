#include "carom/stepper/quasi_rigid/quasi_rigid_data.h"

#include "carom/error.h"
#include "carom/geometry/implicit/implicit_body.h"

namespace carom {

std::vector<std::string> quasi_rigid_data_faults(const Model& model, const Method& method) {
  std::vector<std::string> faults;
  if (!is_implicit_in_geometry(method)) return faults;
  for (const Collider& collider : model.colliders()) {
    try {
      (void)implicit_body(collider.shape);
    } catch (const Error& error) {
      faults.push_back("stepper " + stepper_name(method.stepper) + " cannot take shape '" + collider.name +
                       "': " + error.what());
    }
    const Material& material = model.materials()[collider.material];
    if (method.stepper == StepperKind::implicit_geometry && material.layer) {
      faults.push_back("stepper implicit-geometry has rigid contacts, and material '" + material.name + "' of shape '" +
                       collider.name + "' has a layer: choose stepper quasi-rigid, or leave it out");
    }
  }
  return faults;
}

}  // namespace carom
