#include "carom/complementarity/polyhedral.h"

#include <gtest/gtest.h>

#include <chrono>

#include "carom/complementarity/certificate.h"
#include "carom/complementarity/test/problem_families.h"

namespace carom {
namespace {

using families::Family;
using families::Mechanics;
using families::Random;

TEST(Polyhedral, SolvesEveryProblemOfAllFamilies) {
  PolyhedralSolver solver;
  const PolyhedralOptions options;
  for (const Family family : families::all) {
    Random random(100 + static_cast<int>(family));
    int unsolved = 0, pivots = 0;
    for (int trial = 0; trial < 500; ++trial) {
      const Mechanics mechanics = families::make(family, 1 + trial % 20, random);
      const ContactProblem problem = mechanics.problem();
      Eigen::VectorXd impulse(problem.u.size()), velocity(problem.u.size());
      const ContactSolution solution = solver.solve(problem, options, impulse, velocity);
      unsolved += solution.status != SolveStatus::solved;
      pivots += solution.pivots;
      ASSERT_EQ(solution.status, SolveStatus::solved)
          << families::name(family) << " " << trial << ": " << status_name(solution.status) << " " << solution.residual;
      const SolveCertificate certificate = certify(problem, impulse, options.directions);
      EXPECT_LE(certificate.normal_complementarity, 1e-8) << families::name(family) << " " << trial;
      EXPECT_LE(certificate.cone_violation, 1e-8) << families::name(family) << " " << trial;
      EXPECT_LE(certificate.dissipation_residual, 1e-8) << families::name(family) << " " << trial;
      const double energy = 0.5 * mechanics.v.dot(mechanics.M * mechanics.v);
      EXPECT_LE(certificate.contact_work, 1e-12 * energy) << families::name(family) << " " << trial;
    }
    EXPECT_EQ(unsolved, 0) << families::name(family);
    RecordProperty(families::name(family), pivots);
  }
}

}  // namespace
}  // namespace carom
