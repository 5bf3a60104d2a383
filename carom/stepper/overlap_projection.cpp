#include "carom/stepper/overlap_projection.h"

#include <algorithm>
#include <limits>

#include "carom/dynamics/recursions.h"

namespace carom {
namespace {

constexpr double deepest_allowed = 1e-11;  // of sizes
constexpr double least_mobility = 1e-4;
constexpr double longest_way = 20;  // of the overlap that it takes out
constexpr int most_rounds = 30;
constexpr int most_push_halvings = 8;

/// The body that a body is welded to, by however many fixed joints: itself if its own joint moves, −1 for the world.
int carrier(const Model& model, int body) {
  while (body >= 0 && velocity_size(model.joints()[body]) == 0) body = model.joints()[body].parent;
  return body;
}

/// Mass of a body and of all that is welded to it, kg.
double link_mass(const Model& model, int body) {
  const int own = carrier(model, body);
  double sum = 0;
  for (int other = 0; other < model.body_count(); ++other) {
    if (carrier(model, other) == own) sum += model.bodies()[other].inertia.mass;
  }
  return sum;
}

/// Mass of the lighter link that can move, kg.
double lighter_mass(const Model& model, const Contact& contact) {
  double least = std::numeric_limits<double>::infinity();
  for (const int body : {contact.body_a, contact.body_b}) {
    if (!model.is_static(body)) least = std::min(least, link_mass(model, body));
  }
  return least;
}

}  // namespace

bool can_be_parted(const Model& model, const Contact& contact, double mobility) {
  return !contact.id.is_surface() || mobility * lighter_mass(model, contact) >= least_mobility;
}

OverlapProjection::OverlapProjection(const Model& model, Allowance allowance)
    : allowance_(std::move(allowance)),
      size_(model),
      displacement_(VectorX::Zero(model.velocity_count())),
      part_(displacement_),
      trial_(VectorX::Zero(model.position_count())),
      no_augmentation_(displacement_) {
  for (const Constraint& constraint : model.constraints()) {
    constraint_rows_ += static_cast<std::size_t>(std::max(1, row_count(constraint.kind)));
  }
  held_.resize(static_cast<std::size_t>(model.body_count()));
  centers_.resize(held_.size());
  trials_.resize(held_.size());
  equations_.rows.reserve(constraint_rows_);
  equations_.errors.reserve(constraint_rows_);
  equations_.rates.reserve(constraint_rows_);
}

void OverlapProjection::reserve(const Model& model, std::size_t count, MassOperator& mass) {
  count += constraint_rows_;
  if (count <= capacity_) return;
  capacity_ = count;
  rows_.reserve(count + 2);  // a contact's tangent rows are appended before they are dropped
  blocks_.reserve(count);
  for (auto* buffer : {&zero_, &multiplier_, &moved_}) buffer->resize(count);
  const int rows = static_cast<int>(mass.takes_factors() ? std::min(count, most_dense_rows) : count);
  mass.reserve(model, rows);
  solver_.reserve(rows, {});
}

double OverlapProjection::gap(const Contact& contact) const {
  return contact.gap + (allowance_ && contact.id.is_surface() ? allowance_(contact.id) : 0);
}

/// A ratchet restricts velocities, not positions.
double OverlapProjection::overlap(const Contact& contact) const {
  return contact.id.is_ratchet() ? 0 : std::max(0.0, -gap(contact));
}

/// Sum over pairs of shapes, and over limits, of the deepest overlap.
double OverlapProjection::depth(const Model& model, const VectorX& q, DynamicsWorkspace& workspace,
                                ContactFinder& finder) const {
  forward_kinematics(model, q, workspace);
  double sum = 0, deepest = 0;
  const Contact* before = nullptr;
  for (const Contact& contact : finder.find(model, q, workspace.X_WB, 0)) {
    const bool same_pair = before != nullptr && before->id.is_surface() && contact.id.is_surface() &&
                           before->id.a == contact.id.a && before->id.b == contact.id.b;
    if (!same_pair) {
      sum += deepest;
      deepest = 0;
    }
    deepest = std::max(deepest, overlap(contact));
    before = &contact;
  }
  return sum + deepest;
}

/// Poses the rows of the constraints and of what lies within twice the deepest overlap. True if any overlap can be
/// moved.
bool OverlapProjection::pose(const Model& model, double time, const VectorX& q, DynamicsWorkspace& workspace,
                             MassOperator& mass, ContactFinder& finder) {
  const double reach = size_.reach(model, q);
  double deepest = 0, by_size = 0;
  for (const Contact& contact : finder.find(model, q, workspace.X_WB, 0)) {
    deepest = std::max(deepest, overlap(contact));
    by_size = std::max(by_size, overlap(contact) / size_.told(contact.id, reach));
  }
  if (by_size <= deepest_allowed) return false;
  const std::vector<Contact>& contacts = finder.find(model, q, workspace.X_WB, 2 * deepest);
  constraint_equations(model, q, time, ConstraintLevel::position, workspace, equations_);
  rows_ = equations_.rows;
  blocks_.clear();
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    blocks_.push_back({.kind = BlockKind::bilateral, .row = static_cast<int>(i)});
  }
  const std::size_t bilateral = rows_.size();
  for (const Contact& contact : contacts) {
    if (contact.id.is_ratchet()) continue;
    if (!(gap(contact) <= 2 * deepest)) continue;
    blocks_.push_back({.row = static_cast<int>(blocks_.size()), .offset = gap(contact)});
    append_rows(contact, rows_);
    if (!contact.id.is_surface()) continue;
    rows_[rows_.size() - 3] = rows_.back();  // the normal row alone
    rows_.resize(rows_.size() - 2);
  }
  reserve(model, rows_.size() - bilateral, mass);
  mass.factor(model, no_augmentation_, workspace);
  if (rows_.size() > most_dense_rows && mass.takes_factors()) {
    mass.build_factors(model, rows_, static_cast<int>(bilateral), workspace);
  } else {
    mass.build(model, rows_, workspace);
  }
  double movable = 0;
  std::size_t row = bilateral;
  for (const Contact& contact : contacts) {
    if (contact.id.is_ratchet() || !(gap(contact) <= 2 * deepest)) continue;
    Block& block = blocks_[row];
    const bool is_free =
        !is_held(model, contact) && can_be_parted(model, contact, mass.diagonal(static_cast<int>(row)));
    if (block.offset < 0 && !is_free) {
      block.offset = 0;
    } else {
      movable = std::max(movable, -block.offset / size_.told(contact.id, reach));
    }
    ++row;
  }
  return movable > deepest_allowed;
}

