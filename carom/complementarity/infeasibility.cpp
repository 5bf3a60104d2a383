#include "carom/complementarity/infeasibility.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "carom/complementarity/linear/nonnegative_least_squares.h"

namespace carom {

namespace {

/// Entries of the matrix that a search is made with; larger problems are not searched, which would take hours.
constexpr double most_entries = 2e7;

/// Which y of a row is allowed.
struct Sign {
  bool positive = false, negative = false;
};

Sign sign_of(const Block& block) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  switch (block.kind) {
    case BlockKind::bilateral:
      return {true, true};
    case BlockKind::bounded:
      return {block.upper == infinity, block.lower == -infinity};
    case BlockKind::unilateral:
    case BlockKind::cone:
    case BlockKind::ellipsoid:
      break;
  }
  return {true, false};
}

/// A column at a time; what a user's product gives, or the entries as they are stored.
void column_of(const ContactOperator& A, Eigen::Index j, Eigen::VectorXd& unit, Eigen::VectorXd& column) {
  if (A.form() == ContactOperator::Form::dense) {
    column = A.dense().col(j);
  } else {
    unit(j) = 1;
    A.multiply(unit, column);
    unit(j) = 0;
  }
}

/// y(i) is nonzero only in rows of blocks that have a condition on the velocity, and of its sign.
bool has_signs(const ContactProblem& problem, const Eigen::Ref<const Eigen::VectorXd>& y) {
  for (const Block& block : problem.blocks) {
    for (int row = block.row; row < block.row + block.size(); ++row) {
      if (!std::isfinite(y(row))) return false;
      if (row != block.normal_row() && y(row) != 0) return false;
    }
    const Sign sign = sign_of(block);
    const double value = y(block.normal_row());
    if ((value > 0 && !sign.positive) || (value < 0 && !sign.negative)) return false;
  }
  return true;
}

}  // namespace

bool proves_infeasible(const ContactProblem& problem, const Eigen::Ref<const Eigen::VectorXd>& y, double tolerance) {
  const Eigen::Index k = problem.u.size();
  if (y.size() != k || !has_signs(problem, y)) return false;
  Eigen::VectorXd unit = Eigen::VectorXd::Zero(k), column(k), sum = Eigen::VectorXd::Zero(k), size(k);
  const bool in_factors = problem.A.form() == ContactOperator::Form::factors;
  if (in_factors) problem.A.multiply(y, sum);
  for (Eigen::Index j = 0; j < k; ++j) {
    if (in_factors) {  // columns would be dear
      size(j) = std::sqrt(problem.A.factors().squared_norm(static_cast<int>(j)));
      continue;
    }
    column_of(problem.A, j, unit, column);
    size(j) = std::sqrt(std::max(0.0, column(j)));
    for (Eigen::Index i = 0; i < k; ++i) sum(i) += column(i) * y(j);
  }
  double terms = 0;
  for (Eigen::Index j = 0; j < k; ++j) terms += size(j) * std::abs(y(j));
  for (Eigen::Index i = 0; i < k; ++i) {
    if (!(std::abs(sum(i)) <= tolerance * size(i) * terms)) return false;
  }
  double work = 0, work_terms = 0;
  for (const Block& block : problem.blocks) {
    const int n = block.normal_row();
    work += y(n) * (problem.u(n) + block.offset);
    work_terms += std::abs(y(n)) * (std::abs(problem.u(n)) + std::abs(block.offset));
  }
  return work < -tolerance * work_terms;
}

bool find_infeasibility(const ContactProblem& problem, Eigen::Ref<Eigen::VectorXd> y, const StopSignal* stop) {
  const Eigen::Index k = problem.u.size();
  y.setZero();
  // Columns: rows with a condition on the velocity; rows and columns are scaled to a unit diagonal, rows without
  // response left alone. A row that allows y ≤ 0 only is turned round.
  std::vector<int> rows;
  std::vector<double> turn, demand;
  std::vector<bool> free;
  for (const Block& block : problem.blocks) {
    const Sign sign = sign_of(block);
    if (!sign.positive && !sign.negative) continue;
    rows.push_back(block.normal_row());
    turn.push_back(sign.positive ? 1 : -1);
    free.push_back(sign.positive && sign.negative);
    demand.push_back(problem.u(block.normal_row()) + block.offset);
  }
  const auto n = static_cast<Eigen::Index>(rows.size());
  if (static_cast<double>(k + 1) * static_cast<double>(n) > most_entries) return false;
  Eigen::VectorXd unit = Eigen::VectorXd::Zero(k), column(k), scale(k);
  Eigen::MatrixXd B(k + 1, n);
  for (Eigen::Index j = 0; j < k; ++j) {
    ask_to_go_on(stop);
    column_of(problem.A, j, unit, column);
    scale(j) = column(j) > 0 ? 1 / std::sqrt(column(j)) : 1;
  }
  double largest = 0;
  for (Eigen::Index c = 0; c < n; ++c) {
    const auto at = static_cast<std::size_t>(c);
    ask_to_go_on(stop);
    column_of(problem.A, rows[at], unit, column);
    const double of_column = turn[at] * scale(rows[at]);
    for (Eigen::Index i = 0; i < k; ++i) B(i, c) = column(i) * scale(i) * of_column;
    B(k, c) = demand[at] * of_column;
    largest = std::max(largest, std::abs(B(k, c)));
  }
  if (largest == 0) return false;  // nothing moves: p = 0 does
  B.row(k) /= largest;
  Eigen::VectorXd b = Eigen::VectorXd::Zero(k + 1), found(n);
  b(k) = -1;
  // The status of the search does not matter: what it found is checked.
  NonnegativeOptions options;
  options.stop = stop;
  nonnegative_least_squares(B, b, free, options, found);
  for (Eigen::Index c = 0; c < n; ++c) {
    const auto at = static_cast<std::size_t>(c);
    y(rows[at]) = found(c) * turn[at] * scale(rows[at]);
  }
  const double size = y.cwiseAbs().maxCoeff();
  if (size > 0) y /= size;
  if (proves_infeasible(problem, y)) return true;
  y.setZero();
  return false;
}

}  // namespace carom
