// Which contacts and joints rest, roll, slide and open: the complementarity problem at the start of a phase.
#include <algorithm>
#include <cmath>

#include "carom/stepper/event_driven/cone_room.h"
#include "carom/stepper/event_driven/constrained_motion.h"

namespace carom {
namespace {

constexpr double beyond = 1e-9;  // of the largest force: outside a cone or a bound
// Shares of the largest acceleration without contact forces that count as none where modes are chosen, and while they
// are kept. The second is larger, so that what ends a phase is seen by the choice that follows.
constexpr double at_rest = 1e-8, still_at_rest = 1e-7;

}  // namespace

std::size_t ConstrainedMotion::held_joints() const {
  return static_cast<std::size_t>(
      std::count_if(frictions_.begin(), frictions_.end(), [](const JointFriction& f) { return f.direction == 0; }));
}

/// All labels, where pruning found none that hold.
bool ConstrainedMotion::search() {
  constexpr int directions = 8;
  constexpr std::size_t most_contacts = 10;
  if (contacts_.size() > most_contacts) return false;
  labels_.assign(system_.labels().begin(), system_.labels().end());
  list_choices(blocks_, start_, labels_, directions, choices_);
  const SearchResult result = search_.search(system_, rule_, choices_, {{}, 20000});
  if (result.found) return true;
  system_.set_labels(labels_);
  rule_.solve(system_);
  return false;
}

/// Finds which joints with dry friction move already, and which way. True if that has changed.
bool ConstrainedMotion::find_moving_joints(const VectorX& v) {
  bool news = false;
  for (JointFriction& friction : frictions_) {
    const double rate = v[friction.coordinate];
    const int direction = std::abs(rate) * size_.as_speed(friction.coordinate) <= rest_ ? 0 : rate > 0 ? 1 : -1;
    news = news || direction != friction.direction;
    friction.direction = direction;
  }
  return news;
}

/// Which contacts slide already. Friction of those is sliding friction.
void ConstrainedMotion::find_sliding() {
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    Block& block = blocks_[standing() + i];
    if (!rubs(block)) continue;
    const Eigen::Vector2d u = u_.segment<2>(block.row);
    const double rest = std::max((contacts_[i].slid ? moving_ : 1) * rest_, contacts_[i].left);
    if (!(u.norm() > rest)) continue;
    contacts_[i].slides = true;
    contacts_[i].slip = (contacts_[i].contact.R_WC.leftCols<2>() * u).normalized();
    block.friction = contacts_[i].contact.surface.friction;
  }
}

/// The active set for the modes that are known, by pruning.
LabelStatus ConstrainedMotion::prune() {
  start_.assign(blocks_.size(), BlockLabel());
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    start_[standing() + i] = label_of(contacts_[i], blocks_[standing() + i]);
  }
  system_.bind(A_, b_, blocks_);
  system_.set_labels(start_);
  rule_.reserve(static_cast<int>(blocks_.size()), static_cast<int>(b_.size()));
  rule_.set_speed(b_.cwiseAbs().maxCoeff());
  return prune_active_set(system_, rule_, {{1e-8, 1e-9, 1e-8}, 1e-6}).status;
}

/// The same, and by search where pruning found none that hold: admissible, or how pruning ended.
LabelStatus ConstrainedMotion::choose_labels() {
  const LabelStatus pruned = prune();
  return pruned == LabelStatus::admissible || search() ? LabelStatus::admissible : pruned;
}

/// Sets the modes of contacts that begin to slip, and their sliding friction in place of static. True if friction
/// changed.
bool ConstrainedMotion::loosen() {
  const auto a = system_.velocity();
  bool weaker = false;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    Block& block = blocks_[standing() + i];
    const BlockLabel& label = system_.labels()[standing() + i];
    PersistingContact& contact = contacts_[i];
    if (label.normal != NormalState::active || !rubs(block) || contact.slides) continue;
    if (label.tangent == TangentState::rolling) continue;
    contact.slides = true;
    // s is M u / ‖M u‖, so u goes along M⁻¹ s; an axis without friction slips by its own acceleration.
    Eigen::Vector2d u = a.segment<2>(block.row);
    for (int axis = 0; axis < 2; ++axis) {
      if (block.friction[axis] > 0) u[axis] = label.slip[axis] / block.friction[axis];
    }
    contact.slip = contact.contact.R_WC.leftCols<2>() * u.normalized();
    weaker = weaker || block.friction != contact.contact.surface.friction;
    block.friction = contact.contact.surface.friction;
  }
  return weaker;
}

/// Joints that friction cannot hold begin to move against it; so do those that other rows move all the same (a motion
/// that is prescribed). True if there are any.
bool ConstrainedMotion::loosen_joints() {
  auto held = static_cast<Eigen::Index>(standing() - held_joints());
  const double none = at_rest * b_.cwiseAbs().maxCoeff();
  bool any = false;
  for (JointFriction& friction : frictions_) {
    if (friction.direction != 0) continue;
    const double needed = system_.impulse()[held], left = system_.velocity()[held];
    ++held;
    if (std::abs(left) > none) {
      friction.direction = left > 0 ? 1 : -1;
    } else if (std::abs(needed) > friction.bound * (1 + beyond)) {
      friction.direction = needed > 0 ? -1 : 1;
    }
    any = any || friction.direction != 0;
  }
  return any;
}

