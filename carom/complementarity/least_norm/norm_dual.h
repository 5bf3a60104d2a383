#pragma once

#include <Eigen/Core>
#include <span>

#include "carom/complementarity/least_norm/labelled_system.h"

namespace carom {

/// The problem of one interval before it is decided which normals push: labels say which blocks compress (active),
/// expand (given), observe (absent) or only must not approach (open), and of the tangents
///
///     free                may roll or begin to slip in any direction, or need no impulse
///     rolling             rolls
///     sliding, slipping   slides with friction along the slip of the label
///
/// so that with `free` for every slow block the bound holds for all active sets, and with the labels that pruning ended
/// at, normals set back to active, for all those that roll and slip alike. stiffness: k or empty. A view.
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
/// complementarity: bilateral and normal terms vanish, and friction takes power at the end where it begins to slip, and
/// none where it rolls. So
///
///     ½ Σ p_i² / k_i ≥ min_p ½ Σ p_i² / k_i − λᵀ w − νᵀ p + τ Σ p_i w_i
///
/// for every τ ≥ 0, λ_z ≥ 0, and ν in the dual cones ν_z ≥ ‖M ν_xy‖; the right side is a quadratic in the free
/// impulses, and its minimum is finite if its Hessian is positive definite. Without friction the best multipliers reach
/// the least norm (the conditions then describe the solutions of the complementarity problem, and are convex), if need
/// be in the limit τ → ∞. Where slip is free the bound is usually well below: the conditions do not know that friction
/// is at its limit where it slips. Where no admissible answer exists the bound can often be raised without end.
struct NormDual {
  Eigen::VectorXd lambda, nu;
  double tau = 0;
  double bound = 0;  ///< of √(Σ p_i² / k_i), as claimed
};

/// The bound that the multipliers prove, computed anew from the problem by code of its own, round-off allowed for; 0 if
/// they are no valid multipliers. A claim holds if this is not less than dual.bound. O(k³).
double proven_norm(const LeastNormProblem& problem, const NormDual& dual);

}  // namespace carom
