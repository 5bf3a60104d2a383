// Impacts in the steps of a ContactStep: restitution, and when in the step they are.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "carom/impact/newton.h"
#include "carom/stepper/contact_step.h"

namespace carom {
namespace {

/// Least weight of a step's end in an impact of second order. What touches later in the step is left so much short of
/// it.
constexpr double least_weight = 1.0 / 16;

/// Overlap up to this part of the least size is what the solver's tolerance leaves.
constexpr double overlap_of_solves = 1e-9;

/// Speed of what hardly moves, of a fall of one step.
constexpr double slow_part = 1.0 / 64;

/// Largest turn of a body in a step of which an impact of second order takes two parts, rad.
constexpr double largest_turn_in_parts = 0.5;

int representative(std::vector<int>& group, int i) {
  while (group[i] != i) i = group[i] = group[group[i]];
  return i;
}

}  // namespace

/// Trees that touch, or that constraints tie together, as sets in group_.
void ContactStep::group_touching(const Model& model, const std::vector<CandidateContact>& candidates) {
  std::iota(group_.begin(), group_.end(), 0);
  const auto join = [&](int a, int b) {
    if (a < 0 || b < 0) return;
    const int i = representative(group_, model.root(a)), j = representative(group_, model.root(b));
    group_[std::max(i, j)] = std::min(i, j);
  };
  for (const CandidateContact& candidate : candidates) join(candidate.contact.body_a, candidate.contact.body_b);
  for (const Constraint& constraint : model.constraints()) {
    if (row_count(constraint.kind) == 0 && constraint.kind != ConstraintKind::tendon) continue;
    int first = -1;
    constraint.for_each_body([&](int body) {
      join(first, body);
      first = body;
    });
  }
}

/// Paper DCA, eq. (16).
void ContactStep::owe_rebound(const std::vector<CandidateContact>& candidates) {
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    if (!(candidates[k].owed > 0)) continue;
    Block& block = blocks_[standing_ + k];
    block.restitution = candidates[k].contact.surface.restitution.at(candidates[k].owed);
    apply_newton(candidates[k].owed, block);
  }
}

/// Newton's hypothesis for a contact that closes after the part τ of a step. Its approach at that instant is s. The
/// forces leave u⁺ of the rebound at the end:
///
///   s = −(u + τ (u_f − u)),   u⁺ ≥ e s + (1 − τ) (u_f − u),   u at the start, u_f at the end without impulses
void ContactStep::rebound_in_time(double before, const Contact& contact, Block& block) const {
  const int n = block.normal_row();
  const double by_forces = free_[n] - start_[n];
  const double approach = -(start_[n] + before * by_forces);
  if (!(approach > 0)) return;
  block.restitution = contact.surface.restitution.at(approach);
  const double rebound = block.restitution * approach + (1 - before) * by_forces;
  if (rebound > 0) block.offset = std::min(block.offset, -rebound);
}

void ContactStep::apply_restitution(const Model& model, const Method& method,
                                    const std::vector<CandidateContact>& candidates) {
  if (method.law->in_step == InStep::inelastic) return;
  if (joined_) {
    owe_rebound(candidates);
    return;
  }
  group_touching(model, candidates);
  std::fill(struck_.begin(), struck_.end(), 0);
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    const Contact& contact = candidates[k].contact;
    Block& block = blocks_[standing_ + k];
    const int n = block.normal_row();
    const double approach = -start_rate(candidates[k], block);
    const double by_forces = std::abs(free_[n] - start_[n]);
    const double gap_ahead = start_gap(candidates[k], block, method.step) - method.step * approach;
    const bool closes = contact.gap <= 0 || candidates[k].crossing || (is_second_order(method) && gap_ahead <= 0);
    const double least = least_approach_ / size_.as_speed(contact.id);
    if (!closes || !(approach > std::max({method.restitution_speed, by_forces, least}))) continue;
    if (contact.body_a >= 0) struck_[representative(group_, model.root(contact.body_a))] = 1;
    if (method.law->in_step == InStep::poisson) {
      block.offset = std::min(block.offset, 0.0);  // compression ends within the step
      continue;
    }
    block.restitution = contact.surface.restitution.at(approach);
    if (is_second_order(method)) {
      const double room = std::max(0.0, start_gap(candidates[k], block, method.step));
      rebound_in_time(std::min(1.0, room / (method.step * approach)), contact, block);
      continue;
    }
    // A body that the applied forces slow down within this step has no more left to be thrown back.
    apply_newton(std::min(approach, std::max(0.0, -free_[n])), block);
  }
  if (method.law->in_step != InStep::poisson) return;
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    const Contact& contact = candidates[k].contact;
    if (contact.body_a < 0 || !struck_[representative(group_, model.root(contact.body_a))]) continue;
    Block& block = blocks_[standing_ + k];
    const int n = block.normal_row();
    block.restitution = contact.surface.restitution.at(std::max(0.0, -start_[n]));
    // The applied forces made a part of the compression of a contact that approaches within this step: no impact.
    if (start_[n] < 0 && free_[n] < start_[n]) block.restitution *= start_[n] / free_[n];
  }
}