/// True if all that does not move yet, contacts with friction and joints that it holds, stays so by the forces of the
/// last solution.
bool ConstrainedMotion::all_rests() const {
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    if (contacts_[i].slides || !rubs(blocks_[standing() + i])) continue;
    const BlockLabel& label = system_.labels()[standing() + i];
    if (label.normal != NormalState::active || label.tangent != TangentState::rolling) return false;
  }
  const double none = at_rest * b_.cwiseAbs().maxCoeff();
  auto held = static_cast<Eigen::Index>(standing() - held_joints());
  for (const JointFriction& friction : frictions_) {
    if (friction.direction != 0) continue;
    if (std::abs(system_.impulse()[held]) > friction.bound * (1 + beyond)) return false;
    if (std::abs(system_.velocity()[held]) > none) return false;
    ++held;
  }
  return true;
}

/// Constraints, joints that friction holds, and contacts as blocks of rest_problem_. Contacts that slide are unknown
/// too, or keep the forces of bearing_.
void ConstrainedMotion::pose_rest(bool with_sliding) {
  rest_problem_.begin(A_, b_);
  const std::size_t constraints = standing() - held_joints();
  for (std::size_t i = 0; i < constraints; ++i) rest_problem_.add(blocks_[i]);
  std::size_t held = constraints;
  for (const JointFriction& friction : frictions_) {
    if (friction.direction != 0) continue;
    Block block = blocks_[held++];
    block.kind = BlockKind::bounded;
    block.lower = -friction.bound;
    block.upper = friction.bound;
    rest_problem_.add(block);
  }
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Block& block = blocks_[standing() + i];
    if (opens_[i] != 0) continue;
    if (!contacts_[i].slides) {
      rest_problem_.add(block);
    } else if (with_sliding) {
      rest_problem_.add_sliding(block, label_of(contacts_[i], block).slip);
    }
  }
}

/// True if bearing_ keeps all that rests within its cone or bound.
bool ConstrainedMotion::bears() const {
  const double least = -beyond * (bearing_.size() == 0 ? 0 : bearing_.cwiseAbs().maxCoeff());
  auto held = static_cast<Eigen::Index>(standing() - held_joints());
  for (const JointFriction& friction : frictions_) {
    if (friction.direction == 0 && std::abs(bearing_[held++]) > friction.bound * (1 + beyond)) return false;
  }
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Block& block = blocks_[standing() + i];
    if (contacts_[i].slides || opens_[i] != 0) continue;
    if (bearing_[block.normal_row()] < least) return false;
    if (rubs(block) && room_in_cone(block, bearing_.segment<3>(block.row)) < least) return false;
  }
  return true;
}

/// Sets bearing_ to the forces of the last solution. If their least norm leaves a cone or a bound of what rests, finds
/// others that do not. These accelerate the mechanism alike, and acting_ does so to round-off. False if there are none.
bool ConstrainedMotion::find_bearing() {
  acting_ = bearing_ = system_.impulse();
  if (bears()) return true;
  pose_rest(false);
  shared_ = bearing_;
  if (rest_problem_.solve(shared_, accelerations_) != SolveStatus::solved) return false;
  const double moved = (accelerations_ - system_.velocity()).cwiseAbs().maxCoeff();
  if (moved > still_at_rest * b_.cwiseAbs().maxCoeff()) return false;
  // To round-off alike, unless that leaves a cone or a bound at whose border they are: friction that is used up, or a
  // contact that is about to open.
  bearing_ = shared_;
  rest_problem_.match(system_.velocity(), bearing_);
  acting_ = bearing_;
  if (!bears()) bearing_ = shared_;
  return true;
}

/// Forces and accelerations of all that rests or slides, at once; where static friction is overcome, again with the
/// friction of sliding. The modes that follow. False if no forces are found.
bool ConstrainedMotion::find_rest() {
  const double none = at_rest * b_.cwiseAbs().maxCoeff();
  opens_.assign(contacts_.size(), 0);
  for (bool weaker = true; weaker;) {
    bearing_.setZero(b_.size());
    pose_rest(true);
    if (rest_problem_.solve(bearing_, accelerations_) != SolveStatus::solved) return false;
    weaker = false;
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      Block& block = blocks_[standing() + i];
      const Vec2& sliding = contacts_[i].contact.surface.friction;
      if (contacts_[i].slides || !rubs(block) || block.friction == sliding) continue;
      if (accelerations_.segment<2>(block.row).norm() <= none) continue;
      block.friction = sliding;
      weaker = true;
    }
  }
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Block& block = blocks_[standing() + i];
    PersistingContact& contact = contacts_[i];
    opens_[i] = accelerations_[block.normal_row()] > none ? 1 : 0;
    if (opens_[i] != 0 || contact.slides || !rubs(block)) continue;
    const Vec2 a = accelerations_.segment<2>(block.row);
    contact.slides = a.norm() > none;
    if (contact.slides) contact.slip = contact.contact.R_WC.leftCols<2>() * a.normalized();
  }
  auto held = static_cast<Eigen::Index>(standing() - held_joints());
  for (JointFriction& friction : frictions_) {
    if (friction.direction != 0) continue;
    const double a = accelerations_[held++];
    if (std::abs(a) > none) friction.direction = a > 0 ? 1 : -1;
  }
  return true;
}

