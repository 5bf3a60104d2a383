#include "carom/stepper/event_driven/constrained_motion.h"

#include <algorithm>
#include <cmath>

#include "carom/dynamics/recursions.h"
#include "carom/dynamics/row_velocity.h"
#include "carom/stepper/event_driven/cone_room.h"
#include "carom/stepper/overlap_projection.h"

namespace carom {
namespace {

constexpr double bears_nothing = 1e-2;   // of the weight: margins are relative to no less
constexpr double difference_way = 1e-5;  // of the extent, and rad: how far J̇ v is differenced
constexpr double slowest = 1e-3;         // times the step: rates of what counts as at rest

/// s = M u / ‖M u‖ of a slip u.
Eigen::Vector2d scaled_slip(const Block& block, const Eigen::Vector2d& u) {
  const Eigen::Vector2d scaled = block.friction.cwiseProduct(u);
  const double size = scaled.norm();
  return size > 0 ? Eigen::Vector2d(scaled / size) : Eigen::Vector2d::Zero();
}

}  // namespace

ConstrainedMotion::ConstrainedMotion(const Model& model, const Method& method)
    : size_(model), mass_(model, method.dynamics), forces_(model), finder_(model), workspace_(model), beside_(model) {
  rest_problem_.count_rungs(method.rungs);
  for (VectorX* vector : {&no_augmentation_, &zero_, &tau_, &bias_, &free_, &moved_})
    vector->setZero(model.velocity_count());
  q_beside_.setZero(model.position_count());
  gravity_ = model.gravity().norm();
  least_rate_ = slowest / method.step;
  std::vector<double> of_root(static_cast<std::size_t>(model.body_count()), 0.0);
  for (int body = 0; body < model.body_count(); ++body) of_root[model.root(body)] += model.bodies()[body].inertia.mass;
  for (int body = 0; body < model.body_count(); ++body) tree_mass_.push_back(of_root[model.root(body)]);
  for (const Joint& joint : model.joints()) {
    for (int k = 0; k < joint.friction.size(); ++k) {
      if (joint.friction[k] > 0) frictions_.push_back({joint.v_index + k, joint.friction[k]});
    }
  }
}

void ConstrainedMotion::begin(const std::vector<Contact>& contacts, const std::vector<ContactId>& slid, double rest,
                              double moving, double instant) {
  rest_ = rest;
  moving_ = moving;
  instant_ = instant;
  acceleration_ = 0;
  contacts_.clear();
  for (const Contact& contact : contacts) {
    PersistingContact persisting;
    persisting.contact = contact;
    persisting.slid = std::find(slid.begin(), slid.end(), contact.id) != slid.end();
    contacts_.push_back(persisting);
  }
}

void ConstrainedMotion::leave_slip(int body_a, int body_b, double slip) {
  for (PersistingContact& persisting : contacts_) {
    const Contact& contact = persisting.contact;
    if (contact.body_a == body_a && contact.body_b == body_b) persisting.left = std::max(persisting.left, slip);
  }
}

void ConstrainedMotion::let_rest(const ContactId& id) {
  for (PersistingContact& contact : contacts_) contact.slides = contact.slides && contact.contact.id != id;
}

/// Rows at q of the constraints, of joints that friction holds, and of the contacts. Leaves their kinematics in the
/// workspace. keep_tangents: with the tangent directions that the contacts have already.
void ConstrainedMotion::gather_rows(const Model& model, double time, const VectorX& q, const VectorX& v,
                                    DynamicsWorkspace& workspace, bool keep_tangents,
                                    std::vector<ConstraintRow>& rows) {
  forward_kinematics(model, q, workspace);
  forward_velocity(model, q, v, workspace);
  constraint_equations(model, q, time, ConstraintLevel::velocity, workspace, equations_);
  rows.assign(equations_.rows.begin(), equations_.rows.end());
  for (const JointFriction& friction : frictions_) {
    if (friction.direction != 0) continue;
    ConstraintRow row;
    row.coordinate = friction.coordinate;
    rows.push_back(row);
  }
  for (PersistingContact& persisting : contacts_) {
    Contact contact = persisting.contact;
    const bool there = finder_.evaluate(model, contact.id, q, workspace.X_WB, contact);
    if (keep_tangents) {
      contact.R_WC.leftCols<2>() = persisting.contact.R_WC.leftCols<2>();
    } else {
      persisting.contact = contact;
      persisting.is_gone = !there;
    }
    append_rows(contact, rows);
  }
}

/// b += J̇ v − the rate of what is prescribed.
void ConstrainedMotion::add_bias(const Model& model, double time, const VectorX& q, const VectorX& v) {
  const double h = difference_way / std::max(least_rate_, size_.fastest(v) / size_.extent());
  for (const double side : {1.0, -1.0}) {
    integrate(model, q, v, side * h, q_beside_);
    gather_rows(model, time + side * h, q_beside_, v, beside_, true, rows_beside_);
    for (std::size_t i = 0; i < rows_beside_.size(); ++i) {
      double velocity = row_velocity(rows_beside_[i], v, beside_);
      if (i < equations_.rates.size()) velocity -= equations_.rates[i];
      b_[static_cast<Eigen::Index>(i)] += side * velocity / (2 * h);
    }
  }
}

/// A, b and the velocities u of all rows.
void ConstrainedMotion::pose(const Model& model, double time, const VectorX& q, const VectorX& v,
                             const VectorX& controlled) {
  velocity_ = v;
  gather_rows(model, time, q, v, workspace_, false, rows_);
  power_ = forces_.gather(model, time, q, v, controlled, workspace_, tau_);
  inverse_dynamics(model, zero_, workspace_, bias_);
  tau_ -= bias_;
  for (JointFriction& friction : frictions_) {
    friction.force = -friction.bound * friction.direction;
    tau_[friction.coordinate] += friction.force;
  }
  mass_.factor(model, no_augmentation_, workspace_);
  mass_.solve(model, tau_, workspace_, free_);
  blocks_.clear();
  u_.resize(static_cast<Eigen::Index>(rows_.size()));
  b_.resize(u_.size());
  if (rows_.empty()) return;
  mass_.build(model, rows_, workspace_);
  mass_.apply(v, u_);
  mass_.apply(free_, b_);
  int row = 0;
  rates_ = equations_.rates;  // at this time, not beside it
  for (const JointFriction& friction : frictions_) {
    if (friction.direction == 0) rates_.push_back(0);
  }
  for (std::size_t i = 0; i < rates_.size(); ++i) {
    Block block;
    block.kind = BlockKind::bilateral;
    block.row = row++;
    blocks_.push_back(block);
  }
  for (const PersistingContact& contact : contacts_) {
    Block block;
    block.kind = contact.contact.kind();
    block.row = row;
    const ContactMaterial& surface = contact.contact.surface;
    block.friction = contact.slides ? surface.friction : surface.static_friction;
    blocks_.push_back(block);
    row += block.size();
  }
  add_bias(model, time, q, v);
  drop_round_off();
}

/// Drops rows of constraints that move nothing but for round-off, as those across the plane of a planar loop in flight.
/// Scaled to the size of the others, they would contradict them.
void ConstrainedMotion::drop_round_off() {
  constexpr double round_off_row = 1e-13;
  A_ = mass_.delassus();
  const double least = round_off_row * A_.diagonal().maxCoeff();
  for (std::size_t i = 0; i < standing(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    if (A_(row, row) > least) continue;
    A_.row(row).setZero();
    A_.col(row).setZero();
    b_[row] = 0;
  }
}

BlockLabel ConstrainedMotion::label_of(const PersistingContact& contact, const Block& block) const {
  BlockLabel label;
  if (!contact.slides || !rubs(block)) return label;
  const Eigen::Vector2d u = u_.segment<2>(block.row);
  const Eigen::Vector2d along = contact.contact.R_WC.leftCols<2>().transpose() * contact.slip;
  label.tangent = TangentState::sliding;
  // Stages of a step beyond the end of a slip see it reversed. Friction goes on there as before, so that the step is
  // smooth and its end is found where it is. A slip that turns by less has turned on its way. A slip that counts as
  // none has no direction of its own, on either side of the end.
  const bool ended = u.dot(along) < -0.7 * u.norm();
  label.slip = scaled_slip(block, u.norm() <= std::max(rest_, contact.left) ? along : ended ? Eigen::Vector2d(-u) : u);
  return label;
}

/// Force by which the weight of the heavier of both trees could press the contact, N: kinetic metric.
double ConstrainedMotion::weight_on(const Contact& contact, double mobility) const {
  double mass = 0;
  for (const int body : {contact.body_a, contact.body_b}) {
    if (body >= 0) mass = std::max(mass, tree_mass_[static_cast<std::size_t>(body)]);
  }
  return mobility > 0 ? gravity_ * std::sqrt(mass / mobility) : 0;
}

/// Forces, velocities and margins from the system's solution; completes the acceleration.
void ConstrainedMotion::keep_forces(VectorX& vdot) {
  vdot = free_;
  mass_.add_response(system_.impulse(), vdot);
  find_bearing();
  const VectorX& f = bearing_;
  const std::size_t contacts_from = standing();
  const std::size_t constraints = contacts_from - held_joints();
  constraint_power_ = prescribed_power_ = friction_power_ = 0;
  for (std::size_t i = 0; i < constraints; ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    prescribed_power_ += rates_[i] * f[row];
    constraint_power_ += (u_[row] - rates_[i]) * f[row];
  }
  auto held = static_cast<Eigen::Index>(constraints);
  for (JointFriction& friction : frictions_) {
    if (friction.direction == 0) friction.force = f[held++];
    friction_power_ += friction.force * velocity_[friction.coordinate];
  }
  const double largest = f.size() == 0 ? 0 : f.cwiseAbs().maxCoeff();
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Block& block = blocks_[contacts_from + i];
    PersistingContact& contact = contacts_[i];
    contact.force = contact.velocity = Vec3::Zero();
    contact.force[2] = f[block.normal_row()];
    contact.velocity[2] = u_[block.normal_row()];
    if (block.kind == BlockKind::cone) {
      contact.force.head<2>() = f.segment<2>(block.row);
      contact.velocity.head<2>() = u_.segment<2>(block.row);
    }
    // A contact that bears nothing, as a joint at its limit in free fall, has forces of round-off, which end no mode.
    const double least = bears_nothing * weight_on(contact.contact, A_(block.normal_row(), block.normal_row()));
    const double size = std::max(largest, least), scale = size > 0 ? 1 / size : 1;
    contact.margin = scale * contact.force[2];
    if (rubs(block) && !contact.slides) {
      contact.margin = std::min(contact.margin, scale * room_in_cone(block, contact.force));
    }
  }
}

void ConstrainedMotion::accelerate(const Model& model, double time, const VectorX& q, const VectorX& v,
                                   const VectorX& controlled, VectorX& vdot) {
  pose(model, time, q, v, controlled);
  if (rows_.empty()) {
    vdot = free_;
    constraint_power_ = prescribed_power_ = friction_power_ = 0;
    for (const JointFriction& friction : frictions_) friction_power_ += friction.force * v[friction.coordinate];
    return;
  }
  labels_.assign(blocks_.size(), BlockLabel());
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    labels_[standing() + i] = label_of(contacts_[i], blocks_[standing() + i]);
  }
  system_.bind(A_, b_, blocks_);
  system_.set_labels(labels_);
  system_.solve();
  keep_forces(vdot);
}

