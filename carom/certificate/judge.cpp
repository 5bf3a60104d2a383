#include "carom/certificate/judge.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "carom/dynamics/applied_force.h"
#include "carom/dynamics/joint_column.h"
#include "carom/dynamics/multiply_mass.h"
#include "carom/dynamics/recursions.h"
#include "carom/numerics/symmetric_spectrum.h"
#include "carom/spatial/rotation.h"

namespace carom {
namespace {

constexpr double momentum_digits = 1e-9;  // of the scale: a residual that is sound
constexpr double sum_digits = 1e-14;      // of an impulse: digits of a sum that it is part of
constexpr double far_away = 1e-6;         // of a coordinate: a way that its own digits still resolve

/// f = Jᵀ p: forces on the bodies, summed towards the roots.
void sum_impulses(const Model& model, std::span<const ConstraintRow> rows, std::span<const double> impulse,
                  DynamicsWorkspace& at, VectorX& f) {
  for (NodeState& node : at.nodes) node.f = {};
  const auto push = [&](int body, const Vec3& point, const Vec3& force, const Vec3& moment) {
    if (body < 0) return;
    at.nodes[body].f += Force{Vec3(point - at.nodes[body].p).cross(force) + moment, force};
  };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const ConstraintRow& row = rows[i];
    if (row.coordinate >= 0 || impulse[i] == 0) continue;
    const Vec3 force = impulse[i] * row.direction, moment = impulse[i] * row.moment;
    push(row.body_a, row.point_a, force, moment);
    push(row.body_b, row.point_b, -force, -moment);
  }
  project_forces(model, at, f);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const ConstraintRow& row = rows[i];
    if (row.coordinate < 0) continue;
    row.for_each_term([&](int k, double coefficient) { f[k] += coefficient * impulse[i]; });
  }
}

}  // namespace

Judge::Judge(const Model& model) : at_(model), action_(model) {
  const int n = model.velocity_count();
  for (VectorX* v :
       {&damping_, &stiffness_, &servo_damping_, &servo_stiffness_, &momentum_, &balance_, &extra_, &v_, &v_plus_,
        &v_moved_, &v_free_, &v_between_, &mean_, &turn_, &reach_, &applied_, &impulse_, &change_, &scratch_}) {
    v->setZero(n);
  }
  q_scratch_.setZero(model.position_count());
  tied_ = std::ranges::any_of(model.constraints(), [](const Constraint& c) { return restricts_motion(c.kind); });
  trees_.resize(model.body_count());
  tree_of_.resize(n);
  std::vector<char> has_child(model.body_count(), 0);
  carrier_.push_back(-1);
  for (int body = 0; body < model.body_count(); ++body) {
    const Joint& joint = model.joints()[body];
    carrier_.push_back(velocity_size(joint) > 0 ? body : carrier_[static_cast<std::size_t>(joint.parent) + 1]);
    damping_.segment(joint.v_index, joint.damping.size()) = joint.damping;
    stiffness_.segment(joint.v_index, joint.stiffness.size()) = joint.stiffness;
    if (joint.parent >= 0) has_child[joint.parent] = 1;
    for (int k = 0; k < velocity_size(joint); ++k) tree_of_[joint.v_index + k] = model.root(body);
    const SpatialInertia& inertia = model.bodies()[body].inertia;
    trees_[model.root(body)].mass += inertia.mass;
    const bool massive = inertia.mass > 0;
    const double gyration = massive ? std::sqrt(inertia.central.trace() / (2 * inertia.mass)) : 1;
    const double arm = (joint.X_BM.inverse() * inertia.center).norm();  // a point mass has no size but its arm
    size_.push_back(gyration > 0 ? gyration : arm > 0 ? arm : 1);
    spin_inverse_.push_back(massive ? semidefinite_inverse(inertia.central) : Mat3::Zero());
  }
  for (std::size_t i = 0; i < model.drives().size(); ++i) {
    const Drive& drive = model.drives()[i];
    if (drive.kind != DriveKind::servo) continue;
    double sum = 0;
    for (const RowTerm& term : model.drive_terms(i)) sum += std::abs(term.coefficient);
    for (const RowTerm& term : model.drive_terms(i)) {
      // r rᵀ ≤ diag(|rᵢ| Σ |rⱼ|)
      servo_damping_[term.coordinate] += std::abs(term.coefficient) * sum * drive.damping;
      servo_stiffness_[term.coordinate] += std::abs(term.coefficient) * sum * drive.stiffness;
    }
  }
  for (int body = 0; body < model.body_count(); ++body) {
    const Joint& joint = model.joints()[body];
    const bool turns = joint.type == JointType::free || joint.type == JointType::spherical;
    if (joint.parent >= 0 || has_child[body] || !turns) continue;
    const SpatialInertia inertia = model.bodies()[body].inertia.in(joint.X_BM.inverse());
    const Mat3 c = skew(inertia.center);
    if (joint.type == JointType::free) {
      singles_.push_back({body, inertia.central, inertia.center});
    } else {
      const Mat3 reflected = joint.reflected_inertia[0] * Mat3::Identity();
      singles_.push_back({body, inertia.central + inertia.mass * c * c.transpose() + reflected, Vec3::Zero()});
    }
  }
}

