// Steppers whose impacts are instants of their own: closed forms of bounces, rows of balls, walls; the laws; the order
// of both steppers.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "carom/stepper/test/mechanisms.h"

namespace carom::impacts_test {
namespace {

using test::run;

constexpr double g = 9.81;
constexpr LawKind laws[] = {LawKind::newton, LawKind::poisson, LawKind::plus, LawKind::stronge, LawKind::lzb};

Method with(StepperKind stepper, LawKind law, double step) {
  Method method;
  method.stepper = stepper;
  method.law = law;
  method.step = step;
  method.cone = FrictionCone::exact;
  return method;
}

std::vector<double> times(const std::vector<Event>& events, EventKind kind) {
  std::vector<double> result;
  for (const Event& event : events) {
    if (event.kind == kind) result.push_back(event.time);
  }
  return result;
}

class EachImpactStepper : public testing::TestWithParam<StepperKind> {};

/// t_1 = √(2 H/g), then flights of 2 eᵏ t_1.
TEST_P(EachImpactStepper, ABallBouncesWhenItShould) {
  const double h = 0.001, height = 0.5, radius = 0.1, first = std::sqrt(2 * height / g);
  const bool exact = GetParam() == StepperKind::event_driven;
  for (const LawKind law : laws) {
    for (const double e : {0.4, 0.8}) {
      test::SceneMaker scene(0.4, e);
      scene.add_static(HalfSpace{});
      scene.add(Sphere{radius}, 1, Vec3(0, 0, radius + height));
      Simulation simulation = scene.simulation(with(GetParam(), law, h));
      const auto impacts = times(run(simulation, 3 * first), EventKind::impact);
      double time = first, flight = 2 * first, flights = 0;
      for (const double impact : impacts) {
        // Steps that move by the velocity of their end make a flight a step too short and its landing g h too slow. A
        // part e of this error is left for the next flight. Event-driven steps are as exact as the law.
        EXPECT_NEAR(impact, time, exact ? 1e-6 : (1 + 2 * e / (1 - e)) * h * ++flights) << law_name(law) << " " << e;
        flight *= e;
        time += flight;
      }
      EXPECT_GE(impacts.size(), 2u);
      EXPECT_LE(simulation.certificate().impact.approach, 1e-6);
      EXPECT_LE(simulation.certificate().impact.energy_gain, 1e-12);
      EXPECT_LE(simulation.certificate().penetration, 1e-9);
    }
  }
}

TEST_P(EachImpactStepper, APlasticBallStaysWhereItLands) {
  test::SceneMaker scene(0.4, 0);
  scene.add_static(HalfSpace{});
  scene.add(Sphere{0.1}, 1, Vec3(0, 0, 0.6));
  for (const LawKind law : {LawKind::plastic, LawKind::plus, LawKind::newton}) {
    Simulation simulation = scene.simulation(with(GetParam(), law, 0.001));
    const double landing = std::sqrt(2 * 0.5 / g);
    const auto events = run(simulation, landing + 0.1);
    EXPECT_EQ(times(events, EventKind::impact).size(), 1u) << law_name(law);
    ASSERT_EQ(times(events, EventKind::touch).size(), 1u) << law_name(law);
    EXPECT_EQ(times(events, EventKind::separate).size(), 0u) << law_name(law);
    EXPECT_NEAR(test::position(simulation, 0).z(), 0.1, 1e-7);
    EXPECT_NEAR(test::velocity(simulation, 0).z(), 0, 1e-9);
    EXPECT_NEAR(simulation.certificate().energy.contact_work, -g * 0.5, g * 0.5 * 0.01);
  }
}

/// Four balls in a row struck by a fifth: PLUS sends the last one off, the plastic law all of them together; Newton's
/// hypothesis gives each gap e times its own approach.
TEST_P(EachImpactStepper, ARowOfBallsLeavesAsItsLawSays) {
  for (const LawKind law : {LawKind::plus, LawKind::plastic}) {
    test::SceneMaker scene(0, 1, Vec3::Zero());
    for (int i = 0; i < 4; ++i) scene.add(Sphere{0.1}, 1, Vec3(0.2 * i, 0, 0));
    scene.add(Sphere{0.1}, 1, Vec3(0.9, 0, 0), Vec3(-2, 0, 0));
    Simulation simulation = scene.simulation(with(GetParam(), law, 0.01));
    run(simulation, 0.2);
    for (int i = 0; i < 5; ++i) {
      const double expected = law == LawKind::plastic ? -2.0 / 5 : i == 0 ? -2.0 : 0.0;
      EXPECT_NEAR(test::velocity(simulation, i).x(), expected, 1e-7) << law_name(law) << " ball " << i;
    }
    EXPECT_LE(simulation.certificate().momentum_residual, 1e-12);
  }
}

/// A block whose corners lie within the tolerance of proximity rebounds straight up, though one corner is first.
TEST_P(EachImpactStepper, ABlockThatIsAlmostFlatReboundsStraightUp) {
  for (const double tilt : {0.0, 1e-7, -3e-6}) {
    test::SceneMaker scene(0.3, 0.5);
    scene.add_static(HalfSpace{});
    const Quaternion turned(Eigen::AngleAxisd(tilt, Vec3::UnitY()));
    scene.add(Box{Vec3(0.4, 0.3, 0.1)}, 2, Vec3(0, 0, 0.3), Vec3::Zero(), turned);
    Simulation simulation = scene.simulation(with(GetParam(), LawKind::plus, 0.001));
    const double landing = std::sqrt(2 * 0.2 / g);
    run(simulation, landing + 0.01);
    const Vec3 spin = simulation.state().v.head<3>();
    EXPECT_LT(spin.norm(), 1e-4 * landing * g / 0.4) << tilt;
    EXPECT_GT(test::velocity(simulation, 0).z(), 0.4 * g * landing);
  }
}

/// A block on a slide runs into its joint's limit and comes back with the limit's restitution.
TEST_P(EachImpactStepper, ALimitThrowsBackByItsRestitution) {
  for (const LawKind law : laws) {
    ModelBuilder builder;
    builder.set_gravity(Vec3::Zero());
    const int block = builder.add_body("block", {2, Vec3::Zero(), Mat3::Identity() * 0.01});
    Joint joint;
    joint.name = "slide";
    joint.type = JointType::prismatic;
    joint.upper = VectorX::Constant(1, 0.5);
    joint.limit_restitution = VectorX::Constant(1, 0.6);
    builder.add_joint(block, joint);
    State state;
    state.q = VectorX::Zero(1);
    state.v = VectorX::Constant(1, 3.0);
    Simulation simulation(std::make_shared<const Model>(builder.build()), with(GetParam(), law, 0.01), state);
    const auto impacts = times(run(simulation, 0.4), EventKind::impact);
    ASSERT_EQ(impacts.size(), 1u) << law_name(law);
    EXPECT_NEAR(impacts[0], 0.5 / 3, 1e-6);
    EXPECT_NEAR(simulation.state().v[0], -1.8, 1e-6) << law_name(law);
    EXPECT_NEAR(simulation.state().q[0], 0.5 - 1.8 * (0.4 - 0.5 / 3), 1e-5);
  }
}

/// A point mass on a slope of gravity g_t along it: sticks below μ g_n, slides with g_t − μ g_n above.
TEST_P(EachImpactStepper, ABlockOnASlopeStaysOrSlides) {
  for (const double along : {1.0, 6.0}) {
    test::SceneMaker scene(0.2, 0.5, Vec3(along, 0, -g));
    scene.add_static(HalfSpace{});
    scene.add(Box{Vec3(0.2, 0.2, 0.02)}, 1, Vec3(0, 0, 0.02));
    Simulation simulation = scene.simulation(with(GetParam(), LawKind::plus, 0.01));
    run(simulation, 0.5);
    const double expected = std::max(0.0, along - 0.2 * g) * 0.5;
    EXPECT_NEAR(test::velocity(simulation, 0).x(), expected, 1e-6);
  }
}

INSTANTIATE_TEST_SUITE_P(All, EachImpactStepper, testing::Values(StepperKind::semi_explicit, StepperKind::event_driven),
                         [](const auto& info) {
                           return info.param == StepperKind::semi_explicit ? "semi_explicit" : "event_driven";
                         });

/// A spinning ball bounces about. If semi-explicit steps are refined, its path nears the event-driven one at first
/// order. It counts as much where in a step the ball lands, so errors are means over heights.
TEST(SemiExplicit, NearsTheExactMotionAtFirstOrder) {
  const auto end = [](StepperKind stepper, SmoothParts smooth, double h, double height) {
    test::SceneMaker scene(0.3, 0.5);
    scene.add_static(HalfSpace{});
    const Quaternion turned(Eigen::AngleAxisd(0.6, Vec3(1, 2, 0.5).normalized()));
    scene.add(Sphere{0.1}, 2, Vec3(0, 0, height), Vec3(0.5, 0.2, 0), turned, Vec3(1, -3, 2));
    Method method = with(stepper, LawKind::plus, h);
    method.smooth = smooth;
    Simulation simulation = scene.simulation(method);
    run(simulation, 0.65);  // in the third flight, for all heights below
    return Vec3(test::position(simulation, 0));
  };
  constexpr int heights = 40;
  const auto mean_error = [&](SmoothParts smooth, double h) {
    double sum = 0;
    for (int i = 0; i < heights; ++i) {
      const double height = 0.5 + 0.0005 * i;
      sum += (end(StepperKind::semi_explicit, smooth, h, height) - end(StepperKind::event_driven, smooth, 0.05, height))
                 .norm();
    }
    return sum / heights;
  };
  const auto first = SmoothParts::first_order;
  const double coarse = mean_error(first, 0.001), middle = mean_error(first, 0.0005), fine = mean_error(first, 0.00025);
  EXPECT_NEAR(coarse / middle, 2, 0.3);
  EXPECT_NEAR(middle / fine, 2, 0.3);
  EXPECT_LT(fine, 0.01);
  // A ball's second order leaves what the proximity of impacts makes of their times.
  EXPECT_LT(mean_error(SmoothParts::second_order, 0.001), fine / 20);
}

/// A small fast ball would come out on the far side of a plate within one step. It rebounds from the near side,
/// wherever in the step it meets it.
TEST_P(EachImpactStepper, WhatIsFastReboundsFromWhatIsThin) {
  constexpr double h = 1e-3;
  for (const double speed : {40.0, 100.0}) {
    for (int place = 0; place < 10; ++place) {
      test::SceneMaker scene(0, 1, Vec3::Zero());
      scene.add_static(Box{Vec3(0.005, 0.5, 0.5)});
      const double x = -0.3 - 0.1 * place * speed * h;
      scene.add(Sphere{0.01}, 1, Vec3(x, 0.02, 0), Vec3(speed, 0.3 * speed, 0));
      Simulation simulation = scene.simulation(with(GetParam(), LawKind::newton, h));
      run(simulation, std::ceil((-x / speed) / h + 2) * h);
      EXPECT_NEAR(test::velocity(simulation, 0).x(), -speed, 1e-9 * speed) << speed << " from " << x;
      EXPECT_NEAR(test::velocity(simulation, 0).y(), 0.3 * speed, 1e-9 * speed);
      EXPECT_EQ(simulation.certificate().impacts, 1);
    }
  }
}

/// Rolling begins when a sliding ball's slip ends: t = 2 v / (7 μ g), v then 5/7 of the start.
TEST(EventDriven, ASlidingBallBeginsToRollAtItsTime) {
  test::SceneMaker scene(0.25, 0);
  scene.add_static(HalfSpace{});
  scene.add(Sphere{0.1}, 2, Vec3(0, 0, 0.1), Vec3(1.5, 0, 0));
  Simulation simulation = scene.simulation(with(StepperKind::event_driven, LawKind::plus, 0.05));
  const auto rolls = times(run(simulation, 0.5), EventKind::roll);
  ASSERT_EQ(rolls.size(), 1u);
  EXPECT_NEAR(rolls[0], 2 * 1.5 / (7 * 0.25 * g), 1e-7);
  EXPECT_NEAR(test::velocity(simulation, 0).x(), 1.5 * 5 / 7, 1e-7);
  EXPECT_LT(std::abs(simulation.certificate().energy.free_motion_error), 1e-8);
}

/// Bounces that accumulate end in contact, at t_1 (1 + e) / (1 − e).
TEST(EventDriven, AccumulatingBouncesEndInContactAtTheirTime) {
  for (const double e : {0.3, 0.8}) {
    test::SceneMaker scene(0, e);
    scene.add_static(HalfSpace{});
    scene.add(Sphere{0.1}, 1, Vec3(0, 0, 0.3));
    Simulation simulation = scene.simulation(with(StepperKind::event_driven, LawKind::newton, 0.05));
    const double end = std::sqrt(2 * 0.2 / g) * (1 + e) / (1 - e);
    const auto touches = times(run(simulation, end + 0.1), EventKind::touch);
    ASSERT_EQ(touches.size(), 1u) << e;
    EXPECT_NEAR(touches[0], end, 1e-9) << e;
    EXPECT_NEAR(test::position(simulation, 0).z(), 0.1, 1e-12);
    EXPECT_EQ(test::velocity(simulation, 0).z(), 0);
  }
}

/// Thrown up from below a ledge so that it just passes, just grazes, or strikes: a double root inside a step.
TEST(EventDriven, DipsBetweenTwoInstantsAreNotMissed) {
  for (const double depth : {1e-9, 1e-6, 1e-3}) {
    for (const bool meets : {false, true}) {
      // The ceiling z = 1 from below: the ball's top rises to 1 ± depth.
      test::SceneMaker scene(0, 1);
      scene.add_static(HalfSpace{}, {Eigen::AngleAxisd(M_PI, Vec3::UnitX()).toRotationMatrix(), Vec3(0, 0, 1)});
      const double rise = 0.5 + (meets ? depth : -depth);
      scene.add(Sphere{0.1}, 1, Vec3(0, 0, 0.4), Vec3(0, 0, std::sqrt(2 * g * rise)));
      Simulation simulation = scene.simulation(with(StepperKind::event_driven, LawKind::newton, 1.0));
      const auto impacts = times(run(simulation, 1), EventKind::impact);
      ASSERT_EQ(impacts.size(), meets ? 1u : 0u) << depth;
      if (meets) {
        EXPECT_NEAR(impacts[0], std::sqrt(2 * rise / g) - std::sqrt(2 * depth / g), 1e-9) << depth;
      }
    }
  }
}

/// A start on the surface that approaches is an impact at once; one that separates is none, and comes back.
TEST(EventDriven, StartsOnTheSurfaceAreSeen) {
  for (const double up : {-1.0, 1.0}) {
    test::SceneMaker scene(0, 0.5);
    scene.add_static(HalfSpace{});
    scene.add(Sphere{0.1}, 1, Vec3(0, 0, 0.1), Vec3(0, 0, up));
    Simulation simulation = scene.simulation(with(StepperKind::event_driven, LawKind::newton, 0.5));
    const auto impacts = times(run(simulation, 0.5), EventKind::impact);
    ASSERT_GE(impacts.size(), 1u);
    EXPECT_NEAR(impacts[0], up < 0 ? 0 : 2 * up / g, 1e-10);
  }
}

/// A bob of 1 kg, 1 m under a hinge about y.
std::shared_ptr<const Model> pendulum(Ratchet ratchet) {
  ModelBuilder builder;
  builder.set_gravity({0, 0, -g});
  const int bob = builder.add_body("bob", {1, Vec3(0, 0, -1), Mat3::Identity() * 1e-3});
  Joint joint;
  joint.name = "hinge";
  joint.type = JointType::revolute;
  joint.X_PF.R = joint.X_BM.R = contact_frame(Vec3::UnitY());
  joint.ratchet = {ratchet};
  builder.add_joint(bob, joint);
  return std::make_shared<const Model>(builder.build());
}

/// Released from the horizontal.
TEST(EventDriven, APendulumKeepsItsEnergy) {
  State state;
  state.q = VectorX::Constant(1, M_PI / 2);
  state.v = VectorX::Zero(1);
  Simulation simulation(pendulum(Ratchet::none), with(StepperKind::event_driven, LawKind::plastic, 0.1), state);
  const double start = test::energy(simulation.model(), simulation.state());
  run(simulation, 10);
  EXPECT_NEAR(test::energy(simulation.model(), simulation.state()), start, 1e-7);
}

/// A ball in a box, elastic, without friction: energy after 100 000 impacts with CAROM_LONG set, 2000 otherwise.
/// Without spin, so that between the impacts the integration is exact.
TEST(EventDriven, ABallInABoxKeepsItsEnergy) {
  const int impacts = std::getenv("CAROM_LONG") != nullptr ? 100000 : 2000;
  for (const Vec3& gravity : {Vec3(0, 0, 0), Vec3(0, 0, -g)}) {
    test::SceneMaker scene(0, 1, gravity);
    for (int axis = 0; axis < 3; ++axis) {
      for (const double side : {-1.0, 1.0}) {
        // A wall whose solid side lies beyond ±0.5 along the axis.
        const Vec3 inwards = -side * Vec3::Unit(axis);
        scene.add_static(HalfSpace{}, {contact_frame(inwards), 0.5 * side * Vec3::Unit(axis)});
      }
    }
    scene.add(Sphere{0.1}, 2, Vec3(0.05, -0.1, 0.2), Vec3(3, 2.1, 1.3));
    Simulation simulation = scene.simulation(with(StepperKind::event_driven, LawKind::newton, 0.5));
    const double start = test::energy(simulation.model(), simulation.state());
    while (simulation.certificate().impacts < impacts) ASSERT_EQ(simulation.step().status, SolveStatus::solved);
    EXPECT_NEAR(test::energy(simulation.model(), simulation.state()), start, 1e-10 * (std::abs(start) + 2 * 9));
    EXPECT_LT(test::position(simulation, 0).cwiseAbs().maxCoeff(), 0.4 + 1e-9);
  }
}

/// A block on a slide with dry friction F: pushed by less than F it stays; thrown, it comes to rest after m v²/2F.
TEST(EventDriven, DryFrictionHoldsAndStops) {
  ModelBuilder builder;
  builder.set_gravity({1.5, 0, 0});
  const int block = builder.add_body("block", {2, Vec3::Zero(), Mat3::Identity() * 0.01});
  Joint joint;
  joint.name = "slide";
  joint.type = JointType::prismatic;
  joint.X_PF.R = joint.X_BM.R = contact_frame(Vec3::UnitX());
  joint.friction = VectorX::Constant(1, 4.0);  // against m g = 3 N
  builder.add_joint(block, joint);
  const auto model = std::make_shared<const Model>(builder.build());
  for (const double v : {0.0, 1.2, -0.7}) {
    State state;
    state.q = VectorX::Zero(1);
    state.v = VectorX::Constant(1, v);
    Simulation simulation(model, with(StepperKind::event_driven, LawKind::plastic, 0.25), state);
    run(simulation, 10);
    // Decelerates by (4 − 3)/2 on the way down, (4 + 3)/2 on the way up.
    EXPECT_NEAR(simulation.state().q[0], v * std::abs(v) / (v > 0 ? 1.0 : 7.0), 1e-8) << v;
    EXPECT_LT(std::abs(simulation.state().v[0]), 1e-300) << v;
    EXPECT_NEAR(simulation.certificate().energy.joint_friction, -4 * std::abs(simulation.state().q[0]), 1e-7) << v;
    EXPECT_LT(std::abs(simulation.certificate().energy.free_motion_error), 1e-8) << v;
  }
}

/// A pendulum whose hinge goes forward alone stays where it would swing back.
TEST(EventDriven, ARatchetHolds) {
  State state;
  state.q = VectorX::Zero(1);
  state.v = VectorX::Constant(1, 2.0);
  Simulation simulation(pendulum(Ratchet::forward), with(StepperKind::event_driven, LawKind::plastic, 0.1), state);
  run(simulation, 3);
  // ½ (m + I) v² = m g (1 − cos q)
  EXPECT_NEAR(1 - std::cos(simulation.state().q[0]), 0.5 * 1.001 * 4 / g, 1e-8);
  EXPECT_EQ(simulation.state().v[0], 0);
}

/// Static friction holds more than sliding friction brakes: a block on a floor that is pulled ever harder.
TEST_P(EachImpactStepper, StaticFrictionHoldsLonger) {
  for (const double pull : {3.0, 4.5}) {
    test::SceneMaker scene(0.2, 0, Vec3(pull, 0, -g));
    scene.builder = ModelBuilder();
    scene.builder.set_gravity(Vec3(pull, 0, -g));
    Material material{"rough", Vec2(0.2, 0.2), 0.0};
    material.static_friction = Vec2(0.4, 0.4);
    scene.material = scene.builder.add_material(material);
    scene.add_static(HalfSpace{});
    scene.add(Box{Vec3(0.2, 0.2, 0.02)}, 1, Vec3(0, 0, 0.02));
    Simulation simulation = scene.simulation(with(GetParam(), LawKind::plus, 0.001));
    run(simulation, 0.5);
    // It stays up to 0.4 g = 3.92 m/s²; beyond, it is braked by 0.2 g. A step-based method may hold for a step longer.
    const double expected = pull < 0.4 * g ? 0 : (pull - 0.2 * g) * 0.5;
    EXPECT_NEAR(test::velocity(simulation, 0).x(), expected, 0.2 * g * 0.002) << pull;
  }
}

/// A block that slides up a slope comes to rest where v² = 2 a s, a = g (sin + μ cos), and stays. Static friction holds
/// what dynamic friction would not, also if the slip would turn round within one step.
TEST_P(EachImpactStepper, StaticFrictionHoldsWhatTurnsRound) {
  constexpr double slope = 0.384, friction = 0.3, speed = 0.2;  // tan: 0.404
  const double along = g * std::sin(slope), into = g * std::cos(slope), stop = along + friction * into;
  for (const double step : {0.01, 0.0047, 0.001}) {
    test::SceneMaker scene(0);
    scene.builder = ModelBuilder();
    scene.builder.set_gravity(Vec3(along, 0, -into));
    Material material{"rough", Vec2(friction, friction), 0.0};
    material.static_friction = Vec2(0.5, 0.5);
    scene.material = scene.builder.add_material(material);
    scene.add_static(HalfSpace{});
    scene.add(Box{Vec3(0.1, 0.1, 0.01)}, 1, Vec3(0, 0, 0.01), Vec3(-speed, 0, 0));
    Simulation simulation = scene.simulation(with(GetParam(), LawKind::plus, step));
    run(simulation, 100 * step);
    EXPECT_NEAR(test::position(simulation, 0).x(), -speed * speed / (2 * stop), speed * step) << step;
    EXPECT_NEAR(test::velocity(simulation, 0).norm(), 0, 1e-9) << step;
  }
}

/// A run that is resumed has the bits of one that was not.
TEST_P(EachImpactStepper, ResumesBitForBit) {
  test::SceneMaker scene(0.3, 0.6);
  scene.add_static(HalfSpace{});
  scene.add(Box{Vec3(0.2, 0.1, 0.1)}, 2, Vec3(0, 0, 0.5), Vec3(1, 0, 0),
            Quaternion(Eigen::AngleAxisd(0.4, Vec3(1, 1, 0).normalized())), Vec3(1, 2, 3));
  const Method method = with(GetParam(), LawKind::plus, 0.01);
  Simulation whole = scene.simulation(method);
  for (int i = 0; i < 40; ++i) whole.step();
  Simulation again(std::make_shared<const Model>(whole.model()), method, whole.state());
  for (int i = 0; i < 40; ++i) {
    whole.step();
    again.step();
    ASSERT_TRUE(identical(whole.state(), again.state())) << i;
  }
}

}  // namespace
}  // namespace carom::impacts_test
