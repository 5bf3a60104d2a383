#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <vector>

#include "carom/complementarity/mixed/mixed_ncp.h"
#include "testing/problems/problem_families.h"

/// Mixed complementarity problems with known solutions, made from fixed seeds, for tests.
namespace carom::ncp_problems {

using families::Random;
using Input = MixedNcp::Input;
constexpr double infinity = std::numeric_limits<double>::infinity();

/// Number of random problems of a family: all with CAROM_LONG set.
inline int count(int all) { return std::getenv("CAROM_LONG") != nullptr ? all : all / 10; }

/// A problem that owns its bounds, and the point that solves it.
struct Problem {
  Eigen::VectorXd lower, upper, solution;
  std::function<bool(const Input&, Eigen::Ref<Eigen::VectorXd>)> function;
  std::function<bool(const Input&, Eigen::Ref<Eigen::MatrixXd>)> jacobian;

  Eigen::Index size() const { return lower.size(); }
  MixedNcp view() const { return {lower, upper, function, jacobian, {}}; }
  /// The same with a sparse Jacobian that keeps what is not zero.
  MixedNcp sparse_view() const {
    return {lower, upper, function, {}, [full = jacobian](const Input& x, Eigen::SparseMatrix<double>& J) {
              Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(x.size(), x.size());
              const bool defined = full(x, dense);
              J = dense.sparseView();
              return defined;
            }};
  }
};

inline Eigen::MatrixXd random_matrix(Random& random, Eigen::Index rows, Eigen::Index columns) {
  Eigen::MatrixXd result(rows, columns);
  for (double& entry : result.reshaped()) entry = random.uniform(-1, 1);
  return result;
}

/// Bounds of every kind about a solution, and values of F that fit it: at a bound of either sign or (degenerate) zero.
inline void place(Random& random, bool degenerate, Problem& problem, Eigen::VectorXd& F) {
  const Eigen::Index n = problem.solution.size();
  problem.lower.setConstant(n, -infinity);
  problem.upper.setConstant(n, infinity);
  F.setZero(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const double x = problem.solution(i), gap = random.uniform(0.1, 2);
    const double force = degenerate && random.uniform(0, 1) < 0.5 ? 0 : random.uniform(0.1, 2);
    switch (random.integer(0, 7)) {
      case 0:  // free
        break;
      case 1:  // at the only bound, from above
        problem.lower(i) = x;
        F(i) = force;
        break;
      case 2:  // at the only bound, from below
        problem.upper(i) = x;
        F(i) = -force;
        break;
      case 3:  // at the lower of two
        problem.lower(i) = x;
        problem.upper(i) = x + gap;
        F(i) = force;
        break;
      case 4:  // at the upper of two
        problem.lower(i) = x - gap;
        problem.upper(i) = x;
        F(i) = -force;
        break;
      case 5:  // fixed
        problem.lower(i) = problem.upper(i) = x;
        F(i) = random.uniform(-2, 2);
        break;
      case 6:  // between two
        problem.lower(i) = x - gap;
        problem.upper(i) = x + random.uniform(0.1, 2);
        break;
      default:  // above the only bound
        problem.lower(i) = x - gap;
        break;
    }
  }
}

/// F(x) = A (x − x*) + c ∘ ((x − x*) + (x − x*)³) + F*. A is positive semidefinite with a skew part, and c > 0. So F is
/// strongly monotone, and x* is the only solution.
inline Problem monotone(Random& random, Eigen::Index n, bool degenerate) {
  Problem problem;
  problem.solution = random_matrix(random, n, 1);
  Eigen::VectorXd F_star;
  place(random, degenerate, problem, F_star);
  const Eigen::MatrixXd half = random_matrix(random, n, std::max<Eigen::Index>(1, n / 2));
  const Eigen::MatrixXd skew = random_matrix(random, n, n);
  const Eigen::MatrixXd A = half * half.transpose() + skew - skew.transpose();
  Eigen::VectorXd c(n);
  for (double& entry : c) entry = random.uniform(0.05, 2);
  problem.function = [=, x_star = problem.solution](const Input& x, Eigen::Ref<Eigen::VectorXd> F) {
    const Eigen::ArrayXd e = x - x_star;
    F = A * e.matrix() + F_star + (c.array() * (e + e.cube())).matrix();
    return true;
  };
  problem.jacobian = [=, x_star = problem.solution](const Input& x, Eigen::Ref<Eigen::MatrixXd> J) {
    J = A;
    J.diagonal() += (c.array() * (1 + 3 * (x - x_star).array().square())).matrix();
    return true;
  };
  return problem;
}

/// min Σ ½ x² g_i + c_i x_i⁴/4 + …, B x = b, x in a box. As conditions in (x, y): 0 = ∇f(x) + Bᵀ y against the box, B
/// x = b with free multipliers y. Every row of B comes twice or more, scaled: J is singular, y is not unique, x is.
inline Problem redundant(Random& random, Eigen::Index n, Eigen::Index rows) {
  Problem box;
  box.solution = random_matrix(random, n, 1);
  Eigen::VectorXd F_star;
  place(random, false, box, F_star);
  const Eigen::Index m = 2 * rows;
  Eigen::MatrixXd B = Eigen::MatrixXd::Zero(m, n);
  B.topRows(rows) = random_matrix(random, rows, n);
  for (Eigen::Index i = 0; i < rows; ++i) B.row(rows + i) = random.uniform(0.5, 2) * B.row(random.integer(0, rows - 1));
  const Eigen::VectorXd y = random_matrix(random, m, 1), b = B * box.solution;
  Problem problem;
  problem.solution.resize(n + m);
  problem.solution << box.solution, y;
  problem.lower = Eigen::VectorXd::Constant(n + m, -infinity);
  problem.upper = Eigen::VectorXd::Constant(n + m, infinity);
  problem.lower.head(n) = box.lower;
  problem.upper.head(n) = box.upper;
  const Eigen::VectorXd x_star = box.solution;
  const Eigen::VectorXd shift = F_star - B.transpose() * y - (x_star.array() + x_star.array().cube()).matrix();
  problem.function = [=](const Input& z, Eigen::Ref<Eigen::VectorXd> F) {
    const Eigen::VectorXd x = z.head(n);
    F.head(n) = (x.array() + x.array().cube()).matrix() + B.transpose() * z.tail(m) + shift;
    F.tail(m) = b - B * x;
    return true;
  };
  problem.jacobian = [=](const Input& z, Eigen::Ref<Eigen::MatrixXd> J) {
    J.topLeftCorner(n, n).diagonal() = (1 + 3 * z.head(n).array().square()).matrix();
    J.topRightCorner(n, m) = B.transpose();
    J.bottomLeftCorner(m, n) = -B;
    return true;
  };
  return problem;
}

/// A taut string over an obstacle between two nails at height zero, the shortest one, by the heights u of its n inner
/// points: F = gradient of Σ √(1 + (u_{i+1} − u_i)²), u ≥ obstacle, sparse. Its solution is the least concave function
/// above obstacle and nails.
struct String {
  Eigen::VectorXd lower, upper;
  MixedNcp view() const { return {lower, upper, force, {}, stiffness, {}}; }
  static bool force(const Input& u, Eigen::Ref<Eigen::VectorXd> F) {
    const Eigen::Index n = u.size();
    double before = 0;
    for (Eigen::Index i = 0; i <= n; ++i) {
      const double d = (i < n ? u(i) : 0) - (i > 0 ? u(i - 1) : 0), pull = d / std::sqrt(1 + d * d);
      if (i > 0) F(i - 1) = before - pull;
      before = pull;
    }
    return true;
  }
  static bool stiffness(const Input& u, Eigen::SparseMatrix<double>& J) {
    const Eigen::Index n = u.size();
    std::vector<Eigen::Triplet<double>> entries;
    for (Eigen::Index i = 0; i <= n; ++i) {
      const double d = (i < n ? u(i) : 0) - (i > 0 ? u(i - 1) : 0), k = std::pow(1 + d * d, -1.5);
      const auto row = static_cast<int>(i);
      if (i < n) entries.emplace_back(row, row, k);
      if (i > 0) entries.emplace_back(row - 1, row - 1, k);
      if (i > 0 && i < n) entries.emplace_back(row, row - 1, -k);
      if (i > 0 && i < n) entries.emplace_back(row - 1, row, -k);
    }
    J.setFromTriplets(entries.begin(), entries.end());
    return true;
  }
  Eigen::VectorXd concave_hull() const {
    std::vector<Eigen::Vector2d> hull;
    const Eigen::Index n = lower.size();
    for (Eigen::Index i = -1; i <= n; ++i) {
      const Eigen::Vector2d point(static_cast<double>(i), i < 0 || i == n ? 0 : lower(i));
      while (hull.size() > 1) {
        const Eigen::Vector2d a = hull.back() - hull[hull.size() - 2], b = point - hull.back();
        if (a.x() * b.y() - a.y() * b.x() < 0) break;
        hull.pop_back();
      }
      hull.push_back(point);
    }
    Eigen::VectorXd result(n);
    std::size_t piece = 0;
    for (Eigen::Index i = 0; i < n; ++i) {
      while (hull[piece + 1].x() < static_cast<double>(i)) ++piece;
      const double t = (static_cast<double>(i) - hull[piece].x()) / (hull[piece + 1].x() - hull[piece].x());
      result(i) = hull[piece].y() + t * (hull[piece + 1].y() - hull[piece].y());
    }
    return result;
  }
};

inline String random_string(Random& random, Eigen::Index n) {
  String result;
  result.lower.resize(n);
  result.upper = Eigen::VectorXd::Constant(n, infinity);
  double height = 0;
  for (double& h : result.lower) h = height += random.uniform(-1, 1);
  result.lower.array() -= random.uniform(0, 2);
  return result;
}

}  // namespace carom::ncp_problems
