#include "carom/certificate/judge.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>

#include "carom/dynamics/joint_kinematics.h"

// Steps that are known in closed form, sound ones and such as are wrong by a known part.
namespace carom::judge_test {
namespace {

constexpr double g = 9.81, h = 0.01, mass = 2, mu = 0.3;

/// A cube of 0.2 m that lies on the plane z = 0, as a point mass with one contact under its middle.
struct Slide {
  Slide() {
    ModelBuilder builder;
    builder.set_gravity({0, 0, -g});
    builder.add_body("cube", {mass, Vec3::Zero(), Mat3::Identity() * (mass * 0.04 / 6)});
    model = std::make_unique<Model>(builder.build());
    evidence.length = h;
    evidence.end = h;
    evidence.q_start.setZero(7);
    evidence.q_start << 1, 0, 0, 0, 0, 0, 0.1;
    evidence.v_start.setZero(6);
    evidence.controlled = evidence.turn = evidence.position_correction = evidence.velocity_correction =
        VectorX::Zero(6);
  }

  /// The step that starts with this velocity and ends with that one.
  void go(const Vec3& before, const Vec3& after) {
    evidence.v_start.tail<3>() = before;
    evidence.q_at = evidence.q_start;
    evidence.q_at.tail<3>() += h * before;
    evidence.v_end = VectorX::Zero(6);
    evidence.v_end.tail<3>() = after;
    evidence.q_end = evidence.q_start;
    evidence.q_end.tail<3>() += h * after;
  }

  /// A contact with this impulse through the centre of mass, so that nothing turns.
  void touch(const Vec3& impulse, double offset = 0) {
    for (int axis = 0; axis < 3; ++axis) {
      ConstraintRow row;
      row.body_a = 0;
      row.point_a = row.point_b = evidence.q_at.tail<3>();
      row.direction = Vec3::Unit(axis);
      evidence.rows.push_back(row);
      evidence.impulse.push_back(impulse[axis]);
    }
    Block block;
    block.kind = BlockKind::cone;
    block.friction = Vec2(mu, mu);
    block.offset = offset;
    evidence.blocks = {block};
  }

  Judge::Verdict verdict() { return Judge(*model).judge(*model, evidence); }