/// The displacement that takes the posed overlap out; false if there is none.
bool OverlapProjection::find_way(MassOperator& mass) {
  const auto k = static_cast<Eigen::Index>(rows_.size());
  Eigen::Map<VectorX> zero(zero_.data(), k), multiplier(multiplier_.data(), k), gap(moved_.data(), k);
  zero.setZero();
  const ContactProblem problem{mass.contact_operator(), zero, blocks_};
  ContactOptions options;
  options.stop = &stop_;
  options.rungs = rungs_;
  // One that stops short may serve as well: what matters is that overlap gets less.
  [[maybe_unused]] const ContactSolution solution = solver_.solve(problem, options, {}, multiplier, gap);
  if (!multiplier.allFinite()) return false;
  displacement_.setZero();
  mass.add_response(multiplier, displacement_);
  return displacement_.allFinite() && !displacement_.isZero(0);
}

void OverlapProjection::place_centers(const Model& model, const DynamicsWorkspace& workspace,
                                      std::vector<Vec3>& centers) const {
  for (int body = 0; body < model.body_count(); ++body) {
    centers[static_cast<std::size_t>(body)] = workspace.X_WB[body] * model.bodies()[body].inertia.center;
  }
}

/// Marks the mechanisms that a way throws. A contact that its joints hardly let part has a long lever; so have several
/// together that each could be parted alone. True if any mechanism is marked that was not before.
bool OverlapProjection::hold_what_is_thrown(const Model& model, double taken_out) {
  bool found = false;
  for (int body = 0; body < model.body_count(); ++body) {
    const auto i = static_cast<std::size_t>(body);
    char& held = held_[static_cast<std::size_t>(model.root(body))];
    if (held != 0 || (trials_[i] - centers_[i]).norm() <= longest_way * taken_out) continue;
    held = 1;
    found = true;
  }
  return found;
}

bool OverlapProjection::is_held(const Model& model, const Contact& contact) const {
  const auto of_held = [&](int body) { return body >= 0 && held_[static_cast<std::size_t>(model.root(body))] != 0; };
  return contact.id.is_surface() && (of_held(contact.body_a) || of_held(contact.body_b));
}

bool OverlapProjection::apply(const Model& model, double time, VectorX& q, DynamicsWorkspace& workspace,
                              MassOperator& mass, ContactFinder& finder) {
  bool moved = false;
  double before = depth(model, q, workspace, finder);
  std::fill(held_.begin(), held_.end(), 0);
  for (int round = 0; round < most_rounds; ++round) {
    if (!pose(model, time, q, workspace, mass, finder) || !find_way(mass)) break;
    place_centers(model, workspace, centers_);
    double part = 1, after = before;
    for (int halving = 0; halving <= most_push_halvings && !(after < before); ++halving, part *= 0.5) {
      part_ = part * displacement_;
      integrate(model, q, part_, 1, trial_);
      after = depth(model, trial_, workspace, finder);
    }
    if (!(after < before)) break;
    place_centers(model, workspace, trials_);
    if (hold_what_is_thrown(model, before - after)) {
      forward_kinematics(model, q, workspace);
      continue;
    }
    q = trial_;
    before = after;
    moved = true;
  }
  forward_kinematics(model, q, workspace);
  return moved;
}

}  // namespace carom
