#pragma once

#include <string>
#include <vector>

#include "carom/spatial/exponential_product.h"

namespace carom {

/// Joint between frame F, fixed in the parent body (or the world), and frame M, fixed in the child body.
///
/// type        | q (size)                                   | v (size)
/// fixed       | –                                          | –
/// revolute    | angle about F's z, rad (1)                 | rate, rad/s (1)
/// prismatic   | displacement along F's z, m (1)            | rate, m/s (1)
/// screw       | angle about F's z, rad; M moves along z by | rate, rad/s (1)
///             | `pitch` metres per radian (1)              |
/// cylindrical | angle about F's z, rad; displacement along | rates of the two (2)
///             | z, m (2)                                   |
/// universal   | angle about F's x, then angle about the y  | rates of the two (2)
///             | that this has turned, rad (2)              |
/// slot        | displacement of M's origin along F's x, m; | rates of the two (2)
///             | angle about z, rad (2)                     |
/// planar      | x, y of M's origin in F, m; angle about    | rates of the three (3)
///             | F's z, rad (3)                             |
/// twists      | the q_k of exp(ξ₁ q₁) … exp(ξₙ qₙ), rad    | rates (n)
///             | where ξ_k turns and m where not (n)        |
/// spherical   | unit quaternion of R_FM, w x y z (4)       | angular velocity of M in F, M's axes, rad/s (3)
/// free        | quaternion of R_FM, then p_FM_F, m (7)     | angular velocity, then velocity of M's origin, both
///             |                                            | relative to F, M's axes, rad/s and m/s (6)
///
/// All but fixed, spherical and free have scalar coordinates: X_FM is a product of exponentials of constant twists
/// (coordinate_twists), and v is q̇.
enum class JointType {
  fixed,
  revolute,
  prismatic,
  screw,
  cylindrical,
  universal,
  slot,
  planar,
  twists,
  spherical,
  free
};

inline constexpr JointType joint_types[] = {JointType::fixed,     JointType::revolute,    JointType::prismatic,
                                            JointType::screw,     JointType::cylindrical, JointType::universal,
                                            JointType::slot,      JointType::planar,      JointType::twists,
                                            JointType::spherical, JointType::free};

/// "fixed", "revolute", …: the names that scene files use.
std::string joint_name(JointType type);
/// Types whose coordinates are lengths and angles: the ones that can have limits, ratchets, drives and couplers.
bool has_scalar_coordinates(JointType type);

/// Which way a coordinate may go.
enum class Ratchet {
  none,      ///< both
  forward,   ///< only up: its rate is never negative. A one-way clutch; a pawl on teeth too fine to matter
  backward,  ///< only down
};

/// The inboard joint of one body. Per-coordinate vectors have velocity_size entries.
struct Joint {
  std::string name = {};
  JointType type = JointType::free;
  int parent = -1;      ///< body index, −1 for the world
  Transform X_PF = {};  ///< joint frame on the parent
  Transform X_BM = {};  ///< joint frame on the child
  double pitch = 0;     ///< of a screw, m per radian (not per turn); positive: right-handed
  /// Twists of a twists joint: motion vectors in F about F's origin, angular first, rad or m, a column for each of 1–6
  Eigen::Matrix<double, 6, Eigen::Dynamic> twists = {};
  VectorX lower = {};                 ///< limits of q, −∞ if none. Finite only for scalar coordinates. rad or m
  VectorX upper = {};                 ///< +∞ if none
  VectorX limit_restitution = {};     ///< of an impact against either limit, in [0, 1]. Only scalar coordinates
  std::vector<Ratchet> ratchet = {};  ///< by coordinate. Only scalar coordinates
  VectorX damping = {};               ///< N m s/rad or N s/m: force −damping v. Any type but fixed
  /// N m/rad or N/m: force −stiffness s with the stretch s = q − rest. For a rotation s is the rotation vector from
  /// rest, for a free joint's displacement that in M's axes. Any type but fixed. The three entries of a rotation are
  /// alike, and so are those of a displacement: else no energy would belong to the force
  VectorX stiffness = {};
  /// q at which the spring is slack, rad or m; for a rotation the rotation vector of R_FM there, then p_FM_F
  VectorX rest = {};
  /// Dry: a force up to so many N m or N against the rate, or that holds, for each coordinate of v by itself. Any type
  /// but fixed
  VectorX friction = {};
  /// Added to the coordinate's diagonal entry of the mass matrix, kg m² or kg. A motor's rotor behind a gear of ratio N
  /// counts N² times its own inertia. Scalar coordinates, and spherical joints, whose three are alike
  VectorX reflected_inertia = {};
  /// Greatest force or torque that a file says its motor has, N or N m, ≥ 0; +∞ if it does not say. It limits only
  /// drives that take their limit from it. Only scalar coordinates
  VectorX effort = {};
  int q_index = 0;  ///< where the joint's coordinates start in the model's q
  int v_index = 0;  ///< and in its v
};

/// Sizes of a joint's q and v.
int position_size(const Joint& joint);
int velocity_size(const Joint& joint);

/// The twists of scalar coordinates, in F about F's origin; no columns for the other types.
Twists coordinate_twists(const Joint& joint);
/// True if a scalar coordinate is an angle, rad; else it is a length, m.
bool is_angle(const Joint& joint, int coordinate);

}  // namespace carom