/// Modes in which as much rests as any distribution of forces can hold (RestProblem). False, and nothing changed, if
/// none are found, or if least-norm forces of what slides do not do in them.
bool ConstrainedMotion::settle(const Model& model, double time, const VectorX& q, const VectorX& v,
                               const VectorX& controlled) {
  const std::vector<PersistingContact> contacts = contacts_;
  const std::vector<JointFriction> frictions = frictions_;
  bool settled = find_rest();
  if (settled) {
    pose(model, time, q, v, controlled);
    if (rows_.empty()) return true;  // a joint that was held, and nothing else
    labels_.assign(blocks_.size(), BlockLabel());
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      BlockLabel& label = labels_[standing() + i];
      label = label_of(contacts_[i], blocks_[standing() + i]);
      if (opens_[i] != 0) label.normal = NormalState::open;
    }
    system_.bind(A_, b_, blocks_);
    system_.set_labels(labels_);
    system_.solve();
    const LabelViolation violation = system_.violation();
    settled = violation.residual <= at_rest && violation.approach <= at_rest && find_bearing() && slides_on();
  }
  if (settled) return true;
  contacts_ = contacts;
  frictions_ = frictions;
  opens_.assign(contacts_.size(), 0);
  pose(model, time, q, v, controlled);
  find_sliding();
  return false;
}

/// True if no contact that slides pulls.
bool ConstrainedMotion::slides_on() const {
  const double least = -beyond * (bearing_.size() == 0 ? 0 : bearing_.cwiseAbs().maxCoeff());
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    if (contacts_[i].slides && bearing_[blocks_[standing() + i].normal_row()] < least) return false;
  }
  return true;
}

/// Contact by contact and joint by joint, what least-norm forces do not hold begins to move.
LabelStatus ConstrainedMotion::loosen_in_turn(const Model& model, double time, const VectorX& q, const VectorX& v,
                                              const VectorX& controlled) {
  for (;;) {
    LabelStatus status = choose_labels();
    while (loosen()) status = choose_labels();
    if (!loosen_joints()) return status;
    for (PersistingContact& contact : contacts_) contact.slides = false;
    pose(model, time, q, v, controlled);
    if (rows_.empty()) return LabelStatus::admissible;
    find_sliding();
  }
}

ContactOutcome ConstrainedMotion::decide(const Model& model, double time, const VectorX& q, const VectorX& v,
                                         const VectorX& controlled, VectorX& vdot) {
  for (PersistingContact& contact : contacts_) contact.slides = false;
  for (JointFriction& friction : frictions_) friction.direction = 0;
  find_moving_joints(v);
  opens_.assign(contacts_.size(), 0);
  pose(model, time, q, v, controlled);
  acceleration_ = b_.size() == 0 ? 0 : b_.cwiseAbs().maxCoeff();
  rest_ = std::max(rest_, quickly_made());
  if (find_moving_joints(v)) pose(model, time, q, v, controlled);
  if (rows_.empty()) {
    accelerate(model, time, q, v, controlled, vdot);
    return ContactOutcome::found;
  }
  find_sliding();
  LabelStatus status = prune();
  if (status != LabelStatus::admissible || !all_rests()) {
    const bool settled = settle(model, time, q, v, controlled);
    status = settled ? LabelStatus::admissible : loosen_in_turn(model, time, q, v, controlled);
  }
  if (rows_.empty()) {
    accelerate(model, time, q, v, controlled, vdot);
    return ContactOutcome::found;
  }
  find_bearing();
  drop_open();
  keep_forces(vdot);
  if (status == LabelStatus::admissible) return ContactOutcome::found;
  return status == LabelStatus::inconsistent ? ContactOutcome::jammed : ContactOutcome::uncertain;
}

/// Takes the system found as the contacts' modes; those that open go.
void ConstrainedMotion::drop_open() {
  const std::size_t from = standing();
  std::size_t kept = 0;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    if (system_.labels()[from + i].normal != NormalState::active) continue;
    contacts_[kept] = contacts_[i];
    blocks_[from + kept++] = blocks_[from + i];
  }
  contacts_.resize(kept);
  blocks_.resize(from + kept);
  opens_.assign(kept, 0);
}

}  // namespace carom
