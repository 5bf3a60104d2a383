#include "carom/complementarity/mixed/box_lcp.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>

#include "carom/complementarity/linear/dense_kernels.h"
#include "carom/error.h"

namespace carom {

namespace {

/// Entries below this are zero in the eliminated rows, which are scaled to a largest entry near one.
constexpr double box_rank_tolerance = 1e-9;
constexpr int scaling_passes = 3;

double power_of_two(double x) { return std::exp2(std::round(std::log2(x))); }

void check_box_sizes(const BoxLcpProblem& p, Eigen::Index x) {
  const Eigen::Index n = p.b.size();
  if (p.A.rows() != n || p.A.cols() != n || p.lower.size() != n || p.upper.size() != n || x != n) {
    throw Error("The parts of the complementarity problem in a box do not fit: with " + std::to_string(n) +
                " constants, A must be N x N, and bounds and unknowns of size N.");
  }
  for (Eigen::Index i = 0; i < n; ++i) {
    if (!(p.lower(i) <= p.upper(i))) {
      throw Error("The bounds of unknown " + std::to_string(i) + " are " + std::to_string(p.lower(i)) + " and " +
                  std::to_string(p.upper(i)) + "; the lower one must be at most the upper one.");
    }
  }
}

}  // namespace

double box_lcp_residual(const BoxLcpProblem& problem, const Eigen::Ref<const Eigen::VectorXd>& x) {
  const Eigen::Index n = x.size();
  const auto is_free = [&](Eigen::Index i) { return std::isinf(problem.lower(i)) && std::isinf(problem.upper(i)); };
  double size[2] = {0, 0}, residual = 0;  // terms of inequalities, of equations
  const double largest = n > 0 ? x.cwiseAbs().maxCoeff() : 0, s = largest > 0 ? largest : 1;
  for (int pass = 0; pass < 2; ++pass) {  // sizes first, then residuals relative to them
    for (Eigen::Index i = 0; i < n; ++i) {
      double sum = problem.b(i), term = std::abs(sum);
      for (Eigen::Index j = 0; j < n; ++j) {
        const double product = problem.A(i, j) * x(j);
        sum += product;
        term = std::max(term, std::abs(product));
      }
      if (!std::isfinite(sum)) return std::numeric_limits<double>::infinity();
      double& t = size[is_free(i) ? 1 : 0];
      if (pass == 0) t = std::max(t, term);
      if (pass == 0) continue;
      const double row = std::min(t > 0 ? sum / t : sum, (x(i) - problem.lower(i)) / s);
      residual = std::max(residual, std::abs(std::max(row, (x(i) - problem.upper(i)) / s)));
    }
  }
  return residual;
}

void BoxLcpSolver::classify(const BoxLcpProblem& problem) {
  const auto n = static_cast<int>(problem.b.size());
  kind_.resize(n);
  index_.clear();
  for (int i = 0; i < n; ++i) {
    const double l = problem.lower(i), u = problem.upper(i);
    kind_[i] = l == u                           ? Kind::fixed
               : std::isinf(l) && std::isinf(u) ? Kind::free
               : std::isinf(u)                  ? Kind::lower
               : std::isinf(l)                  ? Kind::upper
                                                : Kind::both;
    if (kind_[i] == Kind::free) index_.push_back(i);
  }
  equations_ = static_cast<int>(index_.size());
  upper_pair_.clear();
  for (int i = 0; i < n; ++i) {
    if (kind_[i] == Kind::fixed || kind_[i] == Kind::free) continue;
    if (kind_[i] == Kind::both) upper_pair_.push_back(static_cast<int>(index_.size()) - equations_);
    index_.push_back(i);
  }
  kept_ = static_cast<int>(index_.size());
  pairs_ = kept_ - equations_;
  uppers_ = static_cast<int>(upper_pair_.size());
}

/// The table of free unknowns and y ≥ 0. Bounds go into the constants; unknowns with only an upper bound change sign
/// with their rows.
void BoxLcpSolver::assemble(const BoxLcpProblem& problem) {
  table_.resize(static_cast<std::size_t>(kept_) * (kept_ + 1));
  const auto sign = [&](int k) { return kind_[index_[k]] == Kind::upper ? -1.0 : 1.0; };
  for (int r = 0; r < kept_; ++r) {
    for (int c = 0; c < kept_; ++c) entry(r, c) = sign(r) * problem.A(index_[r], index_[c]) * sign(c);
    double constant = problem.b(index_[r]);
    for (int j = 0; j < static_cast<int>(kind_.size()); ++j) {
      if (kind_[j] == Kind::free) continue;
      const double bound = kind_[j] == Kind::upper ? problem.upper(j) : problem.lower(j);
      if (bound != 0) constant += problem.A(index_[r], j) * bound;
    }
    entry(r, kept_) = sign(r) * constant;
  }
}

void BoxLcpSolver::equilibrate() {
  row_scale_.assign(kept_, 1.0);
  column_scale_.assign(kept_, 1.0);
  value_.assign(kept_, 0.0);  // sizes of columns here
  for (int pass = 0; pass <= scaling_passes; ++pass) {
    std::fill(value_.begin(), value_.end(), 0.0);
    for (int r = 0; r < kept_; ++r) {
      double size = 0;
      for (int c = 0; c < kept_; ++c) size = std::max(size, std::abs(entry(r, c)) * column_scale_[c]);
      // The last pass leaves the rows with a largest entry near one.
      if (size > 0) row_scale_[r] = 1 / (pass < scaling_passes ? std::sqrt(size / row_scale_[r]) : size);
      for (int c = 0; c < kept_; ++c) value_[c] = std::max(value_[c], std::abs(entry(r, c)) * row_scale_[r]);
    }
    if (pass == scaling_passes) break;
    for (int c = 0; c < kept_; ++c) {
      if (value_[c] > 0) column_scale_[c] = 1 / std::sqrt(value_[c] / column_scale_[c]);
    }
  }
  for (int k = 0; k < kept_; ++k) {
    row_scale_[k] = power_of_two(row_scale_[k]);
    column_scale_[k] = power_of_two(column_scale_[k]);
  }
  for (int c = 0; c <= kept_; ++c) {
    for (int r = 0; r < kept_; ++r) entry(r, c) *= row_scale_[r] * (c < kept_ ? column_scale_[c] : 1);
  }
}

/// The largest entry left; one on the diagonal if it is not much smaller.
bool BoxLcpSolver::choose_pivot(int& row, int& column) const {
  double largest = 0, on_diagonal = 0;
  int diagonal = -1;
  for (int c = 0; c < equations_; ++c) {
    if (column_done_[c]) continue;
    for (int r = 0; r < equations_; ++r) {
      if (row_done_[r]) continue;
      const double size = std::abs(entry(r, c));
      if (size > largest) {
        largest = size;
        row = r;
        column = c;
      }
      if (r == c && size > on_diagonal) {
        on_diagonal = size;
        diagonal = c;
      }
    }
  }
  if (on_diagonal >= 0.1 * largest) row = column = diagonal;
  return largest > box_rank_tolerance;
}

void BoxLcpSolver::pivot(int row, int column) {
  row_done_[row] = column_done_[column] = 1;
  row_of_[steps_] = row;
  column_of_[steps_] = column;
  ++steps_;
  const double inverse = 1 / entry(row, column);
  for (int r = 0; r < kept_; ++r) {  // multipliers; rows already eliminated keep theirs for recover()
    value_[r] = r < equations_ && row_done_[r] ? 0 : entry(r, column) * inverse;
  }
  for (int c = 0; c <= kept_; ++c) {
    if (c < equations_ && column_done_[c]) continue;
    double* other = &entry(0, c);
    if (other[row] != 0) dense::add_scaled(kept_, -other[row], value_.data(), other);
  }
}

void BoxLcpSolver::eliminate() {
  row_done_.assign(equations_, 0);
  column_done_.assign(equations_, 0);
  row_of_.resize(equations_);
  column_of_.resize(equations_);
  steps_ = 0;
  int row = 0, column = 0;
  while (choose_pivot(row, column)) {
    pivot(row, column);
    // The other half of a pair, so that what is left is paired as before.
    const bool open = !row_done_[column] && !column_done_[row];
    if (open && std::abs(entry(column, row)) > 100 * box_rank_tolerance) pivot(column, row);
  }
}

/// Which equations and free unknowns stay; round-off in them is cleared, redundant ones are dropped.
void BoxLcpSolver::pair_remaining() {
  open_row_.clear();
  open_column_.clear();
  for (int k = 0; k < equations_; ++k) {
    if (!row_done_[k]) open_row_.push_back(k);
    if (!column_done_[k]) open_column_.push_back(k);
  }
  double demand = 0;
  for (int k = 0; k < kept_; ++k) demand = std::max(demand, std::abs(entry(k, kept_)));
  std::size_t kept = 0;
  for (std::size_t p = 0; p < open_row_.size(); ++p) {
    const int row = open_row_[p], column = open_column_[p];
    double effect = 0;
    for (int k = equations_; k < kept_; ++k) {
      for (double* value : {&entry(row, k), &entry(k, column)}) {
        if (std::abs(*value) <= box_rank_tolerance) *value = 0;
        effect = std::max(effect, std::abs(*value));
      }
    }
    double& constant = entry(row, kept_);
    if (std::abs(constant) <= box_rank_tolerance * demand) constant = 0;
    // An equation that no unknown can mend is left out as well: the residual tells.
    if (effect == 0) continue;
    open_row_[kept] = row;
    open_column_[kept++] = column;
  }
  open_row_.resize(kept);
  open_column_.resize(kept);
}

/// z = (y; multipliers of upper bounds; v⁺; v⁻).
void BoxLcpSolver::build_lcp(const BoxLcpProblem& problem, const Eigen::Ref<const Eigen::VectorXd>& x,
                             bool guess_active) {
  const int open = static_cast<int>(open_row_.size()), n = pairs_ + uppers_ + 2 * open;
  matrix_.assign(static_cast<std::size_t>(n) * n, 0.0);
  vector_.assign(n, 0.0);
  z_.assign(n, 0.0);
  basic_.clear();
  Eigen::Map<Eigen::MatrixXd> R(matrix_.data(), n, n);
  for (int r = 0; r < pairs_; ++r) {
    vector_[r] = entry(equations_ + r, kept_);
    for (int c = 0; c < pairs_; ++c) R(r, c) = entry(equations_ + r, equations_ + c);
    for (int p = 0; p < open; ++p) {
      const int plus = pairs_ + uppers_ + p, minus = plus + open;
      R(r, plus) = entry(equations_ + r, open_column_[p]);
      R(r, minus) = -R(r, plus);
      R(plus, r) = entry(open_row_[p], equations_ + r);
      R(minus, r) = -R(plus, r);
    }
  }
  for (int p = 0; p < open; ++p) {
    vector_[pairs_ + uppers_ + p] = entry(open_row_[p], kept_);
    vector_[pairs_ + uppers_ + open + p] = -entry(open_row_[p], kept_);
  }
  for (int k = 0; k < uppers_; ++k) {
    const int pair = upper_pair_[k], i = index_[equations_ + pair];
    R(pair, pairs_ + k) = 1;
    R(pairs_ + k, pair) = -1;
    vector_[pairs_ + k] = (problem.upper(i) - problem.lower(i)) / column_scale_[equations_ + pair];
  }
  if (!guess_active) return;
  for (int pair = 0; pair < pairs_; ++pair) {
    const int i = index_[equations_ + pair];
    const bool at_lower = kind_[i] != Kind::upper && x(i) <= problem.lower(i);
    if (!at_lower && !(kind_[i] == Kind::upper && x(i) >= problem.upper(i))) basic_.push_back(pair);
  }
  for (int k = 0; k < uppers_; ++k) {
    const int i = index_[equations_ + upper_pair_[k]];
    if (x(i) >= problem.upper(i)) basic_.push_back(pairs_ + k);
  }
}

void BoxLcpSolver::recover(const BoxLcpProblem& problem, Eigen::Ref<Eigen::VectorXd> x) {
  const int open = static_cast<int>(open_row_.size());
  value_.assign(kept_, 0.0);
  for (int pair = 0; pair < pairs_; ++pair) value_[equations_ + pair] = z_[pair];
  for (int p = 0; p < open; ++p) {
    const int plus = pairs_ + uppers_ + p;
    value_[open_column_[p]] = z_[plus] - z_[plus + open];
  }
  for (int step = steps_ - 1; step >= 0; --step) {
    const int row = row_of_[step], column = column_of_[step];
    double sum = entry(row, kept_);
    for (int c = 0; c < kept_; ++c) {
      if (c != column) sum += entry(row, c) * value_[c];  // eliminated before: row entries there are stale
    }
    value_[column] = -sum / entry(row, column);
  }
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    if (kind_[i] == Kind::fixed) x(i) = problem.lower(i);
  }
  for (int k = 0; k < kept_; ++k) {
    const int i = index_[k];
    const double y = value_[k] * column_scale_[k];
    const double moved = kind_[i] == Kind::upper  ? problem.upper(i) - y
                         : kind_[i] == Kind::free ? y
                                                  : problem.lower(i) + y;
    x(i) = std::clamp(moved, problem.lower(i), problem.upper(i));
  }
}

LcpResult BoxLcpSolver::solve(const BoxLcpProblem& problem, const LcpOptions& options, bool guess_active,
                              Eigen::Ref<Eigen::VectorXd> x) {
  check_box_sizes(problem, x.size());
  classify(problem);
  assemble(problem);
  equilibrate();
  eliminate();
  pair_remaining();
  build_lcp(problem, x, guess_active);
  const auto n = static_cast<Eigen::Index>(z_.size());
  LcpResult result;
  if (n > 0) {
    result = lemke_.solve_from(Eigen::Map<const Eigen::MatrixXd>(matrix_.data(), n, n),
                               Eigen::Map<const Eigen::VectorXd>(vector_.data(), n),
                               {.basic_z = basic_, .covering = {}}, options, Eigen::Map<Eigen::VectorXd>(z_.data(), n));
  }
  recover(problem, x);
  result.residual = box_lcp_residual(problem, x);
  const bool accurate = result.residual <= options.residual_tolerance;
  if (result.status == SolveStatus::solved && !accurate) result.status = SolveStatus::inaccurate;
  if (accurate) result.status = SolveStatus::solved;
  return result;
}

}  // namespace carom
