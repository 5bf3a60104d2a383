#include "carom/validation/bhalerao2009.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "carom/dynamics/recursions.h"
#include "carom/scene/scene_text.h"
#include "carom/validation/bhalerao2009_examples.h"

namespace carom {
namespace bhalerao2009 {
namespace {

constexpr double friction = 0.2;  // of figure 8; figures 9 and 10 do not state theirs

PendulumSetup in_the_plane(double height, double restitution) {
  PendulumSetup setup;
  setup.friction = friction;
  setup.restitution = restitution;
  setup.position.z() = height;
  setup.R_A = turned_123({0, 1, 0});
  setup.R_B = setup.R_A * turned_123({0, 1, 0});
  setup.planar = true;
  return setup;
}

}  // namespace

PendulumSetup figure_7() {
  PendulumSetup setup;
  setup.position.z() = 1;
  setup.R_A = turned_123({0, 2, 0});
  setup.R_B = setup.R_A * turned_123({2, 0, 0});
  return setup;
}

PendulumSetup figure_8() {
  PendulumSetup setup = figure_7();
  setup.position.z() = 0;
  setup.velocity = Vec3(1, 1, 0);
  setup.friction = friction;
  return setup;
}

PendulumSetup figure_9() { return in_the_plane(0.1, 0); }
PendulumSetup figure_10() { return in_the_plane(0.5, 0.7); }

std::vector<double> steps_down_to(double finest) {
  std::vector<double> steps;
  for (double h = 4e-3; h > 2e-4 && h > 0.99 * finest; h *= 0.5) steps.push_back(h);
  return steps;
}

Mat3 turned_123(const Vec3& angles) {
  const auto turn = [&](int axis) { return Eigen::AngleAxisd(angles[axis], Vec3::Unit(axis)); };
  return (turn(0) * turn(1) * turn(2)).toRotationMatrix();
}

Vec3 angles_123(const Mat3& R, const Vec3& near) {
  constexpr double pi = std::numbers::pi;
  const double b = std::asin(std::clamp(R(0, 2), -1.0, 1.0));
  const Vec3 first(std::atan2(-R(1, 2), R(2, 2)), b, std::atan2(-R(0, 1), R(0, 0)));
  const Vec3 second(first[0] + pi, pi - b, first[2] + pi);
  const auto nearest = [&](Vec3 angles) {
    for (int i = 0; i < 3; ++i) angles[i] += 2 * pi * std::round((near[i] - angles[i]) / (2 * pi));
    return angles;
  };
  const Vec3 one = nearest(first), other = nearest(second);
  return (one - near).norm() <= (other - near).norm() ? one : other;
}

PendulumRun pendulum_run(const ValidationOptions& options, const std::string& scene, double step,
                         const std::function<void(Method&)>& change, double radius) {
  PendulumRun run;
  run.step = step;
  const std::string path = options.scenes + "/bhalerao2009/" + scene + ".yaml";
  const SceneText text(read_scene_text(path), path);
  run.trajectory = run_scene(parse_scene(text.with({{"radius", radius}}), path), step, change);
  const Model& model = *run.trajectory.model;
  DynamicsWorkspace workspace(model);
  constexpr int a = 0, b = 1;  // bodies stand parents first
  double mass = 0;
  for (const Body& body : model.bodies()) mass += body.inertia.mass;
  for (const State& state : run.trajectory.states) {
    forward_kinematics(model, state.q, workspace);
    forward_velocity(model, state.q, state.v, workspace);
    const Mat3 &R_A = workspace.X_WB[a].R, R = R_A.transpose() * workspace.X_WB[b].R;
    const bool first = run.times.empty();
    run.times.push_back(state.time);
    run.top.push_back(workspace.X_WB[a].p);
    run.top_velocity.push_back(R_A * workspace.V[a].tail<3>());
    run.angles_A.push_back(angles_123(R_A, first ? Vec3(0, 2, 0) : run.angles_A.back()));
    run.angles_B.push_back(angles_123(R, first ? Vec3(2, 0, 0) : run.angles_B.back()));
    Vec3 center = Vec3::Zero();
    for (int i = 0; i < model.body_count(); ++i) {
      const SpatialInertia& inertia = model.bodies()[i].inertia;
      center += inertia.mass / mass * (workspace.X_WB[i].p + workspace.X_WB[i].R * inertia.center);
    }
    run.center.push_back(center);
  }
  return run;
}

PendulumRun event_driven_run(const ValidationOptions& options, const std::string& scene, double radius) {
  const auto change = [](Method& method) {
    method.stepper = StepperKind::event_driven;
    method.law = LawKind::newton;
    method.cone = FrictionCone::exact;
    method.gyroscopic = GyroscopicTerms::implicit;
  };
  return pendulum_run(options, scene, 0.01, change, radius);
}

}  // namespace bhalerao2009

Validation validate_bhalerao2009(const ValidationOptions& options) {
  Validation validation;
  validation.name = bhalerao2009::source;
  for (const auto part : {bhalerao2009::validate_frictionless, bhalerao2009::validate_sliding,
                          bhalerao2009::validate_planar, bhalerao2009::validate_bouncing}) {
    part(options, 0, validation);
  }
  bhalerao2009::validate_sizes(options, validation);
  return validation;
}

}  // namespace carom
