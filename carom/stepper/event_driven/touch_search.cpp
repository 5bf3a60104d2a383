#include "carom/stepper/event_driven/touch_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/dynamics/recursions.h"

namespace carom {
namespace {

constexpr int least_samples = 4, most_samples = 20000;  // four in the time in which a shape passes its own size
constexpr int bisections = 100;

constexpr double round_off_gap = 1e-3;  // of gaps that count as closed
constexpr double never = 2;

}  // namespace

TouchSearch::TouchSearch(const Model& model) : finder_(model), workspace_(model) {
  q_.setZero(model.position_count());
  v_.setZero(model.velocity_count());
  for (const Joint& joint : model.joints()) {
    for (int k = 0; k < joint.lower.size(); ++k) {
      if (std::isfinite(joint.lower[k])) stops_.push_back({ContactId::of_joint, joint.v_index + k, ContactId::lower});
      if (std::isfinite(joint.upper[k])) stops_.push_back({ContactId::of_joint, joint.v_index + k, ContactId::upper});
    }
  }
  for (int i = 0; i < static_cast<int>(model.constraints().size()); ++i) {
    const Constraint& constraint = model.constraints()[i];
    if (constraint.kind == ConstraintKind::rope) stops_.push_back({ContactId::of_rope, i, 0});
    if (constraint.kind != ConstraintKind::tendon) continue;
    if (std::isfinite(constraint.lower)) stops_.push_back({ContactId::of_tendon, i, ContactId::lower});
    if (std::isfinite(constraint.upper)) stops_.push_back({ContactId::of_tendon, i, ContactId::upper});
  }
  size_ = std::numeric_limits<double>::infinity();
  for (const Collider& collider : model.colliders()) {
    if (collider.body < 0) continue;
    const double reach = bounding_radius(collider.shape);
    size_ = std::min(size_, reach > 0 ? reach : model.materials()[collider.material].contact_radius);
  }
}

/// Bound on the speed of any point of a shape, m/s.
double TouchSearch::fastest(const Model& model) const {
  double most = 0;
  for (const Collider& collider : model.colliders()) {
    if (collider.body < 0) continue;
    const Vec3 origin = workspace_.X_WB[collider.body] * collider.X_BS.p;
    const double spin = workspace_.V[collider.body].head<3>().norm();
    most = std::max(most,
                    point_velocity(collider.body, origin, workspace_).norm() + spin * bounding_radius(collider.shape));
  }
  return most;
}

void TouchSearch::go(const Model& model, const Motion& motion, double place) {
  stop_.check();
  motion(place, q_, v_);
  forward_kinematics(model, q_, workspace_);
  forward_velocity(model, q_, v_, workspace_);
}

/// The gap of a feature or, if the feature is absent, the nearest of its pair, so that no way round it is missed. It is
/// infinite if that nearest one was closed already when the search began. Its gap, zero to round-off, is none of the
/// feature's.
TouchSearch::Gap TouchSearch::at(const Model& model, const Motion& motion, const ContactId& id, double place) {
  go(model, motion, place);
  Contact contact;
  if (!finder_.evaluate(model, id, q_, workspace_.X_WB, contact)) {
    contact = finder_.nearest(model, id.a, id.b, workspace_.X_WB);
    const bool shut = std::find(shut_.begin(), shut_.end(), contact.id) != shut_.end();
    if (shut) return {contact.id, std::numeric_limits<double>::infinity(), -1};
  }
  return {contact.id, contact.gap, gap_rate(contact, v_, workspace_)};
}

void TouchSearch::take(const Model& model, const Motion& motion, double place, double spacing, double duration,
                       std::span<const ContactId> exempt, Sample& sample) {
  go(model, motion, place);
  sample.place = place;
  // Speeds may grow on the way: twice what this one's speed covers.
  sample.reach = 2 * fastest(model) * spacing * duration;
  sample.gaps.clear();
  const auto closed = [&](const ContactId& id) { return std::find(exempt.begin(), exempt.end(), id) != exempt.end(); };
  const auto add = [&](const Contact& contact) {
    sample.gaps.push_back({contact.id, contact.gap, gap_rate(contact, v_, workspace_)});
  };
  // A pair's points may both move.
  for (const Contact& contact : finder_.find(model, q_, workspace_.X_WB, 2 * sample.reach)) {
    if (contact.id.is_surface() && !closed(contact.id)) add(contact);
  }
  for (const ContactId& id : stops_) {
    Contact contact;
    if (closed(id) || !finder_.evaluate(model, id, q_, workspace_.X_WB, contact)) continue;
    add(contact);
  }
}

/// Place where the gap's rate changes its sign: its minimum (low) or maximum.
double TouchSearch::turning_place(const Model& model, const Motion& motion, const ContactId& id, double from, double to,
                                  bool low) {
  for (int i = 0; i < bisections && to - from > 1e-16; ++i) {
    const double middle = 0.5 * (from + to);
    const bool rises = at(model, motion, id, middle).rate > 0;
    (rises == low ? to : from) = middle;
  }
  return 0.5 * (from + to);
}

/// The first zero of one gap between two samples; `never` if it has none.
double TouchSearch::touch_of(const Model& model, const Motion& motion, const ContactId& id, const Gap& from,
                             double x_from, const Gap& to, double x_to, double touching) {
  double open = x_from, closed = x_to;
  const bool on_surface = from.gap <= touching;
  // A gap that opens from the surface more slowly than round-off closes it has not touched again.
  double limit = on_surface ? std::min(0.0, from.gap) - round_off_gap * touching : 0;
  if (on_surface && from.rate > 0 && to.gap < 0) {
    open = turning_place(model, motion, id, x_from, x_to, false);
    if (at(model, motion, id, open).gap > round_off_gap * round_off_gap * touching) limit = 0;
  }
  if (to.gap < limit) {
    // The gap falls from above the limit to below it.
  } else {
    if (on_surface || !(from.rate < 0 && to.rate > 0)) return never;
    closed = turning_place(model, motion, id, x_from, x_to, true);
    if (!(at(model, motion, id, closed).gap < 0)) return never;
  }
  for (int i = 0; i < bisections && closed - open > 1e-16; ++i) {
    const double middle = 0.5 * (open + closed);
    (at(model, motion, id, middle).gap > limit ? open : closed) = middle;
  }
  return closed;
}

double TouchSearch::relative_way(const Model& model, const Motion& motion, double duration) {
  double way = 0;
  for (const double end : {0.0, 1.0}) {
    go(model, motion, end);
    way = std::max(way, fastest(model) * duration / size_);
    for (const ContactId& id : stops_) {
      double rate = id.is_limit() ? std::abs(v_[id.b]) : fastest(model);
      if (id.is_tendon()) rate = std::abs(coordinate_row(model.constraint_terms(id.b)).sum(v_));
      way = std::max(way, rate * duration);
    }
  }
  return way;
}

Touch TouchSearch::first(const Model& model, const Motion& motion, double duration, double touching,
                         std::span<const ContactId> exempt) {
  go(model, motion, 0);
  double speed = fastest(model);
  go(model, motion, 1);
  speed = std::max(speed, fastest(model));
  const double wanted = std::isfinite(size_) && size_ > 0 ? std::ceil(4 * speed * duration / size_) : least_samples;
  const int samples = static_cast<int>(std::clamp(wanted, double{least_samples}, double{most_samples}));
  const double spacing = 1.0 / samples;
  Touch touch;
  touch.place = never;
  take(model, motion, 0, spacing, duration, exempt, before_);
  shut_.assign(exempt.begin(), exempt.end());
  for (const Gap& gap : before_.gaps) {
    if (gap.gap <= touching) shut_.push_back(gap.id);
  }
  for (int i = 1; i <= samples && touch.place > 1; ++i) {
    take(model, motion, i == samples ? 1.0 : i * spacing, spacing, duration, exempt, after_);
    const double x_before = before_.place, x_after = after_.place;
    const auto try_one = [&](const Gap& from, const Gap& to) {
      const double place = touch_of(model, motion, to.id, from, x_before, to, x_after, i == 1 ? touching : 0);
      if (place < touch.place) touch = {to.id, place};
    };
    const auto find = [](const std::vector<Gap>& gaps, const ContactId& id) {
      return std::find_if(gaps.begin(), gaps.end(), [&](const Gap& gap) { return gap.id == id; });
    };
    for (const Gap& to : after_.gaps) {
      const auto from = find(before_.gaps, to.id);
      if (from != before_.gaps.end()) {
        try_one(*from, to);
      } else if (to.gap < 0) {
        // It was out of reach, or in the place of another that hid it.
        try_one(at(model, motion, to.id, x_before), to);
      }
    }
    // Features that left the neighbourhood by the end of the interval may have passed through meanwhile.
    for (const Gap& from : before_.gaps) {
      if (find(after_.gaps, from.id) != after_.gaps.end() || !(from.rate < 0)) continue;
      try_one(from, at(model, motion, from.id, x_after));
    }
    std::swap(before_, after_);
  }
  return touch;
}

}  // namespace carom
