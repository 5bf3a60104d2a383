#include "carom/dynamics/point_spring.h"
#include "carom/dynamics/recursions.h"
#include "carom/dynamics/spring_stretch.h"

namespace carom {
namespace {

/// Free bodies are many, and hardly any has a spring.
bool has_spring(const Joint& joint) {
  return has_scalar_coordinates(joint.type) || !(joint.stiffness.array() == 0).all();
}

}  // namespace

double kinetic_energy(const Model& model, const DynamicsWorkspace& workspace) {
  double twice = 0;
  for (int i = 0; i < model.body_count(); ++i) {
    twice += workspace.V[i].dot(model.bodies()[i].inertia * workspace.V[i]) + 2 * workspace.reflected_energy[i];
  }
  return 0.5 * twice;
}

double potential_energy(const Model& model, const VectorX& q, const DynamicsWorkspace& workspace) {
  double energy = 0;
  for (int i = 0; i < model.body_count(); ++i) {
    if (model.is_static(i)) continue;  // a constant that would only cost digits
    const SpatialInertia& inertia = model.bodies()[i].inertia;
    energy -= inertia.mass * model.gravity().dot(workspace.X_WB[i] * inertia.center);
    const Joint& joint = model.joints()[i];
    if (!has_spring(joint)) continue;
    const OfCoordinates stretch = spring_stretch(joint, q);
    for (int k = 0; k < velocity_size(joint); ++k) energy += 0.5 * joint.stiffness[k] * stretch[k] * stretch[k];
  }
  return energy + point_spring_energy(model, workspace);
}

void spring_force(const Model& model, const VectorX& q, VectorX& tau) {
  tau.setZero(model.velocity_count());
  for (const Joint& joint : model.joints()) {
    if (!has_spring(joint)) continue;
    const OfCoordinates stretch = spring_stretch(joint, q);
    for (int k = 0; k < velocity_size(joint); ++k) tau[joint.v_index + k] = -joint.stiffness[k] * stretch[k];
  }
}

}  // namespace carom
