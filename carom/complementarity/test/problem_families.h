#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "carom/complementarity/contact_problem.h"

/// Seeded contact problems of free rigid bodies in four families, shared by tests and benchmarks. Each problem carries
/// the mechanics that it was made from: M (6 b × 6 b), J (k × 6 b), v (6 b), with A = J M⁻¹ Jᵀ and u = J v.
namespace carom::families {

enum class Family { full_rank, redundant, mass_ratio, stack };
constexpr Family all[] = {Family::full_rank, Family::redundant, Family::mass_ratio, Family::stack};

inline std::string name(Family family) {
  constexpr const char* names[] = {"full rank", "redundant", "mass ratio 1e4", "stack"};
  return names[static_cast<int>(family)];
}

struct Mechanics {
  Eigen::MatrixXd M, J, A;
  Eigen::VectorXd v, u;
  std::vector<Block> blocks;
  ContactProblem problem() const { return {A, u, blocks}; }
};

/// One number sequence for all platforms: std distributions differ between libraries, the engine does not.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  double uniform(double low, double high) {
    return low + (high - low) * (static_cast<double>(engine_() >> 11) * 0x1p-53);
  }
  int integer(int low, int high) {
    return low + static_cast<int>(engine_() % static_cast<std::uint64_t>(high - low + 1));
  }
  Eigen::Vector3d vector(double size) { return {uniform(-size, size), uniform(-size, size), uniform(-size, size)}; }
  Eigen::Vector3d direction() {
    for (;;) {
      const Eigen::Vector3d x = vector(1);
      if (x.norm() > 0.1 && x.norm() < 1) return x.normalized();
    }
  }

 private:
  std::mt19937_64 engine_;
};

struct Touch {
  int a = 0, b = -1;                                                             ///< bodies; −1 is the world
  Eigen::Vector3d r_a = Eigen::Vector3d::Zero(), r_b = Eigen::Vector3d::Zero();  ///< from the centres of mass
  Eigen::Vector3d normal = Eigen::Vector3d::UnitZ();                             ///< from b towards a
};

/// Columns x, y, z = normal.
inline Eigen::Matrix3d frame(const Eigen::Vector3d& normal) {
  Eigen::Matrix3d R;
  R.col(2) = normal;
  R.col(0) =
      (std::abs(normal.z()) < 0.9 ? Eigen::Vector3d::UnitZ() : Eigen::Vector3d::UnitX()).cross(normal).normalized();
  R.col(1) = normal.cross(R.col(0));
  return R;
}

/// Velocity of the body's point at r along the frame's axes: rows of [−r × · , ·] for (ω, v).
inline void add_point_rows(Eigen::MatrixXd& J, int row, int body, const Eigen::Vector3d& r, const Eigen::Matrix3d& R,
                           double sign) {
  if (body < 0) return;
  for (int axis = 0; axis < 3; ++axis) {
    const Eigen::Vector3d d = R.col(axis);
    J.block<1, 3>(row + axis, 6 * body) += sign * r.cross(d).transpose();
    J.block<1, 3>(row + axis, 6 * body + 3) += sign * d.transpose();
  }
}

inline Mechanics assemble(const Eigen::MatrixXd& M, const Eigen::VectorXd& v, const std::vector<Touch>& touches,
                          Random& random) {
  Mechanics result;
  result.M = M;
  result.v = v;
  result.J = Eigen::MatrixXd::Zero(3 * static_cast<int>(touches.size()), M.rows());
  const double friction = random.uniform(0.05, 1.2);
  for (std::size_t i = 0; i < touches.size(); ++i) {
    const Eigen::Matrix3d R = frame(touches[i].normal);
    const int row = 3 * static_cast<int>(i);
    add_point_rows(result.J, row, touches[i].a, touches[i].r_a, R, 1);
    add_point_rows(result.J, row, touches[i].b, touches[i].r_b, R, -1);
    Block block;
    block.kind = BlockKind::cone;
    block.row = row;
    block.friction.setConstant(friction);
    result.blocks.push_back(block);
  }
  const Eigen::LLT<Eigen::MatrixXd> cholesky(M);
  const Eigen::MatrixXd half = cholesky.matrixL().solve(result.J.transpose());
  result.A = half.transpose() * half;
  result.u = result.J * v;
  return result;
}

