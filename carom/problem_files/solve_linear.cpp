#include "carom/problem_files/solve_linear.h"

#include <Eigen/QR>
#include <chrono>
#include <cmath>
#include <limits>

#include "carom/complementarity/mixed/box_lcp.h"
#include "carom/complementarity/mixed/mixed_ncp_solver.h"
#include "carom/complementarity/polyhedral/principal_pivoting.h"
#include "carom/numerics/least_squares.h"
#include "carom/problem_files/linear_cases.h"

namespace carom {
namespace {

using Eigen::VectorXd;

constexpr Eigen::Index most_rows_for_pivoting = 1000;
/// Cases looked at before Newton's method, which never shows that there is no solution, and after it.
constexpr int few_cases = 200, many_cases = 100000;
constexpr double infinity = std::numeric_limits<double>::infinity();

class Attempts {
 public:
  Attempts(const LinearProblem& problem, double tolerance) : problem_(problem), tolerance_(tolerance) {
    best_.z = best_.w = VectorXd::Zero(problem.size());
    best_.method = "none";
    best_.certificate = certify(problem, best_.z, best_.w);
    lower_ = VectorXd::Constant(problem.size(), -infinity);
    upper_ = VectorXd::Constant(problem.size(), infinity);
    for (Eigen::Index i = 0; i < problem.size(); ++i) {
      if (problem.complementary[static_cast<std::size_t>(i)]) lower_(i) = 0;
    }
  }

  bool is_solved() const { return best_.certificate.residual <= tolerance_; }
  bool done() const { return is_solved() || best_.status == SolveStatus::infeasible; }
  LinearSolution& best() { return best_; }

  void pivot() {
    if (problem_.pairs() != problem_.size() || problem_.size() > most_rows_for_pivoting) return;
    if (problem_.M != problem_.M.transpose()) return;
    VectorXd z = VectorXd::Zero(problem_.size());
    PrincipalPivoting pivoting;
    const LcpResult result = pivoting.solve(problem_.M, problem_.q, {}, LcpOptions(), z);
    best_.iterations += result.pivots;
    keep(z, "pivoting");
  }

  void follow_path() {
    VectorXd x = VectorXd::Zero(problem_.size());
    BoxLcpSolver lemke;
    const LcpResult result = lemke.solve({problem_.M, problem_.q, lower_, upper_}, LcpOptions(), false, x);
    best_.iterations += result.pivots;
    keep(x, "lemke");
  }

  void newton() {
    MixedNcp ncp{lower_, upper_, {}, {}, {}, {}};
    ncp.function = [this](const MixedNcp::Input& x, Eigen::Ref<VectorXd> F) {
      F = problem_.M * x + problem_.q;
      return true;
    };
    ncp.dense_jacobian = [this](const MixedNcp::Input&, Eigen::Ref<Eigen::MatrixXd> J) {
      J = problem_.M;
      return true;
    };
    VectorXd x = best_.z;
    MixedNcpSolver solver;
    const MixedNcpResult result = solver.solve(ncp, MixedNcpOptions(), x);
    best_.iterations += result.iterations;
    keep(x, "newton");
  }

  void decide(int most_cases) {
    const LinearDecision decision = decide_by_cases(problem_, most_cases, [this](VectorXd& z) {
      keep(z, "cases");
      return is_solved();
    });
    best_.iterations += decision.cases;
    best_.cases += decision.cases;
    if (decision.end != LinearDecision::End::none) return;
    best_.status = SolveStatus::infeasible;
    best_.dual = decision.y;
  }

 private:
  /// Takes a point where it is better than the best one, refined on its zeros.
  void keep(const VectorXd& point, const char* method) {
    constexpr int refinements = 3;
    if (!point.allFinite()) return;
    VectorXd z = point, w(problem_.size());
    for (int k = 0; k <= refinements; ++k) {
      const LinearCertificate certificate = certify(problem_, z, w);
      if (certificate.residual < best_.certificate.residual) {
        best_.certificate = certificate;
        best_.z = z;
        best_.w = w;
        best_.method = method;
      }
      if (k == refinements || certificate.residual == 0 || !w.allFinite()) return;
      z = refined(z, w);
    }
  }

  /// z with the equations of its zeros solved again: of each pair the smaller one, relative to its size, is zero.
  VectorXd refined(const VectorXd& z, const VectorXd& w) const {
    const double s = std::max(z.cwiseAbs().maxCoeff(), 1e-300), t = std::max(w.cwiseAbs().maxCoeff(), 1e-300);
    std::vector<Eigen::Index> basic;
    VectorXd result = z;
    for (Eigen::Index i = 0; i < problem_.size(); ++i) {
      const bool complementary = problem_.complementary[static_cast<std::size_t>(i)];
      if (!complementary || std::abs(z(i)) / s > std::abs(w(i)) / t) {
        basic.push_back(i);
      } else {
        result(i) = 0;
      }
    }
    if (basic.empty()) return result;
    const VectorXd left = problem_.M * result + problem_.q;
    const Eigen::MatrixXd part = problem_.M(basic, basic);
    const VectorXd demand = -left(basic);
    const VectorXd change = least_squares(part, demand);
    if (change.allFinite()) result(basic) += change;
    return result;
  }

  const LinearProblem& problem_;
  double tolerance_;
  VectorXd lower_, upper_;
  LinearSolution best_;
};

}  // namespace

LinearSolution solve_linear(const LinearProblem& problem, double tolerance) {
  const auto began = std::chrono::steady_clock::now();
  Attempts attempts(problem, tolerance);
  if (!attempts.done()) attempts.pivot();
  if (!attempts.done()) attempts.follow_path();
  if (!attempts.done()) attempts.decide(few_cases);
  if (!attempts.done()) attempts.newton();
  if (!attempts.done()) attempts.decide(many_cases);
  LinearSolution& solution = attempts.best();
  if (attempts.is_solved()) solution.status = SolveStatus::solved;
  solution.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return std::move(solution);
}

}  // namespace carom
