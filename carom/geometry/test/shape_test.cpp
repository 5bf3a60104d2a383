#include "carom/geometry/shape.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include "carom/error.h"
#include "carom/geometry/test/random_shapes.h"

namespace carom::shape_test {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double infinity = std::numeric_limits<double>::infinity();

/// Gauss–Legendre rule of five nodes on each of `cells` cells.
double integral(const std::function<double(double)>& f, double from, double to, int cells) {
  const double nodes[] = {0, 0.53846931010568309, 0.90617984593866399};
  const double weights[] = {0.56888888888888889, 0.47862867049936647, 0.23692688505618909};
  double sum = 0;
  const double half = (to - from) / (2 * cells);
  for (int c = 0; c < cells; ++c) {
    const double middle = from + half * (2 * c + 1);
    sum += weights[0] * f(middle);
    for (int i = 1; i < 3; ++i) sum += weights[i] * (f(middle - half * nodes[i]) + f(middle + half * nodes[i]));
  }
  return half * sum;
}

/// Inertia of a body of revolution from its discs of radius ρ(z): π ρ² of mass, ρ²/2 and ρ²/4 + z² of moment each.
SpatialInertia of_discs(const std::function<double(double)>& radius_squared, double reach, double density) {
  const auto moment = [&](auto&& per_mass) {
    return integral([&](double z) { return density * pi * radius_squared(z) * per_mass(z); }, -reach, reach, 3000);
  };
  const double along = moment([&](double z) { return radius_squared(z) / 2; });
  const double across = moment([&](double z) { return radius_squared(z) / 4 + z * z; });
  return {moment([](double) { return 1.0; }), Vec3::Zero(), Vec3(across, across, along).asDiagonal()};
}

void expect_equal(const SpatialInertia& a, const SpatialInertia& b, double relative) {
  EXPECT_NEAR(a.mass, b.mass, relative * b.mass);
  EXPECT_LT((a.center - b.center).norm(), relative);
  EXPECT_LT((a.central - b.central).cwiseAbs().maxCoeff(), relative * b.central.cwiseAbs().maxCoeff());
}

TEST(ShapeInertia, OfRoundShapesIsThatOfTheirDiscs) {
  RandomShapes random(1);
  for (int trial = 0; trial < 20; ++trial) {
    const Capsule c = random.capsule();
    const double density = random.between(100, 8000);
    // The capsule's cells meet its ends only roughly; its profile has a kink in the slope there, hence the tolerance.
    const auto profile = [&](double h, double r, double z) {
      const double beyond = std::max(0.0, std::abs(z) - h);
      return r * r - beyond * beyond;
    };
    expect_equal(
        shape_inertia(c, density),
        of_discs([&](double z) { return profile(c.half_length, c.radius, z); }, c.half_length + c.radius, density),
        1e-8);
    expect_equal(shape_inertia(Sphere{c.radius}, density),
                 of_discs([&](double z) { return profile(0, c.radius, z); }, c.radius, density), 1e-12);
  }
}

TEST(ShapeInertia, OfABoxIsThatOfItsEighths) {
  RandomShapes random(2);
  for (int trial = 0; trial < 20; ++trial) {
    const Box box = random.box();
    SpatialInertia sum;
    for (int corner = 0; corner < 8; ++corner) {
      const Vec3 sides(corner & 1 ? 0.5 : -0.5, corner & 2 ? 0.5 : -0.5, corner & 4 ? 0.5 : -0.5);
      const Transform X = {Mat3::Identity(), sides.cwiseProduct(box.half_extents)};
      sum = sum + shape_inertia(Box{0.5 * box.half_extents}, 700).in(X);
    }
    expect_equal(sum, shape_inertia(box, 700), 1e-14);
    const Vec3 full = 2 * box.half_extents;
    EXPECT_NEAR(sum.mass, 700 * full.x() * full.y() * full.z(), 1e-12 * sum.mass);
    const double about_x = sum.mass / 12 * (full.y() * full.y() + full.z() * full.z());
    EXPECT_NEAR(shape_inertia(box, 700).central(0, 0), about_x, 1e-14 * about_x);
  }
}

TEST(ShapeInertia, OfACapsuleWithoutLengthIsTheSpheres) {
  expect_equal(shape_inertia(Capsule{0.3, 0}, 900), shape_inertia(Sphere{0.3}, 900), 1e-15);
}

TEST(ShapeInertia, IsOneThatABodyCanHave) {
  RandomShapes random(3);
  for (int trial = 0; trial < 200; ++trial) {
    EXPECT_EQ(inertia_fault(shape_inertia(random.sphere(), 1000)), "");
    EXPECT_EQ(inertia_fault(shape_inertia(random.box(), 1000)), "");
    EXPECT_EQ(inertia_fault(shape_inertia(random.capsule(), 1000)), "");
  }
  EXPECT_NE(inertia_fault(shape_inertia(Sphere{0}, 1000)), "");  // no volume, so no mass
  EXPECT_THROW(static_cast<void>(shape_inertia(HalfSpace{}, 1000)), Error);
}

TEST(Shape, NamesAreThoseOfSceneFiles) {
  EXPECT_EQ(shape_name(Sphere{}), "sphere");
  EXPECT_EQ(shape_name(Box{}), "box");
  EXPECT_EQ(shape_name(Capsule{}), "capsule");
  EXPECT_EQ(shape_name(HalfSpace{}), "half-space");
}

TEST(Shape, FaultsNameTheNumber) {
  EXPECT_EQ(shape_fault(Sphere{0}), "");
  EXPECT_EQ(shape_fault(Capsule{0.1, 0}), "");
  EXPECT_EQ(shape_fault(Box{{1, 2, 3}}), "");
  EXPECT_EQ(shape_fault(HalfSpace{}), "");
  EXPECT_EQ(shape_fault(Sphere{-0.5}), "has radius -0.5 m; it must be finite and not negative");
  EXPECT_EQ(shape_fault(Box{{1, 0, 3}}), "has half-extent y 0 m; it must be finite and positive");
  EXPECT_EQ(shape_fault(Capsule{0.1, -1}), "has half-length -1 m; it must be finite and not negative");
  EXPECT_NE(shape_fault(Sphere{std::numeric_limits<double>::quiet_NaN()}), "");
  EXPECT_NE(shape_fault(Capsule{infinity, 1}), "");
}

TEST(Shape, BoundingBallHoldsIt) {
  RandomShapes random(4);
  for (int trial = 0; trial < 200; ++trial) {
    const Shape shapes[] = {random.sphere(), random.box(), random.capsule()};
    for (const Shape& shape : shapes) {
      const double radius = bounding_radius(shape);
      double reached = 0;
      for (int i = 0; i < 200; ++i) {
        const double s = support(shape, Transform::identity(), random.direction());
        EXPECT_LE(s, radius * (1 + 1e-15));
        reached = std::max(reached, s);
      }
      const Vec3 farthest = shape.index() == 1 ? std::get<Box>(shape).half_extents.normalized() : Vec3(Vec3::UnitZ());
      EXPECT_NEAR(support(shape, Transform::identity(), farthest), radius, 1e-15);
    }
  }
  EXPECT_EQ(bounding_radius(HalfSpace{}), infinity);
}

}  // namespace
}  // namespace carom::shape_test
