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

/// tolerances in √J. A sequence is followed together with the momenta that its proper subsequences reach: the reset of
/// i adds to these its own momentum before, and each of them after the reset of i where i is violated there. It is
/// given up when one of them is feasible, or equals its own momentum: whatever made that feasible would make the
/// shorter one so. Momenta are numbered as they come up, and each reset is done once, however many sequences and
/// subsequences take it. A cut search has followed some beginnings to their ends: what it found is minimal.
MinimalSequences minimal_sequences(const NormalImpact& impact, double feasible_tolerance, double distinct_tolerance,
                                   int max_momenta);

}  // namespace carom