inline void set_inertia(Eigen::MatrixXd& M, int body, double mass, const Eigen::Vector3d& gyration,
                        const Eigen::Matrix3d& R) {
  M.block<3, 3>(6 * body, 6 * body) = R * (mass * gyration.cwiseAbs2()).asDiagonal() * R.transpose();
  M.block<3, 3>(6 * body + 3, 6 * body + 3) = mass * Eigen::Matrix3d::Identity();
}

/// Balls and potatoes touching at random, or a column of boxes with the four corners of every face in contact.
inline Mechanics make(Family family, int contacts, Random& random) {
  const bool stack = family == Family::stack;
  const int bodies = stack                         ? (contacts + 3) / 4
                     : family == Family::redundant ? std::max(1, contacts / 4)
                                                   : std::max(1, contacts);
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(6 * bodies, 6 * bodies);
  Eigen::VectorXd v(6 * bodies);
  for (int body = 0; body < bodies; ++body) {
    const double mass = family == Family::mass_ratio ? std::pow(10.0, random.uniform(-2, 2)) : random.uniform(0.5, 2);
    const Eigen::Vector3d gyration(random.uniform(0.2, 0.5), random.uniform(0.2, 0.5), random.uniform(0.2, 0.5));
    set_inertia(M, body, mass, gyration, stack ? Eigen::Matrix3d::Identity() : frame(random.direction()));
    v.segment<3>(6 * body) = random.vector(stack ? 0.02 : 1);
    v.segment<3>(6 * body + 3) = stack ? Eigen::Vector3d(random.uniform(-0.2, 0.2), 0, -0.1) : random.vector(1);
  }
  std::vector<Touch> touches;
  while (static_cast<int>(touches.size()) < contacts) {
    const int count = static_cast<int>(touches.size());
    Touch touch;
    if (stack) {
      const int corner = count % 4;
      touch.a = count / 4;
      touch.b = touch.a - 1;
      const double x = corner & 1 ? 0.5 : -0.5, y = corner & 2 ? 0.5 : -0.5;
      touch.r_a = {x, y, -0.25};
      touch.r_b = {x, y, 0.25};
      touches.push_back(touch);
      continue;
    }
    touch.a = family == Family::redundant ? random.integer(0, bodies - 1) : count % bodies;
    touch.b = random.integer(-1, bodies - 1);
    if (touch.b == touch.a) touch.b = -1;
    touch.normal = random.direction();
    touch.r_a = random.vector(0.5);
    touch.r_b = random.vector(0.5);
    if (family != Family::redundant) {
      touches.push_back(touch);
      continue;
    }
    // A face: points in a plane across the normal, the same from both bodies, some of them twice.
    const Eigen::Matrix3d R = frame(touch.normal);
    const Eigen::Vector3d centre_a = touch.r_a, centre_b = touch.r_b;
    const int corners = random.integer(2, 6);
    for (int corner = 0; corner < corners && static_cast<int>(touches.size()) < contacts; ++corner) {
      const double angle = 2 * std::numbers::pi * corner / 4;  // the fifth and sixth lie on the first two
      const Eigen::Vector3d out = 0.3 * (std::cos(angle) * R.col(0) + std::sin(angle) * R.col(1));
      touch.r_a = centre_a + out;
      touch.r_b = centre_b + out;
      touches.push_back(touch);
    }
  }
  Mechanics result = assemble(M, v, touches, random);
  if (random.uniform(0, 1) < 0.5) {  // half of the problems with some contacts still open
    for (Block& block : result.blocks) {
      if (random.uniform(0, 1) < 0.5) block.offset = random.uniform(0, 0.5);
    }
  }
  return result;
}

}  // namespace carom::families
