// The equations of closest points: derivatives against differences, and that touching is told from crossing.

#include "carom/geometry/implicit/closest_point_system.h"

#include <gtest/gtest.h>

#include <cmath>

#include "carom/geometry/test/random_shapes.h"

namespace carom::closest_point_system_test {
namespace {

using System = ClosestPointSystem;

VectorX residual(const System& system, const Transform& X_WA, const Transform& X_WB, const VectorX& z) {
  VectorX F(system.size());
  system.residual(X_WA, X_WB, z, F);
  return F;
}

Transform moved(const Transform& X, const Vec3& turn, const Vec3& by) {
  return {exponential(turn).toRotationMatrix() * X.R, X.p + by};
}

TEST(ClosestPointSystem, JacobiansAreThoseOfDifferences) {
  RandomShapes random(1);
  constexpr double h = 1e-6;
  for (int trial = 0; trial < 200; ++trial) {
    // Without capsules and rounded bodies, whose Hessians jump.
    const int kinds[] = {0, 2, 3, 4, 5};
    const ImplicitBody a = implicit_body(random.shape(kinds[trial % 5]));
    const ImplicitBody b = trial % 3 == 0   ? blunt_cone(0.5, 0.4, 0.05)
                           : trial % 3 == 1 ? superquadric(Vec3(0.3, 0.2, 0.4), Vec3(4, 2, 3))
                                            : implicit_body(random.ellipsoid());
    const Transform X_WA = random.pose(0.5), X_WB = random.pose(0.5);
    const System system(a, b);
    const int n = system.size();
    VectorX z(n);
    for (int i = 0; i < n; ++i) z[i] = random.between(-0.5, 0.5);
    MatrixX J = MatrixX::Zero(n, n), P = MatrixX::Zero(n, 12);
    system.jacobian(X_WA, X_WB, z, J);
    system.pose_jacobian(X_WA, X_WB, z, P);
    for (int j = 0; j < n; ++j) {
      VectorX up = z, down = z;
      up[j] += h;
      down[j] -= h;
      const VectorX difference = (residual(system, X_WA, X_WB, up) - residual(system, X_WA, X_WB, down)) / (2 * h);
      EXPECT_LT((J.col(j) - difference).norm(), 1e-6 * (1 + J.norm())) << "unknown " << j;
    }
    for (int j = 0; j < 12; ++j) {
      const auto at = [&](double step) {
        const Vec3 d = step * Vec3::Unit(j % 3);
        const Transform X =
            j % 6 < 3 ? moved(j < 6 ? X_WA : X_WB, d, Vec3::Zero()) : moved(j < 6 ? X_WA : X_WB, Vec3::Zero(), d);
        return j < 6 ? residual(system, X, X_WB, z) : residual(system, X_WA, X, z);
      };
      EXPECT_LT((P.col(j) - (at(h) - at(-h)) / (2 * h)).norm(), 1e-6 * (1 + P.norm())) << "pose " << j;
    }
  }
}

/// Two spheres on the x axis, A on the right.
struct Spheres {
  double radius_a = 0.3, radius_b = 0.2;
  ImplicitBody a = implicit_body(Sphere{radius_a}), b = implicit_body(Sphere{radius_b});
  System system{a, b};
  Transform X_WB = Transform::identity();
  Transform at(double x) const { return {Mat3::Identity(), Vec3(x, 0, 0)}; }
};

TEST(ClosestPointSystem, HoldsWhereSpheresTouchOverlapOrPart) {
  const Spheres s;
  for (const double gap : {-0.05, 0.0, 0.05}) {
    const double x = s.radius_a + s.radius_b + gap;
    VectorX z(s.system.size());
    z << x - s.radius_a, 0, 0, s.radius_b, 0, 0, 1, 0, 0, gap, 1, 1;
    EXPECT_LT(residual(s.system, s.at(x), s.X_WB, z).norm(), 1e-15) << gap;
  }
}

TEST(ClosestPointSystem, TellsTouchingFromCrossing) {
  // At a point where the surfaces cross, eq. (8) holds with multipliers of zero. Here the rows of both normals cannot
  // be small together. With ‖n‖ = 1 and residuals ≤ ε, l ‖∇f‖ ≥ 1 − ε and ‖l ∇f + m ∇g‖ ≤ 2ε. So (1 − ε) sin θ ≤ 2ε for
  // gradients at an angle θ.
  const Spheres s;
  constexpr double x = 0.4;
  const double along = (x * x + s.radius_b * s.radius_b - s.radius_a * s.radius_a) / (2 * x);
  const Vec3 crossing(along, std::sqrt(s.radius_b * s.radius_b - along * along), 0);
  const Vec3 normal_a = (crossing - Vec3(x, 0, 0)) / s.radius_a, normal_b = crossing / s.radius_b;
  ASSERT_NEAR(normal_a.norm(), 1, 1e-14);
  const double sine = normal_a.cross(normal_b).norm(), bound = sine / (2 + sine);
  ASSERT_GT(bound, 0.1);
  RandomShapes random(2);
  for (int trial = 0; trial < 20000; ++trial) {
    VectorX z(s.system.size());
    z << crossing, crossing, random.direction(), 0, random.between(0, 2), random.between(0, 2);
    const VectorX F = residual(s.system, s.at(x), s.X_WB, z);
    ASSERT_LT(F.head<3>().norm() + F.tail<2>().norm() + std::abs(F[9]), 1e-13);  // (8), and n of length 1
    ASSERT_GE(std::max(F.segment<3>(3).norm(), F.segment<3>(6).norm()), bound);
  }
}

TEST(ClosestPointSystem, StartsOnTheSurfacesWithTheirMultipliers) {
  RandomShapes random(3);
  for (int trial = 0; trial < 300; ++trial) {
    const ImplicitBody a = implicit_body(random.shape(trial % 6)), b = implicit_body(random.shape(trial / 6 % 6));
    const Transform X_WA = random.pose(0.5), X_WB = random.pose(0.5);
    const System system(a, b);
    VectorX z(system.size());
    const Vec3 n = random.direction();
    system.start(X_WA, X_WB, n, z);
    const VectorX F = residual(system, X_WA, X_WB, z);
    EXPECT_LT(F.tail(system.size() - System::multipliers_a).cwiseAbs().minCoeff(), 2e-3);
    EXPECT_NEAR(F[9], 0, 1e-14);
    EXPECT_NEAR(z[System::gap], n.dot(z.segment<3>(0) - z.segment<3>(3)), 1e-14);
    EXPECT_GE(z.tail(system.size() - System::multipliers_a).minCoeff(), 0);
  }
}

}  // namespace
}  // namespace carom::closest_point_system_test
