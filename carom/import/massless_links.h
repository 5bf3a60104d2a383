#pragma once

#include "carom/import/imported_model.h"

namespace carom {

/// Removes links without mass (and, except for roots, without shapes) where the motion stays well defined:
///
/// - A link that hangs on a joint and carries one joint becomes coordinates of that joint. The chain
///     X_PF exp(ξ₁ q₁) A exp(ξ₂ q₂) X_MB,   A = X_B₁M₁⁻¹ X_P₂F₂,
///   becomes the twists joint  X_PF exp(ξ₁ q₁) exp(Ad_A ξ₂ q₂) A X_MB,  named FIRST+SECOND. Both joints need scalar
///   coordinates, at most six together. Their twists must be independent at the start, or the mass matrix would be
///   singular.
///
/// - A link that carries nothing is fixed at its start, unless a constraint or a drive acts there: nothing with mass
///   moves with it. The model's `warnings` name it.
///
/// - A root, which hangs on nothing, is fixed to the world, since nothing says how it moves. Other programs do the same
///   with massless bases. It may have shapes.
///
/// Frames of a link that was fixed move to its parent. A link that has frames does not become a coordinate of another.
void absorb_massless_links(ImportedModel& model);

}  // namespace carom