void ConstrainedMotion::add_loads(const Model& model, const StepLoads& loads, double time, const VectorX& q,
                                  const VectorX& v, const VectorX& controlled, VectorX& impulses) const {
  if (!rows_.empty()) {
    loads.add_standing_rows(model, rows_, {bearing_.data(), rows_.size()}, standing() - held_joints(), workspace_.X_WB,
                            impulses);
  }
  for (const JointFriction& friction : frictions_) {
    loads.add_torque(TorqueSource::friction, friction.coordinate, friction.force, impulses);
  }
  loads.add_applied(model, time, 1, controlled, workspace_, impulses);
  loads.add_explicit(model, time, 1, q, v, workspace_, impulses);
}

void ConstrainedMotion::tell_forces(const VectorX& forces, StageEvidence& stage) const {
  const auto force = [&](std::size_t row) { return forces[static_cast<Eigen::Index>(row)]; };
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    stage.rows.push_back(rows_[i]);
    stage.impulse.push_back(force(i));
  }
  for (const JointFriction& friction : frictions_) {
    if (friction.direction == 0) continue;
    stage.rows.emplace_back().coordinate = friction.coordinate;
    stage.impulse.push_back(friction.force);
  }
}

void ConstrainedMotion::tell(StepEvidence& evidence) const {
  StageEvidence stage;
  tell_forces(bearing_, stage);
  evidence.rows = stage.rows;
  evidence.impulse = stage.impulse;
  evidence.blocks = blocks_;
  evidence.modes.assign(blocks_.size(), {});
  // Joints that friction holds come after the constraints, those that move against it after everything.
  std::size_t held = standing() - held_joints(), moving = rows_.size();
  for (const JointFriction& friction : frictions_) {
    Block block;
    block.kind = BlockKind::bounded;
    block.lower = -friction.bound;
    block.upper = friction.bound;
    block.row = static_cast<int>(friction.direction == 0 ? held : moving);
    BlockMode mode;
    mode.rest = rest_ / size_.as_speed(friction.coordinate);
    if (friction.direction == 0) {
      evidence.blocks[held] = block;
      evidence.modes[held++] = mode;
    } else {
      mode.moves = true;
      evidence.blocks.push_back(block);
      evidence.modes.push_back(mode);
      ++moving;
    }
  }
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const PersistingContact& contact = contacts_[i];
    BlockMode& mode = evidence.modes[standing() + i];
    mode.id = contact.contact.id;
    mode.R_WC = contact.contact.R_WC;
    mode.rest = std::max(rest_, contact.left);
    if (contact.slides) mode.slip = contact.slip;
  }
}

