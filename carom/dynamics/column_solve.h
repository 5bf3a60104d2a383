#pragma once

#include "carom/dynamics/joint_column.h"
#include "carom/dynamics/twists_joint.h"

// One joint's part of a solve with the factors of M, from the leaves to the roots and back. `twists_inverse` is D⁺ of a
// joint of `twists`, and unused of others.
namespace carom {

/// x holds the joint's b on entry and u = b − Sᵀ f on exit, each column's f that which reaches it; f, the articulated
/// body's bias force, becomes what the parent feels.
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

/// x holds u on entry and the joint's acceleration on exit; a is the parent's acceleration told about O on entry and
/// the body's on exit.
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
