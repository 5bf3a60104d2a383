#pragma once

#include "carom/dynamics/workspace.h"

namespace carom {

/// Joint-space mass matrix of one tree by itself (CRBA), its coordinates in ascending order, both triangles: what
/// mass_matrix() has on its diagonal, where different trees share nothing. Needs forward_kinematics. O(bodies · depth).
void tree_mass_matrix(const Model& model, const Tree& tree, DynamicsWorkspace& workspace, MatrixX& M);

}  // namespace carom
