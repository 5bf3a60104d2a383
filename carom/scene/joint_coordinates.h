#pragma once

#include <string>

#include "carom/scene/joints.h"

namespace carom {

/// Keys of a joint that speak of its coordinates.
inline const char* const coordinate_keys[] = {"position", "velocity", "limits",
                                              "damping",  "spring",   "reflected_inertia"};

/// Reads position, velocity, limits, damping, spring and reflected inertia of a joint whose type is known, and its
/// twists. A key that the type has no use for is told. A joint of one coordinate takes numbers, one of several a list.
void read_coordinates(const Fields& fields, SceneJoint& joint, Diagnostics& diagnostics);

}  // namespace carom