void Judge::reserve(std::size_t rows) {
  rows_.reserve(rows);
  first_impulse_.reserve(rows);
}

/// Largest part of a displacement: turns in rad, ways by the bodies' sizes.
double Judge::displacement(const Model& model, const VectorX& difference, const VectorX& q) const {
  double worst = 0;
  for (int body = 0; body < model.body_count(); ++body) {
    const Joint& joint = model.joints()[body];
    const bool scalar = has_scalar_coordinates(joint.type);
    for (int k = 0; k < velocity_size(joint); ++k) {
      const bool turn = scalar ? is_angle(joint, k) : k < 3;
      const double far = scalar ? std::abs(q[joint.q_index + k]) : turn ? 0 : std::abs(q[joint.q_index + 1 + k]);
      const double size = std::max(turn ? 1.0 : size_[body], far_away * far);
      worst = worse_of(worst, std::abs(difference[joint.v_index + k]) / size);
    }
  }
  return worst;
}

double Judge::kinematics(const Model& model, const StepEvidence& evidence) {
  const double h = evidence.length;
  double worst = 0;
  if (!tied_ && evidence.equation.linearised == DeclaredEquation::Linearised::ahead) {
    integrate(model, evidence.q_start, evidence.v_start, evidence.equation.lead * h, q_scratch_);
    difference(model, q_scratch_, evidence.q_at, scratch_);
    worst = displacement(model, scratch_, evidence.q_at);
  }
  transport_velocity(model, evidence.q_at, evidence.q_start, v_moved_, scratch_);
  if (evidence.equation.means) {
    const VectorX& v = evidence.v_start;
    scratch_ = v + evidence.end_weight.cwiseProduct(scratch_ - v);
  }
  integrate(model, evidence.q_start, scratch_, h, q_scratch_);
  if (!evidence.position_correction.isZero(0)) {
    integrate(model, q_scratch_, evidence.position_correction, 1, q_scratch_);
  }
  difference(model, q_scratch_, evidence.q_end, scratch_);
  return worse_of(worst, displacement(model, scratch_, evidence.q_end));
}

/// True if a tree has one weight of the step's end, from 0 to 1, and forces have weights from ½ to 1, ½
/// where nothing is stiff.
bool Judge::weights_are_means(const Model& model, const StepEvidence& evidence) const {
  if (!evidence.equation.means) return true;
  const Eigen::Index n = evidence.v_start.size();
  for (const VectorX* numbers : {&evidence.end_weight, &evidence.force_weight, &evidence.kick}) {
    if (numbers->size() != n || !numbers->allFinite()) return false;
  }
  for (Eigen::Index k = 0; k < n; ++k) {
    const double theta = evidence.end_weight[k], phi = evidence.force_weight[k];
    const int root = tree_of_[static_cast<std::size_t>(k)];
    const int first = model.joints()[static_cast<std::size_t>(root)].v_index;
    const bool of_tree =
        velocity_size(model.joints()[static_cast<std::size_t>(root)]) == 0 || theta == evidence.end_weight[first];
    const bool soft = damping_[k] == 0 && stiffness_[k] == 0;
    if (!of_tree || !(theta > 0 && theta <= 1) || !(phi >= 0.5 && phi <= 1) || (soft && phi != 0.5)) return false;
  }
  return true;
}

