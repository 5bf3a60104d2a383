#pragma once

#include <optional>
#include <vector>

#include "carom/impact/compliant_impact.h"
#include "carom/impact/impact_certificate.h"
#include "carom/impact/impact_law.h"
#include "carom/scene/scene.h"
#include "carom/validation/mechanism_impact.h"
#include "carom/validation/planar_impact_file.h"

namespace carom {

/// The body of a scene, struck at one point by a fixed floor as a measured one was. Inertia, friction, restitution and
/// method are the scene's; contact and velocity are the measurement's. The scene's law solves the contact problem A = J
/// M⁻¹ Jᵀ, u = J v, with the restitution of the place on the floor. With stepper compliant, compliant contacts do, at a
/// fixed configuration (CompliantImpact), with the scene's dissipation and transition speed.
///
/// Keeps its buffers. The result of an impact does not depend on those before.
class PlanarStrike {
 public:
  /// Throws Error unless the scene has one body, on a planar joint in the xz plane, with its mass centre as the origin.
  /// The method must say what an impact does.
  explicit PlanarStrike(const Scene& scene);

  /// Velocity after the impact. Throws Error if the law does not resolve it.
  Vec3 after(const PlanarImpact& impact);
  /// The worst of all impacts so far, by code that is not the law's.
  const ImpactCertificate& certificate() const { return certificate_; }

 private:
  void solve(const ImpactProblem& problem);

  std::string file_;
  MechanismImpact impact_;
  std::optional<ImpactLaw> law_;
  CompliantImpact compliant_;
  CompliantOptions compliant_options_;
  std::vector<Contact> contacts_;
  PairRestitution restitution_;  // wherever nothing is added to it
  Collider floor_;
  VectorX q_, v_, p_, u_;
  ImpactStatus status_ = ImpactStatus::resolved;
  ImpactCertificate certificate_;
};

/// Velocities after impacts, and the worst of their certificates.
struct PlanarStrikes {
  std::vector<Vec3> after;
  ImpactCertificate certificate;
};
/// All of them, side by side on the threads there are; what comes out does not depend on their number.
PlanarStrikes strike_all(const Scene& scene, const std::vector<PlanarImpact>& impacts);

}  // namespace carom
