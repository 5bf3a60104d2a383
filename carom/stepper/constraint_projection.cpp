#include "carom/stepper/constraint_projection.h"

#include <algorithm>
#include <cmath>

#include "carom/dynamics/recursions.h"
#include "carom/dynamics/row_velocity.h"

namespace carom {
namespace {

constexpr double round_off = 2e-13;  // of what places can tell apart: below this a violation is none
constexpr int most_rounds = 100;
constexpr int most_correction_halvings = 12;

}  // namespace

ConstraintProjection::ConstraintProjection(const Model& model, MassOperator& mass, bool by_halves) : size_(model) {
  for (const Constraint& constraint : model.constraints()) velocity_rows_ += row_count(constraint.kind);
  const auto unilateral = std::ranges::count_if(model.constraints(), is_unilateral, &Constraint::kind);
  const auto k = static_cast<std::size_t>(velocity_rows_ + unilateral);
  equations_.rows.reserve(k);
  equations_.errors.reserve(k);
  equations_.rates.reserve(k);
  multiplier_.resize(k);
  for (VectorX* v : {&displacement_, &half_, &no_augmentation_}) v->setZero(model.velocity_count());
  trial_.setZero(model.position_count());
  if (by_halves) {
    loops_.emplace(model);
    zero_.setZero(model.velocity_count());
    return;
  }
  mass.reserve(model, static_cast<int>(k));
  multipliers_.reserve(static_cast<int>(k));
}

ConstraintProjection::Violation ConstraintProjection::violation(const Model& model, double time, const VectorX& q,
                                                                ConstraintLevel level, DynamicsWorkspace& workspace) {
  forward_kinematics(model, q, workspace);
  constraint_equations(model, q, time, level, workspace, equations_);
  const double reach = size_.reach(model, q);
  Violation worst;
  for (std::size_t i = 0; i < equations_.errors.size(); ++i) {
    const double error = std::abs(equations_.errors[i]);
    worst.largest = std::max(worst.largest, error);
    worst.by_size = std::max(worst.by_size, error / size_.told(equations_.rows[i], reach));
  }
  return worst;
}

/// M x = Jᵀ λ, J x = targets.
void ConstraintProjection::join(const Model& model, const std::vector<double>& targets, DynamicsWorkspace& workspace,
                                VectorX& x) {
  rows_.clear();
  for (std::size_t i = 0; i < equations_.rows.size(); ++i) rows_.push_back({equations_.rows[i], targets[i], true});
  loops_->assemble(model, no_augmentation_, zero_, rows_, workspace);
  loops_->disassemble(model, VectorX(), workspace, x, lambda_);
}

/// −δ of a Gauss–Newton step.
void ConstraintProjection::displace(const Model& model, DynamicsWorkspace& workspace, MassOperator& mass) {
  if (loops_) {
    join(model, equations_.errors, workspace, displacement_);
    return;
  }
  const auto k = static_cast<Eigen::Index>(equations_.rows.size());
  mass.factor(model, no_augmentation_, workspace);
  mass.build(model, equations_.rows, workspace);
  multipliers_.factor(mass.delassus());
  const Eigen::Map<const VectorX> g(equations_.errors.data(), k);
  Eigen::Map<VectorX> lambda(multiplier_.data(), k);
  multipliers_.solve(g, lambda);
  displacement_.setZero();
  mass.add_response(lambda, displacement_);
}

double ConstraintProjection::project_position(const Model& model, double time, VectorX& q, DynamicsWorkspace& workspace,
                                              MassOperator& mass, ConstraintLevel level) {
  Violation worst = violation(model, time, q, level, workspace);
  for (int round = 0; round < most_rounds && worst.by_size > round_off; ++round) {
    displace(model, workspace, mass);
    double part = 1;
    Violation after = worst;
    for (int halving = 0; halving <= most_correction_halvings; ++halving, part *= 0.5) {
      half_ = -part * displacement_;
      integrate(model, q, half_, 1, trial_);
      after = violation(model, time, trial_, level, workspace);
      if (after.by_size < worst.by_size) break;
    }
    if (!(after.by_size < worst.by_size)) {
      violation(model, time, q, level, workspace);
      break;
    }
    q = trial_;
    worst = after;
  }
  return worst.largest;
}

int ConstraintProjection::project_velocity(const Model& model, double time, const VectorX& q, VectorX& v,
                                           DynamicsWorkspace& workspace, MassOperator& mass) {
  constraint_equations(model, q, time, ConstraintLevel::velocity, workspace, equations_);
  const auto k = static_cast<Eigen::Index>(equations_.rows.size());
  if (k == 0) return 0;
  if (loops_) {
    forward_velocity(model, q, v, workspace);
    for (Eigen::Index i = 0; i < k; ++i) {
      const auto row = static_cast<std::size_t>(i);
      equations_.errors[row] = equations_.rates[row] - row_velocity(equations_.rows[row], v, workspace);
    }
    join(model, equations_.errors, workspace, displacement_);
    v += displacement_;
    return static_cast<int>(loops_->redundant().size());
  }
  mass.factor(model, no_augmentation_, workspace);
  mass.build(model, equations_.rows, workspace);
  const int dependent = multipliers_.factor(mass.delassus());
  Eigen::Map<VectorX> speed(equations_.errors.data(), k), lambda(multiplier_.data(), k);
  mass.apply(v, speed);
  speed -= Eigen::Map<const VectorX>(equations_.rates.data(), k);
  multipliers_.solve(speed, lambda);
  lambda *= -1;
  mass.add_response(lambda, v);
  return dependent;
}

}  // namespace carom
