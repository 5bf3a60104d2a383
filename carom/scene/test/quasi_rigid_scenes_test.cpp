// Scenes of steps that are implicit in the geometry. Round bodies lose nothing, polygons beside them do. Others have
// fingertips with layers, and the limits of stiff layers and of layers without a core.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <sstream>

#include "carom/dynamics/recursions.h"
#include "carom/scene/scene.h"
#include "carom/stepper/simulation.h"
#include "carom/stepper/test/mechanisms.h"
#include "testing/folders.h"

namespace carom::quasi_rigid_scenes_test {
namespace {

bool is_long() { return std::getenv("CAROM_LONG") != nullptr; }

using test::energy;

Scene scene_of(const std::string& name) {
  return load_scene(source_folder() + "/scenes/quasi_rigid/" + name + ".yaml");
}

double kinetic(const Model& model, const State& state) {
  DynamicsWorkspace workspace(model);
  forward_kinematics(model, state.q, workspace);
  forward_velocity(model, state.q, state.v, workspace);
  return kinetic_energy(model, workspace);
}

Simulation simulation_of(const Scene& scene, double h) {
  Method method = scene.method;
  method.step = h;
  return Simulation(scene.model, method, scene.initial);
}

TEST(QuasiRigidScenes, ADiscThatRollsKeepsItsEnergy) {
  const Scene scene = scene_of("rolling_disc");
  Simulation simulation = simulation_of(scene, 1e-3);
  const double before = energy(*scene.model, scene.initial);
  const int steps = is_long() ? 100000 : 1000;
  for (int k = 0; k < steps; ++k) ASSERT_EQ(simulation.step().status, SolveStatus::solved) << k;
  EXPECT_NEAR(energy(*scene.model, simulation.state()), before, 1e-12 * before);
  EXPECT_NEAR(simulation.state().q[4], 0.5e-3 * steps, 1e-9 * steps);
}

/// A prism of n sides and circumradius 0.1 m that turns about the edge at its front.
Scene polygon(int n, double spin) {
  const double r = 0.1, half = std::numbers::pi / n;
  std::ostringstream text;
  text.precision(17);
  text << "carom: 1\ngravity: [0, 0, -9.81]\nmaterials: [{name: rubber, friction: 5}]\n"
       << "world: {shapes: [{type: half-space}]}\nbodies:\n  - name: prism\n    mass: 1\n    shapes: [{type: mesh, "
          "vertices: [";
  for (int k = 0; k < n; ++k) {
    const double angle = -std::numbers::pi / 2 + half + 2 * half * k;
    for (const double y : {-0.05, 0.05}) {
      text << (k == 0 && y < 0 ? "" : ", ") << '[' << r * std::cos(angle) << ", " << y << ", " << r * std::sin(angle)
           << ']';
    }
  }
  // It lies on a face; the front edge is r (sin half, −cos half) from the centre, and rests.
  text << "]}]\n    position: [0, 0, " << r * std::cos(half) << "]\n    velocity: [" << spin * r * std::cos(half)
       << ", 0, " << spin * r * std::sin(half) << "]\n    angular_velocity: [0, " << spin
       << ", 0]\nmethod: {stepper: implicit-geometry, step: 0.0001}\nduration: 1\n";
  return parse_scene(text.str(), "polygon");
}

/// An impact from edge to edge keeps angular momentum about the new edge: ω⁺/ω = (I + m r² cos(2π/n))/(I + m r²).
TEST(QuasiRigidScenes, APolygonLosesAtEveryEdgeWhatAnInelasticImpactTakes) {
  struct Case {
    int sides, edges;
    double spin, h;
  };
  std::vector<Case> cases = {{8, 1, 6.5, 1e-4}, {32, 2, 5, 1e-4}};
  if (is_long()) cases.insert(cases.end(), {{128, 20, 5, 2e-5}, {1024, 100, 5, 2e-6}});
  for (const Case& one : cases) {
    const Scene scene = polygon(one.sides, one.spin);
    const SpatialInertia& inertia = scene.model->bodies()[0].inertia;
    const double mr2 = 0.01, I = inertia.central(1, 1), turn = 2 * std::numbers::pi / one.sides;
    const double factor = (I + mr2 * std::cos(turn)) / (I + mr2);
    const double kept = std::pow(factor, 2 * one.edges);
    Simulation simulation = simulation_of(scene, one.h);
    double angle = 0;
    // Past the last impact, and back at the height of the start.
    for (int after = 0; after < 3;) {  // an impact takes a step that lands and one that stops
      ASSERT_EQ(simulation.step().status, SolveStatus::solved);
      angle += one.h * simulation.state().v[1];
      after += angle > turn * one.edges - 1e-6;
      ASSERT_LT(simulation.state().time, 5);
    }
    const double before = energy(*scene.model, scene.initial), after = energy(*scene.model, simulation.state());
    const double lifted = 9.81 * scene.initial.q[6];  // potential where it lies on a face
    // Between impacts gravity takes and gives back; the loss of each is a part of the kinetic energy on a face.
    EXPECT_NEAR((after - lifted) / (before - lifted), kept, 0.03 * (1 - kept)) << one.sides;
  }
}

TEST(QuasiRigidScenes, WhatARollingEllipsoidLosesFallsWithTheStep) {
  const Scene scene = scene_of("rolling_ellipsoid");
  const double duration = is_long() ? 10 : 0.6;
  std::vector<double> losses;
  for (const double h : {4e-3, 2e-3, 1e-3}) {
    Simulation simulation = simulation_of(scene, h);
    double before = 0;
    for (int k = 0; k < std::lround(duration / h); ++k) {
      ASSERT_EQ(simulation.step().status, SolveStatus::solved);
      if (k == 3) before = energy(*scene.model, simulation.state());  // it has come to roll
    }
    losses.push_back(before - energy(*scene.model, simulation.state()));
  }
  EXPECT_GT(losses[2], 0);
  EXPECT_NEAR(losses[0] / losses[1], 2, 0.4);
  EXPECT_NEAR(losses[1] / losses[2], 2, 0.3);
}

/// The fingertips press with 20 N from either side. Each bears half of the weight. The friction ellipsoid leaves
/// 2 mm · 20 N · √(1 − (½ m g/μ N)²) for torsion beside that. The object sticks below this moment and slips there.
TEST(QuasiRigidScenes, FingertipsHoldUntilTheTwistIsTooMuch) {
  const Scene scene = scene_of("soft_gripper");
  const double h = 1e-3, N = 20, share = 0.5 * 0.4 * 9.81 / (0.7 * N);
  const double most = 0.002 * N * std::sqrt(1 - share * share);
  Simulation simulation = simulation_of(scene, h);
  const auto spin = [&] { return simulation.state().v.head<3>().norm(); };
  double moment = 0;
  while (simulation.state().time < 0.65) {
    ASSERT_EQ(simulation.step().status, SolveStatus::solved) << simulation.state().time;
    moment = 0;
    for (const ContactMemory& contact : simulation.state().contacts) {
      moment = std::max(moment, std::abs(contact.spin_impulse) / h);
    }
    ASSERT_LT(moment, most * 1.001) << simulation.state().time;
    if (moment < 0.99 * most) {
      ASSERT_LT(spin(), 1e-6) << simulation.state().time;
    }
  }
  EXPECT_NEAR(moment, most, 1e-3 * most);
  EXPECT_GT(spin(), 0.1);
  EXPECT_LT(std::abs(simulation.state().q[6]), 1e-3);  // it has not fallen
}

TEST(QuasiRigidScenes, PebblesComeToRest) {
  const Scene scene = scene_of("pebbles");
  Simulation simulation = simulation_of(scene, scene.method.step);
  double last = energy(*scene.model, scene.initial);
  const int steps = is_long() ? 2000 : 25;
  for (int k = 0; k < steps; ++k) {
    const StepReport& report = simulation.step();
    ASSERT_EQ(report.status, SolveStatus::solved) << k;
    ASSERT_LT(report.penetration, 1e-9) << k;
    ASSERT_LE(report.energy.contact_work, 1e-12) << k;
    const double now = energy(*scene.model, simulation.state());
    EXPECT_LE(now, last + 1e-9) << k;
    last = now;
  }
  if (is_long()) {
    EXPECT_LT(kinetic(*scene.model, simulation.state()), 1e-4);
  }
}

Scene ball_on_layer(const std::string& layer, const std::string& stepper) {
  std::ostringstream text;
  text.precision(17);
  text << "carom: 1\ngravity: [0, 0, -9.81]\ncombination: {friction: geometric-mean, restitution: "
          "maximum}\nmaterials:\n  - {name: ball, friction: 0.3}\n  - {name: ground, friction: "
          "0.3"
       << (layer.empty() ? "" : ", layer: " + layer)
       << "}\nworld: {shapes: [{type: half-space, material: ground}]}\nbodies:\n  - {name: ball, mass: 1, shapes: "
          "[{type: "
          "sphere, radius: 0.1, material: ball}], position: [0, 0, 0.15], velocity: [0.5, 0, 0], angular_velocity: [0, "
          "0, 1]}\n"
       << "method: {stepper: " << stepper << ", step: 0.001}\nduration: 0.3\n";
  return parse_scene(text.str(), "ball");
}

State end_of(const Scene& scene, double h, double time) {
  Simulation simulation = simulation_of(scene, h);
  for (int k = 0; k < std::lround(time / h); ++k) EXPECT_EQ(simulation.step().status, SolveStatus::solved);
  return simulation.state();
}

TEST(QuasiRigidScenes, StiffLayersBecomeRigid) {
  const State rigid = end_of(ball_on_layer("", "implicit-geometry"), 1e-3, 0.3);
  std::vector<double> apart;
  for (const double K : {1e6, 1e8, 1e10}) {
    std::ostringstream layer;
    // Damped enough to swallow the impact in one step.
    layer << "{stiffness: " << K << ", damping: " << 1e-2 * K << '}';
    apart.push_back((end_of(ball_on_layer(layer.str(), "quasi-rigid"), 1e-3, 0.3).q - rigid.q).norm());
  }
  EXPECT_LT(apart[1], 0.05 * apart[0]);
  EXPECT_LT(apart[2], 1e-6);
}

/// Height of a ball of 1 kg that falls from 5 cm. Hertz's law m z'' = -m g + K d^1.5 is integrated by steps of a
/// microsecond.
double hertz_height(double K, double time) {
  constexpr double dt = 1e-6, radius = 0.1;
  double z = 0.15, v = 0;
  const auto acceleration = [&](double at) { return -9.81 + K * std::pow(std::max(0.0, radius - at), 1.5); };
  for (long k = 0; k < std::lround(time / dt); ++k) {
    const double z_half = z + 0.5 * dt * v, v_half = v + 0.5 * dt * acceleration(z);
    z += dt * v_half;
    v += dt * acceleration(z_half);
  }
  return z;
}

/// A layer without a core is the compliant model, apart by the order of the step.
TEST(QuasiRigidScenes, ALayerWithoutACoreIsTheCompliantModel) {
  const double K = 4.0 / 3 * 1e5 * std::sqrt(0.1);
  std::ostringstream layer;
  layer.precision(17);
  layer << "{kind: hertz, stiffness: " << K << '}';
  const double exact = hertz_height(K, 0.16);
  std::vector<double> apart;
  for (const double h : {2e-4, 1e-4, 5e-5}) {
    const State state = end_of(ball_on_layer(layer.str(), "quasi-rigid"), h, 0.16);
    apart.push_back(std::abs(state.q[6] - exact));
  }
  EXPECT_NEAR(apart[0] / apart[1], 2, 0.4);
  EXPECT_NEAR(apart[1] / apart[2], 2, 0.3);
  EXPECT_LT(apart[2], 1e-3);
}

}  // namespace
}  // namespace carom::quasi_rigid_scenes_test