double ConstrainedMotion::contact_power() const {
  double sum = 0;
  for (const PersistingContact& contact : contacts_) sum += contact.force.dot(contact.velocity);
  return sum;
}

/// The largest error of rows_ over its size.
double ConstrainedMotion::worst_by_size(double reach) const {
  double worst = 0;
  for (std::size_t i = 0; i < rows_.size(); ++i)
    worst = std::max(worst, std::abs(error_[static_cast<Eigen::Index>(i)]) / size_.told(rows_[i], reach));
  return worst;
}

/// Gaps of contacts, and constraints that a position can violate, by Gauss and Newton's steps.
double ConstrainedMotion::project_position(const Model& model, double time, VectorX& q, VectorX& v) {
  constexpr double round_off = 1e-13;  // of what places can tell apart
  const double reach = size_.reach(model, q);
  double first = 0;
  for (int iteration = 0; iteration < 4; ++iteration) {
    gather_rows(model, time, q, v, workspace_, false, rows_);
    constraint_equations(model, q, time, ConstraintLevel::position, workspace_, equations_);
    rows_.assign(equations_.rows.begin(), equations_.rows.end());
    error_.resize(static_cast<Eigen::Index>(rows_.size() + contacts_.size()));
    for (std::size_t i = 0; i < rows_.size(); ++i) error_[static_cast<Eigen::Index>(i)] = -equations_.errors[i];
    auto row = static_cast<Eigen::Index>(rows_.size());
    for (const PersistingContact& contact : contacts_) {
      rows_beside_.clear();
      append_rows(contact.contact, rows_beside_);
      rows_.push_back(rows_beside_.back());
      error_[row++] = -contact.contact.gap;
    }
    if (worst_by_size(reach) <= round_off) break;
    mass_.factor(model, no_augmentation_, workspace_);
    mass_.build(model, rows_, workspace_);
    row -= static_cast<Eigen::Index>(contacts_.size());
    for (const PersistingContact& contact : contacts_) {
      if (!can_be_parted(model, contact.contact, mass_.diagonal(static_cast<int>(row)))) error_[row] = 0;
      ++row;
    }
    const double movable = error_.cwiseAbs().maxCoeff();
    if (iteration == 0) first = movable;
    if (worst_by_size(reach) <= round_off) break;
    multipliers_.reserve(static_cast<int>(rows_.size()));
    multipliers_.factor(mass_.delassus());
    multipliers_.solve(error_, error_);
    moved_.setZero();
    mass_.add_response(error_, moved_);
    q_beside_ = q;
    integrate(model, q_beside_, moved_, 1, q);
    transport_velocity(model, q_beside_, q, v, v);
  }
  return first;
}

