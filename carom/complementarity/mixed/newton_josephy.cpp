#include "carom/complementarity/mixed/newton_josephy.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstddef>

namespace carom {

namespace {

constexpr int halvings = 12;
/// Steps towards points that solve the linear problem worse than this are not tried.
constexpr double worst_subproblem = 1e-3;
/// In sizes of the largest unknown.
constexpr double longest_step = 1e8;

}  // namespace

bool NewtonJosephy::step(NcpIterate& iterate) {
  const NcpModel& model = iterate.model();
  const int n = model.size();
  matrix_.resize(static_cast<std::size_t>(n) * n);
  for (auto* buffer : {&lower_, &upper_, &p_}) buffer->resize(n);
  Eigen::Map<Eigen::MatrixXd> A(matrix_.data(), n, n);
  A.setZero();
  model.visit_jacobian([&](int i, int j, double entry) { A(i, j) = entry; });
  A.diagonal().array() += model.proximal_weight();
  const Eigen::Map<const Eigen::VectorXd> b(iterate.F().data(), n), lower(lower_.data(), n), upper(upper_.data(), n);
  Eigen::Map<Eigen::VectorXd> p(p_.data(), n);
  for (int i = 0; i < n; ++i) {
    lower_[i] = model.lower(i) - iterate.x()[i];
    upper_[i] = model.upper(i) - iterate.x()[i];
  }
  double before = 0, size = 1;
  for (int i = 0; i < n; ++i) size = std::max(size, std::abs(iterate.x()[i]));
  for (const double perturbation : {0.0, 1e-3, 1e-1, 10.0}) {
    A.diagonal().array() += perturbation - before;
    before = perturbation;
    for (int i = 0; i < n; ++i) p(i) = std::clamp(-b(i), lower_[i], upper_[i]);  // guesses the active bounds
    const LcpResult result = subproblem_.solve({A, b, lower, upper}, {}, true, p);
    // Multipliers of equations that are nearly redundant can run away; the perturbed problem has small ones.
    if (p.lpNorm<Eigen::Infinity>() > longest_step * size) continue;
    // A point that solves the linear problem roughly may still lower the merit: the search decides.
    if (result.residual <= worst_subproblem && iterate.search(p_.data(), halvings)) return true;
  }
  return iterate.gradient_step();
}

NcpStatus NewtonJosephy::run(NcpIterate& iterate, const NcpIterate::Goal& goal, int& iterations) {
  return iterate.descend(goal, iterations, [&] { return step(iterate); });
}

}  // namespace carom
