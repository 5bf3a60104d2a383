#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <functional>
#include <vector>

#include "carom/complementarity/certificate.h"
#include "carom/complementarity/cone/cone_newton.h"
#include "carom/complementarity/cone/cone_smoothing.h"
#include "carom/complementarity/cone/gauss_seidel.h"
#include "carom/complementarity/cone/proximal.h"
#include "testing/problems/problem_families.h"

// The methods of the exact cone, each by itself and without the driver's help.

namespace carom::cone_methods_test {
namespace {

using families::Family;
using families::Mechanics;
using families::Random;

constexpr double tolerance = 1e-10;

struct Method {
  const char* name;
  std::function<ConeProgress(ConeSystem&, int most, double* p, double* w)> run;
};

void PrintTo(const Method& method, std::ostream* out) { *out << method.name; }

ConeProgress newton(ConeNewton::Equation equation, ConeSystem& system, int most, double* p, double* w) {
  ConeNewton method;
  method.reserve(static_cast<int>(system.contacts().size()), system.rows());
  return method.improve(system, equation, tolerance, most, p, w);
}

class EachConeMethod : public testing::TestWithParam<Method> {};

/// As many bodies as contacts and little friction: the solution is unique, and every method converges.
Mechanics well_posed(int contacts, Random& random) {
  Mechanics m = families::make(Family::full_rank, contacts, random);
  for (Block& block : m.blocks) block.friction = {random.uniform(0.02, 0.1), random.uniform(0.02, 0.1)};
  return m;
}

TEST_P(EachConeMethod, SolvesAWellPosedProblemFromRest) {
  Random random(71);
  ConeSystem system;
  for (int trial = 0; trial < 100; ++trial) {
    const Mechanics m = well_posed(1 + trial % 6, random);
    system.prepare(m.problem());
    Eigen::VectorXd p = Eigen::VectorXd::Zero(m.u.size()), w = m.u;
    const ConeProgress done = GetParam().run(system, 5000, p.data(), w.data());
    EXPECT_LE(done.residual, tolerance) << trial;
    EXPECT_LE(certify(m.problem(), p, 0).natural_map, 10 * tolerance) << trial;
    EXPECT_LE((w - m.u - m.A * p).norm(), 1e-12 * (m.u.norm() + (m.A * p).norm())) << trial;
  }
}

TEST_P(EachConeMethod, TakesNoStepFromASolution) {
  // A ball on the ground: the normal impulse that stops it, and the friction of a slide.
  const Eigen::Matrix3d A = Eigen::Vector3d(3.5, 3.5, 1).asDiagonal();
  const Eigen::Vector3d u(2, 0, -1);
  std::vector<Block> blocks(1);
  blocks[0].kind = BlockKind::cone;
  blocks[0].friction = {0.25, 0.25};
  ConeSystem system;
  system.prepare({A, u, blocks});
  Eigen::Vector3d p(-0.25, 0, 1);
  const Eigen::Vector3d solution = p;
  Eigen::Vector3d w = u + A * p;
  const ConeProgress done = GetParam().run(system, 100, p.data(), w.data());
  EXPECT_LE(done.residual, tolerance);
  EXPECT_LE((p - solution).norm(), 1e-12);
}

TEST_P(EachConeMethod, ObeysItsBudgetAndLosesNothing) {
  Random random(72);
  ConeSystem system;
  for (int trial = 0; trial < 40; ++trial) {
    const Mechanics m = families::make(Family::stack, 8, random);
    system.prepare(m.problem());
    Eigen::VectorXd p = Eigen::VectorXd::Zero(m.u.size()), w = m.u;
    const double first = system.residual(p.data(), w.data());
    const ConeProgress done = GetParam().run(system, 3, p.data(), w.data());
    EXPECT_LE(done.steps, 3) << trial;
    EXPECT_LE(done.residual, 1.5 * first) << trial;
    EXPECT_NEAR(done.residual, system.residual(p.data(), w.data()), 1e-12 + 1e-9 * first) << trial;
  }
}

INSTANTIATE_TEST_SUITE_P(ConeMethods, EachConeMethod,
                         testing::Values(Method{"gauss_seidel",
                                                [](ConeSystem& system, int most, double* p, double* w) {
                                                  return GaussSeidel().sweep(system, tolerance, most, true, p, w);
                                                }},
                                         Method{"newton_own",
                                                [](ConeSystem& system, int most, double* p, double* w) {
                                                  return newton(ConeNewton::Equation::own, system, most, p, w);
                                                }},
                                         Method{"newton_projected",
                                                [](ConeSystem& system, int most, double* p, double* w) {
                                                  return newton(ConeNewton::Equation::projected, system, most, p, w);
                                                }},
                                         Method{"smooth_path",
                                                [](ConeSystem& system, int most, double* p, double* w) {
                                                  ConeSmoothing path;
                                                  path.reserve(static_cast<int>(system.contacts().size()),
                                                               system.rows());
                                                  path.start(system, p, w);
                                                  return path.follow(system, tolerance, most, p, w);
                                                }},
                                         Method{"proximal_gradient",
                                                [](ConeSystem& system, int most, double* p, double* w) {
                                                  return ProximalGradient().descend(system, tolerance, most, p, w);
                                                }}),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace carom::cone_methods_test
