#pragma once

#include <string>
#include <vector>

#include "carom/validation/toss_scores.h"
#include "carom/validation/validation.h"

namespace carom {

/// What a law was fitted with, as far as its errors depend on it.
enum class TossFit {
  none,           ///< the scene in which nothing is fitted
  one_friction,   ///< one coefficient serves slides and impacts
  two_frictions,  ///< impacts have their own
};

/// Entries on a law's four errors of tosses that its values had no part in (docs/validation/cube_tosses.md).
///
/// The reference is the Stewart–Trinkle stepper published with the measurements, of as many coefficients of friction,
/// and 0 for the difference to each peer, toss by toss. A law with two coefficients may be worse by chance alone: the
/// 95 % interval has to reach down to the reference. With one, the least accurate of three published engines bounds it,
/// and so it does the scene in which nothing is fitted, which has no entries beside peers.
void add_error_entries(const std::string& source, const TossScore& score, TossFit fit,
                       const std::vector<TossScore>& peers, Validation& validation);

}  // namespace carom
