#pragma once

#include "carom/complementarity/contact_problem.h"

namespace carom {

/// Newton's hypothesis for one block inside a time step: v_n⁺ ≥ −e v_n⁻ ⊥ p_n.
///
/// Tightens `block.offset`, so that the condition 0 ≤ u_n⁺ + offset already there (a gap that must not close) still
/// holds: offset ← min(offset, −e s), with s = −v_n⁻ > 0 the approach speed (m/s) before the step and e =
/// block.restitution. Energy: one contact alone never gains; several contacts at once can (Kane's example), and the
/// certificate then says so.
inline void apply_newton(double approach_speed, Block& block) {
  const double rebound = -block.restitution * approach_speed;
  if (rebound < block.offset) block.offset = rebound;
}

}  // namespace carom
