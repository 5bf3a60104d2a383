#include "carom/stepper/constraint_projection.h"

#include <algorithm>
#include <cmath>

#include "carom/dynamics/recursions.h"

namespace carom {
namespace {

constexpr double round_off = 1e-13;  // m or rad: below this a violation is none
constexpr int most_rounds = 100;
constexpr int most_halvings = 12;

}  // namespace

ConstraintProjection::ConstraintProjection(const Model& model, MassOperator& mass) {
  for (const Constraint& constraint : model.constraints()) velocity_rows_ += row_count(constraint.kind);
  const auto k = static_cast<std::size_t>(velocity_rows_);
  equations_.rows.reserve(k);
  equations_.errors.reserve(k);
  equations_.rates.reserve(k);
  multiplier_.resize(k);
  for (VectorX* v : {&displacement_, &half_, &no_augmentation_}) v->setZero(model.velocity_count());
  trial_.setZero(model.position_count());
  mass.reserve(model, velocity_rows_);
  multipliers_.reserve(velocity_rows_);
}

double ConstraintProjection::violation(const Model& model, double time, const VectorX& q,
                                       DynamicsWorkspace& workspace) {
  forward_kinematics(model, q, workspace);
  constraint_equations(model, q, time, ConstraintLevel::position, workspace, equations_);
  double worst = 0;
  for (const double error : equations_.errors) worst = std::max(worst, std::abs(error));
  return worst;
}

double ConstraintProjection::project_position(const Model& model, double time, VectorX& q, DynamicsWorkspace& workspace,
                                              MassOperator& mass) {
  double worst = violation(model, time, q, workspace);
  for (int round = 0; round < most_rounds && worst > round_off; ++round) {
    const auto k = static_cast<Eigen::Index>(equations_.rows.size());
    mass.factor(model, no_augmentation_, workspace);
    mass.build(model, equations_.rows, workspace);
    multipliers_.factor(mass.delassus());
    const Eigen::Map<const VectorX> g(equations_.errors.data(), k);
    Eigen::Map<VectorX> lambda(multiplier_.data(), k);
    multipliers_.solve(g, lambda);
    displacement_.setZero();
    mass.add_response(lambda, displacement_);
    double part = 1, after = worst;
    for (int halving = 0; halving <= most_halvings; ++halving, part *= 0.5) {
      half_ = -part * displacement_;
      integrate(model, q, half_, 1, trial_);
      after = violation(model, time, trial_, workspace);
      if (after < worst) break;
    }
    if (!(after < worst)) {
      violation(model, time, q, workspace);
      break;
    }
    q = trial_;
    worst = after;
  }
  return worst;
}

int ConstraintProjection::project_velocity(const Model& model, double time, const VectorX& q, VectorX& v,
                                           DynamicsWorkspace& workspace, MassOperator& mass) {
  constraint_equations(model, q, time, ConstraintLevel::velocity, workspace, equations_);
  const auto k = static_cast<Eigen::Index>(equations_.rows.size());
  if (k == 0) return 0;
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
