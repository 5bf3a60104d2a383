#include "carom/stepper/standing_rows.h"

#include <cmath>
#include <limits>

namespace carom {

StandingRows::StandingRows(const Model& model) {
  for (std::size_t i = 0; i < model.constraints().size(); ++i) {
    const Constraint& constraint = model.constraints()[i];
    constraints_ += row_count(constraint.kind);
    if (constraint.kind == ConstraintKind::spring) springs_.push_back({static_cast<int>(i)});
  }
  for (const Joint& joint : model.joints()) {
    for (int k = 0; k < joint.friction.size(); ++k) {
      if (joint.friction[k] > 0) frictions_.push_back({joint.v_index + k, joint.friction[k]});
    }
  }
  for (std::size_t i = 0; i < model.drives().size(); ++i) {
    if (model.drives()[i].kind == DriveKind::servo) servos_.push_back(i);
  }
  compliance_.resize(servos_.size());
  for (ConstraintEquations* equations : {&equations_, &equations_start_}) {
    for (auto* numbers : {&equations->errors, &equations->rates}) numbers->reserve(constraints_);
    equations->rows.reserve(constraints_);
  }
  rates_.reserve(constraints_);
}

void StandingRows::pose_servo(const Drive& servo, const ServoStart& start, double h, double end, double weight,
                              ConstraintRow& row, Block& block) {
  const double phi = weight, time = end - (1 - phi) * h;
  const double gain = h * phi * servo.damping + h * h * phi * phi * servo.stiffness;
  const double away = servo.value.at(time) - start.position - h * (phi - phi * phi) * start.rate;
  const double slower = servo.value.rate(time) - (1 - phi) * start.rate;
  const double push = h * servo.stiffness * away + h * servo.damping * slower;
  row.compliance = 1 / gain;
  block.offset = -push / gain;
  const bool limited = std::isfinite(servo.limit);
  block.kind = limited ? BlockKind::bounded : BlockKind::bilateral;
  if (!limited) return;
  block.upper = h * servo.limit;
  block.lower = -block.upper;
}

namespace {

/// From F to G before they met, by the velocity with which they did; the row's own direction where they do not move.
Vec3 line_of_meeting(const Model& model, ConstraintRow row, const VectorX& reach, const DynamicsWorkspace& workspace) {
  const Vec3 own = row.direction;
  Vec3 closing;
  for (int axis = 0; axis < 3; ++axis) {
    row.direction = Vec3::Unit(axis);
    closing[axis] = approach_of(model, row, reach, workspace);
  }
  return closing.squaredNorm() > 0 ? Vec3(closing.normalized()) : own;
}

}  // namespace

void StandingRows::pose_spring(const Model& model, Spring& spring, double h, const Linearisation& at,
                               const DynamicsWorkspace& workspace, ConstraintRow& row, Block& block) const {
  const Constraint& constraint = model.constraints()[static_cast<std::size_t>(spring.constraint)];
  PointSpring here = point_spring(constraint, workspace);
  const double phi = at.weights == nullptr ? 1 : at.weights->of_constraint(static_cast<std::size_t>(spring.constraint));
  const double gain = h * phi * constraint.damping + h * h * phi * phi * constraint.stiffness;
  const double sign = constraint.side == SpringSide::push ? -1 : 1;
  // Points that meet where the step is linearised have the line on which they met.
  if (here.length == 0) here.row.direction = sign * line_of_meeting(model, here.row, at.reach, workspace);
  double start = here.length + h * sign * approach_of(model, here.row, at.reach, workspace);
  if (start < 0) {  // they have passed one another on the way: the line is that of the start
    here.row.direction *= -1;
    start = -start;
  }
  row = here.row;
  row.compliance = spring.compliance = 1 / gain;
  spring.damping = h * constraint.damping;
  spring.weight = phi;
  const double closing = phi == 1 ? 0 : approach_of(model, here.row, at.start, workspace);  // at the step's start
  const double stretch = sign * (start - constraint.length) - h * (phi - phi * phi) * closing;
  block.offset = -(h * constraint.stiffness * stretch - h * constraint.damping * (1 - phi) * closing) / gain;
  const bool one_sided = constraint.side != SpringSide::both;
  block.kind = one_sided ? BlockKind::bounded : BlockKind::bilateral;
  if (one_sided) block.upper = std::numeric_limits<double>::infinity();
}

void StandingRows::pose_constraints(const Model& model, double h, const Linearisation& at,
                                    const DynamicsWorkspace& workspace, std::vector<Block>& blocks) {
  constraint_equations(model, at.q, at.end, ConstraintLevel::velocity, workspace, equations_);
  mean_ = at.weights != nullptr;
  if (mean_) constraint_equations(model, at.q, at.end - h, ConstraintLevel::velocity, workspace, equations_start_);
  rates_.clear();
  for (std::size_t i = 0; i < equations_.rates.size(); ++i) {
    const double end = equations_.rates[i];
    Block block;
    block.kind = BlockKind::bilateral;
    block.row = static_cast<int>(i);
    block.offset = -end;
    if (mean_) {
      const double both = end + equations_start_.rates[i];
      block.offset = -both;
      rates_.push_back(0.5 * both);
    } else {
      rates_.push_back(end);
    }
    blocks.push_back(block);
  }
}

void StandingRows::hold_mean(const double* u_start, std::vector<Block>& blocks) const {
  for (int i = 0; i < constraints_; ++i) blocks[static_cast<std::size_t>(i)].offset += u_start[i];
}

void StandingRows::pose(const Model& model, double h, const Linearisation& at, const DynamicsWorkspace& workspace,
                        std::vector<ConstraintRow>& rows, std::vector<Block>& blocks) {
  blocks.clear();
  pose_constraints(model, h, at, workspace, blocks);
  rows.assign(equations_.rows.begin(), equations_.rows.end());
  const auto add = [&](const Block& block) {
    blocks.push_back(block);
    blocks.back().row = static_cast<int>(blocks.size()) - 1;
  };
  for (const Friction& friction : frictions_) {
    ConstraintRow row;
    row.coordinate = friction.coordinate;
    rows.push_back(row);
    Block block;
    block.kind = BlockKind::bounded;
    block.upper = h * friction.bound;
    block.lower = -block.upper;
    add(block);
  }
  for (std::size_t i = 0; i < servos_.size(); ++i) {
    const Drive& servo = model.drives()[servos_[i]];
    ConstraintRow row = coordinate_row(model.drive_terms(servos_[i]));
    const double q_start = driven_position(model, servo, at.q) - h * row.sum(at.reach);
    Block block;
    const double weight = at.weights == nullptr ? 1 : at.weights->of_drive(servos_[i]);
    pose_servo(servo, {q_start, weight == 1 ? 0 : row.sum(at.start)}, h, at.end, weight, row, block);
    compliance_[i] = row.compliance;
    rows.push_back(row);
    add(block);
  }
  for (Spring& spring : springs_) {
    Block block;
    pose_spring(model, spring, h, at, workspace, rows.emplace_back(), block);
    add(block);
  }
}

StandingWork StandingRows::work(const std::function<double(int first, int count)>& own, const double* u_plus,
                                const double* u_start, const double* impulse) const {
  StandingWork sum;
  const int frictions = static_cast<int>(frictions_.size()), frictions_end = constraints_ + frictions;
  for (int i = 0; i < constraints_; ++i) {
    if (mean_) {  // whose velocity is the rate: constraints take nothing
      sum.drives += rate(i) * impulse[i];
      continue;
    }
    const double driven = rate(i) == 0 ? 0.0 : 0.5 * (rate(i) + u_start[i]) * impulse[i];
    sum.drives += driven;
    sum.constraints += (u_plus[i] - rate(i)) * impulse[i];
    sum.opposed_work += 0.5 * (u_plus[i] + u_start[i]) * impulse[i] - driven;
  }
  for (int i = constraints_; i < frictions_end; ++i) {
    sum.friction += u_plus[i] * impulse[i];
    sum.opposed_work += 0.5 * (u_plus[i] + u_start[i]) * impulse[i];
  }
  const int servos_end = frictions_end + static_cast<int>(servos_.size());
  for (int i = servos_end; i < count(); ++i) {
    const double end = u_plus[i] - spring(i)->compliance * impulse[i];  // rate at which its points come closer
    const double rate = spring(i)->weight == 1 ? end : u_start[i] + spring(i)->weight * (end - u_start[i]);
    sum.damping += spring(i)->damping * rate * rate;
  }
  for (int i = frictions_end; i < servos_end; ++i) {
    const double end = u_plus[i] - compliance_[i - frictions_end] * impulse[i];  // the joint's own rate
    sum.drives += 0.5 * (end + u_start[i]) * impulse[i];
  }
  if (!mean_) sum.constraints -= own(0, constraints_);
  sum.friction -= own(constraints_, frictions);
  sum.opposed_work -= sum.constraints + sum.friction;
  return sum;
}

}  // namespace carom
