#pragma once

#include <string>

#include "carom/spatial/transform.h"

namespace carom {

/// Joint between frame F, fixed in the parent body (or the world), and frame M, fixed in the child body.
///
/// type       | q (size)                                   | v (size)
/// fixed      | –                                          | –
/// revolute   | angle about F's z, rad (1)                 | rate, rad/s (1)
/// prismatic  | displacement along F's z, m (1)            | rate, m/s (1)
/// planar     | x, y of M's origin in F, m; angle about    | rates of the three (3)
///            | F's z, rad (3)                             |
/// spherical  | unit quaternion of R_FM, w x y z (4)       | angular velocity of M in F, M's axes, rad/s (3)
/// free       | quaternion of R_FM, then p_FM_F, m (7)     | angular velocity, then velocity of M's origin, both
///            |                                            | relative to F, M's axes, rad/s and m/s (6)
enum class JointType { fixed, revolute, prismatic, planar, spherical, free };

/// Sizes of q and v of a joint type.
int position_size(JointType type);
int velocity_size(JointType type);
/// "fixed", "revolute", …: the names that scene files use.
std::string joint_name(JointType type);

/// The inboard joint of one body. Per-coordinate vectors have velocity_size(type) entries.
struct Joint {
  std::string name;
  JointType type = JointType::free;
  int parent = -1;    ///< body index, −1 for the world
  Transform X_PF;     ///< joint frame on the parent
  Transform X_BM;     ///< joint frame on the child
  VectorX lower;      ///< limits of q, −∞ if none. Finite only for revolute, prismatic and planar. rad or m
  VectorX upper;      ///< +∞ if none
  VectorX damping;    ///< N m s/rad or N s/m: force −damping v. Any type but fixed
  VectorX stiffness;  ///< N m/rad or N/m: force −stiffness (q − rest). Only revolute, prismatic and planar
  VectorX rest;       ///< q at which the spring is slack, rad or m
  int q_index = 0;    ///< where the joint's coordinates start in the model's q
  int v_index = 0;    ///< and in its v
};

}  // namespace carom
