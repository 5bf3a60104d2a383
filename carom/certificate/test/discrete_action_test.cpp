#include "carom/certificate/discrete_action.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "carom/certificate/judge.h"
#include "carom/dynamics/joint_kinematics.h"
#include "carom/dynamics/recursions.h"

// The judge's momenta of a discrete action against slopes of energies, and steps that are known in closed form.
namespace carom::discrete_action_test {
namespace {

constexpr double g = 9.81;

SpatialInertia body(double mass, const Vec3& center) {
  const Mat3 central = mass * Vec3(0.02, 0.03, 0.045).asDiagonal();
  return {mass, center, central};
}

/// A free body off its own origin that carries a ball joint, which carries a hinge with a spring.
std::shared_ptr<const Model> arm() {
  ModelBuilder builder;
  builder.set_gravity({0.5, -1, -g});
  builder.add_body("trunk", body(3, Vec3(0.1, -0.05, 0.2)));
  Joint ball;
  ball.type = JointType::spherical;
  ball.name = "ball";
  ball.parent = 0;
  ball.X_PF.p = Vec3(0.3, 0, 0.1);
  builder.add_joint(builder.add_body("upper", body(1.5, Vec3(0, 0.1, -0.3))), ball);
  Joint hinge;
  hinge.type = JointType::revolute;
  hinge.name = "hinge";
  hinge.parent = 1;
  hinge.X_PF.p = Vec3(0, 0, -0.6);
  hinge.stiffness = VectorX::Constant(1, 7.0);
  builder.add_joint(builder.add_body("lower", body(0.8, Vec3(0.2, 0, -0.1))), hinge);
  return std::make_shared<const Model>(builder.build());
}

StepEvidence path(const Model& model, double length, double speed) {
  StepEvidence evidence;
  evidence.equation.form = DeclaredEquation::Form::discrete_action;
  evidence.length = evidence.end = length;
  evidence.q_start = VectorX::Zero(model.position_count());
  evidence.q_start[0] = evidence.q_start[7] = 1;
  const VectorX bent = VectorX::LinSpaced(model.velocity_count(), -0.9, 1.2);
  integrate(model, evidence.q_start, bent, 1, evidence.q_start);
  evidence.v_start = evidence.v_end = speed * VectorX::LinSpaced(model.velocity_count(), 1.0, -0.7);
  integrate(model, evidence.q_start, evidence.v_start, length, evidence.q_end);
  transport_velocity(model, evidence.q_start, evidence.q_end, evidence.v_start, evidence.v_end);
  evidence.controlled = VectorX::Zero(model.velocity_count());
  return evidence;
}

/// h (T − V) at the middle of the straight way.
double action(const Model& model, const VectorX& q_0, const VectorX& q_1, double h) {
  VectorX way, q, v;
  difference(model, q_0, q_1, way);
  integrate(model, q_0, way, 0.5, q);
  transport_velocity(model, q_0, q, way / h, v);
  DynamicsWorkspace workspace(model);
  forward_kinematics(model, q, workspace);
  forward_velocity(model, q, v, workspace);
  return h * (kinetic_energy(model, workspace) - potential_energy(model, q, workspace));
}

TEST(DiscreteAction, HasTheSlopesOfTheEnergies) {
  const auto model = arm();
  constexpr double h = 0.1, e = 1e-5;
  const StepEvidence evidence = path(*model, h, 6);
  DiscreteAction slopes(*model);
  DynamicsWorkspace workspace(*model);
  slopes.evaluate(*model, evidence, workspace);
  VectorX start, end = slopes.start() + slopes.impulse();
  DiscreteAction::to_own_axes(*model, evidence.q_start, slopes.start(), start);
  DiscreteAction::to_own_axes(*model, evidence.q_end, end, end);
  const double size = end.norm();
  for (int k = 0; k < model->velocity_count(); ++k) {
    const VectorX way = VectorX::Unit(model->velocity_count(), k);
    const auto slope = [&](bool of_start) {
      double sum = 0;
      for (const double side : {e, -e}) {
        VectorX moved;
        integrate(*model, of_start ? evidence.q_start : evidence.q_end, way, side, moved);
        const double there =
            of_start ? action(*model, moved, evidence.q_end, h) : action(*model, evidence.q_start, moved, h);
        sum += there / (2 * side);
      }
      return sum;
    };
    EXPECT_NEAR(start[k], -slope(true), 1e-7 * size) << "coordinate " << k;
    EXPECT_NEAR(end[k], slope(false), 1e-7 * size) << "coordinate " << k;
  }
}

/// A body that spins about a principal axis alone, by more than half a turn and off its origin.
TEST(DiscreteAction, CountsTheTurnsOfASpin) {
  ModelBuilder builder;
  builder.set_gravity(Vec3::Zero());
  builder.add_body("top", body(2, Vec3(0.1, 0.2, 0)));
  const Model model = builder.build();
  for (const double angle : {0.3, 3.0, 3.3, 5.5}) {
    StepEvidence step;
    step.equation.form = DeclaredEquation::Form::discrete_action;
    step.length = step.end = 0.01;
    step.q_start = VectorX::Zero(7);
    step.q_start[0] = 1;
    step.v_start = VectorX::Zero(6);
    step.v_start[2] = angle / step.length;
    step.controlled = VectorX::Zero(6);
    integrate(model, step.q_start, step.v_start, step.length, step.q_end);
    transport_velocity(model, step.q_start, step.q_end, step.v_start, step.v_end);
    const Judge::Verdict verdict = Judge(model).judge(model, step);
    EXPECT_LE(verdict.momentum_residual, 1e-9) << angle;  // of 1e-5 of the momentum
    EXPECT_LE(verdict.kinematic_residual, 1e-13) << angle;
  }
}

/// A point on the ground, which half of its weight's impulse holds at either end.
struct Rest {
  Rest() {
    ModelBuilder builder;
    builder.set_gravity({0, 0, -g});
    builder.add_body("cube", body(mass, Vec3::Zero()));
    model = std::make_unique<Model>(builder.build());
    step.equation.form = DeclaredEquation::Form::discrete_action;
    step.length = step.end = h;
    step.q_start = VectorX::Zero(7);
    step.q_start[0] = 1;
    step.q_end = step.q_start;
    step.v_start = step.v_end = step.controlled = VectorX::Zero(6);
    for (RowEvidence* end : {static_cast<RowEvidence*>(&step), &step.at_end}) {
      end->q_at = step.q_start;
      end->rows.resize(1);
      end->rows[0].body_a = 0;
      end->rows[0].direction = Vec3::UnitZ();
      end->impulse = {0.5 * mass * g * h};
      Block block;
      block.kind = BlockKind::unilateral;
      end->blocks = {block};
    }
  }
  Judge::Verdict verdict() const { return Judge(*model).judge(*model, step); }

