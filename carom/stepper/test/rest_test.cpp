// Rest by friction between several points, and between points and joints, event-driven. Tests thresholds of sliding and
// tilting, at which the least-norm distribution of the load would give up too early.

#include <gtest/gtest.h>

#include <cmath>

#include "carom/stepper/event_driven/rest_problem.h"
#include "carom/stepper/test/mechanisms.h"

namespace carom::rest_test {
namespace {

constexpr double g = 9;

Method exact_motion(double step = 0.01) {
  Method method;
  method.stepper = StepperKind::event_driven;
  method.law = LawKind::plus;
  method.step = step;
  method.cone = FrictionCone::exact;
  return method;
}

void run(Simulation& simulation, double until, std::vector<Event>* events = nullptr) {
  while (simulation.state().time < until - 1e-9) {
    const StepReport& report = simulation.step();
    ASSERT_EQ(report.status, SolveStatus::solved) << report.time;
    ASSERT_LT(report.events.size(), 50u) << "modes that change over and over, until " << report.time;
    if (events != nullptr) events->insert(events->end(), report.events.begin(), report.events.end());
  }
}

/// A floor under gravity that leans: `along` of it lies in the floor.
struct Leaning : test::SceneMaker {
  Leaning(const Vec2& along, double friction, double static_friction) : SceneMaker(0) {
    builder = ModelBuilder();
    builder.set_gravity(Vec3(along.x(), along.y(), -g));
    Material rough{"rough", Vec2(friction, friction), 0.0};
    rough.static_friction = Vec2(static_friction, static_friction);
    material = builder.add_material(rough);
    add_static(HalfSpace{});
  }
  /// A body of 1 kg on `points` small balls, which lie on a circle of radius 0.5 m, the first at the angle 0. Its
  /// centre of mass is `high` above the floor, and `aside` from the middle.
  void add_table(int points, double high, const Vec2& aside = Vec2::Zero()) {
    constexpr double ball = 0.05;
    const int body = builder.add_body("table", {1, Vec3(aside.x(), aside.y(), 0), Mat3::Identity() * 0.1});
    for (int i = 0; i < points; ++i) {
      const double angle = 2 * M_PI * i / points;
      Transform X;
      X.p = Vec3(0.5 * std::cos(angle), 0.5 * std::sin(angle), ball - high);
      builder.add_collider({"foot" + std::to_string(i), body, Sphere{ball}, X, material});
    }
    q.resize(7);
    q << 1, 0, 0, 0, 0, 0, high;
    v.setZero(6);
  }
};

/// Gravity pulls a box along with more than sliding friction and less than static. It stays, at all four corners. With
/// impulses of least norm the two corners that bear less would slide.
TEST(Rest, ABoxBetweenSlidingAndStaticFrictionStays) {
  for (const double pull : {4.0, 4.49, 4.51}) {
    Leaning scene(Vec2(pull, 0), 0.4, 0.5);
    scene.add(Box{Vec3(0.1, 0.1, 0.1)}, 1, Vec3(0, 0, 0.1));
    Simulation simulation = scene.simulation(exact_motion());
    run(simulation, 0.5);
    const double expected = pull > 0.5 * g ? (pull - 0.4 * g) * 0.5 : 0;
    EXPECT_NEAR(test::velocity(simulation, 0).x(), expected, 1e-6) << pull;
    EXPECT_LE(simulation.state().v.head<3>().norm(), 1e-9) << pull;
  }
}

/// A table on N feet stays below μ_s and slides above, whatever the direction of the pull and the place of its centre
/// of mass. Friction lets feet bear in proportion to their load, so they hold as much as one that bears it all.
TEST(Rest, ATableSlidesAtTheAngleOfStaticFriction) {
  constexpr double sliding = 0.3, holding = 0.5;
  for (const int feet : {3, 4, 5, 6, 8}) {
    for (const Vec2& aside : {Vec2(0, 0), Vec2(0.15, 0.05), Vec2(-0.1, 0.12)}) {
      for (const double angle : {0.0, 0.7, 2.5}) {
        for (const double share : {0.999, 1.001}) {
          SCOPED_TRACE(std::to_string(feet) + " feet, " + std::to_string(angle) + ", " + std::to_string(share));
          const Vec2 way(std::cos(angle), std::sin(angle));
          Leaning scene(share * holding * g * way, sliding, holding);
          scene.add_table(feet, 0.15, aside);
          Simulation simulation = scene.simulation(exact_motion());
          run(simulation, 0.02);
          const Vec3 v = test::velocity(simulation, 0) +
                         Vec3(test::orientation(simulation, 0) *
                              Vec3(simulation.state().v.head<3>()).cross(Vec3(aside.x(), aside.y(), 0)));
          if (share < 1) {
            EXPECT_LE(simulation.state().v.norm(), 1e-9);
          } else {
            EXPECT_GT(v.head<2>().norm(), 0.5 * (holding - sliding) * g * 0.02);
          }
        }
      }
    }
  }
}

/// The same under friction that holds beyond the pull that tilts it: g_t high = g_n edge. Here edge is the way from
/// below the centre of mass to the line between two feet. The pull points halfway between these.
TEST(Rest, ATableTiltsWhereItsWeightLeavesItsFeet) {
  constexpr double high = 0.9;
  for (const int feet : {3, 4, 5, 6, 8}) {
    const double edge = 0.5 * std::cos(M_PI / feet), angle = M_PI / feet;
    for (const double share : {0.3, 0.9, 0.999, 1.001}) {
      SCOPED_TRACE(std::to_string(feet) + " feet, " + std::to_string(share));
      const double pull = share * g * edge / high;
      Leaning scene(pull * Vec2(std::cos(angle), std::sin(angle)), 0.7, 0.7);
      scene.add_table(feet, high);
      Simulation simulation = scene.simulation(exact_motion());
      run(simulation, 0.05);
      if (share < 1) {
        EXPECT_LE(simulation.state().v.norm(), 1e-9);
      } else {
        // About that edge: (I + m (high² + edge²)) ω̇ = m (g_t high − g_n edge)
        const double inertia = 0.1 + high * high + edge * edge;
        const double expected = (pull * high - g * edge) / inertia * 0.05;
        EXPECT_NEAR(simulation.state().v.head<3>().norm(), expected, 0.05 * expected);
      }
    }
  }
}

/// A pull that grows: the table lets go when the pull is μ_s m g; from then on sliding friction brakes it.
TEST(Rest, AGrowingPullIsHeldUntilItsTime) {
  constexpr double rate = 3, sliding = 0.3, holding = 0.5;
  Leaning scene(Vec2::Zero(), sliding, holding);
  scene.add_table(4, 0.15, Vec2(0.1, 0));
  AppliedWrench wrench;
  wrench.name = "pull";
  wrench.body = 0;
  wrench.point = Vec3(0.1, 0, 0);
  wrench.force = Vec3(0, 1, 0);
  wrench.scale.polynomial = {0, rate};
  scene.builder.add_wrench(wrench);
  Simulation simulation = scene.simulation(exact_motion(0.1));
  std::vector<Event> events;
  run(simulation, 1.7, &events);
  const double time = holding * g / rate;
  int slides = 0;
  for (const Event& event : events) {
    if (event.kind != EventKind::slide) continue;
    ++slides;
    EXPECT_NEAR(event.time, time, 1e-5);
  }
  EXPECT_EQ(slides, 4);
  // m v̇ = rate t − μ m g
  const double t = 1.7 - time;
  EXPECT_NEAR(test::velocity(simulation, 0).y(), (holding - sliding) * g * t + 0.5 * rate * t * t, 1e-4);
}

/// A carriage on a rail that rubs carries a block down onto a floor that rubs. Together they hold F + μ m g, and with
/// less pull a motion comes to rest.
std::shared_ptr<const Model> carriage(double pull, double rail, double friction) {
  ModelBuilder builder;
  builder.set_gravity(Vec3(pull, 0, -g));
  const int material = builder.add_material({"rough", Vec2(friction, friction), 0.0});
  builder.add_collider({"floor", -1, HalfSpace{}, {}, material});
  Joint joint;
  joint.type = JointType::prismatic;
  joint.name = "rail";
  joint.X_PF.R = joint.X_BM.R = contact_frame(Vec3::UnitX());
  joint.friction = VectorX::Constant(1, rail);
  const int carriage = builder.add_body("carriage", {2, Vec3::Zero(), Mat3::Identity() * 0.01});
  builder.add_joint(carriage, joint);
  const int block = builder.add_body("block", {1, Vec3::Zero(), Mat3::Identity() * 0.01});
  Joint down;
  down.type = JointType::prismatic;
  down.name = "down";
  down.parent = carriage;
  down.X_PF.R = down.X_BM.R = contact_frame(Vec3::UnitZ());
  builder.add_joint(block, down);
  Transform X;
  X.p = Vec3(0, 0, 0.1);
  builder.add_collider({"ball", block, Sphere{0.1}, X, material});
  return std::make_shared<const Model>(builder.build());
}

TEST(Rest, AContactAndAJointHoldTogether) {
  constexpr double rail = 2, friction = 0.5, held = rail + friction * g;
  for (const double share : {0.1, 0.9, 0.999, 1.001, 1.5}) {
    const double pull = share * held / 3;
    State state;
    state.q = state.v = VectorX::Zero(2);
    Simulation simulation(carriage(pull, rail, friction), exact_motion(0.1), state);
    run(simulation, 1);
    EXPECT_NEAR(simulation.state().v[0], std::max(0.0, share - 1) * held / 3, 1e-8) << share;
    // Thrown, it comes to rest, and stays or comes back.
    state.v[0] = -1;
    Simulation thrown(carriage(pull, rail, friction), exact_motion(0.1), state);
    run(thrown, 2);
    const double time = 3 / ((share + 1) * held);  // brakes by both and the pull
    EXPECT_NEAR(thrown.state().v[0], std::max(0.0, share - 1) * held / 3 * (2 - time), 1e-7) << share;
    EXPECT_NEAR(thrown.state().q[0], -0.5 * time + 0.5 * std::max(0.0, share - 1) * held / 3 * (2 - time) * (2 - time),
                1e-7)
        << share;
  }
}

/// A joint that rubs is driven to and fro. At each end of its way friction cannot hold it, however small the
/// acceleration. It takes 4 F A a turn.
TEST(Rest, FrictionDoesNotHoldWhatAMotionDrives) {
  constexpr double amplitude = 0.2, rail = 5;
  ModelBuilder builder;
  const int block = builder.add_body("block", {1, Vec3::Zero(), Mat3::Identity() * 0.01});
  Joint joint;
  joint.type = JointType::prismatic;
  joint.name = "rail";
  joint.X_PF.R = joint.X_BM.R = contact_frame(Vec3::UnitX());
  joint.friction = VectorX::Constant(1, rail);
  builder.add_joint(block, joint);
  Constraint motion;
  motion.kind = ConstraintKind::motion;
  motion.name = "motor";
  motion.body_a = block;
  motion.target.sinusoids = {{amplitude, 1, 0}};
  builder.add_constraint(motion);
  State state;
  state.q = VectorX::Zero(1);
  state.v = VectorX::Constant(1, 2 * M_PI * amplitude);
  Simulation simulation(std::make_shared<const Model>(builder.build()), exact_motion(0.03), state);
  run(simulation, 3);
  EXPECT_NEAR(simulation.certificate().energy.joint_friction, -3 * 4 * rail * amplitude, 1e-6);
  EXPECT_NEAR(simulation.state().q[0], 0, 1e-9);
}

/// The problem by itself: a block of 1 kg on two points, one of which slides already the other way. It is pulled along
/// by less and by more than both hold.
TEST(RestProblem, ResolvesWhatSlidesBesideWhatRests) {
  // Rows: x, y, z of two points. They share one mass's motion in x and y, and in z each bears on a mass of its own.
  MatrixX A = MatrixX::Zero(6, 6);
  for (const int i : {0, 3}) {
    for (const int j : {0, 3}) A(i, j) = A(i + 1, j + 1) = 1;
  }
  A(2, 2) = A(5, 5) = 1;
  for (const int i : {0, 3}) A(i, 2) = A(2, i) = 0.2;  // what pushes the block along lifts the first point
  VectorX b(6), f = VectorX::Zero(6), a;
  b << 3, 0, -4, 3, 0, -6;
  Block first, second;
  first.kind = second.kind = BlockKind::cone;
  second.row = 3;
  first.friction = second.friction = Vec2(0.5, 0.5);
  RestProblem problem;
  problem.begin(A, b);
  problem.add_sliding(first, Vec2(-1, 0));
  problem.add(second);
  ASSERT_EQ(problem.solve(f, a), SolveStatus::solved);
  EXPECT_LE((a - A * f - b).norm(), 1e-12);
  EXPECT_NEAR(f[0], 0.5 * f[2], 1e-12);
  EXPECT_NEAR(a[2], 0, 1e-10);
  EXPECT_NEAR(a[5], 0, 1e-10);
  // To stay, the second point would need −(3 + f_x), and it has 0.5 · 6 at the most: it slides on.
  EXPECT_NEAR(f[3], -3, 1e-10);
  EXPECT_GT(a[3], 0.1);
}

}  // namespace
}  // namespace carom::rest_test
