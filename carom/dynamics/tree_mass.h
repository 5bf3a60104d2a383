#pragma once

#include "carom/dynamics/workspace.h"

namespace carom {

/// Joint-space mass matrix of one tree by itself (CRBA), both triangles, its coordinates in ascending order. It is the
/// tree's block of mass_matrix(), where different trees share nothing. Needs forward_kinematics. O(bodies · depth).
void tree_mass_matrix(const Model& model, const Tree& tree, DynamicsWorkspace& workspace, MatrixX& M);

}  // namespace carom
