#pragma once

#include "carom/dynamics/workspace.h"

namespace carom {

/// tau += generalized force of the model's force drives and applied wrenches at a time (s), N m or N, in the
/// coordinates of v. Servos and prescribed motions are not in it: what they push depends on the motion. Needs
/// forward_kinematics. O(drives + wrenches × depth).
void add_applied_force(const Model& model, double time, const DynamicsWorkspace& workspace, VectorX& tau);

/// Force of one of the wrenches at a time (s) on its body, about the origin of the body's joint. Needs
/// forward_kinematics.
Force force_of(const AppliedWrench& wrench, double time, const DynamicsWorkspace& workspace);

}  // namespace carom