  static constexpr double mass = 2, h = 0.01;
  std::unique_ptr<Model> model;
  StepEvidence step;
};

TEST(DiscreteAction, FindsABodyAtRestSound) {
  const Judge::Verdict verdict = Rest().verdict();
  EXPECT_LE(verdict.momentum_residual, 1e-13);
  EXPECT_LE(verdict.kinematic_residual, 1e-13);
  EXPECT_LE(verdict.conditions.normal_complementarity, 1e-13);
}

TEST(DiscreteAction, TellsByHowMuchAnEndIsWrong) {
  Rest late;
  late.step.at_end.impulse[0] *= 1.02;
  EXPECT_NEAR(late.verdict().momentum_residual, 0.01, 1e-12) << "of the whole weight";
  EXPECT_LE(late.verdict().kinematic_residual, 1e-13) << "the start leads where it did";
  Rest lifted;
  lifted.step.q_end[6] += 1e-4;
  EXPECT_NEAR(lifted.verdict().kinematic_residual, 1e-4 / std::sqrt(0.095 / 2), 1e-12) << "in radii of gyration";
  EXPECT_LE(lifted.verdict().momentum_residual, 1e-13);
  EXPECT_GT(lifted.verdict().conditions.normal_complementarity, 0.1) << "the ground held what was leaving it";
  Rest dropped;
  dropped.step.impulse[0] = 0;
  EXPECT_NEAR(dropped.verdict().momentum_residual, 0.5, 1e-12);
}

}  // namespace
}  // namespace carom::discrete_action_test
