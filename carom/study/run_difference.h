#pragma once

#include <vector>

#include "carom/study/sampled_run.h"

// Distance of two runs of one mechanism: at every instant that of the body which is furthest apart (body_motion.h).
namespace carom {

/// At each of the samples that both runs have.
struct RunDifference {
  std::vector<double> distance;  ///< d of the body for which it is largest, m
  std::vector<double> speed;     ///< the same of velocities, m/s
  std::vector<double> energy;    ///< of the second less that of the first, J
};

/// O(samples × bodies). Both of the model.
RunDifference run_difference(const Model& model, const SampledRun& first, const SampledRun& second);

/// Largest of the values; there must be at least one.
double largest(const std::vector<double>& values);
/// Largest of the values up to each of them.
std::vector<double> running_largest(const std::vector<double>& values);

/// Largest distance of any body from where it started, m.
double extent_of_motion(const Model& model, const SampledRun& run);

}  // namespace carom
