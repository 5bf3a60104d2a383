// Steps that are hard for a method that is implicit in the geometry. Caps lie tilted on faces, normals turn far in a
// step, and throws leave no motion with all of the friction.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/geometry/contact_points.h"
#include "carom/geometry/test/random_shapes.h"
#include "carom/stepper/test/experiment.h"
#include "carom/stepper/test/mechanisms.h"

namespace carom::quasi_rigid_hard_steps_test {
namespace {

using test::SceneMaker;
using test::with_step;

double least_gap(const Shape& a, const Transform& X_WA, const Shape& b, const Transform& X_WB) {
  std::vector<ContactPoint> points;
  contact_points(a, X_WA, b, X_WB, std::numeric_limits<double>::infinity(), points);
  double least = std::numeric_limits<double>::infinity();
  for (const ContactPoint& point : points) least = std::min(least, point.gap);
  return least;
}

/// Drops a shape with a round cap, tilted by 1e-5 to 0.5, on a box and on a floor; no step may leave them overlapping.
void drop_tilted(const Shape& shape, double half_length, unsigned seed) {
  RandomShapes random(seed);
  for (int drop = 0; drop < 12; ++drop) {
    const double tilt = std::pow(10, random.between(-5, -0.3)), heading = random.between(0, 6);
    const Shape ground = drop % 2 ? Shape(HalfSpace{}) : Shape(Box{{1, 1, 0.5}});
    const Transform X_WG{Mat3::Identity(), drop % 2 ? Vec3::Zero() : Vec3(0, 0, -0.5)};
    SceneMaker scene(0.4);
    scene.add_static(ground, X_WG);
    const Quaternion turn(Eigen::AngleAxisd(tilt, Vec3(std::cos(heading), std::sin(heading), 0)));
    scene.add(shape, 1, {0, 0, half_length + 0.3 * std::sin(tilt) + 1e-3}, {0.3, 0, 0}, turn, {0, 0, 2});
    Simulation simulation = scene.simulation(with_step(2e-3, StepperKind::implicit_geometry));
    for (int k = 0; k < 60; ++k) {
      const StepReport& report = simulation.step();
      ASSERT_EQ(report.status, SolveStatus::solved) << "drop " << drop << ", step " << k;
      EXPECT_LE(report.energy.contact_work, 1e-12);
      const Transform X_WB{test::orientation(simulation, 0).toRotationMatrix(), test::position(simulation, 0)};
      ASSERT_GT(least_gap(shape, X_WB, ground, X_WG), -1e-9) << "drop " << drop << ", step " << k << ", tilt " << tilt;
    }
  }
}

TEST(QuasiRigidHardSteps, TheRimOfACylinderStaysOutOfTheFaceItLiesTiltedOn) {
  drop_tilted(Cylinder{0.2, 0.1}, 0.1, 71);
}

TEST(QuasiRigidHardSteps, TheRimOfAConeStaysOutOfTheFaceItLiesTiltedOn) { drop_tilted(Cone{0.2, 0.3, 0.02}, 0, 72); }

/// Boxes and cylinders that rock in layers: their points are not equally deep, and all of them are to stick.
TEST(QuasiRigidHardSteps, AllPointsOfABodyThatRocksCanStick) {
  RandomShapes random(74);
  for (int drop = 0; drop < 12; ++drop) {
    ModelBuilder builder;
    builder.set_gravity({0, 0, -9.81});
    Material material{"soft", Vec2(1, 1), 0.0};
    Layer layer;
    layer.stiffness(2, 2) = std::pow(10, random.between(3.5, 5.5));
    layer.damping(2, 2) = std::pow(10, random.between(-1, 1));
    layer.thickness = 1e-3;
    material.layer = layer;
    const int soft = builder.add_material(material);
    const Shape shape = drop % 2 ? Shape(Box{{0.3, 0.25, 0.2}}) : Shape(Cylinder{0.3, 0.2});
    builder.add_collider({"shape", builder.add_body("body", test::solid(shape, 7)), shape, {}, soft});
    builder.add_collider({"floor", -1, HalfSpace{}, {}, soft});
    State state;
    state.q.resize(7);
    state.q << 1, 0, 0, 0, 0, 0, 0.2;
    state.v.resize(6);
    state.v << random.in_cube(0.2), random.in_cube(0.1);
    Simulation simulation(std::make_shared<const Model>(builder.build()), with_step(4e-3, StepperKind::quasi_rigid),
                          state);
    for (int step = 0; step < 150; ++step) {
      const StepReport& report = simulation.step();
      ASSERT_EQ(report.status, SolveStatus::solved) << "drop " << drop << ", step " << step;
      ASSERT_LE(report.energy.contact_work, 1e-12) << "drop " << drop << ", step " << step;
      const Transform X_WB{test::orientation(simulation, 0).toRotationMatrix(), test::position(simulation, 0)};
      const double cores = least_gap(shape, X_WB, HalfSpace{}, {}) + 2 * layer.thickness;
      ASSERT_GT(cores, -1e-9) << "drop " << drop << ", step " << step;
    }
  }
}

/// Two layers of one stiffness, one of which creeps back slowly: what a body that comes back finds is pressed in on one
/// side alone.
TEST(QuasiRigidHardSteps, LayersThatAreNotPressedInAlikeKeepWhatTheyHold) {
  ModelBuilder builder;
  builder.set_gravity({0, 0, -9.81});
  for (const double damping : {0.5, 200.0}) {
    Material material{"damped by " + std::to_string(damping), Vec2(0.5, 0.5), 0.0};
    Layer layer;
    layer.stiffness(2, 2) = 2e4;
    layer.damping(2, 2) = damping;
    material.layer = layer;
    builder.add_material(material);
  }
  const Shape box = Box{{0.3, 0.2, 0.1}};
  builder.set_combination(Combination::maximum, Combination::maximum);
  builder.add_collider({"box", builder.add_body("body", test::solid(box, 10)), box, {}, 0});
  builder.add_collider({"floor", -1, HalfSpace{}, {}, 1});
  State state;
  state.q.resize(7);
  state.q << 1, 0, 0, 0, 0, 0, 0.12;
  state.v.resize(6);
  state.v << 1, 0.5, 0.3, 0.5, 0, 0;
  Simulation simulation(std::make_shared<const Model>(builder.build()), with_step(2e-3, StepperKind::quasi_rigid),
                        state);
  for (int step = 0; step < 1500; ++step) {
    const StepReport& report = simulation.step();
    ASSERT_EQ(report.status, SolveStatus::solved) << step;
    ASSERT_LE(report.energy.contact_work, 1e-11) << step;
  }
  // At rest on two springs in series at each of four corners.
  const double sag = 10 * 9.81 / (4 * 1e4);
  EXPECT_NEAR(test::position(simulation, 0).z(), 0.1 - sag, 1e-6);
}

/// Corners are measured along their normals whatever the deflection of smooth shapes is.
TEST(QuasiRigidHardSteps, ATumblingBoxGainsNothingUnderAnyDeflection) {
  for (const DeflectionMeasure deflection : {DeflectionMeasure::euclidean, DeflectionMeasure::algebraic}) {
    SceneMaker scene(0.3);
    Material soft{"soft", Vec2(0.3, 0.3), 0.0};
    Layer layer;
    layer.stiffness(2, 2) = 1e5;
    layer.thickness = 5e-3;
    soft.layer = layer;
    const int material = scene.builder.add_material(soft);
    const Shape box = Box{{0.2, 0.15, 0.1}};
    scene.builder.add_collider({"box", scene.builder.add_body("body", test::solid(box, 30)), box, {}, material});
    scene.builder.add_collider({"floor", -1, HalfSpace{}, {}, 0});
    State state;
    state.q.resize(7);
    state.q << Eigen::Vector4d(0.9, 0.2, 0.3, 0.1).normalized(), 0, 0, 0.35;
    state.v.resize(6);
    state.v << 3, 1, 0.5, 1, 0, 0;
    Method method = with_step(1e-3, StepperKind::quasi_rigid);
    method.quasi_rigid.deflection = deflection;
    Simulation simulation(scene.model(), method, state);
    for (int step = 0; step < 600; ++step) {
      const StepReport& report = simulation.step();
      ASSERT_EQ(report.status, SolveStatus::solved) << step;
      ASSERT_LE(report.energy.contact_work, 1e-10) << step;
    }
  }
}

/// A step of 10 ms in which bodies turn by up to 0.3 rad. The velocity along the normal at the end, where the gap
/// closes, is not the mean rate of the gap.
TEST(QuasiRigidHardSteps, ContactsGiveNoEnergyWhereNormalsTurnFar) {
  RandomShapes random(73);
  double struck = 0;
  for (int k = 0; k < 20; ++k) {
    SceneMaker scene(k % 2 ? 0.0 : 0.3);
    scene.add_static(HalfSpace{});
    const Shape shape = k % 4 < 2 ? Shape(random.ellipsoid()) : Shape(random.superquadric());
    scene.add(shape, 1, {0, 0, 0.6}, random.in_cube(2), Quaternion(random.rotation()), random.in_cube(15));
    Simulation simulation = scene.simulation(with_step(1e-2, StepperKind::implicit_geometry));
    for (int step = 0; step < 150; ++step) {
      const StepReport& report = simulation.step();
      ASSERT_EQ(report.status, SolveStatus::solved) << "throw " << k << ", step " << step;
      const double scale = report.energy.kinetic + std::abs(report.energy.potential);
      EXPECT_LE(report.energy.contact_work, 1e-12 * scale) << "throw " << k << ", step " << step;
      EXPECT_LT(report.momentum_residual, 1e-9);
      EXPECT_LT(report.penetration, 1e-9);
      struck += report.energy.contact_work < 0;
    }
  }
  EXPECT_GT(struck, 200);
}

/// Two bodies that turn far in a step meet in empty space. A part left out of an impulse is left out on both.
TEST(QuasiRigidHardSteps, LinearMomentumIsKeptWhereNormalsTurnFar) {
  RandomShapes random(74);
  int met = 0;
  for (int k = 0; k < 30; ++k) {
    SceneMaker scene(0.3, 0.0, Vec3::Zero());
    const Vec3 away = 1.2 * random.direction();
    scene.add(random.ellipsoid(), 1, Vec3::Zero(), Vec3::Zero(), Quaternion(random.rotation()), random.in_cube(10));
    scene.add(random.superquadric(), 2, away, -4 * away, Quaternion(random.rotation()), random.in_cube(10));
    Simulation simulation = scene.simulation(with_step(1e-2, StepperKind::implicit_geometry));
    const Vec3 before = test::momentum(simulation.model(), simulation.state()).tail<3>();
    for (int step = 0; step < 60; ++step) {
      const StepReport& report = simulation.step();
      ASSERT_EQ(report.status, SolveStatus::solved) << "pair " << k << ", step " << step;
      const Vec3 after = test::momentum(simulation.model(), simulation.state()).tail<3>();
      EXPECT_LT((after - before).norm(), 1e-12 * before.norm()) << "pair " << k << ", step " << step;
      EXPECT_LT(report.momentum_residual, 1e-9);
      EXPECT_LE(report.energy.contact_work, 1e-12 * report.energy.kinetic);
      met += report.energy.contact_work < 0;
    }
  }
  EXPECT_GT(met, 15);
}

/// A needle thrown at a floor with much friction, by steps in which it turns by half a radian.
Simulation thrown_needle(RandomShapes& random, int halvings, int iterations) {
  SceneMaker scene(10);
  scene.add_static(HalfSpace{});
  const Vec3 velocity(random.between(-10, 10), 0, -10);
  const Quaternion turn(random.rotation());
  scene.add(Ellipsoid{{0.02, 0.02, 0.3}}, 1, {0, 0, 0.35}, velocity, turn, random.in_cube(20));
  Method method = with_step(2e-2, StepperKind::implicit_geometry);
  method.quasi_rigid.halvings = halvings;
  method.quasi_rigid.iterations = iterations;
  return scene.simulation(method);
}

TEST(QuasiRigidHardSteps, ThrownNeedlesTakeStepsInParts) {
  RandomShapes random(75);
  for (int k = 0; k < 30; ++k) {
    Simulation simulation = thrown_needle(random, 4, 60);
    for (int step = 0; step < 10; ++step) {
      const StepReport& report = simulation.step();
      ASSERT_EQ(report.status, SolveStatus::solved) << "throw " << k << ", step " << step;
      EXPECT_LE(report.energy.contact_work, 1e-12 * (1 + report.energy.kinetic)) << "throw " << k << ", step " << step;
      EXPECT_LT(report.penetration, 1e-9) << "throw " << k << ", step " << step;
    }
  }
}

/// If steps may not be cut and Newton's method ends early, some find no motion with all of the friction. They say so
/// and go on with a part of it, if there is a motion without any. They give no energy and let nothing overlap.
TEST(QuasiRigidHardSteps, AThrowWithoutAMotionGoesOnWithLessFriction) {
  RandomShapes random(75);
  int went_on = 0;
  for (int k = 0; k < 100; ++k) {
    Simulation simulation = thrown_needle(random, 0, 12);
    for (int step = 0; step < 3; ++step) {
      const Vec3 before = test::position(simulation, 0);
      const StepReport& report = simulation.step();
      const bool moved = before != test::position(simulation, 0);
      if (report.status != SolveStatus::solved) {
        EXPECT_GT(report.solve_residual, simulation.method().quasi_rigid.tolerance);
        went_on += moved;
      } else {
        EXPECT_TRUE(moved);
      }
      EXPECT_LE(report.energy.contact_work, 1e-12 * (1 + report.energy.kinetic)) << "throw " << k << ", step " << step;
      EXPECT_LT(report.penetration, 1e-9) << "throw " << k << ", step " << step;
    }
  }
  EXPECT_GT(went_on, 0);
}

}  // namespace
}  // namespace carom::quasi_rigid_hard_steps_test
