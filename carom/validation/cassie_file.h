#pragma once

#include <Eigen/Dense>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace carom {

/// Joints of the measured robot, in the order of the file's columns.
inline constexpr std::array<const char*, 16> cassie_joints{
    "hip_roll_left",           "hip_roll_right",           "hip_yaw_left",     "hip_yaw_right",
    "hip_pitch_left",          "hip_pitch_right",          "knee_left",        "knee_right",
    "knee_joint_left",         "knee_joint_right",         "ankle_joint_left", "ankle_joint_right",
    "ankle_spring_joint_left", "ankle_spring_joint_right", "toe_left",         "toe_right"};
/// Those with a motor, likewise.
inline constexpr std::array<const char*, 10> cassie_motors{
    "hip_roll_left",   "hip_roll_right", "hip_yaw_left", "hip_yaw_right", "hip_pitch_left",
    "hip_pitch_right", "knee_left",      "knee_right",   "toe_left",      "toe_right"};

/// A landing as it was measured. Rows are samples.
struct CassieLanding {
  std::int64_t number = 0;    ///< of the source
  std::vector<double> times;  ///< s, from 0, ascending
  Eigen::MatrixXd positions;  ///< quaternion w x y z of the pelvis, its position in the world (m), joint angles (rad)
  Eigen::MatrixXd
      velocities;           ///< spin and velocity of the pelvis, world axes (rad/s, m/s), rates of the joints (rad/s)
  Eigen::MatrixXd torques;  ///< of the motors at their joints, N m
};

/// Reads /time (landings, samples), /state (landings, samples, 45), /torque (landings, samples, 10) and /jump
/// (landings). Throws Error that names the file, the dataset and what would be right.
std::vector<CassieLanding> read_cassie_landings(const std::string& path);

}  // namespace carom
