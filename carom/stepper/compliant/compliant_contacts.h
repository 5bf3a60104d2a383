#pragma once

#include <vector>

#include "carom/contact/contact_finder.h"
#include "carom/dynamics/workspace.h"
#include "carom/impact/compliant_force.h"
#include "carom/stepper/compliant/contact_springs.h"
#include "carom/stepper/method.h"

namespace carom {

/// A contact that bears a force because its layer is compressed.
struct CompressedContact {
  Contact contact;               ///< of surfaces both points lie midway between the two
  Vec3 velocity = Vec3::Zero();  ///< of A relative to B, contact frame, m/s; of a stop z alone, rad/s or m/s
  Vec3 force = Vec3::Zero();     ///< on A, contact frame, N; of a stop z alone, N m or N
  double stored = 0;             ///< in its layer, J
  double loss = 0;               ///< power f·u + d stored/dt that it takes, ≤ 0, W; of a spring that slides not all
  // With a tangential spring alone (sheared_layer.h).
  int spring = -1;             ///< its number
  Vec2 held = Vec2::Zero();    ///< deflection in the contact frame, m
  double beyond = 0;           ///< distance that it has slid since the step began, m
  double shear_stiffness = 0;  ///< N/m
  double lighter_mass = 0;     ///< of the bodies that can move, kg; infinite where none has a mass

  double depth() const { return -contact.gap; }
};

/// The forces of a mechanism's contacts as functions of position, velocity and of deflections along the surface:
///
///     Surfaces      z^(3/2) with Hertz's K = 4/3 E* √R (hertz.h) and the pair's dissipation and friction;
///                   sheared_layer.h with a tangential spring, else compliant_force.h.
///     Joint limits  z, with settings.limit_stiffness and limit_dissipation; taut ropes likewise.
///
/// z is the overlap, of a rope its excess length. If a face lies on a face, each point of the manifold has Hertz's law
/// of a tip of the material's contact_radius R. Points of a pair of colliders that lie nearer than R share one tip:
///
///     K_i = K / (1 + Σ_j κ(d_ij) min(1, z_j/z_i)),   κ(d) = (1 − d²/R²)² for d < R, else 0.
///
/// So nothing changes if a point parts in two as a corner passes over an edge, or is found twice. Edges that lie along
/// one another, however, meet in points that come and go with the least turn; there the force jumps. Both forces of a
/// pair of surfaces act at the one point midway between the two surface points. So they are in line, and the angular
/// momentum is kept. The rate of z is the same there, so the stored energy is a function of position.
///
/// Departure from the paper's Simbody, which shares z by the two stiffnesses: the point differs by less than z/2.
class CompliantContacts {
 public:
  CompliantContacts(const Model& model, const CompliantSettings& settings);

  /// Finds what is compressed, and adds its generalized force to tau (nv, N m or N). The workspace holds
  /// forward_velocity at q and v. `deflections`: two numbers per spring. `rates`: of these numbers, or null. Compressed
  /// contacts that lack a spring count as not deflected, and are told to springs.
  void evaluate(const Model& model, const VectorX& q, const VectorX& v, const DynamicsWorkspace& workspace,
                ContactSprings& springs, const double* deflections, double* rates, VectorX& tau);

  /// Contacts of the last evaluation, sorted by id.
  const std::vector<CompressedContact>& list() const { return list_; }
  const CompressedContact* find(const ContactId& id) const;
  double stored() const;  ///< J
  double loss() const;    ///< W, ≤ 0
  double power() const;   ///< f·u of surfaces and stops, W
  bool has_slid() const;  ///< a spring has since the step began, so that loss() is not all

  /// A contact where it is at q, compressed or not; where the pair has no such feature, the pair's nearest. The
  /// workspace holds forward_kinematics.
  Contact at(const Model& model, const ContactId& id, const VectorX& q, const DynamicsWorkspace& workspace);

 private:
  /// Springs and their numbers at an evaluation.
  struct Sprung {
    ContactSprings& springs;
    const double* deflections;
    double* rates;
  };
  void add_surface(const Model& model, const Contact& found, double share, const DynamicsWorkspace& workspace,
                   const Sprung& sprung, VectorX& tau);
  void set_sheared(const Model& model, const CompliantSurfaces& surfaces, const DynamicsWorkspace& workspace,
                   const Sprung& sprung, CompressedContact& compressed) const;
  void add_stop(const Model& model, const Contact& found, const VectorX& v, const DynamicsWorkspace& workspace,
                VectorX& tau);

  CompliantSettings settings_;
  ContactFinder finder_;
  std::vector<CompressedContact> list_;
  std::vector<ConstraintRow> rows_;  // of a stop
};

}  // namespace carom
