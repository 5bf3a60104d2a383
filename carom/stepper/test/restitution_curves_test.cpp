#include <gtest/gtest.h>

#include <cmath>

#include "carom/error.h"
#include "mechanisms.h"

// A restitution that depends on the approach speed, inside a step.
namespace carom::restitution_curves_test {
namespace {

/// Upward speed of a ball after it met a floor with this speed, without gravity.
double rebound(const test::SceneMaker& materials, const Method& method, double speed) {
  test::SceneMaker scene = materials;
  scene.add_static(HalfSpace{});
  scene.add(Sphere{0.1}, 2, Vec3(0, 0, 0.1 + 2.5 * method.step * speed), Vec3(0, 0, -speed));
  Simulation simulation = scene.simulation(method);
  for (int i = 0; i < 8; ++i) EXPECT_EQ(simulation.step().status, SolveStatus::solved);
  return test::velocity(simulation, 0).z();
}

class CurvesByLaw : public testing::TestWithParam<std::tuple<LawKind, StepperKind>> {
 protected:
  static Method method() {
    Method method;
    std::tie(method.law, method.stepper) = GetParam();
    method.step = 0.001;
    return method;
  }
};

TEST_P(CurvesByLaw, ABallReboundsByTheCoefficientOfItsSpeed) {
  const CaptureRestitution capture{0.01, 0.5, 0.2};
  const LineRestitution line{0.3};
  const TableRestitution table{{{0.1, 0.9}, {1.1, 0.4}}};
  const struct {
    Restitution law;
    double speed, e;
  } cases[] = {
      {0.6, 0.02, 0.6},    {0.6, 5, 0.6},                            // the same at every speed
      {capture, 0.005, 0}, {capture, 0.25, 0.6}, {capture, 3, 0.2},  // captured; 1 − 0.8 · ½; plastic
      {line, 1, 0.7},      {line, 4, 0},                             // 1 − 0.3 s, never below 0
      {table, 0.05, 0.9},  {table, 0.6, 0.65},   {table, 2, 0.4},    // before, midway, beyond
  };
  for (const auto& each : cases) {
    const test::SceneMaker scene(0.3, each.law, Vec3::Zero());
    EXPECT_NEAR(rebound(scene, method(), each.speed), each.e * each.speed, 1e-12 * each.speed)
        << "curve " << each.law.index() << " at " << each.speed << " m/s";
  }
}

TEST_P(CurvesByLaw, TwoMaterialsAreCombinedAtTheSpeedOfTheImpact) {
  // The line falls and the table rises: they cross in between, so that each is the larger at one of the speeds.
  const Restitution line = LineRestitution{0.5}, table = TableRestitution{{{0.5, 0.25}, {2.0, 0.625}}};
  const auto of_line = [](double s) { return std::max(0.0, 1 - 0.5 * s); };
  const auto of_table = [](double s) { return 0.25 * (s + 0.5); };  // between 0.5 and 2 m/s
  for (const Combination rule : {Combination::minimum, Combination::maximum, Combination::average,
                                 Combination::geometric_mean, Combination::product}) {
    for (const double speed : {0.6, 1.9}) {
      test::SceneMaker scene(0.3, line, Vec3::Zero());
      scene.add_static(HalfSpace{});
      scene.material = scene.builder.add_material({"other", Vec2(0.3, 0.3), table});
      scene.builder.set_combination(Combination::maximum, rule);
      scene.add(Sphere{0.1}, 1, Vec3(0, 0, 0.1 + 0.0005 * speed), Vec3(0, 0, -speed));
      Simulation simulation = scene.simulation(method());
      for (int i = 0; i < 6; ++i) EXPECT_EQ(simulation.step().status, SolveStatus::solved);
      const double e = combine(rule, of_line(speed), of_table(speed));
      EXPECT_NEAR(test::velocity(simulation, 0).z(), e * speed, 1e-12) << "rule " << static_cast<int>(rule);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, CurvesByLaw,
                         testing::Combine(testing::Values(LawKind::newton, LawKind::poisson),
                                          testing::Values(StepperKind::stewart_trinkle, StepperKind::anitescu_potra)));

std::string refusal(const test::SceneMaker& scene, const Method& method) {
  try {
    scene.simulation(method);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Simulation, RefusesACurveThatTheLawWouldIgnore) {
  test::SceneMaker scene(0.3, LineRestitution{0.3});
  scene.add_static(HalfSpace{});
  scene.add(Sphere{0.1}, 1, Vec3(0, 0, 1));
  EXPECT_EQ(refusal(scene, Method()),
            "materials 'surface' and 'surface' meet with a restitution that depends on the speed, which law none would "
            "ignore; choose a law of restitution, such as newton, or set the restitution to 0");
  test::SceneMaker dead(0.3, TableRestitution{{{1, 0}, {2, 0}}});
  dead.add_static(HalfSpace{});
  dead.add(Sphere{0.1}, 1, Vec3(0, 0, 1));
  EXPECT_EQ(refusal(dead, Method()), "");
}

TEST(Simulation, RefusesFrictionThatTheStepperWouldIgnore) {
  for (const bool is_static : {false, true}) {
    test::SceneMaker scene(0.3);
    Material sticky{"sticky", Vec2(0.4, 0.4), 0};
    if (is_static) {
      sticky.static_friction = Vec2(0.5, 0.4);
    } else {
      sticky.viscous_friction = 0.1;
    }
    scene.material = scene.builder.add_material(sticky);
    scene.add_static(HalfSpace{});
    scene.add(Sphere{0.1}, 1, Vec3(0, 0, 1));
    EXPECT_EQ(refusal(scene, Method()),
              std::string("materials 'sticky' and 'sticky' meet with a ") +
                  (is_static ? "static_friction" : "viscous_friction") +
                  (is_static ? ", which steppers semi-explicit, event-driven, variational and compliant "
                               "use, and stepper stewart-trinkle would ignore; leave it out, or choose "
                               "one of these"
                             : ", which stepper compliant uses, and stepper stewart-trinkle "
                               "would ignore; leave it out, or choose that one"));
  }
}

TEST(Simulation, TakesElasticityThatSaysWhatTheBodiesAreMadeOf) {
  test::SceneMaker scene(0.3);
  Material steel{"steel", Vec2(0.3, 0.3), 0};
  steel.static_friction = steel.friction;
  steel.youngs_modulus = 2e11;
  steel.dissipation = 0.1;
  scene.material = scene.builder.add_material(steel);
  scene.add_static(HalfSpace{});
  scene.add(Sphere{0.1}, 1, Vec3(0, 0, 1));
  EXPECT_EQ(refusal(scene, Method()), "");
}

}  // namespace
}  // namespace carom::restitution_curves_test
