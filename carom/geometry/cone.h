#pragma once

#include <string>

#include "carom/geometry/shape.h"
#include "carom/geometry/support.h"

namespace carom {

std::string cone_fault(const Cone& cone);

/// The profile is r² = 2 ρ y + t² y² at the depth y below the tip, with t = tan α. The mass is π σ (ρ H² + t² H³/3);
/// the integrals of y, y² and r⁴/4 are alike.
SpatialInertia cone_inertia(const Cone& cone, double density);

/// On the side, with τ = ρ/t and G = diag(−t², −t², 1), the support function is that of the hyperboloid,
///
///     h(d) = (H + τ/t) d_z − (τ/t) √(dᵀ G d),
///
/// where d_z > 0 and the point lies above the base, |d_xy| t/d_z < R/√(R² + τ²); else the farthest point is on the rim.
Support cone_support(const Cone& cone, const Vec3& direction);

}  // namespace carom
