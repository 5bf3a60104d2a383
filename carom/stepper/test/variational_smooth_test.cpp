#include <gtest/gtest.h>

#include <cstdlib>

#include "carom/dynamics/centroidal.h"
#include "carom/dynamics/joint_kinematics.h"
#include "carom/stepper/test/mechanisms.h"
#include "testing/models/random_tree.h"
#include "testing/models/reference_models.h"

namespace carom::test {
namespace {

Method without_contacts(double step) {
  Method method;
  method.stepper = StepperKind::variational;
  method.law = LawKind::newton;
  method.step = step;
  return method;
}

Method reference(double step) {
  Method method = without_contacts(step);
  method.stepper = StepperKind::event_driven;
  method.tolerance = 1e-12;
  return method;
}

State start(const VectorX& q, const VectorX& v) {
  State state;
  state.q = q;
  state.v = v;
  return state;
}

std::shared_ptr<const Model> shared(Model model) { return std::make_shared<const Model>(std::move(model)); }

/// Two rods of 1 m and 1 kg that hang from the world in the plane x–z.
Model double_pendulum() {
  ModelBuilder builder;
  builder.set_gravity(Vec3(0, 0, -9.81));
  int parent = -1;
  for (int i = 0; i < 2; ++i) {
    const int rod =
        builder.add_body("rod" + std::to_string(i), {1, Vec3(0, 0, -0.5), Vec3(1.0 / 12, 1.0 / 12, 1e-3).asDiagonal()});
    Joint joint;
    joint.type = JointType::revolute;
    joint.parent = parent;
    joint.X_PF.R = joint.X_BM.R = contact_frame(Vec3::UnitY());
    if (i > 0) joint.X_PF.p = Vec3(0, 0, -1);
    builder.add_joint(rod, joint);
    parent = rod;
  }
  return builder.build();
}

State run(const std::shared_ptr<const Model>& model, const Method& method, State state, int steps) {
  Simulation simulation(model, method, std::move(state));
  for (int i = 0; i < steps; ++i) {
    const StepReport& report = simulation.step();
    EXPECT_EQ(report.status, SolveStatus::solved) << "step " << i;
    EXPECT_LT(report.momentum_residual, 1e-11) << "step " << i;
  }
  return simulation.state();
}

double distance(const Model& model, const State& a, const State& b) {
  VectorX apart;
  difference(model, a.q, b.q, apart);
  return apart.norm();
}

TEST(VariationalSmooth, DoublePendulumConvergesWithTheSquareOfTheStep) {
  const auto model = shared(double_pendulum());
  const State from = start(Vec2(0.8, 0.3), Vec2(0, 0));
  const State exact = run(model, reference(0.1), from, 10);
  double before = 0;
  for (int i = 0; i < 4; ++i) {
    const int steps = 50 << i;
    const State end = run(model, without_contacts(1.0 / steps), from, steps);
    const double error = (end.q - exact.q).norm() + (end.v - exact.v).norm();
    if (i > 0) {
      EXPECT_NEAR(std::log2(before / error), 2, 0.1) << steps;
    }
    before = error;
  }
}

/// The energy of a regular motion swings with the square of the step, and does not drift. Its mean over windows of a
/// thousand steps stays where it was.
TEST(VariationalSmooth, DoublePendulumsEnergyDoesNotDrift) {
  const int steps = std::getenv("CAROM_LONG") != nullptr ? 1000000 : 20000;
  const auto model = shared(double_pendulum());
  Simulation simulation(model, without_contacts(0.01), start(Vec2(0.3, 0.2), Vec2(0, 0)));
  const double at_rest = energy(*model, start(Vec2(0, 0), Vec2(0, 0)));
  const double whole = energy(*model, simulation.state()) - at_rest;
  const int window = 1000;
  double first = 0, mean = 0, low = whole, high = whole;
  for (int i = 0; i < steps; ++i) {
    const StepReport& report = simulation.step();
    const double now = report.energy.kinetic + report.energy.potential - at_rest;
    low = std::min(low, now);
    high = std::max(high, now);
    mean += now / window;
    if ((i + 1) % window != 0) continue;
    if (i + 1 == window) first = mean;
    EXPECT_NEAR(mean, first, 2e-5 * whole) << i;
    mean = 0;
  }
  EXPECT_LT(high - low, 2e-3 * whole);
}

/// Trees of any joints on a free body in free flight: linear and angular momentum to round-off, whatever the step.
TEST(VariationalSmooth, FreeMechanismsKeepTheirMomentum) {
  for (int seed = 0; seed < 12; ++seed) {
    Random random(seed);
    TreeOptions options;
    options.bodies = 5;
    options.new_root = 0;
    options.springs = 3;
    options.reflected = 0;
    ModelBuilder builder;
    builder.set_gravity(Vec3::Zero());
    const int base = builder.add_body("base", random.inertia());
    Joint joint;
    joint.type = JointType::free;
    joint.X_BM = random.transform(0.3);
    builder.add_joint(base, joint);
    for (int i = 1; i < options.bodies; ++i) {
      const int body = builder.add_body("link" + std::to_string(i), random.inertia());
      const JointType types[] = {JointType::spherical, JointType::revolute, JointType::universal, JointType::free,
                                 JointType::cylindrical};
      Joint link = random_joint(random, types[random.index(5)], options);
      link.parent = i == 1 ? base : random.index(i);
      link.damping.setZero(velocity_size(link));
      if (has_scalar_coordinates(link.type)) {
        link.friction.setZero(velocity_size(link));
        link.lower.setConstant(velocity_size(link), -1e9);
        link.upper.setConstant(velocity_size(link), 1e9);
      }
      builder.add_joint(body, link);
    }
    const auto model = shared(builder.build());
    Simulation simulation(model, without_contacts(0.02),
                          start(random_position(*model, random), random.vector(model->velocity_count(), 1)));
    const Vec6 before = momentum(*model, simulation.state());
    for (int i = 0; i < 200; ++i) EXPECT_EQ(simulation.step().status, SolveStatus::solved) << seed << " " << i;
    const Vec6 after = momentum(*model, simulation.state());
    EXPECT_LT((after - before).norm(), 1e-12 * (1 + before.norm())) << seed;
  }
}

/// A spin about a principal axis turns by its exact angle; a tumbling body keeps its energy near and its momentum.
TEST(VariationalSmooth, FreeBodySpins) {
  SceneMaker scene(0, 0.0, Vec3::Zero());
  scene.add(Shape(Box{Vec3(0.1, 0.2, 0.3)}), 1, Vec3::Zero(), Vec3(1, 2, 3), Quaternion::Identity(), Vec3(0, 0, 7));
  Simulation simulation = scene.simulation(without_contacts(0.1));
  for (int i = 0; i < 10; ++i) EXPECT_EQ(simulation.step().status, SolveStatus::solved);
  const Quaternion exact(std::cos(3.5), 0, 0, std::sin(3.5));
  EXPECT_NEAR(std::abs(orientation(simulation, 0).dot(exact)), 1, 1e-14);
  EXPECT_LT((position(simulation, 0) - Vec3(1, 2, 3)).norm(), 1e-13);
}

/// Backwards from where it went, with velocities turned round, it comes back: the discrete flow is symmetric.
TEST(VariationalSmooth, IsReversibleInTime) {
  for (int seed = 0; seed < 8; ++seed) {
    Random random(seed);
    TreeOptions options;
    options.bodies = 4;
    options.springs = 4;
    options.types = {JointType::revolute, JointType::spherical, JointType::free, JointType::universal,
                     JointType::prismatic};
    const Model random_model = random_tree(random, options);
    ModelBuilder builder;
    builder.set_gravity(random_model.gravity());
    for (int i = 0; i < random_model.body_count(); ++i) {
      Joint joint = random_model.joints()[i];
      joint.damping.setZero();
      if (has_scalar_coordinates(joint.type)) {
        joint.friction.setZero();
        joint.lower.setConstant(-1e9);
        joint.upper.setConstant(1e9);
      }
      const int body = builder.add_body("body" + std::to_string(i), random_model.bodies()[i].inertia);
      builder.add_joint(body, joint);
    }
    const auto model = shared(builder.build());
    const State from = start(random_position(*model, random), random.vector(model->velocity_count(), 0.5));
    State there = run(model, without_contacts(0.01), from, 50);
    there.v = -there.v;
    const State back = run(model, without_contacts(0.01), there, 50);
    EXPECT_LT(distance(*model, from, back), 1e-10) << seed;
    EXPECT_LT((from.v + back.v).norm(), 1e-10) << seed;
  }
}

/// The whole scene turned and moved: the same motion, turned and moved.
TEST(VariationalSmooth, DoesNotKnowTheFrame) {
  Random random(3);
  const Mat3 turn = random.rotation();
  const auto tumbler = [&](const Mat3& R) {
    ModelBuilder builder;
    builder.set_gravity(R * Vec3(0, 0, -9.81));
    const int a = builder.add_body("a", {1, Vec3(0.1, 0.2, 0), Vec3(0.2, 0.3, 0.4).asDiagonal()});
    Joint free;
    free.X_PF.R = R;
    builder.add_joint(a, free);
    const int b = builder.add_body("b", {2, Vec3(0, 0, -0.3), Vec3(0.3, 0.3, 0.1).asDiagonal()});
    Joint ball;
    ball.type = JointType::spherical;
    ball.parent = a;
    ball.X_PF.p = Vec3(0.5, 0, 0);
    builder.add_joint(b, ball);
    return shared(builder.build());
  };
  VectorX q(11), v(9);
  q << 1, 0, 0, 0, 1, 2, 3, 1, 0, 0, 0;
  v << 1, -2, 0.5, 0.1, 0.2, 0.3, 2, 1, -1;
  const State plain = run(tumbler(Mat3::Identity()), without_contacts(0.01), start(q, v), 100);
  const State turned = run(tumbler(turn), without_contacts(0.01), start(q, v), 100);
  EXPECT_LT((plain.q - turned.q).norm(), 1e-11);
  EXPECT_LT((plain.v - turned.v).norm(), 1e-11);
}

/// In the limit the motion is that of the integration with error control: springs, dampers, drives and every joint.
TEST(VariationalSmooth, ConvergesToTheIntegratedMotion) {
  for (int seed = 20; seed < 26; ++seed) {
    Random random(seed);
    TreeOptions options;
    options.bodies = 4;
    options.springs = 10;
    options.types = {JointType::revolute, JointType::spherical, JointType::free, JointType::universal};
    const auto model = shared(random_tree(random, options));
    const State from = start(random_position(*model, random), random.vector(model->velocity_count(), 0.3));
    const State exact = run(model, reference(0.2), from, 1);
    double before = 0;
    for (const int steps : {40, 80, 160}) {
      const State end = run(model, without_contacts(0.2 / steps), from, steps);
      const double error = distance(*model, end, exact) + (end.v - exact.v).norm();
      if (before > 1e-9) {
        EXPECT_NEAR(std::log2(before / error), 2, 0.25) << seed << " " << steps;
      }
      before = error;
    }
  }
}

/// The humanoid needs no more than twelve evaluations in a step, each a forward dynamics or less.
TEST(VariationalSmooth, HumanoidNeedsFewEvaluations) {
  const auto model = shared(humanoid());
  Random random(1);
  Simulation simulation(model, without_contacts(0.005),
                        start(random_position(*model, random), random.vector(model->velocity_count(), 1)));
  for (int i = 0; i < 40; ++i) {
    const StepReport& report = simulation.step();
    EXPECT_EQ(report.status, SolveStatus::solved);
    EXPECT_LE(report.fixed_point_iterations, 12) << i;
  }
}

TEST(VariationalSmooth, ResumedRunsHaveTheSameBits) {
  const auto model = shared(humanoid());
  Random random(1);
  const State from = start(random_position(*model, random), random.vector(model->velocity_count(), 1));
  Simulation whole(model, without_contacts(0.005), from);
  for (int i = 0; i < 10; ++i) (void)whole.step();
  const State middle = whole.state();
  Simulation rest(model, without_contacts(0.005), middle);
  for (int i = 0; i < 10; ++i) {
    (void)whole.step();
    (void)rest.step();
  }
  EXPECT_TRUE(identical(whole.state(), rest.state()));
}

}  // namespace
}  // namespace carom::test
