#pragma once

#include "carom/dynamics/workspace.h"

namespace carom {

/// y = M x by the tree's twists and momenta, O(n), without factors and without a matrix. Certificates check solves with
/// it. Needs forward_kinematics. y must not be x.
void multiply_mass(const Model& model, const VectorX& x, DynamicsWorkspace& workspace, VectorX& y);

}  // namespace carom
