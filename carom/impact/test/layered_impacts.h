#pragma once

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "carom/impact/impact_problem.h"

namespace carom::layered {

/// An impact with the mechanism it came from: A = J M⁻¹ Jᵀ, u = J v.
struct Impact {
  Eigen::MatrixXd M, J, A;
  Eigen::VectorXd v, u;
  std::vector<Block> blocks;
  std::vector<ImpactSurface> surfaces;

  void assemble() {
    A = J * M.inverse() * J.transpose();
    A = (0.5 * (A + A.transpose())).eval();
    u = J * v;
  }
  ImpactProblem problem() const { return {A, u, blocks, surfaces}; }
  double energy() const { return 0.5 * v.dot(M * v); }
  void set_restitution(double e) {
    for (ImpactSurface& surface : surfaces) surface.restitution = ConstantRestitution{e};
  }
  /// A block for the next rows, in order.
  void add(BlockKind kind, double friction = 0) {
    Block block;
    block.kind = kind;
    block.row = blocks.empty() ? 0 : blocks.back().row + blocks.back().size();
    if (kind == BlockKind::cone) block.friction = Eigen::Vector2d(friction, friction);
    blocks.push_back(block);
    surfaces.emplace_back();
  }
};

/// Balls in a line that touch; the first comes with the speed `speed` and the others rest.
inline Impact row_of_balls(const std::vector<double>& masses, const std::vector<double>& stiffnesses, double speed,
                           double exponent = 1.5) {
  const auto n = static_cast<Eigen::Index>(masses.size());
  Impact impact;
  impact.M = Eigen::VectorXd::Map(masses.data(), n).asDiagonal();
  impact.J = Eigen::MatrixXd::Zero(n - 1, n);
  impact.v = Eigen::VectorXd::Zero(n);
  impact.v(0) = speed;
  for (Eigen::Index i = 0; i + 1 < n; ++i) {
    impact.J(i, i) = -1;
    impact.J(i, i + 1) = 1;
    impact.add(BlockKind::unilateral);
    impact.surfaces.back() = {ConstantRestitution{1}, stiffnesses[i], exponent};
  }
  impact.assemble();
  return impact;
}

/// A brick of 0.8 × 0.6 × 0.4 m and 1 kg, turned by R. Some of its vertices are contacts on the plane z = 0. The
/// velocity of its centre and its angular velocity are in the world frame.
inline Impact brick(const Eigen::Matrix3d& R, const std::vector<Eigen::Vector3d>& vertices, double friction,
                    const Eigen::Vector3d& velocity, const Eigen::Vector3d& angular) {
  constexpr double mass = 1, x = 0.8, y = 0.6, z = 0.4;
  Impact impact;
  impact.M = Eigen::MatrixXd::Zero(6, 6);
  const Eigen::Vector3d inertia = mass / 12 * Eigen::Vector3d(y * y + z * z, x * x + z * z, x * x + y * y);
  impact.M.topLeftCorner<3, 3>() = R * inertia.asDiagonal() * R.transpose();
  impact.M.bottomRightCorner<3, 3>() = mass * Eigen::Matrix3d::Identity();
  impact.J.resize(3 * static_cast<Eigen::Index>(vertices.size()), 6);
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const Eigen::Vector3d r = R * vertices[i];
    Eigen::Matrix3d cross;
    cross << 0, -r.z(), r.y(), r.z(), 0, -r.x(), -r.y(), r.x(), 0;
    impact.J.block<3, 3>(3 * static_cast<Eigen::Index>(i), 0) = -cross;
    impact.J.block<3, 3>(3 * static_cast<Eigen::Index>(i), 3).setIdentity();
    impact.add(BlockKind::cone, friction);
  }
  impact.v.resize(6);
  impact.v << angular, velocity;
  impact.assemble();
  return impact;
}

inline std::vector<Eigen::Vector3d> brick_corners() {
  std::vector<Eigen::Vector3d> corners;
  for (const double x : {-0.4, 0.4}) {
    for (const double y : {-0.3, 0.3}) corners.emplace_back(x, y, -0.2);
  }
  return corners;
}

using Random = std::mt19937_64;
inline double uniform(Random& random, double low, double high) {
  return low + (high - low) * std::generate_canonical<double, 53>(random);
}

/// Contacts of a mechanism of few freedoms, so that some are redundant, with friction or without, a few bilateral rows
/// that hold before, different stiffnesses.
inline Impact random_impact(Random& random, int contacts, bool with_friction = true) {
  const int bilateral = uniform(random, 0, 1) < 0.4 ? 1 + static_cast<int>(uniform(random, 0, 2.99)) : 0;
  const int freedoms = 6 + bilateral + static_cast<int>(uniform(random, 0, 1.5 * contacts));
  Impact impact;
  Eigen::MatrixXd root(freedoms, freedoms);
  for (double& entry : root.reshaped()) entry = uniform(random, -1, 1);
  impact.M = root * root.transpose() + Eigen::MatrixXd::Identity(freedoms, freedoms);
  for (int i = 0; i < bilateral; ++i) impact.add(BlockKind::bilateral);
  for (int i = 0; i < contacts; ++i) {
    const bool cone = with_friction && uniform(random, 0, 1) < 0.8;
    impact.add(cone ? BlockKind::cone : BlockKind::unilateral, cone ? uniform(random, 0, 1) : 0.0);
    impact.surfaces.back().stiffness = std::pow(10.0, uniform(random, -1, 1));
  }
  impact.J.resize(impact.blocks.back().row + impact.blocks.back().size(), freedoms);
  for (double& entry : impact.J.reshaped()) entry = uniform(random, -1, 1);
  for (std::size_t b = bilateral + 1; b < impact.blocks.size(); ++b) {  // some normals are those of others
    const int other = bilateral + static_cast<int>(uniform(random, 0, static_cast<double>(b) - bilateral - 1e-9));
    if (uniform(random, 0, 1) < 0.15) {
      impact.J.row(impact.blocks[b].normal_row()) = impact.J.row(impact.blocks[other].normal_row());
    }
  }
  impact.v.resize(freedoms);
  for (double& entry : impact.v) entry = uniform(random, -1, 1);
  if (bilateral > 0) {
    const Eigen::MatrixXd G = impact.J.topRows(bilateral);
    impact.v -= G.transpose() * (G * G.transpose()).inverse() * (G * impact.v);
  }
  impact.assemble();
  return impact;
}

/// Every law owes this: u⁺ = u + A p, pushes only, friction within its cone.
inline void expect_lawful(const Impact& impact, const Eigen::VectorXd& p, const Eigen::VectorXd& after,
                          double cone_tolerance = 1e-12) {
  // Relative to what the sum adds up: impulses that hold one another can be large.
  const double size = (impact.u.cwiseAbs() + impact.A.cwiseAbs() * p.cwiseAbs()).maxCoeff();
  EXPECT_LE((after - impact.u - impact.A * p).cwiseAbs().maxCoeff(), 1e-12 * size);
  const double most = std::max(1e-300, p.cwiseAbs().maxCoeff());
  for (const Block& block : impact.blocks) {
    if (block.kind == BlockKind::bilateral) continue;
    const double normal = p(block.normal_row());
    EXPECT_GE(normal, -cone_tolerance * most);
    if (block.kind != BlockKind::cone) continue;
    EXPECT_LE(p.segment<2>(block.row).norm(), block.friction.x() * normal + cone_tolerance * most);
  }
}

}  // namespace carom::layered
