#include <gtest/gtest.h>

#include "random_scenes.h"

// Properties of a step: momentum, energy, equalities, and that nothing passes through anything.
namespace carom::step_test {
namespace {

constexpr double g = 9.81;

TEST(FreeFlight, KeepsMomentumAndSpinEnergyForAnyStep) {
  for (const double h : {0.001, 0.02, 0.3}) {
    test::SceneMaker scene(0, 0, Vec3::Zero());
    scene.add(Box{Vec3(0.1, 0.2, 0.4)}, 2, Vec3(1, 2, 3), Vec3(0.3, -0.2, 0.5), exponential(Vec3(0.3, 0.2, -0.7)),
              Vec3(3, 0.1, 5));
    Method method;
    method.step = h;
    Simulation simulation = scene.simulation(method);
    const double energy = test::energy(simulation.model(), simulation.state());
    const Vec6 momentum = test::momentum(simulation.model(), simulation.state());
    for (int i = 0; i < 1000; ++i) simulation.step();
    EXPECT_NEAR(test::energy(simulation.model(), simulation.state()), energy, 1e-12 * energy);
    const Vec6 after = test::momentum(simulation.model(), simulation.state());
    EXPECT_LT((after - momentum).tail<3>().norm(), 1e-12);
    EXPECT_LT(simulation.certificate().momentum_residual, 1e-12);
  }
}

TEST(FreeFlight, ChainsKeepKineticEnergyAndMomentum) {
  std::vector<double> drift;
  for (const double h : {0.004, 0.002, 0.001}) {
    test::SceneMaker scene(0, 0, Vec3::Zero());
    int parent =
        scene.add(Box{Vec3(0.1, 0.05, 0.05)}, 1, Vec3::Zero(), Vec3(0.2, 0, 0), Quaternion::Identity(), Vec3(0, 1, 2));
    for (int i = 0; i < 4; ++i) {
      const int body = scene.builder.add_body("link" + std::to_string(i), test::solid(Box{Vec3(0.1, 0.03, 0.03)}, 0.5));
      Joint joint;
      joint.name = "hinge" + std::to_string(i);
      joint.type = JointType::revolute;
      joint.parent = parent;
      joint.X_PF.p.x() = 0.12;
      joint.X_PF.R = exponential(Vec3(0.8 * i, 0.3, 0)).toRotationMatrix();
      joint.X_BM.p.x() = -0.12;
      scene.builder.add_joint(body, joint);
      scene.q.conservativeResize(scene.q.size() + 1);
      scene.q.tail<1>().setConstant(0.3);
      scene.v.conservativeResize(scene.v.size() + 1);
      scene.v.tail<1>().setConstant(2.0 - i);
      parent = body;
    }
    Method method;
    method.step = h;
    Simulation simulation = scene.simulation(method);
    const double energy = test::energy(simulation.model(), simulation.state());
    const Vec6 momentum = test::momentum(simulation.model(), simulation.state());
    while (simulation.state().time < 1) simulation.step();
    EXPECT_NEAR(test::energy(simulation.model(), simulation.state()), energy, 1e-11 * energy);
    drift.push_back((test::momentum(simulation.model(), simulation.state()) - momentum).norm());
  }
  for (const double d : drift) EXPECT_LT(d, 1e-10);
}

TEST(FreeFlight, ExplicitGyroscopicTermsGainEnergyAsThePapersFormDoes) {
  test::SceneMaker scene(0, 0, Vec3::Zero());
  scene.add(Box{Vec3(0.1, 0.2, 0.4)}, 2, Vec3::Zero(), Vec3::Zero(), Quaternion::Identity(), Vec3(3, 0.1, 5));
  Method method;
  method.step = 0.01;
  method.gyroscopic = GyroscopicTerms::explicit_form;
  Simulation simulation = scene.simulation(method);
  const double energy = test::energy(simulation.model(), simulation.state());
  for (int i = 0; i < 300; ++i) simulation.step();
  EXPECT_GT(test::energy(simulation.model(), simulation.state()), 1.001 * energy);
}

TEST(Collision, OfTwoFreeBodiesKeepsTheirMomentumAndLosesEnergy) {
  test::SceneMaker scene(0.5, 0, Vec3::Zero());
  scene.add(Sphere{0.1}, 1, Vec3(-0.5, 0.05, 0), Vec3(3, 0, 0.1), Quaternion::Identity(), Vec3(1, 2, 3));
  scene.add(Capsule{0.05, 0.2}, 2, Vec3(0, 0, 0.1));
  Method method;
  method.step = 0.001;
  Simulation simulation = scene.simulation(method);
  const double energy = test::energy(simulation.model(), simulation.state());
  const Vec6 momentum = test::momentum(simulation.model(), simulation.state());
  bool touched = false;
  for (int i = 0; i < 500; ++i) touched = !simulation.step().events.empty() || touched;
  EXPECT_TRUE(touched);
  const Vec6 change = test::momentum(simulation.model(), simulation.state()) - momentum;
  EXPECT_LT(change.tail<3>().norm(), 1e-12);
  // Friction acts at both surfaces, which the step leaves a gap apart: a torque of first order in h.
  EXPECT_LT(change.head<3>().norm(), 0.01 * momentum.head<3>().norm());
  EXPECT_LT(test::energy(simulation.model(), simulation.state()), energy);
}

TEST(EnergyLedger, ClosesAndFreeMotionErrorFallsAtFirstOrder) {
  // Scenes without a spring so stiff on a body so light that these steps are too long to see its order.
  for (const unsigned seed : {1u, 5u, 12u, 34u, 58u}) {
    std::vector<double> errors;
    for (const double h : {0.002, 0.001, 0.0005, 0.00025}) {
      const test::SceneMaker scene = test::random_scene(seed);
      Method method;
      method.step = h;
      Simulation simulation = scene.simulation(method);
      const double start = test::energy(simulation.model(), simulation.state());
      double sum = 0;
      while (simulation.state().time < 0.1 - 0.5 * h) sum += simulation.step().energy.free_motion_error;
      const EnergyLedger& total = simulation.certificate().energy;
      const double end = test::energy(simulation.model(), simulation.state());
      EXPECT_NEAR(end - start,
                  total.contact_work + total.opposed_work + total.push_out + total.projection + sum - total.damping,
                  1e-9 * (std::abs(start) + std::abs(end)));
      errors.push_back(std::abs(sum));
    }
    EXPECT_LT(errors[3], 0.65 * errors[2]) << "seed " << seed;
    EXPECT_LT(errors[3], errors[0]) << "seed " << seed;
  }
}

TEST(Forms, PureMixedArticulatedAndDenseAgree) {
  for (const unsigned seed : {2u, 9u, 21u, 77u}) {
    const test::SceneMaker scene = test::random_scene(seed);
    Method method;
    method.step = 0.002;
    method.cone = FrictionCone::polyhedral;  // of the mixed form
    Simulation articulated = scene.simulation(method);
    method.dynamics = DynamicsKind::dense;
    Simulation dense = scene.simulation(method);
    method.form = ContactForm::mixed;
    Simulation mixed = scene.simulation(method);
    // Each step from the same state: a trajectory's chaos is none of the algebra's.
    for (int i = 0; i < 60; ++i) {
      const State before = articulated.state();
      Method m = method;
      Simulation dense_step(
          scene.model(),
          [&] {
            m.form = ContactForm::pure;
            return m;
          }(),
          before);
      Simulation mixed_step(scene.model(), method, before);
      articulated.step();
      dense_step.step();
      mixed_step.step();
      const double scale = 1 + articulated.state().v.cwiseAbs().maxCoeff();
      ASSERT_LT((articulated.state().v - dense_step.state().v).cwiseAbs().maxCoeff(), 1e-7 * scale) << seed << " " << i;
      ASSERT_LT((articulated.state().v - mixed_step.state().v).cwiseAbs().maxCoeff(), 1e-7 * scale) << seed << " " << i;
    }
  }
}

TEST(Simulation, OfNothingThatMovesJustPasses) {
  test::SceneMaker scene(0.5);
  const int post = scene.builder.add_body("post", test::solid(Sphere{0.1}, 1));
  Joint weld;
  weld.name = "weld";
  weld.type = JointType::fixed;
  scene.builder.add_joint(post, weld);
  for (const StepperKind stepper :
       {StepperKind::stewart_trinkle, StepperKind::anitescu_potra, StepperKind::stewart_trinkle_nonlinear}) {
    Method method;
    method.stepper = stepper;
    Simulation simulation = scene.simulation(method);
    EXPECT_EQ(simulation.step().status, SolveStatus::solved);
    EXPECT_EQ(simulation.state().step, 1);
  }
}

TEST(Tunnelling, AFastBallDoesNotPassThroughAnother) {
  for (const StepperKind stepper :
       {StepperKind::stewart_trinkle, StepperKind::anitescu_potra, StepperKind::stewart_trinkle_nonlinear}) {
    test::SceneMaker scene(0, 0, Vec3::Zero());
    scene.add(Sphere{0.01}, 1, Vec3(-0.5, 0, 0), Vec3(200, 0, 0));  // 2 m a step
    scene.add(Sphere{0.05}, 1, Vec3(0.4, 0, 0));
    Method method;
    method.step = 0.01;
    method.stepper = stepper;
    Simulation simulation = scene.simulation(method);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(simulation.step().status, SolveStatus::solved);
    EXPECT_GT(test::velocity(simulation, 1).x(), 50) << stepper_name(stepper);
    EXPECT_LE(test::velocity(simulation, 0).x(), test::velocity(simulation, 1).x() + 1) << stepper_name(stepper);
    EXPECT_LT(test::position(simulation, 0).x(), test::position(simulation, 1).x());
  }
}

TEST(Tunnelling, AFastPointDoesNotPassThroughAThinPlate) {
  test::SceneMaker scene(0.2, 0, Vec3::Zero());
  const int plate = scene.add(Box{Vec3(1, 1, 0.005)}, 50, Vec3(0, 0, 0));
  const int ball = scene.add(Sphere{0.002}, 0.01, Vec3(0.1, 0.2, 0.3), Vec3(1, 0.3, -150));
  (void)plate;
  Method method;
  method.step = 0.01;
  Simulation simulation = scene.simulation(method);
  for (int i = 0; i < 10; ++i) simulation.step();
  EXPECT_GT(test::position(simulation, ball).z(), test::position(simulation, plate).z());
}

TEST(AnitescuPotra, ProjectsDriftBackAndBooksItsEnergy) {
  // A capsule tumbling over the floor: the velocity form drifts into it, the projection lifts it out.
  test::SceneMaker scene(0.3);
  scene.add_static(HalfSpace{});
  scene.add(Capsule{0.05, 0.3}, 1, Vec3(0, 0, 0.5), Vec3(1, 0, 0), exponential(Vec3(0.4, 1.2, 0)), Vec3(3, 4, 1));
  Method method;
  method.step = 0.01;
  method.stepper = StepperKind::anitescu_potra;
  Simulation simulation = scene.simulation(method);
  double lifted = 0;
  for (int i = 0; i < 300; ++i) {
    const StepReport& report = simulation.step();
    EXPECT_EQ(report.status, SolveStatus::solved);
    EXPECT_LE(report.penetration, 1e-11);
    EXPECT_GE(report.energy.projection, -1e-12);
    lifted += report.energy.projection;
  }
  EXPECT_GT(lifted, 0);
}

TEST(AnitescuPotra, LeavesNothingHovering) {
  for (const double h : {0.02, 0.005}) {
    test::SceneMaker scene(0.5);
    scene.add_static(HalfSpace{});
    scene.add(Box{Vec3(0.1, 0.1, 0.05)}, 1, Vec3(0, 0, 0.433), Vec3(0.2, 0, -1));
    scene.add(Sphere{0.07}, 1, Vec3(1, 0, 0.517), Vec3(0, 0, -3));
    Method method;
    method.step = h;
    method.stepper = StepperKind::anitescu_potra;
    Simulation simulation = scene.simulation(method);
    while (simulation.state().time < 1) EXPECT_EQ(simulation.step().status, SolveStatus::solved);
    EXPECT_NEAR(test::position(simulation, 0).z(), 0.05, 1e-9) << h;
    EXPECT_NEAR(test::position(simulation, 1).z(), 0.07, 1e-9) << h;
    EXPECT_LT(test::velocity(simulation, 0).norm() + test::velocity(simulation, 1).norm(), 1e-9) << h;
  }
}

TEST(Limits, StopAPendulumAndADoorPushesNothing) {
  test::SceneMaker scene(0);
  const int body = scene.builder.add_body("bob", test::solid(Sphere{0.05}, 1));
  Joint joint;
  joint.name = "pivot";
  joint.type = JointType::revolute;
  joint.X_PF.R = exponential(Vec3(-1.5707963267948966, 0, 0)).toRotationMatrix();  // axis along the world's y
  joint.X_BM.p = Vec3(-0.5, 0, 0);
  joint.lower = VectorX::Constant(1, -0.2);
  joint.upper = VectorX::Constant(1, 0.4);
  scene.builder.add_joint(body, joint);
  scene.q = VectorX::Zero(1);
  scene.v = VectorX::Zero(1);
  Method method;
  method.step = 0.002;
  Simulation simulation = scene.simulation(method);
  for (int i = 0; i < 1000; ++i) {
    const StepReport& report = simulation.step();
    EXPECT_EQ(report.status, SolveStatus::solved);
    EXPECT_LE(report.constraint_drift, 1e-12);
  }
  const double q = simulation.state().q[0];
  EXPECT_TRUE(std::abs(q - 0.4) < 1e-12 || std::abs(q + 0.2) < 1e-12) << q;
  EXPECT_LT(std::abs(simulation.state().v[0]), 1e-12);
  ASSERT_EQ(simulation.state().contacts.size(), 1u);
  // At rest the joint limit carries gravity's moment m g l cos q over the step.
  EXPECT_NEAR(simulation.state().contacts[0].impulse[2], 1 * g * 0.5 * std::cos(q) * method.step, 1e-12);
}

TEST(Damping, AndSpringsAreStableForAnyStiffness) {
  for (const double stiffness : {1.0, 1e4, 1e8}) {
    for (const double damping : {0.0, 1.0, 1e6}) {
      test::SceneMaker scene(0, 0, Vec3::Zero());
      const int body = scene.builder.add_body("slider", test::solid(Sphere{0.05}, 1));
      Joint joint;
      joint.name = "rail";
      joint.type = JointType::prismatic;
      joint.stiffness = VectorX::Constant(1, stiffness);
      joint.damping = VectorX::Constant(1, damping);
      scene.builder.add_joint(body, joint);
      scene.q = VectorX::Constant(1, 0.1);
      scene.v = VectorX::Zero(1);
      Method method;
      method.step = 0.01;
      Simulation simulation = scene.simulation(method);
      double energy = test::energy(simulation.model(), simulation.state());
      for (int i = 0; i < 200; ++i) {
        simulation.step();
        const double now = test::energy(simulation.model(), simulation.state());
        ASSERT_LE(now, energy * (1 + 1e-12)) << stiffness << " " << damping << " " << i;
        energy = now;
      }
    }
  }
}

TEST(Resuming, FromAStateIsTheSameRun) {
  const test::SceneMaker scene = test::random_scene(64);
  Method method;
  method.step = 0.004;
  Simulation whole = scene.simulation(method);
  for (int i = 0; i < 60; ++i) whole.step();
  Simulation rest(scene.model(), method, whole.state());
  for (int i = 0; i < 60; ++i) {
    const std::size_t events = whole.step().events.size();
    EXPECT_EQ(rest.step().events.size(), events);
    ASSERT_TRUE(identical(whole.state(), rest.state())) << "step " << i;
  }
}

}  // namespace
}  // namespace carom::step_test
