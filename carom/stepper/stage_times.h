#pragma once

#include <chrono>

namespace carom {

/// Time of a step by stage, s of wall clock. For benchmarks; not part of a record.
struct StageTimes {
  double kinematics = 0;       ///< recursions, free motion, integration
  double contact_finding = 0;  ///< broad and narrow phase, crossings
  double assembly = 0;         ///< rows, Delassus operator, contact velocities
  double solve = 0;            ///< complementarity problem
  double account = 0;          ///< certificate, energies, report
};

/// Adds the time from its construction to its end to one stage.
class StageClock {
 public:
  explicit StageClock(double& stage) : stage_(stage), start_(std::chrono::steady_clock::now()) {}
  ~StageClock() { stage_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }
  StageClock(const StageClock&) = delete;
  StageClock& operator=(const StageClock&) = delete;

 private:
  double& stage_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace carom