/// True if trees that a contact or limit joins have one weight of the step's end, and such a weight other than ½, an
/// impact's, belongs to a contact or limit. After weights_are_means.
bool Judge::impacts_are_of_contacts(const Model& model, const StepEvidence& evidence) {
  if (!evidence.equation.means) return true;
  for (Tree& tree : trees_) tree.end_weight = 0.5, tree.touches = false;
  for (std::size_t k = 0; k < tree_of_.size(); ++k) {
    trees_[static_cast<std::size_t>(tree_of_[k])].end_weight = evidence.end_weight[static_cast<Eigen::Index>(k)];
  }
  bool alike = true;
  for (const Block& block : evidence.blocks) {
    if (block.kind == BlockKind::bilateral || block.kind == BlockKind::bounded) continue;
    const Tree* first = nullptr;
    for_each_tree(model, evidence.rows[static_cast<std::size_t>(block.row)], [&](int root) {
      Tree& tree = trees_[static_cast<std::size_t>(root)];
      if (first == nullptr) first = &tree;
      alike = alike && tree.end_weight == first->end_weight;
      tree.touches = true;
    });
  }
  // Constraints may tie a tree that nothing touches to one of an impact.
  return alike && std::ranges::all_of(trees_, [&](const Tree& tree) {
           return tree.end_weight == 0.5 || tree.touches || std::ranges::any_of(trees_, [&](const Tree& other) {
                    return other.touches && other.end_weight == tree.end_weight;
                  });
         });
}

/// True if no single body's kick is larger than what changes its spin in the step, with its rows or without them.
/// v_free_ is the velocity without them.
bool Judge::kicks_are_of_forces(const Model& model, const StepEvidence& evidence) const {
  if (!evidence.equation.means) return true;
  for (const Single& single : singles_) {
    const int i = model.joints()[static_cast<std::size_t>(single.body)].v_index;
    const auto of = [i](const VectorX& v) { return Vec3(v.segment<3>(i)); };
    const Vec3 turned = of(v_) + of(turn_);
    const double most = (of(v_plus_) - turned).norm() + (of(v_free_) - turned).norm();
    if (!(of(evidence.kick).norm() <= most + momentum_digits * (of(v_).norm() + of(v_plus_).norm()))) return false;
  }
  return true;
}

/// Gyroscopic equation of single bodies, relative to their spin's momentum. Fills turn_.
double Judge::turn_residual(const Model& model, const StepEvidence& evidence) {
  turn_ = evidence.turn;
  if (singles_.empty() || !evidence.equation.implicit_turn) return 0;
  transport_velocity(model, evidence.q_at, evidence.q_start, evidence.turn, scratch_);
  const bool means = evidence.equation.means;
  if (means) transport_velocity(model, evidence.q_at, evidence.q_start, evidence.kick, change_);
  double worst = 0;
  for (const Single& single : singles_) {
    const Joint& joint = model.joints()[single.body];
    Vec3 before = evidence.v_start.segment<3>(joint.v_index);
    double size = (single.inertia * before).norm();
    const Vec3 turn = scratch_.segment<3>(joint.v_index);
    Vec3 after = before + turn;
    if (means) {
      size = std::max(size, (single.inertia * v_plus_.segment<3>(joint.v_index)).norm());
      before += Vec3(change_.segment<3>(joint.v_index));
      // In the body's axes at the end of its turn.
      const Vec3 way = before + evidence.end_weight[joint.v_index] * turn;
      after = exponential(-evidence.length * way) * Vec3(before + turn);
    }
    const Vec3 mean = 0.5 * (before + after);
    const Vec3 left = single.inertia * (after - before) + evidence.length * mean.cross(single.inertia * mean);
    const double of_kick = means ? (single.inertia * Vec3(change_.segment<3>(joint.v_index))).norm() : 0;
    const double residual = left.norm() > sum_digits * of_kick ? left.norm() : 0;
    worst = worse_of(worst, size > 0 ? residual / size : residual);
    // The centre of mass keeps its velocity.
    if (joint.type == JointType::free) scratch_.segment<3>(joint.v_index + 3) = single.center.cross(turn);
  }
  transport_velocity(model, evidence.q_start, evidence.q_at, scratch_, turn_);
  return worst;
}

/// Impulse of everything but rows over the step, into applied_.
void Judge::applied_impulse(const Model& model, const StepEvidence& evidence) {
  const double h = evidence.length;
  gravity_force(model, at_, applied_);
  applied_ += evidence.controlled;
  add_applied_force(model, evidence.end - 0.5 * h, at_, applied_);
  spring_force(model, evidence.q_at, scratch_);
  applied_ += scratch_;
  mean_ = v_plus_;
  if (evidence.equation.means) mean_ = v_ + evidence.force_weight.cwiseProduct(v_plus_ - v_);
  applied_ -= damping_.cwiseProduct(mean_);
  if (!stiffness_.isZero(0)) {
    difference(model, evidence.q_start, evidence.q_at, reach_);
    reach_ /= h;
    transport_velocity(model, evidence.q_start, evidence.q_at, reach_, reach_);
    if (evidence.equation.means) mean_ = evidence.force_weight.cwiseProduct(mean_);
    applied_ -= h * stiffness_.cwiseProduct(mean_ - reach_);
  }
  if (!evidence.equation.implicit_turn) {
    forward_velocity(model, evidence.q_at, v_, at_);
    momentum_bias(model, v_, at_, scratch_);
    applied_ -= scratch_;
  }
  applied_ *= h;
  multiply_mass(model, turn_, at_, scratch_);
  applied_ += scratch_;
}