  std::unique_ptr<Model> model;
  StepEvidence evidence;
};

/// Every residual of a sound step is round-off.
void expect_sound(const Judge::Verdict& verdict) {
  EXPECT_LE(verdict.momentum_residual, 1e-13);
  EXPECT_LE(verdict.kinematic_residual, 1e-13);
  const SolveCertificate& conditions = verdict.conditions;
  for (const double residual : {conditions.normal_complementarity, conditions.cone_violation,
                                conditions.dissipation_residual, conditions.natural_map}) {
    EXPECT_LE(residual, 1e-13);
  }
}

TEST(Judge, FindsAFallSound) {
  Slide fall;
  fall.go(Vec3(1, 2, 3), Vec3(1, 2, 3 - g * h));
  expect_sound(fall.verdict());
}

TEST(Judge, TellsByHowMuchAFallIsWrong) {
  Slide fall;
  fall.go(Vec3::Zero(), Vec3(0, 0, -1.25 * g * h));
  EXPECT_NEAR(fall.verdict().momentum_residual, 0.25, 1e-12);
  EXPECT_LE(fall.verdict().kinematic_residual, 1e-13);
  fall.go(Vec3::Zero(), Vec3(0, 0, -g * h));
  fall.evidence.q_end[4] += 1e-3;
  EXPECT_LE(fall.verdict().momentum_residual, 1e-13);
  EXPECT_NEAR(fall.verdict().kinematic_residual, 1e-3 / std::sqrt(0.04 / 4), 1e-12) << "in radii of gyration";
}

TEST(Judge, FindsASlideSound) {
  Slide slide;
  slide.go(Vec3(1, 0, 0), Vec3(1 - mu * g * h, 0, 0));
  slide.touch(Vec3(-mu * mass * g * h, 0, mass * g * h));
  expect_sound(slide.verdict());
}

TEST(Judge, FindsABodyThatSticksSound) {
  Slide rest;
  rest.go(Vec3::Zero(), Vec3::Zero());
  rest.evidence.controlled[3] = 0.5 * mu * mass * g;
  rest.touch(Vec3(-0.5 * mu * mass * g * h, 0, mass * g * h));
  expect_sound(rest.verdict());
}

TEST(Judge, TellsFrictionThatPushesAlong) {
  Slide slide;
  slide.go(Vec3(1, 0, 0), Vec3(1 + mu * g * h, 0, 0));
  slide.touch(Vec3(mu * mass * g * h, 0, mass * g * h));
  const Judge::Verdict verdict = slide.verdict();
  EXPECT_LE(verdict.momentum_residual, 1e-13) << "momentum knows no law";
  EXPECT_GT(verdict.conditions.dissipation_residual, 0.1);
  EXPECT_GT(verdict.conditions.natural_map, 0.1);
}

TEST(Judge, TellsFrictionBeyondTheCone) {
  Slide slide;
  slide.go(Vec3(1, 0, 0), Vec3(1 - 2 * mu * g * h, 0, 0));
  slide.touch(Vec3(-2 * mu * mass * g * h, 0, mass * g * h));
  const double largest = mass * g * h * std::hypot(1, 2 * mu);
  EXPECT_NEAR(slide.verdict().conditions.cone_violation, mu * mass * g * h / largest, 1e-12);
}

TEST(Judge, TellsAPullAndAnImpulseAtADistance) {
  Slide pull;
  pull.go(Vec3::Zero(), Vec3(0, 0, -2 * g * h));
  pull.touch(Vec3(0, 0, -mass * g * h));
  EXPECT_NEAR(pull.verdict().conditions.normal_complementarity, 2, 1e-12) << "it goes through the plane as well";
  Slide far;
  far.go(Vec3::Zero(), Vec3::Zero());
  far.touch(Vec3(0, 0, mass * g * h), 0.5 * g * h);
  EXPECT_NEAR(far.verdict().conditions.normal_complementarity, 0.5, 1e-12);
}

TEST(Judge, CertifiesNothingThatIsNoNumber) {
  Slide slide;
  slide.go(Vec3(1, 0, 0), Vec3(1 - mu * g * h, 0, 0));
  slide.touch(Vec3(-mu * mass * g * h, 0, std::numeric_limits<double>::quiet_NaN()));
  EXPECT_FALSE(slide.verdict().momentum_residual <= 1);
  EXPECT_FALSE(slide.verdict().conditions.natural_map <= 1);
}

/// Two equal balls exchange their velocities. The residual of an impulse that is too small by a part is that part.
TEST(Judge, TellsByHowMuchAnImpactIsWrong) {
  ModelBuilder builder;
  builder.set_gravity(Vec3::Zero());
  for (const char* name : {"a", "b"}) builder.add_body(name, {mass, Vec3::Zero(), Mat3::Identity() * 0.01});
  const Model model = builder.build();
  VectorX q = VectorX::Zero(14), before = VectorX::Zero(12), after = before;
  q[0] = q[7] = 1;
  before[3] = after[9] = 3;
  ConstraintRow row;
  row.body_a = 0;
  row.body_b = 1;
  row.direction = -Vec3::UnitX();
  const std::vector<ConstraintRow> rows{row};
  const auto residual = [&](double impulse) {
    return Judge(model).judge_impact(model, {q, before, after, rows, {&impulse, 1}});
  };
  EXPECT_LE(residual(mass * 3), 1e-15);
  EXPECT_NEAR(residual(mass * 3 / (1 + 1e-3)), 1e-3, 1e-12);
}

/// The turn of a spinning body is looked into, not believed.
TEST(Judge, TellsAFalseTurn) {
  Slide spin;
  ModelBuilder builder;
  builder.set_gravity(Vec3::Zero());
  builder.add_body("top", {mass, Vec3::Zero(), Vec3(0.01, 0.02, 0.03).asDiagonal()});
  spin.model = std::make_unique<Model>(builder.build());
  spin.evidence.v_start << 3, 2, 1, 0, 0, 0;
  integrate(*spin.model, spin.evidence.q_start, spin.evidence.v_start, h, spin.evidence.q_at);
  spin.evidence.q_end.setZero(7);
  spin.evidence.v_end = spin.evidence.v_start;
  integrate(*spin.model, spin.evidence.q_start, spin.evidence.v_end, h, spin.evidence.q_end);
  // ω × I ω h = (2·1·0.01, 3·1·−0.02, 3·2·0.01) h of I ω = (0.03, 0.04, 0.03).
  const double left = h * Vec3(0.02, -0.06, 0.06).norm() / Vec3(0.03, 0.04, 0.03).norm();
  EXPECT_NEAR(spin.verdict().momentum_residual, left, 1e-9);
}

}  // namespace
}  // namespace carom::judge_test
