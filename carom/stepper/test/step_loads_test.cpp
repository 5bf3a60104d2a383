#include "carom/stepper/step_loads.h"

#include <cmath>

#include "carom/dynamics/joint_column.h"
#include "carom/dynamics/joint_kinematics.h"
#include "carom/dynamics/multiply_mass.h"
#include "carom/dynamics/recursions.h"
#include "carom/stepper/stepper.h"
#include "experiment.h"

// The loads that a step reports are those of its discrete equation: put into it, they leave nothing.
namespace carom::step_loads_test {
namespace {

using test::box;
using test::hinge_about_y;

VectorX one(double value) { return VectorX::Constant(1, value); }

/// Every kind of load. The tip of an arm of two links hangs on a rod, and its elbow presses against its limit. A fan is
/// on the forearm. Beside it are a slide that a wheel of a gear drives, and a wheel whose turn is prescribed.
Model all_sources(double rod_length) {
  ModelBuilder builder;
  builder.set_gravity({0.5, 0, -9.81});
  const int upper = builder.add_body("upper", {2, Vec3(0.25, 0, 0), box(2, 0.2).central});
  Joint shoulder = hinge_about_y(-1, Vec3(0, 0, 1), "shoulder");
  shoulder.damping = one(0.8);
  shoulder.stiffness = one(30);
  shoulder.rest = one(0.3);
  shoulder.friction = one(0.5);
  builder.add_joint(upper, shoulder);
  const int forearm = builder.add_body("forearm", {1, Vec3(0.2, 0, 0), box(1, 0.2).central});
  Joint elbow = hinge_about_y(upper, Vec3(0.5, 0, 0), "elbow");
  elbow.lower = one(0.385);
  elbow.upper = one(0.395);
  elbow.damping = one(0.2);
  elbow.reflected_inertia = one(0.02);
  builder.add_joint(forearm, elbow);
  const int slide = builder.add_body("slide", box(3, 0.1));
  Joint along = test::coordinate_joint(JointType::prismatic, Vec3::UnitX());
  along.name = "along";
  builder.add_joint(slide, along);
  const int gear = builder.add_body("gear", box(1, 0.3));
  builder.add_joint(gear, hinge_about_y(-1, Vec3(0, 1, 0), "gear"));
  const int wheel = builder.add_body("wheel", {1, Vec3(0.1, 0, 0), box(1, 0.3).central});
  builder.add_joint(wheel, hinge_about_y(-1, Vec3(0, 2, 0), "wheel"));

  Constraint rod;
  rod.name = "rod";
  rod.kind = ConstraintKind::rod;
  rod.body_a = forearm;
  rod.body_b = slide;
  rod.X_AF.p = Vec3(0.4, 0, 0);
  rod.X_BG.p = Vec3(0, 0.3, 0.1);
  rod.length = rod_length;
  builder.add_constraint(rod);
  Constraint mesh;
  mesh.name = "mesh";
  mesh.kind = ConstraintKind::coupler;
  mesh.body_a = slide;
  mesh.shares = {{gear, 0, 0.15}};
  builder.add_constraint(mesh);
  Constraint turn;
  turn.name = "turn";
  turn.kind = ConstraintKind::motion;
  turn.body_a = wheel;
  turn.target.polynomial = {0, 1, 2};
  builder.add_constraint(turn);

  Drive servo{"servo", DriveKind::servo, upper, 0, TimeFunction::constant(0.5), 200, 10, 25};
  builder.add_drive(servo);
  Drive push{"push", DriveKind::force, gear, 0, TimeFunction::constant(0.7)};
  builder.add_drive(push);
  builder.add_wrench({"fan", forearm, Vec3(0.2, 0.05, 0), Vec3(0, 1, -12), Vec3(0.1, 0.2, 0.3), true});
  return builder.build();
}

class DeclaredEquations : public testing::TestWithParam<StepperKind> {};
INSTANTIATE_TEST_SUITE_P(All, DeclaredEquations,
                         testing::Values(StepperKind::stewart_trinkle, StepperKind::anitescu_potra,
                                         StepperKind::stewart_trinkle_nonlinear, StepperKind::hybrid_dca,
                                         StepperKind::implicit_geometry, StepperKind::quasi_rigid),
                         [](const auto& info) { return test::label(info.param); });

TEST_P(DeclaredEquations, ReportedLoadsSolveThem) {
  const auto start = [](const Model& any) {
    State state;
    state.q = any.neutral_position();
    state.q[0] = 0.1;
    state.q[1] = 0.39;
    state.v = VectorX::Zero(any.velocity_count());
    state.v[4] = 1;
    return state;
  };
  const auto rod_length = [&](const Model& any) {
    DynamicsWorkspace at(any);
    forward_kinematics(any, start(any).q, at);
    const Constraint& rod = any.constraints()[0];
    return (at.X_WB[static_cast<std::size_t>(rod.body_a)] * rod.X_AF.p -
            at.X_WB[static_cast<std::size_t>(rod.body_b)] * rod.X_BG.p)
        .norm();
  };
  const Model model = all_sources(rod_length(all_sources(1)));
  const Method method = test::with_step(0.002, GetParam());
  const auto stepper = method.stepper->make(model, method);
  const StepLoads layout(model);
  State state = start(model);
  DynamicsWorkspace workspace(model);
  VectorX largest = VectorX::Zero(layout.size());
  double most_of_limit = 0;
  for (int step = 0; step < 60; ++step) {
    VectorX force(model.velocity_count());
    for (int i = 0; i < force.size(); ++i) force[i] = 0.3 * std::sin(0.4 * step + i);
    std::vector<StepEvidence> evidence;
    const StepReport& report = stepper->advance(model, state, method.step, {force, StopSignal(), nullptr, &evidence});
    ASSERT_EQ(report.status, SolveStatus::solved) << step;
    ASSERT_EQ(evidence.size(), 1u);
    const StepEvidence& told = evidence.front();
    ASSERT_EQ(report.loads.size(), layout.size());
    largest = largest.cwiseMax(report.loads.cwiseAbs());

    // M (v⁺ − v − s) against all impulses; every joint has one scalar coordinate, so velocities need no transport.
    forward_kinematics(model, told.q_at, workspace);
    const VectorX change = told.v_end - told.velocity_correction - told.v_start - told.turn;
    VectorX momentum(change.size()), gravity(change.size());
    multiply_mass(model, change, workspace, momentum);
    gravity_force(model, workspace, gravity);
    VectorX impulse = method.step * gravity;
    for (std::size_t i = 0; i < layout.torques().size(); ++i) {
      impulse[layout.torques()[i].coordinate] += report.loads[static_cast<Eigen::Index>(i)];
    }
    for (const ContactReport& contact : report.contacts) {
      const bool upper = contact.id.feature == ContactId::upper;
      impulse[contact.id.b] += upper ? -contact.impulse.z() : contact.impulse.z();
      most_of_limit = std::max(most_of_limit, contact.impulse.z());
    }
    const auto push = [&](int body, const Vec3& point, Eigen::Index place, double sign) {
      const Vec3 moment = sign * report.loads.segment<3>(place), linear = sign * report.loads.segment<3>(place + 3);
      const Vec3 arm = point - workspace.nodes[static_cast<std::size_t>(body)].p;
      add_projected(model, body, Force{arm.cross(linear) + moment, linear}, workspace, impulse.data());
    };
    const Constraint& rod = model.constraints()[0];
    const Vec3 p_F = workspace.X_WB[static_cast<std::size_t>(rod.body_a)] * rod.X_AF.p;
    push(rod.body_a, p_F, layout.constraint_place(0), 1);
    push(rod.body_b, p_F, layout.constraint_place(0), -1);
    const AppliedWrench& fan = model.wrenches()[0];
    push(fan.body, workspace.X_WB[static_cast<std::size_t>(fan.body)] * fan.point, layout.wrench_place(0), 1);
    const double scale = momentum.lpNorm<Eigen::Infinity>() + (method.step * gravity).lpNorm<Eigen::Infinity>();
    EXPECT_LT((momentum - impulse).lpNorm<Eigen::Infinity>(), 1e-9 * scale) << step;
  }
  // Everything took part: the equation would notice if it were missing.
  EXPECT_GT(most_of_limit, 1e-4);
  for (Eigen::Index i = 0; i < layout.torque_count(); ++i) {
    const bool limit = layout.torques()[static_cast<std::size_t>(i)].source == TorqueSource::limit;
    EXPECT_EQ(largest[i] > 1e-5, !limit) << torque_source_name(layout.torques()[static_cast<std::size_t>(i)].source);
  }
  EXPECT_GT(largest.segment<3>(layout.constraint_place(0) + 3).norm(), 1e-3);
  EXPECT_GT(largest.segment<3>(layout.wrench_place(0)).norm(), 1e-4);
}

TEST(StepLoads, AServoPullsToItsTargetUpToItsLimit) {
  const Model model = test::slider([](Joint&, ModelBuilder& builder, int block) {
    builder.add_drive({"servo", DriveKind::servo, block, 0, TimeFunction::constant(2), 10, 3, 12});
  });
  const auto force = [&](double q, double v) { return servo_force(model, 0, 0, test::one(q), test::one(v)); };
  EXPECT_DOUBLE_EQ(force(1.5, 0.5), 10 * 0.5 - 3 * 0.5);
  EXPECT_EQ(force(-5, 0), 12);
  EXPECT_EQ(force(9, 0), -12);
}

}  // namespace
}  // namespace carom::step_loads_test
