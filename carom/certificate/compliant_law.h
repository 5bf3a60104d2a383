#pragma once

#include <vector>

#include "carom/certificate/compliant_forces.h"
#include "carom/contact/contact_finder.h"
#include "carom/dynamics/workspace.h"

// The law of compliant contacts (docs/theory/compliant.md), by formulas of the judge's own. With the overlap z, the
// velocity u of A relative to B, D = max(0, 1 − (3/2) c u_n) and Hertz's stiffness K (hertz.h):
//
//   surfaces         f_n = D K_i z^(3/2),  K_i = K / Σ_j κ(d_ij) min(1, z_j/z_i) over the points of a pair of shapes
//                    f_t opposes u_t with all of μ f_n, μ(‖u_t‖) Stribeck's curve
//   with a spring    f_n = D K_i z ρ^(1/2),  ρ² = z² + a d²,  d = D z ‖f_t‖ / (a f_n),  ‖f_t‖ ≤ μ f_n
//   limits, ropes    f = D k z
//
// Sources: Hertz; Hunt and Crossley 1975; Sherman, Seth and Delp 2011, figure 5. What is shared with a stepper is the
// search for contacts (places, frames, combined materials, radii) and K. How a spring's deflection moves is not judged.
namespace carom {

/// A contact at a state, as the law has it.
struct LawfulContact {
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

/// The law for all contacts of a mechanism. Keeps its buffers.
class CompliantLaw {
 public:
  explicit CompliantLaw(const Model& model) : finder_(model) {}

  /// All contacts that overlap, sorted by id. The workspace holds forward_velocity of q and v. Costs a search for
  /// contacts, and the square of the points of each pair of shapes.
  const std::vector<LawfulContact>& find(const Model& model, const CompliantForces& forces, const VectorX& q,
                                         const VectorX& v, const DynamicsWorkspace& workspace);

  /// Friction over that at rest, of what slips at this speed, while it rises with the slip: 0 to 1.
  static double rise(double slip, double transition_speed);

 private:
  ContactFinder finder_;
  std::vector<LawfulContact> contacts_;
};

}  // namespace carom
