#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#include "carom/complementarity/polyhedral.h"
#include "carom/complementarity/test/problem_families.h"

// Every allocation of this program's own objects is counted, Eigen's by malloc and the standard containers' by operator
// new: the linker redirects both to the functions below (see room.cmake).
namespace {
long allocations = 0;
}

extern "C" {
void* __real_malloc(std::size_t size);
void* __real_realloc(void* old, std::size_t size);
void* __real__Znwm(std::size_t size);
void* __wrap_malloc(std::size_t size) {
  ++allocations;
  return __real_malloc(size);
}
void* __wrap_realloc(void* old, std::size_t size) {
  ++allocations;
  return __real_realloc(old, size);
}
void* __wrap__Znwm(std::size_t size) {
  ++allocations;
  return __real__Znwm(size);
}
}

namespace carom {
namespace {

TEST(Allocation, CountsBothWays) {
  const long before = allocations;
  const Eigen::VectorXd by_malloc = Eigen::VectorXd::Ones(100);
  const std::vector<double> by_new(100, 1.0);
  EXPECT_EQ(by_malloc.sum(), by_new[0] * 100);
  EXPECT_GE(allocations - before, 2);
}

TEST(Allocation, NoneInASolveThatIsNotLargerThanAnyBefore) {
  families::Random random(41);
  std::vector<families::Mechanics> problems;
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
  const long before = allocations;
  EXPECT_EQ(solve_all(), 0);
  EXPECT_EQ(allocations, before);
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
    const long before = allocations;
    EXPECT_EQ(solver.solve(m.problem(), {}, p.head(k), velocity.head(k)).status, SolveStatus::solved);
    EXPECT_EQ(allocations, before) << trial;
  }
}

}  // namespace
}  // namespace carom
