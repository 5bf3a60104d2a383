#include "carom/contact/contact_finder.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "carom/contact/friction_axis.h"
#include "carom/contact/hertz.h"
#include "carom/dynamics/recursions.h"

namespace carom {
namespace {

/// Calls f(joint, coordinate within the joint, feature, gap) for every limit and ratchet that the model has.
template <class F>
void for_each_limit(const Model& model, const VectorX& q, F&& f) {
  for (int body = 0; body < model.body_count(); ++body) {
    const Joint& joint = model.joints()[body];
    for (int k = 0; k < joint.lower.size(); ++k) {
      const double position = q[joint.q_index + k];
      if (std::isfinite(joint.lower[k])) f(body, k, ContactId::lower, position - joint.lower[k]);
      if (std::isfinite(joint.upper[k])) f(body, k, ContactId::upper, joint.upper[k] - position);
      if (joint.ratchet[k] == Ratchet::forward) f(body, k, ContactId::forward, 0.0);
      if (joint.ratchet[k] == Ratchet::backward) f(body, k, ContactId::backward, 0.0);
    }
  }
}

Contact limit_contact(const Model& model, int body, int coordinate, int feature, double gap) {
  Contact contact;
  contact.id = {ContactId::of_joint, model.joints()[body].v_index + coordinate, feature};
  contact.body_a = body;
  contact.body_b = model.joints()[body].parent;
  contact.gap = gap;
  if (!contact.id.is_ratchet()) contact.surface.restitution = model.joints()[body].limit_restitution[coordinate];
  return contact;
}

/// Calls f(constraint, feature, gap) for every end of the tendons' ranges.
template <class F>
void for_each_tendon(const Model& model, const VectorX& q, F&& f) {
  for (std::size_t i = 0; i < model.constraints().size(); ++i) {
    const Constraint& tendon = model.constraints()[i];
    if (tendon.kind != ConstraintKind::tendon) continue;
    const double length = sum_of_shares(model, tendon.shares, q);
    if (std::isfinite(tendon.lower)) f(static_cast<int>(i), ContactId::lower, length - tendon.lower);
    if (std::isfinite(tendon.upper)) f(static_cast<int>(i), ContactId::upper, tendon.upper - length);
  }
}

Contact tendon_contact(const Model& model, int number, int feature, double gap) {
  const Constraint& tendon = model.constraints()[static_cast<std::size_t>(number)];
  Contact contact;
  contact.id = {ContactId::of_tendon, number, feature};
  contact.body_a = tendon.shares.front().body;
  const int last = tendon.shares.back().body;
  contact.body_b = last == contact.body_a ? -1 : last;
  contact.gap = gap;
  contact.surface.restitution = tendon.restitution;
  contact.terms = model.constraint_terms(static_cast<std::size_t>(number));
  return contact;
}

/// The rope between its two ends, whatever its slack.
Contact rope_contact(const Model& model, int number, const std::vector<Transform>& X_WB) {
  const Constraint& rope = model.constraints()[number];
  const auto end = [&](int body, const Vec3& p) { return body < 0 ? p : X_WB[body] * p; };
  Contact contact;
  contact.id = {ContactId::of_rope, number, 0};
  contact.body_a = rope.body_a;
  contact.body_b = rope.body_b;
  contact.p_WA = end(rope.body_a, rope.X_AF.p);
  contact.p_WB = end(rope.body_b, rope.X_BG.p);
  if (contact.body_a < 0) {  // A moves
    std::swap(contact.body_a, contact.body_b);
    std::swap(contact.p_WA, contact.p_WB);
  }
  const Vec3 along = contact.p_WB - contact.p_WA;
  const double distance = along.norm();
  contact.gap = rope.length - distance;
  if (distance > 0) contact.R_WC = contact_frame(along / distance);
  contact.surface.restitution = rope.restitution;
  return contact;
}

/// Distance by which a moving shape may leave the hull of its boxes at both ends of a motion, m: see pairs_on_the_way.
double beside_the_line(const Model& model, const Collider& collider, const DynamicsWorkspace& from,
                       const Transform& X_WB_to, double h) {
  const Vec3& center = model.bodies()[collider.body].inertia.center;
  const Vec3 start = from.X_WB[collider.body] * center;
  const double path = h * point_velocity(collider.body, start, from).norm();
  const double chord = (X_WB_to * center - start).norm();
  // Round-off of a straight path is none of an arc.
  const double arc = path > chord * (1 + 1e-12) ? 0.5 * std::sqrt(path * path - chord * chord) : 0;
  const double own = std::holds_alternative<Sphere>(collider.shape) ? 0 : bounding_radius(collider.shape);
  const double turn = std::min(h * from.V[collider.body].head<3>().norm(), 2 * std::numbers::pi);
  return arc + (own + (collider.X_BS.p - center).norm()) * (1 - std::cos(0.5 * turn));
}

}  // namespace

ContactFinder::ContactFinder(const Model& model) {
  // Room for the usual contacts of a scene of this size, so that steps do not allocate on the way there.
  const std::size_t count = model.colliders().size();
  boxes_.reserve(count);
  pairs_.reserve(std::min(count * count / 2, 32 * count));
  contacts_.reserve(8 * count);
  points_.reserve(16);
}

Transform ContactFinder::pose(const Model& model, int collider, const std::vector<Transform>& X_WB) const {
  const Collider& c = model.colliders()[collider];
  return c.body < 0 ? c.X_BS : X_WB[c.body] * c.X_BS;
}

Contact ContactFinder::make_contact(const Model& model, int a, int b, const std::vector<Transform>& X_WB,
                                    const ContactPoint& point) const {
  const Collider& A = model.colliders()[a];
  const Collider& B = model.colliders()[b];
  Contact contact;
  contact.id = {a, b, point.feature};
  contact.body_a = A.body;
  contact.body_b = B.body;
  contact.p_WA = point.p_WA;
  contact.p_WB = point.p_WB;
  contact.R_WC = contact_frame(point.normal, friction_axis(model, a, b, point.normal, X_WB).in_world(X_WB));
  contact.gap = point.gap;
  contact.surface = model.contact_material(A.material, B.material);
  for (const auto& [collider, point_W] : {std::pair(&A, &point.p_WA), {&B, &point.p_WB}}) {
    if (!collider->restitution_change) continue;
    const Vec3 p_B = collider->body < 0 ? *point_W : X_WB[collider->body].inverse() * *point_W;
    const double change = collider->restitution_change->at(collider->X_BS.inverse() * p_B);
    contact.surface.restitution = contact.surface.restitution.changed_by(change);
  }
  const auto side = [&](const Collider& collider, double outwards) {
    const Vec3 normal_B = collider.body < 0 ? point.normal : Vec3(X_WB[collider.body].R.transpose() * point.normal);
    return HertzSide{collider.shape, outwards * (collider.X_BS.R.transpose() * normal_B),
                     model.materials()[collider.material].contact_radius};
  };
  contact.radius = hertz_radius(side(A, -1), side(B, 1));
  return contact;
}

const std::vector<std::pair<int, int>>& ContactFinder::filtered(const Model& model) {
  const std::vector<std::pair<int, int>>& overlapping = broad_phase_.overlapping_pairs(boxes_);
  pairs_.clear();
  pairs_.reserve(overlapping.capacity());
  for (const auto& [i, j] : overlapping) {
    // Two grounds do not meet, whatever the filters say.
    if (!model.may_collide(i, j) || !can_collide(model.colliders()[i].shape, model.colliders()[j].shape)) continue;
    const bool swap = model.colliders()[i].body < 0;  // A moves
    pairs_.emplace_back(swap ? j : i, swap ? i : j);
  }
  return pairs_;
}

const std::vector<Contact>& ContactFinder::find(const Model& model, const VectorX& q,
                                                const std::vector<Transform>& X_WB, double margin, double stop_margin) {
  contacts_.clear();
  boxes_.clear();
  for (std::size_t i = 0; i < model.colliders().size(); ++i) {
    const int collider = static_cast<int>(i);
    boxes_.push_back(bounds(model.colliders()[i].shape, pose(model, collider, X_WB), 0.5 * margin));
  }
  for (const auto& [a, b] : filtered(model)) {
    points_.clear();
    contact_points(model.colliders()[a].shape, pose(model, a, X_WB), model.colliders()[b].shape, pose(model, b, X_WB),
                   margin, points_);
    for (const ContactPoint& point : points_) contacts_.push_back(make_contact(model, a, b, X_WB, point));
  }
  for_each_limit(model, q, [&](int body, int coordinate, int feature, double gap) {
    if (gap <= stop_margin) contacts_.push_back(limit_contact(model, body, coordinate, feature, gap));
  });
  for_each_tendon(model, q, [&](int number, int feature, double gap) {
    if (gap <= stop_margin) contacts_.push_back(tendon_contact(model, number, feature, gap));
  });
  for (std::size_t i = 0; i < model.constraints().size(); ++i) {
    if (model.constraints()[i].kind != ConstraintKind::rope) continue;
    const Contact rope = rope_contact(model, static_cast<int>(i), X_WB);
    if (rope.gap <= stop_margin) contacts_.push_back(rope);
  }
  std::sort(contacts_.begin(), contacts_.end(), [](const Contact& x, const Contact& y) { return x.id < y.id; });
  return contacts_;
}

bool ContactFinder::evaluate(const Model& model, const ContactId& id, const VectorX& q,
                             const std::vector<Transform>& X_WB, Contact& contact) {
  if (id.is_limit()) {
    bool found = false;
    for_each_limit(model, q, [&](int body, int coordinate, int feature, double gap) {
      if (model.joints()[body].v_index + coordinate != id.b || feature != id.feature) return;
      contact = limit_contact(model, body, coordinate, feature, gap);
      found = true;
    });
    return found;
  }
  if (id.is_tendon()) {
    bool found = false;
    for_each_tendon(model, q, [&](int number, int feature, double gap) {
      if (number != id.b || feature != id.feature) return;
      contact = tendon_contact(model, number, feature, gap);
      found = true;
    });
    return found;
  }
  if (id.is_rope()) {
    contact = rope_contact(model, id.b, X_WB);
    return true;
  }
  points_.clear();
  contact_point(model.colliders()[id.a].shape, pose(model, id.a, X_WB), model.colliders()[id.b].shape,
                pose(model, id.b, X_WB), id.feature, points_);
  if (points_.empty()) return false;
  contact = make_contact(model, id.a, id.b, X_WB, points_.front());
  return true;
}

Contact ContactFinder::nearest(const Model& model, int a, int b, const std::vector<Transform>& X_WB) {
  points_.clear();
  nearest_points(model.colliders()[a].shape, pose(model, a, X_WB), model.colliders()[b].shape, pose(model, b, X_WB),
                 points_);
  const auto best = std::min_element(points_.begin(), points_.end(),
                                     [](const ContactPoint& x, const ContactPoint& y) { return x.gap < y.gap; });
  return make_contact(model, a, b, X_WB, *best);
}

const std::vector<std::pair<int, int>>& ContactFinder::pairs_on_the_way(const Model& model,
                                                                        const DynamicsWorkspace& from,
                                                                        const std::vector<Transform>& X_WB_to,
                                                                        double h) {
  boxes_.clear();
  for (std::size_t i = 0; i < model.colliders().size(); ++i) {
    const Collider& collider = model.colliders()[i];
    const int index = static_cast<int>(i);
    Bounds box = bounds(collider.shape, pose(model, index, from.X_WB), 0);
    const Bounds end = bounds(collider.shape, pose(model, index, X_WB_to), 0);
    const double aside = collider.body < 0 ? 0 : beside_the_line(model, collider, from, X_WB_to[collider.body], h);
    box.lower = box.lower.cwiseMin(end.lower).array() - aside;
    box.upper = box.upper.cwiseMax(end.upper).array() + aside;
    boxes_.push_back(box);
  }
  return filtered(model);
}

}  // namespace carom
