#pragma once

#include "carom/dynamics/joint_column.h"
#include "carom/dynamics/twists_joint.h"

namespace carom {

/// U and D⁻¹ of a joint's columns, the last one first, from the inertia I beyond the joint. I becomes what the joint
/// passes on (Featherstone 2008, table 7.1). Without `passes_on`, the first column of a joint other than `twists` is
/// not subtracted from I. The argument `extra` is the joint's own, or null. The argument `twists_inverse` is D⁺ of a
/// joint of `twists`, and unused for others.
inline void eliminate_joint(const TreeNode& node, const double* extra, bool passes_on, JointColumn* columns,
                            Mat6* twists_inverse, ArticulatedInertia& I) {
  if (node.type == JointType::twists) {
    factor_twists(node, extra, columns, I, *twists_inverse);
    return;
  }
  for (int k = node.velocity_size - 1; k >= 0; --k) {
    JointColumn& column = columns[k];
    column.U = times(I, column);
    const double D = project(column, column.U) + column.reflected_inertia + (extra ? extra[k] : 0.0);
    column.D_inverse = 1 / D;
    if (passes_on || k > 0) I.eliminate(column.U, column.D_inverse);
  }
}

}  // namespace carom
