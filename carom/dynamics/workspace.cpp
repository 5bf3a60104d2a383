#include "carom/dynamics/workspace.h"

namespace carom {
namespace {

JointColumn::Kind column_kind(JointType type, int column) {
  using Kind = JointColumn::Kind;
  switch (type) {
    case JointType::revolute:
    case JointType::spherical:
      return Kind::angular;
    case JointType::prismatic:
      return Kind::linear;
    case JointType::free:
      return column < 3 ? Kind::angular : Kind::linear;
    default:
      return Kind::general;
  }
}

}  // namespace

DynamicsWorkspace::DynamicsWorkspace(const Model& model)
    : X_WB(model.body_count()),
      V(model.body_count(), Vec6::Zero()),
      reflected_energy(model.body_count(), 0.0),
      nodes(model.body_count()),
      columns(model.velocity_count()),
      composite(model.body_count()) {
  for (int i = 0; i < model.body_count(); ++i) {
    const TreeNode& node = model.nodes()[i];
    const VectorX& reflected = model.joints()[i].reflected_inertia;
    for (int k = 0; k < node.velocity_size; ++k) {
      columns[node.v_index + k].kind = column_kind(node.type, k);
      columns[node.v_index + k].reflected_inertia = reflected[k];
    }
    if (node.type == JointType::twists) twists_inverse.resize(model.body_count(), Mat6::Zero());
  }
}

}  // namespace carom
