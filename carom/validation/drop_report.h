#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "carom/record/plots_page.h"
#include "carom/study/bootstrap.h"
#include "carom/validation/drop_protocol.h"
#include "carom/validation/law_runs.h"
#include "carom/validation/planar_fits.h"
#include "carom/validation/toss_scores.h"

namespace carom {

/// One law's drops, each by values that it had no part in.
struct DropLawRun {
  PlanarLaw law;
  LawRuns runs;
  TossScore score;
};

/// All that is told of the drops of a square.
struct DropReport {
  std::map<DropFault, std::vector<std::int64_t>> left_out;  ///< numbers of the drops, by why
  std::size_t judged = 0;
  bool unseen_by_folds = true;   ///< every drop is in a fold; else some are judged by the values for all
  std::vector<DropLawRun> laws;  ///< not empty; differences are told from the first
  TossScore frozen;              ///< flight as released, frozen at the first touch
};

/// Mean over the drop of position error in widths and rotation error in radians, which fits minimise, over all drops.
Interval drop_objective(const TossScore& score);

/// Drops left out, fitted values, errors with intervals and differences, as text.
std::string drop_report(const DropReport& report);
/// The same as one JSON object (docs/validation/square_drops.md).
std::string drop_report_json(const DropReport& report);
/// The same as sections of a page.
std::vector<PlotSection> drop_sections(const DropReport& report);

}  // namespace carom
