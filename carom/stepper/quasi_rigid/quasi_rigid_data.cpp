#include "carom/stepper/quasi_rigid/quasi_rigid_data.h"

#include "carom/error.h"
#include "carom/geometry/implicit/implicit_body.h"

namespace carom {
namespace {

bool couples_the_normal(const Layer& layer) {
  return layer.sideways &&
         (layer.stiffness.block<2, 1>(0, 2) != Vec2::Zero() || layer.damping.block<2, 1>(0, 2) != Vec2::Zero());
}

}  // namespace

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
    const bool by_bodies =
        method.stepper == StepperKind::quasi_rigid && method.quasi_rigid.slip == SlipKinematics::of_bodies;
    if (by_bodies && material.layer && couples_the_normal(*material.layer)) {
      faults.push_back("the layer of material '" + material.name + "' of shape '" + collider.name +
                       "' couples the normal with the surface, and with quasi_rigid.slip bodies its springs do no work "
                       "along the surface: a step may then have no solution or give energy; choose slip: layers, or "
                       "leave the coupling out");
    }
    if (method.stepper == StepperKind::implicit_geometry && material.layer) {
      faults.push_back("stepper implicit-geometry has rigid contacts, and material '" + material.name + "' of shape '" +
                       collider.name + "' has a layer: choose stepper quasi-rigid, or leave it out");
    }
  }
  return faults;
}

}  // namespace carom
