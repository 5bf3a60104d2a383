#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/complementarity/certificate.h"
#include "carom/complementarity/polyhedral/polyhedral.h"
#include "testing/problems/problem_families.h"

// The polyhedral solver on bilateral and bounded rows beside contacts, and where no solution exists.

namespace carom::polyhedral_kinds_test {
namespace {

using families::Assembly;
using families::Family;
using families::FreeBody;
using families::Mechanics;
using families::Random;
using families::Recipe;
using families::Touch;

/// A body of unit mass that slides along x on a rail: bilateral rows fix its other motions.
Assembly slider_on_rail(const Eigen::Vector3d& velocity) {
  Assembly assembly;
  FreeBody body;
  body.linear = velocity;
  assembly.bodies.push_back(body);
  const Touch at_centre;
  assembly.add_point_row(at_centre, Eigen::Vector3d::UnitY(), BlockKind::bilateral);
  assembly.add_point_row(at_centre, Eigen::Vector3d::UnitZ(), BlockKind::bilateral);
  for (int axis = 0; axis < 3; ++axis) {
    assembly.add_turning_row(0, -1, Eigen::Vector3d::Unit(axis), BlockKind::bilateral);
  }
  return assembly;
}

Eigen::VectorXd velocity_after(const Mechanics& m, double* largest_impulse = nullptr) {
  PolyhedralSolver solver;
  Eigen::VectorXd impulse(m.u.size()), velocity(m.u.size());
  const ContactSolution result = solver.solve(m.problem(), {}, impulse, velocity);
  EXPECT_EQ(result.status, SolveStatus::solved);
  const SolveCertificate c = certify(m.problem(), impulse, PolyhedralOptions{}.directions);
  EXPECT_LE(std::max({c.bilateral_residual, c.bounded_residual, c.normal_complementarity, c.dissipation_residual}),
            1e-9);
  if (largest_impulse != nullptr) *largest_impulse = impulse.lpNorm<Eigen::Infinity>();
  return velocity;
}

TEST(PolyhedralKinds, DryFrictionStopsARailSliderOrTakesItsLimit) {
  for (const double speed : {-3.0, -0.2, 0.0, 0.4, 5.0}) {
    for (const double limit : {0.0, 0.3, 1.0}) {
      Assembly assembly = slider_on_rail({speed, 0.7, -2});
      Block& friction = assembly.add_point_row({}, Eigen::Vector3d::UnitX(), BlockKind::bounded);
      friction.lower = -limit;
      friction.upper = limit;
      const Mechanics m = assembly.finish();
      const double left = std::copysign(std::max(0.0, std::abs(speed) - limit), speed);
      EXPECT_NEAR(velocity_after(m)(5), left, 1e-12) << speed << " " << limit;
    }
  }
}

TEST(PolyhedralKinds, AStopWinsOverADriveThatIsTooWeak) {
  // A drive of limited impulse wants 1 m/s; a joint limit ahead allows 0.25 m/s in this step.
  for (const double limit : {0.1, 0.5, 10.0}) {
    Assembly assembly = slider_on_rail({0, 0, 0});
    Block& drive = assembly.add_point_row({}, Eigen::Vector3d::UnitX(), BlockKind::bounded);
    drive.offset = -1;
    drive.lower = -limit;
    drive.upper = limit;
    assembly.add_point_row({}, -Eigen::Vector3d::UnitX(), BlockKind::unilateral).offset = 0.25;
    EXPECT_NEAR(velocity_after(assembly.finish())(5), std::min(limit, 0.25), 1e-12) << limit;
  }
}

TEST(PolyhedralKinds, FrictionThatABilateralRowHoldsIsNoForceWhereNothingMoves) {
  // A bilateral row fixes the rail's own direction as well, and that direction rubs. With velocities of any size,
  // round-off included, friction is at rest or at its bound, and no velocity is left.
  for (const double speed : {0.0, 1e-35, 1e-20, 1e-3, 1.0}) {
    Assembly assembly = slider_on_rail({speed, 0, 0});
    assembly.add_point_row({}, Eigen::Vector3d::UnitX(), BlockKind::bilateral);
    Block& friction = assembly.add_point_row({}, -Eigen::Vector3d::UnitX(), BlockKind::bounded);
    friction.lower = -0.002;
    friction.upper = 0.002;
    EXPECT_NEAR(velocity_after(assembly.finish())(5), 0, 1e-12 * speed) << speed;
  }
}

TEST(PolyhedralKinds, RedundantBilateralRowsChangeNothing) {
  Random random(5);
  for (int trial = 0; trial < 50; ++trial) {
    Assembly once = slider_on_rail(random.vector(2));
    Assembly twice = once;
    twice.add_point_row({}, (Eigen::Vector3d::UnitY() + Eigen::Vector3d::UnitZ()).normalized(), BlockKind::bilateral);
    for (Assembly* assembly : {&once, &twice}) {
      Touch ground;
      ground.normal = {-0.6, 0.8, 0};
      ground.r_a = {0.1, -0.2, 0.3};
      assembly->add_contact(ground, BlockKind::cone).friction.setConstant(0.5);
    }
    const Eigen::VectorXd a = velocity_after(once.finish()), b = velocity_after(twice.finish());
    EXPECT_LE((a.tail(3) - b.tail(3)).norm(), 1e-10) << trial;
  }
}

TEST(PolyhedralKinds, BilateralRowsAreBoundedOnesWithoutBounds) {
  // Without friction of contacts the velocities are unique.
  Random random(6);
  PolyhedralSolver solver;
  for (int trial = 0; trial < 40; ++trial) {
    Mechanics m = families::make(Family::mechanism, 1 + trial % 4, random);
    for (Block& block : m.blocks) block.friction.setZero();
    double largest = 0;
    const Eigen::VectorXd held = velocity_after(m, &largest);
    for (Block& block : m.blocks) {
      if (block.kind != BlockKind::bilateral) continue;
      block.kind = BlockKind::bounded;
      block.upper = 100 * largest + 1;
      block.lower = -block.upper;
    }
    Eigen::VectorXd impulse(m.u.size()), velocity(m.u.size());
    ASSERT_EQ(solver.solve(m.problem(), {}, impulse, velocity).status, SolveStatus::solved) << trial;
    EXPECT_LE((velocity - held).norm(), 1e-7 * (1 + m.u.norm())) << trial;
  }
}

/// R and q of cones with K directions of one coefficient, as the paper writes them.
void write_out(const Mechanics& m, int K, Eigen::MatrixXd& R, Eigen::VectorXd& q) {
  const auto n = static_cast<Eigen::Index>(m.blocks.size()), cols = n + K * n;
  Eigen::MatrixXd P = Eigen::MatrixXd::Zero(m.u.size(), cols);
  R.setZero(cols + n, cols + n);
  q.setZero(cols + n);
  for (Eigen::Index c = 0; c < n; ++c) {
    P(3 * c + 2, c) = 1;
    for (int j = 0; j < K; ++j) {
      const double angle = 2 * std::numbers::pi * j / K;
      P.col(n + K * c + j).segment<2>(3 * c) = Eigen::Vector2d(std::cos(angle), std::sin(angle));
    }
    R(cols + c, c) = m.blocks[static_cast<std::size_t>(c)].friction.x();
    R.row(cols + c).segment(n + K * c, K).setConstant(-1);
    R.col(cols + c).segment(n + K * c, K).setOnes();
  }
  R.topLeftCorner(cols, cols) = P.transpose() * m.A * P;
  q.head(cols) = P.transpose() * m.u;
  for (Eigen::Index c = 0; c < n; ++c) q(c) += m.blocks[static_cast<std::size_t>(c)].offset;
}

/// True if some complementary basis of the LCP has a nonnegative solution.
bool has_basic_solution(const Eigen::MatrixXd& R, const Eigen::VectorXd& q) {
  const auto n = static_cast<int>(q.size());
  const double size = q.lpNorm<Eigen::Infinity>();
  for (unsigned set = 0; set < 1U << n; ++set) {
    Eigen::MatrixXd basis = Eigen::MatrixXd::Identity(n, n);
    for (int j = 0; j < n; ++j) {
      if ((set >> j & 1U) != 0) basis.col(j) = -R.col(j);
    }
    const Eigen::FullPivLU<Eigen::MatrixXd> lu(basis);
    if (!lu.isInvertible()) continue;
    const Eigen::VectorXd x = lu.solve(q);
    if (x.minCoeff() >= -1e-9 * size && (basis * x - q).norm() <= 1e-9 * size) return true;
  }
  return false;
}

TEST(PolyhedralKinds, WhatStaysUnsolvedHasNoSolutionAtAll) {
  // Jammed rods and boxes with one or two contacts: few enough to look at every basis.
  constexpr int K = 3;
  PolyhedralSolver solver;
  PolyhedralOptions options;
  options.directions = K;
  int unsolved = 0;
  for (int number = 0; number < 4000; ++number) {
    const Mechanics m = make(Recipe{Family::jammed, 1 + number % 2, static_cast<std::uint64_t>(number)});
    Eigen::VectorXd impulse(m.u.size()), velocity(m.u.size());
    if (solver.solve(m.problem(), options, impulse, velocity).status == SolveStatus::solved) continue;
    ++unsolved;
    Eigen::MatrixXd R;
    Eigen::VectorXd q;
    write_out(m, K, R, q);
    EXPECT_FALSE(has_basic_solution(R, q)) << number;
  }
  EXPECT_GT(unsolved, 10);
}

}  // namespace
}  // namespace carom::polyhedral_kinds_test
