// The ladder of contact solvers: every rung has a name and is reached, and a solve is won by a rung that it entered.

#include "carom/complementarity/solver_rung.h"

#include <gtest/gtest.h>
#include <oneapi/tbb/global_control.h>

#include <set>
#include <string>

#include "carom/complementarity/contact_solver.h"
#include "carom/complementarity/rung_counts.h"
#include "testing/problems/ladder_solves.h"
#include "testing/problems/problem_factors.h"

namespace carom::solver_rung_test {
namespace {

using families::Family;
using families::LadderSolves;
using families::Mechanics;
using families::Random;

TEST(SolverRungs, HaveNamesAndASentenceEach) {
  ASSERT_EQ(solver_rungs().size(), static_cast<std::size_t>(solver_rung_count));
  std::set<std::string> names;
  int place = 0;
  for (const SolverRungEntry& entry : solver_rungs()) {
    EXPECT_EQ(static_cast<int>(entry.rung), place++) << entry.name;
    EXPECT_TRUE(names.insert(std::string(entry.name)).second) << entry.name;
    ASSERT_FALSE(entry.sentence.empty());
    EXPECT_EQ(entry.sentence.back(), '.') << entry.sentence;
  }
}

/// One island, so that no other's rungs are in the sets.
void expect_a_winner(const ContactSolution& solution) {
  EXPECT_FALSE(solution.rungs.entered.empty());
  EXPECT_TRUE(solution.rungs.entered.has(solution.rungs.won));
  if (solution.status == SolveStatus::solved || solution.status == SolveStatus::infeasible) {
    EXPECT_FALSE(solution.rungs.won.empty());
  }
}

TEST(SolverRungs, ASolveIsWonByARungThatItEntered) {
  Random random(241);
  ContactSolver solver;
  for (int trial = 0; trial < 300; ++trial) {
    const bool hard = trial % 5 == 0;
    const Family family = hard ? families::hard[trial / 5 % 2] : families::solvable[trial % 7];
    const Mechanics m = families::make(family, 1 + trial % 20, random);
    const ContactFactors G = families::factors_of(m);
    for (const FrictionCone cone : {FrictionCone::exact, FrictionCone::polyhedral}) {
      ContactOptions options;
      options.cone = cone;
      options.enough = trial % 2 == 0 ? 0 : 1e-5;
      RungCounts counts;
      options.rungs = &counts;
      Eigen::VectorXd p(m.u.size()), w(m.u.size());
      for (const bool factors : {false, true}) {
        const ContactOperator A = factors ? ContactOperator(G) : ContactOperator(m.A);
        expect_a_winner(solver.solve({A, m.u, m.blocks}, options, {}, p, w));
      }
      EXPECT_GT(counts.solves, 0);
      std::int64_t wins = 0;
      for (int rung = 0; rung < solver_rung_count; ++rung) {
        EXPECT_LE(counts.won[rung], counts.entered[rung]);
        wins += counts.won[rung];
      }
      EXPECT_GE(wins, counts.answered);
    }
  }
}

/// A solve that needs nothing enters the start alone.
TEST(SolverRungs, AStartThatSolvesWins) {
  Random random(242);
  const Mechanics m = families::make(Family::stack, 8, random);
  Eigen::VectorXd p(m.u.size()), w(m.u.size());
  ContactSolver solver;
  ASSERT_EQ(solver.solve(m.problem(), {}, {}, p, w).status, SolveStatus::solved);
  const Eigen::VectorXd start = p;
  const ContactSolution again =
      solver.solve(m.problem(), {}, {start.data(), static_cast<std::size_t>(start.size())}, p, w);
  EXPECT_EQ(again.iterations, 0);
  EXPECT_TRUE(RungSet(SolverRung::start).has(again.rungs.entered));
  EXPECT_TRUE(again.rungs.won.has(SolverRung::start));
}

TEST(SolverRungs, AreAllEnteredBySomeProblemOfTheFamilies) {
  LadderSolves solves(243);
  const auto missing = [&] {
    std::string names;
    for (const SolverRungEntry& entry : solver_rungs()) {
      if (solves.counts().entered_by(entry.rung) == 0) names += std::string(entry.name) + "; ";
    }
    return names;
  };
  constexpr int rounds = 60;
  const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);  // many small solves
  solves.solve_product(401);
  for (int round = 0; round < rounds && !missing().empty(); ++round) {
    for (const Family family : families::solvable) solves.solve(family, 1 + (7 * round) % 30);
    for (const Family family : families::hard) solves.solve(family, 1 + round % 12);
  }
  EXPECT_EQ(missing(), "");
}

}  // namespace
}  // namespace carom::solver_rung_test
