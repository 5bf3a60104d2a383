#include "carom/stepper/standing_rows.h"

#include <gtest/gtest.h>

#include "carom/dynamics/recursions.h"
#include "carom/stepper/test/experiment.h"

// The rows of every step beside the forces that they stand for.
namespace carom::standing_rows_test {
namespace {

constexpr double h = 0.02, stiffness = 70, damping = 3, target = 0.5, speed = 1.5;

Model driven() {
  return test::slider([](Joint& joint, ModelBuilder& builder, int block) {
    joint.friction = test::one(0.7);
    Drive servo;
    servo.name = "servo";
    servo.kind = DriveKind::servo;
    servo.body = block;
    servo.value = TimeFunction::constant(target);
    servo.stiffness = stiffness;
    servo.damping = damping;
    builder.add_drive(servo);
    Constraint motion;
    motion.name = "motion";
    motion.kind = ConstraintKind::motion;
    motion.body_a = block;
    motion.target = {{0, 0, 4}, {}, {}, {}};  // rate 8 t
    builder.add_constraint(motion);
  });
}

/// p = K (v* − v⁺) is the servo's impulse at the end of the step, or at the means with weight φ, for any v⁺.
TEST(StandingRows, AServoPullsAsItsRuleSays) {
  const Model model = driven();
  SmoothWeights weights(model);
  weights.fit(h);
  for (const bool mean : {false, true}) {
    const double phi = mean ? weights.of_drive(0) : 1;
    Linearisation at;
    at.end = 1;
    at.weights = mean ? &weights : nullptr;
    at.start = test::one(speed);
    at.reach = test::one(mean ? 0.5 * speed : speed);
    at.q = h * at.reach;
    DynamicsWorkspace workspace(model);
    forward_kinematics(model, at.q, workspace);
    StandingRows standing(model);
    std::vector<ConstraintRow> rows;
    std::vector<Block> blocks;
    standing.pose(model, h, at, workspace, rows, blocks);
    ASSERT_EQ(blocks.size(), 3U);
    EXPECT_EQ(blocks[1].kind, BlockKind::bounded);
    EXPECT_NEAR(blocks[1].upper, h * 0.7, 1e-15);
    for (const double v : {-2.0, 0.0, 5.0}) {
      const double impulse = -(v + blocks[2].offset) / rows[2].compliance;
      const double way = h * ((phi - phi * phi) * speed + phi * phi * v), rate = (1 - phi) * speed + phi * v;
      EXPECT_NEAR(impulse, h * (stiffness * (target - way) - damping * rate), 1e-12) << mean << " " << v;
    }
    // A motion holds at the end, or for the mean of both ends.
    const double start_rate[] = {speed, speed, speed};
    if (mean) standing.hold_mean(start_rate, blocks);
    const double end = mean ? 8 * (1 - h) + 8 * 1.0 - speed : 8 * 1.0;
    EXPECT_NEAR(-blocks[0].offset, end, 1e-12);
    EXPECT_NEAR(standing.rate(0), mean ? 8 * (1 - 0.5 * h) : 8.0, 1e-12);
  }
}

}  // namespace
}  // namespace carom::standing_rows_test
