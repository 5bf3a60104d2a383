#include <gtest/gtest.h>

#include "carom/complementarity/cone/cone_solver.h"
#include "carom/error.h"
#include "mechanisms.h"

// Newton's and Poisson's hypotheses inside a step.
namespace carom::restitution_test {
namespace {

constexpr double g = 9.81;

Method with_law(LawKind law, double step, StepperKind stepper = StepperKind::stewart_trinkle) {
  Method method;
  method.law = law;
  method.cone = FrictionCone::polyhedral;  // solved to round-off
  method.step = step;
  method.stepper = stepper;
  return method;
}

class EachLaw : public testing::TestWithParam<std::tuple<LawKind, StepperKind, FrictionCone>> {};

TEST_P(EachLaw, BallReboundsWithItsCoefficient) {
  const auto [law, stepper, cone] = GetParam();
  for (const double e : {0.3, 0.7, 1.0}) {
    constexpr double h = 1e-4, height = 0.5, radius = 0.1;
    test::SceneMaker scene(0.4, e);
    scene.add_static(HalfSpace{});
    scene.add(Sphere{radius}, 1, Vec3(0, 0, radius + height));
    Method method = with_law(law, h, stepper);
    method.cone = cone;
    Simulation simulation = scene.simulation(method);
    const double fall = std::sqrt(2 * height / g);
    while (simulation.state().time < fall + 2 * h) simulation.step();
    EXPECT_NEAR(test::velocity(simulation, 0).z(), e * g * fall, 3 * h * g) << law_name(law) << ", e = " << e;
    // The next apex is e² of the height, to first order in h.
    double apex = 0;
    for (int i = 0; i < static_cast<int>(2 * e * fall / h); ++i) {
      EXPECT_EQ(simulation.step().status, SolveStatus::solved);
      apex = std::max(apex, test::position(simulation, 0).z() - radius);
    }
    EXPECT_NEAR(apex, e * e * height, 20 * h);
    EXPECT_LE(simulation.certificate().contact_work_gain, 1e-9);
  }
}

TEST_P(EachLaw, BouncesDieOutAndTheBallRests) {
  const auto [law, stepper, cone] = GetParam();
  test::SceneMaker scene(0.4, 0.5);
  scene.add_static(HalfSpace{});
  scene.add(Sphere{0.1}, 1, Vec3(0, 0, 0.4));
  Method method = with_law(law, 0.001, stepper);
  method.cone = cone;
  Simulation simulation = scene.simulation(method);
  // Bounces accumulate at t₁ (1 + e) / (1 − e) = 3 t₁ with t₁ = √(2·0.3/g).
  while (simulation.state().time < 1.0) simulation.step();
  // Lemke ends on a basis, the exact cone's solver at its tolerance.
  const double left = cone == FrictionCone::exact ? ConeOptions{}.tolerance : 1e-12;
  EXPECT_LT(test::velocity(simulation, 0).norm(), left);
  EXPECT_NEAR(test::position(simulation, 0).z(), 0.1, 0.001);
}

INSTANTIATE_TEST_SUITE_P(All, EachLaw,
                         testing::Combine(testing::Values(LawKind::newton, LawKind::poisson),
                                          testing::Values(StepperKind::stewart_trinkle, StepperKind::anitescu_potra),
                                          testing::Values(FrictionCone::polyhedral, FrictionCone::exact)));

TEST(Poisson, APerfectBounceGainsNothingFromTheWeightWithinTheStep) {
  test::SceneMaker scene(0, 1);
  scene.add_static(HalfSpace{});
  scene.add(Sphere{0.1}, 1, Vec3(0, 0, 0.6));
  for (const LawKind law : {LawKind::newton, LawKind::poisson}) {
    Simulation simulation = scene.simulation(with_law(law, 0.001));
    const double start = test::energy(simulation.model(), simulation.state());
    while (simulation.state().time < 10) simulation.step();  // some 16 bounces
    // Explicit time stepping leaves ½ m g h v of energy to the phase of the bounce; it does not add up.
    EXPECT_NEAR(test::energy(simulation.model(), simulation.state()), start, g * 0.001 * 3.2) << law_name(law);
  }
}

TEST(Poisson, SendsAnImpactThroughARowOfBalls) {
  // Frictionless equal balls in contact, e = 1: p of the compression is shared, and expansion returns it. Closed form
  // of the two problems: compression leaves all with v/3, expansion gives each contact as much again.
  test::SceneMaker scene(0, 1, Vec3::Zero());
  constexpr double r = 0.1, v = 2;
  scene.add(Sphere{r}, 1, Vec3(-2 * r - 1e-4, 0, 0), Vec3(v, 0, 0));
  scene.add(Sphere{r}, 1, Vec3(0, 0, 0));
  scene.add(Sphere{r}, 1, Vec3(2 * r, 0, 0));
  Simulation simulation = scene.simulation(with_law(LawKind::poisson, 1e-3, StepperKind::anitescu_potra));
  for (int i = 0; i < 5; ++i) simulation.step();
  EXPECT_NEAR(test::velocity(simulation, 0).x(), -v / 3, 1e-12);
  EXPECT_NEAR(test::velocity(simulation, 1).x(), 2 * v / 3, 1e-12);
  EXPECT_NEAR(test::velocity(simulation, 2).x(), 2 * v / 3, 1e-12);
  EXPECT_NEAR(test::energy(simulation.model(), simulation.state()), 0.5 * v * v, 1e-12);
}

TEST(Newton, AStrongServoElsewhereSilencesNoImpact) {
  // A ball flies against a wall. Beside it a servo keeps a light arm at rest, and could turn it much faster.
  constexpr double e = 0.5, v = 0.5;
  test::SceneMaker scene(0.3, e, Vec3::Zero());
  scene.add_static(HalfSpace{});
  scene.add(Sphere{0.1}, 1, Vec3(0, 0, 0.102), Vec3(0, 0, -v));
  const int arm = scene.builder.add_body("arm", {1e-3, Vec3::Zero(), 1e-7 * Mat3::Identity()});
  Joint joint;
  joint.name = "shoulder";
  joint.type = JointType::revolute;
  scene.builder.add_joint(arm, joint);
  scene.builder.add_drive({"servo", DriveKind::servo, arm, 0, TimeFunction::constant(0), 10, 1, 1e5});
  scene.q.conservativeResize(8);
  scene.v.conservativeResize(7);
  scene.q[7] = scene.v[6] = 0;
  for (const LawKind law : {LawKind::newton, LawKind::poisson}) {
    Simulation simulation = scene.simulation(with_law(law, 1e-3));
    for (int step = 0; step < 10; ++step) ASSERT_EQ(simulation.step().status, SolveStatus::solved);
    EXPECT_NEAR(test::velocity(simulation, 0).z(), e * v, 1e-9) << law_name(law);
  }
}

TEST(Newton, RestingContactsDoNotBounce) {
  test::SceneMaker scene(0.5, 0.9);
  scene.add_static(HalfSpace{});
  const Vec3 start(0, 0, 0.05);
  scene.add(Box{Vec3(0.1, 0.1, 0.05)}, 1, start);
  for (const LawKind law : {LawKind::newton, LawKind::poisson}) {
    Simulation simulation = scene.simulation(with_law(law, 0.01));
    for (int i = 0; i < 300; ++i) simulation.step();
    EXPECT_LT((test::position(simulation, 0) - start).norm(), 1e-12) << law_name(law);
  }
}

TEST(Simulation, RefusesARestitutionThatTheLawWouldIgnore) {
  test::SceneMaker scene(0.4, 0.5);
  scene.add_static(HalfSpace{});
  scene.add(Sphere{0.1}, 1, Vec3(0, 0, 1));
  try {
    scene.simulation(with_law(LawKind::none, 0.01));
    FAIL() << "a restitution of 0.5 was dropped in silence";
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()),
              "materials 'surface' and 'surface' meet with restitution 0.5, which law none would ignore; choose a law "
              "of restitution, such as newton, or set the restitution to 0");
  }
}

}  // namespace
}  // namespace carom::restitution_test
