#include <gtest/gtest.h>

#include <cstdlib>

#include "carom/stepper/test/mechanisms.h"

namespace carom::test {
namespace {

Method variational(double step, LawKind law = LawKind::newton) {
  Method method;
  method.stepper = StepperKind::variational;
  method.law = law;
  method.step = step;
  return method;
}

bool is_long() { return std::getenv("CAROM_LONG") != nullptr; }

/// A ball dropped from 1 m on a floor.
SceneMaker dropped_ball(double restitution) {
  SceneMaker scene(0, restitution);
  scene.add_static(Shape(HalfSpace{}));
  scene.add(Shape(Sphere{0.1}), 1, Vec3(0, 0, 1.1));
  return scene;
}

/// Free fall is exact with the midpoint rule, and the law keeps ½ pᵀ M⁻¹ p where the ball touches. So for ten thousand
/// steps nothing is lost but round-off.
TEST(VariationalImpacts, ElasticBallKeepsItsEnergy) {
  const SceneMaker scene = dropped_ball(1);
  Simulation simulation = scene.simulation(variational(0.013));
  const double before = energy(simulation.model(), simulation.state());
  const double of_motion = 9.81;
  std::int64_t impacts = 0;
  for (int i = 0; i < 10000; ++i) {
    const StepReport& report = simulation.step();
    ASSERT_EQ(report.status, SolveStatus::solved) << i;
    impacts += static_cast<std::int64_t>(report.impacts.size());
    EXPECT_NEAR(report.energy.kinetic + report.energy.potential, before, 1e-11 * of_motion) << i;
  }
  // From 1 m a bounce takes 2 √(2/g).
  EXPECT_NEAR(static_cast<double>(impacts), 130 / (2 * std::sqrt(2 / 9.81)), 1);
  EXPECT_LT(simulation.certificate().penetration, 1e-12);
}

/// Place of the ball after a time, to round-off of the bounces' sum: nothing in it depends on the step.
TEST(VariationalImpacts, BallIsWhereItWouldBe) {
  for (const double step : {0.01, 0.037, 0.3}) {
    const SceneMaker scene = dropped_ball(0.5);
    Simulation simulation = scene.simulation(variational(step));
    const double g = 9.81, fall = std::sqrt(2 / g), v = g * fall;
    for (int i = 1; i * step < 2.4 * fall; ++i) {
      EXPECT_EQ(simulation.step().status, SolveStatus::solved);
      const double t = i * step - fall;
      double z = t < 0 ? 1 - 0.5 * g * i * step * i * step : 0.5 * v * t - 0.5 * g * t * t;
      if (t > fall) z = 0.25 * v * (t - fall) - 0.5 * g * (t - fall) * (t - fall);
      if (t > 1.5 * fall) continue;  // the third bounce
      EXPECT_NEAR(position(simulation, 0).z(), 0.1 + z, 1e-12) << step << " " << i;
    }
  }
}

/// Bounces that outpace the step turn into contact: the ball lies still after the sum of its flights.
TEST(VariationalImpacts, ZenoEndsInContact) {
  const SceneMaker scene = dropped_ball(0.5);
  Simulation simulation = scene.simulation(variational(0.01));
  const double fall = std::sqrt(2 / 9.81), end = fall * 3;  // fall (1 + 2 e/(1 − e))
  while (simulation.state().time < end + 0.02) {
    const StepReport& report = simulation.step();
    EXPECT_EQ(report.status, SolveStatus::solved);
    EXPECT_LT(report.impacts.size(), 4u);
  }
  EXPECT_LT(std::abs(velocity(simulation, 0).z()), 1e-12);
  EXPECT_NEAR(position(simulation, 0).z(), 0.1, 1e-9);
  ASSERT_EQ(simulation.state().contacts.size(), 1u);
  // The impulse that holds it is its weight.
  EXPECT_NEAR(simulation.step().contacts[0].impulse.z(), 9.81 * 0.01, 1e-12);
}

/// A double pendulum of two rods with a ball at its end, and a wall on its way. Rods of 1 m and 1 kg; without limits it
/// would swing through.
struct WallPendulum {
  explicit WallPendulum(double restitution) {
    ModelBuilder builder;
    builder.set_gravity(Vec3(0, 0, -9.81));
    const int material = builder.add_material({"hard", Vec2(0, 0), restitution});
    builder.set_combination(Combination::maximum, Combination::maximum);
    int parent = -1;
    for (int i = 0; i < 2; ++i) {
      const int rod = builder.add_body("rod" + std::to_string(i),
                                       {1, Vec3(0, 0, -0.5), Vec3(1.0 / 12, 1.0 / 12, 1e-3).asDiagonal()});
      Joint joint;
      joint.type = JointType::revolute;
      joint.parent = parent;
      joint.X_PF.R = joint.X_BM.R = contact_frame(Vec3::UnitY());
      if (i > 0) joint.X_PF.p = Vec3(0, 0, -1);
      builder.add_joint(rod, joint);
      Transform tip;
      tip.p = Vec3(0, 0, -1);
      if (i == 1) builder.add_collider({"tip", rod, Shape(Sphere{0.05}), tip, material});
      parent = rod;
    }
    Transform wall;
    wall.R = contact_frame(Vec3::UnitX());
    wall.p = Vec3(-0.1, 0, 0);
    builder.add_collider({"wall", -1, Shape(HalfSpace{}), wall, material});
    model = std::make_shared<const Model>(builder.build());
  }
  /// angles from the vertical.
  Simulation simulation(const Method& method, double first, double second) const {
    State state;
    // Positive turns about y move what hangs towards −x.
    state.q = Vec2(-first, -second);
    state.v = VectorX::Zero(2);
    return Simulation(model, method, state);
  }
  std::shared_ptr<const Model> model;
};

TEST(VariationalImpacts, WallPendulumKeepsItsEnergyAcrossEachImpact) {
  const WallPendulum pendulum(1);
  for (const double step : {0.002, 0.01, 0.04}) {
    Simulation simulation = pendulum.simulation(variational(step), 0.3, 0.1);
    const double scale = 9.81;
    std::int64_t impacts = 0;
    for (int i = 0; i < 500; ++i) {
      const StepReport& report = simulation.step();
      EXPECT_EQ(report.status, SolveStatus::solved) << step << " " << i;
      EXPECT_LT(report.momentum_residual, 1e-11);
      for (const ImpactReport& impact : report.impacts) {
        ++impacts;
        EXPECT_NEAR(impact.contact_work, 0, 1e-12 * scale) << step << " " << i;
        EXPECT_NEAR(impact.outcome.energy_change, 0, 1e-12 * scale) << step << " " << i;
      }
    }
    EXPECT_GT(impacts, 0);
    EXPECT_LT(simulation.certificate().penetration, 1e-12);
  }
}

/// At a fixed time, after impacts that no part of the step knew beforehand: the error falls with the square of the
/// step.
TEST(VariationalImpacts, WallPendulumConvergesWithTheSquareOfTheStep) {
  const WallPendulum pendulum(1);
  Method exact_method = variational(0.1);
  exact_method.stepper = StepperKind::event_driven;
  exact_method.tolerance = 1e-13;
  Simulation exact = pendulum.simulation(exact_method, 0.3, 0.1);
  std::int64_t impacts = 0;
  for (int i = 0; i < 12; ++i) impacts += static_cast<std::int64_t>(exact.step().impacts.size());
  ASSERT_GT(impacts, 1);
  double first = 0, last = 0;
  for (int i = 0; i < 6; ++i) {
    const int steps = 75 << i;
    Simulation simulation = pendulum.simulation(variational(1.2 / steps), 0.3, 0.1);
    for (int k = 0; k < steps; ++k) EXPECT_EQ(simulation.step().status, SolveStatus::solved);
    last = (simulation.state().q - exact.state().q).norm() + (simulation.state().v - exact.state().v).norm();
    if (i == 0) first = last;
  }
  // The place of an impact within its step moves with the step, so single ratios scatter: the order over five
  // doublings.
  EXPECT_NEAR(std::log2(first / last) / 5, 2, 0.2);
}

/// No drift from a regular start: the mean energy over a window stays where it was.
TEST(VariationalImpacts, WallPendulumsEnergyDoesNotDrift) {
  const int steps = is_long() ? 1000000 : 40000, window = 2000;
  const WallPendulum pendulum(1);
  Simulation simulation = pendulum.simulation(variational(0.005), 0.12, 0.05);
  const double floor = -1.0 * 9.81 * 0.5 - 9.81 * 1.5;
  double first = 0, mean = 0;
  std::int64_t impacts = 0;
  for (int i = 0; i < steps; ++i) {
    const StepReport& report = simulation.step();
    ASSERT_EQ(report.status, SolveStatus::solved) << i;
    impacts += static_cast<std::int64_t>(report.impacts.size());
    mean += (report.energy.kinetic + report.energy.potential - floor) / window;
    if ((i + 1) % window != 0) continue;
    if (i + 1 == window) first = mean;
    EXPECT_NEAR(mean, first, 2e-4 * first) << i;
    mean = 0;
  }
  EXPECT_GT(impacts, steps / 1000);
}

/// The start makes the rods go round and round, so that angles grow to hundreds of turns. An elastic wall does no work
/// in any step, and every impact is found.
TEST(VariationalImpacts, WallDoesNoWorkOnAPendulumThatGoesRound) {
  const int steps = is_long() ? 1000000 : 20000;
  const WallPendulum pendulum(1);
  for (const double h : {0.01, 0.005}) {
    Simulation simulation = pendulum.simulation(variational(h), 1.2, 2.0);
    double worst = 0, work = 0;
    for (int i = 0; i < steps; ++i) {
      const StepReport& report = simulation.step();
      ASSERT_EQ(report.status, SolveStatus::solved) << h << " " << i;
      work += report.energy.contact_work;
      worst = std::max(worst, std::abs(report.energy.contact_work));
    }
    EXPECT_LT(worst, 1e-9 * 9.81) << h;
    EXPECT_LT(std::abs(work), 1e-6 * 9.81) << h;
  }
}

/// A row of equal balls that do not touch: momentum goes through them one by one within a step, and nothing is lost.
TEST(VariationalImpacts, MomentumRunsThroughARowWithinAStep) {
  SceneMaker scene(0, 1.0, Vec3::Zero());
  for (int i = 0; i < 4; ++i) {
    scene.add(Shape(Sphere{0.1}), 1, Vec3(0.21 * i, 0, 0), i == 0 ? Vec3(1, 0, 0) : Vec3::Zero());
  }
  Simulation simulation = scene.simulation(variational(0.1));
  const StepReport& report = simulation.step();
  EXPECT_EQ(report.status, SolveStatus::solved);
  EXPECT_EQ(report.impacts.size(), 3u);
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(velocity(simulation, i).x(), i == 3 ? 1 : 0, 1e-13) << i;
  EXPECT_NEAR(position(simulation, 3).x(), 0.63 + 0.07, 1e-12);
}

/// A limit of a joint is struck by its own restitution.
TEST(VariationalImpacts, JointLimitBounces) {
  ModelBuilder builder;
  builder.set_gravity(Vec3::Zero());
  const int block = builder.add_body("block", {2, Vec3::Zero(), Mat3::Identity()});
  Joint joint;
  joint.type = JointType::prismatic;
  joint.upper = VectorX::Constant(1, 0.5);
  joint.lower = VectorX::Constant(1, -0.5);
  joint.limit_restitution = VectorX::Constant(1, 0.5);
  builder.add_joint(block, joint);
  State state;
  state.q = VectorX::Zero(1);
  state.v = VectorX::Ones(1);
  Simulation simulation(std::make_shared<const Model>(builder.build()), variational(0.3), state);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(simulation.step().status, SolveStatus::solved);
  // At 0.5 s it turns with half its speed; at 1.5 s it has come back to where it began.
  EXPECT_NEAR(simulation.state().q[0], 0, 1e-13);
  EXPECT_NEAR(simulation.state().v[0], -0.5, 1e-13);
}

/// Every law of impacts can be chosen, and a law that knows no friction agrees with the others on one smooth ball.
TEST(VariationalImpacts, AnyLaw) {
  for (const LawKind law : all_laws()) {
    if (!go_together(StepperKind::variational, law)) continue;
    const double e = law == LawKind::plastic ? 0 : law == LawKind::propagative ? 1 : 0.5;
    const SceneMaker scene = dropped_ball(e);
    Simulation simulation = scene.simulation(variational(0.02, law));
    for (int i = 0; i < 30; ++i) EXPECT_EQ(simulation.step().status, SolveStatus::solved) << law_name(law);
    const double fall = std::sqrt(2 / 9.81), after = 0.6 - fall;
    const double z = e == 0 ? 0 : e * 9.81 * fall * after - 0.5 * 9.81 * after * after;
    EXPECT_NEAR(position(simulation, 0).z(), 0.1 + z, 1e-6) << law_name(law);
  }
}

TEST(VariationalImpacts, ResumedRunsHaveTheSameBits) {
  const WallPendulum pendulum(0.9);
  Simulation whole = pendulum.simulation(variational(0.01), 0.3, 0.1);
  for (int i = 0; i < 50; ++i) (void)whole.step();
  Simulation rest(pendulum.model, variational(0.01), whole.state());
  for (int i = 0; i < 50; ++i) {
    (void)whole.step();
    (void)rest.step();
  }
  EXPECT_TRUE(identical(whole.state(), rest.state()));
}

}  // namespace
}  // namespace carom::test
