#pragma once

#include <string>
#include <vector>

#include "carom/validation/cassie_file.h"
#include "toss_writer.h"

namespace carom::test {

/// Writes landings as measurements are stored. All have the same number of samples.
inline void write_landings(const std::string& path, const std::vector<CassieLanding>& landings) {
  const TossWriter writer(path);
  std::vector<std::int64_t> numbers;
  std::vector<double> times, states, torques;
  for (const CassieLanding& landing : landings) {
    numbers.push_back(landing.number);
    times.insert(times.end(), landing.times.begin(), landing.times.end());
    for (Eigen::Index i = 0; i < landing.positions.rows(); ++i) {
      for (const double x : landing.positions.row(i)) states.push_back(x);
      for (const double x : landing.velocities.row(i)) states.push_back(x);
      for (const double x : landing.torques.row(i)) torques.push_back(x);
    }
  }
  const std::size_t samples = landings.front().times.size();
  writer.integers("/jump", numbers);
  writer.reals("/time", {numbers.size(), samples}, times);
  writer.reals("/state", {numbers.size(), samples, 45}, states);
  writer.reals("/torque", {numbers.size(), samples, 10}, torques);
}

/// A robot that hangs in the air: joints at zero, all rates those given, no torque.
inline CassieLanding hanging(std::int64_t number, std::size_t samples, double rate = 0) {
  CassieLanding landing;
  landing.number = number;
  const auto rows = static_cast<Eigen::Index>(samples);
  for (std::size_t i = 0; i < samples; ++i) landing.times.push_back(0.0005 * static_cast<double>(i));
  landing.positions = Eigen::MatrixXd::Zero(rows, 23);
  landing.positions.col(0).setOnes();
  landing.positions.col(6).setConstant(1.5);
  landing.velocities = Eigen::MatrixXd::Constant(rows, 22, rate);
  landing.torques = Eigen::MatrixXd::Zero(rows, 10);
  return landing;
}

}  // namespace carom::test
