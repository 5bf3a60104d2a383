#include "carom/stepper/compliant/compliant_contacts.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/contact/hertz.h"
#include "carom/dynamics/joint_column.h"
#include "carom/dynamics/recursions.h"
#include "carom/impact/sheared_layer.h"

namespace carom {
namespace {

/// Most rate at which sliding friction turns, times √(m/k) of the contact: long steps could not follow a quicker one.
constexpr double turning = 30;

/// tau += the generalized force of a force (world, N) at a point of a body.
void push(const Model& model, int body, const Vec3& point, const Vec3& force, const DynamicsWorkspace& workspace,
          VectorX& tau) {
  if (body < 0) return;
  const Vec3 arm = point - workspace.nodes[static_cast<std::size_t>(body)].p;
  add_projected(model, body, {arm.cross(force), force}, workspace, tau.data());
}

void push_apart(const Model& model, const Contact& contact, const Vec3& force, const DynamicsWorkspace& workspace,
                VectorX& tau) {
  push(model, contact.body_a, contact.p_WA, force, workspace, tau);
  push(model, contact.body_b, contact.p_WB, -force, workspace, tau);
}

/// Share of its stiffness that a point of a pair of colliders has beside those near it. first, count: the pair's,
/// compressed or touching.
double share_of(const Contact& contact, const Contact* first, std::size_t count) {
  double crowd = 1;
  for (const Contact* other = first; other != first + count; ++other) {
    if (other->id == contact.id) continue;
    const double square = (contact.p_WA + contact.p_WB - other->p_WA - other->p_WB).squaredNorm() / 4;
    const double near = 1 - square / (contact.radius * contact.radius);
    if (near > 0) crowd += near * near * std::clamp(other->gap / contact.gap, 0.0, 1.0);
  }
  return 1 / crowd;
}

CompliantSurfaces surfaces_of(const Contact& contact, double share, double transition_speed) {
  const ContactMaterial& together = contact.surface;
  return {{share * hertz_stiffness(contact), 1.5},
          together.dissipation,
          together.friction,
          together.static_friction,
          together.viscous_friction,
          transition_speed};
}

/// Mass of the lighter body that can move, kg; infinite where none has a mass.
double lighter_mass(const Model& model, const Contact& contact) {
  double least = std::numeric_limits<double>::infinity();
  for (const int body : {contact.body_a, contact.body_b}) {
    if (body >= 0 && model.bodies()[body].inertia.mass > 0) least = std::min(least, model.bodies()[body].inertia.mass);
  }
  return least;
}

/// Mean rate at which the two bodies turn about the normal, rad/s.
double mean_spin(const Contact& contact, const DynamicsWorkspace& workspace) {
  double sum = 0;
  for (const int body : {contact.body_a, contact.body_b}) {
    if (body >= 0) sum += workspace.nodes[static_cast<std::size_t>(body)].V.angular.dot(contact.R_WC.col(2));
  }
  return 0.5 * sum;
}

}  // namespace

CompliantContacts::CompliantContacts(const Model& model, const CompliantSettings& settings)
    : settings_(settings), finder_(model) {
  rows_.reserve(1);
}

/// Force of a contact with a tangential spring, and the rates of the spring's numbers.
void CompliantContacts::set_sheared(const Model& model, const CompliantSurfaces& surfaces,
                                    const DynamicsWorkspace& workspace, const Sprung& sprung,
                                    CompressedContact& compressed) const {
  const Contact& contact = compressed.contact;
  compressed.spring = sprung.springs.find(contact.id);
  Vec2 deflection = Vec2::Zero();
  Eigen::Matrix2d turn = Eigen::Matrix2d::Identity();
  if (compressed.spring < 0) {
    sprung.springs.miss(contact);
  } else {
    turn = sprung.springs.turn(compressed.spring, contact);
    deflection = turn.transpose() * Eigen::Map<const Vec2>(sprung.deflections + 2 * compressed.spring);
  }
  const double z = compressed.depth();
  compressed.lighter_mass = lighter_mass(model, contact);
  const ShearedSurfaces sheared{surfaces.layer, surfaces.dissipation, *contact.surface.tangential_spring,
                                friction_of_spring(surfaces, compressed.velocity.head<2>().norm()),
                                turning * std::sqrt(surfaces.layer.slope(z) / compressed.lighter_mass)};
  const ShearedState state = sheared_layer(sheared, z, compressed.velocity, deflection);
  compressed.force = state.force;
  compressed.stored = state.stored;
  compressed.loss = state.loss;
  compressed.held = state.held;
  compressed.beyond = state.beyond;
  compressed.shear_stiffness = state.stiffness;
  if (compressed.spring < 0 || sprung.rates == nullptr) return;
  const Vec2 turned = mean_spin(contact, workspace) * Vec2(-deflection[1], deflection[0]);
  Eigen::Map<Vec2>(sprung.rates + 2 * compressed.spring) = turn * (state.rate + turned);
}

void CompliantContacts::add_surface(const Model& model, const Contact& found, double share,
                                    const DynamicsWorkspace& workspace, const Sprung& sprung, VectorX& tau) {
  CompressedContact& compressed = list_.emplace_back();
  Contact& contact = compressed.contact = found;
  contact.p_WA = contact.p_WB = 0.5 * (found.p_WA + found.p_WB);
  compressed.velocity = contact.R_WC.transpose() * (point_velocity(contact.body_a, contact.p_WA, workspace) -
                                                    point_velocity(contact.body_b, contact.p_WB, workspace));
  const CompliantSurfaces surfaces = surfaces_of(contact, share, settings_.transition_speed);
  if (contact.surface.tangential_spring) {
    set_sheared(model, surfaces, workspace, sprung, compressed);
  } else {
    const double z = compressed.depth();
    compressed.force = compliant_force(surfaces, z, compressed.velocity);
    compressed.stored = surfaces.layer.energy(z);
    compressed.loss = compressed.force.dot(compressed.velocity) - surfaces.layer.force(z) * compressed.velocity[2];
  }
  push_apart(model, contact, contact.R_WC * compressed.force, workspace, tau);
}

void CompliantContacts::add_stop(const Model& model, const Contact& found, const VectorX& v,
                                 const DynamicsWorkspace& workspace, VectorX& tau) {
  CompressedContact& compressed = list_.emplace_back();
  compressed.contact = found;
  const double z = compressed.depth(), rate = gap_rate(found, v, workspace);
  const ElasticLayer spring{settings_.limit_stiffness, 1};
  const double force = damped_force(spring, settings_.limit_dissipation, z, rate);
  compressed.velocity[2] = rate;
  compressed.force[2] = force;
  compressed.stored = spring.energy(z);
  compressed.loss = (force - spring.force(z)) * rate;
  if (found.id.is_limit() || found.id.is_tendon()) {
    rows_.clear();
    append_rows(found, rows_);
    rows_.front().for_each_term([&](int k, double coefficient) { tau[k] += coefficient * force; });
  } else {
    push_apart(model, found, force * found.R_WC.col(2), workspace, tau);
  }
}

void CompliantContacts::evaluate(const Model& model, const VectorX& q, const VectorX& v,
                                 const DynamicsWorkspace& workspace, ContactSprings& springs, const double* deflections,
                                 double* rates, VectorX& tau) {
  list_.clear();
  if (rates != nullptr) std::fill_n(rates, 2 * springs.size(), 0.0);
  const std::vector<Contact>& found = finder_.find(model, q, workspace.X_WB, 0, 0);
  std::size_t first = 0;  // of the pair of colliders that the contact is of
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Contact& contact = found[i];
    if (contact.id.a != found[first].id.a || contact.id.b != found[first].id.b) first = i;
    if (!(contact.gap < 0)) continue;
    if (!contact.id.is_surface()) {
      add_stop(model, contact, v, workspace, tau);
      continue;
    }
    std::size_t end = i + 1;
    while (end < found.size() && found[end].id.a == contact.id.a && found[end].id.b == contact.id.b) ++end;
    add_surface(model, contact, share_of(contact, &found[first], end - first), workspace, {springs, deflections, rates},
                tau);
  }
}

