#include <gtest/gtest.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <cmath>
#include <numbers>

#include "carom/stepper/mass_operator.h"
#include "random_scenes.h"
#include "testing/allocation_count.h"

// dynamics: divide-and-conquer in the steppers, on chains long enough to be cut into several assemblies.
namespace carom::divide_and_conquer_test {
namespace {

/// A chain of balls on spherical and revolute joints in a zigzag, with a side arm now and then. It starts nearly
/// upright and is thrown onto the floor, so that its lower end touches first. If `closed`, its ends are tied to the
/// world and rungs tie its middle, so that there are loops within loops.
test::SceneMaker chain_scene(int links, bool closed, double restitution = 0) {
  test::SceneMaker scene(0.3, restitution, Vec3(0, 0, -9.81));
  Material rubber{"rubber", Vec2(0.3, 0.3), restitution};
  rubber.youngs_modulus = 1e6;
  scene.material = scene.builder.add_material(rubber);
  test::Draw draw{std::mt19937(5)};
  const Quaternion upright = Quaternion::FromTwoVectors(Vec3::UnitX(), Vec3(0.2, 0.1, 1));
  std::vector<int> bodies;
  for (int i = 0; i < links; ++i) {
    const int body = scene.add(Sphere{0.04}, 0.3, Vec3(0, 0, 0.06), Vec3(1, 0.5, -3), upright);
    bodies.push_back(body);
    if (i == 0) continue;
    const bool arm = i % 9 == 8;
    Joint joint;
    joint.name = "joint" + std::to_string(i);
    joint.type = i % 3 == 0 ? JointType::spherical : JointType::revolute;
    joint.parent = bodies[i - (i % 9 == 0 ? 2 : 1)];
    joint.X_PF.R = joint.X_BM.R = contact_frame(i % 2 == 0 ? Vec3::UnitY() : Vec3::UnitZ());
    joint.X_PF.p = arm ? Vec3(0, 0, 0.05) : Vec3(0.05, i % 2 == 0 ? 0.01 : -0.01, 0);
    joint.X_BM.p = -joint.X_PF.p;
    joint.damping = VectorX::Constant(velocity_size(joint), 0.01);
    test::hang(scene, body, joint, draw);
    scene.v.tail(velocity_size(joint)) *= 0.1;
  }
  if (closed) {
    scene.v.setZero();  // which every constraint allows
    const auto tie = [&](int a, int b, ConstraintKind kind) {
      Constraint constraint;
      constraint.name = "tie" + std::to_string(a) + "_" + std::to_string(b);
      constraint.kind = kind;
      constraint.body_a = a;
      constraint.body_b = b;
      const auto model = scene.model();
      DynamicsWorkspace workspace(*model);
      forward_kinematics(*model, scene.q, workspace);
      constraint.X_AF.p = Vec3(0, 0.02, 0);
      const Vec3 point = workspace.X_WB[a] * constraint.X_AF.p;
      constraint.X_BG.p = b < 0 ? point : workspace.X_WB[b].inverse() * point;
      scene.builder.add_constraint(constraint);
    };
    tie(bodies.back(), -1, ConstraintKind::ball);
    tie(bodies[links / 4], bodies[3 * links / 4], ConstraintKind::ball);
    tie(bodies[links / 3], bodies[2 * links / 3], ConstraintKind::ball);
  }
  test::clear_overlaps(scene);
  return scene;
}

double distance(const State& a, const State& b) {
  return (a.v - b.v).cwiseAbs().maxCoeff() / (1 + b.v.cwiseAbs().maxCoeff());
}

struct Cell {
  StepperKind stepper;
  LawKind law;
};

std::vector<Cell> cells() {
  std::vector<Cell> all;
  for (const StepperKind stepper : all_steppers()) {
    for (const LawKind law : all_laws()) {
      if (go_together(stepper, law)) all.push_back({stepper, law});
    }
  }
  return all;
}

class EveryMethod : public testing::TestWithParam<Cell> {};

TEST_P(EveryMethod, MovesALongChainAsTheArticulatedRecursionDoes) {
  const bool restitutes = GetParam().law != LawKind::none && GetParam().law != LawKind::plastic;
  for (const bool closed : {false, true}) {
    const test::SceneMaker scene = chain_scene(40, closed, restitutes ? 0.3 : 0);
    Method method;
    method.stepper = GetParam().stepper;
    method.law = GetParam().law;
    method.step = 1e-3;
    method.tolerance = 1e-8;
    Method other = method;
    other.dynamics = DynamicsKind::divide_and_conquer;
    const std::shared_ptr<const Model> model = scene.model();
    State state = scene.state();
    double strongest = 0;  // change of a velocity in one step
    // Each step from the same state: a trajectory's chaos is none of the algebra's.
    for (int i = 0; i < 12; ++i) {
      Simulation articulated(model, method, state), step(model, other, state);
      const StepReport& report = step.step();
      EXPECT_EQ(report.status, articulated.step().status);
      EXPECT_LT(report.momentum_residual, 1e-9);
      ASSERT_LT(distance(step.state(), articulated.state()), 1e-7) << "closed " << closed << ", step " << i;
      strongest = std::max(strongest, (articulated.state().v - state.v).cwiseAbs().maxCoeff());
      state = articulated.state();
    }
    if (!closed) {
      EXPECT_GT(strongest, 0.3);  // the impact on the floor
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, EveryMethod, testing::ValuesIn(cells()), [](const auto& info) {
  std::string name = stepper_name(info.param.stepper) + "_" + law_name(info.param.law);
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
});

TEST(DivideAndConquerSteps, HaveTheSameBitsOnAnyNumberOfThreads) {
  const test::SceneMaker scene = chain_scene(300, false);
  Method method;
  method.dynamics = DynamicsKind::divide_and_conquer;
  method.step = 1e-3;
  VectorX first;
  for (const int threads : {1, 2, 4}) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    tbb::task_arena arena(threads);
    arena.execute([&] {
      Simulation simulation = scene.simulation(method);
      for (int i = 0; i < 3; ++i) simulation.step();
      if (threads == 1) first = simulation.state().v;
      EXPECT_EQ(simulation.state().v, first);
    });
  }
}

TEST(DivideAndConquerSteps, AllocateNothingForContactsSeenBefore) {
  const test::SceneMaker scene = chain_scene(60, true);
  Method method;
  method.dynamics = DynamicsKind::divide_and_conquer;
  method.step = 1e-3;
  Simulation simulation = scene.simulation(method);
  int most = -1, watched = 0;
  for (int i = 0; i < 60; ++i) {
    const long before = allocation_count();
    const StepReport& report = simulation.step();
    const long made = allocation_count() - before;
    if (report.contacts_considered <= most) {
      ASSERT_EQ(made, 0) << "step " << i;
      ++watched;
    }
    most = std::max(most, report.contacts_considered);
  }
  EXPECT_GT(watched, 20);
}

TEST(DivideAndConquerSteps, AreChosenByName) {
  EXPECT_EQ(parse_dynamics("divide-and-conquer"), DynamicsKind::divide_and_conquer);
  EXPECT_EQ(dynamics_name(DynamicsKind::divide_and_conquer), "divide-and-conquer");
  Method method;
  method.dynamics = DynamicsKind::divide_and_conquer;
  EXPECT_TRUE(method_faults(method).empty());
  method.form = ContactForm::mixed;
  method.cone = FrictionCone::polyhedral;
  ASSERT_EQ(method_faults(method).size(), 1u);
}

}  // namespace
}  // namespace carom::divide_and_conquer_test
