// Inequalities of convex bodies: derivatives against differences, convexity, signs, and what is refused.

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "carom/error.h"
#include "carom/geometry/implicit/implicit_body.h"
#include "carom/geometry/test/random_shapes.h"

namespace carom::implicit_surface_test {
namespace {

constexpr int body_kinds = 9;

/// Bodies by number: the six shapes that may move, a blunt cone, a superquadric and a rounded polytope.
ImplicitBody random_body(RandomShapes& random, int kind) {
  if (kind < 6) return implicit_body(random.shape(kind));
  const double share = random.between(0, 1);
  if (kind == 6) return blunt_cone(0.2 + share, 0.1 + share / 2, 0.01 + share / 10);
  if (kind == 7) return superquadric(random.ellipsoid().semi_axes, Vec3(2 + 4 * share, 2, 2 + 2 * share));
  return rounded_polytope(random.mesh().polyhedron, 0.02 + share / 5);
}

TEST(ImplicitSurface, DerivativesAreThoseOfDifferences) {
  RandomShapes random(1);
  constexpr double h = 1e-6;
  int compared = 0;
  for (int trial = 0; trial < 900; ++trial) {
    const ImplicitBody body = random_body(random, trial % body_kinds);
    const Vec3 x = random.in_cube(0.6);
    for (const ImplicitSurface& surface : body.surfaces) {
      const SurfaceJet jet = evaluate(surface, x);
      for (int i = 0; i < 3; ++i) {
        const SurfaceJet up = evaluate(surface, x + h * Vec3::Unit(i));
        const SurfaceJet down = evaluate(surface, x - h * Vec3::Unit(i));
        const double size = 1 + jet.gradient.norm() + jet.hessian.norm();
        // Hessians jump between the pieces of capsules and rounded polytopes: within h of a jump there is no
        // derivative.
        if ((up.hessian - down.hessian).norm() > 1e-3 * size) continue;
        ++compared;
        EXPECT_NEAR(jet.gradient[i], (up.value - down.value) / (2 * h), 1e-8 * size);
        EXPECT_LT((jet.hessian.col(i) - (up.gradient - down.gradient) / (2 * h)).norm(), 2e-8 * size)
            << "kind " << trial % body_kinds;
      }
    }
  }
  EXPECT_GT(compared, 2700);
}

TEST(ImplicitSurface, IsConvexByItsHessianAndByItsValues) {
  RandomShapes random(2);
  for (int trial = 0; trial < 900; ++trial) {
    const ImplicitBody body = random_body(random, trial % body_kinds);
    const Vec3 x = random.in_cube(0.6), y = random.in_cube(0.6);
    for (const ImplicitSurface& surface : body.surfaces) {
      const SurfaceJet at_x = evaluate(surface, x), at_y = evaluate(surface, y);
      const double least = Eigen::SelfAdjointEigenSolver<Mat3>(at_x.hessian, Eigen::EigenvaluesOnly).eigenvalues()[0];
      EXPECT_GE(least, -1e-12 * (1 + at_x.hessian.norm()));
      const double share = random.between(0, 1);
      const double between = evaluate(surface, share * x + (1 - share) * y).value;
      EXPECT_LE(between, share * at_x.value + (1 - share) * at_y.value + 1e-12);
      // The tangent plane at x lies below.
      EXPECT_GE(at_y.value, at_x.value + at_x.gradient.dot(y - x) - 1e-12 * (1 + std::abs(at_y.value)));
    }
  }
}

double greatest(const ImplicitBody& body, const Vec3& x) {
  double value = evaluate(body.surfaces[0], x).value;
  for (const ImplicitSurface& surface : body.surfaces) value = std::max(value, evaluate(surface, x).value);
  return value;
}

TEST(ImplicitSurface, IsNegativeInsideTheShapeAloneAndSlopesByOne) {
  RandomShapes random(3);
  int inside = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    const Shape shape = trial % 7 == 6 ? Shape(HalfSpace{}) : random.shape(trial % 7);
    const ImplicitBody body = implicit_body(shape);
    const Vec3 x = random.in_cube(0.5);
    const double beyond = outside(shape, Transform::identity(), x);
    inside += beyond == 0;
    if (beyond == 0) {
      EXPECT_LE(greatest(body, x), 1e-12);
    } else if (beyond > 1e-9) {
      EXPECT_GT(greatest(body, x), 0);
    }
  }
  EXPECT_GT(inside, 300);
  // About 1 on the surface, and exactly 1 where the inequality is one of distance.
  for (const double angle : {0.0, 0.7, 2.0}) {
    const Vec3 u(std::cos(angle), std::sin(angle), 0);
    EXPECT_NEAR(SphereSurface{0.3}.jet(0.3 * u).gradient.norm(), 1, 1e-14);
    EXPECT_NEAR((CylinderSurface{0.3}.jet(0.3 * u + Vec3::UnitZ()).gradient.norm()), 1, 1e-14);
    EXPECT_NEAR((CapsuleSurface{0.3, 0.5}.jet(0.3 * u + 0.2 * Vec3::UnitZ()).gradient.norm()), 1, 1e-14);
  }
}

TEST(ImplicitSurface, OfARoundedBoxIsItsDistance) {
  std::vector<Vec3> corners;
  corners.reserve(8);
  const Vec3 half(0.3, 0.2, 0.1);
  for (int i = 0; i < 8; ++i)
    corners.push_back(half.cwiseProduct(Vec3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1)));
  constexpr double r = 0.05;
  const RoundedPolytopeSurface surface{std::make_shared<const Polyhedron>(convex_hull(corners)), r};
  RandomShapes random(4);
  for (int trial = 0; trial < 500; ++trial) {
    const Vec3 x = random.in_cube(0.5);
    const double d = (x.cwiseAbs() - half).cwiseMax(0.0).norm();
    const SurfaceJet jet = surface.jet(x);
    EXPECT_NEAR(jet.value, (d * d - r * r) / (2 * r), 1e-14);
    EXPECT_NEAR(jet.gradient.norm(), d / r, 1e-12);
  }
}

