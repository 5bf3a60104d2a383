// Verdicts on accuracy: closed forms, a scene that must not be called good, and what is not checked.
#include "carom/study/accuracy_check.h"

#include <gtest/gtest.h>

#include <cmath>

#include "carom/record/summary.h"
#include "carom/study/method_choice.h"
#include "carom/study/run_in_memory.h"
#include "testing/folders.h"

namespace carom::accuracy_check_test {
namespace {

SceneSource shipped(const std::string& name) {
  const std::string file = source_folder() + "/scenes/accuracy/" + name + ".yaml";
  return {load_scene(file).text, file, {}};
}

/// A block of 1 kg that slides at 3 m/s on μ = 0.3.
Scene sliding_block(const std::string& stepper, double step, double duration) {
  return parse_scene(
      "carom: 1\ngravity: [0, 0, -10]\nmaterials:\n  - {name: wood, friction: 0.3}\nworld:\n  shapes: [{type: "
      "half-space, material: wood}]\nbodies:\n  - {name: block, mass: 1, position: [0, 0, 0.1], velocity: [3, 0, 0], "
      "shapes: [{type: box, size: [0.4, 0.4, 0.2], material: wood}]}\nmethod: {" +
          stepper + ", step: " + std::to_string(step) + "}\nduration: " + std::to_string(duration) + "\n",
      "block.yaml");
}

// x(t) = 3 t − 1.5 t². The stepper puts the velocity of the end of a step into the position, and is off by 1.5 h t.
TEST(AccuracyCheck, ClaimsTheErrorThatASlidingBlockHas) {
  for (const double h : {0.02, 0.005}) {
    const Accuracy accuracy = check_accuracy(run_in_memory(sliding_block("stepper: stewart-trinkle", h, 0.8)));
    ASSERT_TRUE(accuracy.known) << accuracy_details(accuracy);
    EXPECT_NEAR(accuracy.largest / (1.5 * h * 0.8), 1, 0.01);
    EXPECT_NEAR(accuracy.at_end / (1.5 * h * 0.8), 1, 0.01);
    EXPECT_NEAR(accuracy.extent, 3 * 0.8 - 1.5 * 0.64, 0.05);
    EXPECT_EQ(accuracy.worst, "block");
    EXPECT_FALSE(accuracy.chaotic);
  }
}

TEST(AccuracyCheck, BoundsTheErrorOfAMethodThatControlsIt) {
  const Accuracy accuracy =
      check_accuracy(run_in_memory(sliding_block("stepper: event-driven, law: plastic", 0.02, 0.8)));
  ASSERT_TRUE(accuracy.known) << accuracy_details(accuracy);
  EXPECT_LT(accuracy.largest, 1e-7);
}

// The end is more than a metre off, and all equations were solved.
TEST(AccuracyCheck, NeverCallsTheHopperGood) {
  Record record = run_in_memory(shipped("hopper").scene());
  EXPECT_EQ(record.certificate.unsolved_steps, 0);
  record.accuracy = check_accuracy(record);
  EXPECT_TRUE(record.accuracy.known);
  EXPECT_FALSE(tolerable(record.accuracy)) << accuracy_details(record.accuracy);
  EXPECT_EQ(conclusion(record, verdicts(record)).find("All equations"), std::string::npos);
}

TEST(AccuracyCheck, SaysWhatWasNotChecked) {
  using Extent = AccuracyCheck::Extent;
  Record record = run_in_memory(sliding_block("stepper: stewart-trinkle", 0.01, 0.8));
  EXPECT_FALSE(check_accuracy(record, {Extent::off, 0, {}}).known);
  const Accuracy windows = check_accuracy(record, {Extent::windows, 8, {}});
  EXPECT_FALSE(windows.known);
  EXPECT_EQ(windows.steps_checked, 8);
  // In a step from v the block goes h v − 3 h² on, and 3/4 h² further in two halves of it.
  EXPECT_GT(windows.windows_error, 0);
  EXPECT_LT(windows.windows_error, 0.01);
  EXPECT_TRUE(tolerable(windows));
  EXPECT_EQ(accuracy_words(windows), "not checked");
  const Accuracy stopped = check_accuracy(record, {Extent::whole, 0, [] { return true; }});
  EXPECT_FALSE(stopped.known);
  EXPECT_NE(stopped.reason.find("interrupted"), std::string::npos);
  record.end = "interrupted";
  EXPECT_FALSE(check_accuracy(record).known);
}

// The count of work decides, not the clock: a run of which the whole is too much is judged by windows, every time
// alike.
TEST(AccuracyCheck, JudgesLongRunsByWindowsAndAlwaysAlike) {
  const Record record = run_in_memory(sliding_block("stepper: stewart-trinkle", 0.0001, 4));
  EXPECT_GT(2 * counted_work(record), 1e6);
  const Accuracy first = check_accuracy(record), again = check_accuracy(record);
  EXPECT_FALSE(first.known);
  EXPECT_LE(first.steps_checked, 4 * record.frames.back().state.step / 100);
  EXPECT_EQ(first.windows_error, again.windows_error);
  EXPECT_TRUE(check_accuracy(record, {AccuracyCheck::Extent::whole, 0, {}}).known);
}

// An integration that is as coarse as it may be is not called exact, whatever limits its steps.
TEST(AccuracyCheck, ClaimsNoLessThanWhatACoarseIntegrationIsOff) {
  const std::string file = source_folder() + "/scenes/cube_toss.yaml";
  const auto end_of = [&](double tolerance, double step, double* claimed) {
    SceneSource source{load_scene(file).text, file, {}};
    source.overrides.stepper = StepperKind::event_driven;
    source.overrides.law = LawKind::newton;
    source.overrides.duration = 0.4;
    source.overrides.step = step;
    Scene scene = source.scene();
    scene.method.tolerance = tolerance;
    const Record record = run_in_memory(scene);
    if (claimed != nullptr) *claimed = check_accuracy(record).largest;
    const VectorX& q = record.frames.back().state.q;
    return Vec3(q[4], q[5], q[6]);
  };
  const Vec3 truth = end_of(1e-11, 0.0025, nullptr);
  for (const double tolerance : {1e-3, 0.1}) {
    for (const double step : {0.1, 0.02}) {
      double claimed = 0;
      const double error = (end_of(tolerance, step, &claimed) - truth).norm();
      EXPECT_LE(error, 3 * claimed) << tolerance << " " << step;
    }
  }
}

}  // namespace
}  // namespace carom::accuracy_check_test
