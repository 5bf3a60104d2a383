#include "carom/complementarity/mixed/jacobian_check.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "carom/error.h"

namespace carom {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// Differences of F by one unknown.
class ColumnDifference {
 public:
  ColumnDifference(const MixedNcp& problem, const Eigen::VectorXd& x, const Eigen::VectorXd& F)
      : problem_(problem), x_(x), F_(F), plus_(x.size()), minus_(x.size()) {}

  /// D of column j with step h, from both sides, or from the one where both points are in the box. False if F is not
  /// defined there, or no side has room.
  bool compute(Eigen::Index j, double h, Eigen::VectorXd& D) {
    const double below = x_(j) - problem_.lower(j), above = problem_.upper(j) - x_(j);
    if (below >= h && above >= h) {
      if (!at(j, h, plus_) || !at(j, -h, minus_)) return false;
      D = (plus_ - minus_) / (2 * h);
      return D.allFinite();
    }
    const double side = above >= below ? h : -h;
    if (std::max(above, below) < 2 * h || !at(j, side, plus_) || !at(j, 2 * side, minus_)) return false;
    D = (4 * plus_ - 3 * F_ - minus_) / (2 * side);
    return D.allFinite();
  }

 private:
  bool at(Eigen::Index j, double h, Eigen::VectorXd& F) {
    const double kept = x_(j);
    x_(j) = kept + h;
    F.setZero();
    const bool defined = problem_.function(x_, F);
    x_(j) = kept;
    return defined;
  }

  const MixedNcp& problem_;
  Eigen::VectorXd x_;
  const Eigen::VectorXd& F_;
  Eigen::VectorXd plus_, minus_;
};

bool evaluate(const MixedNcp& problem, const Eigen::VectorXd& x, Eigen::VectorXd& F, Eigen::MatrixXd& J) {
  const Eigen::Index n = x.size();
  F = Eigen::VectorXd::Zero(n);
  J = Eigen::MatrixXd::Zero(n, n);
  if (!problem.function(x, F)) return false;
  if (problem.dense_jacobian) return problem.dense_jacobian(x, J) && F.allFinite() && J.allFinite();
  Eigen::SparseMatrix<double> sparse(n, n);
  if (!problem.sparse_jacobian(x, sparse)) return false;
  if (sparse.rows() != n || sparse.cols() != n) {
    throw Error("The sparse Jacobian is " + std::to_string(sparse.rows()) + " x " + std::to_string(sparse.cols()) +
                "; it must be " + std::to_string(n) + " x " + std::to_string(n) + ".");
  }
  J = sparse;
  return F.allFinite() && J.allFinite();
}

void write_sentence(JacobianReport& report, Eigen::Index n) {
  std::ostringstream text;
  text.precision(9);
  if (report.row < 0) {
    text << "The Jacobian agrees with differences of the function in every entry";
  } else {
    text << "The Jacobian " << (report.agrees ? "agrees with" : "is not that of the function; it differs from")
         << " differences of the function" << (report.agrees ? "; it differs most" : " most") << " in row "
         << report.row << ", column " << report.column << ": it says " << report.given << " where differences give "
         << report.difference;
    text.precision(2);
    text << " (uncertain by " << report.uncertainty << ")";
  }
  if (report.unchecked > 0) text << "; " << report.unchecked << " of " << n << " columns could not be checked";
  text << ".";
  report.sentence = text.str();
}

}  // namespace

JacobianReport check_jacobian(const MixedNcp& problem, const Eigen::Ref<const Eigen::VectorXd>& x, double tolerance) {
  check(problem);
  const Eigen::Index n = problem.size();
  if (x.size() != n) {
    throw Error("The point has " + std::to_string(x.size()) + " unknowns; the problem has " + std::to_string(n) + ".");
  }
  JacobianReport report;
  Eigen::VectorXd point = x.cwiseMax(problem.lower).cwiseMin(problem.upper), F, D(n), half(n), row_size(n);
  Eigen::MatrixXd J;
  if (!evaluate(problem, point, F, J)) {
    report.agrees = false;
    report.error = std::numeric_limits<double>::infinity();
    report.sentence = "The function or its Jacobian is not defined at the point; choose another.";
    return report;
  }
  const auto size = [&](Eigen::Index j) { return problem.sizes.empty() ? 1 : problem.sizes[j]; };
  row_size.setZero();
  for (Eigen::Index j = 0; j < n; ++j) row_size = row_size.cwiseMax(J.col(j).cwiseAbs() * size(j));
  ColumnDifference column(problem, point, F);
  for (Eigen::Index j = 0; j < n; ++j) {
    const double room = problem.upper(j) - problem.lower(j);
    const double h = std::min(std::cbrt(epsilon) * std::max(std::abs(point(j)), size(j)), room / 8);
    if (!(h > 0) || !column.compute(j, h, D) || !column.compute(j, h / 2, half)) {
      ++report.unchecked;
      continue;
    }
    for (Eigen::Index i = 0; i < n; ++i) {
      const double uncertainty = 2 * std::abs(D(i) - half(i)) + 10 * epsilon * std::abs(F(i)) / h;
      const double excess = std::abs(J(i, j) - half(i)) - uncertainty;
      const double scale = std::max({std::abs(J(i, j)), std::abs(half(i)), 1e-8 * row_size(i) / size(j)});
      const double error = excess > 0 ? excess / scale : 0;
      if (error <= report.error) continue;
      report.error = error;
      report.row = static_cast<int>(i);
      report.column = static_cast<int>(j);
      report.given = J(i, j);
      report.difference = half(i);
      report.uncertainty = uncertainty;
    }
  }
  report.agrees = report.error <= tolerance;
  write_sentence(report, n);
  return report;
}

}  // namespace carom
