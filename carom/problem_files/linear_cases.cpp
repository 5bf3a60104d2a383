#include "carom/problem_files/linear_cases.h"

#include <algorithm>
#include <cmath>

#include "carom/complementarity/linear/nonnegative_least_squares.h"

namespace carom {
namespace {

using Eigen::VectorXd;

/// Multiplications that all cases together may take.
constexpr double most_work = 1e10;

/// A point of a case, or what refutes it.
struct CasePoint {
  bool refuted = false;
  bool holds = true;  ///< the conditions, but for round-off
  VectorXd z, w, y;
};

class Cases {
 public:
  explicit Cases(const LinearProblem& problem) : problem_(problem), row_scale_(problem.size()) {
    // Rows in which M and q are of one size together, whatever their units.
    const double unit = problem.q.cwiseAbs().maxCoeff() / std::max(problem.M.cwiseAbs().maxCoeff(), 1e-300);
    for (Eigen::Index i = 0; i < problem.size(); ++i) {
      const double size = std::max(unit * problem.M.row(i).cwiseAbs().maxCoeff(), std::abs(problem.q(i)));
      row_scale_(i) = size > 0 ? std::exp2(-std::round(std::log2(size))) : 1;
    }
  }

  /// A point of (1) with the zeros of a case, or a vector that might refute it.
  CasePoint look_at(const std::vector<PairCase>& cases) const {
    const Eigen::Index n = problem_.size();
    Eigen::MatrixXd columns(n, 2 * n);
    std::vector<bool> free;
    std::vector<Eigen::Index> source;  // j: z_j; n + i: w_i
    std::vector<double> scale;
    const auto take = [&](Eigen::Index from, const VectorXd& column, bool is_free) {
      const double length = column.norm();
      if (length == 0) return;
      columns.col(static_cast<Eigen::Index>(source.size())) = column / length;
      source.push_back(from);
      scale.push_back(length);
      free.push_back(is_free);
    };
    for (Eigen::Index j = 0; j < n; ++j) {
      const bool complementary = problem_.complementary[static_cast<std::size_t>(j)];
      const PairCase c = cases[static_cast<std::size_t>(j)];
      if (!complementary || c != PairCase::z_zero) {
        take(j, row_scale_.cwiseProduct(problem_.M.col(j)), !complementary);
      }
      if (complementary && c != PairCase::w_zero) take(n + j, -VectorXd::Unit(n, j), false);
    }
    const auto taken = static_cast<Eigen::Index>(source.size());
    const VectorXd demand = -row_scale_.cwiseProduct(problem_.q);
    VectorXd x(taken);
    const NonnegativeResult result =
        nonnegative_least_squares(columns.leftCols(taken), demand, free, NonnegativeOptions(), x);
    CasePoint point;
    point.z = point.w = VectorXd::Zero(n);
    for (Eigen::Index k = 0; k < taken; ++k) {
      const Eigen::Index from = source[static_cast<std::size_t>(k)];
      const double value = x(k) / scale[static_cast<std::size_t>(k)];
      if (from < n) {
        point.z(from) = value;
      } else {
        point.w(from - n) = value / row_scale_(from - n);
      }
    }
    if (!result.converged || result.residual <= 1e-13 * demand.norm()) return point;
    point.holds = result.residual <= 1e-6 * demand.norm();
    const VectorXd rest = demand - columns.leftCols(taken) * x;
    // Entries that are round-off of zero would meet nothing but round-off in the sums that the checker makes.
    for (const double zero : {1e-13, 1e-11, 1e-9}) {
      const double least = zero * rest.cwiseAbs().maxCoeff();
      point.y = (rest.array().abs() > least).select(row_scale_.cwiseProduct(rest), 0.0);
      for (Eigen::Index i = 0; i < n; ++i) {
        const bool may_pull = !problem_.complementary[static_cast<std::size_t>(i)] ||
                              cases[static_cast<std::size_t>(i)] == PairCase::w_zero;
        if (!may_pull) point.y(i) = std::max(0.0, point.y(i));
      }
      const double largest = point.y.cwiseAbs().maxCoeff();
      if (largest > 0) point.y /= largest;
      point.refuted = refutes(problem_, cases, point.y);
      if (point.refuted) break;
    }
    return point;
  }

