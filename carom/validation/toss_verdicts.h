#pragma once

#include <string>
#include <vector>

#include "carom/validation/toss_scores.h"
#include "carom/validation/validation.h"

namespace carom {

/// Coefficients of friction that a law was fitted with, which its errors depend on most.
enum class TossFit {
  none,           ///< the scene in which nothing is fitted
  one_friction,   ///< one coefficient serves slides and impacts
  two_frictions,  ///< impacts have their own
};

/// Entries on a law's four errors of tosses that its values had no part in (docs/validation/cube_tosses.md).
///
/// The reference is the Stewart–Trinkle stepper published with the measurements: for a law with one coefficient of
/// friction that with one, else that with two. Beside each peer, toss by toss, it is a difference of 0. A law with two
/// coefficients may be worse by chance alone: the 95 % interval of its error, or of its difference, has to reach down
/// to the reference. A law with one, and any law on fewer than five tosses, whose intervals say nothing, may be as far
/// off as the least accurate of three published engines is, beside a peer as far as that engine is beside MuJoCo. The
/// scene in which nothing is fitted is held to that engine, and to no peer.
void add_error_entries(const std::string& source, const TossScore& score, TossFit fit,
                       const std::vector<TossScore>& peers, Validation& validation);

}  // namespace carom
