// Bodies by parametric surfaces: what is told of them against shapes in closed form, poles included, and what is
// refused.

#include "carom/geometry/implicit/parametric_solid.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "carom/error.h"
#include "carom/geometry/implicit/parametric_surface.h"
#include "carom/geometry/test/random_shapes.h"

namespace carom::parametric_solid_test {
namespace {

using Op = SurfaceFormula::Operation;
using Steps = std::vector<SurfaceFormula::Step>;
constexpr double pi = std::numbers::pi;

std::shared_ptr<const SurfaceFormula> formula(Steps steps) {
  return std::make_shared<const SurfaceFormula>(SurfaceFormula{"", std::move(steps)});
}
// u is x, v is y.
const Steps cos_u{{Op::x}, {Op::cos}}, sin_u{{Op::x}, {Op::sin}}, cos_v{{Op::y}, {Op::cos}}, sin_v{{Op::y}, {Op::sin}};

Steps times(double factor, const Steps& a, const Steps& b) {
  Steps all = a;
  all.insert(all.end(), b.begin(), b.end());
  all.insert(all.end(), {{Op::multiply}, {Op::number, factor}, {Op::multiply}});
  return all;
}
Steps times(double factor, const Steps& a) { return times(factor, a, {{Op::number, 1}}); }
Steps plus(const Steps& a, double b) {
  Steps all = a;
  all.insert(all.end(), {{Op::number, b}, {Op::add}});
  return all;
}

/// An ellipsoid whose poles lie on z, about a centre; u around, v from pole to pole.
ParametricFormulas ellipsoid(const Vec3& axes, const Vec3& center = Vec3::Zero()) {
  return {{formula(plus(times(axes.x(), cos_v, cos_u), center.x())),
           formula(plus(times(axes.y(), cos_v, sin_u), center.y())), formula(plus(times(axes.z(), sin_v), center.z()))},
          {0, 2 * pi},
          {-pi / 2, pi / 2}};
}
Shape shape_of(const ParametricFormulas& formulas) {
  return ImplicitShape{std::make_shared<const ImplicitSolid>(parametric_solid(formulas))};
}

TEST(ParametricSolid, ProjectsOntoAnEllipsoidAtARightAngle) {
  const Vec3 axes(0.3, 0.2, 0.1);
  const ParametricSheet sheet(ellipsoid(axes));
  RandomShapes random(5);
  for (int trial = 0; trial < 400; ++trial) {
    Vec3 out = random.direction();
    if (trial % 4 == 0) out = Vec3(0, 0, trial % 8 == 0 ? 1 : -1) + std::pow(10.0, -random.between(0, 18)) * out;
    // A point of the surface with its normal, and one beside it.
    const Vec3 point = axes.cwiseProduct(axes.cwiseProduct(out)) / axes.cwiseProduct(out).norm();
    const double away = trial % 3 == 0 ? 0 : random.between(-0.02, 0.3);  // the least radius of curvature is 0.033 m
    const auto found = sheet.project(point + away * out.normalized());
    EXPECT_NEAR(found.distance, away, 1e-14) << trial;
    EXPECT_LT((found.point - point).norm(), 1e-13) << trial;
    EXPECT_LT((found.normal - out.normalized()).norm(), 1e-12) << trial;
  }
}

TEST(ParametricSolid, GradientAndHessianAreThoseOfDifferences) {
  const ParametricSurface surface{std::make_shared<const ParametricSheet>(ellipsoid(Vec3(0.3, 0.2, 0.15)))};
  RandomShapes random(6);
  for (int trial = 0; trial < 60; ++trial) {
    Vec3 out = random.direction();
    if (trial % 3 == 0) out = Vec3(0, 0, 1) + std::pow(10.0, -random.between(0, 12)) * out;
    const Vec3 x = random.between(0.9, 2) * 0.2 * out.normalized();
    const SurfaceJet jet = surface.jet(x);
    EXPECT_NEAR(jet.gradient.norm(), 1, 1e-14);
    for (int i = 0; i < 3; ++i) {
      constexpr double e = 1e-5;
      const SurfaceJet up = surface.jet(x + e * Vec3::Unit(i)), down = surface.jet(x - e * Vec3::Unit(i));
      EXPECT_NEAR(jet.gradient[i], (up.value - down.value) / (2 * e), 1e-7) << trial;
      EXPECT_LT((jet.hessian.col(i) - (up.gradient - down.gradient) / (2 * e)).norm(), 1e-5 * (1 + jet.hessian.norm()))
          << trial;
    }
  }
}

TEST(ParametricSolid, AnEllipsoidByItsParametersIsTheEllipsoid) {
  RandomShapes random(7);
  for (int trial = 0; trial < 6; ++trial) {
    const Ellipsoid known = random.ellipsoid();
    const Shape shape = shape_of(ellipsoid(known.semi_axes));
    const SpatialInertia inertia = shape_inertia(shape, 700), expected = shape_inertia(known, 700);
    EXPECT_NEAR(inertia.mass, expected.mass, 1e-9 * expected.mass);
    EXPECT_LT(inertia.center.norm(), 1e-10);
    EXPECT_LT((inertia.central - expected.central).norm(), 1e-9 * expected.central.norm());
    for (int k = 0; k < 30; ++k) {
      const Vec3 d = k < 6 ? (k % 2 ? 1 : -1) * Vec3::Unit(k / 2) : random.direction();
      EXPECT_NEAR(d.dot(support_point(shape, d)), d.dot(support_point(known, d)), 1e-12) << k;
    }
    const Shape others[] = {random.ellipsoid(), random.box(), random.capsule(), HalfSpace{}};
    for (const Shape& other : others) {
      const Transform X = random.pose(0.6), Y = random.pose(0.3);
      const double infinity = std::numeric_limits<double>::infinity();
      const double gap = nearest(points_of(shape, X, other, Y, infinity)).gap;
      EXPECT_NEAR(gap, nearest(points_of(known, X, other, Y, infinity)).gap, 1e-8) << shape_name(other);
    }
  }
}

TEST(ParametricSolid, LiesWhereItsFormulasSayWithEitherParameterAround) {
  const Vec3 axes(0.3, 0.2, 0.1), center(0.4, -0.1, 0.2);
  ParametricFormulas formulas = ellipsoid(axes, center);
  // v around, u from pole to pole, and from there down: the other orientation.
  ParametricFormulas turned{{formula(plus(times(axes.x(), Steps{{Op::x}, {Op::sin}}, cos_v), center.x())),
                             formula(plus(times(axes.y(), Steps{{Op::x}, {Op::sin}}, sin_v), center.y())),
                             formula(plus(times(axes.z(), Steps{{Op::x}, {Op::cos}}), center.z()))},
                            {0, pi},
                            {-pi, pi}};
  const ImplicitSolid one = parametric_solid(formulas), other = parametric_solid(turned);
  RandomShapes random(8);
  for (int trial = 0; trial < 50; ++trial) {
    const Vec3 x = center + random.in_cube(0.5);
    EXPECT_NEAR(evaluate(one.body.surfaces[0], x).value, evaluate(other.body.surfaces[0], x).value, 1e-12);
  }
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(one.upper[i], center[i] + axes[i], 0.004);
    EXPECT_NEAR(one.lower[i], center[i] - axes[i], 0.004);
  }
  EXPECT_LT((implicit_inertia(one, 500).center - center).norm(), 1e-10);
}

std::string refusal(const ParametricFormulas& formulas) {
  try {
    (void)parametric_solid(formulas);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}
bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(ParametricSolid, RefusesWithSentences) {
  const Vec3 axes(0.3, 0.2, 0.1);
  ParametricFormulas half = ellipsoid(axes);
  half.v[1] = 0.5;
  EXPECT_TRUE(says(refusal(half), "is not closed")) << refusal(half);
  ParametricFormulas backwards = ellipsoid(axes);
  std::swap(backwards.u[0], backwards.u[1]);
  EXPECT_TRUE(says(refusal(backwards), "range of u"));
  // x = √(1 − v²) cos u, z = v: a ball whose pole is left at an infinite rate.
  const Steps root{{Op::number, 1}, {Op::y}, {Op::number, 2}, {Op::power}, {Op::subtract}, {Op::sqrt}};
  const ParametricFormulas ball{
      {formula(times(1, root, cos_u)), formula(times(1, root, sin_u)), formula({{Op::y}})}, {0, 2 * pi}, {-1, 1}};
  EXPECT_TRUE(says(refusal(ball), "has no slope")) << refusal(ball);
  // cos v (1 + 0.7 sin² v): thicker above and below its waist.
  Steps waist = sin_v;
  waist.insert(waist.end(),
               {{Op::number, 2}, {Op::power}, {Op::number, 1.5}, {Op::multiply}, {Op::number, 1}, {Op::add}});
  const Steps wide = times(1, cos_v, waist);
  const ParametricFormulas hourglass{
      {formula(times(0.2, wide, cos_u)), formula(times(0.2, wide, sin_u)), formula(times(0.3, sin_v))},
      {0, 2 * pi},
      {-pi / 2, pi / 2}};
  EXPECT_TRUE(says(refusal(hourglass), "is not convex")) << refusal(hourglass);
  // A lens of two cones: z = v, radius 1 − v² is round at the waist and has tips.
  const Steps lens{{Op::number, 1}, {Op::y}, {Op::number, 2}, {Op::power}, {Op::subtract}};
  const ParametricFormulas tips{
      {formula(times(1, lens, cos_u)), formula(times(1, lens, sin_u)), formula({{Op::y}})}, {0, 2 * pi}, {-1, 1}};
  EXPECT_TRUE(says(refusal(tips), "has a tip")) << refusal(tips);
}

/// The function of a sphere is f = |x − c| − r, inside and out. Its derivatives are the normal and (1 − n nᵀ)/|x − c|.
TEST(ParametricSurface, OfASphereIsItsSignedDistance) {
  constexpr double radius = 0.3;
  const Vec3 center(0.1, -0.2, 0.05);
  const auto sheet = std::make_shared<const ParametricSheet>(ellipsoid(Vec3::Constant(radius), center));
  const ParametricSurface surface{sheet};
  EXPECT_EQ(surface.fault(), "");
  EXPECT_NE(ParametricSurface{}.fault(), "");
  RandomShapes random(57);
  for (int k = 0; k < 200; ++k) {
    const double distance = random.between(0.5, 2) * radius;
    const Vec3 n = k < 2 ? Vec3(k == 0 ? Vec3::UnitZ() : Vec3(-Vec3::UnitZ())) : random.direction();
    const SurfaceJet jet = surface.jet(center + distance * n);
    EXPECT_NEAR(jet.value, distance - radius, 1e-12);
    EXPECT_LT((jet.gradient - n).norm(), 1e-9);
    const Mat3 bends = (Mat3::Identity() - n * n.transpose()) / distance;
    EXPECT_LT((jet.hessian - bends).norm(), 1e-5 * bends.norm()) << n.transpose();
  }
}

}  // namespace
}  // namespace carom::parametric_solid_test
