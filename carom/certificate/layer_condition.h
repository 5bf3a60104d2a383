#pragma once

#include "carom/model/layer.h"
#include "carom/spatial/types.h"

namespace carom {

/// One layer in a step, and the impulse p = (p_t, p_o, p_n) on it, N s.
struct PressedLayer {
  double share = 1;                               ///< of its stiffness and damping
  double slack = 0;                               ///< by which its core is nearer than its thickness, m
  Vec3 start = Vec3::Zero(), end = Vec3::Zero();  ///< δ and δ⁺, m
};

/// Distance of a layer from its law over a step of length h, impulses relative to `impulse`, lengths to `length`:
///
///   p = p_s(δ, δ⁺) + p_r e_n,   0 ≤ p_r ⊥ δ° − slack − δ⁺_n ≥ 0
///
/// Kelvin and Voigt have p_s = h K δ⁺ + C (δ⁺ − δ). Hertz (c = 0) and Hunt and Crossley have
/// p_s,n = K (δ⁺_n)^η (h + 3/2 c (δ⁺_n − δ_n)), beside springs along the surface. The last goes back no faster than it
/// can without a pull, δ⁺_n ≥ max(0, δ_n − h / (3/2 c)). Chakraborty, Berard, Akella and Trinkle 2007, (10) to (15),
/// with the law on the springs' part as their text has it. Forces are computed from deflections, which no solver does.
/// O(1).
double layer_residual(const Layer& layer, double h, const PressedLayer& pressed, const Vec3& p, double impulse,
                      double length);

}  // namespace carom
