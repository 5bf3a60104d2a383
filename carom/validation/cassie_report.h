#pragma once

#include <string>
#include <vector>

#include "carom/validation/cassie_scores.h"
#include "carom/validation/planar_fits.h"

namespace carom {

/// A law or a variant of the robot's model over all landings.
struct CassieLawRun {
  PlanarLaw law;
  std::vector<CassieErrors> errors;  ///< by landing
  std::int64_t steps = 0, unsolved = 0;
  double rod_error = 0;  ///< m, the largest
};

struct CassieReport {
  std::vector<std::int64_t> landings;  ///< their numbers
  std::vector<CassieErrors> held;      ///< of velocities that stay as at the first sample
  std::vector<CassieLawRun> laws;      ///< not empty; differences are told from the first
  bool unseen_by_folds = true;         ///< every landing is in a fold; else some are judged by the values for all
};

/// Errors with intervals, differences from holding the velocity and from the first law, and fitted values, as text.
std::string cassie_report(const CassieReport& report);
/// The same as one JSON object (docs/validation/cassie_jumps.md).
std::string cassie_report_json(const CassieReport& report);
/// The same as a page. Throws Error if the file can't be written.
void write_cassie_page(const CassieReport& report, const std::string& path);

}  // namespace carom