/// Normal velocities of contacts and the constraints'; what rolls does not slip, and what friction holds does not move.
/// False, and nothing done, if a contact is faster than `jump`.
bool ConstrainedMotion::project_velocity(const Model& model, double time, const VectorX& q, double jump, VectorX& v) {
  gather_rows(model, time, q, v, workspace_, false, rows_);
  constraint_equations(model, q, time, ConstraintLevel::velocity, workspace_, equations_);
  rows_.assign(equations_.rows.begin(), equations_.rows.end());
  for (const JointFriction& friction : frictions_) {
    if (friction.direction != 0) continue;
    rows_.emplace_back();
    rows_.back().coordinate = friction.coordinate;
  }
  const auto of_contacts = static_cast<Eigen::Index>(rows_.size());
  for (const PersistingContact& contact : contacts_) {
    rows_beside_.clear();
    append_rows(contact.contact, rows_beside_);
    for (std::size_t axis = 0; axis < rows_beside_.size(); ++axis) {
      const bool normal = axis + 1 == rows_beside_.size();
      const bool rolls = !normal && !contact.slides && contact.contact.surface.friction[static_cast<int>(axis)] > 0;
      if (normal || rolls) rows_.push_back(rows_beside_[axis]);
    }
  }
  if (rows_.empty()) return true;
  mass_.factor(model, no_augmentation_, workspace_);
  mass_.build(model, rows_, workspace_);
  error_.resize(static_cast<Eigen::Index>(rows_.size()));
  mass_.apply(v, error_);
  const Eigen::Index contact_rows = error_.size() - of_contacts;
  for (Eigen::Index i = contact_rows > 0 ? error_.size() - contact_rows : error_.size(); i < error_.size(); ++i) {
    if (std::abs(error_[i]) * size_.as_speed(rows_[static_cast<std::size_t>(i)]) > jump) return false;
  }
  for (std::size_t i = 0; i < equations_.rates.size(); ++i) error_[static_cast<Eigen::Index>(i)] -= equations_.rates[i];
  error_ = -error_;
  multipliers_.reserve(static_cast<int>(rows_.size()));
  multipliers_.factor(mass_.delassus());
  multipliers_.solve(error_, error_);
  mass_.add_response(error_, v);
  return true;
}

ConstrainedMotion::Projected ConstrainedMotion::project(const Model& model, double time, VectorX& q, VectorX& v,
                                                        double jump) {
  if (contacts_.empty() && model.constraints().empty() && frictions_.empty()) return {};
  const double violation = project_position(model, time, q, v);
  const bool stands = project_velocity(model, time, q, jump, v);
  return {violation, !stands};
}

}  // namespace carom
