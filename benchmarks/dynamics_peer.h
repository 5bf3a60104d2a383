#pragma once

#include <memory>
#include <string>
#include <vector>

#include "carom/model/model.h"

namespace carom::bench {

/// Where a mechanism is, how it moves and what drives it, in Carom's coordinates.
struct DynamicsState {
  VectorX q, v, tau;
};

/// Forward dynamics by another program, v̇ from (q, v, τ) under the model's gravity. Joint limits, springs, damping and
/// shapes are left out.
class DynamicsPeer {
 public:
  virtual ~DynamicsPeer() = default;
  /// Tells the states in the peer's coordinates, which takes no part in the time of an evaluation.
  virtual void set_states(const std::vector<DynamicsState>& states) = 0;
  /// Gives the peer state k and has it compute the acceleration.
  virtual void evaluate(int k) = 0;
  /// v̇ of the last evaluation, which was of state k, in Carom's coordinates.
  virtual VectorX acceleration(int k) = 0;
};

struct DynamicsPeerKind {
  std::string name;
  /// Null if the peer cannot represent the model.
  std::unique_ptr<DynamicsPeer> (*make)(const Model& model);
};

/// The peers that this build found.
std::vector<DynamicsPeerKind> dynamics_peers();

// None has Carom's planar joint.
std::unique_ptr<DynamicsPeer> make_simbody_peer(const Model& model);
/// Needs free joints to hang on the world, and no more than 100 bodies on the way to a leaf: MuJoCo 2.2's reader of
/// models nests no deeper.
std::unique_ptr<DynamicsPeer> make_mujoco_peer(const Model& model);
std::unique_ptr<DynamicsPeer> make_dart_peer(const Model& model);

inline bool has_type(const Model& model, JointType type) {
  for (const Joint& joint : model.joints()) {
    if (joint.type == type) return true;
  }
  return false;
}

inline Quaternion quaternion_at(const VectorX& q, int i) { return Quaternion(q[i], q[i + 1], q[i + 2], q[i + 3]); }

}  // namespace carom::bench
