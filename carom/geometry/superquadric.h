#pragma once

#include <string>

#include "carom/geometry/shape.h"
#include "carom/geometry/support.h"

namespace carom {

/// Fault of the exponents, as a sentence's end; empty if there is none.
std::string exponents_fault(const Superquadric& solid);

/// By Dirichlet's integral: over Σ |uᵢ|^pᵢ ≤ 1, ∫ Π |uᵢ|^(aᵢ − 1) du = 8 Π (Γ(aᵢ/pᵢ)/pᵢ) / Γ(1 + Σ aᵢ/pᵢ).
SpatialInertia superquadric_inertia(const Superquadric& solid, double density);

/// The point where ∇f is along d, f = Σ |xᵢ/eᵢ|^pᵢ: |xᵢ|/eᵢ = (eᵢ |dᵢ|/(λ pᵢ))^(1/(pᵢ − 1)). The λ that puts it on the
/// surface comes from Newton's method on the logarithm of f over log λ. This function is convex and falls, so the
/// method climbs to the root from the left whatever the numbers. With F = ∇²f, g = ∇f and d = λ g the Hessian is
/// (F⁻¹ − F⁻¹ g gᵀ F⁻¹/gᵀ F⁻¹ g)/λ. It is infinite where the surface is flat. Here a curvature of 1e-10 of what the
/// semi-axes give bounds it.
Support superquadric_support(const Superquadric& solid, const Vec3& direction);

/// Farthest distance of a point from the origin, m: an upper bound, within 1e-9 of it.
double superquadric_radius(const Superquadric& solid);

}  // namespace carom