TEST(ImplicitSurface, OfAConeHasItsTipItsCurvatureAndItsSlope) {
  constexpr double angle = 0.5, height = 0.4, tip = 0.03;
  const ConeSurface cone{angle, height, tip};
  const SurfaceJet at_tip = cone.jet(height * Vec3::UnitZ());
  EXPECT_NEAR(at_tip.value, 0, 1e-15);
  EXPECT_NEAR(at_tip.hessian(0, 0) / at_tip.gradient.norm(), 1 / tip, 1e-12 / tip);
  // Far below, the side runs at the half angle.
  const Vec3 slope = cone.jet(Vec3(100, 0, -100)).gradient;
  EXPECT_NEAR(std::atan2(slope.z(), slope.x()), angle, 1e-6);
}

TEST(ImplicitSurface, OfASuperquadricWithExponentsTwoIsTheEllipsoid) {
  RandomShapes random(5);
  for (int trial = 0; trial < 100; ++trial) {
    const Vec3 axes = random.ellipsoid().semi_axes, x = random.in_cube(0.5);
    const SurfaceJet s = SuperquadricSurface{axes, Vec3::Constant(2)}.jet(x), e = EllipsoidSurface{axes}.jet(x);
    EXPECT_NEAR(s.value, e.value, 1e-13);
    EXPECT_LT((s.gradient - e.gradient).norm(), 1e-13 * (1 + e.gradient.norm()));
    EXPECT_LT((s.hessian - e.hessian).norm(), 1e-13 * e.hessian.norm());
  }
}

template <typename Make>
std::string complaint(Make&& make) {
  try {
    make();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(ImplicitBody, RefusesWhatIsNoSmoothConvexBody) {
  const auto says = [](const std::string& sentence, const char* part) {
    return sentence.find(part) != std::string::npos;
  };
  EXPECT_TRUE(says(complaint([] { check({{SphereSurface{0}}}); }), "radius must be above 0"));
  EXPECT_TRUE(says(complaint([] { check({{CapsuleSurface{0, 1}}}); }), "radius must be above 0"));
  EXPECT_TRUE(says(complaint([] { blunt_cone(0.5, 0.4, 0); }), "tip radius must be above 0"));
  EXPECT_TRUE(says(complaint([] { blunt_cone(2, 0.4, 0.1); }), "between 0 and π/2"));
  EXPECT_TRUE(says(complaint([] { superquadric(Vec3::Ones(), Vec3(2, 1, 2)); }), "at least 2"));
  EXPECT_TRUE(says(complaint([] { rounded_polytope(nullptr, 0.1); }), "needs a polyhedron"));
  EXPECT_TRUE(says(complaint([] { check(ImplicitBody{}); }), "at least one inequality"));
  EXPECT_TRUE(says(complaint([] { check({{SphereSurface{1}}, Vec3(2, 0, 0)}); }), "not negative at the point"));
  EXPECT_TRUE(says(complaint([] { check({{PlaneSurface{Vec3(0, 0, 2), 1}}}); }), "length 1"));
  const HeightField ground{std::make_shared<const HeightGrid>(2, 2, Vec2(1, 1), std::vector<double>(4, 0.0))};
  EXPECT_TRUE(says(complaint([&] { implicit_body(ground); }), "not convex"));
}

}  // namespace
}  // namespace carom::implicit_surface_test
