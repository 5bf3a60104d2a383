#pragma once

#include <optional>
#include <string>

#include "carom/spatial/inertia.h"

namespace carom {

/// The rotational inertia nearest to the one given that a body of its mass can have, about the same mass centre.
///
/// The second moments of a body, Σ = ∫ r rᵀ dm = ½ tr(I) 1 − I, are positive semidefinite. Every such Σ with positive
/// mass belongs to some body (Wensing, Kim, Slotine 2018, eq. 11). The nearest in the Frobenius norm of Σ has the
/// negative eigenvalues of Σ at zero (Higham 1988). Here they are raised to 1e-6 of the largest, so that all moments of
/// inertia are positive beyond round-off. Returns nothing if the mass is not positive, a number is not finite, the
/// matrix is not symmetric, or no eigenvalue of Σ is positive.
std::optional<SpatialInertia> nearest_inertia(const SpatialInertia& inertia);

/// "ixx 0.1, ixy 0, …, moments of inertia changed by at most 3 %": how the tensor of `nearest` differs from `given`.
std::string told_of_nearest(const SpatialInertia& given, const SpatialInertia& nearest);

}  // namespace carom
