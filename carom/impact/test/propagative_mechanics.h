#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "carom/impact/propagative/normal_impact.h"
#include "carom/impact/test/random_impacts.h"

/// Mechanics behind a frictionless impact, so that tests can judge in velocities what laws did in contact space.
namespace carom::propagative {

using impacts::Random;

struct Mechanics {
  Eigen::MatrixXd M, J;
  Eigen::VectorXd v;

  Eigen::MatrixXd A() const { return J * M.ldlt().solve(J.transpose()); }
  NormalImpact impact() const { return normal_impact(A(), J * v); }
  Eigen::VectorXd after(const Eigen::VectorXd& impulse) const { return v + M.ldlt().solve(J.transpose() * impulse); }
  double energy(const Eigen::VectorXd& velocity) const { return 0.5 * velocity.dot(M * velocity); }
  /// ‖p_a − p_b‖ of two velocities.
  double distance(const Eigen::VectorXd& a, const Eigen::VectorXd& b) const { return std::sqrt(2 * energy(a - b)); }
  /// The reset about contact i, in velocities: M (v⁺ − v) = −2 (J_i v) / (J_i M⁻¹ J_iᵀ) J_iᵀ.
  Eigen::VectorXd reset(const Eigen::VectorXd& velocity, Eigen::Index i) const {
    const Eigen::VectorXd direction = M.ldlt().solve(J.row(i).transpose());
    return velocity - 2 * J.row(i).dot(velocity) / J.row(i).dot(direction) * direction;
  }
};

inline Eigen::VectorXd random_vector(Random& random, Eigen::Index n) {
  Eigen::VectorXd x(n);
  for (Eigen::Index i = 0; i < n; ++i) x(i) = random.uniform(-1, 1);
  return x;
}

inline Eigen::MatrixXd random_mass(Random& random, Eigen::Index n) {
  Eigen::MatrixXd L(n, n);
  for (Eigen::Index i = 0; i < n; ++i) L.col(i) = random_vector(random, n);
  return L * L.transpose() + 0.2 * Eigen::MatrixXd::Identity(n, n);
}

/// k contacts of a system of n coordinates that all open along one direction, by a cosine of at least `margin`.
inline Mechanics random_opening(Random& random, Eigen::Index k, Eigen::Index n, double margin) {
  Mechanics mechanics{random_mass(random, n), Eigen::MatrixXd(k, n), random_vector(random, n)};
  const Eigen::VectorXd c = random_vector(random, n);
  const double length = std::sqrt(2 * mechanics.energy(c));
  for (Eigen::Index i = 0; i < k; ++i) {
    double cosine = 0;
    do {
      const Eigen::VectorXd row = random_vector(random, n);
      cosine = row.dot(c) / length / std::sqrt(row.dot(mechanics.M.ldlt().solve(row)));
      mechanics.J.row(i) = cosine < 0 ? -row : row;
    } while (std::abs(cosine) < margin);
  }
  return mechanics;
}

/// Balls in a row that touch, with a wall to the left of the first if `wall`. Contact i is between ball i − 1 (or i,
/// without a wall) and the next.
inline Mechanics row_of_balls(const std::vector<double>& masses, const Eigen::VectorXd& v, bool wall = false) {
  const auto n = static_cast<Eigen::Index>(masses.size());
  Mechanics mechanics{Eigen::VectorXd::Map(masses.data(), n).asDiagonal(), Eigen::MatrixXd::Zero(wall ? n : n - 1, n),
                      v};
  if (wall) mechanics.J(0, 0) = 1;
  for (Eigen::Index i = 0; i + 1 < n; ++i) {
    const Eigen::Index row = wall ? i + 1 : i;
    mechanics.J(row, i) = -1;
    mechanics.J(row, i + 1) = 1;
  }
  return mechanics;
}

/// Every contact equally often, in an order that is random again in every round.
inline std::vector<int> random_rounds(Random& random, int contacts, int rounds) {
  std::vector<int> order;
  for (int round = 0; round < rounds; ++round) {
    std::vector<int> part;
    for (int i = 0; i < contacts; ++i) part.insert(part.begin() + random.integer(0, i), i);
    order.insert(order.end(), part.begin(), part.end());
  }
  return order;
}

/// `most` with CAROM_LONG set, a beginning of the same cases otherwise.
inline int cases(int most, int few) { return std::getenv("CAROM_LONG") != nullptr ? most : few; }

}  // namespace carom::propagative
