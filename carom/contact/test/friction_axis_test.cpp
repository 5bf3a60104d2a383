#include "carom/contact/friction_axis.h"

#include <gtest/gtest.h>

#include <optional>

#include "carom/geometry/test/random_shapes.h"

namespace carom::friction_axis_test {
namespace {

/// Two balls, bodies 0 and 1, with axes of friction or without.
Model balls(const std::optional<Vec3>& first, const std::optional<Vec3>& second, const Mat3& R_BS) {
  ModelBuilder builder;
  int body = 0;
  for (const auto& axis : {first, second}) {
    builder.add_body("body " + std::to_string(body), {1, Vec3::Zero(), Mat3::Identity()});
    Collider collider{"ball " + std::to_string(body), body, Sphere{0.1}, {R_BS, Vec3::Zero()}, 0};
    collider.friction_axis = axis;
    builder.add_collider(collider);
    ++body;
  }
  builder.add_material({"surface", Vec2(0.1, 0.4), 0.0});
  return builder.build();
}

TEST(FrictionAxis, IsThatOfTheFirstColliderThatHasOne) {
  RandomShapes random(58);
  for (int trial = 0; trial < 20; ++trial) {
    const Mat3 R_BS = random.rotation();
    const std::vector<Transform> X_WB{{random.rotation(), random.in_cube(1)}, {random.rotation(), random.in_cube(1)}};
    const Vec3 one = random.direction(), other = random.direction(), normal = X_WB[0].R * R_BS * one.unitOrthogonal();
    const auto world = [&](const std::optional<Vec3>& first, const std::optional<Vec3>& second, int a, int b) {
      return friction_axis(balls(first, second, R_BS), a, b, normal, X_WB).in_world(X_WB);
    };
    const Vec3 of_first = X_WB[0].R * R_BS * one, of_second = X_WB[1].R * R_BS * other;
    for (const auto& [a, b] : {std::pair{0, 1}, std::pair{1, 0}}) {
      EXPECT_LT((world(one, {}, a, b) - of_first).norm(), 1e-14);
      EXPECT_LT((world(one, other, a, b) - of_first).norm(), 1e-14);
      if (std::abs(of_second.dot(normal)) < 0.99) {
        EXPECT_LT((world({}, other, a, b) - of_second).norm(), 1e-14);
      }
    }
  }
}

TEST(FrictionAxis, IsAnAxisOfTheWorldWhereNoneSaysAnything) {
  const std::vector<Transform> X_WB(2);
  const Vec3 x = Vec3::UnitX(), y = Vec3::UnitY(), z = Vec3::UnitZ();
  const Model none = balls({}, {}, Mat3::Identity()), upright = balls(z, {}, Mat3::Identity());
  EXPECT_EQ(friction_axis(none, 0, 1, z, X_WB).in_world(X_WB), x);
  EXPECT_EQ(friction_axis(none, 0, 1, x, X_WB).in_world(X_WB), y);
  // Along the normal it has no projection.
  EXPECT_EQ(friction_axis(upright, 0, 1, z, X_WB).in_world(X_WB), x);
  EXPECT_EQ(friction_axis(upright, 0, 1, Vec3(0, 0.005, 1).normalized(), X_WB).body, -1);
  EXPECT_EQ(friction_axis(upright, 0, 1, Vec3(0, 0.02, 1).normalized(), X_WB).body, 0);
}

}  // namespace
}  // namespace carom::friction_axis_test
