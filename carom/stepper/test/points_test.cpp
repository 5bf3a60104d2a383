// A point, a sphere of radius 0, is a shape like others to the steppers: dropped on a plane it slides, and rests.

#include <gtest/gtest.h>

#include <cmath>

#include "carom/stepper/test/experiment.h"
#include "carom/stepper/test/mechanisms.h"

namespace carom::points_test {
namespace {

constexpr double g = 9.81, friction = 0.3;

class PointsByStepper : public testing::TestWithParam<StepperKind> {};

/// It lands after √(2 H/g) with v_n. The landing takes μ v_n of its speed along the plane. With the rest it slides on
/// for v²/(2 μ g).
TEST_P(PointsByStepper, FallsSlidesAndRests) {
  constexpr double height = 0.05, speed = 1;
  test::SceneMaker scene(0);
  scene.builder = ModelBuilder();
  scene.builder.set_gravity({0, 0, -g});
  Material material{"surface", Vec2(friction, friction), 0.0};
  material.youngs_modulus = 1e9;
  material.dissipation = 5;
  scene.material = scene.builder.add_material(material);
  scene.add_static(HalfSpace{});
  const int body = scene.builder.add_body("point", {1, Vec3::Zero(), Mat3::Identity() * 1e-3});
  scene.builder.add_collider({"tip", body, Sphere{0}, {}, scene.material});
  scene.q.resize(7);
  scene.q << 1, 0, 0, 0, 0, 0, height;
  scene.v.setZero(6);
  scene.v[3] = speed;

  Method method;
  method.stepper = GetParam();
  method.cone = FrictionCone::exact;
  if (has_impacts(method)) method.law = LawKind::plastic;
  const bool exact = GetParam() == StepperKind::event_driven, soft = GetParam() == StepperKind::compliant;
  method.step = exact || soft ? 0.01 : 0.0005;
  if (soft) method.tolerance = 1e-8;
  Simulation simulation = scene.simulation(method);
  test::run(simulation, 0.6);
  const double landing = std::sqrt(2 * height / g), left = speed - friction * g * landing;
  const double place = speed * landing + left * left / (2 * friction * g);
  const Vec3 at = test::position(simulation, body);
  // Layers let it bounce once or twice; steps are of the first order.
  EXPECT_NEAR(at.x(), place, exact ? 1e-9 : soft ? 0.02 : 0.002);
  EXPECT_NEAR(at.z(), 0, exact ? 1e-9 : 1e-4);
  EXPECT_LT(test::velocity(simulation, body).norm(), soft ? 0.01 : 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Points, PointsByStepper, testing::ValuesIn(all_steppers()),
                         [](const auto& kind) { return test::label(kind.param); });

}  // namespace
}  // namespace carom::points_test
