#pragma once

#include <vector>

#include "carom/impact/propagative/normal_blow.h"

namespace carom {

/// All sequences of resets at violated contacts that reach a feasible momentum while none of their proper subsequences
/// does (definition 1 to the letter; outcome_set.h). Shorter ones first.
struct MinimalSequences {
  std::vector<std::vector<int>> sequences;
  bool cut = false;
  int momenta = 0;  ///< stored in all
};

/// tolerances in √J. A sequence is followed together with the momenta that its proper subsequences reach: the reset of
/// i adds to these its own momentum before, and each of them after the reset of i where i is violated there. It is
/// given up when one of them is feasible, or equals its own momentum: whatever made that feasible would make the
/// shorter one so.
MinimalSequences minimal_sequences(const NormalBlow& blow, double feasible_tolerance, double distinct_tolerance,
                                   int max_momenta);

}  // namespace carom