/// f = Jᵀ p, of rows at the step's end carried back by the transport of velocities.
void Judge::row_impulses(const Model& model, const Acting& acting, VectorX& f) {
  sum_impulses(model, acting.rows.first(acting.split), acting.impulse.first(acting.split), at_, f);
  if (acting.split == acting.rows.size()) return;
  sum_impulses(model, acting.rows.subspan(acting.split), acting.impulse.subspan(acting.split), end_->at, end_->impulse);
  for (const Joint& joint : model.joints()) {
    const int first = joint.v_index, n = velocity_size(joint);
    for (int k = 0; k < n; ++k) {
      f[first + k] += end_->carry[static_cast<std::size_t>(k)].segment(first, n).dot(end_->impulse.segment(first, n));
    }
  }
}

/// Mobility of a body as if no joint tied it, an upper bound of its mobility in its tree.
double Judge::mobility(const Model& model, const ConstraintRow& row, int body, const Vec3& point,
                       const DynamicsWorkspace& at) const {
  const SpatialInertia& inertia = model.bodies()[body].inertia;
  if (!(inertia.mass > 0)) return 0;
  const Transform& X_WB = at.X_WB[body];
  const Vec3 arm = point - X_WB * inertia.center;
  const Vec3 torque = X_WB.R.transpose() * (arm.cross(row.direction) + row.moment);
  return row.direction.squaredNorm() / inertia.mass + torque.dot(spin_inverse_[body] * torque);
}

/// Raises every tree's `of` to a part of the size of an impulse in the kinetic metric; velocity = M⁻¹ impulse.
void Judge::raise(const VectorX& impulse, const VectorX& velocity, double part, double Tree::*of) {
  for (Tree& tree : trees_) tree.square = 0;
  for (Eigen::Index k = 0; k < impulse.size(); ++k) trees_[tree_of_[k]].square += impulse[k] * velocity[k];
  for (Tree& tree : trees_) tree.*of = worse_of(tree.*of, part * std::sqrt(std::max(tree.square, 0.0)));
}

/// Sizes of the rows' impulses, each by itself: impulses that cancel leave their round-off.
void Judge::measure_impulses(const Model& model, const Acting& acting) {
  bool on_coordinates = false;
  scratch_.setZero();
  for (std::size_t i = 0; i < acting.rows.size(); ++i) {
    const ConstraintRow& row = acting.rows[i];
    const DynamicsWorkspace& at = i < acting.split ? at_ : end_->at;
    const double p = std::abs(acting.impulse[i]);
    rows_[i].mobility = 0;
    if (row.coordinate >= 0) {
      row.for_each_term([&](int k, double coefficient) { scratch_[k] += std::abs(coefficient) * p; });
      on_coordinates = true;
      continue;
    }
    for (const auto& [end, point] : {std::pair{row.body_a, row.point_a}, std::pair{row.body_b, row.point_b}}) {
      const int body = carrier_[static_cast<std::size_t>(end) + 1];
      if (body < 0) continue;
      const double own = mobility(model, row, body, point, at);
      rows_[i].mobility += own;
      Tree& tree = trees_[model.root(body)];
      tree.scale = worse_of(tree.scale, p * std::sqrt(own));
    }
  }
  if (!on_coordinates) return;
  solve_mass(model, scratch_, at_, change_);
  raise(scratch_, change_, 1, &Tree::scale);
}

