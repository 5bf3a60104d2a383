#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "carom/dynamics/recursions.h"
#include "carom/stepper/simulation.h"

// Small mechanisms that the tests of this room share.
namespace carom::test {

inline SpatialInertia solid(const Shape& shape, double mass) {
  const SpatialInertia unit = shape_inertia(shape, 1);
  return {mass, unit.center, unit.central * (mass / unit.mass)};
}

/// Collects free bodies with one shape each over an optional floor of one material.
struct SceneMaker {
  explicit SceneMaker(double friction, const Restitution& restitution = 0.0, const Vec3& gravity = {0, 0, -9.81}) {
    builder.set_gravity(gravity);
    Material surface{"surface", Vec2(friction, friction), restitution};
    surface.youngs_modulus = 1e7;  // of compliant contacts alone, which are to be of a size to see
    surface.dissipation = 0.2;
    material = builder.add_material(surface);
    builder.set_combination(Combination::maximum, Combination::maximum);
  }

  int add_static(const Shape& shape, const Transform& X_WS = {}) {
    return builder.add_collider({"static" + std::to_string(count++), -1, shape, X_WS, material});
  }
  int add(const Shape& shape, double mass, const Vec3& position, const Vec3& velocity = Vec3::Zero(),
          const Quaternion& orientation = Quaternion::Identity(), const Vec3& spin_B = Vec3::Zero()) {
    const int body = builder.add_body("body" + std::to_string(count), solid(shape, mass));
    builder.add_collider({"shape" + std::to_string(count++), body, shape, {}, material});
    q.conservativeResize(q.size() + 7);
    q.tail<7>() << orientation.w(), orientation.x(), orientation.y(), orientation.z(), position;
    v.conservativeResize(v.size() + 6);
    v.tail<6>() << spin_B, orientation.conjugate() * velocity;
    return body;
  }
  std::shared_ptr<const Model> model() const { return std::make_shared<const Model>(builder.build()); }
  State state() const {
    State s;
    s.q = q;
    s.v = v;
    return s;
  }
  Simulation simulation(const Method& method) const { return Simulation(model(), method, state()); }

  ModelBuilder builder;
  int material = 0, count = 0;
  VectorX q, v;
};

/// Steps until a time, each solved; the events on the way.
inline std::vector<Event> run(Simulation& simulation, double until) {
  std::vector<Event> events;
  while (simulation.state().time < until - 1e-9) {
    const StepReport& report = simulation.step();
    EXPECT_EQ(report.status, SolveStatus::solved) << report.time;
    events.insert(events.end(), report.events.begin(), report.events.end());
  }
  return events;
}

inline Vec3 position(const Simulation& simulation, int body) { return simulation.state().q.segment<3>(7 * body + 4); }
inline Quaternion orientation(const Simulation& simulation, int body) {
  const auto q = simulation.state().q.segment<4>(7 * body);
  return Quaternion(q[0], q[1], q[2], q[3]);
}
inline Vec3 velocity(const Simulation& simulation, int body) {
  return orientation(simulation, body) * Vec3(simulation.state().v.segment<3>(6 * body + 3));
}

/// Linear and angular momentum about the world's origin.
inline Vec6 momentum(const Model& model, const State& state) {
  DynamicsWorkspace workspace(model);
  forward_kinematics(model, state.q, workspace);
  forward_velocity(model, state.q, state.v, workspace);
  Vec6 total = Vec6::Zero();
  for (int i = 0; i < model.body_count(); ++i) {
    total += workspace.X_WB[i].force(model.bodies()[i].inertia * workspace.V[i]);
  }
  return total;
}

inline double energy(const Model& model, const State& state) {
  DynamicsWorkspace workspace(model);
  forward_kinematics(model, state.q, workspace);
  forward_velocity(model, state.q, state.v, workspace);
  return kinetic_energy(model, workspace) + potential_energy(model, state.q, workspace);
}

}  // namespace carom::test
