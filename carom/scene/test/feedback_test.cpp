#include "carom/scene/feedback.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "carom/run_failure.h"
#include "carom/scene/joint_patterns.h"
#include "carom/scene/scene.h"
#include "carom/stepper/simulation.h"

namespace carom::feedback_test {
namespace {

/// Blocks of 2 kg on sliders a_slide and b_slide.
std::string sliders(const std::string& drives, const std::string& method, const std::string& parameters = "") {
  return "carom: 1\ngravity: [0, 0, 0]\n" + parameters + R"(bodies:
  - {name: a, inertia: {mass: 2, moments: [1, 1, 1]}}
  - {name: b, inertia: {mass: 2, moments: [1, 1, 1]}}
joints:
  - {name: a_slide, type: prismatic, parent: world, child: a, axis: [1, 0, 0]}
  - {name: b_slide, type: prismatic, parent: world, child: b, axis: [1, 0, 0], position: 0.5}
drives:
)" + drives +
         "method: {step: 0.001, " + method + "}\nduration: 1\n";
}

/// A run of a scene with its feedback.
struct FeedbackRun {
  explicit FeedbackRun(const Scene& of) : scene(of), simulation(of.model, of.method, of.initial) {
    simulation.set_controller(of.controller());
  }
  double q(int i) const { return simulation.state().q[i]; }
  double v(int i) const { return simulation.state().v[i]; }
  Scene scene;
  Simulation simulation;
};

class FeedbackUnder : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Steppers, FeedbackUnder,
                         ::testing::Values("stepper: stewart-trinkle", "stepper: anitescu-potra",
                                           "stepper: stewart-trinkle-nonlinear", "stepper: hybrid-dca",
                                           "stepper: semi-explicit, law: plastic",
                                           "stepper: event-driven, law: plastic", "stepper: variational, law: plastic",
                                           "stepper: compliant", "stepper: implicit-geometry", "stepper: quasi-rigid"),
                         [](const auto& info) {
                           std::string name = std::string(info.param).substr(9);
                           name = name.substr(0, name.find(','));
                           std::erase(name, '-');
                           return name;
                         });

TEST_P(FeedbackUnder, ActsOverAStepWithItsValueAtTheStart) {
  const std::string text =
      sliders("  - {name: pd, type: feedback, joint: a_slide, force: \"=-k*(a_slide - 0.3) - d*a_slide.speed\"}\n",
              GetParam(), "parameters: {k: 50, d: =2*sqrt(k*2)}\n");
  FeedbackRun run(parse_scene(text, "sliders.yaml"));
  for (int i = 0; i < 400; ++i) {
    const double force = -50 * (run.q(0) - 0.3) - 20 * run.v(0), before = run.v(0);
    run.simulation.step();
    ASSERT_NEAR(run.v(0), before + 1e-3 * force / 2, 1e-10) << "step " << i;
  }
  // Critically damped, as a servo of these gains: x = r (1 − (1 + w t) e^(−w t)), w = √(k/m) = 5.
  EXPECT_NEAR(run.q(0), 0.3 * (1 - (1 + 5 * 0.4) * std::exp(-5 * 0.4)), 2e-3);
  EXPECT_NEAR(run.simulation.certificate().energy.kinetic_change, run.simulation.certificate().energy.drive_work, 1e-9);
  EXPECT_EQ(run.q(1), 0.5);
}

TEST_P(FeedbackUnder, OneJointMayAnswerAnother) {
  // Two formulas that are a spring between the blocks: its force is inner, momentum stays.
  const std::string text = sliders(
      "  - {name: left, type: feedback, joint: a_slide, force: \"=30*(b_slide - a_slide)\"}\n"
      "  - {name: right, type: feedback, joint: b_slide, force: \"=30*(a_slide - b_slide)\"}\n",
      GetParam());
  FeedbackRun run(parse_scene(text, "sliders.yaml"));
  double most = 0;
  for (int i = 0; i < 400; ++i) {
    run.simulation.step();
    ASSERT_NEAR(run.v(0) + run.v(1), 0, 1e-10);
    most = std::max(most, run.v(0));
  }
  // The distance swings with w = √(2 k/m); each block's speed with amplitude 0.25 w.
  EXPECT_NEAR(most, 0.25 * std::sqrt(30.0), 0.02);
}

TEST(Feedback, DrivesEveryJointThatMatchesByItsOwnCoordinate) {
  const std::string text = sliders(
      "  - {name: hold, type: feedback, joints: \"?_slide\", force: \"=t < 0.1 ? 7 : -joint.rate\", limit: 3}\n",
      "stepper: stewart-trinkle");
  FeedbackRun run(parse_scene(text, "sliders.yaml"));
  for (int i = 0; i < 100; ++i) run.simulation.step();
  for (const int k : {0, 1}) EXPECT_NEAR(run.v(k), 0.1 * 3 / 2, 1e-12);
  for (int i = 100; i < 500; ++i) run.simulation.step();
  for (const int k : {0, 1}) EXPECT_NEAR(run.v(k), 0.15 * std::exp(-0.4 / 2), 1e-4);
}

