#pragma once

#include "carom/certificate/evidence.h"
#include "carom/dynamics/workspace.h"

namespace carom {

/// Slopes of a step's discrete Lagrangian L_d(q₀, q₁) = h L(q_m, w). Here q₁ = q₀ ⊞ h w and q_m = q₀ ⊞ (h/2) w. The
/// slopes come from the two ends of the step alone, by the judge's own formulas. Momenta are in fixed axes, so that
/// those of different positions add. A spherical joint or a free body has them in the axes of the joint's frame F, a
/// free body about its centre of mass.
///
/// Lengths and angles have p⁻ = μ − (h/2) f with μ = M w. Here f = ∂(½ wᵀ M w)/∂q + all forces at q_m. A rotation has
/// y = log(R₀ᵀ R₁). A variation b of R₀ in its own axes makes δy = −J_l(y)⁻¹ b. In the axes of R_m = R₀ exp(y/2) it
/// makes δR_m = exp(−y/2) b + ½ J_r(y/2) δy. Here J_l(y) = J_r(y)ᵀ is the left differential of exp (Bou-Rabee and
/// Marsden 2009). Inserted into δL_d = h f · δR_m + μ · δy:
///
///   p⁻ = R₀ J_r(y)⁻¹ (μ + (h/2) J_l(y/2) f) − R_m h f
///
/// Whatever the joint, moving the whole path at once gives p⁺ − p⁻ = h f in fixed axes. The velocities at both ends
/// tell which of the rotations by y and y − 2π y/|y| was meant. Beyond half a turn in half a step there is no such
/// path. O(n). Allocates in the constructor alone.
class DiscreteAction {
 public:
  explicit DiscreteAction(const Model& model);

  /// Leaves forward_velocity at q_m in the workspace.
  void evaluate(const Model& model, const StepEvidence& evidence, DynamicsWorkspace& workspace);

  // The last evaluation's.
  const VectorX& rate() const { return rate_; }        ///< w, in the coordinates at q₀
  const VectorX& start() const { return start_; }      ///< p⁻, fixed axes
  const VectorX& impulse() const { return impulse_; }  ///< h f, fixed axes
  const VectorX& opposed() const { return opposed_; }  ///< h Σ |f| of all sources, each by itself, coordinates at q_m

  /// Converts a momentum at q to fixed axes, and back. `fixed` may be `own`.
  static void to_fixed_axes(const Model& model, const VectorX& q, const VectorX& own, VectorX& fixed);
  static void to_own_axes(const Model& model, const VectorX& q, const VectorX& fixed, VectorX& own);

 private:
  void find_way(const Model& model, const StepEvidence& evidence);
  void add_forces(const Model& model, const StepEvidence& evidence, DynamicsWorkspace& workspace);
  void end_rotation(const Model& model, int body, const StepEvidence& evidence);

  VectorX damping_;
  VectorX way_, rate_, q_middle_, rate_middle_, momentum_, slope_, force_, opposed_, start_, impulse_, scratch_;
};

}  // namespace carom
