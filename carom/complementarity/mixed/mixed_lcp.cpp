#include "carom/complementarity/mixed/mixed_lcp.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>

#include "carom/complementarity/linear/dense_kernels.h"
#include "carom/error.h"

namespace carom {

namespace {

/// Pivots of G below this, relative to the largest, are zero.
constexpr double mixed_rank_tolerance = 1e-14;

void check_mixed_sizes(const MixedLcpProblem& p, Eigen::Index x, Eigen::Index z) {
  const Eigen::Index m = p.a.size(), n = p.b.size();
  const bool fit = p.G.rows() == m && p.G.cols() == m && p.H.rows() == m && p.H.cols() == n && p.K.rows() == n &&
                   p.K.cols() == m && p.R.rows() == n && p.R.cols() == n && x == m && z == n;
  if (!fit) {
    throw Error("The parts of the mixed complementarity problem do not fit: with " + std::to_string(m) +
                " free unknowns and " + std::to_string(n) +
                " pairs, G must be m x m, H m x n, K n x m, R n x n, a and x of size m, b and z of size n.");
  }
}

/// Sum and largest term of row i of A x.
struct RowSum {
  double sum = 0;
  double size = 0;
  void add(const Eigen::Ref<const Eigen::MatrixXd>& A, Eigen::Index row, const Eigen::Ref<const Eigen::VectorXd>& x) {
    for (Eigen::Index j = 0; j < x.size(); ++j) add(A(row, j) * x(j));
  }
  void add(double term) {
    sum += term;
    size = std::max(size, std::abs(term));
  }
};

}  // namespace

double mixed_lcp_residual(const MixedLcpProblem& problem, const Eigen::Ref<const Eigen::VectorXd>& x,
                          const Eigen::Ref<const Eigen::VectorXd>& z) {
  double residual = 0, equation_size = 0, velocity = 0, impulse = 0;
  const Eigen::Index m = x.size(), n = z.size();
  for (int pass = 0; pass < 2; ++pass) {  // sizes first, then residuals relative to them
    for (Eigen::Index i = 0; i < m; ++i) {
      RowSum row;
      row.add(problem.G, i, x);
      row.add(problem.H, i, z);
      row.add(problem.a(i));
      if (!std::isfinite(row.sum)) return std::numeric_limits<double>::infinity();
      if (pass == 0) equation_size = std::max(equation_size, row.size);
      if (pass == 1 && equation_size > 0) residual = std::max(residual, std::abs(row.sum) / equation_size);
    }
    for (Eigen::Index i = 0; i < n; ++i) {
      RowSum row;
      row.add(problem.K, i, x);
      row.add(problem.R, i, z);
      row.add(problem.b(i));
      if (!std::isfinite(row.sum)) return std::numeric_limits<double>::infinity();
      if (pass == 0) {
        velocity = std::max(velocity, row.size);
        impulse = std::max(impulse, std::abs(z(i)));
      } else if (velocity > 0) {
        residual = std::max(residual, std::abs(std::min(z(i) / (impulse > 0 ? impulse : 1), row.sum / velocity)));
      }
    }
  }
  return residual;
}

LcpResult MixedLcpSolver::solve_singular(const MixedLcpProblem& problem, const LcpOptions& options,
                                         Eigen::Ref<Eigen::VectorXd> x, Eigen::Ref<Eigen::VectorXd> z) {
  const Eigen::Index m = x.size(), n = z.size(), size = m + n;
  whole_.resize(static_cast<std::size_t>(size) * size);
  bounds_.resize(static_cast<std::size_t>(size) * 4);
  Eigen::Map<Eigen::MatrixXd> A(whole_.data(), size, size), columns(bounds_.data(), size, 4);
  A.topLeftCorner(m, m) = problem.G;
  A.topRightCorner(m, n) = problem.H;
  A.bottomLeftCorner(n, m) = problem.K;
  A.bottomRightCorner(n, n) = problem.R;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  columns.col(0) << problem.a, problem.b;
  columns.col(1).head(m).setConstant(-infinity);
  columns.col(1).tail(n).setZero();
  columns.col(2).setConstant(infinity);
  LcpResult result = box_.solve({A, columns.col(0), columns.col(1), columns.col(2)}, options, false, columns.col(3));
  result.rungs.entered.add(SolverRung::box_lemke);
  result.rungs.won.add(SolverRung::box_lemke);
  x = columns.col(3).head(m);
  z = columns.col(3).tail(n);
  result.residual = mixed_lcp_residual(problem, x, z);
  const bool accurate = result.residual <= options.residual_tolerance;
  if (accurate) result.status = SolveStatus::solved;
  if (!accurate && result.status == SolveStatus::solved) result.status = SolveStatus::inaccurate;
  return result;
}

LcpResult MixedLcpSolver::solve(const MixedLcpProblem& problem, const LcpStart& start, const LcpOptions& options,
                                Eigen::Ref<Eigen::VectorXd> x, Eigen::Ref<Eigen::VectorXd> z) {
  check_mixed_sizes(problem, x.size(), z.size());
  const int m = static_cast<int>(x.size()), n = static_cast<int>(z.size());
  double* G = lu_.prepare(m);
  Eigen::Map<Eigen::MatrixXd>(G, m, m) = problem.G;
  singular_ = lu_.factor(mixed_rank_tolerance) < m;
  if (singular_) return solve_singular(problem, options, x, z);
  eliminated_.resize(static_cast<std::size_t>(m) * (n + 1));
  reduced_.resize(static_cast<std::size_t>(n) * (n + 1));
  for (int j = 0; j <= n; ++j) {
    double* column = eliminated_.data() + static_cast<std::size_t>(j) * m;
    double* reduced = reduced_.data() + static_cast<std::size_t>(j) * n;
    for (int i = 0; i < m; ++i) column[i] = j < n ? problem.H(i, j) : problem.a(i);
    lu_.solve(column);
    for (int i = 0; i < n; ++i) reduced[i] = j < n ? problem.R(i, j) : problem.b(i);
    dense::ColumnSum sum(n, reduced);
    for (int i = 0; i < m; ++i) sum.add(-column[i], problem.K.data() + i * problem.K.outerStride());
  }
  const Eigen::Map<const Eigen::MatrixXd> R(reduced_.data(), n, n);
  const Eigen::Map<const Eigen::VectorXd> q(reduced_.data() + static_cast<std::size_t>(n) * n, n);
  LcpResult result = lemke_.solve_from(R, q, start, options, z);

  const auto column = [&](int j) { return eliminated_.data() + static_cast<std::size_t>(j) * m; };
  for (int i = 0; i < m; ++i) x(i) = -column(n)[i];
  {
    dense::ColumnSum sum(m, x.data());
    for (int j = 0; j < n; ++j) sum.add(-z(j), column(j));
  }
  result.residual = mixed_lcp_residual(problem, x, z);
  if (result.status == SolveStatus::solved && !(result.residual <= options.residual_tolerance)) {
    result.status = SolveStatus::inaccurate;
  }
  return result;
}

}  // namespace carom