  /// The open pair furthest from complementary; −1 if none is open. `worst`: by how much, relative.
  int next_pair(const std::vector<PairCase>& cases, const CasePoint& point, double& worst) const {
    const double s = std::max(point.z.cwiseAbs().maxCoeff(), 1e-300), t = std::max(point.w.maxCoeff(), 1e-300);
    int next = -1;
    worst = 0;
    for (std::size_t i = 0; i < cases.size(); ++i) {
      if (!problem_.complementary[i] || cases[i] != PairCase::open) continue;
      const auto row = static_cast<Eigen::Index>(i);
      const double distance = std::min(point.z(row) / s, point.w(row) / t);
      if (next >= 0 && distance <= worst) continue;
      next = static_cast<int>(i);
      worst = distance;
    }
    return next;
  }

 private:
  const LinearProblem& problem_;
  VectorXd row_scale_;
};

}  // namespace

bool refutes(const LinearProblem& problem, const std::vector<PairCase>& cases, const Eigen::Ref<const VectorXd>& y,
             double tolerance) {
  if (!y.allFinite()) return false;
  double demanded = 0, terms = 0;
  for (Eigen::Index i = 0; i < problem.size(); ++i) {
    const auto row = static_cast<std::size_t>(i);
    if (problem.complementary[row] && cases[row] != PairCase::w_zero && y(i) < 0) return false;
    demanded += problem.q(i) * y(i);
    terms += std::abs(problem.q(i) * y(i));
  }
  if (!(demanded < -tolerance * terms)) return false;
  for (Eigen::Index j = 0; j < problem.size(); ++j) {
    const auto column = static_cast<std::size_t>(j);
    if (problem.complementary[column] && cases[column] == PairCase::z_zero) continue;
    double sum = 0, size = 0;
    for (Eigen::Index i = 0; i < problem.size(); ++i) {
      sum += problem.M(i, j) * y(i);
      size += std::abs(problem.M(i, j)) * std::abs(y(i));
    }
    if (sum > tolerance * size) return false;
    if (!problem.complementary[column] && sum < -tolerance * size) return false;
  }
  return true;
}

LinearDecision decide_by_cases(const LinearProblem& problem, int most_cases,
                               const std::function<bool(VectorXd& z)>& accept) {
  LinearDecision decision;
  const auto n = static_cast<double>(problem.size());
  const Cases cases(problem);
  bool certain = true;
  VectorXd root_y;
  std::vector<std::vector<PairCase>> stack(
      1, std::vector<PairCase>(static_cast<std::size_t>(problem.size()), PairCase::open));
  while (!stack.empty()) {
    if (decision.cases >= most_cases || decision.cases * n * n * n > most_work) return decision;
    std::vector<PairCase> current = std::move(stack.back());
    stack.pop_back();
    ++decision.cases;
    CasePoint point = cases.look_at(current);
    if (point.refuted) {
      if (decision.cases == 1) root_y = point.y;
      continue;
    }
    double distance = 0;
    const int next = cases.next_pair(current, point, distance);
    if (point.holds && distance <= 1e-6 && accept(point.z)) {
      decision.end = LinearDecision::End::found;
      decision.z = point.z;
      return decision;
    }
    if (next < 0) {
      certain = false;  // neither a solution nor refuted: round-off hides which
      continue;
    }
    const auto pair = static_cast<std::size_t>(next);
    const bool z_is_smaller = point.z(next) <= point.w(next);
    // The likelier case is looked at first: it goes on the stack last.
    current[pair] = z_is_smaller ? PairCase::w_zero : PairCase::z_zero;
    stack.push_back(current);
    current[pair] = z_is_smaller ? PairCase::z_zero : PairCase::w_zero;
    stack.push_back(std::move(current));
  }
  decision.end = certain ? LinearDecision::End::none : LinearDecision::End::undecided;
  if (certain) decision.y = root_y;
  return decision;
}

}  // namespace carom
