#include <gtest/gtest.h>

#include <cmath>

#include "carom/error.h"
#include "mechanisms.h"

// Friction of impacts beside that of sliding.
namespace carom::impact_friction_test {
namespace {

Method method_of(StepperKind stepper, LawKind law) {
  Method method;
  method.stepper = stepper;
  method.law = law;
  method.step = 0.001;
  method.cone = FrictionCone::exact;
  return method;
}

class ImpactFrictionByMethod : public testing::TestWithParam<std::tuple<StepperKind, LawKind>> {};

TEST_P(ImpactFrictionByMethod, ABallThatStrikesAndSlidesIsBrakedByItsOwnFrictionEachTime) {
  // A ball without spin, so fast that it slides throughout. The impact: Δv = −μ_impact (1 + e) s along its way, and
  // spin from the same impulse. Afterwards, e = 0: it slides at −μ g.
  const double g = 9.81, mu = 0.3, mu_impact = 0.1, s = 1, speed = 10;
  test::SceneMaker scene(mu, 0.0, Vec3(0, 0, -g));
  Material surface{"surface", Vec2(mu, mu), 0.0};
  surface.impact_friction = Vec2(mu_impact, mu_impact);
  scene.material = scene.builder.add_material(surface);
  scene.add_static(HalfSpace{});
  const auto [stepper, law] = GetParam();
  const Method method = method_of(stepper, law);
  scene.add(Sphere{0.1}, 2, Vec3(0, 0, 0.1 + 0.0025 * s), Vec3(speed, 0, -s));
  Simulation simulation = scene.simulation(method);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(simulation.step().status, SolveStatus::solved);
  const double fall = 0.0025 * s, touch = (-s + std::sqrt(s * s + 2 * g * fall)) / g, struck = s + g * touch;
  const double slid = 0.01 - touch;
  EXPECT_NEAR(test::velocity(simulation, 0).x(), speed - mu_impact * struck - mu * g * slid, mu * g * method.step);
  const double with_one = speed - mu * struck - mu * g * slid;
  EXPECT_GT(std::abs(test::velocity(simulation, 0).x() - with_one), 0.15);
}

INSTANTIATE_TEST_SUITE_P(All, ImpactFrictionByMethod,
                         testing::Combine(testing::Values(StepperKind::semi_explicit, StepperKind::event_driven),
                                          testing::Values(LawKind::newton, LawKind::poisson, LawKind::plastic,
                                                          LawKind::stronge, LawKind::lzb, LawKind::plus)));

TEST(ImpactFriction, IsRefusedByAStepperWithOneCoefficientUnlessItIsTheSame) {
  const Method method = method_of(StepperKind::stewart_trinkle, LawKind::newton);
  for (const double own : {0.4, 0.2}) {
    test::SceneMaker scene(0.3);
    Material surface{"surface with two", Vec2(0.4, 0.4), 0};
    surface.impact_friction = Vec2(own, own);
    scene.material = scene.builder.add_material(surface);
    scene.add_static(HalfSpace{});
    scene.add(Sphere{0.1}, 1, Vec3(0, 0, 1));
    std::string refusal;
    try {
      scene.simulation(method);
    } catch (const Error& error) {
      refusal = error.what();
    }
    const std::string expected =
        "materials 'surface with two' and 'surface with two' meet with an impact_friction, which steppers "
        "semi-explicit, event-driven and variational use, and stepper stewart-trinkle would ignore; leave it out, or "
        "choose one of "
        "these";
    EXPECT_EQ(refusal, own == 0.4 ? "" : expected);
  }
}

}  // namespace
}  // namespace carom::impact_friction_test
