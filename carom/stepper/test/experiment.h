#pragma once

#include <gtest/gtest.h>

#include <cmath>

#include "carom/stepper/simulation.h"

// A block on a slide, and a simulation that is watched: shared by tests of joint limits and drives.
namespace carom::test {

inline constexpr StepperKind steppers[] = {StepperKind::stewart_trinkle, StepperKind::anitescu_potra,
                                           StepperKind::stewart_trinkle_nonlinear};

inline std::string label(StepperKind kind) {
  std::string name = stepper_name(kind);
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
}

inline Method with_step(double step, StepperKind stepper = StepperKind::stewart_trinkle, LawKind law = LawKind::none) {
  Method method;
  method.stepper = stepper;
  method.law = law;
  method.step = step;
  return method;
}

/// With the exact cone, and plastic impacts if the stepper has any.
inline Method plastic_with_step(double step, StepperKind stepper) {
  Method method = with_step(step, stepper);
  method.cone = FrictionCone::exact;
  if (has_impacts(method)) method.law = LawKind::plastic;
  return method;
}

/// Solves the step's equation in the middle or by an integrator: keeps the energy of a spring.
inline bool is_second_order(StepperKind stepper) {
  return stepper == StepperKind::variational || stepper == StepperKind::event_driven ||
         stepper == StepperKind::compliant;
}

/// Bound of the relative error of a vibration at a time: of backward Euler, or of phase for the middle of a step,
/// (ω h)² ω t / 12.
inline double vibration_error(StepperKind stepper, double omega, double time, double step) {
  if (!is_second_order(stepper)) return 0.5 * omega * omega * step * time;
  return stepper == StepperKind::variational ? std::pow(omega * step, 2) * omega * time / 12 : 1e-6;
}

inline SpatialInertia box(double mass, double size) {
  return {mass, Vec3::Zero(), Mat3::Identity() * mass * size * size / 6};
}

inline Joint coordinate_joint(JointType type, const Vec3& axis) {
  Joint joint;
  joint.name = "joint";
  joint.type = type;
  joint.X_PF.R = joint.X_BM.R = contact_frame(axis);
  return joint;
}

/// With a hinge about y at the body's origin and at a place of the parent.
inline Joint hinge_about_y(int parent, const Vec3& p_parent, const std::string& name) {
  Joint joint;
  joint.name = name;
  joint.type = JointType::revolute;
  joint.parent = parent;
  joint.X_PF = {contact_frame(Vec3::UnitY()), p_parent};
  joint.X_BM = {contact_frame(Vec3::UnitY()), Vec3::Zero()};
  return joint;
}

/// A crank of 0.1, a coupler and a rocker of 0.3 each, in units of `length` (m). The bearings are 0.3 apart, and a pin
/// closes the loop. Bodies 0 to 2 have one to three times `mass` (kg).
inline void add_four_bar(ModelBuilder& builder, double mass, double length) {
  const Mat3 central = 0.005 * (mass * length * length) * Mat3::Identity();
  const double bars[] = {0.1, 0.3, 0.3};
  for (int i = 0; i < 3; ++i) {
    const Vec3 center = length * Vec3(bars[i] / 2, 0, 0);
    const int bar = builder.add_body("bar" + std::to_string(i), {(1 + i) * mass, center, central});
    const Vec3 at = i == 0 ? Vec3(Vec3::Zero()) : length * Vec3(i == 1 ? bars[0] : 0.3, 0, 0);
    builder.add_joint(bar, hinge_about_y(i == 1 ? 0 : -1, at, "hinge" + std::to_string(i)));
  }
  Constraint pin;
  pin.name = "pin";
  pin.kind = ConstraintKind::ball;
  pin.body_a = 1;
  pin.body_b = 2;
  pin.X_AF.p = pin.X_BG.p = length * Vec3(0.3, 0, 0);
  builder.add_constraint(pin);
}

/// A block of 2 kg on a slide along x, of which the caller completes the joint.
template <typename Complete>
Model slider(Complete&& complete, const Vec3& gravity = Vec3::Zero()) {
  ModelBuilder builder;
  builder.set_gravity(gravity);
  const int block = builder.add_body("block", box(2, 0.1));
  Joint joint = coordinate_joint(JointType::prismatic, Vec3::UnitX());
  complete(joint, builder, block);
  builder.add_joint(block, joint);
  return builder.build();
}

struct Experiment {
  Simulation simulation;

  Experiment(Model model, const Method& method, const VectorX& q, const VectorX& v)
      : simulation(std::make_shared<const Model>(std::move(model)), method, start(q, v)) {}
  static State start(const VectorX& q, const VectorX& v) {
    State state;
    state.q = q;
    state.v = v;
    return state;
  }
  void steps(int count) {
    for (int i = 0; i < count; ++i) {
      const StepReport& report = simulation.step();
      ASSERT_EQ(report.status, SolveStatus::solved) << report.step;
      ASSERT_LT(report.momentum_residual, 1e-9) << report.step;
    }
  }
  double q(int i = 0) const { return simulation.state().q[i]; }
  double v(int i = 0) const { return simulation.state().v[i]; }
  const EnergyLedger& energy() const { return simulation.certificate().energy; }
};

inline VectorX one(double x) { return VectorX::Constant(1, x); }

/// Pose of a free body that is not turned.
inline VectorX free_pose(const Vec3& position) {
  VectorX q(7);
  q << 1, 0, 0, 0, position;
  return q;
}

}  // namespace carom::test
