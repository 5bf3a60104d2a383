#pragma once

#include "carom/dynamics/joint_column.h"
#include "carom/dynamics/twists_joint.h"

// One joint's part of a solve with the factors of M, from the leaves to the roots and back. The argument
// `twists_inverse` is D⁺ of a joint of `twists`, and unused for others.
namespace carom {

/// On entry x holds the joint's b. On exit it holds u = b − Sᵀ f, with f as it reaches each column. The articulated
/// body's bias force f becomes what the parent feels.
inline void gather_columns(const TreeNode& node, const JointColumn* columns, const Mat6* twists_inverse, double* x,
                           Force& f) {
  if (node.type == JointType::twists) {
    gather_twists(node, columns, *twists_inverse, x, f);
    return;
  }
  for (int k = node.velocity_size - 1; k >= 0; --k) {
    x[k] -= project(columns[k], f);
    const double acceleration = columns[k].D_inverse * x[k];
    f += {acceleration * columns[k].U.moment, acceleration * columns[k].U.force};
  }
}

/// On entry x holds u, and a the parent's acceleration, expressed about O. On exit they hold the joint's and the body's
/// acceleration.
inline void spread_columns(const TreeNode& node, const JointColumn* columns, const Mat6* twists_inverse, double* x,
                           Motion& a) {
  if (node.type == JointType::twists) {
    spread_twists(node, columns, *twists_inverse, x, a);
    return;
  }
  for (int k = 0; k < node.velocity_size; ++k) {
    x[k] = columns[k].D_inverse * (x[k] - dot(columns[k].U, a));
    add_scaled(columns[k], x[k], a);
  }
}

/// w = D⁻¹ u
inline void divide_by_D(const TreeNode& node, const JointColumn* columns, const Mat6* twists_inverse, const double* u,
                        double* w) {
  for (int k = 0; k < node.velocity_size; ++k) {
    if (node.type != JointType::twists) {
      w[k] = columns[k].D_inverse * u[k];
      continue;
    }
    w[k] = 0;
    for (int l = 0; l < node.velocity_size; ++l) w[k] += (*twists_inverse)(k, l) * u[l];
  }
}

}  // namespace carom
