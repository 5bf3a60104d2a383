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
/// The same of a joint that has a start and settings already: only those that a key speaks of are replaced. A start
/// beyond new limits moves to the nearest, unless it is given.
void replace_coordinates(const Fields& fields, SceneJoint& joint, Diagnostics& diagnostics);

struct JointCoordinate {
  int body = -1;          ///< whose inboard joint it belongs to
  int coordinate = 0;     ///< which of its scalar coordinates
  bool is_angle = false;  ///< else a displacement
};

/// The joint's first scalar coordinate, or the one that "joint.2" counts from 1. Nothing, and a fault told, if there is
/// none.
std::optional<JointCoordinate> read_joint_coordinate(const YamlNode& node, const std::string& key,
                                                     const SceneJoints& joints, Diagnostics& diagnostics);

}  // namespace carom
