// Finds the contacts that take part in a step and their starts, and lets contacts join or leave when it is solved.

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/dynamics/joint_kinematics.h"
#include "carom/dynamics/recursions.h"
#include "carom/stepper/quasi_rigid/quasi_rigid_stepper.h"

namespace carom {
namespace {

constexpr double overlap_part = 5e-9;  // of sizes: greatest overlap before a constraint counts as missed

bool same_corner(const CornerOnPlane& a, const CornerOnPlane& b) {
  constexpr double near = 1e-7;
  return a.corner_on_a == b.corner_on_a && (a.corner - b.corner).norm() < near && (a.normal - b.normal).norm() < near;
}

bool same_pair(const ContactId& a, const ContactId& b) { return a.a == b.a && a.b == b.b; }

/// True if two elements are of the same bodies and materials: of one pair, or of pieces of one body beside each other.
bool same_surfaces(const Model& model, const ContactElement& x, const ContactElement& y) {
  const auto material = [&](int collider) { return model.colliders()[collider].material; };
  return x.body_a == y.body_a && x.body_b == y.body_b && material(x.id.a) == material(y.id.a) &&
         material(x.id.b) == material(y.id.b);
}

/// Normal from B towards A of a corner on a plane, world.
Vec3 normal_of_corner(const ContactElement& element, const std::vector<Transform>& X_WB) {
  const CornerOnPlane& c = element.corner;
  const int flat = c.corner_on_a ? element.body_b : element.body_a;
  const Vec3 normal = flat < 0 ? c.normal : X_WB[flat].R * c.normal;
  return c.corner_on_a ? normal : Vec3(-normal);
}

/// True if closest points and a corner on a plane, of one pair, say the same.
bool same_touch(const ContactElement& smooth, const ContactElement& corner, const std::vector<Transform>& X_WB) {
  constexpr double agree = 1 - 1e-6;  // cosine of normals
  return smooth.guess.segment<3>(ClosestPointSystem::normal).dot(normal_of_corner(corner, X_WB)) > agree;
}

}  // namespace

/// Sets the impulse and deflections of the last step, and how deep the surfaces overlap when the step begins. If
/// at_start, the contact is of the poses at the start, not of where the step goes. True if the state knew the name.
bool QuasiRigidStepper::recall(const Model& model, const State& state, const Contact& contact, bool at_start,
                               ContactElement& element) {
  const auto memory = std::find_if(state.contacts.begin(), state.contacts.end(),
                                   [&](const ContactMemory& m) { return m.id == contact.id; });
  const Vec3 n = contact.R_WC.col(2);
  if (memory != state.contacts.end()) {
    // A direction along the surface turns with it: with the mean of both bodies.
    double spin = 0;
    for (const int body : {element.body_a, element.body_b}) {
      if (body >= 0) spin += 0.5 * n.dot(begin_.X_WB[body].R * begin_.V[body].head<3>());
    }
    // A frame of the step's start has yet to turn with the body that its axis is fixed to.
    if (at_start && element.axis.body >= 0) {
      const int body = element.axis.body;
      spin -= n.dot(begin_.X_WB[body].R * begin_.V[body].head<3>());
    }
    ElementFinder::recall(*memory, contact.R_WC, start_.h * spin, element);
  }
  const bool known = memory != state.contacts.end();
  if (!element.law.has_layer()) return known;
  element.depth = std::numeric_limits<double>::infinity();
  // Beyond its edges a face's plane goes on.
  if (!element.id.is_patch() && (element.is_smooth || !known)) {
    element.depth = -finder_.nearest(model, element.id.a, element.id.b, begin_.X_WB).gap;
  }
  if (!element.is_smooth) element.depth = std::min(element.depth, -gap_at_start(element));
  return known;
}

void QuasiRigidStepper::insert(const ContactElement& element) {
  elements_.insert(std::lower_bound(elements_.begin(), elements_.end(), element.id,
                                    [](const ContactElement& e, const ContactId& id) { return e.id < id; }),
                   element);
}

/// True if that changed the elements.
bool QuasiRigidStepper::add_element(const Model& model, const State& state, const Contact& contact, bool shared,
                                    bool cold, bool missed, const std::vector<Transform>& X_WB) {
  const auto place = std::lower_bound(elements_.begin(), elements_.end(), contact.id,
                                      [](const ContactElement& e, const ContactId& id) { return e.id < id; });
  if (place != elements_.end() && place->id == contact.id) return false;
  if (std::find(dropped_.begin(), dropped_.end(), contact.id) != dropped_.end()) return false;
  ContactElement element = elements_of_.make(model, contact, shared, X_WB, speed_);
  const bool known = recall(model, state, contact, cold && !missed, element);
  if (cold) element.last.setZero();
  // One pair has closest points, or corners; both only if one was missed beside the other, or edges cross elsewhere.
  if (element.is_smooth) {
    for (const ContactElement& other : elements_) {
      if (!same_pair(other.id, element.id)) continue;
      if (other.is_smooth || (!missed && same_touch(element, other, X_WB))) return false;
    }
    insert(element);
    return true;
  }
  if (element.id.is_patch()) {
    insert(element);
    return true;
  }
  // Features are counted anew if another face becomes the reference, so one corner may come under two names. Several
  // pieces of a body may share one corner.
  for (ContactElement& other : elements_) {
    if (other.is_smooth || !same_surfaces(model, other, element) || !same_corner(other.corner, element.corner))
      continue;
    const bool other_known = std::any_of(state.contacts.begin(), state.contacts.end(),
                                         [&](const ContactMemory& m) { return m.id == other.id; });
    if (!known || other_known) return false;
    other.remembered = element.remembered;
    other.last = element.last;
    return false;
  }
  if (!missed) {
    std::erase_if(elements_, [&](const ContactElement& e) {
      return same_pair(e.id, element.id) && e.is_smooth && same_touch(e, element, X_WB);
    });
  }
  insert(element);
  return true;
}

/// Drops the fixed points of a rim near its lowest point `rim`. They may touch as well where the rim does, but then the
/// equations have a double root.
void QuasiRigidStepper::drop_near_rim(const ContactElement& rim, const std::vector<Transform>& X_WB) {
  constexpr double near = 0.64;  // cosine of 50°: one or two of eight to either side
  const CornerOnPlane& c = rim.corner;
  const auto R = [&](int body) { return body < 0 ? Mat3(Mat3::Identity()) : X_WB[body].R; };
  const int of_rim = c.corner_on_a ? rim.body_a : rim.body_b, of_plane = c.corner_on_a ? rim.body_b : rim.body_a;
  const Vec3 normal = R(of_rim).transpose() * (R(of_plane) * c.normal);
  const Vec3 lowest = -(normal - normal.dot(c.axis) * c.axis).normalized();
  std::erase_if(elements_, [&](const ContactElement& e) {
    if (!same_pair(e.id, rim.id) || e.is_smooth || e.law.has_layer() || e.corner.rim > 0) return false;
    if (e.corner.corner_on_a != c.corner_on_a || (e.corner.corner - c.corner).dot(lowest) < near * c.rim) return false;
    dropped_.push_back(e.id);
    return true;
  });
}

/// True if an element for cores alone joined, at a contact as the collision detector has it.
bool QuasiRigidStepper::add_core(const Model& model, const State& state, const Contact& contact,
                                 const std::vector<Transform>& X_WB) {
  const auto is_it = [&](const ContactId& id) { return id == contact.id; };
  if (std::any_of(dropped_.begin(), dropped_.end(), is_it)) return false;
  if (std::any_of(elements_.begin(), elements_.end(), [&](const auto& e) { return is_it(e.id); })) return false;
  ContactElement element = elements_of_.make(model, contact, true, X_WB, speed_);
  recall(model, state, contact, false, element);
  if (element.corner.rim > 0) drop_near_rim(element, X_WB);
  insert(element);
  return true;
}

/// The name for the deepest point of a pair: a new one beside those that are fixed to a cap.
int QuasiRigidStepper::further_deepest(const ContactId& pair) const {
  int fixed = 0;
  for (const ContactElement& element : elements_) {
    const bool is_deepest = ElementFinder::is_deepest(element.id.feature);
    if (is_deepest && same_pair(element.id, pair) && !element.is_smooth && element.corner.rim == 0) ++fixed;
  }
  return fixed > 0 ? ElementFinder::further_point(fixed) : ElementFinder::deepest_point;
}

/// Contacts near the linearisation (cold: near the step's start), and those that the state remembers.
void QuasiRigidStepper::gather(const Model& model, const State& state, bool cold) {
  elements_.clear();
  dropped_.clear();
  stops_.clear();
  const std::vector<Transform>& X_WB = cold ? begin_.X_WB : middle_.X_WB;
  const VectorX& q = cold ? state.q : at_.q;
  const double closing = 2 * start_.h * start_.h * model.gravity().norm() + 1e-3 * start_.h * speed_;
  const ContactPatches& patches = elements_of_.patches();
  std::vector<Contact> near = finder_.find(model, q, X_WB, closing);
  patches.replace(model, X_WB, closing, near);
  for (const ContactMemory& memory : state.contacts) {
    const bool listed = std::any_of(near.begin(), near.end(), [&](const Contact& c) { return c.id == memory.id; });
    Contact contact;
    if (!listed && patches.evaluate(model, finder_, memory.id, q, X_WB, contact)) near.push_back(contact);
  }
  std::sort(near.begin(), near.end(), [](const Contact& a, const Contact& b) { return a.id < b.id; });
  for (std::size_t i = 0; i < near.size(); ++i) {
    const Contact& contact = near[i];
    if (!contact.id.is_surface()) {
      // Their rows are those of the linearisation, wherever they were found.
      Contact stop = contact;
      if (!cold || finder_.evaluate(model, contact.id, at_.q, middle_.X_WB, stop)) stops_.push_back(stop);
      continue;
    }
    const bool shared = (i > 0 && same_pair(near[i - 1].id, contact.id)) ||
                        (i + 1 < near.size() && same_pair(near[i + 1].id, contact.id));
    add_element(model, state, contact, shared, cold, false, X_WB);
  }
}

/// Adds elements for cores alone if cores are deeper in one another than any of their pair's elements sees. They are at
/// the deepest point. For a pair with a patch they are at all points, since edges and corners may lie between its
/// nodes. True if any was added. `closed`: the collision detector's contacts, by pairs.
bool QuasiRigidStepper::add_entered(const Model& model, const State& state, const std::vector<Contact>& closed) {
  const CarriedMotion& motion = problem_.motion();
  const std::vector<Transform>& X_WB = motion.workspace().X_WB;
  bool joined = false;
  for (std::size_t i = 0, end = i; i < closed.size(); i = end) {
    while (end < closed.size() && same_pair(closed[end].id, closed[i].id)) ++end;
    if (!closed[i].id.is_surface()) continue;
    const double core = layer_depth(model, closed[i].id);
    if (std::isinf(core)) continue;
    double least = 0, seen = 0;
    bool is_patch = false, by_levels = false;
    for (std::size_t j = i; j < end; ++j) least = std::min(least, closed[j].gap + core);
    for (const ContactElement& element : elements_) {
      if (!same_pair(element.id, closed[i].id)) continue;
      seen = std::min(seen, element_geometry(element, motion, z_).gap + core);
      is_patch = is_patch || element.id.is_patch();
      by_levels = by_levels || element.level != ClosestPointSystem::Level::none;
    }
    const double tolerance = 0.5 * overlap_part * size_.least();
    if (by_levels || least >= seen - tolerance) continue;
    Contact contact = finder_.nearest(model, closed[i].id.a, closed[i].id.b, X_WB);
    contact.id.feature = further_deepest(contact.id);
    if (!is_patch) joined |= add_core(model, state, contact, X_WB);
    for (std::size_t j = i; is_patch && j < end; ++j) {
      if (closed[j].gap + core >= -tolerance) continue;
      contact = closed[j];
      contact.id.feature = ElementFinder::core_of(contact.id.feature);
      joined |= add_core(model, state, contact, X_WB);
    }
  }
  return joined;
}

/// Adds contacts that the motion overlaps or passes without them. True if any joined: then it is solved again.
bool QuasiRigidStepper::add_missed(const Model& model, const State& state) {
  const CarriedMotion& motion = problem_.motion();
  bool joined = false;
  const std::vector<Contact> seen = finder_.find(model, motion.q(), motion.workspace().X_WB, 0);
  std::vector<Contact> closed = seen;
  elements_of_.patches().replace(model, motion.workspace().X_WB, 0, closed);
  for (std::size_t i = 0; i < closed.size(); ++i) {
    const Contact& contact = closed[i];
    if (contact.gap >= -overlap_part * size_.of(contact.id)) continue;
    if (!contact.id.is_surface()) {
      const bool held = std::any_of(stops_.begin(), stops_.end(), [&](const Contact& c) { return c.id == contact.id; });
      Contact stop;
      if (!held && finder_.evaluate(model, contact.id, at_.q, middle_.X_WB, stop)) {
        stops_.push_back(stop);
        joined = true;
      }
      continue;
    }
    const bool shared = (i > 0 && same_pair(closed[i - 1].id, contact.id)) ||
                        (i + 1 < closed.size() && same_pair(closed[i + 1].id, contact.id));
    joined |= add_element(model, state, contact, shared, true, true, motion.workspace().X_WB);
  }
  if (!joined) joined = add_entered(model, state, seen);
  crossings_.clear();
  from_carried(model, state.q, z_.head(w_start_.size()), v_end_);
  forward_velocity(model, state.q, v_end_, begin_);
  find_crossings(model, state.q, v_end_, start_.h, begin_, motion.workspace(), finder_, scratch_, q_scratch_,
                 crossings_);
  for (const Crossing& crossing : crossings_) {
    const bool held = std::any_of(elements_.begin(), elements_.end(),
                                  [&](const ContactElement& e) { return same_pair(e.id, crossing.contact.id); });
    if (held) continue;
    integrate(model, state.q, v_end_, crossing.fraction * start_.h, q_scratch_);
    forward_kinematics(model, q_scratch_, scratch_);
    std::vector<Contact> met{crossing.contact};
    elements_of_.patches().replace(model, scratch_.X_WB, std::numeric_limits<double>::infinity(), met);
    for (const Contact& contact : met) joined |= add_element(model, state, contact, false, true, true, scratch_.X_WB);
  }
  return joined;
}

/// Gap of a corner over its plane when the step begins.
double QuasiRigidStepper::gap_at_start(const ContactElement& element) const {
  const CornerOnPlane& c = element.corner;
  const auto pose = [&](int body) { return body < 0 ? Transform{} : begin_.X_WB[body]; };
  const Transform X_corner = pose(c.corner_on_a ? element.body_a : element.body_b);
  const Transform X_plane = pose(c.corner_on_a ? element.body_b : element.body_a);
  const Vec3 normal = X_plane.R * c.normal;
  const double tilt = normal.dot(X_corner.R * c.axis);
  return normal.dot(X_corner * c.corner - X_plane * c.point) - c.ball -
         c.rim * std::sqrt(std::max(0.0, 1 - tilt * tilt));
}

/// Levels the places where the impulses of corners act. All of a pair on one plane act at the same depth below it. This
/// is the mean depth, when the step begins, of those with layers.
void QuasiRigidStepper::level_corners() {
  struct Plane {
    bool corner_on_a = true;
    Vec3 normal = Vec3::Zero();
    double depth = 0;
    int corners = 0;
  };
  std::vector<Plane> planes;
  const auto plane_of = [&](const CornerOnPlane& c) -> Plane& {
    for (Plane& plane : planes) {
      if (plane.corner_on_a == c.corner_on_a && (plane.normal - c.normal).norm() < 1e-9) return plane;
    }
    return planes.emplace_back(Plane{c.corner_on_a, c.normal});
  };
  for (std::size_t i = 0, end = i; i < elements_.size(); i = end) {
    planes.clear();
    for (; end < elements_.size() && same_pair(elements_[end].id, elements_[i].id); ++end) {
      const ContactElement& element = elements_[end];
      if (element.is_smooth || !element.law.has_layer()) continue;
      Plane& plane = plane_of(element.corner);
      plane.depth += std::max(0.0, element.depth);
      ++plane.corners;
    }
    for (std::size_t k = i; k < end; ++k) {
      if (elements_[k].is_smooth) continue;
      const Plane& plane = plane_of(elements_[k].corner);
      elements_[k].sunk = plane.corners > 0 ? -plane.depth / plane.corners : 0;
    }
  }
}

/// Drops corners that push beside a face while the bodies are apart, since a face's plane goes on beyond its edges.
/// True if there were any.
bool QuasiRigidStepper::drop_beside_face(const Model& model) {
  const auto pushes_beside = [&](const ContactElement& element) {
    if (element.is_smooth || !(element.law.impulse(z_.segment(element.law_index(), element.law.size()))[2] > 0)) {
      return false;
    }
    const auto& X_WB = problem_.motion().workspace().X_WB;
    return finder_.nearest(model, element.id.a, element.id.b, X_WB).gap > other_branch * size_.least();
  };
  const std::size_t before = dropped_.size();
  for (const ContactElement& element : elements_) {
    if (pushes_beside(element)) dropped_.push_back(element.id);
  }
  std::erase_if(elements_, [&](const ContactElement& element) {
    return std::find(dropped_.begin(), dropped_.end(), element.id) != dropped_.end();
  });
  return dropped_.size() > before;
}

}  // namespace carom
