#pragma once

namespace carom {

/// What a blow does.
enum class LawKind {
  none,          ///< no restitution
  newton,        ///< v_n⁺ ≥ −e v_n⁻
  poisson,       ///< a second complementarity problem with the expansion impulse e c_n owed
  plus,          ///< rounds of compression and expansion (plus.h)
  plastic,       ///< e = 0 whatever the surfaces say (plastic.h)
  stronge,       ///< energetic restitution (stronge.h)
  lzb,           ///< stored energies along the impulse (lzb.h)
  propagative,   ///< elastic, one contact after another, without friction (propagative/propagative_law.h)
  energy_blend,  ///< between the plastic and that elastic outcome by energy, without friction (the same)
};

}  // namespace carom
