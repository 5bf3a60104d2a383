#pragma once

#include "carom/complementarity/contact_problem.h"

namespace carom {

/// Newton's hypothesis for one block inside a time step: v_n⁺ ≥ −e v_n⁻ ⊥ p_n.
///
/// Tightens `block.offset`: offset ← min(offset, −e s) with e = block.restitution. Here s = −v_n⁻ > 0 is the approach
/// speed (m/s) before the step. The condition 0 ≤ u_n⁺ + offset already there (a gap that must not close) still holds.
/// Energy: one contact alone never gains. Several contacts at once can (Kane's example), and the certificate then says
/// so.
inline void apply_newton(double approach_speed, Block& block) {
  const double rebound = -block.restitution * approach_speed;
  if (rebound < block.offset) block.offset = rebound;
}

}  // namespace carom
