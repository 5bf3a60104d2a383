#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <span>
#include <vector>

#include "carom/complementarity/certificate.h"
#include "carom/complementarity/polyhedral/polyhedral.h"
#include "testing/allocation_count.h"
#include "testing/problems/problem_families.h"

namespace carom::polyhedral_warm_test {
namespace {

using families::Family;
using families::Mechanics;
using families::Random;

double worst(const ContactProblem& problem, const Eigen::VectorXd& p, int directions = 8) {
  const SolveCertificate c = certify(problem, p, directions);
  return std::max(
      {c.normal_complementarity, c.cone_violation, c.dissipation_residual, c.bilateral_residual, c.bounded_residual});
}

std::span<const double> view(const Eigen::VectorXd& p) { return {p.data(), static_cast<std::size_t>(p.size())}; }

/// A box of 2 kg on the plane, touching it with four corners.
Mechanics box_on_plane() {
  families::Assembly box;
  box.bodies.resize(1);
  box.bodies[0].mass = 2;
  box.bodies[0].gyration = {0.24, 0.3, 0.35};
  for (int corner = 0; corner < 4; ++corner) {
    families::Touch touch;
    touch.a = 0;
    touch.r_a = {corner & 1 ? 0.5 : -0.5, corner & 2 ? 0.4 : -0.4, -0.2};
    touch.r_b = touch.r_a;
    box.add_contact(touch, BlockKind::cone).friction.setConstant(0.4);
  }
  return box.finish();
}

// A box that is pushed about on a plane, harder and softer and from turning sides. Most of the 1000 steps change
// little; some change which corners carry, and which way they slide.
TEST(WarmStart, HalvesThePivotsOfASlidingBox) {
  Mechanics box = box_on_plane();
  const double h = 0.002;
  const Eigen::MatrixXd inverse = box.M.diagonal().cwiseInverse().asDiagonal();
  PolyhedralSolver solver;
  Eigen::VectorXd p = Eigen::VectorXd::Zero(12), velocity(12), cold(12), cold_velocity(12);
  Eigen::VectorXd v = Eigen::VectorXd::Zero(6);
  long warm_pivots = 0, cold_pivots = 0, without = 0;
  for (int step = 0; step < 1000; ++step) {
    const double angle = 2 * std::numbers::pi * step / 400, push = 14 + 4 * std::sin(0.013 * step);
    Eigen::VectorXd force = Eigen::VectorXd::Zero(6);
    force.tail<3>() = Eigen::Vector3d(push * std::cos(angle), push * std::sin(angle), -2 * 9.81);
    force.head<3>() =
        Eigen::Vector3d(0, 0, 0.05).cross(force.tail<3>()) + Eigen::Vector3d(0, 0, std::cos(0.021 * step));
    v += h * inverse * force;
    box.u = box.J * v;
    const ContactSolution from_cold = solver.solve(box.problem(), {}, {}, cold, cold_velocity);
    ASSERT_EQ(from_cold.status, SolveStatus::solved) << step;
    const Eigen::VectorXd before = p;
    const ContactSolution warm = solver.solve(box.problem(), {}, view(before), p, velocity);
    ASSERT_EQ(warm.status, SolveStatus::solved) << step;
    ASSERT_LE(worst(box.problem(), p), 1e-9) << step;
    ASSERT_LE((velocity - cold_velocity).norm(), 1e-9) << step;
    warm_pivots += warm.iterations;
    cold_pivots += from_cold.iterations;
    without += warm.iterations == 0;
    v += inverse * box.J.transpose() * p;
  }
  RecordProperty("warm_pivots", static_cast<int>(warm_pivots));
  RecordProperty("cold_pivots", static_cast<int>(cold_pivots));
  EXPECT_LE(2 * warm_pivots, cold_pivots);
  EXPECT_GE(without, 500);
}

TEST(WarmStart, NeedsNoPivotFromTheSolutionItself) {
  Random random(61);
  PolyhedralSolver solver;
  for (int trial = 0; trial < 200; ++trial) {
    const Mechanics m = families::make(Family::full_rank, 1 + trial % 16, random);
    const PolyhedralOptions options{3 + trial % 8, {}};
    Eigen::VectorXd p(m.u.size()), again(m.u.size()), v(m.u.size());
    ASSERT_EQ(solver.solve(m.problem(), options, {}, p, v).status, SolveStatus::solved);
    const ContactSolution warm = solver.solve(m.problem(), options, view(p), again, v);
    ASSERT_EQ(warm.status, SolveStatus::solved) << trial;
    EXPECT_EQ(warm.iterations, 0) << trial;
    EXPECT_LE((again - p).norm(), 1e-12 * (1 + p.norm())) << trial;
  }
}

TEST(WarmStart, SolvesFromAnyImpulsesInAllFamilies) {
  Random random(62);
  PolyhedralSolver solver;
  for (int trial = 0; trial < 400; ++trial) {
    const Family family = families::all[trial % 4];
    Mechanics m = families::make(family, 1 + trial % 14, random);
    const auto k = m.u.size();
    Eigen::VectorXd p(k), v(k), start(k);
    ASSERT_EQ(solver.solve(m.problem(), {}, {}, start, v).status, SolveStatus::solved);
    if (trial % 3 == 0) {  // the velocities have changed a little since, or much, or the impulses are anyone's
      m.u += 0.01 * m.u.cwiseProduct(m.u);
    } else if (trial % 3 == 1) {
      m.u = m.J * (m.v.reverse());
    } else {
      for (double& x : start) x = random.uniform(-1, 1);
    }
    ASSERT_EQ(solver.solve(m.problem(), {}, view(start), p, v).status, SolveStatus::solved)
        << families::name(family) << " " << trial;
    EXPECT_LE(worst(m.problem(), p), 1e-8) << families::name(family) << " " << trial;
  }
}

TEST(WarmStart, AllocatesNothing) {
  Random random(63);
  PolyhedralSolver solver;
  solver.reserve(14, 8);
  std::vector<Mechanics> problems;
  problems.reserve(40);
  for (int i = 0; i < 40; ++i) problems.push_back(families::make(families::all[i % 4], 1 + i % 14, random));
  Eigen::VectorXd p(42), start(42), v(42);
  for (double& x : start) x = random.uniform(-0.5, 1);
  const long before = allocation_count();
  for (const Mechanics& m : problems) {
    const auto k = m.u.size();
    const std::span<const double> from(start.data(), static_cast<std::size_t>(k));
    EXPECT_EQ(solver.solve(m.problem(), {}, from, p.head(k), v.head(k)).status, SolveStatus::solved);
  }
  EXPECT_EQ(allocation_count(), before);
}

}  // namespace
}  // namespace carom::polyhedral_warm_test
