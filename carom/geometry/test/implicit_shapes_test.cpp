// Single inequalities by their closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "carom/geometry/implicit/capsule_surface.h"
#include "carom/geometry/implicit/cone_surface.h"
#include "carom/geometry/implicit/cylinder_surface.h"
#include "carom/geometry/implicit/ellipsoid_surface.h"
#include "carom/geometry/implicit/formula_surface.h"
#include "carom/geometry/implicit/plane_surface.h"
#include "carom/geometry/implicit/rounded_polytope_surface.h"

namespace carom::implicit_shapes_test {
namespace {

TEST(CapsuleSurface, LiesAtItsRadiusFromTheSegment) {
  const CapsuleSurface capsule{0.3, 0.5};
  for (const double turn : {0.0, 1.0, 2.5, 4.0}) {
    const Vec3 out(std::cos(turn), std::sin(turn), 0);
    for (const double z : {-0.49, 0.0, 0.2}) {
      const SurfaceJet side = capsule.jet(0.3 * out + z * Vec3::UnitZ());
      EXPECT_NEAR(side.value, 0, 1e-15);
      EXPECT_LT((side.gradient - out).norm(), 1e-14);
      // A square over 2r has 1/r across the axis, nothing along it.
      EXPECT_LT((side.hessian - Vec3(1, 1, 0).asDiagonal().toDenseMatrix() / 0.3).norm(), 1e-12);
    }
    const Vec3 lean = (out + Vec3::UnitZ()).normalized();
    const SurfaceJet end = capsule.jet(0.5 * Vec3::UnitZ() + 0.3 * lean);
    EXPECT_NEAR(end.value, 0, 1e-15);
    EXPECT_LT((end.gradient - lean).norm(), 1e-14);
    EXPECT_LT((end.hessian - Mat3::Identity() / 0.3).norm(), 1e-12);
  }
  EXPECT_EQ(capsule.fault(), "");
  EXPECT_NE((CapsuleSurface{0, 0.5}.fault()), "");
  EXPECT_NE((CapsuleSurface{0.1, std::nan("")}.fault()), "");
}

TEST(CylinderSurface, LiesAtItsRadiusFromTheAxisAndBendsOnce) {
  const CylinderSurface cylinder{0.2};
  const Vec3 out(0.6, -0.8, 0);
  const SurfaceJet jet = cylinder.jet(0.2 * out + 7 * Vec3::UnitZ());
  EXPECT_NEAR(jet.value, 0, 1e-15);
  EXPECT_LT((jet.gradient - out).norm(), 1e-14);
  EXPECT_LT((jet.hessian - Vec3(5, 5, 0).asDiagonal().toDenseMatrix()).norm(), 1e-12);
  EXPECT_LT(cylinder.jet(0.1 * out).value, 0);
  EXPECT_GT(cylinder.jet(0.3 * out).value, 0);
  EXPECT_EQ(cylinder.fault(), "");
  EXPECT_NE(CylinderSurface{-1}.fault(), "");
}

/// The tip lies at its height and bends with its radius; far away the side is that of the sharp cone.
TEST(ConeSurface, HasItsTipAndItsSide) {
  const double angle = 0.4, height = 0.7, tip = 0.01, shift = tip / std::tan(angle);
  const ConeSurface cone{angle, height, tip};
  const SurfaceJet top = cone.jet(Vec3(0, 0, height));
  EXPECT_NEAR(top.value, 0, 1e-15);
  EXPECT_NEAR(top.gradient.normalized().z(), 1, 1e-15);
  EXPECT_NEAR(top.hessian(0, 0) / top.gradient.z(), 1 / tip, 1e-9);  // curvature
  const double sharp = height + shift / std::tan(angle);             // τ cot α above the tip
  const double far = 1e6, below = sharp - far / std::tan(angle);
  const SurfaceJet side = cone.jet(Vec3(far, 0, below));
  EXPECT_NEAR(side.value / far, 0, 1e-9);
  EXPECT_LT((side.gradient - Vec3(std::cos(angle), 0, std::sin(angle))).norm(), 1e-9);
  EXPECT_EQ(cone.fault(), "");
  EXPECT_NE((ConeSurface{angle, height, 0}.fault()), "");
  EXPECT_NE((ConeSurface{2, height, tip}.fault()), "");
}

TEST(PlaneSurface, IsTheDistance) {
  const Vec3 normal = Vec3(2, -1, 2) / 3;
  const PlaneSurface plane{normal, 0.4};
  const SurfaceJet jet = plane.jet(0.4 * normal + 0.7 * normal + Vec3(1, 2, 0));  // (1, 2, 0) lies along the plane
  EXPECT_NEAR(jet.value, 0.7, 1e-15);
  EXPECT_EQ(jet.gradient, normal);
  EXPECT_EQ(jet.hessian, Mat3::Zero());
  EXPECT_EQ(plane.fault(), "");
  EXPECT_NE((PlaneSurface{Vec3(0, 0, 2), 0.4}.fault()), "");
}

/// At the end of a semi-axis e_i the normal curvatures are e_i/e_j².
TEST(EllipsoidSurface, BendsAtItsEndsAsItShould) {
  const Vec3 e(0.5, 0.3, 0.2);
  const EllipsoidSurface ellipsoid{e};
  for (int i = 0; i < 3; ++i) {
    const SurfaceJet jet = ellipsoid.jet(e[i] * Vec3::Unit(i));
    EXPECT_NEAR(jet.value, 0, 1e-16);
    EXPECT_LT((jet.gradient.normalized() - Vec3::Unit(i)).norm(), 1e-15);
    for (int j = 0; j < 3; ++j) {
      if (j == i) continue;
      EXPECT_NEAR(jet.hessian(j, j) / jet.gradient.norm(), e[i] / (e[j] * e[j]), 1e-12) << i << j;
    }
  }
  EXPECT_LT(ellipsoid.jet(Vec3::Zero()).value, 0);
  EXPECT_EQ(ellipsoid.fault(), "");
  EXPECT_NE((EllipsoidSurface{Vec3(0.5, 0, 0.2)}.fault()), "");
}

/// A cube of half width 0.2, rounded by 0.1. Beside a face, an edge and a corner it has 0, 1 and 2 curvatures of 1/r.
/// The square over 2r adds one along the gradient.
TEST(RoundedPolytopeSurface, IsAPlaneACylinderAndABall) {
  std::vector<Vec3> corners;
  corners.reserve(8);
  for (int k = 0; k < 8; ++k) corners.emplace_back(k & 1 ? 0.2 : -0.2, k & 2 ? 0.2 : -0.2, k & 4 ? 0.2 : -0.2);
  const RoundedPolytopeSurface cube{std::make_shared<const Polyhedron>(convex_hull(corners)), 0.1};
  struct Place {
    Vec3 nearest, outwards;
    int bent;
  };
  const Place places[] = {{Vec3(0.05, -0.1, 0.2), Vec3(0, 0, 1), 1},
                          {Vec3(0.2, 0.07, 0.2), Vec3(0.6, 0, 0.8), 2},
                          {Vec3(0.2, -0.2, 0.2), Vec3(1, -2, 2) / 3, 3}};
  for (const auto& [nearest, outwards, bent] : places) {
    const SurfaceJet jet = cube.jet(nearest + 0.1 * outwards);
    EXPECT_NEAR(jet.value, 0, 1e-15) << bent;
    EXPECT_LT((jet.gradient - outwards).norm(), 1e-13) << bent;
    EXPECT_NEAR(jet.hessian.trace(), bent / 0.1, 1e-10) << bent;
    EXPECT_LT((jet.hessian * outwards - outwards / 0.1).norm(), 1e-10) << bent;
  }
  EXPECT_NEAR(cube.jet(Vec3::Zero()).value, -0.05, 1e-15);
  EXPECT_EQ(cube.fault(), "");
  EXPECT_NE((RoundedPolytopeSurface{cube.core, 0}.fault()), "");
  EXPECT_NE((RoundedPolytopeSurface{nullptr, 0.1}.fault()), "");
}

/// x² exp(y) − 3 z, scaled by 2.
TEST(FormulaSurface, DifferentiatesTwice) {
  using Operation = SurfaceFormula::Operation;
  SurfaceFormula formula;
  formula.text = "x^2*exp(y) - 3*z";
  for (const auto& [operation, number] : {std::pair{Operation::x, 0.0},
                                          {Operation::number, 2.0},
                                          {Operation::power, 0.0},
                                          {Operation::y, 0.0},
                                          {Operation::exp, 0.0},
                                          {Operation::multiply, 0.0},
                                          {Operation::number, 3.0},
                                          {Operation::z, 0.0},
                                          {Operation::multiply, 0.0},
                                          {Operation::subtract, 0.0}}) {
    formula.steps.push_back({operation, number});
  }
  const FormulaSurface surface{std::make_shared<const SurfaceFormula>(formula), 2};
  const double x = 0.7, y = -0.4, z = 0.3, e = std::exp(y);
  const SurfaceJet jet = surface.jet(Vec3(x, y, z));
  Mat3 hessian = Mat3::Zero();
  hessian(0, 0) = 4 * e;
  hessian(0, 1) = hessian(1, 0) = 4 * x * e;
  hessian(1, 1) = 2 * x * x * e;
  EXPECT_NEAR(jet.value, 2 * (x * x * e - 3 * z), 1e-15);
  EXPECT_LT((jet.gradient - Vec3(4 * x * e, 2 * x * x * e, -6)).norm(), 1e-14);
  EXPECT_LT((jet.hessian - hessian).norm(), 1e-14);
  EXPECT_EQ(surface.fault(), "");
  EXPECT_NE((FormulaSurface{nullptr, 2}.fault()), "");
}

}  // namespace
}  // namespace carom::implicit_shapes_test
