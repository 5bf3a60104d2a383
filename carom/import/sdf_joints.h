#pragma once

#include <optional>

#include "carom/import/sdf_frames.h"

namespace carom {

/// A joint in Carom's terms. `parent` is that of the file.
struct SdfMotion {
  Joint joint;
  VectorX position;  ///< at the start; empty: zero
};

/// The joint that hangs the child on the parent, or nothing (then a fault was told).
///
/// At zero position F and M coincide with the joint's frame J, up to a rotation. A joint about or along one axis has
/// that as z. Universal joints, whose axes are perpendicular, have them as x and y. Other joints of two axes are twists
/// in J. A screw's `<thread_pitch>` counts radians per metre with a left-handed thread positive. Gazebo Classic takes
/// it so; the specification only says "parameter". `<screw_thread_pitch>` counts metres per turn, right-handed
/// positive.
std::optional<SdfMotion> read_joint(const SdfJoint& joint, const SdfTree& tree);

/// The same joint seen from the other side: it hangs the parent on the child, with the same coordinate. Only joints of
/// one axis or none, and balls; nothing of others.
std::optional<Joint> reversed(const Joint& joint, int child);

/// True if the joint can be a constraint that closes a loop: a ball, hinge or weld without limits, forces or a start.
bool can_close_loop(const SdfMotion& motion);

/// A joint that closes a loop, as a constraint; nothing if it cannot be one (then a fault was told).
std::optional<Constraint> loop_constraint(const SdfJoint& joint, const SdfMotion& motion);

}  // namespace carom
