#pragma once

#include <string>
#include <vector>

#include "carom/study/sweep.h"

namespace carom {

/// A line for each case (RFC 4180): case, method, what is varied, status, ok, the columns, reason. Numbers have all
/// their digits; what is no number is empty.
std::string sweep_csv(const SweepResult& result);

/// The same as HDF5 (docs/manual/sweep.md). A file at `path` stays until the new one is whole.
void write_sweep_hdf5(const SweepResult& result, const std::string& path);

/// The distribution of one column over the cases that have a number there.
struct Distribution {
  std::string name;
  std::int64_t count = 0;
  double mean = 0, deviation = 0, least = 0, low = 0, median = 0, high = 0, greatest = 0;  ///< low: 5 %, high: 95 %
};
/// Distributions of the outputs, or of some columns if the scene has no outputs, over the cases that are done.
std::vector<Distribution> distributions(const SweepResult& result);

struct SweepFiles {
  std::string csv, hdf5, page;  ///< empty: none
};
/// Tables for a terminal.
std::string sweep_text(const SweepResult& result, const SweepFiles& files);
/// One JSON object (docs/manual/sweep.md).
std::string sweep_json(const SweepResult& result, const SweepFiles& files);

}  // namespace carom
