#include "carom/dynamics/point_spring.h"

#include <gtest/gtest.h>

#include "carom/dynamics/recursions.h"
#include "carom/dynamics/row_velocity.h"
#include "testing/models/random_tree.h"

// Springs between points of random trees and of the world: forces, energies and powers belong together.
namespace carom::point_spring_test {
namespace {

constexpr SpringSide sides[] = {SpringSide::both, SpringSide::pull, SpringSide::push};

/// Five bodies on random joints in two trees or more, without gravity, and six springs of all sides.
Model strung(Random& random, double damping) {
  ModelBuilder builder;
  builder.set_gravity(Vec3::Zero());
  for (int i = 0; i < 5; ++i) {
    builder.add_body("body" + std::to_string(i), random.inertia());
    JointType type = JointType::fixed;
    while (type == JointType::fixed) type = joint_types[random.index(static_cast<int>(std::size(joint_types)))];
    Joint joint = random_joint(random, type);
    joint.stiffness = joint.damping = VectorX();
    if (i > 0 && i != 3) joint.parent = random.index(i);
    builder.add_joint(i, joint);
  }
  for (int i = 0; i < 6; ++i) {
    Constraint spring;
    spring.name = "spring" + std::to_string(i);
    spring.kind = ConstraintKind::spring;
    spring.body_a = random.index(5);
    spring.body_b = i % 2 == 0 ? -1 : (spring.body_a + 1 + random.index(4)) % 5;
    spring.X_AF = random.transform(0.5);
    spring.X_BG = random.transform(0.5);
    spring.length = random.uniform(0, 2);
    spring.stiffness = random.uniform(1, 100);
    spring.side = sides[i % 3];
    if (spring.side == SpringSide::both) spring.damping = damping * random.uniform(0, 5);
    builder.add_constraint(spring);
  }
  return builder.build();
}

double energy(const Model& model, const VectorX& q) {
  DynamicsWorkspace workspace(model);
  forward_kinematics(model, q, workspace);
  return point_spring_energy(model, workspace);
}

TEST(PointSpring, ForceIsTheSlopeOfTheEnergy) {
  for (int seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Model model = strung(random, 0);
    const VectorX q = random_position(model, random), v = random.vector(model.velocity_count(), 1);
    DynamicsWorkspace workspace(model);
    forward_kinematics(model, q, workspace);
    VectorX tau = VectorX::Zero(model.velocity_count());
    EXPECT_EQ(add_point_springs(model, v, workspace, tau), 0);
    constexpr double h = 1e-5;
    VectorX ahead, behind;
    integrate(model, q, v, h, ahead);
    integrate(model, q, v, -h, behind);
    const double slope = (energy(model, ahead) - energy(model, behind)) / (2 * h);
    EXPECT_NEAR(tau.dot(v), -slope, 1e-7 * (1 + std::abs(slope)));
  }
}

TEST(PointSpring, DampingTakesThePowerThatItSays) {
  for (int seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Model model = strung(random, 1);
    const VectorX q = random_position(model, random), v = random.vector(model.velocity_count(), 1);
    DynamicsWorkspace workspace(model);
    forward_kinematics(model, q, workspace);
    forward_velocity(model, q, v, workspace);
    VectorX moving = VectorX::Zero(model.velocity_count()), still = moving;
    const double damped = add_point_springs(model, v, workspace, moving);
    add_point_springs(model, VectorX::Zero(v.size()), workspace, still);
    EXPECT_GE(damped, 0);
    EXPECT_NEAR((moving - still).dot(v), -damped, 1e-12 * (1 + damped));
    for (const Constraint& constraint : model.constraints()) {
      const PointSpring spring = point_spring(constraint, workspace);
      const double expected = row_velocity(spring.row, v, workspace);
      EXPECT_NEAR(approach_of(model, spring.row, v, workspace), expected, 1e-12 * (1 + std::abs(expected)));
    }
  }
}

/// The tension of a spring at one length, side by side.
TEST(PointSpring, OneSidePullsOrPushes) {
  Constraint spring;
  spring.kind = ConstraintKind::spring;
  spring.length = 1;
  spring.stiffness = 10;
  for (const double length : {0.5, 1.0, 1.5}) {
    const double tension = 10 * (length - 1);
    spring.side = SpringSide::both;
    EXPECT_EQ(tension_of(spring, length, 0), tension);
    EXPECT_EQ(energy_of(spring, length), 0.05 * tension * tension);
    spring.side = SpringSide::pull;
    EXPECT_EQ(tension_of(spring, length, 0), std::max(0.0, tension));
    EXPECT_EQ(energy_of(spring, length) > 0, length > 1);
    spring.side = SpringSide::push;
    EXPECT_EQ(tension_of(spring, length, 0), std::min(0.0, tension));
    EXPECT_EQ(energy_of(spring, length) > 0, length < 1);
  }
}

/// Free bodies that springs join, turned and moved with the whole scene: forces turn along, and their sum is nothing.
TEST(PointSpring, ForcesAreEqualAndOppositeWhereverTheyAre) {
  for (int seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    ModelBuilder builder;
    for (int i = 0; i < 2; ++i) builder.add_body(std::to_string(i), random.inertia());
    Constraint spring;
    spring.name = "spring";
    spring.kind = ConstraintKind::spring;
    spring.body_a = 0;
    spring.body_b = 1;
    spring.X_AF = random.transform(1);
    spring.X_BG = random.transform(1);
    spring.stiffness = 50;
    spring.damping = 3;
    builder.add_constraint(spring);
    const Model model = builder.build();
    const VectorX q = random_position(model, random), v = random.vector(model.velocity_count(), 1);
    DynamicsWorkspace workspace(model);
    forward_kinematics(model, q, workspace);
    VectorX tau = VectorX::Zero(12);
    add_point_springs(model, v, workspace, tau);
    Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
    for (int body = 0; body < 2; ++body) {
      const Mat3& R = workspace.X_WB[body].R;
      const Vec3 push = R * tau.segment<3>(6 * body + 3);
      force += push;
      moment += R * tau.segment<3>(6 * body) + workspace.X_WB[body].p.cross(push);
    }
    EXPECT_LT(force.norm(), 1e-12 * tau.norm());
    EXPECT_LT(moment.norm(), 1e-12 * tau.norm());
    VectorX turned = q;
    const Mat3 R = random.rotation();
    for (int body = 0; body < 2; ++body) {
      const Quaternion own(q[7 * body], q[7 * body + 1], q[7 * body + 2], q[7 * body + 3]);
      const Quaternion after = Quaternion(R) * own;
      turned.segment<4>(7 * body) << after.w(), after.x(), after.y(), after.z();
      turned.segment<3>(7 * body + 4) = R * q.segment<3>(7 * body + 4) + Vec3(1, 2, 3);
    }
    forward_kinematics(model, turned, workspace);
    VectorX after = VectorX::Zero(12);
    add_point_springs(model, v, workspace, after);  // v is in the bodies' own axes
    EXPECT_LT((after - tau).norm(), 1e-12 * tau.norm());
  }
}

}  // namespace
}  // namespace carom::point_spring_test
