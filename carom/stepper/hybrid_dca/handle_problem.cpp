#include "carom/stepper/hybrid_dca/handle_problem.h"

#include <cmath>

#include "carom/numerics/least_squares.h"

namespace carom {
namespace {

/// A direction of impulses stays in R if the kept velocities show less than this part of it. So χ costs no more than
/// three digits.
constexpr double shows = 1e-3;

}  // namespace

void HandleProblem::complete(const Eigen::Ref<const Eigen::MatrixXd>& A,
                             const Eigen::Ref<const Eigen::VectorXd>& u_pure,
                             const Eigen::Ref<const Eigen::VectorXd>& own) {
  const Eigen::Index k = A.rows(), m = K.rows();
  V.setZero(m);
  R = A;
  u = u_pure;
  if (m == 0) return;  // nothing that moves takes part
  const auto inverse_root = [](double x) { return x > 0 ? 1 / std::sqrt(x) : 0.0; };
  const Eigen::VectorXd of_V = own.unaryExpr(inverse_root), of_rows = A.diagonal().unaryExpr(inverse_root);
  const Eigen::MatrixXd scaled = of_rows.asDiagonal() * K.transpose() * of_V.asDiagonal();  // k × m, entries ≤ 1
  const Eigen::MatrixXd scaled_A = of_rows.asDiagonal() * A;
  const Eigen::MatrixXd solution = least_squares(scaled, scaled_A, shows);
  for (Eigen::Index i = 0; i < k; ++i) {
    if (kinematic[static_cast<std::size_t>(i)]) {
      R.row(i).setZero();
      u[i] = 0;
      continue;
    }
    chi.row(i) = of_V.cwiseProduct(solution.col(i)).transpose();
    R.row(i) = A.row(i) - chi.row(i) * K;
    u[i] = u_pure[i] - chi.row(i).dot(V_free);
  }
}

/// Over z of the layout: p = p_0 + unit P z.
void HandleProblem::assemble(std::span<const Block> blocks) {
  const Eigen::Index k = u.size(), m = K.rows(), size = layout_.size();
  P_.setZero(k, size);
  p_0_.setZero(k);
  double diagonal = 0;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const StewartTrinkleLayout::Part& part = layout_.parts()[b];
    const auto c = static_cast<Eigen::Index>(b);
    const int n = part.normal_row;
    P_(n, c) = 1;
    p_0_[n] = part.constant;
    diagonal += chi.row(n).dot(K.col(n)) + R(n, n);
    if (part.beta < 0) continue;
    for (int j = 0; j < layout_.directions(); ++j) {
      P_.col(part.beta + j).segment<2>(part.row) = layout_.direction(part, j);
    }
  }
  unit_ = impulse_unit(diagonal, blocks.size());
  G_ = -Eigen::MatrixXd::Identity(m, m);
  H_.noalias() = unit_ * K * P_;
  K_.noalias() = P_.transpose() * chi;
  R_.noalias() = unit_ * P_.transpose() * R * P_;
  a_ = V_free + K * p_0_;
  b_ = P_.transpose() * (u + R * p_0_);
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const StewartTrinkleLayout::Part& part = layout_.parts()[b];
    const auto c = static_cast<Eigen::Index>(b);
    b_[c] += blocks[b].offset;
    if (part.cap < 0) continue;
    if (part.beta < 0) {  // a bounded row
      R_(c, part.cap) = 1;
      R_(part.cap, c) = -1;
      b_[part.cap] = part.range / unit_;
      continue;
    }
    R_(part.cap, c) = part.bound;
    R_.row(part.cap).segment(part.beta, layout_.directions()).setConstant(-1);
    R_.col(part.cap).segment(part.beta, layout_.directions()).setOnes();
    b_[part.cap] = part.bound * part.constant / unit_;
  }
}

ContactSolution HandleProblem::solve(std::span<const Block> blocks, const PolyhedralOptions& options,
                                     std::span<const double> warm_start, Eigen::Ref<Eigen::VectorXd> impulse,
                                     Eigen::Ref<Eigen::VectorXd> velocity) {
  layout_.build(blocks, options.directions);
  assemble(blocks);
  z_.setZero(layout_.size());
  LcpStart start;
  const bool warm = !warm_start.empty();
  velocity_ = p_0_;
  if (warm) velocity_ = Eigen::Map<const Eigen::VectorXd>(warm_start.data(), u.size());
  velocity_ = chi * (V_free + K * velocity_) + R * velocity_ + u;
  start = warm ? start_.from_impulse(layout_, velocity_.data(), warm_start) : start_.sliding(layout_, velocity_.data());
  const MixedLcpProblem problem{G_, H_, K_, R_, a_, b_};
  const LcpResult lcp = solver_.solve(problem, start, options.lcp, V, z_);
  layout_.recover_impulse(z_.data(), unit_, impulse);
  V = V_free + K * impulse;  // contacts that do not press have no friction: what recover_impulse drops is round-off
  velocity = chi * V + R * impulse + u;
  return solution_of(lcp, SolverKind::lemke, static_cast<int>(V.size()) + layout_.size());
}

}  // namespace carom
