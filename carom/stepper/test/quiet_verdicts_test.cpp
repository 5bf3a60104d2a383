// Motions in which nothing happens, and bodies without extent: round-off is no finding of the judge, under any stepper.

#include <gtest/gtest.h>

#include <cmath>

#include "carom/stepper/test/experiment.h"
#include "carom/stepper/test/mechanisms.h"

namespace carom::quiet_verdicts_test {
namespace {

class QuietVerdicts : public testing::TestWithParam<StepperKind> {
 protected:
  static Method method(double step) { return test::plastic_with_step(step, GetParam()); }

  void expect_sound(Simulation& simulation, int steps) {
    for (int i = 0; i < steps; ++i) {
      SCOPED_TRACE(i);
      const StepReport& report = simulation.step();
      ASSERT_EQ(report.status, SolveStatus::solved);
      contacts_ += report.contacts.size() + report.struck.size();
      ASSERT_TRUE(borne_out(report)) << report.momentum_residual << " " << report.kinematic_residual;
      ASSERT_TRUE(std::isfinite(report.momentum_residual) && std::isfinite(report.kinematic_residual));
    }
  }

  /// Stiff enough for a compliant contact.
  static Material material() {
    Material material{"surface", Vec2::Constant(0.4), 0.0};
    material.youngs_modulus = 1e9;
    return material;
  }

  std::size_t contacts_ = 0;  // seen in all steps
};

/// A ball that touches a box, without gravity, at the origin and 50 m from it: at rest, and drifting together.
TEST_P(QuietVerdicts, WhatTouchesWithoutGravity) {
  for (const double speed : {0.0, 1e-3, 1.0}) {
    for (const double away : {0.0, 50.0}) {
      SCOPED_TRACE(::testing::Message() << speed << " m/s at " << away << " m");
      test::SceneMaker scene(0);
      scene.builder = ModelBuilder();
      scene.builder.set_gravity(Vec3::Zero());
      scene.material = scene.builder.add_material(material());
      scene.add(Sphere{0.1}, 1, Vec3(0, away, 0), Vec3(speed, 0, 0));
      scene.add(Box{Vec3::Constant(0.1)}, 1, Vec3(0.2, away, 0), Vec3(speed, 0, 0));
      Simulation simulation = scene.simulation(method(1e-3));
      expect_sound(simulation, 20);
    }
  }
}

/// A double pendulum of two point masses whose last one strikes a floor.
TEST_P(QuietVerdicts, PointMassesThatStrike) {
  for (const double mass : {1e-6, 1.0, 1e6}) {
    SCOPED_TRACE(mass);
    contacts_ = 0;
    ModelBuilder builder;
    builder.set_gravity({0, 0, -9.81});
    const int surface = builder.add_material(material());
    for (int i = 0; i < 2; ++i) {
      const int link = builder.add_body(i == 0 ? "upper" : "lower", {mass, Vec3(0.5, 0, 0), Mat3::Zero()});
      Joint hinge;
      hinge.type = JointType::revolute;
      hinge.parent = link - 1;
      hinge.X_PF.R = hinge.X_BM.R = Quaternion::FromTwoVectors(Vec3::UnitZ(), Vec3::UnitY()).toRotationMatrix();
      if (i == 1) hinge.X_PF.p = Vec3(0.5, 0, 0);
      builder.add_joint(link, hinge);
      builder.add_collider({"tip", link, Sphere{0}, {Mat3::Identity(), Vec3(0.5, 0, 0)}, surface});
    }
    builder.add_collider({"floor", -1, HalfSpace{}, {Mat3::Identity(), Vec3(0, 0, -0.9)}, surface});
    State state;
    state.q = state.v = Vec2::Zero();
    Simulation simulation(std::make_shared<const Model>(builder.build()), method(2e-3), state);
    expect_sound(simulation, 240);
    EXPECT_GT(contacts_, 0u);
  }
}

INSTANTIATE_TEST_SUITE_P(AllSteppers, QuietVerdicts, testing::ValuesIn(all_steppers()),
                         [](const auto& kind) { return test::label(kind.param); });

}  // namespace
}  // namespace carom::quiet_verdicts_test
