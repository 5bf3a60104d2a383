#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "carom/dynamics/constraint_equations.h"
#include "carom/error.h"
#include "carom/stepper/assembly.h"
#include "carom/stepper/constraint_multipliers.h"
#include "mechanisms.h"

// Loops, couplings and rolling: constraints that close a mechanism beside its tree of joints.

namespace carom::constraints_test {
namespace {

constexpr double g = 9.81;

Transform at(const Vec3& p) { return {Mat3::Identity(), p}; }

Constraint tie(ConstraintKind kind, int a, const Vec3& on_a, int b = -1, const Vec3& on_b = Vec3::Zero()) {
  Constraint constraint;
  constraint.name = constraint_name(kind);
  constraint.kind = kind;
  constraint.body_a = a;
  constraint.body_b = b;
  constraint.X_AF = at(on_a);
  constraint.X_BG = at(on_b);
  return constraint;
}

/// A rod along x in its own frame, from the origin to `length`.
SpatialInertia rod_inertia(double mass, double length) {
  const double I = mass * length * length / 12;
  return {mass, Vec3(length / 2, 0, 0), Vec3(0.01 * I, I, I).asDiagonal()};
}

Joint pin(int parent, const Vec3& on_parent) {
  Joint joint;
  joint.type = JointType::revolute;
  joint.parent = parent;
  joint.X_PF.p = on_parent;
  joint.X_PF.R = joint.X_BM.R = (Mat3() << 1, 0, 0, 0, 0, -1, 0, 1, 0).finished();  // about −y: angles turn x to z
  return joint;
}

Simulation start(const ModelBuilder& builder, const VectorX& q, const VectorX& v, double h,
                 StepperKind stepper = StepperKind::stewart_trinkle, FrictionCone cone = FrictionCone::polyhedral) {
  Method method;
  method.step = h;
  method.stepper = stepper;
  method.cone = cone;
  State state;
  state.q = q;
  state.v = v;
  return Simulation(std::make_shared<const Model>(builder.build()), method, state);
}

double violation(const Simulation& simulation) {
  return constraint_violation(simulation.model(), simulation.state()).position;
}

/// The largest |J v|.
double slip(const Simulation& simulation) {
  const Model& model = simulation.model();
  DynamicsWorkspace workspace(model);
  forward_kinematics(model, simulation.state().q, workspace);
  factor_mass(model, VectorX(), workspace);
  ConstraintEquations equations;
  constraint_equations(model, simulation.state().q, simulation.state().time, ConstraintLevel::velocity, workspace,
                       equations);
  Delassus delassus;
  delassus.build(model, equations.rows, workspace);
  VectorX rates(static_cast<Eigen::Index>(equations.rows.size()));
  delassus.apply(simulation.state().v, rates);
  rates -= Eigen::Map<const VectorX>(equations.rates.data(), rates.size());
  return rates.size() > 0 ? rates.cwiseAbs().maxCoeff() : 0;
}

/// A crank, a coupler and a rocker, closed to the ground by a pin: lengths l, ground distance d, crank at `angle`.
struct FourBar {
  double crank = 0.2, coupler = 0.5, rocker = 0.4, ground = 0.5;
  ModelBuilder builder;
  VectorX q = VectorX::Zero(3), v = VectorX::Zero(3);

  explicit FourBar(double angle, double rate, ConstraintKind closure = ConstraintKind::ball) {
    builder.set_gravity({0, 0, -g});
    const int a = builder.add_body("crank", rod_inertia(1, crank)),
              b = builder.add_body("coupler", rod_inertia(2, coupler));
    const int c = builder.add_body("rocker", rod_inertia(1.5, rocker));
    builder.add_joint(a, pin(-1, Vec3::Zero()));
    builder.add_joint(b, pin(a, Vec3(crank, 0, 0)));
    builder.add_joint(c, pin(-1, Vec3(ground, 0, 0)));
    Constraint closing = tie(closure, b, Vec3(coupler, 0, 0), c, Vec3(rocker, 0, 0));
    // The axis of a hinge is that of the pins.
    closing.X_AF.R = closing.X_BG.R = pin(-1, Vec3::Zero()).X_BM.R;
    builder.add_constraint(closing);
    place(angle, rate);
  }

