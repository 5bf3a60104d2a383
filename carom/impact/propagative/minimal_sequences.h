#pragma once

#include <vector>

#include "carom/impact/propagative/normal_impact.h"

namespace carom {

/// All sequences of resets at violated contacts that reach a feasible momentum while none of their proper subsequences
/// does (definition 1 to the letter; outcome_set.h). Shorter ones first, then in the order of the contacts.
struct MinimalSequences {
  std::vector<std::vector<int>> sequences;
  bool cut = false;
  int momenta = 0;  ///< looked at in all
};

/// Tolerances are in √J. A sequence is followed together with the set of momenta that its proper subsequences reach.
/// The reset of i adds the sequence's own momentum before it to the set. It also adds each member after the reset of i,
/// if i is violated there. A sequence is given up when a member is feasible, or equals its own momentum. Resets that
/// made this one feasible would then make the shorter sequence feasible, too. Momenta are numbered as they come up.
/// Each reset is done once, however many sequences and subsequences take it. A cut search has followed some beginnings
/// to their ends: what it found is minimal.
MinimalSequences minimal_sequences(const NormalImpact& impact, double feasible_tolerance, double distinct_tolerance,
                                   int max_momenta);

}  // namespace carom
