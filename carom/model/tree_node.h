#pragma once

#include "carom/model/joint.h"
#include "carom/spatial/inertia.h"
#include "carom/spatial/symmetric.h"

namespace carom {

/// Data of a body and its inboard joint that recursions over the tree read, gathered so that they read memory in order.
/// Everything is in the joint's frame M, where the joint's motion has its simplest form, and not in the body's frame B.
struct TreeNode {
  JointType type = JointType::free;
  int parent = -1;
  int q_index = 0, v_index = 0, velocity_size = 0;
  Transform X_PF;  ///< joint frame F in frame M of the parent's inboard joint, or in the world
  Transform X_MB;  ///< body frame in M
  double mass = 0;
  Vec3 moment = Vec3::Zero();  ///< mass times centre of mass, from M's origin, M's axes, kg m
  Sym3 inertia;                ///< rotational inertia about M's origin, M's axes, kg m²
};

/// `parent_joint`: of the body that the joint hangs on; null for the world.
TreeNode make_tree_node(const Joint& joint, const Joint* parent_joint, const SpatialInertia& inertia);

}  // namespace carom
