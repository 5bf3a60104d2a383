#pragma once

#include "carom/impact/propagative/energy_reading.h"

namespace carom {

/// Whose turn it is when several contacts are violated.
enum class ResetOrder {
  deepest,  ///< the most violated, ⟨p, n_i⟩ of unit normals
  first,    ///< the first of them in the order of the impact's contacts
  last,     ///< the last of them
  in_turn,  ///< the next of them, round and round
};

/// Plastic end of the blend of energies.
enum class PlasticKind {
  cone,  ///< the nearest feasible momentum: contacts may separate, and none pulls
  span,  ///< all normals stopped, those that would separate too, as the paper has it: impulses may pull
};

struct PropagativeOptions {
  ResetOrder order = ResetOrder::deepest;
  int most_resets = 100000;                       ///< before the impact is plastic in their place
  PlasticKind plastic = PlasticKind::cone;        ///< of law energy-blend
  EnergyReading reading = EnergyReading::speeds;  ///< of law energy-blend: what a restitution says of the energy
};

}  // namespace carom
