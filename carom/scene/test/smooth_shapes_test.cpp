// Shapes with smooth surfaces as scenes write them. An ellipsoid told in four ways is one; a cone is the hyperboloid of
// its radius, height and tip. Solids are compared by their support functions h(d) = max_{x ∈ S} d·x.
#include "carom/scene/smooth_shapes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "carom/scene/yaml.h"

namespace carom::smooth_shapes_test {
namespace {

using Reader = std::optional<Shape> (*)(Fields& fields, Diagnostics& diagnostics);

struct Read {
  std::optional<Shape> shape;
  std::vector<std::string> faults;
};

Read read(Reader reader, const std::string& text) {
  Diagnostics diagnostics("test.yaml", text);
  const auto root = parse_yaml(text, diagnostics);
  Read result;
  if (root) {
    Fields fields(
        *root, "a shape",
        {"radius", "height", "tip_radius", "semi_axes", "exponents", "inequalities", "inside", "x", "y", "z", "u", "v"},
        diagnostics);
    result.shape = reader(fields, diagnostics);
  }
  try {
    diagnostics.throw_if_any();
  } catch (const SceneError& error) {
    for (const Diagnostic& fault : error.diagnostics()) result.faults.push_back(fault.message);
  }
  return result;
}

double support(const Shape& shape, const Vec3& d) { return d.dot(support_point(shape, d)); }

std::vector<Vec3> directions() {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  constexpr int count = 60;
  std::vector<Vec3> all;
  all.reserve(count);
  for (int i = 0; i < count; ++i) all.push_back(Vec3(normal(random), normal(random), normal(random)).normalized());
  return all;
}

TEST(SmoothShapes, AnEllipsoidIsOneInEveryWayOfWritingIt) {
  const Vec3 axes(0.5, 1, 0.25);
  const std::pair<Reader, const char*> ways[] = {
      {read_superquadric, "{semi_axes: [0.5, 1, 0.25], exponents: 2}"},
      {read_superquadric, "{semi_axes: [0.5, 1, 0.25], exponents: [2, 2, 2]}"},
      {read_implicit, "{inequalities: ['4*x^2 + y^2 + 16*z^2 - 1']}"},
      {read_implicit, "{inequalities: ['4*x^2 + y^2 + 16*z^2 - 1'], inside: [0.1, 0.2, 0.05]}"},
      {read_parametric,
       "{x: 0.5*cos(u)*cos(v), y: sin(u)*cos(v), z: 0.25*sin(v), u: [0, 6.283185307179586], v: [-1.5707963267948966, "
       "1.5707963267948966]}"}};
  for (const auto& [reader, text] : ways) {
    const Read one = read(reader, text);
    ASSERT_TRUE(one.shape && one.faults.empty()) << text << (one.faults.empty() ? "" : one.faults.front());
    for (const Vec3& d : directions()) {
      EXPECT_NEAR(support(*one.shape, d), axes.cwiseProduct(d).norm(), 1e-8) << text << " along " << d.transpose();
    }
  }
}

TEST(SmoothShapes, ExponentsBelongToTheirAxes) {
  const Read one = read(read_superquadric, "{semi_axes: [1, 1, 1], exponents: [2, 4, 8]}");
  ASSERT_TRUE(one.shape);
  // Dual norm in the plane of x and y alone of |x|^2 + |y|^4 ≤ 1, by going through the curve.
  for (const Vec3& axis : {Vec3(1, 1, 0), Vec3(1, 0, 1), Vec3(0, 1, 1)}) {
    const double powers[] = {2, 4, 8};
    int first = axis.x() > 0 ? 0 : 1, second = axis.z() > 0 ? 2 : 1;
    double most = 0;
    for (int k = 0; k <= 200000; ++k) {
      const double a = k / 200000.0;
      most = std::max(most, a + std::pow(1 - std::pow(a, powers[first]), 1 / powers[second]));
    }
    EXPECT_NEAR(support(*one.shape, axis), most, 1e-8) << axis.transpose();
  }
}

TEST(SmoothShapes, AConeEndsAtItsDiscAndItsTip) {
  const Read one = read(read_cone, "{radius: 0.4, height: 1, tip_radius: 0.01}");
  ASSERT_TRUE(one.shape && one.faults.empty());
  EXPECT_NEAR(support(*one.shape, Vec3(0, 0, 1)), 1, 1e-12);
  EXPECT_NEAR(support(*one.shape, Vec3(0, 0, -1)), 0, 1e-12);
  EXPECT_NEAR(support(*one.shape, Vec3(0.6, 0.8, 0)), 0.4, 1e-12);
  // Points of its surface, x² = 2 tip y + (y tan α)² with y = height − z, lie within every supporting plane.
  const double slope = (0.4 * 0.4 - 2 * 0.01) / 1.0;
  for (const Vec3& d : directions()) {
    double most = -1;
    for (int k = 0; k <= 20000; ++k) {
      const double y = k / 20000.0;
      most = std::max(most, d.head<2>().norm() * std::sqrt(2 * 0.01 * y + y * y * slope) + d.z() * (1 - y));
    }
    EXPECT_NEAR(support(*one.shape, d), most, 1e-6) << d.transpose();
  }
}

TEST(SmoothShapes, OneFaultHasOneSentence) {
  const std::pair<Reader, const char*> faults[] = {
      {read_implicit, "{inequalities: x^2 + y^2 + z^2 - 1}"},
      {read_implicit, "{inequalities: {a: x^2}}"},
      {read_implicit, "{inequalities: 5}"},
      {read_implicit, "{inequalities: []}"},
      {read_implicit, "{inequalities: ['x^2 +']}"},
      {read_implicit, "{inequalities: ['x^2 + y^2 - 1']}"},
      {read_implicit, "{inequalities: ['x^2 + y^2 + z^2 - 1'], inside: [2, 0, 0]}"},
      {read_implicit, "{inside: [0, 0, 0]}"},
      {read_superquadric, "{semi_axes: [1, 1, 1]}"},
      {read_superquadric, "{semi_axes: [1, 1, -1], exponents: 2}"},
      {read_cone, "{radius: 1, height: 1}"},
      {read_parametric, "{x: cos(u)*cos(v), y: sin(u)*cos(v), z: sin(v), u: [0, 6.283185307179586]}"},
      {read_parametric,
       "{x: cos(u)*cos(v), y: sin(u)*cos(v), z: sin(w), u: [0, 6.283185307179586], v: [-1.5707963267948966, "
       "1.5707963267948966]}"}};
  for (const auto& [reader, text] : faults) {
    const Read one = read(reader, text);
    EXPECT_FALSE(one.shape) << text;
    EXPECT_EQ(one.faults.size(), 1u) << text;
  }
}

}  // namespace
}  // namespace carom::smooth_shapes_test