  /// Angles of coupler and rocker from the crank's, from the triangle between its tip, the rocker's pin and the joint.
  void place(double angle, double rate) {
    const Vec2 tip(crank * std::cos(angle), crank * std::sin(angle)), pivot(ground, 0);
    const double distance = (pivot - tip).norm();
    const double along = (coupler * coupler - rocker * rocker + distance * distance) / (2 * distance);
    const double across = std::sqrt(coupler * coupler - along * along);
    const Vec2 e = (pivot - tip) / distance, joint = tip + along * e + across * Vec2(-e.y(), e.x());
    const double b = std::atan2(joint.y() - tip.y(), joint.x() - tip.x());
    const double c = std::atan2(joint.y() - pivot.y(), joint.x() - pivot.x());
    q << angle, b - angle, c;
    // ω_b, ω_c from the loop's velocity equation.
    Eigen::Matrix2d lhs;
    lhs << -coupler * std::sin(b), rocker * std::sin(c), coupler * std::cos(b), -rocker * std::cos(c);
    const Vec2 rhs = -rate * crank * Vec2(-std::sin(angle), std::cos(angle));
    const Vec2 rates = lhs.inverse() * rhs;
    v << rate, rates.x() - rate, rates.y();
  }
};

TEST(Constraints, ABallThatHoldsAFreeBodyMakesThePendulumOfAJoint) {
  // One pendulum hangs on a spherical joint, the other is a free body that a ball constraint ties to the same place.
  const SpatialInertia inertia{1.3, Vec3::Zero(), Vec3(0.02, 0.05, 0.04).asDiagonal()};
  const Vec3 hang(0.1, -0.2, 0.6), spin(1, 2, 0.5);
  ModelBuilder jointed, tied;
  for (ModelBuilder* builder : {&jointed, &tied}) {
    builder->set_gravity({0, 0, -g});
    builder->add_body("bob", inertia);
  }
  Joint joint;
  joint.type = JointType::spherical;
  joint.X_BM.p = hang;
  jointed.add_joint(0, joint);
  tied.add_constraint(tie(ConstraintKind::ball, 0, hang));
  VectorX q_joint(4), q_free(7), v_free(6);
  q_joint << 1, 0, 0, 0;
  q_free << 1, 0, 0, 0, -hang;
  v_free << spin, -spin.cross(hang);
  std::vector<double> distances;
  for (const double h : {0.004, 0.002, 0.001}) {
    Simulation a = start(jointed, q_joint, spin, h), b = start(tied, q_free, v_free, h);
    for (int i = 0; i < std::lround(0.5 / h); ++i) {
      a.step();
      ASSERT_EQ(b.step().status, SolveStatus::solved);
      ASSERT_LE(violation(b), 1e-12);
      ASSERT_LE(slip(b), 1e-12);
    }
    const Quaternion qa(a.state().q[0], a.state().q[1], a.state().q[2], a.state().q[3]);
    distances.push_back(qa.angularDistance(test::orientation(b, 0)));
  }
  EXPECT_LE(distances[2], 0.02);
  EXPECT_LE(distances[1], 0.7 * distances[0]);
  EXPECT_LE(distances[2], 0.7 * distances[1]);
}

/// The largest change of energy in two seconds, with the linkage checked at every step.
double energy_error(ConstraintKind closure, StepperKind stepper, FrictionCone cone, double h) {
  const FourBar linkage(0.3, 12, closure);
  Simulation simulation = start(linkage.builder, linkage.q, linkage.v, h, stepper, cone);
  const double energy = test::energy(simulation.model(), simulation.state());
  double worst = 0;
  for (int i = 0; i < std::lround(2 / h); ++i) {
    const StepReport& report = simulation.step();
    EXPECT_EQ(report.status, SolveStatus::solved) << i;
    EXPECT_LE(report.constraint_drift, 1e-10);
    EXPECT_LE(slip(simulation), 1e-10);
    EXPECT_LE(report.momentum_residual, 1e-9);
    worst = std::max(worst, std::abs(test::energy(simulation.model(), simulation.state()) - energy));
  }
  EXPECT_GT(simulation.state().q[0], 2 * std::numbers::pi);  // the crank goes round
  const EnergyLedger& ledger = simulation.certificate().energy;
  EXPECT_NEAR(
      ledger.kinetic_change + ledger.potential_change,
      ledger.contact_work + ledger.constraint_work + ledger.opposed_work + ledger.projection + ledger.free_motion_error,
      1e-9 * energy);
  return worst / energy;
}

TEST(Constraints, AFourBarLinkageClosesAndItsEnergyErrorFallsAtFirstOrder) {
  for (const auto closure : {ConstraintKind::ball, ConstraintKind::hinge}) {
    for (const auto stepper :
         {StepperKind::stewart_trinkle, StepperKind::anitescu_potra, StepperKind::stewart_trinkle_nonlinear}) {
      for (const auto cone : {FrictionCone::polyhedral, FrictionCone::exact}) {
        const double coarse = energy_error(closure, stepper, cone, 0.002);
        const double fine = energy_error(closure, stepper, cone, 0.001);
        EXPECT_LE(coarse, 0.05) << constraint_name(closure) << " " << stepper_name(stepper);
        EXPECT_LE(fine, 0.65 * coarse) << constraint_name(closure) << " " << stepper_name(stepper);
      }
    }
  }
}

TEST(Constraints, TheErrorOfAFourBarLinkageFallsAtFirstOrder) {
  std::vector<double> angles;
  for (const double h : {0.004, 0.002, 0.001, 0.0005}) {
    const FourBar linkage(0.3, 4);
    Simulation simulation = start(linkage.builder, linkage.q, linkage.v, h);
    for (int i = 0; i < std::lround(0.6 / h); ++i) simulation.step();
    angles.push_back(simulation.state().q[0]);
  }
  const double first = angles[1] - angles[0], second = angles[2] - angles[1], third = angles[3] - angles[2];
  EXPECT_LE(std::abs(second), 0.65 * std::abs(first));
  EXPECT_LE(std::abs(third), 0.65 * std::abs(second));
}

TEST(Constraints, RedundantOnesChangeNothingAndShareTheLoad) {
  // The loop once, and the same loop said three times over: a planar linkage's hinge is redundant by itself.
  const FourBar once(0.3, 4);
  FourBar thrice(0.3, 4, ConstraintKind::hinge);
  const Constraint closing = tie(ConstraintKind::ball, 1, Vec3(0.5, 0, 0), 2, Vec3(0.4, 0, 0));
  thrice.builder.add_constraint(closing);
  Simulation a = start(once.builder, once.q, once.v, 0.002), b = start(thrice.builder, thrice.q, thrice.v, 0.002);
  for (int i = 0; i < 300; ++i) {
    ASSERT_EQ(a.step().status, SolveStatus::solved);
    ASSERT_EQ(b.step().status, SolveStatus::solved) << i;
    ASSERT_LE(violation(b), 1e-10);
  }
  EXPECT_LE((a.state().q - b.state().q).norm(), 1e-8);
  EXPECT_LE((a.state().v - b.state().v).norm(), 1e-7);
  // A ball in the plane: one of its rows holds nothing that the pins do not hold. A hinge: three.
  const auto of_once = redundant_constraints(a.model(), once.q, 0),
             of_thrice = redundant_constraints(b.model(), thrice.q, 0);
  ASSERT_EQ(of_once.size(), 1u);
  EXPECT_EQ(of_once[0].rows, 1);
  ASSERT_EQ(of_thrice.size(), 2u);
  EXPECT_EQ(of_thrice[0].rows, 3);
  EXPECT_EQ(of_thrice[1].rows, 3);
}

TEST(Constraints, MultipliersOfRepeatedRowsAreShared) {
  MatrixX J(4, 3);
  J << 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0;
  const MatrixX A = J * J.transpose();
  ConstraintMultipliers multipliers;
  EXPECT_EQ(multipliers.factor(A), 2);
  EXPECT_FALSE(multipliers.depends(0));
  EXPECT_TRUE(multipliers.depends(1));
  EXPECT_TRUE(multipliers.depends(3));
  VectorX lambda(4);
  multipliers.solve(Eigen::Vector4d(3, 3, 5, 0), lambda);
  EXPECT_LE((lambda - Eigen::Vector4d(1.5, 1.5, 5, 0)).norm(), 1e-12);
}

TEST(Constraints, FloatingLinkageKeepsMomentumAndEnergy) {
  // A triangle of three free rods pinned at their ends, spinning in space.
  ModelBuilder builder;
  builder.set_gravity(Vec3::Zero());
  VectorX q(21), v(18);
  const double l = 0.6;
  for (int i = 0; i < 3; ++i) {
    builder.add_body("rod" + std::to_string(i), rod_inertia(1 + 0.5 * i, l));
    const double turn = 2 * std::numbers::pi / 3 * i;
    const Quaternion orientation = exponential(Vec3(0, 0, turn));
    const Vec3 corner = l / std::sqrt(3.0) *
                        Vec3(std::cos(turn - 5 * std::numbers::pi / 6), std::sin(turn - 5 * std::numbers::pi / 6), 0);
    const Vec3 spin(0.5, 0.2, 3), drift(0.3, -0.1, 0.2);
    q.segment<7>(7 * i) << orientation.w(), orientation.x(), orientation.y(), orientation.z(), corner;
    v.segment<6>(6 * i) << orientation.conjugate() * spin, orientation.conjugate() * Vec3(drift + spin.cross(corner));
  }
  for (int i = 0; i < 3; ++i) {
    builder.add_constraint(tie(ConstraintKind::ball, i, Vec3(l, 0, 0), (i + 1) % 3, Vec3::Zero()));
  }
  Simulation simulation = start(builder, q, v, 0.002);
  ASSERT_LE(violation(simulation), 1e-12);
  const double energy = test::energy(simulation.model(), simulation.state());
  const Vec6 momentum = test::momentum(simulation.model(), simulation.state());
  for (int i = 0; i < 1000; ++i) {
    ASSERT_EQ(simulation.step().status, SolveStatus::solved);
    ASSERT_LE(violation(simulation), 1e-11);
  }
  EXPECT_LE((test::momentum(simulation.model(), simulation.state()) - momentum).norm(), 1e-9 * momentum.norm());
  EXPECT_NEAR(test::energy(simulation.model(), simulation.state()), energy, 1e-9 * energy);
}

/// A rhombus of four rods in flight, closed by a hinge. In a plane three of its rows are redundant, though round-off
/// would make them count. Spun as one body it goes on so.
TEST(Constraints, APlanarLoopInFlightIsRedundantAcrossItsPlane) {
  ModelBuilder builder;
  builder.set_gravity(Vec3::Zero());
  int rods[4];
  for (int i = 0; i < 4; ++i) rods[i] = builder.add_body("rod" + std::to_string(i), rod_inertia(1, 0.4));
  for (int i = 1; i < 4; ++i) {
    Joint joint = pin(rods[i - 1], Vec3(0.4, 0, 0));
    joint.name = "pin" + std::to_string(i);
    builder.add_joint(rods[i], joint);
  }
  Constraint hinge = tie(ConstraintKind::hinge, rods[3], Vec3(0.4, 0, 0), rods[0]);
  hinge.X_AF.R = hinge.X_BG.R = pin(0, Vec3::Zero()).X_PF.R;
  builder.add_constraint(hinge);
  const auto model = std::make_shared<const Model>(builder.build());
  State state;
  state.q = VectorX::Zero(model->position_count());
  state.v = VectorX::Zero(model->velocity_count());
  state.q[0] = 1;
  const double angles[] = {1.2, std::numbers::pi - 1.2, 1.2};
  for (int i = 0; i < 3; ++i) state.q[model->joints()[rods[i + 1]].q_index] = angles[i];
  state.v.head<6>() << 0, 20, 0, 0.3, 0, -0.1;
  assemble_constraints(*model, state);
  const auto redundant = redundant_constraints(*model, state.q, 0);
  ASSERT_EQ(redundant.size(), 1u);
  EXPECT_EQ(redundant[0].rows, 3);
  const Vec6 momentum = test::momentum(*model, state);
  const double energy = test::energy(*model, state);
  for (const StepperKind stepper : {StepperKind::stewart_trinkle, StepperKind::event_driven}) {
    Method method;
    method.stepper = stepper;
    method.law = stepper == StepperKind::event_driven ? LawKind::plastic : LawKind::none;
    method.step = 1e-4;
    Simulation simulation(model, method, state);
    for (int i = 0; i < 1000; ++i) ASSERT_EQ(simulation.step().status, SolveStatus::solved) << i;
    EXPECT_LT((test::momentum(*model, simulation.state()) - momentum).norm(), 1e-3 * momentum.norm());
    EXPECT_NEAR(test::energy(*model, simulation.state()), energy, 1e-2 * energy) << stepper_name(stepper);
  }
}

TEST(Constraints, ARollingDiscObeysTheClosedFormOnASlope) {
  // A disc that rolls down a slope without slip: a = g sin α / (1 + I / (m r²)), upright and straight.
  const double slope = 0.3, r = 0.25, m = 2, I = 0.5 * m * r * r;
  ModelBuilder builder;
  builder.set_gravity(g * Vec3(std::sin(slope), 0, -std::cos(slope)));
  builder.add_body("disc", {m, Vec3::Zero(), Vec3(0.5 * I, I, 0.5 * I).asDiagonal()});
  Constraint rolling = tie(ConstraintKind::rolling, 0, Vec3::Zero());
  rolling.X_AF.R = pin(-1, Vec3::Zero()).X_BM.R;  // the axle along y
  rolling.radius = r;
  builder.add_constraint(rolling);
  VectorX q(7), v = VectorX::Zero(6);
  q << 1, 0, 0, 0, 0, 0, r;
  Simulation simulation = start(builder, q, v, 0.001);
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(simulation.step().status, SolveStatus::solved);
  const double a = g * std::sin(slope) / (1 + I / (m * r * r));
  EXPECT_NEAR(test::velocity(simulation, 0).x(), a, 1e-9);
  EXPECT_NEAR(test::position(simulation, 0).x(), 0.5 * a, 0.51 * a * 0.001);
  EXPECT_NEAR(simulation.state().v[1], a / r, 1e-8);
  EXPECT_NEAR(test::position(simulation, 0).z(), r, 1e-12);
}

TEST(Constraints, ASkateDriftsInACycloidAcrossTheSlope) {
  // Chaplygin's skate without offset on a slope (Neimark and Fufaev, Dynamics of Nonholonomic Systems, chapter I). It
  // turns at a constant rate Ω. If it starts at rest pointing down the slope, its velocity along the blade is
  // u = (g sin α / Ω) sin Ω t. It does not slide down for good.
  const double slope = 0.2, rate = 2;
  ModelBuilder builder;
  builder.set_gravity(g * Vec3(std::sin(slope), 0, -std::cos(slope)));
  builder.add_body("skate", {1.5, Vec3::Zero(), Vec3(0.1, 0.1, 0.2).asDiagonal()});
  Joint planar;
  planar.type = JointType::planar;
  builder.add_joint(0, planar);
  builder.add_constraint(tie(ConstraintKind::blade, 0, Vec3::Zero()));
  std::vector<double> errors;
  for (const double h : {0.002, 0.001, 0.0005}) {
    Simulation simulation = start(builder, VectorX::Zero(3), Vec3(0, 0, rate), h);
    double worst = 0, energy_error = 0;
    const double energy = test::energy(simulation.model(), simulation.state());
    for (int i = 0; i < std::lround(6 / h); ++i) {
      simulation.step();
      const double t = simulation.state().time, strength = g * std::sin(slope) / (rate * rate);
      const Vec2 exact(0.5 * strength * std::sin(rate * t) * std::sin(rate * t),
                       0.5 * strength * (rate * t - 0.5 * std::sin(2 * rate * t)));
      worst = std::max(worst, (simulation.state().q.head<2>() - exact).norm());
      energy_error = std::max(energy_error, std::abs(test::energy(simulation.model(), simulation.state()) - energy));
      ASSERT_LE(slip(simulation), 1e-12);
    }
    EXPECT_LE(energy_error, 0.02);
    errors.push_back(worst);
  }
  EXPECT_LE(errors[0], 0.02 * 6 * 0.5 * g * std::sin(slope) / rate);  // of the way that it drifts
  EXPECT_LE(errors[1], 0.6 * errors[0]);
  EXPECT_LE(errors[2], 0.6 * errors[1]);
}

TEST(Constraints, AGearTurnsBothWheelsByItsRatio) {
  // Two wheels about fixed axles, q_1 = −ratio q_0: a torque-free start shares the momentum by the reflected inertia.
  const double ratio = 2.5, I0 = 0.3, I1 = 0.7;
  ModelBuilder builder;
  builder.set_gravity({0, 0, 0});
  for (const double I : {I0, I1}) {
    const int wheel = builder.add_body("wheel", {1, Vec3::Zero(), Vec3(I, I, I).asDiagonal()});
    builder.add_joint(wheel, pin(-1, Vec3(0, I, 0)));
  }
  Constraint gear;
  gear.kind = ConstraintKind::coupler;
  gear.body_a = 1;
  gear.shares = {{0, 0, -ratio}};
  gear.offset = 0.4;
  builder.add_constraint(gear);
  VectorX q(2), v(2);
  q << 0, 0.4;
  v << 1, 0;  // the impact of meshing makes both turn
  EXPECT_THROW(start(builder, q, v, 0.01), Error);
  State state;
  state.q = q;
  state.v = v;
  const ConstraintViolation before = assemble_constraints(builder.build(), state);
  EXPECT_NEAR(before.velocity, ratio, 1e-12);
  Simulation simulation = start(builder, state.q, state.v, 0.01);
  simulation.step();
  const double expected = I0 / (I0 + ratio * ratio * I1);
  EXPECT_NEAR(simulation.state().v[0], expected, 1e-12);
  EXPECT_NEAR(simulation.state().v[1], -ratio * expected, 1e-12);
  for (int i = 0; i < 200; ++i) simulation.step();
  EXPECT_NEAR(simulation.state().v[0], expected, 1e-12);
  EXPECT_NEAR(simulation.state().q[1], -ratio * simulation.state().q[0] + 0.4, 1e-12);
}

TEST(Constraints, ALoopStandsOnItsContacts) {
  // Two rods make an A: pinned at the top, feet on the ground with friction enough; it stands, by every stepper.
  for (const auto stepper :
       {StepperKind::stewart_trinkle, StepperKind::anitescu_potra, StepperKind::stewart_trinkle_nonlinear}) {
    test::SceneMaker scene(0.9);
    scene.add_static(HalfSpace{});
    const double half = 0.5, r = 0.02, lean = 0.4;
    for (const double side : {1.0, -1.0}) {
      const Quaternion orientation = exponential(Vec3(0, side * lean, 0));
      const Vec3 top(0, 0, r + 2 * half * std::cos(lean));
      scene.add(Capsule{r, half}, 1, top - half * (orientation * Vec3::UnitZ()), Vec3::Zero(), orientation);
    }
    scene.builder.add_constraint(tie(ConstraintKind::ball, 0, Vec3(0, 0, half), 1, Vec3(0, 0, half)));
    Method method;
    method.step = 0.002;
    method.stepper = stepper;
    Simulation simulation = scene.simulation(method);
    ASSERT_LE(violation(simulation), 1e-12);
    const Vec3 before = test::position(simulation, 0);
    for (int i = 0; i < 500; ++i) {
      ASSERT_EQ(simulation.step().status, SolveStatus::solved) << stepper_name(stepper) << " " << i;
      ASSERT_LE(violation(simulation), 1e-10);
    }
    EXPECT_LE((test::position(simulation, 0) - before).norm(), 1e-3) << stepper_name(stepper);
    EXPECT_LE(simulation.certificate().contact_work_gain, 1e-9);
    EXPECT_LE(simulation.state().v.norm(), 1e-6);
  }
}

}  // namespace
}  // namespace carom::constraints_test
