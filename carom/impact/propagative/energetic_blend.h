#pragma once

#include "carom/impact/propagative/energy_reading.h"
#include "carom/impact/propagative/normal_impact.h"

namespace carom {

struct EnergeticBlend : NormalOutcome {
  double weight = 0;       ///< s, share of the elastic outcome
  double lost_energy = 0;  ///< more than the elastic outcome loses, J; ≥ 0
};

/// The inelastic outcome on the way from the plastic to the elastic one (17),
///
///     p = p_pl + s (p_el − p_pl),   ½ ‖p_el‖² − ½ ‖p‖² = (1 − r) (½ ‖p_el‖² − ½ ‖p_pl‖²),
///
/// with r = e² or e. Let ΔE(s) = s b + s² a, a = ½ ‖p_el − p_pl‖² and b = ⟨p_pl, p_el − p_pl⟩. Then s is the root in
/// [0, 1] of ΔE(s) = r (a + b):
///
///     s = 2 r (a + b) / (b + √(b² + 4 a r (a + b))).
///
/// For the projection on the span b = 0, hence s = √r as in (18): s = e by default. For the projection on the feasible
/// cone b ≥ 0 (docs/theory/propagative.md). There the paper's s would lose another share than it says; this one does
/// not. The outcome is feasible if both are: the feasible momenta are a convex cone.
///
/// elastic, plastic: outcomes of the same impact. Throws carom::Error unless 0 ≤ e ≤ 1. O(k).
EnergeticBlend energetic_blend(const NormalOutcome& elastic, const NormalOutcome& plastic, double e,
                               EnergyReading reading = EnergyReading::speeds);

}  // namespace carom
