#include "carom/validation/cube_model.h"

#include <gtest/gtest.h>

#include <random>

#include "carom/error.h"
#include "carom/scene/scene.h"
#include "made_tosses.h"

namespace carom::cube_model_test {
namespace {

Method semi_explicit() {
  Method method;
  method.stepper = StepperKind::semi_explicit;
  method.law = LawKind::stronge;
  method.step = 1.0 / 592;
  method.cone = FrictionCone::polyhedral;
  method.directions = 16;
  return method;
}

TEST(CubeModelTest, ReachesAsFarAsACubeWithRoundedEdges) {
  // The Minkowski sum of a cube (half width h − r) and a ball (radius r) reaches (h − r) |n|₁ + r along n.
  CubeParameters cube;
  cube.half_width = 0.051;
  cube.corner_radius = 0.006;
  const Scene scene = parse_scene(cube_scene(cube, {}, semi_explicit(), {}), "cube");
  std::mt19937 random(2);
  for (int i = 0; i < 50; ++i) {
    const Vec3 n = test::random_vector(random).normalized();
    double reach = -1;
    int balls = 0;
    for (const Collider& collider : scene.model->colliders()) {
      if (collider.body < 0) continue;
      ++balls;
      reach = std::max(reach, n.dot(collider.X_BS.p) + std::get<Sphere>(collider.shape).radius);
    }
    EXPECT_EQ(balls, 8);
    EXPECT_NEAR(reach, 0.045 * n.lpNorm<1>() + 0.006, 1e-12);
  }
}

TEST(CubeModelTest, EveryParameterArrivesInTheScene) {
  CubeParameters cube;
  cube.half_width = 0.0515;
  cube.floor = -0.001;
  cube.friction = 0.21;
  cube.impact_friction = 0.16;
  cube.restitution = 0.3;
  cube.slow_restitution = 0.1;
  cube.inertia = 0.9;
  cube.mass_centre = 0.004;
  const Scene scene = parse_scene(cube_scene(cube, {}, semi_explicit(), {"a remark", "", "and more"}), "cube");
  const SpatialInertia& inertia = scene.model->bodies().front().inertia;
  EXPECT_NEAR(inertia.mass, 0.37, 1e-15);
  EXPECT_LT((inertia.center - Vec3(0, 0, 0.004)).norm(), 1e-15);
  EXPECT_LT((inertia.central - 0.9 * 0.37 * 0.0515 * 0.0515 * Mat3::Identity()).norm(), 1e-10);
  const ContactMaterial surface = scene.model->contact_material(0, 0);
  EXPECT_EQ(surface.friction, Vec2(0.21, 0.21));
  ASSERT_TRUE(surface.impact_friction);
  EXPECT_EQ(*surface.impact_friction, Vec2(0.16, 0.16));
  EXPECT_NEAR(surface.restitution.at(0.2), 0.1, 1e-15);
  EXPECT_NEAR(surface.restitution.at(0.7), 0.2, 1e-15);
  EXPECT_NEAR(surface.restitution.at(2), 0.3, 1e-15);
  for (const Collider& collider : scene.model->colliders()) {
    if (collider.body >= 0) continue;
    EXPECT_NEAR(collider.X_BS.p.z(), -0.001, 1e-15);
  }
  EXPECT_EQ(scene.method.stepper, StepperKind::semi_explicit);
  EXPECT_EQ(scene.method.law, LawKind::stronge);
  EXPECT_EQ(scene.method.directions, 16);
  EXPECT_NEAR(scene.method.step, 1.0 / 592, 1e-12);
}

TEST(CubeModelTest, SpringFrictionBySpeedAndRestitutionByPlaceArriveInTheScene) {
  CubeParameters cube;
  cube.friction = 0.21;
  cube.impact_friction = 0.16;
  cube.restitution = 0.3;
  cube.slow_restitution = 0.2;
  cube.friction_slope = -0.05;
  cube.restitution_by_x = 0.3;
  cube.restitution_by_y = -0.4;
  cube.spring_restitution = 0.25;
  cube.spring_stiffness = 0.7;
  Method method = semi_explicit();
  method.law = LawKind::lzb;
  const Scene scene = parse_scene(cube_scene(cube, {}, method, {}), "cube");
  const ContactMaterial surface = scene.model->contact_material(0, 0);
  ASSERT_TRUE(surface.tangential_spring);
  EXPECT_NEAR(surface.tangential_spring->stiffness, 0.7, 1e-15);
  EXPECT_NEAR(surface.tangential_spring->restitution, 0.25, 1e-15);
  EXPECT_EQ(surface.friction, Vec2(0.21, 0.21));
  EXPECT_NEAR(surface.restitution.at(0.7), 0.25, 1e-15);
  // The friction of impacts is the parameter's at fast_approach.
  EXPECT_NEAR((*surface.impact_friction)[0] + surface.impact_friction_slope * CubeParameters::fast_approach, 0.16,
              1e-6);
  EXPECT_NEAR(surface.impact_friction_slope, -0.05, 1e-15);
  for (const Collider& collider : scene.model->colliders()) {
    if (collider.body >= 0) continue;
    ASSERT_TRUE(collider.restitution_change);
    for (const Vec3& place : {Vec3(0.1, 0, 0), Vec3(0, 0.2, 0), Vec3(-0.3, 0.1, 0)}) {
      const double change = collider.restitution_change->at(collider.X_BS.inverse() * place);
      EXPECT_NEAR(change, 0.3 * place.x() - 0.4 * place.y(), 1e-6);
    }
  }
}

TEST(CubeModelTest, NumbersWithNamesAreParametersOfTheSceneThatMakeTheSameCube) {
  CubeParameters cube;
  cube.half_width = 0.0515;
  cube.corner_radius = 0.004;
  cube.impact_friction = 0.16;
  cube.slow_restitution = 0.1;
  cube.friction_slope = -0.05;
  cube.restitution_by_y = -0.4;
  cube.mass_centre = 0.003;
  std::vector<std::string> names;
  for (const CubeParameter& parameter : cube_parameters()) {
    if (!parameter.name.starts_with("spring")) names.push_back(parameter.name);
  }
  const Scene plain = parse_scene(cube_scene(cube, {}, semi_explicit(), {}), "plain");
  const Scene named = parse_scene(cube_scene(cube, names, semi_explicit(), {}), "named");
  ASSERT_EQ(plain.model->colliders().size(), named.model->colliders().size());
  for (std::size_t i = 0; i < plain.model->colliders().size(); ++i) {
    const Collider &a = plain.model->colliders()[i], &b = named.model->colliders()[i];
    EXPECT_LT((a.X_BS.p - b.X_BS.p).norm(), 1e-15);
    ASSERT_EQ(a.restitution_change.has_value(), b.restitution_change.has_value());
    if (!a.restitution_change) continue;
    const Vec3 place(0.1, 0.2, 0);
    EXPECT_EQ(a.restitution_change->at(a.X_BS.inverse() * place), b.restitution_change->at(b.X_BS.inverse() * place));
  }
  const ContactMaterial a = plain.model->contact_material(0, 0), b = named.model->contact_material(0, 0);
  EXPECT_EQ(a.friction, b.friction);
  EXPECT_EQ(*a.impact_friction, *b.impact_friction);
  EXPECT_EQ(a.impact_friction_slope, b.impact_friction_slope);
  EXPECT_EQ(a.restitution.at(0.5), b.restitution.at(0.5));
  EXPECT_EQ(plain.model->bodies().front().inertia.central, named.model->bodies().front().inertia.central);
  // A change of zero is one, too.
  cube.restitution_by_y = 0;
  const Scene level = parse_scene(cube_scene(cube, names, semi_explicit(), {}), "level");
  for (const Collider& collider : level.model->colliders()) {
    if (!collider.restitution_change) continue;
    EXPECT_NEAR(collider.restitution_change->at(Vec3(1, 1, 0)), 0, 1e-8);
  }
}

TEST(CubeModelTest, WithoutFrictionOfImpactsASchemeOfOneCoefficientTakesIt) {
  Method method;
  method.stepper = StepperKind::stewart_trinkle;
  method.law = LawKind::newton;
  method.cone = FrictionCone::exact;
  method.step = 1.0 / 740;
  const Scene scene = parse_scene(cube_scene({}, {}, method, {}), "cube");
  EXPECT_EQ(scene.method.cone, FrictionCone::exact);
  EXPECT_FALSE(scene.model->contact_material(0, 0).impact_friction);
}

TEST(CubeModelTest, AnUnknownParameterIsRefusedWithTheOnesThereAre) {
  for (const CubeParameter& parameter : cube_parameters())
    EXPECT_EQ(cube_parameter(parameter.name).name, parameter.name);
  try {
    cube_parameter("bounce");
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("no parameter 'bounce'; there are: half_width, floor"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace carom::cube_model_test
