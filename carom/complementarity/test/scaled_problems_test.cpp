// Problems in other units of mass and speed: A multiplied by a power of two and u by another. Nothing in the conditions
// has a size of its own. So impulses must be the same numbers multiplied, to the last bit, and equally well solved.

#include <gtest/gtest.h>

#include <cmath>

#include "carom/complementarity/certificate.h"
#include "carom/complementarity/contact_solver.h"
#include "carom/complementarity/test/factored_problems.h"
#include "testing/problems/problem_families.h"

namespace carom::scaled_problems_test {
namespace {

using families::Family;
using families::Mechanics;

/// Mobilities and velocities by which a problem is multiplied.
struct Units {
  double mobility = 1, speed = 1;
  double impulse() const { return speed / mobility; }
};

Mechanics in(const Units& units, Mechanics mechanics) {
  mechanics.M /= units.mobility;
  mechanics.A *= units.mobility;
  mechanics.v *= units.speed;
  mechanics.u *= units.speed;
  for (Block& block : mechanics.blocks) {
    block.offset *= units.speed;
    block.push_speed *= units.speed;
    for (double* impulse : {&block.floor, &block.lower, &block.upper}) *impulse *= units.impulse();
  }
  return mechanics;
}

constexpr Units others[] = {{0x1p40, 1}, {0x1p-40, 1}, {1, 0x1p30}, {1, 0x1p-30}, {0x1p50, 0x1p-20}};

/// A as a matrix or in factors.
ContactSolution solve(const Mechanics& mechanics, const ContactFactors* G, FrictionCone cone,
                      Eigen::VectorXd& impulse) {
  ContactOptions options;
  options.cone = cone;
  ContactSolver solver;
  Eigen::VectorXd velocity(mechanics.u.size());
  impulse.setZero(mechanics.u.size());
  if (G == nullptr) return solver.solve(mechanics.problem(), options, {}, impulse, velocity);
  return solver.solve({*G, mechanics.u, mechanics.blocks}, options, {}, impulse, velocity);
}

void expect_the_same(Family family, FrictionCone cone, bool in_factors) {
  for (int number = 0; number < 12; ++number) {
    const Mechanics plain = families::make({family, 1 + number, static_cast<std::uint64_t>(number)});
    const ContactFactors G = factored_test::factors_of(plain);
    Eigen::VectorXd expected, impulse;
    const ContactSolution first = solve(plain, in_factors ? &G : nullptr, cone, expected);
    for (const Units& units : others) {
      ContactFactors scaled = G;
      for (double& value : scaled.value) value *= std::sqrt(units.mobility);
      const ContactSolution solution = solve(in(units, plain), in_factors ? &scaled : nullptr, cone, impulse);
      EXPECT_EQ(solution.status, first.status);
      if (cone == FrictionCone::polyhedral) {  // ties of Lemke's path fall as round-off has them
        const double residual = judged_residual(certify(in(units, plain).problem(), impulse, 8), cone);
        EXPECT_TRUE(first.status != SolveStatus::solved || residual <= 1e-8) << number << " " << units.mobility;
        continue;
      }
      EXPECT_EQ((impulse / units.impulse() - expected).cwiseAbs().maxCoeff(), 0)
          << "problem " << number << (in_factors ? " in factors" : "") << ", mobilities times " << units.mobility
          << ", velocities times " << units.speed << ", of impulses up to " << expected.cwiseAbs().maxCoeff();
    }
  }
}

class ScaledProblems : public testing::TestWithParam<std::tuple<Family, FrictionCone>> {};

TEST_P(ScaledProblems, HaveTheSameImpulses) {
  const auto [family, cone] = GetParam();
  if (family == Family::torsion && cone == FrictionCone::polyhedral) return;  // polygons have no torsion
  for (const bool in_factors : {false, true}) expect_the_same(family, cone, in_factors);
}

/// Impulses that are all zero solve no problem in which something approaches, however light it is.
TEST_P(ScaledProblems, AreNotSolvedByNothing) {
  const auto [family, cone] = GetParam();
  int asked = 0;
  for (int number = 0; number < 12; ++number) {
    const Mechanics plain = families::make({family, 1 + number, static_cast<std::uint64_t>(number)});
    const auto residual = [&, cone = cone](const Mechanics& mechanics) {
      const Eigen::VectorXd none = Eigen::VectorXd::Zero(mechanics.u.size());
      return judged_residual(certify(mechanics.problem(), none, cone == FrictionCone::exact ? 0 : 8), cone);
    };
    const double expected = residual(plain);
    asked += expected > 0.1 ? 1 : 0;
    for (const Units& units : others) EXPECT_EQ(residual(in(units, plain)), expected) << number;
  }
  EXPECT_GE(asked, 6);
}

std::string label(const testing::TestParamInfo<std::tuple<Family, FrictionCone>>& info) {
  std::string text = name(std::get<0>(info.param));
  for (char& c : text) c = c == ' ' || c == '-' ? '_' : c;
  return text + (std::get<1>(info.param) == FrictionCone::exact ? "_exact" : "_polyhedral");
}

INSTANTIATE_TEST_SUITE_P(Families, ScaledProblems,
                         testing::Combine(testing::ValuesIn(families::solvable),
                                          testing::Values(FrictionCone::exact, FrictionCone::polyhedral)),
                         label);

}  // namespace
}  // namespace carom::scaled_problems_test
