#include "carom/stepper/kinetic_scaling.h"

#include <gtest/gtest.h>

#include "carom/dynamics/joint_kinematics.h"
#include "carom/stepper/mean_velocity.h"
#include "carom/stepper/test/mechanisms.h"
#include "testing/models/random_tree.h"

// A turn without forces is scaled to the energy and momentum that it began with, where positions end.
namespace carom::kinetic_scaling_test {
namespace {

Model floating(Random& random) {
  ModelBuilder builder;
  builder.set_gravity(Vec3::Zero());
  for (int i = 0; i < 4; ++i) {
    Joint joint;
    joint.name = "joint" + std::to_string(i);
    joint.type = i == 0 ? JointType::free : i == 2 ? JointType::spherical : JointType::revolute;
    joint.parent = i - 1;
    joint.X_PF = random.transform(0.4);
    joint.X_BM = random.transform(0.4);
    builder.add_joint(builder.add_body("body" + std::to_string(i), random.inertia()), joint);
  }
  return builder.build();
}

TEST(KineticScaling, KeepsEnergyAndMomentumOfATurn) {
  Random random(11);
  for (int trial = 0; trial < 40; ++trial) {
    const Model model = floating(random);
    const int n = model.velocity_count();
    State start, end;
    start.q = random_position(model, random);
    start.v = random.vector(n, 1);
    const std::vector<double> weights(trial % 2 == 0 ? 0 : static_cast<std::size_t>(model.body_count()), 0.5);
    const double h = 0.01;
    VectorX v = start.v + random.vector(n, 0.01);  // a turn that is a little wrong
    KineticScaling scaling(model);
    DynamicsWorkspace scratch(model);
    scaling.apply(model, {start.q, start.v, start.v, h, weights}, scratch, v);
    VectorX path(n);
    mean_velocity(model, weights, start.v, v, path);
    end.q.resize(start.q.size());
    end.v.resize(n);
    integrate(model, start.q, path, h, end.q);
    transport_velocity(model, start.q, end.q, v, end.v);
    const double energy = test::energy(model, start);
    EXPECT_NEAR(test::energy(model, end), energy, 1e-12 * energy) << trial;
    const Vec6 momentum = test::momentum(model, start);
    EXPECT_LT((test::momentum(model, end) - momentum).norm(), 1e-12 * momentum.norm()) << trial;
  }
}

/// Body by body: a weight of 1 leaves the end, one of ½ gives the mean, and none is the end.
TEST(MeanVelocity, WeighsTheEndBodyByBody) {
  ModelBuilder builder;
  for (int i = 0; i < 2; ++i) builder.add_body("body" + std::to_string(i), test::solid(Sphere{0.1}, 1));
  const Model model = builder.build();
  const VectorX start = VectorX::Constant(12, 1), end = VectorX::Constant(12, 4);
  VectorX mean(12);
  mean_velocity(model, {1, 0.5}, start, end, mean);
  EXPECT_EQ(mean.head<6>(), VectorX::Constant(6, 4));
  EXPECT_EQ(mean.tail<6>(), VectorX::Constant(6, 2.5));
  mean_velocity(model, {}, start, end, mean);
  EXPECT_EQ(mean, end);
}

}  // namespace
}  // namespace carom::kinetic_scaling_test
