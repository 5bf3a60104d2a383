#include <gtest/gtest.h>

#include "carom/stepper/assembly.h"
#include "carom/stepper/test/mechanisms.h"

namespace carom::test {
namespace {

constexpr double g = 9.81;

Method with_contacts(double step, FrictionCone cone = FrictionCone::exact) {
  Method method;
  method.stepper = StepperKind::variational;
  method.law = LawKind::newton;
  method.step = step;
  method.cone = cone;
  return method;
}

Method integrated(double step) {
  Method method = with_contacts(step);
  method.stepper = StepperKind::event_driven;
  method.tolerance = 1e-12;
  return method;
}

void take(Simulation& simulation, int steps) {
  for (int i = 0; i < steps; ++i) {
    const StepReport& report = simulation.step();
    ASSERT_EQ(report.status, SolveStatus::solved) << report.step;
    ASSERT_LT(report.momentum_residual, 1e-9) << report.step;
    ASSERT_LT(report.contact_certificate.natural_map, 1e-6) << report.step;
  }
}

SceneMaker sliding_box(double friction, double speed) {
  SceneMaker scene(friction);
  scene.add_static(Shape(HalfSpace{}));
  scene.add(Shape(Box{Vec3(0.2, 0.2, 0.1)}), 2, Vec3(0, 0, 0.1), Vec3(speed, 0, 0));
  return scene;
}

TEST(VariationalContact, WhatRestsStays) {
  const SceneMaker scene = sliding_box(0.5, 0);
  Simulation simulation = scene.simulation(with_contacts(0.01));
  const VectorX before = simulation.state().q;
  take(simulation, 100);
  EXPECT_LT((simulation.state().q - before).norm(), 1e-12);
  EXPECT_LT(simulation.state().v.norm(), 1e-12);
  double carried = 0;
  for (const ContactReport& contact : simulation.step().contacts) carried += contact.impulse.z();
  EXPECT_NEAR(carried, 2 * g * 0.01, 1e-10);
}

/// Friction of the mean of both ends of a step is exact while the box slides. It comes to rest after v²/(2 μ g), up to
/// the step in which that happens.
TEST(VariationalContact, BoxStopsWhereCoulombSays) {
  for (const FrictionCone cone : {FrictionCone::exact, FrictionCone::polyhedral}) {
    for (const double step : {0.02, 0.005}) {
      const SceneMaker scene = sliding_box(0.4, 2);
      Simulation simulation = scene.simulation(with_contacts(step, cone));
      take(simulation, static_cast<int>(0.3 / step));
      EXPECT_NEAR(velocity(simulation, 0).x(), 2 - 0.4 * g * 0.3, 1e-9);
      EXPECT_NEAR(position(simulation, 0).x(), 2 * 0.3 - 0.2 * g * 0.09, 1e-9);
      take(simulation, static_cast<int>(0.5 / step));
      EXPECT_NEAR(velocity(simulation, 0).norm(), 0, 1e-9);
      EXPECT_NEAR(position(simulation, 0).x(), 4 / (2 * 0.4 * g), 0.4 * g * step * step);
      EXPECT_LT(simulation.certificate().penetration, 1e-9);
    }
  }
}

/// On a slope of 30 degrees: friction above its tangent holds, and below lets go with the acceleration that is left.
TEST(VariationalContact, SlopeHoldsOrLetsGo) {
  const double slope = M_PI / 6;
  for (const double friction : {0.6, 0.3}) {
    SceneMaker scene(friction, 0.0, Vec3(g * std::sin(slope), 0, -g * std::cos(slope)));
    scene.add_static(Shape(HalfSpace{}));
    scene.add(Shape(Box{Vec3(0.2, 0.2, 0.05)}), 1, Vec3(0, 0, 0.05));
    Simulation simulation = scene.simulation(with_contacts(0.01));
    take(simulation, 50);
    const double a = friction > std::tan(slope) ? 0 : g * (std::sin(slope) - friction * std::cos(slope));
    EXPECT_NEAR(position(simulation, 0).x(), 0.125 * a, 1e-9);
    EXPECT_NEAR(velocity(simulation, 0).x(), 0.5 * a, 1e-9);
  }
}

/// A ball that slides begins to roll with 5/7 of its speed. Its momentum about the line of contact is kept to
/// round-off, whatever the step.
TEST(VariationalContact, BallRollsWithFiveSevenths) {
  for (const double step : {0.05, 0.01}) {
    SceneMaker scene(0.3);
    scene.add_static(Shape(HalfSpace{}));
    scene.add(Shape(Sphere{0.1}), 1, Vec3(0, 0, 0.1), Vec3(3, 0, 0));
    Simulation simulation = scene.simulation(with_contacts(step));
    take(simulation, static_cast<int>(1 / step));
    EXPECT_NEAR(velocity(simulation, 0).x(), 3 * 5.0 / 7, 1e-9) << step;
    ASSERT_EQ(simulation.state().contacts.size(), 1u);
    EXPECT_FALSE(simulation.state().contacts[0].sliding);
    // It rolls from (2/7) v/(μ g) on.
    const double t = 2.0 / 7 * 3 / (0.3 * g), x = 3 * t - 0.15 * g * t * t + 3 * 5.0 / 7 * (1 - t);
    EXPECT_NEAR(position(simulation, 0).x(), x, 0.3 * g * step * step) << step;
  }
}

/// A tumbling box that falls, strikes and comes to rest: it ends up where nothing moves, and nothing gains energy.
TEST(VariationalContact, TumblingBoxComesToRest) {
  SceneMaker scene(0.5, 0.3);
  scene.add_static(Shape(HalfSpace{}));
  scene.add(Shape(Box{Vec3(0.1, 0.15, 0.2)}), 1, Vec3(0, 0, 0.6), Vec3(1, 0, 0),
            Quaternion(0.8, 0.2, 0.5, 0.1).normalized(), Vec3(2, 3, -1));
  Simulation simulation = scene.simulation(with_contacts(0.005));
  double before = energy(simulation.model(), simulation.state());
  for (int i = 0; i < 800; ++i) {
    const StepReport& report = simulation.step();
    EXPECT_EQ(report.status, SolveStatus::solved) << i;
    const double now = report.energy.kinetic + report.energy.potential;
    EXPECT_LT(now, before + 1e-4) << i;
    before = now;
  }
  EXPECT_LT(simulation.state().v.norm(), 1e-9);
  EXPECT_LT(simulation.certificate().penetration, 1e-6);
}

/// A mass on a rod that turns about a point of the world, closed by a constraint beside the tree.
TEST(VariationalContact, RodIsAPendulum) {
  ModelBuilder builder;
  builder.set_gravity(Vec3(0, 0, -g));
  const int bob = builder.add_body("bob", {1, Vec3::Zero(), Mat3::Identity() * 0.01});
  Constraint rod;
  rod.name = "rod";
  rod.kind = ConstraintKind::rod;
  rod.body_a = bob;
  rod.body_b = -1;
  rod.length = 1;
  builder.add_constraint(rod);
  const auto model = std::make_shared<const Model>(builder.build());
  State state;
  state.q = VectorX(7);
  state.q << 1, 0, 0, 0, std::sin(1.0), 0, -std::cos(1.0);
  state.v = VectorX::Zero(6);
  double before = 0;
  Simulation exact(model, integrated(0.5), state);
  (void)exact.step();
  (void)exact.step();
  for (const int steps : {100, 200, 400}) {
    Simulation simulation(model, with_contacts(1.0 / steps), state);
    for (int i = 0; i < steps; ++i) {
      const StepReport& report = simulation.step();
      ASSERT_EQ(report.status, SolveStatus::solved) << i;
      EXPECT_LT(report.constraint_drift, 1e-10) << i;
    }
    const double error = (position(simulation, 0) - position(exact, 0)).norm();
    if (before > 0) {
      EXPECT_NEAR(std::log2(before / error), 2, 0.1) << steps;
    }
    before = error;
    EXPECT_NEAR(energy(*model, simulation.state()), energy(*model, state), 30.0 / steps / steps);
  }
}

/// A four-bar linkage in a plane of space: three hinges of the tree and one beside it, of whose five rows three say
/// nothing new.
struct FourBar {
  explicit FourBar(double friction = 0, double spring = 0, double damping = 0) {
    ModelBuilder builder;
    builder.set_gravity(Vec3(0, 0, -g));
    const double lengths[] = {1, 2, 1.5};
    int parent = -1;
    for (int i = 0; i < 3; ++i) {
      const double l = lengths[i];
      const int bar = builder.add_body(
          "bar" + std::to_string(i), {l, Vec3(0.5 * l, 0, 0), Vec3(1e-3, l * l * l / 12, l * l * l / 12).asDiagonal()});
      Joint joint;
      joint.type = JointType::revolute;
      joint.parent = parent;
      joint.X_PF.R = joint.X_BM.R = contact_frame(Vec3::UnitY());
      if (i > 0) joint.X_PF.p = Vec3(lengths[i - 1], 0, 0);
      if (i == 0) {
        joint.friction = VectorX::Constant(1, friction);
        joint.stiffness = VectorX::Constant(1, spring);
        joint.damping = VectorX::Constant(1, damping);
      }
      builder.add_joint(bar, joint);
      parent = bar;
    }
    Constraint hinge;
    hinge.name = "closing";
    hinge.kind = ConstraintKind::hinge;
    hinge.body_a = parent;
    hinge.body_b = -1;
    hinge.X_AF.p = Vec3(1.5, 0, 0);
    hinge.X_AF.R = hinge.X_BG.R = contact_frame(Vec3::UnitY());
    hinge.X_BG.p = Vec3(2, 0, 0);
    builder.add_constraint(hinge);
    model = std::make_shared<const Model>(builder.build());
    // Crank upright; positive turns about y go from z to x.
    State open;
    open.q = Vec3(-M_PI / 2, 1.2, 1.3);
    open.v = Vec3::Zero();
    state = open;
    assemble_constraints(*model, state);
  }
  std::shared_ptr<const Model> model;
  State state;
};

TEST(VariationalContact, FourBarConvergesToTheIntegratedMotion) {
  const FourBar linkage(0, 5, 0.2);
  Simulation exact(linkage.model, integrated(0.2), linkage.state);
  for (int i = 0; i < 5; ++i) (void)exact.step();
  double before = 0;
  for (const int steps : {100, 200, 400, 800}) {
    Simulation simulation(linkage.model, with_contacts(1.0 / steps), linkage.state);
    for (int i = 0; i < steps; ++i) {
      const StepReport& report = simulation.step();
      ASSERT_EQ(report.status, SolveStatus::solved) << i;
      ASSERT_LT(report.constraint_drift, 1e-9) << i;
    }
    const double error = (simulation.state().q - exact.state().q).norm();
    if (before > 0) {
      EXPECT_NEAR(std::log2(before / error), 2, 0.2) << steps;
    }
    before = error;
  }
}

/// Without friction and dampers a linkage keeps its energy near for ever, and runs backwards the way it came.
TEST(VariationalContact, FourBarIsConservativeAndReversible) {
  const FourBar linkage;
  Simulation simulation(linkage.model, with_contacts(0.005), linkage.state);
  const double before = energy(*linkage.model, linkage.state);
  double worst = 0;
  for (int i = 0; i < 2000; ++i) {
    const StepReport& report = simulation.step();
    ASSERT_EQ(report.status, SolveStatus::solved) << i;
    worst = std::max(worst, std::abs(report.energy.kinetic + report.energy.potential - before));
  }
  EXPECT_LT(worst, 2e-2);
  State state = linkage.state;
  for (int leg = 0; leg < 2; ++leg) {
    Simulation there(linkage.model, with_contacts(0.005), state);
    for (int i = 0; i < 50; ++i) (void)there.step();
    state = there.state();
    state.v = -state.v;
  }
  EXPECT_LT((state.q - linkage.state.q).norm(), 1e-8);
}

/// Dry friction in the crank brings the linkage to rest somewhere, as it does in the integrated motion.
TEST(VariationalContact, DryFrictionOfAJointStopsTheLinkage) {
  const FourBar linkage(6);
  Simulation simulation(linkage.model, with_contacts(0.002), linkage.state);
  Simulation exact(linkage.model, integrated(0.1), linkage.state);
  for (int i = 0; i < 40; ++i) (void)exact.step();
  for (int i = 0; i < 2000; ++i) ASSERT_EQ(simulation.step().status, SolveStatus::solved) << i;
  EXPECT_LT((simulation.state().q - exact.state().q).norm(), 2e-3);
  EXPECT_LE(simulation.certificate().energy.joint_friction, 0);
}

/// A box rests on the floor. Dry friction or a prescribed motion keeps an arm beside it in place. Nothing moves, so
/// contacts give nothing, and no step is cut.
TEST(VariationalContact, ABoxRestsBesideAnArmThatIsHeld) {
  for (const bool rubs : {true, false}) {
    for (const FrictionCone cone : {FrictionCone::exact, FrictionCone::polyhedral}) {
      SceneMaker scene(0.5);
      scene.add_static(HalfSpace{});
      scene.add(Box{{0.5, 0.5, 0.1}}, 2, Vec3(0, 0, 0.1));
      Joint joint;
      joint.type = JointType::revolute;
      joint.name = "shoulder";
      joint.X_PF.R << 1, 0, 0, 0, 0, 1, 0, -1, 0;  // its axis is horizontal
      joint.X_BM.R = joint.X_PF.R;
      joint.X_BM.p = Vec3(-0.3, 0, 0);
      joint.X_PF.p = Vec3(0, 0, 3);
      if (rubs) joint.friction = VectorX::Constant(1, 30);
      const int arm = scene.builder.add_body("arm", solid(Sphere{0.1}, 1));
      scene.builder.add_joint(arm, joint);
      if (!rubs) {
        Constraint held;
        held.name = "held";
        held.kind = ConstraintKind::motion;
        held.body_a = arm;
        scene.builder.add_constraint(held);
      }
      scene.q.conservativeResize(8);
      scene.q[7] = 0;
      scene.v.conservativeResize(7);
      scene.v[6] = 0;
      Simulation simulation = scene.simulation(with_contacts(0.001, cone));
      for (int i = 0; i < 20; ++i) {
        const StepReport& report = simulation.step();
        ASSERT_EQ(report.status, SolveStatus::solved) << rubs << ' ' << i;
        EXPECT_EQ(report.resolves, 0);
        EXPECT_TRUE(report.impacts.empty());
      }
      EXPECT_LT(simulation.state().v.norm(), 1e-12);
    }
  }
}

/// A block between a servo, a spring and a prescribed motion: in the limit it does what the integrated one does.
TEST(VariationalContact, DrivesAndPrescribedMotions) {
  ModelBuilder builder;
  builder.set_gravity(Vec3(0, 0, -g));
  const auto slide = [&](const std::string& name, const Vec3& axis) {
    const int body = builder.add_body(name, {1, Vec3::Zero(), Mat3::Identity() * 0.1});
    Joint joint;
    joint.type = JointType::prismatic;
    joint.X_PF.R = joint.X_BM.R = contact_frame(axis);
    joint.stiffness = VectorX::Constant(1, 10);
    builder.add_joint(body, joint);
    return body;
  };
  const int driven = slide("driven", Vec3::UnitX()), led = slide("led", Vec3::UnitY());
  Drive servo;
  servo.name = "servo";
  servo.kind = DriveKind::servo;
  servo.body = driven;
  servo.stiffness = 200;
  servo.damping = 5;
  servo.limit = 20;
  servo.value.sinusoids = {{0.2, 0.5, 0}};
  builder.add_drive(servo);
  Constraint motion;
  motion.name = "motion";
  motion.kind = ConstraintKind::motion;
  motion.body_a = led;
  motion.target.sinusoids = {{0.1, 0.4, 0}};
  builder.add_constraint(motion);
  const auto model = std::make_shared<const Model>(builder.build());
  State state;
  state.q = VectorX::Zero(2);
  state.v = Vec2(0, motion.target.rate(0));
  Simulation exact(model, integrated(0.5), state);
  (void)exact.step();
  (void)exact.step();
  double before = 0;
  for (const int steps : {200, 400, 800}) {
    Simulation simulation(model, with_contacts(1.0 / steps), state);
    take(simulation, steps);
    EXPECT_NEAR(simulation.state().q[1], motion.target.at(1), 1e-10);
    EXPECT_NEAR(simulation.state().v[1], motion.target.rate(1), 1e-10);
    const double error = std::abs(simulation.state().q[0] - exact.state().q[0]);
    if (before > 0) {
      EXPECT_NEAR(std::log2(before / error), 2, 0.2) << steps;
    }
    before = error;
  }
}

}  // namespace
}  // namespace carom::test
