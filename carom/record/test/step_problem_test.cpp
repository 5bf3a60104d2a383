#include "carom/record/step_problem.h"

#include <gtest/gtest.h>

#include "carom/complementarity/island_certificate.h"
#include "carom/error.h"
#include "carom/problem_files/solve_stored.h"
#include "carom/record/fclib.h"
#include "carom/record/test/same_record.h"
#include "carom/record/test/test_folder.h"
#include "carom/stepper/simulation.h"
#include "testing/folders.h"

namespace carom::step_problem_test {
namespace {

const std::string scenes = source_folder() + "/scenes/";

struct Case {
  const char* name;
  const char* scene;
  LawKind law;
  FrictionCone cone;
};

void PrintTo(const Case& one, std::ostream* out) { *out << one.name; }

/// A run in memory: a frame every few steps, and the certificate and outcome of every step.
struct TakenRun {
  Record record;
  std::vector<SolveCertificate> certificates;  ///< by step, from 1
  std::vector<SolveStatus> status;
  std::vector<int> constraints;
};

/// Until so many steps had something to solve.
TakenRun take(const Case& one, int steps_with_contact, std::int64_t every) {
  TakenRun run;
  SceneOverrides overrides;
  overrides.law = one.law;
  overrides.cone = one.cone;
  run.record.path = one.name;
  run.record.scene = load_scene(scenes + one.scene, overrides);
  const Scene& scene = run.record.scene;
  const auto record = [&](const State& state) { run.record.frames.emplace_back().state = state; };
  record(scene.initial);
  run.certificates.resize(1);
  run.status.resize(1);
  run.constraints.resize(1);
  Simulation simulation(scene.model, scene.method, scene.initial);
  int left = steps_with_contact;
  for (std::int64_t step = 1; left > 0 && step < 10000; ++step) {
    const StepReport& report = simulation.step();
    run.certificates.push_back(report.contact_certificate);
    run.status.push_back(report.status);
    run.constraints.push_back(report.contacts_considered);
    if (report.contacts_considered > 0) --left;
    if (step % every == 0 || left == 0) {
      record(simulation.state());
    }
  }
  return run;
}

/// Energies are those of the solve, to the bit; residuals of a run are its judge's, who measures them another way.
void expect_same(const SolveCertificate& solve, const SolveCertificate& run) {
  for (double SolveCertificate::*residual :
       {&SolveCertificate::normal_complementarity, &SolveCertificate::cone_violation,
        &SolveCertificate::dissipation_residual, &SolveCertificate::polyhedral_error, &SolveCertificate::natural_map}) {
    EXPECT_NEAR(solve.*residual, run.*residual, 1e-8);
  }
  EXPECT_EQ(solve.contact_work, run.contact_work);
  EXPECT_EQ(solve.push_out, run.push_out);
  EXPECT_EQ(solve.worst_work, run.worst_work);
  EXPECT_EQ(solve.worst_block, run.worst_block);
}

class StepProblemTest : public test::FolderTest, public ::testing::WithParamInterface<Case> {};

/// A step is written out, read, and solved from the impulses that the run began with. It gives the impulses, energies
/// and residuals of the run, whatever steps lie between the recorded frames. Impulses and energies agree bit for bit,
/// residuals to 1e-8.
TEST_P(StepProblemTest, IsTheProblemOfTheRun) {
  const TakenRun run = take(GetParam(), 60, 9);
  int with_contacts = 0;
  for (std::int64_t step = 1; step < std::ssize(run.status); ++step) {
    SCOPED_TRACE(step);
    const bool constrained = run.constraints[static_cast<std::size_t>(step)] > 0;
    if (constrained ? ++with_contacts % 3 != 0 : step % 50 != 0) continue;
    write_problem(path("step.hdf5"), problem_of_step(run.record, step));
    const StoredProblem stored = read_problem(path("step.hdf5"));
    ASSERT_EQ(stored.rows() > 0, constrained);
    if (!constrained) continue;
    ASSERT_EQ(run.status[static_cast<std::size_t>(step)], SolveStatus::solved);
    const int directions = stored.notes.directions.value();
    EXPECT_EQ(directions, run.record.scene.method.generators());
    ContactOptions options;
    options.cone = GetParam().cone;
    options.polyhedral.directions = run.record.scene.method.directions;
    const StoredSolution solved = solve_stored(stored, options, stored.notes.guesses.at(0));
    EXPECT_EQ(solved.solution.status, SolveStatus::solved);
    EXPECT_TRUE(test::same_bits(solved.impulse, stored.notes.impulse));
    // The run's certificate of Poisson's law is of two problems.
    const bool expanded = stored.notes.description.find("expansion follows") != std::string::npos;
    if (!expanded) expect_same(solved.certificate, run.certificates[static_cast<std::size_t>(step)]);
    EXPECT_EQ(expanded && GetParam().law != LawKind::poisson, false);
  }
  EXPECT_EQ(with_contacts, 60);
}

INSTANTIATE_TEST_SUITE_P(
    Scenes, StepProblemTest,
    ::testing::Values(Case{"balls", "stewart2000/four_balls.yaml", LawKind::none, FrictionCone::polyhedral},
                      Case{"balls_exact", "stewart2000/four_balls.yaml", LawKind::none, FrictionCone::exact},
                      Case{"limits", "pendulum_limits.yaml", LawKind::none, FrictionCone::exact},
                      Case{"newton", "bouncing_ball.yaml", LawKind::newton, FrictionCone::polyhedral},
                      Case{"poisson", "bouncing_ball.yaml", LawKind::poisson, FrictionCone::polyhedral}),
    [](const auto& info) { return info.param.name; });

TEST(StepProblem, OfAStepThatIsNotThereIsRefused) {
  const TakenRun run = take({"balls", "stewart2000/four_balls.yaml", LawKind::none, FrictionCone::polyhedral}, 10, 3);
  for (const std::int64_t step : {std::int64_t{-1}, std::int64_t{0}, std::ssize(run.status)}) {
    try {
      problem_of_step(run.record, step);
      ADD_FAILURE() << "step " << step << " was found";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("its steps are 1 to " + std::to_string(run.status.size() - 1)),
                std::string::npos)
          << error.what();
    }
  }
}

TEST(StepProblem, OfAnEventDrivenRunIsRefusedBecauseThereIsNone) {
  TakenRun run = take({"balls", "stewart2000/four_balls.yaml", LawKind::none, FrictionCone::polyhedral}, 2, 1);
  run.record.scene.method.stepper = StepperKind::event_driven;
  try {
    problem_of_step(run.record, 1);
    ADD_FAILURE() << "a problem was found";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("have no contact problem of their own"), std::string::npos);
  }
}

TEST(StepProblem, OfAShortRunIsRefusedInWordsThatFit) {
  TakenRun run = take({"balls", "stewart2000/four_balls.yaml", LawKind::none, FrictionCone::polyhedral}, 1, 1);
  for (const auto& [last, part] : {std::pair{1, "its only step is 1"}, {0, "it ends before its first step"}}) {
    run.record.frames.resize(static_cast<std::size_t>(last) + 1);
    try {
      problem_of_step(run.record, 2);
      ADD_FAILURE() << "step 2 was found";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace carom::step_problem_test
