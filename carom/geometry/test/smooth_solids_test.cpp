// Cones, superquadrics and rounded polytopes by themselves: supports that prove themselves, curvature by differences,
// inertia beside quadrature and closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "carom/geometry/cone.h"
#include "carom/geometry/core.h"
#include "carom/geometry/implicit/implicit_solid.h"
#include "carom/geometry/superquadric.h"
#include "carom/geometry/test/random_shapes.h"

namespace carom::smooth_solids_test {
namespace {

/// On the surface, with its gradient along d: of a convex set no point is farther.
TEST(Superquadric, TheSupportSatisfiesLagrangesConditions) {
  RandomShapes random(41);
  for (int trial = 0; trial < 3000; ++trial) {
    const Superquadric solid = random.superquadric();
    Vec3 d = random.direction();
    if (trial % 5 == 0) d[trial % 3] = 0;
    if (trial % 7 == 0) d = Vec3::Unit(trial % 3) * (trial % 2 ? 1 : -1);
    const Vec3 x = support_point(solid, d);
    double f = 0;
    Vec3 gradient;
    for (int i = 0; i < 3; ++i) {
      const double u = std::abs(x[i]) / solid.semi_axes[i], p = solid.exponents[i];
      f += std::pow(u, p);
      gradient[i] = std::copysign(p / solid.semi_axes[i] * std::pow(u, p - 1), x[i]);
    }
    EXPECT_NEAR(f, 1, 1e-13) << trial;
    EXPECT_LT((gradient.normalized() - d.normalized()).norm(), 1e-13) << trial;
    EXPECT_LE(x.norm(), bounding_radius(solid) * (1 + 1e-12));
  }
}

TEST(Superquadric, TheBoundingRadiusIsReached) {
  RandomShapes random(42);
  for (int trial = 0; trial < 40; ++trial) {
    const Superquadric solid = random.superquadric();
    double reach = 0;
    for (int k = 0; k < 4000; ++k) reach = std::max(reach, support_point(solid, random.direction()).norm());
    EXPECT_GE(reach, 0.99 * bounding_radius(solid)) << trial;
    EXPECT_LE(reach, bounding_radius(solid) * (1 + 1e-12)) << trial;
  }
}

TEST(SmoothSolids, TheHessianIsTheSupportsDerivative) {
  RandomShapes random(43);
  const double h = 1e-6;
  int smooth = 0;
  for (int trial = 0; trial < 600; ++trial) {
    const Shape shape = random.shape(6 + trial % 2);
    const Vec3 d = random.direction();
    if (d.cwiseAbs().minCoeff() < 0.05) continue;
    const Support at = core_support(shape, d);
    Mat3 differences;
    for (int i = 0; i < 3; ++i) {
      differences.col(i) =
          (core_support(shape, d + h * Vec3::Unit(i)).point - core_support(shape, d - h * Vec3::Unit(i)).point) /
          (2 * h);
    }
    if (std::holds_alternative<Cone>(shape) && (differences - at.hessian).norm() > 1e-2)
      continue;  // where the rim begins
    ++smooth;
    EXPECT_LT((differences - at.hessian).norm(), 1e-5 * (1 + at.hessian.norm())) << trial;
  }
  EXPECT_GT(smooth, 450);
}

TEST(Cone, ItsSupportLiesOnItAndNothingOfItIsFarther) {
  RandomShapes random(44);
  for (int trial = 0; trial < 400; ++trial) {
    const Cone cone = random.cone();
    const Vec3 d = random.direction();
    const Vec3 x = support_point(cone, d);
    EXPECT_LT(outside(cone, Transform{Mat3::Identity(), Vec3::Zero()}, x), 1e-14) << trial;
    EXPECT_NEAR(d.dot(x), cone_reach(cone, d), 1e-14) << trial;
    for (int k = 0; k < 200; ++k) {
      const double y = random.between(0, cone.height), angle = random.between(0, 6.28), t = cone.tangent();
      const double r = std::sqrt(2 * cone.tip_radius * y + t * t * y * y);
      EXPECT_LE(d.dot(Vec3(r * std::cos(angle), r * std::sin(angle), cone.height - y)), d.dot(x) + 1e-14) << trial;
    }
    EXPECT_NEAR(std::hypot(support_point(cone, -Vec3::UnitZ()).x(), support_point(cone, -Vec3::UnitZ()).y()),
                cone.radius, 1e-15);
  }
}

/// The inertia of shapes by rays into their inequalities, which know nothing of the closed forms.
TEST(SmoothSolids, HaveTheInertiaThatQuadratureFinds) {
  RandomShapes random(45);
  for (int trial = 0; trial < 3; ++trial) {
    const Shape shape = random.shape(6 + trial);
    const SpatialInertia exact = shape_inertia(shape, 700);
    ImplicitSolid solid;
    solid.body = implicit_body(shape);
    solid.upper = Vec3::Constant(bounding_radius(shape));
    solid.lower = -solid.upper;
    const SpatialInertia found = implicit_inertia(solid, 700);
    const double r = bounding_radius(shape);
    EXPECT_NEAR(found.mass / exact.mass, 1, 1e-5) << trial;
    EXPECT_LT((found.center - exact.center).norm(), 1e-5 * r) << trial;
    EXPECT_LT((found.central - exact.central).norm(), 3e-5 * exact.central.norm()) << trial;
  }
}

TEST(RoundedPolytope, HasTheVolumeOfSteiner) {
  const double a = 0.3, b = 0.2, c = 0.1, r = 0.05, pi = std::numbers::pi;
  std::vector<Vec3> corners;
  for (int i = 0; i < 8; ++i) corners.emplace_back(i & 1 ? a : 0, i & 2 ? b : 0, i & 4 ? c : 0);
  const RoundedPolytope box{std::make_shared<const Polyhedron>(convex_hull(corners)), r};
  const double volume = a * b * c + 2 * r * (a * b + b * c + c * a) + pi * r * r * (a + b + c) + 4 * pi / 3 * r * r * r;
  const SpatialInertia inertia = shape_inertia(box, 1);
  EXPECT_NEAR(inertia.mass, volume, 1e-15);
  EXPECT_LT((inertia.center - Vec3(a, b, c) / 2).norm(), 1e-15);
  EXPECT_LT(Mat3(inertia.central - Mat3(inertia.central.diagonal().asDiagonal())).norm(), 1e-17);
}

TEST(RoundedPolytope, ASmallCoreIsABallAndAThinRoundingTheCore) {
  RandomShapes random(46);
  const ConvexMesh mesh = random.mesh();
  const SpatialInertia of_core = shape_inertia(mesh, 2);
  const SpatialInertia thin = shape_inertia(RoundedPolytope{mesh.polyhedron, 1e-9}, 2);
  EXPECT_NEAR(thin.mass, of_core.mass, 1e-7 * of_core.mass);
  EXPECT_LT((thin.central - of_core.central).norm(), 1e-7 * of_core.central.norm());
  std::vector<Vec3> points;
  for (int k = 0; k < 12; ++k) points.push_back(1e-7 * random.direction());
  const SpatialInertia ball =
      shape_inertia(RoundedPolytope{std::make_shared<const Polyhedron>(convex_hull(points)), 0.2}, 2);
  const SpatialInertia exact = shape_inertia(Sphere{0.2}, 2);
  EXPECT_NEAR(ball.mass, exact.mass, 1e-5 * exact.mass);
  EXPECT_LT((ball.central - exact.central).norm(), 1e-5 * exact.central.norm());
}

TEST(SmoothSolids, AreRefusedWithSentences) {
  EXPECT_NE(shape_fault(Cone{0.1, 0.2, 0}).find("a sharp tip has no normal"), std::string::npos);
  EXPECT_NE(shape_fault(Cone{0.1, 0.2, 1}), "");
  EXPECT_NE(shape_fault(Cone{-1, 0.2, 0.01}), "");
  EXPECT_EQ(shape_fault(Cone{0.1, 0.2, 0.01}), "");
  EXPECT_NE(shape_fault(Superquadric{Vec3(1, 1, 1), Vec3(2, 1.9, 2)}).find("exponent y"), std::string::npos);
  EXPECT_NE(shape_fault(Superquadric{Vec3(1, 0, 1), Vec3(2, 2, 2)}), "");
  EXPECT_NE(shape_fault(RoundedPolytope{nullptr, 0.1}), "");
  EXPECT_NE(shape_fault(ImplicitShape{}), "");
}

}  // namespace
}  // namespace carom::smooth_solids_test
