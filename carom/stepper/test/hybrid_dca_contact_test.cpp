#include <gtest/gtest.h>

#include <cmath>

#include "mechanisms.h"

// Contacts, rebounds and loops of stepper hybrid-dca against closed forms.
namespace carom::hybrid_dca_contact_test {
namespace {

Method hybrid(double step, LawKind law = LawKind::none, Rebound rebound = Rebound::located) {
  Method method;
  method.stepper = StepperKind::hybrid_dca;
  method.cone = FrictionCone::polyhedral;
  method.law = law;
  method.rebound = rebound;
  method.step = step;
  return method;
}

test::SceneMaker ball(double height, double restitution, double speed = 0, double gravity = 9.81) {
  test::SceneMaker scene(0, restitution, Vec3(0, 0, -gravity));
  scene.add_static(HalfSpace{});
  scene.add(Sphere{0.1}, 2, Vec3(0, 0, 0.1 + height), Vec3(0, 0, speed));
  return scene;
}

double speed_of(const Simulation& simulation) { return test::velocity(simulation, 0).z(); }

/// Eq. (16): one step brings the ball to rest, the next throws it back with a part of the speed that it came with.
TEST(HybridDcaRebound, OfOneStepsMemoryFollowsItsRecursion) {
  for (const double e : {0.7, 1.0, 0.3}) {
    const double h = 1e-3, g = 9.81;
    // A speed that no whole number of steps takes back: nothing lands on the floor by round-off.
    Simulation simulation = ball(0.05, e, -0.0123).simulation(hybrid(h, LawKind::newton, Rebound::next_step));
    double z = 0.05, v = -0.0123, owed = 0;
    int rebounds = 0;
    for (int i = 0; i < 1500; ++i) {
      const double before = v, least = owed > 0 ? std::max(-z / h, e * owed) : -z / h;
      v -= h * g;
      const bool presses = v < least;
      if (presses) v = least;
      rebounds += owed > 0;
      owed = presses && owed == 0 && -before > h * g ? -before : 0;
      z += h * v;
      ASSERT_EQ(simulation.step().status, SolveStatus::solved);
      ASSERT_NEAR(speed_of(simulation), v, 1e-9) << i;
      ASSERT_NEAR(test::position(simulation, 0).z(), 0.1 + z, 1e-9) << i;
    }
    EXPECT_GT(rebounds, 3);
    if (e == 0.3) {
      EXPECT_EQ(v, 0);
    }
  }
}

/// Rebound that a step owes is part of the state: a run that goes on from a copy has the same bits.
TEST(HybridDcaRebound, GoesOnFromAState) {
  const test::SceneMaker scene = ball(0.05, 0.7);
  const Method method = hybrid(1e-3, LawKind::newton, Rebound::next_step);
  Simulation whole = scene.simulation(method);
  int owing = 0;
  for (int i = 0; i < 400; ++i) {
    Simulation part(scene.model(), method, whole.state());
    whole.step();
    part.step();
    ASSERT_TRUE(identical(whole.state(), part.state())) << i;
    owing += !whole.state().contacts.empty() && whole.state().contacts[0].approach > 0;
  }
  EXPECT_GE(owing, 2);
}

/// A box that strikes another may have other numbers for its corners in the next step, since either box may be the
/// reference then. Their owed rebound stays.
TEST(HybridDcaRebound, OfABoxOnABoxIsNotLost) {
  const double e = 0.6, h = 1e-3, g = 9.81;
  for (int trial = 0; trial < 40; ++trial) {
    const double turn = 0.037 * trial, tilt = (trial % 5 - 2) * 1e-9;
    test::SceneMaker scene(0, e, Vec3(0, 0, -g));
    scene.add_static(Box{Vec3(0.2, 0.2, 0.1)}, {Mat3::Identity(), Vec3(0, 0, -0.1)});
    const Quaternion lie = Quaternion(Eigen::AngleAxisd(turn, Vec3::UnitZ())) *
                           Quaternion(Eigen::AngleAxisd(tilt, Vec3(1, 0.3, 0).normalized()));
    scene.add(Box{Vec3(0.2, 0.2, 0.1)}, 1, Vec3(0, 0, 0.1005), Vec3(0, 0, -1), lie);
    Simulation simulation = scene.simulation(hybrid(h, LawKind::newton, Rebound::next_step));
    double approach = 0, after = 0;
    for (int i = 0; i < 5; ++i) {
      const double before = -speed_of(simulation);
      ASSERT_EQ(simulation.step().status, SolveStatus::solved);
      const double now = speed_of(simulation);
      if (approach == 0 && now > -0.9) approach = before;
      after = std::max(after, now);
    }
    EXPECT_GT(approach, 0.99) << trial;
    EXPECT_NEAR(after, e * approach, 1e-6) << trial;
  }
}

std::vector<double> impact_times(double e, double h, double until) {
  Simulation simulation = ball(0.2, e).simulation(hybrid(h, LawKind::newton));
  std::vector<double> times;
  while (simulation.state().time < until - 1e-9) {
    const StepReport& report = simulation.step();
    EXPECT_EQ(report.status, SolveStatus::solved);
    for (const ImpactReport& impact : report.impacts) {
      times.push_back(impact.time);
      const ImpactContact& struck = report.struck[impact.first_contact];
      EXPECT_NEAR(struck.after[2], -e * struck.before[2], 1e-9);
    }
  }
  return times;
}

/// Located bounces come at the times of the closed form, to first order in h. A step's fall is g h²/2 too long, so the
/// first touch comes h/2 too early. Every further flight is a step shorter, and a bounce loses g h of its speed. The
/// third touch is (1/2 + (1 + e) + (1 + e)²) h early.
TEST(HybridDcaRebound, LocatedBouncesConvergeToTheClosedForm) {
  const double e = 0.7, fall = std::sqrt(2 * 0.2 / 9.81);
  double last = 0;
  for (const double h : {4e-3, 2e-3, 1e-3}) {
    const std::vector<double> times = impact_times(e, h, 0.8);
    ASSERT_GE(times.size(), 3u);
    double exact = fall, error = 0;
    for (int k = 0; k < 3; ++k) {
      error = std::max(error, std::abs(times[k] - exact));
      exact += 2 * std::pow(e, k + 1) * fall;
    }
    EXPECT_NEAR(error, (0.5 + (1 + e) + (1 + e) * (1 + e)) * h, 0.1 * h);
    if (last > 0) {
      EXPECT_LT(error, 0.65 * last);
    }
    last = error;
  }
}

/// Bounces down to rest end, whatever the step.
TEST(HybridDcaRebound, LocatedBouncesEndAtRest) {
  for (const double h : {1e-3, 1e-2, 3e-2}) {
    Simulation simulation = ball(0.2, 0.7).simulation(hybrid(h, LawKind::newton));
    const double end = std::sqrt(2 * 0.2 / 9.81) * (1 + 0.7) / (1 - 0.7);
    test::run(simulation, end + 30 * h + 0.1);
    EXPECT_NEAR(speed_of(simulation), 0, 1e-12) << h;
    EXPECT_NEAR(test::position(simulation, 0).z(), 0.1, 1e-6) << h;
  }
}

/// Several bounces within each step: between two walls without gravity and loss the way is a zigzag.
TEST(HybridDcaRebound, MeetsSeveralBouncesInAStep) {
  test::SceneMaker scene = ball(0.01, 1, 2, 0);
  Transform ceiling;
  ceiling.R = contact_frame(-Vec3::UnitZ());
  ceiling.p.z() = 0.25;
  scene.add_static(HalfSpace{}, ceiling);  // 0.05 m to fly
  Simulation simulation = scene.simulation(hybrid(0.1, LawKind::newton));
  for (int i = 1; i <= 20; ++i) {
    EXPECT_EQ(simulation.step().impacts.size(), 4u) << i;
    const double way = std::fmod(0.01 + 2 * 0.1 * i, 0.1);
    EXPECT_NEAR(test::position(simulation, 0).z() - 0.1, way < 0.05 ? way : 0.1 - way, 1e-4) << i;
    EXPECT_NEAR(std::abs(speed_of(simulation)), 2, 1e-9);
  }
}

/// A box on a slope sticks or slides as its friction says.
TEST(HybridDcaFriction, ABoxOnASlopeSticksOrSlides) {
  const double angle = 0.4, g = 9.81, h = 5e-3;
  for (const double friction : {0.5, 0.3}) {
    const Vec3 gravity(g * std::sin(angle), 0, -g * std::cos(angle));
    test::SceneMaker scene(friction, 0.0, gravity);
    scene.add_static(HalfSpace{});
    scene.add(Box{Vec3(0.3, 0.2, 0.02)}, 1.5, Vec3(0, 0, 0.02));
    Method method = hybrid(h);
    method.cone = FrictionCone::exact;
    Simulation simulation = scene.simulation(method);
    for (int i = 1; i <= 100; ++i) {
      const StepReport& report = simulation.step();
      ASSERT_EQ(report.status, SolveStatus::solved);
      const double slide = std::max(0.0, std::sin(angle) - friction * std::cos(angle)) * g * h * i;
      ASSERT_NEAR(test::velocity(simulation, 0).x(), slide, 1e-8) << i;
      ASSERT_NEAR(test::velocity(simulation, 0).z(), 0, 1e-9);
    }
  }
}

/// Apart from gravity, the impulses of contacts are the change of the mechanism's momentum.
TEST(HybridDcaFriction, ContactsGiveWhatMomentumChangesBy) {
  test::SceneMaker scene(0.3);
  scene.add_static(HalfSpace{});
  scene.add(Sphere{0.1}, 1, Vec3(0, 0, 0.11), Vec3(1, 0.5, -2), Quaternion::Identity(), Vec3(3, 1, -2));
  scene.add(Capsule{0.05, 0.2}, 0.5, Vec3(0.4, 0, 0.06), Vec3(-1, 0, -1));
  Simulation simulation = scene.simulation(hybrid(2e-3));
  int pressing = 0;
  for (int i = 0; i < 300; ++i) {
    const Vec6 before = test::momentum(simulation.model(), simulation.state());
    const StepReport& report = simulation.step();
    ASSERT_EQ(report.status, SolveStatus::solved);
    Vec3 given = 2e-3 * 1.5 * Vec3(0, 0, -9.81);
    for (const ContactReport& contact : report.contacts) {
      if (contact.body_b < 0) given += contact.R_WC * contact.impulse;
      pressing += contact.impulse[2] > 0;
    }
    const Vec6 after = test::momentum(simulation.model(), simulation.state());
    ASSERT_LT(((after - before).tail<3>() - given).norm(), 1e-10) << i;
  }
  EXPECT_GT(pressing, 50);
}

/// A pendulum as a tree, and as a free body that a ball ties to the world.
State swing(bool loop, double h, double until) {
  ModelBuilder builder;
  builder.set_gravity(Vec3(0, 0, -9.81));
  const int body = builder.add_body("bob", {1, Vec3::Zero(), Vec3(0.01, 0.02, 0.015).asDiagonal()});
  State state;
  if (loop) {
    Constraint ball;
    ball.name = "pivot";
    ball.kind = ConstraintKind::ball;
    ball.body_a = body;
    ball.X_AF.p = Vec3(0, 0, 0.5);
    ball.X_BG.p = Vec3(0.5, 0, 0);
    builder.add_constraint(ball);
    state.q.resize(7);
    state.q << std::cos(M_PI / 4), 0, std::sin(M_PI / 4), 0, 0, 0, 0;
    state.v.setZero(6);
  } else {
    Joint joint;
    joint.name = "pivot";
    joint.type = JointType::spherical;
    joint.X_PF.p = Vec3(0.5, 0, 0);
    joint.X_BM.p = Vec3(0, 0, 0.5);
    builder.add_joint(body, joint);
    state.q.resize(4);
    state.q << std::cos(M_PI / 4), 0, std::sin(M_PI / 4), 0;
    state.v.setZero(3);
  }
  Simulation simulation(std::make_shared<const Model>(builder.build()), hybrid(h), state);
  test::run(simulation, until);
  return simulation.state();
}

TEST(HybridDcaLoops, APendulumTiedByABallSwingsAsOneOnAJoint) {
  double last = 0;
  for (const double h : {4e-3, 2e-3, 1e-3}) {
    const double apart = (swing(true, h, 0.6).q.head<4>() - swing(false, h, 0.6).q).norm();
    EXPECT_LT(apart, 5 * h);
    if (last > 0) {
      EXPECT_LT(apart, 0.65 * last);
    }
    last = apart;
  }
}

/// In motion the steps differ from stewart-trinkle's by the place of their linearisation: O(h²) a step.
TEST(HybridDcaLoops, AStepIsThatOfStewartTrinkleToSecondOrder) {
  double last = 0;
  for (const double h : {8e-3, 4e-3, 2e-3}) {
    ModelBuilder builder;
    builder.set_gravity(Vec3(0, 0, -9.81));
    for (int i = 0; i < 4; ++i) {
      builder.add_body("link" + std::to_string(i), {1, Vec3(0.1, 0, 0), Vec3(0.01, 0.02, 0.02).asDiagonal()});
      Joint joint;
      joint.name = "joint" + std::to_string(i);
      joint.type = JointType::revolute;
      joint.parent = i - 1;
      joint.X_PF.p = Vec3(0.2, 0, 0);
      joint.X_PF.R = joint.X_BM.R = contact_frame(Vec3(0, 1, 0.3 * i).normalized());
      builder.add_joint(i, joint);
    }
    const auto model = std::make_shared<const Model>(builder.build());
    State state;
    state.q = VectorX::LinSpaced(4, -0.5, 1);
    state.v = VectorX::LinSpaced(4, 3, -2);
    Method other = hybrid(h);
    other.stepper = StepperKind::stewart_trinkle;
    Simulation one(model, hybrid(h), state), two(model, other, state);
    one.step();
    two.step();
    const double apart = (one.state().v - two.state().v).norm();
    EXPECT_GT(apart, 0);
    if (last > 0) {
      EXPECT_NEAR(last / apart, 4, 0.5);
    }
    last = apart;
  }
}

/// A body that stands still, to which others can be tied that meet the world.
int stand(test::SceneMaker& scene) {
  const int body = scene.builder.add_body("stand", {1, Vec3::Zero(), Vec3(1, 1, 1).asDiagonal()});
  Joint joint;
  joint.name = "foot";
  joint.type = JointType::fixed;
  scene.builder.add_joint(body, joint);
  return body;
}

/// A box that a weld holds in its place, its face that far from a floor.
test::SceneMaker welded_box(double gap, const Vec3& gravity) {
  test::SceneMaker scene(0.5, 0.0, gravity);
  scene.add_static(HalfSpace{});
  const int box = scene.add(Box{Vec3(0.2, 0.1, 0.05)}, 1, Vec3(0.3, -0.2, 0.05 + gap));
  Constraint weld;
  weld.name = "weld";
  weld.kind = ConstraintKind::weld;
  weld.body_a = box;
  weld.body_b = stand(scene);
  weld.X_AF = {contact_frame(Vec3(0.3, 0.5, 0.7).normalized()), Vec3(0.37, -0.13, 0.21)};
  weld.X_BG = Transform{Mat3::Identity(), Vec3(0.3, -0.2, 0.05 + gap)} * weld.X_AF;
  scene.builder.add_constraint(weld);
  return scene;
}

/// Such a contact can do nothing: closed it bears nothing, and an overlap of it has no solution.
TEST(HybridDcaLoops, AContactOfWhatLoopsHoldRigidBearsNothing) {
  for (const ContactForm form : {ContactForm::pure, ContactForm::handles, ContactForm::contact_bodies}) {
    for (const double gap : {0.0, 1e-9, -1e-6}) {
      Method method = hybrid(0.01);
      method.form = form;
      Simulation simulation = welded_box(gap, Vec3(0.4, 0.3, -9.81)).simulation(method);
      SCOPED_TRACE(gap);
      for (int i = 0; i < (gap >= 0 ? 5 : 1); ++i) {
        const StepReport& report = simulation.step();
        EXPECT_EQ(report.status == SolveStatus::solved, gap >= 0) << form_name(form) << ", " << gap;
        ASSERT_EQ(report.contacts.size(), 4u);
        for (const ContactReport& contact : report.contacts) EXPECT_EQ(contact.impulse.norm(), 0);
        EXPECT_LT(simulation.state().v.norm(), 1e-12);
        EXPECT_LT(report.contact_certificate.bilateral_residual, 1e-9);
        EXPECT_NEAR(Eigen::Map<const Vec6>(report.constraint_impulses.data()).head<3>().norm(),
                    0.01 * Vec3(0.4, 0.3, -9.81).norm(), 1e-9);
      }
    }
  }
}

/// A hand on a ratchet whose end is tied to the world.
TEST(HybridDcaLoops, ARatchetThatALoopHoldsRigidBearsNothing) {
  for (const Ratchet way : {Ratchet::forward, Ratchet::backward}) {
    ModelBuilder builder;
    builder.set_gravity(Vec3(0, 0, -9.81));
    const int hand = builder.add_body("hand", {1, Vec3(0.2, 0.1, 0), Vec3(0.01, 0.02, 0.015).asDiagonal()});
    Joint hub;
    hub.name = "hub";
    hub.type = JointType::revolute;
    hub.X_PF.R = hub.X_BM.R = contact_frame(Vec3(0.1, 1, 0.2).normalized());
    hub.ratchet = {way};
    builder.add_joint(hand, hub);
    Constraint tie;
    tie.name = "tie";
    tie.kind = ConstraintKind::ball;
    tie.body_a = hand;
    tie.X_AF.p = tie.X_BG.p = Vec3(0.43, 0.17, -0.29);
    builder.add_constraint(tie);
    State state;
    state.q.setZero(1);
    state.v.setZero(1);
    Simulation simulation(std::make_shared<const Model>(builder.build()), hybrid(0.01), state);
    for (int i = 0; i < 5; ++i) {
      const StepReport& report = simulation.step();
      EXPECT_EQ(report.status, SolveStatus::solved);
      for (const ContactReport& contact : report.contacts) EXPECT_EQ(contact.impulse.norm(), 0);
      EXPECT_LT(std::abs(simulation.state().v[0]), 1e-12);
    }
  }
}

/// Without gravity nothing moves except to clear the overlap of one contact. The residual of the loop's rows has no
/// other velocities to be judged by.
TEST(HybridDcaLoops, RowsAtRestAreJudgedByWhatContactsAskFor) {
  test::SceneMaker scene(0.3, 0.0, Vec3::Zero());
  scene.add_static(HalfSpace{});
  const int ball = scene.add(Sphere{0.1}, 1, Vec3(0.2, 0.1, 0.1 - 1e-5));
  Constraint tie;
  tie.name = "tie";
  tie.kind = ConstraintKind::ball;
  tie.body_a = ball;
  tie.body_b = stand(scene);
  tie.X_AF.p = Vec3(0.31, 0.17, 0.05);
  tie.X_BG.p = Vec3(0.51, 0.27, 0.15 - 1e-5);
  scene.builder.add_constraint(tie);
  Method method = hybrid(0.01);
  method.overlap = OverlapRemedy::push;
  Simulation simulation = scene.simulation(method);
  const StepReport& report = simulation.step();
  EXPECT_EQ(report.status, SolveStatus::solved);
  ASSERT_EQ(report.contacts.size(), 1u);
  EXPECT_GT(report.contacts[0].impulse[2], 0);
  EXPECT_NEAR(report.contacts[0].velocity[2], 1e-3, 1e-12);
  EXPECT_LT(report.contact_certificate.bilateral_residual, 1e-9);
}

TEST(HybridDcaMethod, SaysWhatItDoesNotTake) {
  Method method = hybrid(1e-3);
  EXPECT_TRUE(method_faults(method).empty());
  EXPECT_FALSE(has_impacts(method));
  method.law = LawKind::newton;
  EXPECT_TRUE(method_faults(method).empty());
  EXPECT_TRUE(has_impacts(method));
  method.rebound = Rebound::next_step;
  EXPECT_FALSE(has_impacts(method));
  method.law = LawKind::poisson;
  ASSERT_EQ(method_faults(method).size(), 1u);
  EXPECT_NE(method_faults(method)[0].find("Newton's hypothesis alone"), std::string::npos);
  method = hybrid(1e-3);
  method.form = ContactForm::mixed;
  ASSERT_EQ(method_faults(method).size(), 1u);
  EXPECT_NE(method_faults(method)[0].find("choose form pure, handles or contact-bodies"), std::string::npos);
  method.form = ContactForm::handles;
  EXPECT_TRUE(method_faults(method).empty());
  method.cone = FrictionCone::exact;
  EXPECT_EQ(method_faults(method).size(), 1u);
  method.cone = FrictionCone::polyhedral;
  method.stepper = StepperKind::stewart_trinkle;
  ASSERT_EQ(method_faults(method).size(), 1u);
  EXPECT_NE(method_faults(method)[0].find("only stepper hybrid-dca makes"), std::string::npos);
}

}  // namespace
}  // namespace carom::hybrid_dca_contact_test
