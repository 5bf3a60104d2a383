#pragma once

#include "carom/model/layer.h"
#include "carom/spatial/types.h"

namespace carom {

/// A normal impulse p = p* (q/p*)^N by its unknown q ≥ 0, both N s. N = 1: p = q. With N at least the exponent η of a
/// layer, its deflection, which goes like p^(1/η), has a finite slope by q where contact begins.
struct NormalImpulse {
  double q = 0;         ///< N s
  double exponent = 1;  ///< N ≥ 1
  double scale = 1;     ///< p* > 0, N s

  double value() const;
  double slope() const;  ///< dp/dq
};

/// One layer at the end of a step under the impulse p = (p_t, p_o, p_n) on body A.
struct LayerDeflection {
  Vec3 delta = Vec3::Zero();  ///< δ⁺ (t, o, n), m
  Mat3 slope = Mat3::Zero();  ///< columns ∂δ⁺/∂p_t, ∂δ⁺/∂p_o, ∂δ⁺/∂q, m/(N s)
  double core = 0;            ///< p_r, the part of p_n that the core bears, N s, ≥ 0
};

/// Deflection of one layer in compliance form, given the impulses on it (t, o, n; N s; h in s, start = δ in m):
///
///   Kelvin–Voigt     δ⁺ = S (p − p_r e_n + C δ),   S = (h K + C)⁻¹,   0 ≤ p_r ⊥ δ° − δ_n⁺ ≥ 0
///   Hertz            δ_n⁺ = min((p_n / h K)^(1/η), δ°)
///   Hunt–Crossley    δ_n⁺ = min(root of h K δ^η (1 + 3/2 c (δ − δ_n)/h) = p_n, δ°), the greatest root: without p_n it
///                    creeps back at 1/(3/2 c), down to zero
///
/// A layer that is not sideways has δ_t = δ_o = 0, and only the entries zz of K and C count. Along the surface of Hertz
/// and Hunt–Crossley, K and C work as Kelvin–Voigt without coupling to the normal. Chakraborty et al. 2007, (10) to
/// (15): backward Euler. The function δ(p) is monotone, with a kink where the core is reached. There is one solution.
/// O(1). Hunt–Crossley uses Newton's method from above on a convex function, which cannot fail.
LayerDeflection layer_deflection(const Layer& layer, double h, const Vec3& start, const Eigen::Vector2d& tangential,
                                 const NormalImpulse& normal);

/// Energy that the layer holds at δ, J. normal_alone: of the deflection along the normal.
double layer_energy(const Layer& layer, const Vec3& delta, bool normal_alone);

/// Loss of dampers in a step from δ to δ⁺, and of backward Euler in the springs, J. Both ≥ 0.
struct LayerLoss {
  double damped = 0, rounded_off = 0;
};
LayerLoss layer_loss(const Layer& layer, double h, const Vec3& start, const Vec3& end, bool normal_alone);

}  // namespace carom
