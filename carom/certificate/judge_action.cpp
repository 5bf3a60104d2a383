// A step of a discrete action against the relations of its two ends.

#include <algorithm>
#include <limits>

#include "carom/certificate/judge.h"
#include "carom/dynamics/multiply_mass.h"
#include "carom/dynamics/point_spring.h"
#include "carom/dynamics/recursions.h"

namespace carom {
namespace {

constexpr double digits_of_positions = 1e-15;  // of a coordinate: error of a way after several roundings

}  // namespace

/// Poses and factors at one end, its rows' impulses in impulse_ and its momentum in momentum_; sizes of both count.
void Judge::begin_end(const Model& model, const VectorX& q, const VectorX& v, const RowEvidence& end) {
  forward_kinematics(model, q, at_);
  factor_mass(model, extra_, at_);
  rows_.resize(end.rows.size());
  const Acting acting{end.rows, end.impulse, end.rows.size()};
  row_impulses(model, acting, impulse_);
  measure_impulses(model, acting);
  solve_mass(model, impulse_, at_, v_free_);
  raise(impulse_, v_free_, 1, &Tree::scale);
  multiply_mass(model, v, at_, momentum_);
  raise(momentum_, v, passing_part, &Tree::scale);
  raise(momentum_, v, 1, &Tree::momentum);
}

/// Conditions of the rows of one end; v is the velocity with their impulses, v_free_ what these add to it.
void Judge::judge_end(const Model& model, const RowEvidence& end, const StepEvidence& evidence, const VectorX& v,
                      SolveCertificate& conditions) {
  if (end.rows.empty()) return;
  const double h = evidence.length;
  const double resolved = digits_of_positions * (1 + evidence.q_start.lpNorm<Eigen::Infinity>()) / h;
  v_plus_ = v;
  v_free_ = v_plus_ - v_free_;
  judge_rows(model, end, evidence.equation.directions,
             std::max(h * model.gravity().norm(), resolved / round_off_of_speeds), conditions);
}

Judge::Verdict Judge::judge_action(const Model& model, const StepEvidence& evidence) {
  const double h = evidence.length;
  Verdict verdict;
  for (Tree& tree : trees_) tree.residual = tree.scale = tree.momentum = 0;
  extra_ = 0.5 * h * (damping_ + servo_damping_) + 0.25 * h * h * (stiffness_ + servo_stiffness_);
  action_.evaluate(model, evidence, at_);
  add_point_spring_stiffness(model, at_, 0.5 * h, 0.25 * h * h, SpringDiagonal::own, extra_);

  begin_end(model, evidence.q_start, evidence.v_start, evidence);
  momentum_ += impulse_;
  DiscreteAction::to_fixed_axes(model, evidence.q_start, momentum_, balance_);
  change_ = action_.start() - balance_;
  DiscreteAction::to_own_axes(model, evidence.q_start, change_, change_);
  solve_mass(model, change_, at_, scratch_);
  scratch_ *= h;
  verdict.kinematic_residual = displacement(model, scratch_, evidence.q_end);
  judge_end(model, evidence, evidence, action_.rate(), verdict.conditions);

  begin_end(model, evidence.q_end, evidence.v_end, evidence.at_end);
  DiscreteAction::to_own_axes(model, evidence.q_end, action_.impulse(), applied_);
  solve_mass(model, applied_, at_, scratch_);
  raise(applied_, scratch_, 1, &Tree::scale);
  // Forces that oppose one another, as a spring that bears a weight, count by the resolution of their digits.
  solve_mass(model, action_.opposed(), at_, scratch_);
  raise(action_.opposed(), scratch_, passing_part, &Tree::scale);
  momentum_ -= impulse_;
  DiscreteAction::to_fixed_axes(model, evidence.q_end, momentum_, change_);
  change_ -= balance_ + action_.impulse();
  DiscreteAction::to_own_axes(model, evidence.q_end, change_, change_);
  solve_mass(model, change_, at_, scratch_);
  raise(change_, scratch_, 1, &Tree::residual);
  constexpr double none = std::numeric_limits<double>::infinity();
  verdict.momentum_residual = change_.allFinite() ? worst_tree() : none;
  if (!action_.start().allFinite()) verdict.kinematic_residual = none;
  judge_end(model, evidence.at_end, evidence, evidence.v_end, verdict.conditions);
  return verdict;
}

}  // namespace carom
