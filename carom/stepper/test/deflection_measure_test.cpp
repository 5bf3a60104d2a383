// Depth of a layer pressed in: between the surfaces, or by the levels of an inequality as the paper has it, (11) and
// (12).

#include <gtest/gtest.h>

#include <cmath>

#include "carom/geometry/implicit/level_depth.h"
#include "carom/geometry/test/random_shapes.h"
#include "carom/stepper/quasi_rigid/quasi_rigid_data.h"
#include "carom/stepper/test/mechanisms.h"

namespace carom::deflection_measure_test {
namespace {

constexpr double g = 9.81, stiffness = 1e5;
constexpr DeflectionMeasure measures[] = {DeflectionMeasure::distance, DeflectionMeasure::euclidean,
                                          DeflectionMeasure::algebraic};

Method quasi_rigid(DeflectionMeasure measure, double h) {
  Method method;
  method.stepper = StepperKind::quasi_rigid;
  method.step = h;
  method.quasi_rigid.deflection = measure;
  return method;
}

/// A body over a floor, one of which yields.
Simulation over_floor(const Shape& shape, const Transform& pose, bool body_yields, const Method& method,
                      double damping = 0) {
  ModelBuilder builder;
  builder.set_gravity({0, 0, -g});
  Material hard{"hard", Vec2(0.3, 0.3), 0.0}, soft = hard;
  soft.name = "soft";
  Layer layer;
  layer.stiffness(2, 2) = stiffness;
  layer.damping(2, 2) = damping;
  soft.layer = layer;
  const int body = builder.add_body("body", test::solid(shape, 10));
  builder.add_collider({"shape", body, shape, {}, builder.add_material(body_yields ? soft : hard)});
  builder.add_collider({"floor", -1, HalfSpace{}, {}, builder.add_material(body_yields ? hard : soft)});
  const Quaternion turned(pose.R);
  State state;
  state.q.resize(7);
  state.q << turned.w(), turned.x(), turned.y(), turned.z(), pose.p;
  state.v.setZero(6);
  return {std::make_shared<const Model>(builder.build()), method, state};
}

/// Force over stiffness of a body that is fixed with its lowest point `depth` under the floor.
double pressed(const Shape& shape, const Mat3& R, double depth, bool body_yields, DeflectionMeasure measure) {
  constexpr double h = 1e-6;
  const double lowest = -R.row(2).dot(support_point(shape, -R.row(2).transpose()));
  Simulation simulation = over_floor(shape, {R, Vec3(0, 0, lowest - depth)}, body_yields, quasi_rigid(measure, h));
  const StepReport& report = simulation.step();
  EXPECT_EQ(report.status, SolveStatus::solved);
  EXPECT_EQ(report.contacts.size(), 1U);
  if (report.contacts.size() != 1) return 0;
  EXPECT_NEAR(report.contacts[0].impulse.z() / h / stiffness, -report.contacts[0].gap, 1e-9);
  return -report.contacts[0].gap;
}

TEST(DeflectionMeasure, AllAgreeOfASoftHalfSpace) {
  RandomShapes random(2);
  for (int trial = 0; trial < 5; ++trial) {
    const Shape shape = trial % 2 ? Shape(random.ellipsoid()) : Shape(random.sphere());
    const Mat3 R = random.rotation();
    for (const DeflectionMeasure measure : measures) {
      EXPECT_NEAR(pressed(shape, R, 0.004, false, measure), 0.004, 1e-9) << trial << deflection_name(measure);
    }
  }
}

TEST(DeflectionMeasure, OfASphereTheLengthsAgreeAndTheLevelIsItsOwnFunction) {
  // f = (x² − r²)/2r is −δ + δ²/2r at the depth δ.
  constexpr double r = 0.1, depth = 0.01;
  const Mat3 R = Mat3::Identity();
  EXPECT_NEAR(pressed(Sphere{r}, R, depth, true, DeflectionMeasure::distance), depth, 1e-9);
  EXPECT_NEAR(pressed(Sphere{r}, R, depth, true, DeflectionMeasure::euclidean), depth, 1e-9);
  EXPECT_NEAR(pressed(Sphere{r}, R, depth, true, DeflectionMeasure::algebraic), depth - depth * depth / (2 * r), 1e-9);
}

/// Lowest point of an ellipse with the semi-axes a and c, turned by an angle about y.
struct Lowest {
  double height, aside, curvature;  // of the centre over it, sideways from there, 1/m

