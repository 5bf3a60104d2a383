#pragma once

#include <vector>

#include "carom/scene/scene.h"
#include "carom/validation/cassie_file.h"

namespace carom {

/// Motion of a scene's robot in place of the measured one.
struct CassieMotion {
  Eigen::MatrixXd velocities;  ///< as those of CassieLanding, at its times
  std::int64_t unsolved = 0;   ///< steps
  std::int64_t steps = 0;
  double rod_error = 0;  ///< m, how far a rod ends off its length
};

/// The robot of a scene, started as a measured one was and driven by the torques that were measured. A torque holds
/// from its sample to the next. Velocities between ends of steps are interpolated.
class CassieRobot {
 public:
  /// Throws Error unless the scene has the joints of the measured robot, each a hinge, and one body that moves freely.
  explicit CassieRobot(Scene scene);

  /// The first sample as a state whose rates the rods allow. Rates of ankle springs were not measured, so the rods give
  /// them. Throws Error where they do not.
  State start(const CassieLanding& landing) const;
  /// The motion up to the last sample.
  CassieMotion land(const CassieLanding& landing) const;

 private:
  Eigen::VectorXd measured(const State& state) const;
  Eigen::VectorXd rod_rates(const State& state) const;
  double rod_error(const State& state) const;

  Scene scene_;
  int pelvis_ = -1;
  std::vector<int> q_, v_;   // by joint
  std::vector<int> motors_;  // by motor, its entry of v
  std::vector<int> rods_;    // constraints
};

}  // namespace carom
