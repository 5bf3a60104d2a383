#pragma once

#include <limits>
#include <string>
#include <vector>

#include "carom/model/coordinate_share.h"
#include "carom/model/time_function.h"
#include "carom/spatial/transform.h"

namespace carom {

/// The kinds of force on a coordinate of a joint, or on a sum of coordinates.
enum class DriveKind {
  force,  ///< τ = value(t)
  servo,  ///< τ = clamp(stiffness (value(t) − q) + damping (d value/dt − q̇), −limit, limit): PD with limits
};

/// A drive of a scalar joint coordinate, or of the sum Σ ratio q of several, as by a tendon over several joints. A
/// force τ on the sum acts on each of these with ratio τ. A prescribed motion is a constraint (ConstraintKind::motion),
/// not a drive.
struct Drive {
  std::string name = {};
  DriveKind kind = DriveKind::force;
  int body = -1;            ///< whose inboard joint is driven
  int coordinate = 0;       ///< which of its coordinates
  TimeFunction value = {};  ///< force: N m or N. Servo: where the coordinate or sum should be, rad or m
  double stiffness = 0;     ///< of a servo, N m/rad or N/m, ≥ 0
  double damping = 0;       ///< of a servo, N m s/rad or N s/m, ≥ 0; one of the two is positive
  double limit = std::numeric_limits<double>::infinity();  ///< of a servo's force, N m or N, > 0
  double ratio = 1;                                        ///< of its coordinate in the sum
  std::vector<CoordinateShare> others = {};                ///< in the sum; each coordinate once
};

/// A force and a torque on a body, in its own axes or the world's: scale(t) times these.
struct AppliedWrench {
  std::string name = {};
  int body = -1;
  Vec3 point = Vec3::Zero();     ///< where the force acts, fixed in the body, body frame, m
  Vec3 force = Vec3::Zero();     ///< N
  Vec3 torque = Vec3::Zero();    ///< beside the force's own moment, N m
  bool turns_with_body = false;  ///< axes of force and torque: the body's, or the world's
  TimeFunction scale = TimeFunction::constant(1);
};

}  // namespace carom
