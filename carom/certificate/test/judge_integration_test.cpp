#include <gtest/gtest.h>

#include <limits>
#include <memory>

#include "carom/certificate/evidence.h"
#include "carom/certificate/judge.h"
#include "carom/certificate/servo_pull.h"
#include "carom/contact/contact_finder.h"
#include "carom/dynamics/recursions.h"

// Steps of an integration, as an integrator would tell them. Forces are constant, so that the motion is a parabola.
namespace carom::judge_integration_test {
namespace {

constexpr double g = 9.81, h = 0.01, mass = 2, mu = 0.5, radius = 0.1;

/// A ball on level ground that does not turn: the controller takes the torque of its friction.
class Ball {
 public:
  Ball() {
    ModelBuilder builder;
    builder.set_gravity(Vec3(0, 0, -g));
    Material material;
    material.name = "all";
    material.friction = Vec2(mu, mu);
    const int all = builder.add_material(material);
    const int ball = builder.add_body("ball", {mass, Vec3::Zero(), Mat3::Identity() * 0.01});
    builder.add_collider({"ball", ball, Sphere{radius}, {}, all});
    builder.add_collider({"ground", -1, HalfSpace{}, {}, all});
    model_ = std::make_unique<Model>(builder.build());
  }

  /// From a velocity, with the force of the ground on the ball in axes x, y, z. `later` is that of all stages but the
  /// first.
  Judge::Verdict verdict(const Vec3& velocity, const Vec3& force, const Vec3& later, const Vec3& slip = Vec3::Zero()) {
    StepEvidence evidence;
    evidence.equation.form = DeclaredEquation::Form::integration;
    evidence.length = evidence.end = h;
    evidence.q_start = VectorX::Zero(7);
    evidence.q_start[0] = 1;
    evidence.q_start[6] = radius;
    evidence.v_start = VectorX::Zero(6);
    evidence.v_start.tail<3>() = velocity;
    const Vec3 acceleration = force / mass - Vec3(0, 0, g);
    evidence.q_at = evidence.q_end = evidence.q_start;
    evidence.q_end.tail<3>() += h * velocity + 0.5 * h * h * acceleration;
    evidence.v_end = evidence.v_start;
    evidence.v_end.tail<3>() += h * acceleration;
    evidence.controlled = evidence.velocity_correction = evidence.position_correction = VectorX::Zero(6);
    evidence.controlled.head<3>() = Vec3(0, 0, radius).cross(force);

    DynamicsWorkspace workspace(*model_);
    forward_kinematics(*model_, evidence.q_start, workspace);
    ContactFinder finder(*model_);
    const Contact contact = finder.find(*model_, evidence.q_start, workspace.X_WB, 1e-6).front();
    append_rows(contact, evidence.rows);
    Block block;
    block.kind = BlockKind::cone;
    block.friction = Vec2(mu, mu);
    evidence.blocks = {block};
    evidence.modes = {{.id = contact.id, .R_WC = contact.R_WC, .rest = 1e-9, .slip = slip}};
    const auto impulses = [&](const Vec3& of) {
      const Vec3 p = h * (contact.R_WC.transpose() * of);
      return std::vector<double>{p[0], p[1], p[2]};
    };
    evidence.impulse = impulses(force);
    // The ball moves along, and its lowest point with it.
    const StageEvidence stage{evidence.rows, impulses(later)};
    evidence.later_stages.assign(5, stage);
    constexpr double places[] = {0.2, 0.3, 0.8, 8.0 / 9, 1};
    for (std::size_t i = 0; i < 5; ++i) {
      const double t = places[i] * h, bend = i == 0 ? 0 : 0.5 * t * t;  // the second stage is of first order
      for (ConstraintRow& row : evidence.later_stages[i].rows) {
        row.point_a += t * velocity + bend * acceleration;
        row.point_b += t * velocity + bend * acceleration;
      }
    }
    return Judge(*model_).judge(*model_, evidence);
  }
  Judge::Verdict verdict(const Vec3& velocity, const Vec3& force) { return verdict(velocity, force, force); }

