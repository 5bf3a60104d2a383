#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "carom/complementarity/certificate.h"
#include "carom/complementarity/mixed/mixed_ncp_solver.h"
#include "carom/complementarity/polyhedral/polyhedral.h"
#include "carom/complementarity/test/ncp_problems.h"
#include "testing/problems/problem_families.h"

namespace carom::ncp_families_test {
namespace {

using namespace ncp_problems;
using families::Family;
using families::Mechanics;

constexpr MixedNcpOptions only_semismooth{.first = NcpMethod::semismooth_newton, .fall_back = false};
constexpr MixedNcpOptions only_josephy{.first = NcpMethod::newton_josephy, .fall_back = false};

TEST(NcpFamilies, StronglyMonotoneProblemsByBothMethods) {
  MixedNcpSolver solver;
  for (const bool degenerate : {false, true}) {
    Random random(61);
    for (int trial = 0; trial < count(1000); ++trial) {
      const Problem problem = monotone(random, 1 + trial % 30, degenerate);
      const Eigen::VectorXd start = 3 * random_matrix(random, problem.size(), 1);
      Eigen::VectorXd x = start, y = start, z = start;
      const MixedNcpResult one = solver.solve(problem.view(), only_semismooth, x);
      const MixedNcpResult two = solver.solve(problem.view(), only_josephy, y);
      ASSERT_EQ(one.status, NcpStatus::solved) << trial;
      ASSERT_EQ(two.status, NcpStatus::solved) << trial;
      ASSERT_EQ(solver.solve(problem.sparse_view(), {}, z).status, NcpStatus::solved) << trial;
      EXPECT_LE(mixed_ncp_residual(problem.view(), x), 1e-10);
      for (const Eigen::VectorXd& answer : {x, y, z}) {
        EXPECT_LE((answer - problem.solution).lpNorm<Eigen::Infinity>(), 1e-8) << trial;
      }
    }
  }
}

TEST(NcpFamilies, RedundantEquations) {
  Random random(62);
  MixedNcpSolver solver;
  for (int trial = 0; trial < count(1000); ++trial) {
    const Eigen::Index n = 3 + trial % 20, rows = 1 + trial % 5;
    const Problem problem = redundant(random, n, rows);
    Eigen::VectorXd x = 3 * random_matrix(random, problem.size(), 1), y = x;
    const MixedNcp view = trial % 2 == 0 ? problem.view() : problem.sparse_view();
    ASSERT_EQ(solver.solve(view, {}, x).status, NcpStatus::solved) << trial;
    ASSERT_EQ(solver.solve(view, only_josephy, y).status, NcpStatus::solved) << trial;
    EXPECT_LE(mixed_ncp_residual(view, x), 1e-10);
    EXPECT_LE((x - problem.solution).head(n).lpNorm<Eigen::Infinity>(), 1e-7)
        << trial;  // multipliers are free to differ
    EXPECT_LE((y - problem.solution).head(n).lpNorm<Eigen::Infinity>(), 1e-7) << trial;
  }
}

/// Stewart and Trinkle's problem with velocities as free unknowns. The unknowns are x = (v⁺; of each contact c_n, β
/// (K), λ):
///     0 = M (v⁺ − v) − Jᵀ p,   0 ≤ u_n⁺ + offset ⊥ c_n ≥ 0,   0 ≤ Dᵀ u_t⁺ + λ e ⊥ β ≥ 0,   0 ≤ μ c_n − eᵀβ ⊥ λ ≥ 0.
struct ContactNcp {
  static constexpr int K = 6;
  Eigen::MatrixXd A, generators;  // p = generators · (c_n, β, λ, …)
  Eigen::VectorXd b, lower, upper;

  explicit ContactNcp(const Mechanics& m) {
    const auto nv = m.v.size(), contacts = static_cast<Eigen::Index>(m.blocks.size()), n = nv + contacts * (K + 2);
    A = Eigen::MatrixXd::Zero(n, n);
    b = Eigen::VectorXd::Zero(n);
    lower = Eigen::VectorXd::Constant(n, -infinity);
    lower.tail(n - nv).setZero();
    upper = Eigen::VectorXd::Constant(n, infinity);
    generators = Eigen::MatrixXd::Zero(m.u.size(), n - nv);
    Eigen::Matrix2Xd directions;
    cone_directions(K, directions);
    for (Eigen::Index c = 0; c < contacts; ++c) {
      const Block& block = m.blocks[c];
      const Eigen::Index at = c * (K + 2), row = nv + at, lambda = row + K + 1;
      generators(block.row + 2, at) = 1;
      generators.block(block.row, at + 1, 2, K) = directions;
      A.block(row + 1, lambda, K, 1).setOnes();
      A.block(lambda, row + 1, 1, K).setConstant(-1);
      A(lambda, row) = block.friction.x();
      b(row) = block.offset;
    }
    A.topLeftCorner(nv, nv) = m.M;
    A.topRightCorner(nv, n - nv) = -m.J.transpose() * generators;
    A.bottomLeftCorner(n - nv, nv) = generators.transpose() * m.J;
    b.head(nv) = -m.M * m.v;
  }
  static constexpr double tolerance = 1e-12;
  /// A contact whose normal impulse is zero within the tolerance has none.
  Eigen::VectorXd impulse(const Eigen::VectorXd& x) const {
    Eigen::VectorXd z = x.tail(generators.cols());
    for (Eigen::Index at = 0; at < z.size(); at += K + 2) {
      if (z(at) <= tolerance) z.segment(at, K + 2).setZero();
    }
    return generators * z;
  }
  MixedNcp view() const {
    return {lower,
            upper,
            [this](const Input& x, Eigen::Ref<Eigen::VectorXd> F) {
              F = b;
              F.noalias() += A * x;
              return true;
            },
            [this](const Input&, Eigen::Ref<Eigen::MatrixXd> J) {
              J = A;
              return true;
            },
            {},
            {}};
  }
};

TEST(NcpFamilies, ContactProblemsAsMixedProblems) {
  MixedNcpSolver solver;
  PolyhedralSolver polyhedral;
  for (const Family family : families::all) {
    Random random(63);
    for (int trial = 0; trial < count(1000); ++trial) {
      const Mechanics m = families::make(family, 1 + trial % 8, random);
      const ContactNcp ncp(m);
      Eigen::VectorXd x = Eigen::VectorXd::Zero(ncp.b.size()), p(m.u.size()), velocity(m.u.size());
      x.head(m.v.size()) = m.v;
      // The certificate is relative to the impulses, which can be small beside the unit that the residual counts in.
      const MixedNcpResult result = solver.solve(ncp.view(), {.tolerance = ContactNcp::tolerance}, x);
      ASSERT_EQ(result.status, NcpStatus::solved) << families::name(family) << ' ' << trial << ' ' << result.residual;
      ASSERT_EQ(polyhedral.solve(m.problem(), {.directions = ContactNcp::K, .lcp = {}}, p, velocity).status,
                SolveStatus::solved);
      for (const Eigen::VectorXd& impulse : {p, ncp.impulse(x)}) {
        const SolveCertificate certificate = certify(m.problem(), impulse, ContactNcp::K);
        EXPECT_LE(certificate.normal_complementarity, 1e-8) << families::name(family) << ' ' << trial;
        EXPECT_LE(certificate.cone_violation, 1e-8) << families::name(family) << ' ' << trial;
        EXPECT_LE(certificate.dissipation_residual, 1e-8) << families::name(family) << ' ' << trial;
      }
    }
  }
}

}  // namespace
}  // namespace carom::ncp_families_test