const CompressedContact* CompliantContacts::find(const ContactId& id) const {
  const auto place = std::lower_bound(list_.begin(), list_.end(), id,
                                      [](const CompressedContact& c, const ContactId& i) { return c.contact.id < i; });
  return place != list_.end() && place->contact.id == id ? &*place : nullptr;
}

double CompliantContacts::stored() const {
  double sum = 0;
  for (const CompressedContact& contact : list_) sum += contact.stored;
  return sum;
}

double CompliantContacts::loss() const {
  double sum = 0;
  for (const CompressedContact& contact : list_) sum += contact.loss;
  return sum;
}

double CompliantContacts::power() const {
  double sum = 0;
  for (const CompressedContact& contact : list_) sum += contact.force.dot(contact.velocity);
  return sum;
}

bool CompliantContacts::has_slid() const {
  return std::any_of(list_.begin(), list_.end(), [](const CompressedContact& contact) { return contact.beyond > 0; });
}

Contact CompliantContacts::at(const Model& model, const ContactId& id, const VectorX& q,
                              const DynamicsWorkspace& workspace) {
  Contact contact;
  if (finder_.evaluate(model, id, q, workspace.X_WB, contact)) return contact;
  return finder_.nearest(model, id.a, id.b, workspace.X_WB);
}

}  // namespace carom
