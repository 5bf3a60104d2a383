#pragma once

#include <string>

#include "carom/scene/joints.h"

namespace carom {

/// Keys of a joint that speak of its coordinates.
inline const char* const coordinate_keys[] = {"position", "velocity", "limits", "ratchet",
                                              "damping",  "friction", "spring", "reflected_inertia"};

/// Reads what the keys above say of a joint whose type is known, and its twists. A key that the type has no use for is
/// told. A joint of one coordinate takes numbers, one of several a list.
void read_coordinates(const Fields& fields, SceneJoint& joint, Diagnostics& diagnostics);

/// The body whose inboard joint is named, and which of its scalar coordinates: the first, or the one that "joint.2"
/// counts from 1. Nothing, and a fault told, if there is none.
std::optional<int> read_joint_coordinate(const YamlNode& node, const std::string& key, const SceneJoints& joints,
                                         int& coordinate, Diagnostics& diagnostics);

}  // namespace carom
