#pragma once

#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "benchmarks/dynamics_peer.h"
#include "carom/model/model.h"

namespace carom::bench {

struct DynamicsPeerKind {
  std::string name;
  /// Null if the peer cannot represent the model.
  std::unique_ptr<DynamicsPeer> (*make)(const Model& model);
};

/// The peers that this build found.
std::vector<DynamicsPeerKind> dynamics_peers();

// None is asked for joints other than those of has_common_joints.
std::unique_ptr<DynamicsPeer> make_simbody_peer(const Model& model);
/// Needs free joints to hang on the world, and no more than 100 bodies on the way to a leaf: MuJoCo 2.2's reader of
/// models nests no deeper.
std::unique_ptr<DynamicsPeer> make_mujoco_peer(const Model& model);
std::unique_ptr<DynamicsPeer> make_dart_peer(const Model& model);

/// True if all joints are of the types that the peers and Carom share, without reflected inertia. Only one peer has
/// reflected inertia, and another has different coordinates for the other types.
inline bool has_common_joints(const Model& model) {
  constexpr JointType common[] = {JointType::fixed, JointType::revolute, JointType::prismatic, JointType::spherical,
                                  JointType::free};
  for (const Joint& joint : model.joints()) {
    const bool known = std::find(std::begin(common), std::end(common), joint.type) != std::end(common);
    if (!known || !joint.reflected_inertia.isZero(0)) return false;
  }
  return true;
}

/// The description that a peer gets of a model with common joints.
PeerMechanism mechanism_of(const Model& model);

}  // namespace carom::bench
