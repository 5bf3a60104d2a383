#include "carom/model/tree_node.h"

namespace carom {

TreeNode make_tree_node(const Joint& joint, const Joint* parent_joint, const SpatialInertia& inertia) {
  TreeNode node;
  node.type = joint.type;
  node.parent = joint.parent;
  node.q_index = joint.q_index;
  node.v_index = joint.v_index;
  node.velocity_size = velocity_size(joint);
  node.X_PF = parent_joint ? parent_joint->X_BM.inverse() * joint.X_PF : joint.X_PF;
  node.X_MB = joint.X_BM.inverse();
  const Vec3 c = node.X_MB * inertia.center;
  node.mass = inertia.mass;
  node.moment = inertia.mass * c;
  const Mat3 central = node.X_MB.R * inertia.central * node.X_MB.R.transpose();
  node.inertia = Sym3::of(central + inertia.mass * skew(c) * skew(c).transpose());
  return node;
}

}  // namespace carom
