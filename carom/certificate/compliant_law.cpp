#include "carom/certificate/compliant_law.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "carom/contact/hertz.h"
#include "carom/dynamics/recursions.h"

namespace carom {
namespace {

/// The polynomial that goes from 0 to 1 with no slope and no curvature at either end.
double smooth(double x) {
  x = std::clamp(x, 0.0, 1.0);
  const double square = x * x;
  return square * x * (6 * square - 15 * x + 10);
}

/// Friction of Stribeck's curve at a slip of x transition speeds.
double stribeck(double at_rest, double sliding, double x) {
  return x < 1 ? at_rest * smooth(x) : at_rest + (sliding - at_rest) * smooth((x - 1) / 2);
}

Vec3 middle(const Contact& contact) { return 0.5 * (contact.p_WA + contact.p_WB); }

/// Tips that a point of two faces shares its stiffness with, itself included: Σ κ(d_j) min(1, z_j / z).
double crowd(const std::vector<Contact>& found, const Contact& contact) {
  const auto pair_of = [](const Contact& of) { return std::pair(of.id.a, of.id.b); };
  double sum = 0;
  auto place = std::ranges::lower_bound(found, pair_of(contact), {}, pair_of);
  for (; place != found.end() && pair_of(*place) == pair_of(contact); ++place) {
    const Contact& other = *place;
    const double near = 1 - (middle(other) - middle(contact)).squaredNorm() / std::pow(contact.radius, 2);
    const double part = std::min(1.0, other.gap / contact.gap);
    if (other.id == contact.id) {
      sum += 1;
    } else if (near > 0 && part > 0) {
      sum += near * near * part;
    }
  }
  return sum;
}

/// The law of a surface contact whose layer has this share of Hertz's stiffness.
LawfulContact of_surfaces(const Contact& found, double share, double transition_speed,
                          const DynamicsWorkspace& workspace) {
  LawfulContact lawful;
  lawful.contact = found;
  const Vec3 place = lawful.contact.p_WA = lawful.contact.p_WB = middle(found);
  const Vec3 apart = point_velocity(found.body_a, place, workspace) - point_velocity(found.body_b, place, workspace);
  lawful.velocity = found.R_WC.transpose() * apart;
  const ContactMaterial& material = found.surface;
  const double slip = lawful.velocity.head<2>().norm();
  double x = slip / transition_speed;
  if (material.tangential_spring) {
    lawful.shear = 1.5 * material.tangential_spring->stiffness;
    x = std::max(x, 1.0);  // it holds what would creep
  }
  for (int axis = 0; axis < 2; ++axis) {
    lawful.friction[axis] = stribeck(material.static_friction[axis], material.friction[axis], x) +
                            material.viscous_friction * x * transition_speed;
  }
  lawful.elastic = share * hertz_stiffness(found) * std::pow(-found.gap, 1.5);
  lawful.damping = std::max(0.0, 1 - 1.5 * material.dissipation * lawful.velocity[2]);
  return lawful;
}

/// Likewise of a joint limit or a rope.
LawfulContact of_stop(const Contact& found, const CompliantForces& forces, const VectorX& v,
                      const DynamicsWorkspace& workspace) {
  LawfulContact lawful;
  lawful.contact = found;
  lawful.velocity[2] = gap_rate(found, v, workspace);
  lawful.elastic = forces.limit_stiffness * -found.gap;
  lawful.damping = std::max(0.0, 1 - 1.5 * forces.limit_dissipation * lawful.velocity[2]);
  return lawful;
}

}  // namespace

double LawfulContact::normal_force(double slope) const {
  // With a deflection d along the surface, slope = a ‖d‖ / (D z), the force is D K ρ^(1/2) z, ρ² = z² + a ‖d‖².
  const double sheared = shear > 0 ? std::pow(1 + std::pow(slope * damping, 2) / shear, 0.25) : 1;
  return damping * elastic * sheared;
}

double CompliantLaw::rise(double slip, double transition_speed) { return smooth(slip / transition_speed); }

const std::vector<LawfulContact>& CompliantLaw::find(const Model& model, const CompliantForces& forces,
                                                     const VectorX& q, const VectorX& v,
                                                     const DynamicsWorkspace& workspace) {
  contacts_.clear();
  const std::vector<Contact>& found = finder_.find(model, q, workspace.X_WB, 0, 0);
  for (const Contact& contact : found) {
    if (!(contact.gap < 0)) continue;
    contacts_.push_back(contact.id.is_surface()
                            ? of_surfaces(contact, 1 / crowd(found, contact), forces.transition_speed, workspace)
                            : of_stop(contact, forces, v, workspace));
  }
  return contacts_;
}

}  // namespace carom
