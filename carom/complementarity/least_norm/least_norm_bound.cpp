#include "carom/complementarity/least_norm/least_norm_bound.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/complementarity/linear/dense_kernels.h"
#include "carom/error.h"

namespace carom {
namespace {

using Eigen::Index;
using Eigen::Matrix2d;
using Eigen::Vector2d;

bool may_roll(const Block& block, const BlockLabel& label) {
  return block.kind == BlockKind::cone && block.friction.maxCoeff() > 0 &&
         (label.tangent == TangentState::rolling || label.tangent == TangentState::free) &&
         (label.normal == NormalState::active || label.normal == NormalState::given);
}

/// y = the first y.size() rows of M, times x.
void multiply(const Eigen::MatrixXd& M, const Eigen::VectorXd& x, Eigen::VectorXd& y) {
  y.setZero();
  for (Index j = 0; j < x.size(); ++j) dense::add_scaled(static_cast<int>(y.size()), x[j], M.col(j).data(), y.data());
}

/// y −= Mᵀ z, of the first z.size() rows of M.
void subtract_transposed(const Eigen::MatrixXd& M, const Eigen::VectorXd& z, Eigen::VectorXd& y) {
  for (Index j = 0; j < y.size(); ++j) y[j] -= dense::dot(static_cast<int>(z.size()), M.col(j).data(), z.data());
}

/// Projects (t, z) onto ‖t‖ ≤ z and, if asked, writes the derivative.
void project_cone(Eigen::Ref<Eigen::Vector3d> s, Eigen::Matrix3d* derivative) {
  const Vector2d t = s.head<2>();
  const double r = t.norm(), z = s[2];
  if (r <= z) {
    if (derivative) derivative->setIdentity();
    return;
  }
  if (r <= -z) {
    s.setZero();
    if (derivative) derivative->setZero();
    return;
  }
  const Vector2d unit = t / r;
  const double radius = (z + r) / 2;
  s << radius * unit, radius;
  if (!derivative) return;
  derivative->topLeftCorner<2, 2>() = 0.5 * ((1 + z / r) * Matrix2d::Identity() - (z / r) * unit * unit.transpose());
  derivative->topRightCorner<2, 1>() = 0.5 * unit;
  derivative->bottomLeftCorner<1, 2>() = 0.5 * unit.transpose();
  (*derivative)(2, 2) = 0.5;
}

}  // namespace

OptimalityGap optimality_gap(LabelStatus status, double norm, double dual_bound) {
  if (status != LabelStatus::admissible || (!(dual_bound > 0) && norm > 0)) return {};
  const double excess = norm > 0 ? std::max(0.0, norm / dual_bound - 1) : 0;
  return {excess <= 1e-6 ? Optimality::optimal : Optimality::within, excess};
}

/// λ of a velocity that must be w ≥ 0, or w = 0.
void LeastNormBound::add_condition(int row, bool equation) {
  const double length = AT_.row(row).norm();
  const double factor = length > 0 ? 1 / length : 1;
  G_.row(conditions_) = factor * AT_.row(row);
  g_[conditions_] = factor * w_[row];
  cones_.push_back({conditions_, 1, equation});
  origin_.push_back(row);
  factor_.push_back(factor);
  ++conditions_;
}

/// ν of a block: p_z ≥ 0, or (μ M⁻¹ p_xy, μ p_z) in the circular cone, μ the larger semi-axis.
void LeastNormBound::add_cone(const Block& block, const BlockLabel& label, double given) {
  const int z = block.normal_row();
  if (!may_roll(block, label)) {
    if (label.normal != NormalState::active) return;
    const double factor = 1 / T_.row(z).norm();
    G_.row(conditions_) = factor * T_.row(z);
    g_[conditions_] = 0;
    cones_.push_back({conditions_, 1, false});
    origin_.push_back(z);
    factor_.push_back(factor);
    ++conditions_;
    return;
  }
  const double friction = block.friction.maxCoeff();
  const double weights[] = {block.friction[0] > 0 ? friction / block.friction[0] : 0,
                            block.friction[1] > 0 ? friction / block.friction[1] : 0, friction};
  double largest = 0;
  for (int c = 0; c < 3; ++c) largest = std::max(largest, weights[c] * T_.row(block.row + c).norm());
  cones_.push_back({conditions_, 3, false});
  for (int c = 0; c < 3; ++c) {
    const double factor = weights[c] / largest;
    G_.row(conditions_) = factor * T_.row(block.row + c);
    g_[conditions_] = c == 2 ? factor * given : 0;
    origin_.push_back(block.row + c);
    factor_.push_back(factor);
    ++conditions_;
  }
}

/// Unknowns are scaled so that the norm is theirs.
void LeastNormBound::lay_out(const LeastNormProblem& problem) {
  const Index k = problem.u.size();
  const auto stiffness = [&](Index i) { return problem.stiffness.empty() ? 1.0 : problem.stiffness[i]; };
  of_row_.assign(k, -1);
  p_fixed_.setZero(k);
  n_ = 0;
  for (std::size_t i = 0; i < problem.blocks.size(); ++i) {
    const Block& block = problem.blocks[i];
    const BlockLabel& label = problem.labels[i];
    const int z = block.normal_row();
    if (label.normal == NormalState::free) throw Error("a bound needs labels of all blocks, none free");
    for (int axis = 0; axis < z - block.row && may_roll(block, label); ++axis) {
      if (block.friction[axis] > 0) of_row_[block.row + axis] = n_++;
    }
    if (label.normal == NormalState::active) of_row_[z] = n_++;
    if (label.normal == NormalState::given) p_fixed_[z] = label.given;
  }
  T_.setZero(k, n_);
  fixed_ = 0;
  for (std::size_t i = 0; i < problem.blocks.size(); ++i) {
    const Block& block = problem.blocks[i];
    const BlockLabel& label = problem.labels[i];
    const int z = block.normal_row();
    double compliance = 1 / stiffness(z);
    Vector2d along = Vector2d::Zero();
    for (int axis = 0; axis < z - block.row; ++axis) {
      if (of_row_[block.row + axis] >= 0)
        T_(block.row + axis, of_row_[block.row + axis]) = std::sqrt(stiffness(block.row + axis));
      if (!may_roll(block, label)) along[axis] = -block.friction[axis] * label.slip[axis];
      compliance += along[axis] * along[axis] / stiffness(block.row + axis);
      p_fixed_[block.row + axis] = along[axis] * p_fixed_[z];
    }
    fixed_ += p_fixed_[z] * p_fixed_[z] * compliance;
    if (of_row_[z] < 0) continue;
    T_(z, of_row_[z]) = 1 / std::sqrt(compliance);
    for (int axis = 0; axis < z - block.row; ++axis) {
      if (of_row_[block.row + axis] < 0) T_(block.row + axis, of_row_[z]) = along[axis] / std::sqrt(compliance);
    }
  }
}

/// Velocities of what is given, powers, and the conditions that admissible impulses meet.
void LeastNormBound::pose(const LeastNormProblem& problem) {
  const Index k = problem.u.size();
  w_.noalias() = problem.A * p_fixed_;
  w_ += problem.u;
  for (const Block& block : problem.blocks) w_[block.normal_row()] += block.offset;
  AT_.noalias() = problem.A * T_;
  power_.resize(n_);
  power_matrix_.resize(n_, n_);
  for (Index row = 0; row < k; ++row) {
    const int j = of_row_[row];
    if (j < 0) continue;
    power_[j] = T_(row, j) * w_[row];
    power_matrix_.row(j) = T_(row, j) * AT_.row(row);
  }
  G_.resize(2 * k, n_);
  g_.resize(2 * k);
  cones_.clear();
  origin_.clear();
  factor_.clear();
  conditions_ = 0;
  for (std::size_t i = 0; i < problem.blocks.size(); ++i) {
    const Block& block = problem.blocks[i];
    const BlockLabel& label = problem.labels[i];
    if (label.normal == NormalState::active || label.normal == NormalState::open) {
      add_condition(block.normal_row(), block.kind == BlockKind::bilateral);
    }
    for (int axis = 0; axis < 2 && may_roll(block, label) && label.tangent == TangentState::rolling; ++axis) {
      if (block.friction[axis] > 0) add_condition(block.row + axis, true);
    }
  }
  first_cone_ = conditions_;
  for (std::size_t i = 0; i < problem.blocks.size(); ++i) {
    if (problem.blocks[i].kind == BlockKind::bilateral) continue;
    add_cone(problem.blocks[i], problem.labels[i], p_fixed_[problem.blocks[i].normal_row()]);
  }
}

/// Unknowns of order one, and τ too.
void LeastNormBound::scale() {
  const double mean = n_ > 0 ? power_matrix_.diagonal().cwiseAbs().mean() : 0;
  tau_unit_ = mean > 0 ? 1 / mean : 1;
  unit_ = std::sqrt(fixed_);
  for (int j = 0; j < n_; ++j) {
    const double own = std::abs(power_matrix_(j, j));
    if (own > 0) unit_ = std::max(unit_, std::abs(power_[j]) / own);
  }
  if (!(unit_ > 0)) unit_ = 1;
  power_ *= tau_unit_ / unit_;
  power_matrix_ *= tau_unit_;
  g_.head(conditions_) /= unit_;
  z_.setZero(conditions_);
  s_.setZero(conditions_);
  x_.setZero(n_);
  step_.setZero(n_);
}

/// Onto the dual cones, which are the cones themselves (of an equation the whole line). With `jacobian` J_ G too.
void LeastNormBound::project(Eigen::VectorXd& s, bool jacobian) {
  for (const Cone& cone : cones_) {
    if (cone.size == 3) {
      Eigen::Matrix3d derivative;
      project_cone(s.segment<3>(cone.first), jacobian ? &derivative : nullptr);
      if (jacobian) JG_.middleRows<3>(cone.first).noalias() = derivative * G_.middleRows<3>(cone.first);
      continue;
    }
    const bool in = cone.line || s[cone.first] > 0;
    if (!in) s[cone.first] = 0;
    if (!jacobian) continue;
    if (in) {
      JG_.row(cone.first) = G_.row(cone.first);
    } else {
      JG_.row(cone.first).setZero();
    }
  }
}

/// ½ xᵀ H x + qᵀ x + ‖Π(z − σ (G x + g))‖² / 2 σ at trial_x_; leaves the projection in s_.
double LeastNormBound::penalty_value(double sigma) {
  multiply(G_, trial_x_, s_);
  s_ = z_ - sigma * (s_ + g_.head(conditions_));
  project(s_, false);
  multiply(H_, trial_x_, step_);
  return trial_x_.dot(0.5 * step_ + q_) + s_.squaredNorm() / (2 * sigma);
}

/// Minimizes it. The projection at the minimizer is the next z.
bool LeastNormBound::newton(double sigma) {
  for (int iteration = 0; iteration < 50; ++iteration) {
    trial_x_ = x_;
    const double value = penalty_value(sigma);
    multiply(G_, x_, s_);
    s_ = z_ - sigma * (s_ + g_.head(conditions_));
    JG_.resize(conditions_, n_);
    project(s_, true);
    multiply(H_, x_, gradient_);
    gradient_ += q_;
    subtract_transposed(G_, s_, gradient_);
    const double round_off = 1e-15 * sigma * (x_.norm() + g_.head(conditions_).norm());
    if (gradient_.norm() <= 1e-11 * (1 + q_.norm() + s_.norm()) + round_off) return true;
    newton_matrix_ = H_;
    newton_matrix_.noalias() += sigma * G_.topRows(conditions_).transpose() * JG_;
    newton_factors_.compute(newton_matrix_);
    if (newton_factors_.info() != Eigen::Success) return false;
    direction_ = newton_factors_.solve(gradient_);
    const double slope = -gradient_.dot(direction_);
    double length = 1;
    for (; length > 1e-10; length /= 2) {
      trial_x_ = x_ - length * direction_;
      if (penalty_value(sigma) <= value + 1e-4 * length * slope) break;
    }
    if (length <= 1e-10) return true;  // round-off
    x_ = trial_x_;
  }
  return false;
}

/// Dual value of z_, in scaled units and without what is given; leaves the minimizer in x_.
double LeastNormBound::dual_value() {
  gradient_ = q_;
  subtract_transposed(G_, z_, gradient_);
  x_ = -factors_.solve(gradient_);
  return 0.5 * gradient_.dot(x_) - z_.dot(g_.head(conditions_));
}

/// The bound for one τ, from the present multipliers; −∞ where the Hessian is not positive definite.
double LeastNormBound::maximize(double tau, const NormBoundOptions& options, double limit) {
  H_ = tau * (power_matrix_ + power_matrix_.transpose());
  H_.diagonal().array() += 1;
  factors_.compute(H_);
  if (factors_.info() != Eigen::Success) return -std::numeric_limits<double>::infinity();
  q_ = tau * power_;
  double value = dual_value(), sigma = 4;
  converged_ = false;
  for (int pass = 0, still = 0; pass < 40 && still < 2; ++pass) {
    if (!newton(sigma)) break;
    trial_x_ = x_;
    penalty_value(sigma);
    z_ = s_;
    const double next = dual_value();
    still = next - value <= 0.1 * options.accuracy * std::abs(next) ? still + 1 : 0;
    value = next;
    converged_ = still == 2;
    if (value > limit) break;
    sigma = std::min(6 * sigma, 1e14);
  }
  return value;
}

void LeastNormBound::write(const LeastNormProblem& problem, double tau, double value, NormDual& dual) const {
  dual.lambda.setZero(problem.u.size());
  dual.nu.setZero(problem.u.size());
  for (int i = 0; i < conditions_; ++i) {
    (i < first_cone_ ? dual.lambda : dual.nu)[origin_[i]] += unit_ * factor_[i] * best_z_[i];
  }
  dual.tau = tau * tau_unit_;
  const double total = 2 * unit_ * unit_ * value + fixed_;
  dual.bound = total > 0 ? std::sqrt(total) : 0;
}

NormBoundStatus LeastNormBound::compute(const LeastNormProblem& problem, const NormBoundOptions& options,
                                        NormDual& dual) {
  lay_out(problem);
  pose(problem);
  scale();
  const double limit = 0.5 * options.infeasible_above * options.infeasible_above;
  const double none = std::numeric_limits<double>::infinity();
  double low = 0, high = none, best = -none, best_tau = 0, tau = 0;
  bool settled = false, done = false;
  best_z_ = z_;
  for (int step = 0; step < options.power_steps && !done; ++step) {
    const double value = maximize(tau, options, limit);
    if (value > best) {
      best = value;
      best_tau = tau;
      best_z_ = z_;
    }
    if (value > limit) {
      write(problem, best_tau, best, dual);
      return NormBoundStatus::infeasible;
    }
    if (value == -none) {
      high = tau;
    } else {
      multiply(power_matrix_, x_, step_);
      const double slope = x_.dot(power_ + step_);
      (slope > 0 ? low : high) = tau;
      const double reach = high == none ? std::max(tau, 1.0) : high - low;
      done = high == 0 || std::abs(slope) * reach <= options.accuracy * std::max(std::abs(value), 1e-12);
      settled = done && converged_;
    }
    if (high < none && high - low <= 1e-6 * high) done = true;
    z_ = best_z_;
    tau = high == none ? std::max(0.5, 4 * tau) : low > 0 ? std::sqrt(low * high) : high / 4;
  }
  write(problem, best_tau, best, dual);
  return settled ? NormBoundStatus::bounded : NormBoundStatus::inaccurate;
}

}  // namespace carom
