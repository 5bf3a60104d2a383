// Parts of the study of impacts: a mechanism's impact, paths along the impulse, motion on compliant contacts.
#include "carom/validation/mechanism_impact.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "carom/error.h"
#include "carom/scene/scene.h"
#include "carom/validation/compliant_motion.h"
#include "carom/validation/first_touch.h"
#include "carom/validation/impulse_path.h"
#include "testing/allocation_count.h"
#include "testing/folders.h"

namespace carom::mechanism_impact_test {
namespace {

Scene scene_of(const std::string& name) { return load_scene(source_folder() + "/scenes/uchida2015/" + name + ".yaml"); }

MechanismImpact impact_at_start(const Scene& scene) {
  MechanismImpact impact(scene.model);
  impact.find(scene.initial.q, scene.initial.v, 1e-9);
  return impact;
}

TEST(MechanismImpact, IsThatOfARigidBody) {
  const Scene scene = scene_of("brick_on_face");
  const MechanismImpact impact = impact_at_start(scene);
  ASSERT_EQ(impact.contact_count(), 4);
  const Vec3 inertia(2 * 0.52 / 12, 2 * 0.8 / 12, 2 * 1.0 / 12);
  for (int i = 0; i < 4; ++i) {
    EXPECT_LE((impact.u().segment<3>(3 * i) - Vec3(-2, 0, -8.84)).norm(), 1e-14);
    EXPECT_EQ(impact.block(i).friction, Vec2(0.2, 0.2));
    for (int j = 0; j < 4; ++j) {
      const auto cross = [&](int corner) {
        const Vec3 r = impact.contact(corner).p_WA - Vec3(0, 0, 0.3);
        Mat3 matrix;
        matrix << 0, -r.z(), r.y(), r.z(), 0, -r.x(), -r.y(), r.x(), 0;
        return matrix;
      };
      const Mat3 expected =
          Mat3::Identity() / 2 + cross(i) * inertia.cwiseInverse().asDiagonal() * cross(j).transpose();
      EXPECT_LE((impact.A().block<3, 3>(3 * i, 3 * j) - expected).norm(), 1e-13) << i << j;
    }
  }
}

TEST(MechanismImpact, ContactsWithoutFrictionAreTheirNormals) {
  const Scene scene = scene_of("row_of_balls");
  MechanismImpact impact = impact_at_start(scene);
  ASSERT_EQ(impact.u().size(), 4);
  EXPECT_LE((impact.u() - Eigen::Vector4d(-2, 0, 0, 0)).norm(), 1e-15);
  MatrixX expected = 2 * MatrixX::Identity(4, 4);
  for (int i = 0; i < 3; ++i) expected(i, i + 1) = expected(i + 1, i) = -1;
  EXPECT_LE((impact.A() - expected).norm(), 1e-14);
  VectorX v = scene.initial.v;
  impact.add_response(Eigen::Vector4d(2, 0, 0, 0), v);  // 2 N s stops the first ball and gives the second its speed
  impact.find(scene.initial.q, v, 1e-9);
  EXPECT_LE((impact.u() - Eigen::Vector4d(2, -2, 0, 0)).norm(), 1e-14);
}

TEST(MechanismImpact, RepeatedImpactsAllocateNothing) {
  for (const char* name : {"brick_on_face", "row_of_balls"}) {
    const Scene scene = scene_of(name);
    MechanismImpact impact = impact_at_start(scene);
    ImpactSurface surface;
    surface.restitution = Restitution(ConstantRestitution{1});
    PlusLaw law;
    VectorX impulse(impact.u().size()), velocity(impact.u().size()), v = scene.initial.v;
    const auto strike = [&] {
      impact.find(scene.initial.q, scene.initial.v, 1e-9);
      impact.set_surface(surface);
      EXPECT_EQ(law.solve(impact.problem(), {}, impulse, velocity).status, ImpactStatus::resolved);
      v = scene.initial.v;
      impact.add_response(impulse, v);
    };
    strike();
    const long before = allocation_count();
    strike();
    EXPECT_EQ(allocation_count(), before) << name;
  }
}

TEST(ImpulsePath, IsStraightBetweenItsPoints) {
  ImpulsePath a, b;
  a.add({4, 0, -2}, {0, 0, 0});
  a.add({0, 0, 2}, {-1, 0, 2});
  b.add({4, 1, -2}, {0, 0, 0});
  b.add({1, 1, 1}, {-0.75, 0, 1.5});
  b.add({1, 1, 3}, {-0.75, 0, 2.5});
  EXPECT_EQ(a.compression(), 1);
  EXPECT_EQ(a.at(1.5).first, Vec3(1, 0, 1));
  EXPECT_EQ(a.at(1.5).second, Vec3(-0.75, 0, 1.5));
  EXPECT_EQ(a.at(9).first, Vec3(0, 0, 2));
  const PathDistance apart = distance(a, b);  // (1, 1) m/s at the end of a, of b's impulse still −0.75
  EXPECT_NEAR(apart.velocity, std::sqrt(2.0), 1e-15);
  EXPECT_NEAR(apart.impulse, 0.25, 1e-15);
}

TEST(KellerPath, ASlipThatDoesNotTurnHasItsClosedForm) {
  // A point of 2 kg that slides and comes to rest after 4 N s of friction.
  const Mat3 A = Mat3::Identity() / 2;
  const ImpulsePath path = keller_path(A, {1.2, 1.6, -5}, 0.5, 0.4, 2e-3);
  EXPECT_NEAR(path.normal.back(), 10 * 1.4, 1e-12);
  EXPECT_NEAR(path.rolls_at, 8, 1e-6);
  EXPECT_NEAR(path.compression(), 10, 1e-12);
  EXPECT_EQ(path.rolling_phase(), 1);
  EXPECT_LE((path.impulse.back() - Vec3(-2.4, -3.2, 14)).norm(), 1e-8);
  EXPECT_LE((path.at(4).first - Vec3(0.6, 0.8, -3)).norm(), 1e-6);
  EXPECT_EQ(keller_path(A, {12, 16, -5}, 0.5, 0.4, 2e-3).rolling_phase(), 0);
}

TEST(FirstTouch, TakesAsLongAsAFallingBodyDoes) {
  const Scene scene = parse_scene(R"(
carom: 1
gravity: [0, 0, -9.81]
materials: [{name: all, friction: 0}]
world: {shapes: [{type: half-space, normal: [0, 0, 1], point: [0, 0, 0]}]}
bodies:
  - {name: carriage, inertia: {mass: 1, moments: [1, 1, 1]}}
  - {name: ball, shapes: [{type: sphere, radius: 0.1}], mass: 1}
joints:
  - {name: rail, type: prismatic, parent: world, child: carriage, axis: [0, 0, 1], position: 0.6}
  - {name: axle, type: revolute, parent: carriage, child: ball}
method: {stepper: stewart-trinkle, step: 0.01}
duration: 1
)",
                                  "rail.yaml");
  const State touch = first_touch(scene, scene.initial, 1);
  EXPECT_NEAR(touch.time, std::sqrt(2 * 0.5 / 9.81), 1e-12);
  EXPECT_NEAR(touch.v[0], -std::sqrt(2 * 0.5 * 9.81), 1e-11);
  EXPECT_THROW(first_touch(scene, scene.initial, 0.1), Error);
}

TEST(CompliantMotion, ABallReboundsAsHuntAndCrossleySay) {
  // α (s + r) = ln((1 + α s) / (1 − α r)), α = 3/2 c.
  const Scene scene = parse_scene(R"(
carom: 1
gravity: [0, 0, 0]
materials: [{name: all, friction: 0.3}]
world: {shapes: [{type: half-space, normal: [0, 0, 1], point: [0, 0, 0]}]}
bodies: [{name: ball, shapes: [{type: sphere, radius: 0.1}], mass: 1, position: [0, 0, 0.1], velocity: [3, 4, -2]}]
method: {stepper: stewart-trinkle, step: 0.01}
duration: 1
)",
                                  "ball.yaml");
  CompliantMotionOptions options;
  options.surface.stiffness = hertz_stiffness(0.1, 10e9);
  options.friction = 0.1;
  options.dissipation = 0.3;
  const CompliantMotion motion = move_through(scene.model, scene.initial, options);
  const std::size_t last = motion.trace.time.size() - 1;
  const double alpha = 0.45, s = 2, r = motion.trace.velocity_at(last)[2];
  EXPECT_NEAR(alpha * (s + r), std::log((1 + alpha * s) / (1 - alpha * r)), 1e-4);
  EXPECT_NEAR(motion.end.q[6], 0.1, 1e-6);
  const Vec3 impulse = motion.trace.impulse_at(last);
  EXPECT_NEAR(impulse[2], s + r, 1e-9);
  EXPECT_NEAR(impulse[0], -0.1 * 0.6 * (s + r), 1e-9);  // it slides throughout, straight on
  EXPECT_NEAR(impulse[1], -0.1 * 0.8 * (s + r), 1e-9);
}

}  // namespace
}  // namespace carom::mechanism_impact_test
