#include "benchmarks/dynamics_peers.h"

namespace carom::bench {

namespace {

PeerJoint::Kind kind_of(JointType type) {
  switch (type) {
    case JointType::revolute:
      return PeerJoint::Kind::revolute;
    case JointType::prismatic:
      return PeerJoint::Kind::prismatic;
    case JointType::spherical:
      return PeerJoint::Kind::spherical;
    case JointType::free:
      return PeerJoint::Kind::free;
    default:
      return PeerJoint::Kind::fixed;
  }
}

}  // namespace

PeerMechanism mechanism_of(const Model& model) {
  PeerMechanism mechanism{model.gravity(), static_cast<int>(model.velocity_count()), {}};
  for (int i = 0; i < model.body_count(); ++i) {
    const Joint& from = model.joints()[i];
    const SpatialInertia& inertia = model.bodies()[i].inertia;
    PeerJoint joint;
    joint.kind = kind_of(from.type);
    joint.parent = from.parent;
    joint.q_index = from.q_index;
    joint.v_index = from.v_index;
    joint.X_PF = from.X_PF;
    joint.X_BM = from.X_BM;
    joint.mass = inertia.mass;
    joint.center = inertia.center;
    joint.central = inertia.central;
    mechanism.joints.push_back(joint);
  }
  return mechanism;
}

#ifdef CAROM_HAS_SIMBODY
std::unique_ptr<DynamicsPeer> make_simbody_peer(const Model& model) {
  return has_common_joints(model) ? make_simbody_peer(mechanism_of(model)) : nullptr;
}
#endif

std::vector<DynamicsPeerKind> dynamics_peers() {
  return {
#ifdef CAROM_HAS_MUJOCO
      {"MuJoCo", make_mujoco_peer},
#endif
#ifdef CAROM_HAS_SIMBODY
      {"Simbody", make_simbody_peer},
#endif
#ifdef CAROM_HAS_DART
      {"DART", make_dart_peer},
#endif
  };
}

}  // namespace carom::bench
