#pragma once

namespace carom {

/// What a blow does.
enum class LawKind {
  none,     ///< no restitution
  newton,   ///< v_n⁺ ≥ −e v_n⁻
  poisson,  ///< a second complementarity problem with the expansion impulse e c_n owed
  plus,     ///< rounds of compression and expansion (plus.h)
  plastic,  ///< e = 0 whatever the surfaces say (plastic.h)
  stronge,  ///< energetic restitution (stronge.h)
  lzb,      ///< stored energies along the impulse (lzb.h)
};

}  // namespace carom
