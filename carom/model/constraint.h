#pragma once

#include <string>

#include "carom/spatial/transform.h"

namespace carom {

/// What a constraint between two bodies, or two joint coordinates, demands. F is a frame fixed in body A and G one in
/// body B (either may be the world); p_F, p_G their origins, x, y, z their axes, n = z_G.
///
/// kind            | rows | holds                                                       | position level
/// ball            | 3    | p_F = p_G                                                   | yes
/// weld            | 6    | p_F = p_G, R_FG = I                                         | yes
/// hinge           | 5    | p_F = p_G, z_F = z_G                                        | yes
/// rod             | 1    | ‖p_F − p_G‖ = length                                        | yes
/// point_on_plane  | 1    | n · (p_F − p_G) = 0                                         | yes
/// coupler         | 1    | q_A = ratio q_B + offset, of two joint coordinates          | yes
/// blade           | 1    | y_F · velocity of p_F relative to B = 0 (a skate)           | no
/// rolling         | 3    | a disc of `radius` about z_F, centred at p_F, touches the   | its normal row
///                 |      | plane through p_G with normal n at its lowest point, which  |
///                 |      | does not move relative to B                                 |
///
/// Constraints without a position level are non-holonomic: they restrict velocities, and no position violates them.
enum class ConstraintKind { ball, weld, hinge, rod, point_on_plane, coupler, blade, rolling };

/// The names that scene files use.
std::string constraint_name(ConstraintKind kind);
/// Scalar rows of a constraint of this kind.
int row_count(ConstraintKind kind);

/// A bilateral constraint beside the tree of joints: it closes a loop, couples two coordinates, or lets a body roll.
struct Constraint {
  std::string name;
  ConstraintKind kind = ConstraintKind::ball;
  int body_a = -1;  ///< −1: the world. Of a coupler the body whose inboard joint has the coordinate q_A
  int body_b = -1;  ///< likewise; of a coupler −1 is not allowed
  Transform X_AF;
  Transform X_BG;
  double length = 0;     ///< of a rod, m, > 0
  double radius = 0;     ///< of a rolling disc, m, > 0
  int coordinate_a = 0;  ///< of a coupler: which of the joint's coordinates
  int coordinate_b = 0;
  double ratio = 1;   ///< of a coupler: dq_A / dq_B
  double offset = 0;  ///< of a coupler: q_A where q_B is zero, rad or m
};

}  // namespace carom
