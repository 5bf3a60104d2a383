#pragma once

#include <optional>
#include <string>
#include <vector>

#include "carom/validation/planar_fits.h"
#include "carom/validation/planar_impact_scores.h"

namespace carom {

/// One law's predictions for a body, each by values that it had no part in.
struct PlanarLawRun {
  PlanarLaw law;
  PlanarStrikes strikes;
  PlanarScore score;
};

/// All that is told of a body's impacts.
struct PlanarBodyReport {
  PlanarImpacts impacts;
  bool unseen_by_folds = true;           ///< every impact is in a fold; else some are judged by the values for all
  std::vector<PlanarLawRun> laws;        ///< not empty; differences are told from the first
  MomentBalance balance;                 ///< velocities that are scored
  std::optional<MomentBalance> printed;  ///< those that the source printed
};

/// Arms, errors with intervals, differences and fitted values, as text.
std::string planar_report(const std::vector<PlanarBodyReport>& bodies);
/// The same as one JSON object (docs/validation/planar_impacts.md).
std::string planar_report_json(const std::vector<PlanarBodyReport>& bodies);
/// The same as a page, with the errors of every law drawn. Throws Error if the file can't be written.
void write_planar_page(const std::vector<PlanarBodyReport>& bodies, const std::string& path);

}  // namespace carom