/// Residual of M (v⁺ − v) = applied_ + Jᵀ p, tree by tree, relative; the worst. Speeds below `resolved` are round-off,
/// m/s. Factors M + extra_, and leaves in v_free_ what v⁺ is without the rows' impulses.
double Judge::momentum(const Model& model, const Acting& acting, double resolved) {
  for (Tree& tree : trees_) {
    tree.residual = tree.momentum = 0;
    tree.scale = std::sqrt(tree.mass) * resolved / momentum_digits;
  }
  rows_.resize(acting.rows.size());
  row_impulses(model, acting, impulse_);
  factor_mass(model, extra_, at_);
  measure_impulses(model, acting);
  // A momentum that only passes through the step counts by the resolution of its digits.
  multiply_mass(model, v_plus_, at_, change_);
  raise(change_, v_plus_, passing_part, &Tree::scale);
  raise(change_, v_plus_, 1, &Tree::momentum);
  multiply_mass(model, v_, at_, change_);
  raise(change_, v_, passing_part, &Tree::scale);
  raise(change_, v_, 1, &Tree::momentum);
  solve_mass(model, applied_, at_, scratch_);
  raise(applied_, scratch_, 1, &Tree::scale);
  solve_mass(model, impulse_, at_, scratch_);
  raise(impulse_, scratch_, 1, &Tree::scale);
  v_free_ = v_plus_ - scratch_;
  scratch_ = v_plus_ - v_;
  multiply_mass(model, scratch_, at_, change_);
  change_ -= applied_ + impulse_;
  solve_mass(model, change_, at_, scratch_);
  raise(change_, scratch_, 1, &Tree::residual);
  return change_.allFinite() ? worst_tree() : std::numeric_limits<double>::infinity();
}

/// The worst residual of a tree, relative to its scale.
double Judge::worst_tree() const {
  double worst = 0;
  for (const Tree& tree : trees_) {
    worst = worse_of(worst, tree.scale > 0 ? tree.residual / tree.scale : tree.residual);
  }
  return worst;
}

double Judge::judge_impact(const Model& model, const ImpactEvidence& impact) {
  forward_kinematics(model, impact.q, at_);
  v_ = impact.before;
  v_plus_ = impact.after;
  applied_.setZero();
  extra_.setZero();
  return momentum(model, {impact.rows, impact.impulse, impact.rows.size()}, 0);
}

Judge::Verdict Judge::judge(const Model& model, const StepEvidence& evidence) {
  if (evidence.equation.form == DeclaredEquation::Form::discrete_action) return judge_action(model, evidence);
  if (evidence.equation.form == DeclaredEquation::Form::integration) return judge_integration(model, evidence);
  Verdict verdict;
  if (!weights_are_means(model, evidence) || !impacts_are_of_contacts(model, evidence)) {
    verdict.momentum_residual = verdict.kinematic_residual = std::numeric_limits<double>::infinity();
    return verdict;
  }
  scratch_ = evidence.v_end - evidence.velocity_correction;
  transport_velocity(model, evidence.q_end, evidence.q_at, scratch_, v_plus_);
  transport_velocity(model, evidence.q_start, evidence.q_at, evidence.v_start, v_);
  const bool ends = !evidence.end_conditions.empty();
  const std::size_t split = ends ? evidence.first_at_end : evidence.rows.size();
  forward_kinematics(model, evidence.q_at, at_);
  if (ends) prepare_end(model, evidence);
  const double turning = turn_residual(model, evidence);
  applied_impulse(model, evidence);
  extra_ = evidence.length * damping_ + evidence.length * evidence.length * stiffness_;
  if (evidence.equation.means) {
    const auto phi = evidence.force_weight.array();
    extra_ = evidence.length * phi * (damping_.array() + evidence.length * phi * stiffness_.array());
  }
  // If nothing falls, speeds that move nothing in the step by as much as positions resolve are round-off.
  const double size = size_.empty() ? 0 : *std::max_element(size_.begin(), size_.end());
  const double resolved = std::numeric_limits<double>::epsilon() * size / evidence.length;
  verdict.momentum_residual = worse_of(turning, momentum(model, {evidence.rows, evidence.impulse, split}, resolved));
  if (!kicks_are_of_forces(model, evidence)) verdict.momentum_residual = std::numeric_limits<double>::infinity();
  v_moved_ = v_plus_;
  if (!evidence.taken_back.empty()) {
    row_impulses(model, {evidence.rows, evidence.taken_back, split}, impulse_);
    solve_mass(model, impulse_, at_, scratch_);
    v_moved_ += scratch_;
  }
  verdict.kinematic_residual = kinematics(model, evidence);
  if (evidence.rows.empty()) return verdict;
  const double least_speed = std::max(evidence.length * model.gravity().norm(), resolved / round_off_of_speeds);
  if (ends) {
    judge_end_conditions(model, evidence, least_speed, verdict);
  } else {
    judge_rows(model, evidence, evidence.equation.directions, least_speed, verdict.conditions);
  }
  return verdict;
}

}  // namespace carom
