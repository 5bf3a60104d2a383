#pragma once

#include <string>
#include <vector>

#include "carom/validation/law_runs.h"
#include "carom/validation/toss_scores.h"

namespace carom {

/// All that is told of tosses.
struct TossReport {
  std::vector<CubeLaw> fits;           ///< with their values
  std::vector<LawRuns> laws;           ///< not empty; differences are told from the first, and from every peer
  std::vector<TossPredictions> peers;  ///< other simulators
  std::vector<TossScore> peer_scores;
};

TossScore score_of(const LawRuns& law);

/// Fitted values, errors with intervals, paired differences, and what the first impact misses, as text.
std::string toss_report(const TossReport& report, const TossSet& set, const TossProtocol& protocol);

}  // namespace carom
