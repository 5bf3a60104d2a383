#include "carom/study/run_difference.h"

#include <algorithm>
#include <cmath>

namespace carom {
RunDifference run_difference(const Model& model, const SampledRun& first, const SampledRun& second) {
  RunDifference difference;
  const std::size_t samples = std::min(first.times.size(), second.times.size());
  for (std::size_t k = 0; k < samples; ++k) {
    double distance = 0, speed = 0;
    for (std::size_t i = 0; i < model.bodies().size(); ++i) {
      const Body& body = model.bodies()[i];
      distance = std::max(distance, body_distance(body, first.bodies[k][i], second.bodies[k][i]));
      speed = std::max(speed, body_speed_difference(body, first.bodies[k][i], second.bodies[k][i]));
    }
    difference.distance.push_back(distance);
    difference.speed.push_back(speed);
    difference.energy.push_back(second.energy[k] - first.energy[k]);
  }
  return difference;
}

double largest(const std::vector<double>& values) { return *std::max_element(values.begin(), values.end()); }

std::vector<double> running_largest(const std::vector<double>& values) {
  std::vector<double> largest = values;
  for (std::size_t k = 1; k < largest.size(); ++k) largest[k] = std::max(largest[k - 1], largest[k]);
  return largest;
}

double extent_of_motion(const Model& model, const SampledRun& run) {
  double extent = 0;
  for (const std::vector<BodyMotion>& sample : run.bodies) {
    for (std::size_t i = 0; i < model.bodies().size(); ++i) {
      extent = std::max(extent, body_distance(model.bodies()[i], run.bodies.front()[i], sample[i]));
    }
  }
  return extent;
}

}  // namespace carom
