#pragma once

#include <Eigen/Core>
#include <span>

#include "carom/complementarity/least_norm/labelled_system.h"

namespace carom {

/// The problem of one interval before it is decided which normals push. Labels say which blocks compress (active),
/// expand (given), observe (absent) or only must not approach (open). For the tangents they say:
///
///     free                may roll or begin to slip in any direction, or need no impulse
///     rolling             rolls
///     sliding, slipping   slides with friction along the label's slip
///
/// With `free` for every slow block the bound holds for all active sets. With the labels that pruning ended at, normals
/// set back to active, it holds for all that roll and slip alike. The stiffness has k entries or none. A view.
struct LeastNormProblem {
  Eigen::Ref<const Eigen::MatrixXd> A;
  Eigen::Ref<const Eigen::VectorXd> u;
  std::span<const Block> blocks;
  std::span<const BlockLabel> labels;
  std::span<const double> stiffness;
};

/// Multipliers that bound the norm of every admissible answer. With w = u + offset + A p, every admissible p satisfies
///
///     w_z ≥ 0 (active, open), w = 0 (bilateral), w_xy = 0 (rolling)                  multiplier λ  (k)
///     p_z ≥ 0 (active and sliding), ‖M⁻¹ p_xy‖ ≤ p_z (free, rolling)                 multiplier ν  (k)
///     Σ p_i w_i ≤ 0 over bilateral rows, active normals and free or rolling tangents multiplier τ
///
/// and has p = 0 where open or absent, p_z as given, p_xy = −p_z M s where sliding. The last line is what is left of
/// complementarity. Bilateral and normal terms vanish. Friction takes power at the end where it begins to slip, and
/// none where it rolls. So
///
///     ½ Σ p_i² / k_i ≥ min_p ½ Σ p_i² / k_i − λᵀ w − νᵀ p + τ Σ p_i w_i
///
/// for every τ ≥ 0, λ_z ≥ 0, and ν in the dual cones ν_z ≥ ‖M ν_xy‖. The right side is a quadratic in the free
/// impulses; its minimum is finite if its Hessian is positive definite. Without friction the best multipliers reach the
/// least norm, if need be in the limit τ → ∞. The conditions then describe the solutions of the complementarity
/// problem, and are convex. If slip is free, the bound is usually well below: the conditions do not know that friction
/// is at its limit where it slips. If no admissible answer exists, the bound can often be raised without end.
struct NormDual {
  Eigen::VectorXd lambda, nu;
  double tau = 0;
  double bound = 0;  ///< of √(Σ p_i² / k_i), as claimed
};

/// The bound that the multipliers prove; 0 if they are not valid. Separate code computes it anew from the problem and
/// allows for round-off. A claim holds if this is not less than dual.bound. O(k³).
double proven_norm(const LeastNormProblem& problem, const NormDual& dual);

}  // namespace carom
