#include "carom/impact/impact_certificate.h"

#include <algorithm>
#include <cmath>

#include "carom/complementarity/worse_of.h"

namespace carom {
namespace {

using Eigen::VectorXd;
using Vector = Eigen::Ref<const VectorXd>;

/// Largest |u⁺ − u − A p|, relative to the largest |u_i| + Σ_j |A_ij p_j|.
double momentum_residual(const Eigen::MatrixXd& A, const Vector& before, const Vector& impulse, const Vector& after) {
  double worst = 0, scale = 0;
  for (Eigen::Index i = 0; i < before.size(); ++i) {
    double sum = before[i], size = std::abs(before[i]);
    for (Eigen::Index j = 0; j < impulse.size(); ++j) {
      sum += A(i, j) * impulse[j];
      size += std::abs(A(i, j) * impulse[j]);
    }
    worst = std::max(worst, std::abs(after[i] - sum));
    scale = std::max(scale, size);
  }
  return scale > 0 ? worst / scale : worst;
}

/// By how much the tangential impulse leaves μ p_n times the unit ellipse; along an axis without friction, all of it.
double outside_cone(const Block& block, const Vector& impulse) {
  const double normal = impulse[block.row + 2];
  double square = 0, frictionless = 0;
  for (int axis = 0; axis < 2; ++axis) {
    const double p = impulse[block.row + axis];
    if (block.friction[axis] > 0) {
      square += (p / block.friction[axis]) * (p / block.friction[axis]);
    } else {
      frictionless = std::max(frictionless, std::abs(p));
    }
  }
  return std::max(frictionless, block.friction.maxCoeff() * (std::sqrt(square) - std::max(normal, 0.0)));
}

double work_of(const Vector& before, const Vector& after, const Vector& impulse, int row, int size) {
  double work = 0;
  for (int i = row; i < row + size; ++i) work += 0.5 * (before[i] + after[i]) * impulse[i];
  return work;
}

void certify_path(const ImpactProblem& problem, const Eigen::MatrixXd& A, const Vector& impulse, double energy_scale,
                  const ImpactPath& path, ImpactCertificate& certificate) {
  const Eigen::Index k = problem.u.size();
  const Eigen::Index steps = k > 0 ? static_cast<Eigen::Index>(path.impulse.size()) / k : 0;
  VectorXd before = problem.u, sum = VectorXd::Zero(k);
  double driven = 0, broken = 0;
  for (Eigen::Index s = 0; s < steps; ++s) {
    const Eigen::Map<const VectorXd> p(path.impulse.data() + s * k, k), after(path.velocity.data() + s * k, k);
    broken = std::max(broken, momentum_residual(A, before, p, after));
    for (const Block& block : problem.blocks) {
      if (block.kind == BlockKind::cone) driven = std::max(driven, work_of(before, after, p, block.row, 2));
    }
    sum += p;
    before = after;
  }
  const double largest = impulse.size() > 0 ? impulse.cwiseAbs().maxCoeff() : 0;
  if (largest > 0) broken = std::max(broken, (sum - impulse).cwiseAbs().maxCoeff() / largest);
  certificate.path_residual = broken;
  certificate.dissipation_residual = energy_scale > 0 ? driven / energy_scale : driven;
}

}  // namespace

bool ImpactCertificate::holds(double tolerance) const {
  const double worst = std::max({momentum_residual, approach, bilateral, pull, cone_violation, energy_gain,
                                 dissipation_residual.value_or(0), path_residual.value_or(0)});
  return worst <= tolerance;
}

void keep_worst(const ImpactCertificate& impact, ImpactCertificate& whole) {
  const auto keep = [](double value, double& worst) { worst = worse_of(worst, value); };
  const auto keep_known = [](const std::optional<double>& value, std::optional<double>& worst) {
    if (value) worst = worse_of(worst.value_or(0), *value);
  };
  keep(impact.momentum_residual, whole.momentum_residual);
  keep(impact.approach, whole.approach);
  keep(impact.bilateral, whole.bilateral);
  keep(impact.pull, whole.pull);
  keep(impact.cone_violation, whole.cone_violation);
  keep_known(impact.dissipation_residual, whole.dissipation_residual);
  keep_known(impact.path_residual, whole.path_residual);
  whole.energy_change += impact.energy_change;
  keep(impact.energy_gain, whole.energy_gain);
  keep(impact.driving_work, whole.driving_work);
}

ImpactCertificate certify_impact(const ImpactProblem& problem, const Vector& impulse, const Vector& velocity,
                                 const std::optional<ImpactPath>& path) {
  ImpactCertificate result;
  const Eigen::Index k = problem.u.size();
  if (k == 0) return result;
  Eigen::MatrixXd A(k, k);
  problem.A.copy_to(A);
  result.momentum_residual = momentum_residual(A, problem.u, impulse, velocity);
  const double speed = std::max(problem.u.cwiseAbs().maxCoeff(), velocity.cwiseAbs().maxCoeff());
  const double largest = impulse.cwiseAbs().maxCoeff();
  const double per_speed = speed > 0 ? 1 / speed : 1, per_impulse = largest > 0 ? 1 / largest : 1;
  double prescribed = 0, scale = 0;
  for (Eigen::Index i = 0; i < k; ++i)
    scale += 0.5 * (std::abs(problem.u[i]) + std::abs(velocity[i])) * std::abs(impulse[i]);
  for (int i = 0; i < std::ssize(problem.blocks); ++i) {
    const Block& block = problem.blocks[i];
    if (block.kind == BlockKind::bilateral) {
      result.bilateral = std::max(result.bilateral, std::abs(velocity[block.row] + block.offset) * per_speed);
      prescribed -= block.offset * impulse[block.row];
      continue;
    }
    result.approach = std::max(result.approach, -velocity[block.normal_row()] * per_speed);
    result.pull = std::max(result.pull, -impulse[block.normal_row()] * per_impulse);
    if (block.kind == BlockKind::cone) {
      result.cone_violation = std::max(result.cone_violation, outside_cone(block, impulse) * per_impulse);
    }
    const double work = work_of(problem.u, velocity, impulse, block.row, block.size());
    if (work > result.driving_work) {
      result.driving_work = work;
      result.driving_block = i;
    }
  }
  result.energy_change = 0.5 * impulse.dot(problem.u + velocity);
  const double gain = std::max(0.0, result.energy_change - prescribed);
  result.energy_gain = scale > 0 ? gain / scale : gain;
  if (path) certify_path(problem, A, impulse, scale, *path, result);
  return result;
}

}  // namespace carom
