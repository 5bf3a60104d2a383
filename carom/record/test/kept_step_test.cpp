#include "carom/record/kept_step.h"

#include <gtest/gtest.h>

#include <functional>

#include "carom/error.h"
#include "carom/record/step_problem.h"
#include "carom/record/test/test_folder.h"
#include "carom/stepper/simulation.h"

namespace carom::kept_step_test {
namespace {

/// Two ellipsoids on springs fall over one another. So few iterations are not enough where contact begins.
Scene falling(int iterations, int halvings) {
  return parse_scene(
      "carom: 1\ngravity: [0, 0, -9.81]\nmaterials:\n  - {name: rubber, friction: 0.4, "
      "torsional_friction: 0.002, layer: {stiffness: [4000, 5000, 20000], damping: [5, 5, 20]}}\n"
      "  - {name: stone, friction: 0.4}\ncombination: {friction: geometric-mean, restitution: maximum}\n"
      "world: {shapes: [{type: half-space, material: stone}]}\nbodies:\n"
      "  - {name: one, mass: 1, position: [0, 0, 0.09], angular_velocity: [1, 2, 3],\n"
      "     shapes: [{type: ellipsoid, semi_axes: [0.1, 0.08, 0.06], material: rubber}]}\n"
      "  - {name: two, mass: 1, position: [0.05, 0.02, 0.25], velocity: [0, 0, -1],\n"
      "     shapes: [{type: ellipsoid, semi_axes: [0.06, 0.09, 0.07], material: rubber}]}\n"
      "method: {stepper: quasi-rigid, step: 0.002, quasi_rigid: {iterations: " +
          std::to_string(iterations) + ", halvings: " + std::to_string(halvings) + "}}\nduration: 0.12\n",
      "falling.yaml");
}

class KeptStepTest : public test::FolderTest {
 protected:
  /// Takes every step's report and the state after it, and a record of the run with every seventh state.
  void run(const Scene& scene) {
    RecordWriter writer = RecordWriter::create(path("run.h5"), scene);
    Simulation simulation(scene.model, scene.method, scene.initial);
    for (std::int64_t k = 0; k < scene.steps(); ++k) {
      reports.push_back(simulation.step());
      states.push_back(simulation.state());
      writer.append(states.back(), reports.back());
    }
    writer.finish("done", 0);
    record = read_record(path("run.h5"));
  }
  Scene kept(std::int64_t step) {
    write_step(path("step.h5"), step_of_run(record, step));
    return read_step(path("step.h5"));
  }

  std::vector<StepReport> reports;
  std::vector<State> states;
  Record record;
};

TEST_F(KeptStepTest, PosesTheProblemOfTheRunAgain) {
  Scene scene = falling(2, 0);
  scene.record.every = 7;
  run(scene);
  int unsolved = 0;
  for (std::size_t k = 0; k < reports.size(); ++k) {
    SCOPED_TRACE(k);
    const auto step = static_cast<std::int64_t>(k) + 1;
    if (reports[k].status == SolveStatus::solved && k % 10 != 0) continue;
    Scene again = kept(step);
    const StepOutcome outcome = take_step(again);
    EXPECT_EQ(outcome.report.step, step);
    EXPECT_EQ(outcome.report.time, reports[k].time);
    EXPECT_EQ(outcome.report.status, reports[k].status);
    EXPECT_EQ(outcome.report.lcp_size, reports[k].lcp_size);
    EXPECT_EQ(outcome.report.iterations, reports[k].iterations);
    EXPECT_EQ(outcome.report.solve_residual, reports[k].solve_residual);
    EXPECT_TRUE(identical(outcome.end, states[k]));
    if (reports[k].status == SolveStatus::solved) continue;
    ++unsolved;
    EXPECT_GT(outcome.report.solve_residual, scene.method.quasi_rigid.tolerance);
    again.method.quasi_rigid = QuasiRigidSettings();
    EXPECT_EQ(take_step(again).report.status, SolveStatus::solved);
  }
  EXPECT_GT(unsolved, 0);
}

std::string complaint(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST_F(KeptStepTest, KnowsItsOwnFilesFromThoseOfRuns) {
  Scene scene = falling(60, 4);
  scene.duration = scene.method.step;
  run(scene);
  EXPECT_FALSE(is_kept_step(record)) << "a run of one step";
  const Scene step = kept(1);
  EXPECT_TRUE(is_kept_step(read_record(path("step.h5"))));
  write_step(path("taken.h5"), step, take_step(step));
  const Record taken = read_record(path("taken.h5"));
  EXPECT_TRUE(is_kept_step(taken));
  ASSERT_EQ(taken.frames.size(), 2U);
  EXPECT_TRUE(identical(taken.frames.back().state, states.front()));
}

TEST_F(KeptStepTest, RefusesWhatIsNone) {
  const Scene scene = falling(60, 4);
  run(scene);
  EXPECT_NE(complaint([&] { step_of_run(record, 61); }).find("has no step 61; its steps are 1 to 60"),
            std::string::npos);
  EXPECT_NE(complaint([&] { step_of_run(record, 0); }).find("has no step 0"), std::string::npos);
  EXPECT_NE(complaint([&] { static_cast<void>(read_step(path("run.h5"))); }).find("take one out with"),
            std::string::npos);
  EXPECT_NE(complaint([&] { problem_of_step(record, 3); }).find("kept as records of one step"), std::string::npos);
  // A kept step has no steps before its own.
  write_step(path("step.h5"), step_of_run(record, 30));
  EXPECT_NE(complaint([&] { step_of_run(read_record(path("step.h5")), 12); }).find("step.h5 has no step 12"),
            std::string::npos);
  record.scene.method.stepper = StepperKind::stewart_trinkle;
  EXPECT_NE(complaint([&] { step_of_run(record, 3); }).find("steps of stewart-trinkle are no problems"),
            std::string::npos);
  EXPECT_TRUE(is_record(path("run.h5")));
  EXPECT_FALSE(is_record(path("nothing.h5")));
}

}  // namespace
}  // namespace carom::kept_step_test
