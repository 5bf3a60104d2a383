#pragma once

#include "carom/model/model.h"
#include "carom/validation/toss_file.h"

// A body in the xz plane, coordinates (x, z, angle): m, m, rad. Angles run from x to z, counterclockwise with x right
// and z up, hence about −y.
namespace carom {

/// The pose in space, y = 0.
Pose plane_pose(const Vec3& coordinates);
/// The angle of an orientation that turns about y alone, −π to π.
double plane_angle(const Quaternion& orientation);

/// True for a model of one body on a planar joint {plane: xz}. The joint's coordinates are those of the mass centre,
/// which is the origin of the body's frame.
bool moves_in_xz_plane(const Model& model);

}  // namespace carom