TEST(Feedback, OfTwoRunsAreTwo) {
  const Scene scene = parse_scene(
      sliders("  - {name: push, type: feedback, joint: a_slide, force: =1 + a_slide}\n", "stepper: stewart-trinkle"),
      "sliders.yaml");
  FeedbackRun one(scene), other(scene);
  for (int i = 0; i < 20; ++i) {
    one.simulation.step();
    one.simulation.step();
    other.simulation.step();
  }
  for (int i = 0; i < 20; ++i) other.simulation.step();
  EXPECT_EQ(one.q(0), other.q(0));
}

TEST(Feedback, ThatIsNoNumberEndsTheRunInASentence) {
  FeedbackRun run(parse_scene(
      sliders("  - {name: bad, type: feedback, joint: a_slide, force: =1/a_slide}\n", "stepper: stewart-trinkle"),
      "sliders.yaml"));
  try {
    run.simulation.step();
    FAIL();
  } catch (const RunFailure& failure) {
    EXPECT_EQ(std::string(failure.what()),
              "the force of drive 'bad', '1/a_slide', is no finite number at t = 0 s; look for a division by zero, or "
              "a root or logarithm outside its range");
  }
}

TEST(DrivesOverPatterns, AreTheDrivesOneByOne) {
  const std::string method = "stepper: stewart-trinkle";
  const std::string servo = "type: servo, target: 0.4, stiffness: 100, damping: 20";
  FeedbackRun all(parse_scene(sliders("  - {name: s, joints: \"*_slide\", " + servo + "}\n", method), "all.yaml"));
  FeedbackRun each(parse_scene(
      sliders("  - {name: a, joint: a_slide, " + servo + "}\n  - {name: b, joint: b_slide, " + servo + "}\n", method),
      "each.yaml"));
  ASSERT_EQ(all.scene.model->drives().size(), 2U);
  EXPECT_EQ(all.scene.model->drives()[1].name, "s.b_slide");
  for (int i = 0; i < 50; ++i) {
    all.simulation.step();
    each.simulation.step();
  }
  EXPECT_EQ(all.simulation.state().q, each.simulation.state().q);
}

std::string fault_of(const std::string& drives, const std::string& parameters = "") {
  try {
    static_cast<void>(parse_scene(sliders(drives, "stepper: stewart-trinkle", parameters), "s.yaml"));
  } catch (const SceneError& error) {
    return error.what();
  }
  return "";
}

TEST(DriveFaults, AreOneSentenceEach) {
  const auto has = [](const std::string& drives, const std::string& words, const std::string& parameters = "") {
    const std::string fault = fault_of("  - {name: d, " + drives + "}\n", parameters);
    EXPECT_NE(fault.find(words), std::string::npos) << drives << ": " << fault;
    EXPECT_EQ(fault.find('\n'), std::string::npos) << fault;
  };
  has("type: feedback, joint: a_slide, force: =a_slid",
      "s.yaml:10:54: drive 'd': there is no 'a_slid' for the formula 'a_slid'; the nearest name is 'a_slide'");
  has("type: feedback, joint: a_slide, force: =a_slide.rate", "the nearest name is 'a_slide.speed'");
  has("type: feedback, joint: a_slide, force: =max(a_slide)", "max has one argument");
  has("type: feedback, joint: a_slide", "lacks the key 'force'");
  has("type: feedback, joint: a_slide, force: [1, 2]", "must be a formula");
  has("type: feedback, joint: a_slide, force: =t, limit: -1", "limit");
  has("type: feedback, joint: a_slide, force: =t*gain", "there is no 'gain'");
  has("type: feedback, joint: a_slide, force: =t*joint", "rename the parameter", "parameters: {t: 3}\n");
  has("type: servo, joints: \"*_slid\", target: 0, stiffness: 1",
      "no joint matches '*_slid'; the nearest names are 'a_slide', 'b_slide'");
  has("type: servo, joints: [], target: 0, stiffness: 1", "empty list");
  has("type: servo, joint: a_slide, joints: b_slide, target: 0, stiffness: 1", "joint");
  has("type: servo, target: 0, stiffness: 1", "lacks the key 'joint'");
  has("type: force, joint: a_slide, force: =a_slide", "a_slide");
  EXPECT_EQ(fault_of("  - {name: d, type: feedback, joint: a_slide, force: \"-g*a_slide\"}\n", "parameters: {g: 3}\n"),
            "");
}

}  // namespace
}  // namespace carom::feedback_test