 private:
  std::unique_ptr<Model> model_;
};

constexpr double weight = mass * g;

TEST(JudgeIntegration, FindsWhatObeysTheLawSound) {
  Ball ball;
  for (const Judge::Verdict& verdict :
       {ball.verdict(Vec3(1, 0, 0), Vec3(-mu * weight, 0, weight)),
        ball.verdict(Vec3(0.6, -0.8, 0), Vec3(-0.6, 0.8, 0) * mu * weight + Vec3(0, 0, weight)),
        ball.verdict(Vec3::Zero(), Vec3(0, 0, weight))}) {
    EXPECT_LE(verdict.momentum_residual, 1e-12);
    EXPECT_LE(verdict.kinematic_residual, 1e-13);
    EXPECT_LE(verdict.conditions.normal_complementarity, 1e-12);
    EXPECT_LE(verdict.conditions.cone_violation, 1e-12);
    EXPECT_LE(verdict.conditions.dissipation_residual, 1e-12);
  }
}

TEST(JudgeIntegration, TellsForcesThatTheMotionDoesNotHave) {
  Ball ball;
  const Vec3 force(-mu * weight, 0, weight);
  EXPECT_GT(ball.verdict(Vec3(1, 0, 0), force, Vec3(force * (1 + 1e-6))).momentum_residual, 1e-7);
  EXPECT_GT(ball.verdict(Vec3(1, 0, 0), force, Vec3(force * (1 + 1e-6))).kinematic_residual, 1e-10);
}

TEST(JudgeIntegration, TellsFrictionThatDoesNotOpposeSlip) {
  Ball ball;
  const Judge::Verdict along = ball.verdict(Vec3(1, 0, 0), Vec3(mu * weight, 0, weight));
  EXPECT_LE(along.momentum_residual, 1e-12) << "momentum knows no law";
  EXPECT_GT(along.conditions.dissipation_residual, 0.1);
  const Judge::Verdict across = ball.verdict(Vec3(1, 0, 0), Vec3(0, mu * weight, weight));
  EXPECT_GT(across.conditions.dissipation_residual, 0.1);
  const Judge::Verdict weak = ball.verdict(Vec3(1, 0, 0), Vec3(-0.9 * mu * weight, 0, weight));
  EXPECT_GT(weak.conditions.dissipation_residual, 0.01);
}

/// Friction that starts a motion is against its acceleration, and what is held does not accelerate.
TEST(JudgeIntegration, TellsFrictionThatLetsWhatItCouldHold) {
  Ball ball;
  const Judge::Verdict pushed = ball.verdict(Vec3::Zero(), Vec3(0.5 * mu * weight, 0, weight));
  EXPECT_GT(pushed.conditions.dissipation_residual, 0.1);
  // A slip of no speed may be declared, but not one that friction pushes along.
  const Vec3 force(-mu * weight, 0, weight);
  EXPECT_LE(ball.verdict(Vec3::Zero(), force, force, Vec3(1, 0, 0)).conditions.dissipation_residual, 1e-12);
  EXPECT_GT(ball.verdict(Vec3::Zero(), force, force, Vec3(0, 1, 0)).conditions.dissipation_residual, 0.1);
}

TEST(JudgeIntegration, TellsFrictionBeyondTheConeAPullAndAFallThroughTheGround) {
  Ball ball;
  EXPECT_GT(ball.verdict(Vec3(1, 0, 0), Vec3(-2 * mu * weight, 0, weight)).conditions.cone_violation, 0.1);
  EXPECT_GT(ball.verdict(Vec3::Zero(), Vec3(0, 0, -weight)).conditions.normal_complementarity, 0.5);
  EXPECT_GT(ball.verdict(Vec3::Zero(), Vec3::Zero()).conditions.normal_complementarity, 0.5);
  EXPECT_GT(ball.verdict(Vec3::Zero(), Vec3(0, 0, 1.5 * weight)).conditions.normal_complementarity, 0.1)
      << "a contact that opens bears nothing";
}

TEST(JudgeIntegration, CertifiesNothingThatIsNoNumber) {
  Ball ball;
  const Judge::Verdict verdict = ball.verdict(Vec3(1, 0, 0), Vec3(0, 0, std::numeric_limits<double>::quiet_NaN()));
  EXPECT_FALSE(verdict.momentum_residual <= 1);
  EXPECT_FALSE(verdict.kinematic_residual <= 1);
  EXPECT_FALSE(verdict.conditions.normal_complementarity <= 1);
}

TEST(ServoPull, IsThatOfASpringAndADamperWithinItsLimit) {
  Drive servo;
  servo.stiffness = 10;
  servo.damping = 3;
  servo.limit = 12;
  EXPECT_DOUBLE_EQ(servo_pull(servo, 0, 0.5, 0.5), -6.5);
  EXPECT_DOUBLE_EQ(servo_pull(servo, 0, -5, 0), 12);
  EXPECT_DOUBLE_EQ(servo_pull(servo, 0, 9, 0), -12);
}

}  // namespace
}  // namespace carom::judge_integration_test
