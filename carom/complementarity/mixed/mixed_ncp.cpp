#include "carom/complementarity/mixed/mixed_ncp.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "carom/error.h"

namespace carom {

namespace {

double size_of(const MixedNcp& problem, Eigen::Index j) { return problem.sizes.empty() ? 1 : problem.sizes[j]; }

/// The change of x_j that rows are measured by.
double change_of(const MixedNcp& problem, Eigen::Index j, double x) {
  constexpr double largest = 1e3;
  const double s = size_of(problem, j);
  return std::clamp(std::abs(x), s, largest * s);
}

/// The residual, given the largest |J_ij| max(|x_j|, s_j) of each row.
double scaled_residual(const MixedNcp& problem, const Eigen::Ref<const Eigen::VectorXd>& x,
                       const Eigen::Ref<const Eigen::VectorXd>& F, std::span<const double> row_sizes) {
  double residual = 0;
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    const double given = problem.row_sizes.empty() ? 0 : problem.row_sizes[i], found = row_sizes[i];
    const double s = size_of(problem, i), t = given > 0 ? given : found > 0 ? found : 1;
    if (!std::isfinite(x(i)) || !std::isfinite(F(i)) || !std::isfinite(t)) {
      return std::numeric_limits<double>::infinity();
    }
    const double to_lower = (x(i) - problem.lower(i)) / s, to_upper = (problem.upper(i) - x(i)) / s;
    // x̂ − clamp(x̂ − F̂, l̂, û) without x̂ itself, whose digits would drown a small F̂.
    const double row = std::max(std::min(F(i) / t, to_lower), -to_upper);
    residual = std::max(residual, std::abs(row));
  }
  return residual;
}

}  // namespace

std::string status_name(NcpStatus status) {
  switch (status) {
    case NcpStatus::solved:
      return "solved";
    case NcpStatus::iteration_limit:
      return "iteration limit";
    case NcpStatus::local_minimum:
      return "local minimum";
    case NcpStatus::stalled:
      return "stalled";
    case NcpStatus::function_undefined:
      return "function undefined";
  }
  return "unknown";
}

void check(const MixedNcp& problem) {
  const Eigen::Index n = problem.size();
  if (problem.upper.size() != n || (!problem.sizes.empty() && static_cast<Eigen::Index>(problem.sizes.size()) != n)) {
    throw Error("The mixed complementarity problem has " + std::to_string(n) + " lower bounds, " +
                std::to_string(problem.upper.size()) + " upper ones and " + std::to_string(problem.sizes.size()) +
                " sizes; it must have as many of each (or no sizes) as unknowns.");
  }
  if (!problem.row_sizes.empty() && static_cast<Eigen::Index>(problem.row_sizes.size()) != n) {
    throw Error("The mixed complementarity problem has " + std::to_string(problem.row_sizes.size()) +
                " sizes of rows; it must have " + std::to_string(n) + ", as many as unknowns, or none.");
  }
  for (Eigen::Index i = 0; i < n; ++i) {
    const double l = problem.lower(i), u = problem.upper(i), s = size_of(problem, i);
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (!(l <= u) || l == infinity || u == -infinity) {
      throw Error("The bounds of unknown " + std::to_string(i) + " are " + std::to_string(l) + " and " +
                  std::to_string(u) +
                  "; the lower one must be at most the upper one, and one of the two finite or "
                  "the unknown free.");
    }
    if (!(s > 0) || !std::isfinite(s)) {
      throw Error("The size of unknown " + std::to_string(i) + " is " + std::to_string(s) +
                  "; it must be positive and finite.");
    }
    const double row = problem.row_sizes.empty() ? 0 : problem.row_sizes[i];
    if (!(row >= 0) || !std::isfinite(row)) {
      throw Error("The size of row " + std::to_string(i) + " is " + std::to_string(row) +
                  "; it must be finite and not negative.");
    }
  }
  if (!problem.function) throw Error("The mixed complementarity problem has no function; it needs one.");
  if (static_cast<bool>(problem.dense_jacobian) == static_cast<bool>(problem.sparse_jacobian)) {
    throw Error("The mixed complementarity problem has " +
                std::string(problem.dense_jacobian ? "both a dense and a sparse" : "neither a dense nor a sparse") +
                " Jacobian; it must have one of them.");
  }
}

double mixed_ncp_residual(const MixedNcp& problem, const Eigen::Ref<const Eigen::VectorXd>& x,
                          const Eigen::Ref<const Eigen::VectorXd>& F, const Eigen::Ref<const Eigen::MatrixXd>& J,
                          std::span<double> row_sizes) {
  std::fill_n(row_sizes.begin(), x.size(), 0.0);
  for (Eigen::Index j = 0; j < x.size(); ++j) {
    const double change = change_of(problem, j, x(j));
    for (Eigen::Index i = 0; i < x.size(); ++i) {
      row_sizes[i] = std::max(row_sizes[i], std::abs(J(i, j)) * change);
    }
  }
  return scaled_residual(problem, x, F, row_sizes);
}

double mixed_ncp_residual(const MixedNcp& problem, const Eigen::Ref<const Eigen::VectorXd>& x,
                          const Eigen::Ref<const Eigen::VectorXd>& F, const Eigen::SparseMatrix<double>& J,
                          std::span<double> row_sizes) {
  std::fill_n(row_sizes.begin(), x.size(), 0.0);
  for (Eigen::Index j = 0; j < x.size(); ++j) {
    const double change = change_of(problem, j, x(j));
    for (Eigen::SparseMatrix<double>::InnerIterator entry(J, j); entry; ++entry) {
      row_sizes[entry.row()] = std::max(row_sizes[entry.row()], std::abs(entry.value()) * change);
    }
  }
  return scaled_residual(problem, x, F, row_sizes);
}

double mixed_ncp_residual(const MixedNcp& problem, const Eigen::Ref<const Eigen::VectorXd>& x) {
  check(problem);
  const Eigen::Index n = problem.size();
  if (x.size() != n) {
    throw Error("The point has " + std::to_string(x.size()) + " unknowns; the problem has " + std::to_string(n) + ".");
  }
  Eigen::VectorXd F = Eigen::VectorXd::Zero(n);
  std::vector<double> row_sizes(n);
  constexpr double undefined = std::numeric_limits<double>::infinity();
  if (!problem.function(x, F)) return undefined;
  if (problem.dense_jacobian) {
    Eigen::MatrixXd J = Eigen::MatrixXd::Zero(n, n);
    return problem.dense_jacobian(x, J) ? mixed_ncp_residual(problem, x, F, J, row_sizes) : undefined;
  }
  Eigen::SparseMatrix<double> J(n, n);
  return problem.sparse_jacobian(x, J) ? mixed_ncp_residual(problem, x, F, J, row_sizes) : undefined;
}

}  // namespace carom