  Lowest(double a, double c, double angle) {
    const double s = std::sin(angle), k = std::cos(angle);
    height = std::sqrt(a * a * s * s + c * c * k * k);
    aside = (a * a - c * c) * s * k / height;
    curvature = std::pow(height, 3) / (a * a * c * c);
  }
};

TEST(DeflectionMeasure, OfATiltedEllipsoidTheLengthsPartByTheSquareOfTheDepth) {
  // The levels shrink towards the centre. So the point of contact lies δ τ aside from the point of the surface that has
  // its normal, with τ = aside / height. The surface over it is lower by ½ κ (δ τ)².
  const Ellipsoid shape{Vec3(0.3, 0.2, 0.1)};
  const double angle = 0.4;
  const Lowest lowest(0.3, 0.1, angle);
  const Mat3 R = exponential(Vec3(0, angle, 0)).toRotationMatrix();
  for (const double depth : {0.004, 0.001}) {
    const double apart = pressed(shape, R, depth, true, DeflectionMeasure::distance) -
                         pressed(shape, R, depth, true, DeflectionMeasure::euclidean);
    const double expected = 0.5 * lowest.curvature * std::pow(depth * lowest.aside / lowest.height, 2);
    EXPECT_NEAR(apart, expected, 40 * depth * expected) << depth;
    EXPECT_GT(expected, 1e-3 * depth);
    // The level is homothetic: f = s/2 (λ² − 1) where the height is λ times the whole one, s the shortest axis.
    const double scale = 1 - depth / lowest.height;
    EXPECT_NEAR(pressed(shape, R, depth, true, DeflectionMeasure::algebraic), 0.05 * (1 - scale * scale), 1e-9);
  }
}

TEST(DeflectionMeasure, BodiesOnLayersComeToRestWhereTheirDeflectionBearsThem) {
  const Ellipsoid shape{Vec3(0.3, 0.2, 0.1)};
  for (const DeflectionMeasure measure : measures) {
    Simulation simulation =
        over_floor(shape, {Mat3::Identity(), Vec3(0, 0, 0.12)}, true, quasi_rigid(measure, 2e-3), 900);
    for (int step = 0; step < 600; ++step) {
      ASSERT_EQ(simulation.step().status, SolveStatus::solved) << deflection_name(measure) << step;
    }
    // f of the shortest axis c is −δ + δ²/2c.
    const double sunk = 10 * g / stiffness, height = test::position(simulation, 0).z();
    const double expected = measure == DeflectionMeasure::algebraic ? 0.1 * (1 - std::sqrt(1 - 2 * sunk / 0.1)) : sunk;
    EXPECT_NEAR(height, 0.1 - expected, 1e-9) << deflection_name(measure);
  }
}

TEST(DeflectionMeasure, StepsOfRockingBodiesAreSolved) {
  for (const DeflectionMeasure measure : measures) {
    Simulation simulation =
        over_floor(Ellipsoid{Vec3(0.3, 0.2, 0.1)}, {exponential(Vec3(0.4, 0.7, 0)).toRotationMatrix(), Vec3(0, 0, 0.3)},
                   true, quasi_rigid(measure, 2e-3), 300);
    for (int step = 0; step < 600; ++step) {
      const StepReport& report = simulation.step();
      ASSERT_EQ(report.status, SolveStatus::solved) << deflection_name(measure) << step;
      ASSERT_LT(report.momentum_residual, 1e-9);
    }
  }
}

TEST(LevelDepth, IsTheRootAlongTheNormalWithItsGradient) {
  RandomShapes random(4);
  for (int trial = 0; trial < 40; ++trial) {
    const Shape shape = trial % 3 == 0   ? Shape(random.ellipsoid())
                        : trial % 3 == 1 ? Shape(random.box())
                                         : Shape(Superquadric{Vec3(0.3, 0.2, 0.1), Vec3(4, 3, 2.5)});
    const ImplicitBody body = implicit_body(shape);
    const Vec3 out = random.direction();
    const Vec3 x = random.between(0.4, 0.9) * support_point(shape, out);
    const auto greatest = [&](const Vec3& y, Vec3& gradient) {
      double value = -1e300;
      for (const ImplicitSurface& surface : body.surfaces) {
        const SurfaceJet jet = evaluate(surface, y);
        if (jet.value <= value) continue;
        value = jet.value;
        gradient = jet.gradient;
      }
      return value;
    };
    Vec3 gradient, unused;
    if (greatest(x, gradient) > -1e-3) continue;
    const LevelDepth depth = level_depth(body, x);
    EXPECT_GT(depth.depth, 0);
    if (!std::holds_alternative<Box>(shape)) {
      EXPECT_NEAR(greatest(x + depth.depth * gradient.normalized(), unused), 0, 1e-12);
    }
    for (int i = 0; i < 3; ++i) {
      constexpr double e = 1e-6;
      const double slope =
          (level_depth(body, x + e * Vec3::Unit(i)).depth - level_depth(body, x - e * Vec3::Unit(i)).depth) / (2 * e);
      EXPECT_NEAR(depth.gradient[i], slope, 1e-6 * (1 + std::abs(slope))) << trial;
    }
  }
}

TEST(DeflectionMeasure, TwoLayersAreRefusedWithASentence) {
  test::SceneMaker scene(0.5);
  Material soft{"soft", Vec2(0.5, 0.5), 0.0};
  Layer layer;
  layer.stiffness(2, 2) = stiffness;
  soft.layer = layer;
  scene.material = scene.builder.add_material(soft);
  scene.add_static(HalfSpace{});
  scene.add(Sphere{0.1}, 1, {0, 0, 0.1});
  const auto model = scene.model();
  EXPECT_TRUE(quasi_rigid_data_faults(*model, quasi_rigid(DeflectionMeasure::distance, 1e-3)).empty());
  const auto faults = quasi_rigid_data_faults(*model, quasi_rigid(DeflectionMeasure::euclidean, 1e-3));
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_NE(faults[0].find("both have a layer"), std::string::npos) << faults[0];
}

}  // namespace
}  // namespace carom::deflection_measure_test
