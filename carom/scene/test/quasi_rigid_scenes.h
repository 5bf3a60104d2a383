#pragma once

#include "carom/dynamics/recursions.h"

// What the tests of scenes/quasi_rigid share.
namespace carom::test {

/// Kinetic and potential energy, without layers.
inline double energy(const Model& model, const State& state) {
  DynamicsWorkspace workspace(model);
  forward_kinematics(model, state.q, workspace);
  forward_velocity(model, state.q, state.v, workspace);
  return kinetic_energy(model, workspace) + potential_energy(model, state.q, workspace);
}

}  // namespace carom::test
