// Single inequalities of capsule, cone and cylinder by their closed forms.
#include <gtest/gtest.h>

#include <cmath>

#include "carom/geometry/implicit/capsule_surface.h"
#include "carom/geometry/implicit/cone_surface.h"
#include "carom/geometry/implicit/cylinder_surface.h"

namespace carom {
namespace {

TEST(CapsuleSurface, LiesAtItsRadiusFromTheSegment) {
  const CapsuleSurface capsule{0.3, 0.5};
  for (const double turn : {0.0, 1.0, 2.5, 4.0}) {
    const Vec3 out(std::cos(turn), std::sin(turn), 0);
    for (const double z : {-0.49, 0.0, 0.2}) {
      const SurfaceJet side = capsule.jet(0.3 * out + z * Vec3::UnitZ());
      EXPECT_NEAR(side.value, 0, 1e-15);
      EXPECT_LT((side.gradient - out).norm(), 1e-14);
      // Of a square over 2r: 1/r across the axis, nothing along it.
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

}  // namespace
}  // namespace carom
