#pragma once

#include "carom/import/imported_model.h"

namespace carom {

/// Takes links without mass and, but for roots, without shapes out of the model where the motion stays well defined:
///
/// - One that a joint hangs on another, and that carries one joint, becomes coordinates of that joint: the chain
///     X_PF exp(ξ₁ q₁) A exp(ξ₂ q₂) X_MB,   A = X_B₁M₁⁻¹ X_P₂F₂,
///   is the twists joint  X_PF exp(ξ₁ q₁) exp(Ad_A ξ₂ q₂) A X_MB,  named FIRST+SECOND. Only joints with scalar
///   coordinates, six together, whose twists are independent at the start: otherwise the mass matrix would be singular.
/// - One that carries nothing is held on its joint at the start, unless a constraint or a drive acts there: nothing
///   that has mass moves with it. `warnings` of the model name it.
///
/// - A root, which hangs on nothing, is fixed to the world: of bases that weigh nothing this is what the field's
/// programs
///   do, and nothing would say how it moves. It may have shapes.
///
/// Frames of a link that was held move to its parent; a link that has frames is not made a coordinate of another.
void absorb_massless_links(ImportedModel& model);

}  // namespace carom
