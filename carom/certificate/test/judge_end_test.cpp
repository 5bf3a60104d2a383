#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "carom/certificate/end_condition.h"
#include "carom/certificate/end_geometry.h"
#include "carom/certificate/evidence.h"
#include "carom/certificate/judge.h"
#include "carom/certificate/judged.h"
#include "carom/certificate/layer_condition.h"
#include "carom/dynamics/joint_kinematics.h"

// Steps that are implicit in the geometry and known in closed form: a ball on a plane, rigid or with a layer.
namespace carom::judge_end_test {
namespace {

constexpr double g = 9.81, h = 0.01, mass = 2, radius = 0.1, mu = 0.3, stiffness = 5000, damping = 20;

/// The ball ends the step at a height with a velocity of its centre, and the plane pushes it by p.
struct Ball {
  explicit Ball(bool has_layer = false) {
    ModelBuilder builder;
    builder.set_gravity({0, 0, -g});
    Material material;
    material.name = "soft";
    material.friction = Vec2(mu, mu);
    if (has_layer) {
      Layer layer;
      layer.stiffness = stiffness * Mat3::Identity();
      layer.damping = damping * Mat3::Identity();
      material.layer = layer;
    }
    const int soft = builder.add_material(material);
    material.layer.reset();
    material.name = "rigid";
    const int rigid = builder.add_material(material);
    const int ball = builder.add_body("ball", {mass, Vec3::Zero(), Mat3::Identity() * (0.4 * mass * radius * radius)});
    builder.add_collider({"ball", ball, Sphere{radius}, {}, soft});
    builder.add_collider({"ground", -1, HalfSpace{}, {}, rigid});
    model = std::make_unique<Model>(builder.build());
    evidence.length = evidence.end = h;
    evidence.controlled = evidence.turn = evidence.position_correction = evidence.velocity_correction =
        VectorX::Zero(6);
    evidence.q_start.setZero(7);
    evidence.q_start[0] = 1;
    evidence.v_start = evidence.v_end = VectorX::Zero(6);
  }

  /// From the velocity `before` to `after`, along the normal, to the height `end`, with p over `kept` and `taken`.
  void go(double before, double after, double end, double kept, double taken = 0) {
    const double moved = after + taken / mass;
    evidence.q_start[6] = end - h * moved;
    evidence.v_start[5] = before;
    evidence.v_end[5] = after;
    evidence.q_at = evidence.q_end = evidence.q_start;
    evidence.q_at[6] += h * before;
    evidence.q_end[6] = end;
    evidence.rows.clear();
    evidence.impulse = {0, 0, kept};
    evidence.taken_back = {0, 0, taken};
    for (int axis = 0; axis < 3; ++axis) {
      ConstraintRow row;
      row.body_a = 0;
      row.direction = Vec3::Unit(axis);
      row.point_a = row.point_b = Vec3(0, 0, end - radius);
      evidence.rows.push_back(row);
    }
    Block block;
    block.kind = BlockKind::cone;
    evidence.blocks = {block};
    EndCondition condition;
    condition.kind = EndCondition::Kind::shapes;
    condition.id = {0, 1, 0};
    evidence.end_conditions = {condition};
  }

  Judge::Verdict verdict() const { return Judge(*model).judge(*model, evidence); }

  std::unique_ptr<Model> model;
  StepEvidence evidence;
};

void expect_sound(const Judge::Verdict& verdict) {
  EXPECT_LE(verdict.momentum_residual, 1e-12);
  EXPECT_LE(verdict.kinematic_residual, 1e-12);
  EXPECT_LE(verdict.conditions.normal_complementarity, 1e-10);
  EXPECT_LE(verdict.conditions.natural_map, 1e-10);
}

TEST(JudgeEnd, FindsABallThatLandsSound) {
  Ball ball;
  ball.go(-1, -0.25, radius, mass * (0.75 + g * h));
  expect_sound(ball.verdict());
}

TEST(JudgeEnd, MeasuresTheGapForItself) {
  Ball ball;
  ball.go(-1, -0.25, radius + 1e-6, mass * (0.75 + g * h));
  // Relative to the speed without the impulse, 1 + g h.
  EXPECT_NEAR(ball.verdict().conditions.normal_complementarity, 1e-6 / h / (1 + g * h), 1e-9);
  ball.go(-1, -0.25, radius - 1e-6, mass * (0.75 + g * h));
  EXPECT_NEAR(ball.verdict().conditions.normal_complementarity, 1e-6 / h / (1 + g * h), 1e-9);
}

TEST(JudgeEnd, TellsAnImpulseBesideWhereTheShapesTouch) {
  Ball ball;
  ball.go(-1, -0.25, radius, mass * (0.75 + g * h));
  for (ConstraintRow& row : ball.evidence.rows) row.point_a.x() = row.point_b.x() = 1e-5;
  EXPECT_NEAR(ball.verdict().kinematic_residual, 1e-5 / (std::sqrt(0.6) * radius), 1e-9) << "in radii of gyration";
  ball.go(-1, -0.25, radius, mass * (0.75 + g * h));
  const Eigen::AngleAxisd turn(1e-4, Vec3::UnitY());
  for (ConstraintRow& row : ball.evidence.rows) row.direction = turn * row.direction;
  EXPECT_NEAR(ball.verdict().kinematic_residual, 1e-4, 1e-6);
}

TEST(JudgeEnd, HoldsWhatIsLeftOutOfAnImpulseAgainstPositions) {
  Ball ball;
  ball.go(-1, -0.5, radius, mass * (0.5 + g * h), mass * 0.25);
  const Judge::Verdict verdict = ball.verdict();
  expect_sound(verdict);
  ball.evidence.taken_back[2] *= 1.01;
  EXPECT_NEAR(ball.verdict().kinematic_residual, 0.0025 * h / (std::sqrt(0.4 / 2 * 3) * radius), 1e-9);
}

/// A layer that is pressed from δ to δ⁺ bears h K δ⁺ + C (δ⁺ − δ).
TEST(JudgeEnd, FormsTheForceOfALayerFromItsDeflections) {
  constexpr double start = 2e-3, end = 3e-3, p = h * stiffness * end + damping * (end - start);
  Ball ball(true);
  ball.go(-1, -1 - g * h + p / mass, radius - end, p);
  EndCondition& condition = ball.evidence.end_conditions.front();
  condition.start[0].z() = start;
  condition.end[0].z() = end;
  EXPECT_LE(ball.verdict().momentum_residual, 1e-12);
  EXPECT_LE(ball.verdict().conditions.normal_complementarity, 1e-10);
  condition.start[0].z() = start + 1e-5;
  EXPECT_NEAR(ball.verdict().conditions.normal_complementarity, damping * 1e-5 / p, 1e-9);
}

}  // namespace
}  // namespace carom::judge_end_test
