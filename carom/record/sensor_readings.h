#pragma once

#include <vector>

#include "carom/record/collider_loads.h"
#include "carom/record/joint_loads.h"

namespace carom {

/// Readings of the model's sensors, in the order of sensor_columns. They are means over several steps, but the angular
/// velocity is that of the last state.
///
///   imu            Mean of R_WSᵀ (Δv_S/h − g), with v_S the velocity of S's origin.
///   force_torque   Mean of R_WSᵀ f and R_WSᵀ (m + (p_load − p_S) × f). JointLoads gives f and m of the step, about
///                  p_load.
///   contact        Means of what ColliderLoads gives for its colliders.
///
/// R_WS and places are halfway between a step's start and its end. The errors are of second order in the step where the
/// motion is smooth. An impact within a step is in its mean. NaN before the first step, and where the stepper gives
/// nothing.
class SensorReadings {
 public:
  /// The model must outlive it.
  explicit SensorReadings(const Model& model);

  /// The next interval begins with the next step.
  void clear();
  /// Notes where the next step starts. The workspace holds forward_velocity there.
  void begin_step(const DynamicsWorkspace& start);
  /// Adds a step of length h that ends at `end`, `before` seconds after the interval began; `joints` has it already.
  void add(const JointLoads& joints, const DynamicsWorkspace& end, double before, double h);
  /// Contact sensors read what the colliders bore in the interval, of so many seconds.
  void read_contacts(const ColliderLoads& colliders, double seconds);

  VectorX values;  ///< of all sensors

 private:
  struct Pose {
    Quaternion q_WS;
    Vec3 position, velocity;
  };
  Pose look(const Sensor& sensor, const DynamicsWorkspace& workspace) const;
  void keep_mean(Eigen::Index at, const Vec3& now, double before, double h);

  const Model& model_;
  std::vector<Eigen::Index> places_;  // by sensor, in values
  std::vector<int> joint_of_;         // by body, its entry of jointed_bodies
  std::vector<Pose> start_;
};

}  // namespace carom
