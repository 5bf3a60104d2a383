// Steps that are implicit in the geometry: mechanisms with loops, joint limits and drives, symmetries, and other
// steppers.

#include <gtest/gtest.h>

#include <cmath>

#include "carom/error.h"
#include "carom/stepper/test/experiment.h"
#include "carom/stepper/test/mechanisms.h"

namespace carom::quasi_rigid_mechanisms_test {
namespace {

using test::hinge_about_y;
using test::SceneMaker;
using test::with_step;

constexpr double g = 9.81;

SpatialInertia rod(double length) {
  const double moment = length * length / 12;
  return {1, Vec3(length / 2, 0, 0), Vec3(1e-3, moment, moment).asDiagonal()};
}

/// A parallelogram of four bars. Two cranks of 0.5 m hang from the world 1 m apart, with a bar between their ends. A
/// hinge beside the tree ties it to the second crank; three of its five rows are redundant. A ball under the middle of
/// the bar strikes a rough floor 0.45 m below the pivots.
Simulation four_bar(double h, double out_of_plane = 0) {
  ModelBuilder builder;
  builder.set_gravity({0, 0, -g});
  const int rough = builder.add_material({"rough", Vec2(0.3, 0.3), 0.0});
  const int crank = builder.add_body("crank", rod(0.5)), bar = builder.add_body("bar", rod(1));
  const int other = builder.add_body("other crank", rod(0.5));
  builder.add_joint(crank, hinge_about_y(-1, Vec3::Zero(), "a"));
  builder.add_joint(bar, hinge_about_y(crank, Vec3(0.5, 0, 0), "b"));
  builder.add_joint(other, hinge_about_y(-1, Vec3(1, 0, 0), "c"));
  Constraint closing;
  closing.name = "closing";
  closing.kind = ConstraintKind::hinge;
  closing.body_a = bar;
  closing.body_b = other;
  closing.X_AF = {contact_frame(Vec3::UnitY()), Vec3(1, 0, 0)};
  closing.X_BG = {contact_frame(Vec3::UnitY()), Vec3(0.5, out_of_plane, 0)};
  builder.add_constraint(closing);
  builder.add_collider({"ball", bar, Sphere{0.05}, {Mat3::Identity(), Vec3(0.5, 0, 0)}, rough});
  builder.add_collider({"floor", -1, HalfSpace{}, {Mat3::Identity(), Vec3(0, 0, -0.45)}, rough});
  const auto model = std::make_shared<const Model>(builder.build());
  // Angles from the x axis, positive downwards; the bar stays level.
  const double start = 0.2;
  State state;
  state.q = state.v = VectorX::Zero(3);
  for (int body = 0; body < 3; ++body) {
    const std::string& name = model->bodies()[body].name;
    state.q[model->joints()[body].q_index] = name == "bar" ? -start : start;
  }
  return {model, with_step(h, StepperKind::implicit_geometry), state};
}

TEST(QuasiRigidMechanisms, FourBarRubsOnTheFloorAndKeepsClosed) {
  Simulation simulation = four_bar(1e-3);
  bool touched = false;
  for (int k = 0; k < 700; ++k) {
    const StepReport& report = simulation.step();
    ASSERT_EQ(report.status, SolveStatus::solved) << k;
    ASSERT_LT(report.constraint_drift, 1e-9) << k;
    ASSERT_LT(report.momentum_residual, 1e-9) << k;
    ASSERT_LE(report.energy.contact_work, 1e-12) << k;
    ASSERT_LT(report.penetration, 1e-9) << k;
    for (const ContactReport& contact : report.contacts) touched = touched || contact.impulse.z() > 0;
  }
  EXPECT_TRUE(touched);
  // At rest on the floor, or wedged: the ball is 0.4 m below the pivots, so sin of the cranks' angle is 0.8.
  EXPECT_NEAR(std::sin(simulation.state().q[0]), 0.8, 1e-8);
  EXPECT_LT(simulation.state().v.norm(), 1e-8);
}

TEST(QuasiRigidMechanisms, RoundOffOfLengthsOverShortStepsIsNoFailure) {
  // g(q⁺)/h is known to ε/h m/s, which is more than the tolerance of what hardly moves.
  Simulation simulation = four_bar(2e-6);
  for (int k = 0; k < 200; ++k) {
    const StepReport& report = simulation.step();
    ASSERT_EQ(report.status, SolveStatus::solved) << k;
    ASSERT_LE(report.iterations, 8) << k;
    ASSERT_LT(report.constraint_drift, 1e-14) << k;
  }
}

TEST(QuasiRigidMechanisms, DriftIsThatOfConstraintsLeftOutToo) {
  // Nothing in the plane can close a gap across it.
  Simulation simulation = four_bar(1e-3, 8e-9);
  EXPECT_NEAR(simulation.step().constraint_drift, 8e-9, 1e-11);
}

/// Two rods, the first on a hinge at the origin or free; nothing pulls at them.
Simulation two_rods(bool hangs, const Method& method) {
  ModelBuilder builder;
  builder.set_gravity(Vec3::Zero());
  const int first = builder.add_body("first", rod(1)), second = builder.add_body("second", rod(0.7));
  if (hangs) builder.add_joint(first, hinge_about_y(-1, Vec3::Zero(), "a"));
  builder.add_joint(second, hinge_about_y(first, Vec3(1, 0, 0), "b"));
  const auto model = std::make_shared<const Model>(builder.build());
  State state;
  state.q = model->neutral_position();
  state.v = VectorX::Zero(model->velocity_count());
  state.q.tail<1>().setConstant(0.4);
  if (hangs) {
    state.v << 1, 5;
  } else {
    state.v << 0.5, 2, 0.3, 0.1, 0, 0.2, 5;
  }
  return {model, method, state};
}

TEST(QuasiRigidMechanisms, TreesThatNothingTouchesMoveAsWithOtherSteppers) {
  for (const bool hangs : {true, false}) {
    Simulation ours = two_rods(hangs, with_step(5e-3, StepperKind::implicit_geometry));
    Simulation theirs = two_rods(hangs, with_step(5e-3, StepperKind::stewart_trinkle));
    const double energy = test::energy(ours.model(), ours.state());
    const Vec6 momentum = test::momentum(ours.model(), ours.state());
    for (int k = 0; k < 400; ++k) {
      ASSERT_EQ(ours.step().status, SolveStatus::solved) << k;
      ASSERT_EQ(theirs.step().status, SolveStatus::solved) << k;
    }
    EXPECT_LT((ours.state().q - theirs.state().q).norm(), 1e-6) << hangs;
    if (hangs) {
      EXPECT_NEAR(test::energy(ours.model(), ours.state()), energy, 1e-10 * energy);
    } else {
      EXPECT_LT((test::momentum(ours.model(), ours.state()) - momentum).norm(), 1e-9);
    }
  }
}

TEST(QuasiRigidMechanisms, StopsHoldAtTheEndOfTheStep) {
  ModelBuilder builder;
  builder.set_gravity({0, 0, -g});
  const int arm = builder.add_body("arm", rod(1));
  Joint hinge = hinge_about_y(-1, Vec3::Zero(), "hinge");
  hinge.lower = VectorX::Constant(1, -1);
  hinge.upper = VectorX::Constant(1, 0.5);
  hinge.limit_restitution = VectorX::Zero(1);
  builder.add_joint(arm, hinge);
  State state;
  state.q = state.v = VectorX::Zero(1);
  Simulation simulation(std::make_shared<const Model>(builder.build()), with_step(1e-2, StepperKind::implicit_geometry),
                        state);
  for (int k = 0; k < 100; ++k) {
    ASSERT_EQ(simulation.step().status, SolveStatus::solved);
    ASSERT_LE(simulation.state().q[0], 0.5 + 1e-12);
  }
  EXPECT_NEAR(simulation.state().q[0], 0.5, 1e-12);
}

/// Places in a scene of two ellipsoids and a ball that fall on a rough floor and against each other, after 0.6 s. All
/// of it is turned by R and mirrored by the sign of y.
std::vector<Vec3> fallen(const Mat3& R, double side) {
  SceneMaker maker(0.3, 0.0, R * Vec3(0, 0, -g));
  const Mat3 mirror = Vec3(1, side, 1).asDiagonal();
  maker.add_static(HalfSpace{}, {R, Vec3::Zero()});
  const auto add = [&](const Shape& shape, const Vec3& p, const Vec3& v, const Vec3& turn, const Vec3& spin) {
    // A mirrored rotation vector keeps its part along y and changes the sign of the others.
    const Mat3 pseudo = side * mirror;
    const Quaternion orientation = Quaternion(R) * exponential(pseudo * turn);
    maker.add(shape, 1, R * (mirror * p), R * (mirror * v), orientation,
              exponential(pseudo * turn).conjugate() * Vec3(pseudo * spin));
  };
  add(Ellipsoid{Vec3(0.3, 0.2, 0.1)}, {0, 0.1, 0.35}, {0.3, 0.2, 0}, {0.3, 0.2, 0.1}, {1, 0.5, 0.3});
  add(Ellipsoid{Vec3(0.1, 0.25, 0.2)}, {0.5, 0, 0.5}, {-0.8, 0.1, 0}, {0.1, -0.4, 0.2}, {0, 1, -0.5});
  add(Sphere{0.15}, {0.2, 0.6, 0.3}, {0, -1, 0}, Vec3::Zero(), {1, 0, 0});
  Simulation simulation = maker.simulation(with_step(2e-3, StepperKind::implicit_geometry));
  test::run(simulation, 0.6);
  std::vector<Vec3> places(3);
  for (int body = 0; body < 3; ++body) {
    places[static_cast<std::size_t>(body)] = mirror * (R.transpose() * test::position(simulation, body));
  }
  return places;
}

TEST(QuasiRigidMechanisms, TurnedAndMirroredWorldsDoTheSame) {
  const std::vector<Vec3> plain = fallen(Mat3::Identity(), 1), mirrored = fallen(Mat3::Identity(), -1);
  const std::vector<Vec3> turned = fallen(exponential(Vec3(0.7, -1.1, 0.4)).toRotationMatrix(), 1);
  for (std::size_t body = 0; body < 3; ++body) {
    EXPECT_LT((plain[body] - mirrored[body]).norm(), 1e-7) << body;
    EXPECT_LT((plain[body] - turned[body]).norm(), 1e-7) << body;
  }
}

TEST(QuasiRigidMechanisms, AgreesWithTheNonlinearStepperWhereBothAreExact) {
  // A ball and a block that slide on a plane: contacts do not turn, so both solve the same equations.
  SceneMaker maker(0.25);
  maker.add_static(HalfSpace{});
  maker.add(Box{Vec3(0.2, 0.1, 0.1)}, 2, {0, 0, 0.1}, {1.5, 0.5, 0});
  maker.add(Sphere{0.1}, 1, {0, 1, 0.1}, {1, -0.3, 0}, Quaternion::Identity(), {0, 2, 1});
  Method other = with_step(2e-3, StepperKind::stewart_trinkle_nonlinear);
  other.cone = FrictionCone::exact;
  Simulation ours = maker.simulation(with_step(2e-3, StepperKind::implicit_geometry)), theirs = maker.simulation(other);
  for (int k = 0; k < 150; ++k) {
    ASSERT_EQ(ours.step().status, SolveStatus::solved);
    ASSERT_EQ(theirs.step().status, SolveStatus::solved);
    ASSERT_LT((test::position(ours, 0) - test::position(theirs, 0)).norm(), 1e-7) << k;
    ASSERT_LT((test::position(ours, 1) - test::position(theirs, 1)).norm(), 1e-7) << k;
  }
}

TEST(QuasiRigidMechanisms, RefusesWhatItCannotTake) {
  const auto complaint = [](const Method& method, double restitution, bool layer, bool couples = false) -> std::string {
    ModelBuilder builder;
    Material material{"felt", Vec2::Zero(), restitution};
    if (layer) {
      material.layer.emplace();
      material.layer->stiffness = Vec3(100, 100, 100).asDiagonal();
      material.layer->sideways = couples;
      if (couples) material.layer->stiffness(0, 2) = material.layer->stiffness(2, 0) = 20;
    }
    const int number = builder.add_material(material);
    const int ball = builder.add_body("ball", test::solid(Sphere{0.1}, 1));
    builder.add_collider({"ball", ball, Sphere{0.1}, {}, number});
    builder.add_collider({"floor", -1, HalfSpace{}, {}, number});
    State state;
    state.q = VectorX::Zero(7);
    state.q[0] = state.q[6] = 1;
    state.v = VectorX::Zero(6);
    try {
      const Simulation simulation(std::make_shared<const Model>(builder.build()), method, state);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(complaint(with_step(1e-3, StepperKind::implicit_geometry), 0, false), "");
  EXPECT_EQ(complaint(with_step(1e-3, StepperKind::quasi_rigid), 0, true), "");
  EXPECT_NE(complaint(with_step(1e-3, StepperKind::implicit_geometry), 0, true).find("material 'felt' has a layer"),
            std::string::npos);
  Method by_bodies = with_step(1e-3, StepperKind::quasi_rigid), by_layers = by_bodies;
  by_layers.quasi_rigid.slip = SlipKinematics::of_layers;
  EXPECT_NE(complaint(by_bodies, 0, true, true).find("couples the normal with the surface"), std::string::npos);
  EXPECT_EQ(complaint(by_layers, 0, true, true), "");
  EXPECT_NE(complaint(with_step(1e-3, StepperKind::implicit_geometry), 0.5, false).find("restitution 0.5"),
            std::string::npos);
  Method newton = with_step(1e-3, StepperKind::implicit_geometry);
  newton.law = LawKind::newton;
  EXPECT_NE(complaint(newton, 0, false).find("knows no restitution"), std::string::npos);
  Method coarse = with_step(1e-3, StepperKind::implicit_geometry);
  coarse.quasi_rigid.tolerance = 2;
  EXPECT_NE(complaint(coarse, 0, false).find("quasi_rigid.tolerance is 2"), std::string::npos);
}

}  // namespace
}  // namespace carom::quasi_rigid_mechanisms_test
