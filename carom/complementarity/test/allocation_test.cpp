#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#include "carom/complementarity/polyhedral/polyhedral.h"
#include "testing/allocation_count.h"
#include "testing/problems/problem_families.h"

namespace carom::allocation_test {
namespace {

TEST(Allocation, NoneInASolveThatIsNotLargerThanAnyBefore) {
  families::Random random(41);
  std::vector<families::Mechanics> problems;
  problems.reserve(40);
  for (int i = 0; i < 40; ++i) problems.push_back(families::make(families::all[i % 4], 1 + i % 12, random));
  PolyhedralSolver solver;
  Eigen::VectorXd p(36), velocity(36), v_plus(6 * 12);
  const auto solve_all = [&] {
    int unsolved = 0;
    for (const families::Mechanics& m : problems) {
      const auto k = m.u.size();
      unsolved += solver.solve(m.problem(), {}, p.head(k), velocity.head(k)).status != SolveStatus::solved;
      unsolved += solver.solve_mixed(m.M, m.J, m.v, m.blocks, {}, p.head(k), v_plus.head(m.v.size())).status !=
                  SolveStatus::solved;
    }
    return unsolved;
  };
  EXPECT_EQ(solve_all(), 0);
  const long before = allocation_count();
  EXPECT_EQ(solve_all(), 0);
  EXPECT_EQ(allocation_count(), before);
}

TEST(Allocation, OneLargeSolveReservesForEverySmallerOne) {
  families::Random random(42);
  const families::Mechanics large = families::make(families::Family::full_rank, 12, random);
  PolyhedralSolver solver;
  Eigen::VectorXd p(36), velocity(36);
  EXPECT_EQ(solver.solve(large.problem(), {}, p, velocity).status, SolveStatus::solved);
  for (int trial = 0; trial < 100; ++trial) {
    const families::Mechanics m = families::make(families::all[trial % 4], 1 + trial % 12, random);
    const auto k = m.u.size();
    const long before = allocation_count();
    EXPECT_EQ(solver.solve(m.problem(), {}, p.head(k), velocity.head(k)).status, SolveStatus::solved);
    EXPECT_EQ(allocation_count(), before) << trial;
  }
}

}  // namespace
}  // namespace carom::allocation_test
