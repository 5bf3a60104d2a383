// Springs between points under every stepper: closed forms, momentum, energy, and agreement with springs of joints.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "carom/dynamics/recursions.h"
#include "carom/stepper/test/experiment.h"

namespace carom::point_springs_test {
namespace {

constexpr double mass = 2, stiffness = 800;

Constraint spring_between(int a, const Vec3& on_a, int b, const Vec3& on_b, double length) {
  Constraint spring;
  spring.name = "spring";
  spring.kind = ConstraintKind::spring;
  spring.body_a = a;
  spring.body_b = b;
  spring.X_AF.p = on_a;
  spring.X_BG.p = on_b;
  spring.length = length;
  spring.stiffness = stiffness;
  return spring;
}

class PointSprings : public testing::TestWithParam<StepperKind> {
 protected:
  static Method method(double step) { return test::plastic_with_step(step, GetParam()); }
  static bool is_second_order() { return test::is_second_order(GetParam()); }
  static double bound(double omega, double time, double step) {
    return test::vibration_error(GetParam(), omega, time, step);
  }
  /// ∫ d ẋ² dt of x = a e^(−γ t) (cos ω t + γ/ω sin ω t), by Simpson's rule.
  static double damping_loss(double damping, double a, double omega, double decay, double until) {
    constexpr int parts = 2000;
    const auto power = [&](double t) {
      const double rate = -a * std::exp(-decay * t) * (omega + decay * decay / omega) * std::sin(omega * t);
      return damping * rate * rate;
    };
    double sum = 0;
    for (int i = 0; i <= parts; ++i) {
      const double weight = i == 0 || i == parts ? 1 : i % 2 == 1 ? 4 : 2;
      sum += weight * power(until * i / parts);
    }
    return sum * until / parts / 3;
  }
  /// A body that hangs on the origin of the world by a spring, at a place below or beside it.
  static test::Experiment hung(Constraint spring, const Vec3& place, const Vec3& velocity, double step) {
    ModelBuilder builder;
    builder.set_gravity({0, 0, -10});
    builder.add_body("body", test::box(mass, 0.1));
    builder.add_constraint(std::move(spring));
    VectorX v = VectorX::Zero(6);
    v.tail<3>() = velocity;
    return {builder.build(), method(step), test::free_pose(place), v};
  }
  static Constraint to_world(double length) { return spring_between(0, Vec3::Zero(), -1, Vec3::Zero(), length); }
};

TEST_P(PointSprings, RestsWhereTheWeightStretchesIt) {
  const double rest = 0.5 + mass * 10 / stiffness;
  test::Experiment at = hung(to_world(0.5), Vec3(0, 0, -rest), Vec3::Zero(), 0.01);
  at.steps(200);
  EXPECT_NEAR(at.q(6), -rest, 1e-9);
  EXPECT_LT(at.simulation.state().v.norm(), 1e-9);
  const StepLoads loads(at.simulation.model());
  const VectorX impulses = at.simulation.step().loads;
  ASSERT_EQ(impulses.size(), loads.size());
  EXPECT_NEAR(impulses[loads.constraint_place(0) + 5], mass * 10 * 0.01, 1e-9);
}

/// z = −rest + a cos ω t, ω² = k/m, with damping the same for the envelope exp(−d t / 2m).
TEST_P(PointSprings, SwingsAtItsFrequency) {
  for (const double damping : {0.0, 4.0}) {
    SCOPED_TRACE(damping);
    const double rest = 0.5 + mass * 10 / stiffness, a = 0.05, decay = damping / (2 * mass);
    const double omega = std::sqrt(stiffness / mass - decay * decay), until = 0.7;
    const double end =
        a * std::exp(-decay * until) * (std::cos(omega * until) + decay / omega * std::sin(omega * until));
    Constraint spring = to_world(0.5);
    spring.damping = damping;
    double last = 0;
    for (const double step : {1e-3, 2.5e-4}) {
      test::Experiment at = hung(spring, Vec3(0, 0, a - rest), Vec3::Zero(), step);
      at.steps(static_cast<int>(std::lround(until / step)));
      const double error = std::abs(at.q(6) + rest - end);
      EXPECT_LT(error, bound(omega, until, step) * a) << step;
      if (last > 0 && !is_second_order()) {
        EXPECT_LT(error, 0.4 * last);
      }
      last = error;
      const EnergyLedger& energy = at.energy();
      EXPECT_NEAR(energy.kinetic_change + energy.potential_change + energy.damping, energy.free_motion_error, 1e-10);
      // The loss is that of the closed form, and the rest of the energy stays.
      const double loss = damping_loss(damping, a, omega, decay, until), whole = 0.5 * stiffness * a * a;
      EXPECT_NEAR(energy.damping, loss, 2 * bound(omega, until, step) * whole);
      EXPECT_LT(std::abs(energy.free_motion_error), 2 * bound(omega, until, step) * whole);
    }
  }
}

/// A joint's spring along a slide is the same as one between two points on its line.
TEST_P(PointSprings, AgreesWithTheSpringOfASlide) {
  const auto run = [&](bool point) {
    const Model model = test::slider([&](Joint& joint, ModelBuilder& builder, int block) {
      if (point) {
        Constraint spring = spring_between(block, Vec3(0.1, 0, 0), -1, Vec3(-1, 0, 0), 1.4);
        spring.damping = 3;
        builder.add_constraint(spring);
      } else {
        joint.stiffness = test::one(stiffness);
        joint.rest = test::one(0.3);
        joint.damping = test::one(3);
      }
    });
    test::Experiment at(model, method(2e-3), test::one(0.35), test::one(-1));
    at.steps(200);
    return std::pair{at.q(), at.v()};
  };
  const auto [q_point, v_point] = run(true);
  const auto [q_joint, v_joint] = run(false);
  EXPECT_NEAR(q_point, q_joint, 1e-9);
  EXPECT_NEAR(v_point, v_joint, 1e-8);
}

/// Two bodies that a spring between points off their centres joins, in free flight.
TEST_P(PointSprings, KeepMomentum) {
  ModelBuilder builder;
  builder.set_gravity(Vec3::Zero());
  for (const char* name : {"one", "other"}) builder.add_body(name, test::box(name[1] == 'n' ? 1 : 3, 0.2));
  Constraint spring = spring_between(0, Vec3(0.1, 0.05, 0), 1, Vec3(-0.1, 0, 0.08), 0.4);
  spring.damping = 1;
  builder.add_constraint(spring);
  const Model model = builder.build();
  VectorX q(14), v = VectorX::Zero(12);
  q << test::free_pose(Vec3::Zero()), test::free_pose(Vec3(0.8, 0.2, 0));
  v.segment<3>(0) << 1, -2, 0.5;
  v.segment<3>(9) << 0.3, 1, -0.2;
  const auto momentum = [&](const State& state) {
    DynamicsWorkspace workspace(model);
    forward_kinematics(model, state.q, workspace);
    forward_velocity(model, state.q, state.v, workspace);
    Vec6 sum = Vec6::Zero();
    for (int body = 0; body < 2; ++body) {
      const SpatialInertia& inertia = model.bodies()[body].inertia;
      const Vec3 linear = inertia.mass * (workspace.X_WB[body].R * workspace.V[body].tail<3>());
      sum.head<3>() += workspace.X_WB[body].p.cross(linear) +
                       workspace.X_WB[body].R * (inertia.central * workspace.V[body].head<3>());
      sum.tail<3>() += linear;
    }
    return sum;
  };
  const auto drift = [&](double step) {
    test::Experiment at(model, method(step), q, v);
    const Vec6 before = momentum(at.simulation.state());
    at.steps(static_cast<int>(std::lround(0.4 / step)));
    const Vec6 after = momentum(at.simulation.state());
    EXPECT_LT((after - before).tail<3>().norm(), 1e-9);  // what integrators are asked for
    return (after - before).head<3>().norm();
  };
  // Angular momentum of time steppers keeps to the step's order.
  const double coarse = drift(4e-3), fine = drift(1e-3);
  EXPECT_LT(fine, is_second_order() ? 1e-7 : 0.4 * coarse);
}

/// A band is slack until the body has fallen by its length, and then bears it.
TEST_P(PointSprings, BandsAreSlackWhereTheyAreShorter) {
  Constraint band = to_world(0.5);
  band.side = SpringSide::pull;
  test::Experiment falls = hung(band, Vec3(0, 0, 0.1), Vec3::Zero(), 1e-3);
  falls.steps(300);
  EXPECT_NEAR(falls.v(5), -3, 1e-9);
  const double lowest = 0.5 + (20 + std::sqrt(400 + 2 * stiffness * mass * 10 * 0.6)) / stiffness;
  double least = 0;
  for (int i = 0; i < 300; ++i) {
    falls.steps(1);
    least = std::min(least, falls.q(6));
  }
  EXPECT_NEAR(least, -lowest, is_second_order() ? 1e-4 : 6e-3);
}

/// A buffer pushes back a body that comes too near, and does not pull it.
TEST_P(PointSprings, BuffersPushAndLetGo) {
  const Model model = test::slider([&](Joint&, ModelBuilder& builder, int block) {
    Constraint buffer = spring_between(block, Vec3::Zero(), -1, Vec3::Zero(), 0.5);
    buffer.side = SpringSide::push;
    builder.add_constraint(buffer);
  });
  test::Experiment at(model, method(1e-3), test::one(0.8), test::one(-2));
  at.steps(100);
  EXPECT_NEAR(at.v(), -2, 1e-12);
  at.steps(500);
  EXPECT_GT(at.q(), 0.6);
  // Backward Euler leaves 1 / √(1 + (ω h)²) of a vibration in each step, over half of its period.
  const double kept = is_second_order() ? 1 : std::exp(-std::numbers::pi * std::sqrt(stiffness / mass) * 1e-3 / 2);
  EXPECT_NEAR(at.v(), 2 * kept, 1e-3);
}

/// A body that is at its anchor, or past it, where the step is linearised: the spring does not turn round on the way.
/// The middle of a step does not see what the step passes over; the ledger shows the energy that came from nowhere.
TEST_P(PointSprings, BodiesThatReachTheirAnchorGainNothing) {
  const bool blind = GetParam() == StepperKind::variational;
  for (const SpringSide side : {SpringSide::push, SpringSide::both}) {
    for (const double start : {0.05, 0.1, 0.099}) {
      SCOPED_TRACE(::testing::Message() << spring_side_name(side) << " from " << start);
      const Model model = test::slider([&](Joint&, ModelBuilder& builder, int block) {
        Constraint spring = spring_between(block, Vec3::Zero(), -1, Vec3::Zero(), 0.04);
        spring.stiffness = 1e5;
        spring.side = side;
        builder.add_constraint(spring);
      });
      test::Experiment at(model, method(0.01), test::one(start), test::one(-10));
      const double stretch = side == SpringSide::push ? std::min(0.0, start - 0.04) : start - 0.04;
      const double held = 0.5 * mass * 100 + 0.5 * 1e5 * stretch * stretch;
      for (int i = 0; i < 5; ++i) {
        at.steps(1);
        const EnergyLedger& energy = at.energy();
        const double gained = energy.kinetic + energy.potential - held, told = energy.free_motion_error;
        EXPECT_LT(blind ? gained - told : gained, 0.01 * held) << i;
      }
    }
  }
}

/// Two blocks of 1 kg between stiff springs on one line, along which they weigh. With ω h of 30 and more no energy
/// comes from anywhere.
TEST_P(PointSprings, StiffChainsKeepWhatTheyHold) {
  ModelBuilder builder;
  builder.set_gravity({10, 0, 0});
  for (const char* name : {"near", "far"}) {
    const int block = builder.add_body(name, test::box(1, 0.1));
    builder.add_joint(block, test::coordinate_joint(JointType::prismatic, Vec3::UnitX()));
  }
  const bool integrates = GetParam() == StepperKind::event_driven || GetParam() == StepperKind::compliant;
  const double stiff = integrates ? 1e5 : 1e7;
  for (int i = 0; i < 2; ++i) {
    Constraint spring = spring_between(i, Vec3(1 + i, 0, 0), i - 1, Vec3(i, 0, 0), 1);
    spring.name += std::to_string(i);
    spring.stiffness = stiff;
    builder.add_constraint(spring);
  }
  const Vec2 q(1e-3, -1e-3);
  test::Experiment at(builder.build(), method(0.01), q, Vec2::Zero());
  at.steps(100);
  const double whole = 0.5 * stiff * (1e-6 + 4e-6);  // weights add to nothing at the start
  const double left = at.energy().kinetic + at.energy().potential;
  EXPECT_LT(left, (1 + 1e-6) * whole);
  if (is_second_order()) {
    EXPECT_GT(left, (1 - 1e-6) * whole);
  }
}

/// A spring with a period of three steps holds like a rod.
TEST_P(PointSprings, StiffSpringsAreRods) {
  Constraint spring = to_world(1);
  spring.stiffness = 1e7;
  const auto gain = [&](double step) {
    test::Experiment at = hung(spring, Vec3(1, 0, 0), Vec3::Zero(), step);
    at.steps(static_cast<int>(std::lround(1 / step)));
    EXPECT_NEAR(at.simulation.state().q.tail<3>().norm(), 1, 1e-3);
    return std::abs(0.5 * at.simulation.state().v.squaredNorm() + 10 * at.q(6));
  };
  const double coarse = gain(1e-3);
  if (is_second_order()) {
    EXPECT_LT(coarse, 1e-3);
  } else {
    EXPECT_LT(gain(2.5e-4), 0.3 * coarse);
  }
}

/// A run that starts from the state of another goes on as that does.
TEST_P(PointSprings, GoOnBitForBit) {
  Constraint spring = to_world(0.5);
  spring.damping = 1;
  test::Experiment whole = hung(spring, Vec3(0.3, 0, -0.6), Vec3(0, 1, 0), 1e-3);
  whole.steps(50);
  const State middle = whole.simulation.state();
  Simulation rest(std::make_shared<const Model>(whole.simulation.model()), method(1e-3), middle);
  whole.steps(50);
  for (int i = 0; i < 50; ++i) rest.step();
  EXPECT_TRUE(identical(whole.simulation.state(), rest.state()));
}

INSTANTIATE_TEST_SUITE_P(AllSteppers, PointSprings, testing::ValuesIn(all_steppers()),
                         [](const auto& kind) { return test::label(kind.param); });

}  // namespace
}  // namespace carom::point_springs_test
