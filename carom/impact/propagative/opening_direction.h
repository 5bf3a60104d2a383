#pragma once

#include "carom/impact/propagative/normal_impact.h"

namespace carom {

/// Proof that all contacts can open at once, or that they cannot.
struct OpeningDirection {
  bool exists = false;
  double margin = 0;        ///< if it exists: the least cosine between the best direction and the normals, in (0, 1]
  Eigen::VectorXd weights;  ///< λ ≥ 0, Σ λ_i = 1: if it exists Σ λ_i n_i opens all; otherwise it is zero
};

/// Is there a c with ⟨c, n_i⟩ > 0 for all i? By Gordan's theorem, otherwise there are weights λ ≥ 0, not all zero, with
/// Σ λ_i n_i = 0: a body wedged between walls. Both follow from the point of least norm in the convex hull of the unit
/// normals, x = Σ λ_i n_i. It has ⟨x, n_i⟩ ≥ ‖x‖², with equality where λ_i > 0. So x / ‖x‖ opens every contact by the
/// largest possible margin, ‖x‖. The hull contains zero if and only if the contacts are wedged. To find x, the
/// nonnegative least-squares problem min ‖Σ y_i n_i‖² + (Σ y_i − 1)², y ≥ 0, is solved. Then λ = y / Σ y_i.
///
/// This is the condition under which every order of elastic resets ends. Margins below 1e-6 count as none. No contacts:
/// exists, margin 1. O(k³) as a rule.
OpeningDirection opening_direction(const NormalImpact& impact);

}  // namespace carom
