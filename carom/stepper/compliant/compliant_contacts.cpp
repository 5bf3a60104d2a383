#include "carom/stepper/compliant/compliant_contacts.h"

#include <algorithm>

#include "carom/contact/hertz.h"
#include "carom/dynamics/joint_column.h"
#include "carom/dynamics/recursions.h"

namespace carom {
namespace {

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

}  // namespace

CompliantContacts::CompliantContacts(const Model& model, const CompliantSettings& settings)
    : settings_(settings), finder_(model) {}

void CompliantContacts::add_surface(const Model& model, const Contact& found, double share,
                                    const DynamicsWorkspace& workspace, VectorX& tau) {
  CompressedContact& compressed = list_.emplace_back();
  Contact& contact = compressed.contact = found;
  contact.p_WA = contact.p_WB = 0.5 * (found.p_WA + found.p_WB);
  compressed.velocity = contact.R_WC.transpose() * (point_velocity(contact.body_a, contact.p_WA, workspace) -
                                                    point_velocity(contact.body_b, contact.p_WB, workspace));
  const CompliantSurfaces surfaces = surfaces_of(contact, share, settings_.transition_speed);
  const double z = compressed.depth();
  compressed.force = compliant_force(surfaces, z, compressed.velocity);
  compressed.stored = surfaces.layer.energy(z);
  compressed.loss = compressed.force.dot(compressed.velocity) - surfaces.layer.force(z) * compressed.velocity[2];
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
  if (found.id.is_limit()) {
    tau[found.id.b] += found.id.feature == ContactId::lower ? force : -force;
  } else {
    push_apart(model, found, force * found.R_WC.col(2), workspace, tau);
  }
}

void CompliantContacts::evaluate(const Model& model, const VectorX& q, const VectorX& v,
                                 const DynamicsWorkspace& workspace, VectorX& tau) {
  list_.clear();
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
    add_surface(model, contact, share_of(contact, &found[first], end - first), workspace, tau);
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

Contact CompliantContacts::at(const Model& model, const ContactId& id, const VectorX& q,
                              const DynamicsWorkspace& workspace) {
  Contact contact;
  if (finder_.evaluate(model, id, q, workspace.X_WB, contact)) return contact;
  return finder_.nearest(model, id.a, id.b, workspace.X_WB);
}

}  // namespace carom
