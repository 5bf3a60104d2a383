#pragma once

#include <vector>

#include "carom/contact/contact_finder.h"
#include "carom/dynamics/workspace.h"

namespace carom {

/// What a stepper declares of contact forces that are functions of overlap and velocity, beside the materials' data.
struct Compliance {
  double transition_speed = 0;   ///< of friction's rise with slip, > 0, m/s; in joints m/s or rad/s
  double limit_stiffness = 0;    ///< of joint limits and taut ropes, N m/rad or N/m
  double limit_dissipation = 0;  ///< of these, s/rad or s/m
};

/// What the law of compliant contacts says of one at a state.
struct CompliantContact {
  Contact contact;               ///< its points are where the force acts
  Vec3 velocity = Vec3::Zero();  ///< of A relative to B, contact frame, m/s; of limits and ropes z alone, rad/s or m/s
  double elastic = 0;            ///< normal force without damping and shear, N or N m
  double damping = 1;            ///< D ≥ 0, which it is times
  double shear = 0;              ///< a = (3/2) κ of a tangential spring; 0 without one
  Vec2 friction = Vec2::Zero();  ///< semi-axes of its limit, per unit normal force. Without a spring friction opposes
                                 ///< the slip with all of it

  /// N or N m. `slope`: friction over normal force, of which a spring's deflection follows.
  double normal_force(double slope) const;
};

/// The law of compliant contacts (docs/theory/compliant.md) by formulas of the judge's own. Shapes and Hertz's
/// stiffness are those of the rooms below.
class CompliantLaw {
 public:
  explicit CompliantLaw(const Model& model) : finder_(model) {}

  /// All contacts that overlap, sorted by id. The workspace holds forward_velocity of q and v. O(bodies + contacts).
  const std::vector<CompliantContact>& find(const Model& model, const Compliance& compliance, const VectorX& q,
                                            const VectorX& v, const DynamicsWorkspace& workspace);

  /// Friction over that at rest, of what slips at this speed, while it rises with the slip: 0 to 1.
  static double rise(double slip, double transition_speed);

 private:
  ContactFinder finder_;
  std::vector<CompliantContact> contacts_;
};

}  // namespace carom
