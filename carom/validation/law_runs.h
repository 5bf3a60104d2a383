#pragma once

#include <string>
#include <vector>

#include "carom/validation/cube_fits.h"
#include "carom/validation/toss_predictions.h"
#include "carom/validation/toss_run.h"

namespace carom {

/// Tosses of a file, as they are judged.
struct TossSet {
  std::vector<Toss> whole;  ///< every one, to its last frame
  std::vector<Toss> cut;    ///< the distinct ones, or some of them, cut after rest
  std::vector<int> places;  ///< of these among `whole`
  std::vector<int> thrown;  ///< which of `whole` are simulated: all, copies too, unless some were chosen
};

/// `count` tosses, evenly spaced over the distinct ones of a file; 0: all.
TossSet read_toss_set(const std::string& path, int count, const TossProtocol& protocol);

/// A law's throws of every toss of a set.
struct LawRuns {
  std::string name;
  std::vector<TossRun> runs;    ///< of set.cut
  TossPredictions predictions;  ///< of set.thrown, to their last frames
};

/// A law by its scenes: that of values fitted to all folds, and one per fold, of values fitted to the others.
struct LawScenes {
  std::string name;
  Scene all;
  std::vector<Scene> folds;
  /// The one whose values were fitted without the toss.
  const Scene& for_toss(std::int64_t number, const std::vector<std::vector<std::int64_t>>& folds_of_numbers) const;
};

/// Throws all of them, side by side on the threads there are; what comes out does not depend on their number.
LawRuns run_law(const LawScenes& law, const TossSet& set, const std::vector<std::vector<std::int64_t>>& folds,
                const TossProtocol& protocol);

}  // namespace carom
