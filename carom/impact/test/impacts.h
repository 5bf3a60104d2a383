#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <vector>

#include "carom/impact/impact_problem.h"

/// Impacts on free rigid bodies, spheres and chains, set up by hand for the tests of impact laws.
namespace carom::impacts {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;

/// Contact Jacobian, inverse mass matrix and velocity before: A = J W Jᵀ, u = J v.
struct Impact {
  MatrixXd J, W, A;
  VectorXd v, u;
  std::vector<Block> blocks;
  std::vector<ImpactSurface> surfaces;

  ImpactProblem problem() const { return {A, u, blocks, surfaces}; }
  void close() {
    A = J * W * J.transpose();
    A = (0.5 * (A + A.transpose())).eval();
    u = J * v;
  }
  /// Takes away velocities that bilateral rows ought not to have, by impulses of theirs.
  void hold() {
    std::vector<int> held;
    for (const Block& block : blocks) {
      if (block.kind == BlockKind::bilateral) held.push_back(block.row);
    }
    if (held.empty()) return;
    const MatrixXd G = J(held, Eigen::all);
    v -= W * G.transpose() * (G * W * G.transpose()).completeOrthogonalDecomposition().solve(G * v);
    u = J * v;
  }
  double kinetic_energy(const VectorXd& velocity) const { return 0.5 * velocity.dot(W.ldlt().solve(velocity)); }
  VectorXd after(const VectorXd& p) const { return v + W * J.transpose() * p; }
};

inline void add_block(Impact& impact, BlockKind kind, double friction, const Restitution& restitution) {
  Block block;
  block.kind = kind;
  block.row = 0;
  for (const Block& other : impact.blocks) block.row += other.size();
  block.friction.setConstant(friction);
  impact.blocks.push_back(block);
  impact.surfaces.push_back({restitution, 1, 1.5});
}

/// A body with its velocity (angular, linear) and principal inertias about world axes, which suffices here.
struct Body {
  double mass = 1;
  Matrix3d inertia = Matrix3d::Identity();
  Vector3d angular = Vector3d::Zero(), linear = Vector3d::Zero();
};

/// Contact of body `a` with body `b` (-1: the world): point relative to each centre, tangents and normal as columns.
struct Touch {
  int a = 0, b = -1;
  Vector3d r_a = Vector3d::Zero(), r_b = Vector3d::Zero();
  Matrix3d frame = Matrix3d::Identity();
  double friction = 0;
  Restitution restitution = ConstantRestitution{0};
  BlockKind kind = BlockKind::cone;  ///< others: the normal row alone
};

inline Impact make(const std::vector<Body>& bodies, const std::vector<Touch>& touches) {
  Impact impact;
  const auto n = static_cast<Eigen::Index>(6 * bodies.size());
  impact.W = MatrixXd::Zero(n, n);
  impact.v = VectorXd::Zero(n);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(6 * i);
    impact.W.block<3, 3>(at, at) = bodies[i].inertia.inverse();
    impact.W.block<3, 3>(at + 3, at + 3) = Matrix3d::Identity() / bodies[i].mass;
    impact.v.segment<3>(at) = bodies[i].angular;
    impact.v.segment<3>(at + 3) = bodies[i].linear;
  }
  Eigen::Index rows = 0;
  for (const Touch& touch : touches) rows += touch.kind == BlockKind::cone ? 3 : 1;
  impact.J = MatrixXd::Zero(rows, n);
  for (const Touch& touch : touches) {
    add_block(impact, touch.kind, touch.friction, touch.restitution);
    const int first = touch.kind == BlockKind::cone ? 0 : 2;
    for (int axis = first; axis < 3; ++axis) {
      const Eigen::Index row = impact.blocks.back().row + axis - first;
      const Vector3d direction = touch.frame.col(axis);
      impact.J.block<1, 3>(row, 6 * touch.a) += touch.r_a.cross(direction).transpose();
      impact.J.block<1, 3>(row, 6 * touch.a + 3) += direction.transpose();
      if (touch.b < 0) continue;
      impact.J.block<1, 3>(row, 6 * touch.b) -= touch.r_b.cross(direction).transpose();
      impact.J.block<1, 3>(row, 6 * touch.b + 3) -= direction.transpose();
    }
  }
  impact.close();
  return impact;
}

