#pragma once

namespace carom {

/// Readings of a restitution e as energy lost. The exponent of (16) is lost in the copies of the paper that Carom was
/// made from; both readings are the usual ones.
enum class EnergyReading {
  speeds,    ///< lost = (1 − e²) of what the plastic impact loses: e is a ratio of speeds, as for one contact
  energies,  ///< lost = (1 − e) of it: e is a ratio of energies
};

}  // namespace carom
