#include "carom/complementarity/least_norm/norm_dual.h"

#include <algorithm>
#include <cmath>

#include "carom/numerics/cholesky.h"

namespace carom {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double bound_round_off = 1e-12;

/// Every impulse that the labels allow is p = fixed + T y; `powered` marks the rows whose power is not positive.
struct Freedom {
  VectorXd fixed;
  MatrixXd T;
  VectorXd powered;
};

bool may_roll(const Block& block, const BlockLabel& label) {
  return block.kind == BlockKind::cone &&
         (label.tangent == TangentState::rolling || label.tangent == TangentState::free) &&
         (label.normal == NormalState::active || label.normal == NormalState::given);
}

Freedom freedom_of(const LeastNormProblem& problem) {
  const Index k = problem.u.size();
  Freedom result{VectorXd::Zero(k), MatrixXd::Zero(k, k), VectorXd::Zero(k)};
  for (std::size_t i = 0; i < problem.blocks.size(); ++i) {
    const Block& block = problem.blocks[i];
    const BlockLabel& label = problem.labels[i];
    const int z = block.normal_row();
    VectorXd along = VectorXd::Zero(k);
    along[z] = 1;
    for (int axis = 0; axis < z - block.row; ++axis) {
      const double friction = block.friction[axis];
      if (may_roll(block, label)) {
        result.T(block.row + axis, block.row + axis) = friction > 0 ? 1 : 0;
        result.powered[block.row + axis] = friction > 0 ? 1 : 0;
      } else {
        along[block.row + axis] = -friction * label.slip[axis];
      }
    }
    if (label.normal == NormalState::active) {
      result.T.col(z) = along;
      result.powered[z] = 1;
    } else if (label.normal == NormalState::given) {
      result.fixed += label.given * along;
    }
  }
  return result;
}

/// λ and ν where they may be, and of the sign that they must have.
bool valid(const LeastNormProblem& problem, const NormDual& dual) {
  const Index k = problem.u.size();
  if (dual.lambda.size() != k || dual.nu.size() != k || !dual.lambda.allFinite() || !dual.nu.allFinite()) return false;
  if (!(dual.tau >= 0) || !std::isfinite(dual.tau)) return false;
  for (std::size_t i = 0; i < problem.blocks.size(); ++i) {
    const Block& block = problem.blocks[i];
    const BlockLabel& label = problem.labels[i];
    const int z = block.normal_row(), tangents = z - block.row;
    if (label.normal == NormalState::free) return false;
    const bool bilateral = block.kind == BlockKind::bilateral;
    const bool active = label.normal == NormalState::active;
    if (!(active || label.normal == NormalState::open) ? dual.lambda[z] != 0 : !bilateral && dual.lambda[z] < 0) {
      return false;
    }
    const bool rolls = may_roll(block, label) && label.tangent == TangentState::rolling;
    for (int axis = 0; axis < tangents; ++axis) {
      if (!(rolls && block.friction[axis] > 0) && dual.lambda[block.row + axis] != 0) return false;
    }
    if (may_roll(block, label)) {
      const double rim = block.friction.cwiseProduct(dual.nu.segment<2>(block.row)).norm();
      if (dual.nu[z] < rim * (1 - bound_round_off)) return false;
      continue;
    }
    const bool pushes = active && !bilateral;
    if (!dual.nu.segment(block.row, tangents).isZero(0) || dual.nu[z] < 0 || (!pushes && dual.nu[z] > 0)) return false;
  }
  return true;
}

}  // namespace

double proven_norm(const LeastNormProblem& problem, const NormDual& dual) {
  if (!valid(problem, dual)) return 0;
  const Index k = problem.u.size();
  const Freedom freedom = freedom_of(problem);
  VectorXd compliance = VectorXd::Ones(k), w = problem.u + problem.A * freedom.fixed, nu = dual.nu;
  for (Index i = 0; i < k && !problem.stiffness.empty(); ++i) compliance[i] = 1 / problem.stiffness[i];
  for (std::size_t i = 0; i < problem.blocks.size(); ++i) {
    const Block& block = problem.blocks[i];
    w[block.normal_row()] += block.offset;
    // Round-off outside the dual cone goes onto its rim.
    if (may_roll(block, problem.labels[i])) {
      const double rim = block.friction.cwiseProduct(nu.segment<2>(block.row)).norm();
      nu[block.normal_row()] = std::max(nu[block.normal_row()], rim);
    }
  }
  // ½ yᵀ H y + hᵀ y + constant; unknowns that are none get a 1 on the diagonal.
  const MatrixXd AT = problem.A * freedom.T;
  const MatrixXd power = dual.tau * freedom.powered.asDiagonal() * AT;
  MatrixXd H = freedom.T.transpose() * compliance.asDiagonal() * freedom.T + power + power.transpose();
  for (Index i = 0; i < k; ++i) {
    if (freedom.T.col(i).isZero(0)) H(i, i) += 1;
  }
  const VectorXd h =
      dual.tau * freedom.powered.cwiseProduct(w) - AT.transpose() * dual.lambda - freedom.T.transpose() * nu;
  Cholesky cholesky;
  cholesky.compute(H);
  if (cholesky.info() != Eigen::Success) return 0;
  const VectorXd y = -cholesky.solve(h);
  const double terms[] = {0.5 * freedom.fixed.cwiseAbs2().dot(compliance), -dual.lambda.dot(w), -nu.dot(freedom.fixed),
                          0.5 * y.dot(H * y), h.dot(y)};
  double value = 0, size = 0;
  for (const double term : terms) {
    value += term;
    size += std::abs(term);
  }
  value -= bound_round_off * size + (H * y + h).norm() * y.norm();
  return value > 0 ? std::sqrt(2 * value) : 0;
}

}  // namespace carom