double ContactStep::impact_weight(const Contact& contact, const std::vector<double>& end_weight) {
  const int body = contact.body_a >= 0 ? contact.body_a : contact.body_b;
  return body < 0 || end_weight.empty() ? smooth_weight : end_weight[static_cast<std::size_t>(body)];
}

bool ContactStep::closes(const CandidateContact& candidate, const Block& block, double step) const {
  const double rate = start_rate(candidate, block);
  // A contact that lasts, and turns, begins a step with what the last one left of its rate, which is less than its
  // turn.
  const double turn = std::abs(start_[block.normal_row()] - rate);
  const double least = std::max(turn, least_approach_ / size_.as_speed(candidate.contact.id));
  return step * (-rate - least) > std::max(0.0, start_gap(candidate, block, step));
}

/// Gives groups that touch, and hardly move beside what forces change within a step, the weight 1. A gap that is left
/// then closes at once, and does not ask for a speed that another step has to stop. What this changes of positions adds
/// up to no more than h/2 times such a speed, since v⁺ − v does.
bool ContactStep::weigh_slow_groups(const Model& model, const std::vector<CandidateContact>& candidates,
                                    const VectorX& start, double slow) {
  std::fill(speed_.begin(), speed_.end(), -1);
  for (const CandidateContact& candidate : candidates) {
    const int body = std::max(candidate.contact.body_a, candidate.contact.body_b);
    if (body >= 0) speed_[representative(group_, model.root(body))] = 0;
  }
  for (int k = 0; k < model.velocity_count(); ++k) {
    double& speed = speed_[representative(group_, model.root(model.coordinate_body(k)))];
    if (speed >= 0) speed = std::max(speed, std::abs(start[k]) * size_.as_speed(k));
  }
  bool any = false;
  for (std::size_t group = 0; group < speed_.size(); ++group) {
    if (!(speed_[group] >= 0 && speed_[group] <= slow)) continue;
    struck_[group] = 1;
    any = true;
  }
  return any;
}

bool ContactStep::weigh_impacts(const Model& model, const std::vector<CandidateContact>& candidates,
                                const Method& method, const VectorX& start, std::vector<double>& end_weight) {
  const double step = method.step;
  group_touching(model, candidates);
  std::fill(struck_.begin(), struck_.end(), 0);
  bool any = weigh_slow_groups(model, candidates, start, slow_part * step * model.gravity().norm());
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    const Contact& contact = candidates[k].contact;
    const Block& block = this->block(k);
    const bool closes = this->closes(candidates[k], block, step);
    const double gap = start_gap(candidates[k], block, step);
    const bool pushes = method.overlap == OverlapRemedy::push && gap < -overlap_of_solves * size_.of(contact.id);
    if (!candidates[k].crossing && !closes && !pushes) continue;
    const int body = contact.body_a >= 0 ? contact.body_a : contact.body_b;
    if (body < 0) continue;
    double& weight = struck_[representative(group_, model.root(body))];
    // A ratchet holds wherever it is.
    const double room = contact.id.is_ratchet() ? 0 : std::max(0.0, gap);
    weight = std::max({weight, least_weight, closes ? 1 + room / (step * start_rate(candidates[k], block)) : 1});
    any = true;
  }
  // Groups grow while constraints join the step, and keep the weights that they had.
  for (int body = 0; body < model.body_count(); ++body) {
    const double had = end_weight[static_cast<std::size_t>(body)];
    if (had == smooth_weight) continue;
    double& weight = struck_[representative(group_, model.root(body))];
    weight = std::max(weight, had);
    any = true;
  }
  if (!any) return false;
  for (int body = 0; body < model.body_count(); ++body) {
    double& weight = struck_[representative(group_, model.root(body))];
    if (weight == 0) continue;
    const Joint& joint = model.joints()[body];
    const bool turns = joint.type == JointType::free || joint.type == JointType::spherical;
    if (turns && step * start.segment<3>(joint.v_index).norm() > largest_turn_in_parts) weight = 1;
    if (weight == smooth_weight) weight = std::nextafter(smooth_weight, 1);
  }
  bool changes = false;
  for (int body = 0; body < model.body_count(); ++body) {
    const double weight = struck_[representative(group_, model.root(body))];
    double& held = end_weight[static_cast<std::size_t>(body)];
    if (weight == 0 || held == weight) continue;
    held = weight;
    changes = true;
  }
  return changes;
}

}  // namespace carom
