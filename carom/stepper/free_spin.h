#pragma once

#include "carom/spatial/types.h"

namespace carom {

/// Angular velocity after a time h without torque, in the body's axes: I (ω⁺ − ω) + h ω̄ × I ω̄ = 0 with the mean ω̄ of
/// both, by Newton's method from ω⁺ = ω. It keeps ω·Iω and |Iω|.
Vec3 torque_free_spin(const Mat3& inertia, const Vec3& spin, double h);

/// The spin ω⁺ in fixed axes of a body whose spin goes from ω, `spin`, to a, `after`. Both are in the body's axes,
/// which are the fixed ones at first. In between the body turns for the time h along the mean of both as seen from
/// outside:
///
///   ω⁺ = exp(h u) a,   u = ½ (ω + ω⁺)
///
/// The equation is solved for any h. With s = ½ (ω + a), d = ½ (a − ω), u = μ n, |n| = 1 and τ = tan(½ h μ) it reads
/// s = μ n + τ d × n. So μ is a root of |n| = 1 below |s|, the only one if the turn is less than π, and n has a closed
/// form. Another weight θ of ω⁺ in the mean, u = (1 − θ) ω + θ ω⁺, needs turns h |ω|, h |a| of less than 1 rad: u is
/// then found by iteration, each with θ h |a| times the error of the one before.
Vec3 carried_spin(const Vec3& spin, const Vec3& after, double h, double theta = 0.5);

}  // namespace carom
