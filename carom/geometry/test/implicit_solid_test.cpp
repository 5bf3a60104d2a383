// Bodies by inequalities of the user's own: size, inertia and scale beside closed forms, and what is refused.
#include "carom/geometry/implicit/implicit_solid.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "carom/error.h"
#include "carom/geometry/broad_phase.h"
#include "carom/geometry/contact_points.h"
#include "carom/geometry/test/random_shapes.h"

namespace carom::implicit_solid_test {
namespace {

using Operation = SurfaceFormula::Operation;

/// factor · (|p − center|² − radius²), as a formula.
ImplicitSurface ball(double factor, const Vec3& center, double radius) {
  SurfaceFormula formula;
  formula.text = "a ball";
  const Operation axes[] = {Operation::x, Operation::y, Operation::z};
  for (int i = 0; i < 3; ++i) {
    formula.steps.insert(
        formula.steps.end(),
        {{axes[i]}, {Operation::number, center[i]}, {Operation::subtract}, {Operation::number, 2}, {Operation::power}});
    if (i > 0) formula.steps.push_back({Operation::add});
  }
  formula.steps.insert(formula.steps.end(), {{Operation::number, radius * radius},
                                             {Operation::subtract},
                                             {Operation::number, factor},
                                             {Operation::multiply}});
  return FormulaSurface{std::make_shared<const SurfaceFormula>(formula)};
}

TEST(ImplicitSolid, MeasuresAnEllipsoidAsItsClosedForms) {
  const Vec3 axes(0.3, 0.2, 0.1);
  const ImplicitSolid solid = implicit_solid({EllipsoidSurface{axes}}, Vec3(0.05, -0.03, 0.02));
  EXPECT_TRUE((solid.upper.array() >= axes.array()).all());
  EXPECT_LT((solid.upper - axes).maxCoeff(), 0.01 * 0.6);
  EXPECT_LT((solid.upper + solid.lower).norm(), 1e-6);
  EXPECT_LE(solid.inner_radius, 0.1);
  EXPECT_GT(solid.inner_radius, 0.05);
  const SpatialInertia found = implicit_inertia(solid, 1000), exact = shape_inertia(Ellipsoid{axes}, 1000);
  EXPECT_NEAR(found.mass, exact.mass, 1e-8 * exact.mass);
  EXPECT_LT(found.center.norm(), 1e-9);
  EXPECT_LT((found.central - exact.central).norm(), 1e-8 * exact.central.norm());
}

/// Two caps of height t = r − a, each π t² (3r − t)/3.
TEST(ImplicitSolid, MeasuresALensOfTwoBalls) {
  const double r = 0.1, a = 0.08, t = r - a;
  const ImplicitSolid solid = implicit_solid({ball(1, {0, 0, a}, r), ball(1, {0, 0, -a}, r)}, Vec3::Zero());
  const double volume = 2 * std::numbers::pi * t * t * (3 * r - t) / 3;
  EXPECT_NEAR(implicit_inertia(solid, 1).mass, volume, 1e-5 * volume);
  EXPECT_NEAR(solid.upper.x(), std::sqrt(r * r - a * a), 0.02 * r);
  EXPECT_GE(solid.upper.x(), std::sqrt(r * r - a * a));
}

/// Pieces of (x² + y²)/a² + 1 − 2 cos z lie one above the other without touching. The one about the origin is measured
/// alone, however flat it is.
TEST(ImplicitSolid, MeasuresThePieceAboutTheInnerPointAlone) {
  for (const double a : {2.0, 7.0}) {
    SurfaceFormula formula;
    formula.text = "pieces";
    formula.steps = {{Operation::x},         {Operation::number, 2}, {Operation::power},    {Operation::y},
                     {Operation::number, 2}, {Operation::power},     {Operation::add},      {Operation::number, a * a},
                     {Operation::divide},    {Operation::number, 1}, {Operation::add},      {Operation::z},
                     {Operation::cos},       {Operation::number, 2}, {Operation::multiply}, {Operation::subtract}};
    const ImplicitSolid solid =
        implicit_solid({FormulaSurface{std::make_shared<const SurfaceFormula>(formula)}}, Vec3::Zero());
    const double third = std::numbers::pi / 3, volume = 2 * std::numbers::pi * a * a * (2 * std::sin(third) - third);
    EXPECT_NEAR(implicit_inertia(solid, 1).mass, volume, 1e-5 * volume) << a;
  }
}

TEST(ImplicitSolid, ScalesFormulasToTheDistance) {
  for (const double factor : {1e-4, 1.0, 3e5}) {
    const ImplicitSolid solid = implicit_solid({ball(factor, Vec3(0.2, 0, 0), 0.5)}, Vec3::Zero());
    const SurfaceJet jet = evaluate(solid.body.surfaces[0], Vec3(0.2, 0.5 + 1e-6, 0));
    EXPECT_NEAR(jet.gradient.norm(), 1, 1e-5);
    EXPECT_NEAR(jet.value, 1e-6, 1e-10);
  }
}

std::string refusal(std::vector<ImplicitSurface> surfaces, const Vec3& inside = Vec3::Zero()) {
  try {
    static_cast<void>(implicit_solid(std::move(surfaces), inside));
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(ImplicitSolid, RefusesWithSentences) {
  EXPECT_NE(refusal({ball(-1, Vec3::Zero(), 0.5)}).find("at the inner point"), std::string::npos);
  EXPECT_NE(refusal({ball(1, Vec3(2, 0, 0), 0.5)}).find("give another point under 'inside'"), std::string::npos);
  EXPECT_NE(refusal({PlaneSurface{Vec3::UnitZ(), 1}}).find("no end along"), std::string::npos);
  EXPECT_NE(refusal({ball(1, Vec3::Zero(), 0.5), ball(1, Vec3::Zero(), 5)}).find("ends the body nowhere"),
            std::string::npos);
  EXPECT_NE(refusal({ball(1, Vec3::Zero(), 0.5), ball(-1, Vec3(0.4, 0, 0), 0.1)}).find("not convex"),
            std::string::npos);
}

TEST(ImplicitSolid, HasBounds) {
  const ImplicitShape shape{
      std::make_shared<const ImplicitSolid>(implicit_solid({ball(1, Vec3(0.2, 0, 0), 0.5)}, Vec3::Zero()))};
  const Bounds box = bounds(shape, {Mat3::Identity(), Vec3(1, 2, 3)}, 0.1);
  EXPECT_LE(box.lower.x(), 0.6);
  EXPECT_GE(box.upper.x(), 1.8);
  EXPECT_GT(box.lower.x(), 0.55);
  EXPECT_EQ(implicit_body(shape).surfaces.size(), 1u);
}

/// Rounds, lenses, half balls and what is flat at its ends.
ImplicitShape random_solid(RandomShapes& random, int kind) {
  std::vector<ImplicitSurface> surfaces;
  if (kind == 0) surfaces = {EllipsoidSurface{random.ellipsoid().semi_axes}};
  if (kind == 1) surfaces = {SuperquadricSurface{Vec3(0.3, 0.2, random.between(0.1, 0.3)), Vec3(4, 3, 2)}};
  if (kind == 2) surfaces = {ball(3, {0, 0, 0.2}, 0.3), ball(7, {0.05, 0, -0.2}, 0.3)};
  if (kind == 3) surfaces = {ball(1, {0, 0, -0.05}, random.between(0.2, 0.4)), PlaneSurface{Vec3::UnitZ(), 0.02}};
  return {std::make_shared<const ImplicitSolid>(implicit_solid(std::move(surfaces), Vec3::Zero()))};
}

TEST(ImplicitSolid, TheSupportIsFeasibleAndHeldByMultipliersThatPush) {
  RandomShapes random(51);
  for (int trial = 0; trial < 12; ++trial) {
    const ImplicitShape shape = random_solid(random, trial % 4);
    for (int k = 0; k < 60; ++k) {
      const Vec3 d = k < 6 ? Vec3((k % 2 ? -1 : 1) * Vec3::Unit(k / 2)) : random.direction();
      const Vec3 x = support_point(shape, d);
      for (const ImplicitSurface& surface : shape.solid->body.surfaces) EXPECT_LT(evaluate(surface, x).value, 1e-13);
      for (const Vec3& point : shape.solid->points) ASSERT_LE(d.dot(point), d.dot(x) + 1e-13) << trial % 4;
    }
  }
}

TEST(ImplicitSolid, TheGapOfPairsIsProvedByItsNormal) {
  RandomShapes random(52);
  for (int trial = 0; trial < 16; ++trial) {
    const ImplicitShape a = random_solid(random, trial % 4);
    const Shape b = trial % 3 == 0 ? Shape(random_solid(random, random.below(4))) : random.shape(random.below(9));
    const Transform X_WA = random.pose(0.5), X_WB = random.pose(0.5);
    const auto points = points_of(a, X_WA, b, X_WB, std::numeric_limits<double>::infinity());
    const double gap = nearest(points).gap;
    const auto separates = [&](const Vec3& n) {
      return n.dot(X_WA * support_point(a, -(X_WA.R.transpose() * n)) -
                   X_WB * support_point(b, X_WB.R.transpose() * n));
    };
    EXPECT_NEAR(separates(nearest(points).normal), gap, 1e-12) << shape_name(b);
    if (gap > 0) {
      EXPECT_NEAR((nearest(points).p_WA - nearest(points).p_WB).norm(), gap, 1e-9) << shape_name(b);
    }
    for (int k = 0; k < 40; ++k) EXPECT_LE(separates(random.direction()), gap + 1e-9) << trial;
  }
}

/// The same solid by its own type and by its inequality.
TEST(ImplicitSolid, AnEllipsoidByItsInequalityIsTheEllipsoid) {
  RandomShapes random(53);
  for (int trial = 0; trial < 12; ++trial) {
    const Ellipsoid solid = random.ellipsoid();
    const ImplicitShape implicit{
        std::make_shared<const ImplicitSolid>(implicit_solid({EllipsoidSurface{solid.semi_axes}}, Vec3(0.01, 0, 0)))};
    const Shape other = random.shape(trial % 9);
    const Transform X_WA = random.pose(0.5), X_WB = random.pose(0.5);
    const double infinity = std::numeric_limits<double>::infinity();
    EXPECT_NEAR(nearest(points_of(solid, X_WA, other, X_WB, infinity)).gap,
                nearest(points_of(implicit, X_WA, other, X_WB, infinity)).gap, 1e-12)
        << trial;
  }
}

}  // namespace
}  // namespace carom::implicit_solid_test