/// A point of 1 kg on a plane, with slip and approach as given.
inline Impact point(const Vector3d& velocity, double friction, const Restitution& restitution, double mass = 1) {
  Body body;
  body.mass = mass;
  body.linear = velocity;
  return make({body}, {{0, -1, Vector3d::Zero(), Vector3d::Zero(), Matrix3d::Identity(), friction, restitution,
                        BlockKind::cone}});
}

/// Frictionless balls in a row along z, each touching the next; the first has the speed given, towards the others.
inline Impact row_of_balls(const std::vector<double>& masses, double speed, double e) {
  std::vector<Body> bodies;
  std::vector<Touch> touches;
  for (std::size_t i = 0; i < masses.size(); ++i) {
    Body ball;
    ball.mass = masses[i];
    if (i == 0) ball.linear = {0, 0, -speed};
    bodies.push_back(ball);
    if (i == 0) continue;
    Touch touch;  // the normal points from the later ball to the earlier
    touch.a = static_cast<int>(i) - 1;
    touch.b = static_cast<int>(i);
    touch.restitution = ConstantRestitution{e};
    touch.kind = BlockKind::unilateral;
    touches.push_back(touch);
  }
  return make(bodies, touches);
}

inline Matrix3d box_inertia(double mass, const Vector3d& size) {
  const Vector3d s = size.cwiseProduct(size);
  return (mass / 12 * Vector3d(s[1] + s[2], s[0] + s[2], s[0] + s[1])).asDiagonal();
}

/// A box flat on the ground, on its four lower corners.
inline Impact flat_box(double mass, const Vector3d& size, const Vector3d& linear, const Vector3d& angular,
                       double friction, const Restitution& restitution) {
  Body box;
  box.mass = mass;
  box.inertia = box_inertia(mass, size);
  box.linear = linear;
  box.angular = angular;
  std::vector<Touch> touches;
  for (int corner = 0; corner < 4; ++corner) {
    Touch touch;
    touch.r_a = {(corner & 1 ? 0.5 : -0.5) * size[0], (corner & 2 ? 0.5 : -0.5) * size[1], -0.5 * size[2]};
    touch.friction = friction;
    touch.restitution = restitution;
    touches.push_back(touch);
  }
  return make({box}, touches);
}

/// The brick of Uchida, Sherman and Delp 2015, example 1 (figures 7 to 10, table A1). Massless spheres of radius 0.1 m
/// are at the corners. Turned by R = Rx(π/4) Ry(π/6), it touches the ground with the lowest sphere.
inline Impact brick_on_vertex(double friction, const Restitution& restitution) {
  const Vector3d size(0.4, 0.6, 0.8);
  const Matrix3d R = (Eigen::AngleAxisd(M_PI / 4, Vector3d::UnitX()) * Eigen::AngleAxisd(M_PI / 6, Vector3d::UnitY()))
                         .toRotationMatrix();
  Body brick;
  brick.mass = 2;
  brick.inertia = R * box_inertia(brick.mass, size) * R.transpose();
  brick.linear = {-5, 0, -5.74};
  Touch touch;
  double lowest = INFINITY;
  for (int corner = 0; corner < 8; ++corner) {
    const Vector3d local((corner & 1 ? 0.5 : -0.5) * size[0], (corner & 2 ? 0.5 : -0.5) * size[1],
                         (corner & 4 ? 0.5 : -0.5) * size[2]);
    const Vector3d r = R * local;
    if (r[2] >= lowest) continue;
    lowest = r[2];
    touch.r_a = r - Vector3d(0, 0, 0.1);
  }
  touch.friction = friction;
  touch.restitution = restitution;
  return make({brick}, {touch});
}

}  // namespace carom::impacts
