#pragma once

#include <memory>
#include <vector>

#include "carom/spatial/transform.h"

namespace carom::bench {

/// A mechanism in types that C++17 knows, which is what Simbody's headers ask for: joint i carries body i.
struct PeerJoint {
  enum class Kind { fixed, revolute, prismatic, spherical, free };
  Kind kind = Kind::fixed;
  int parent = -1;               ///< body; −1: the world
  int q_index = 0, v_index = 0;  ///< where its coordinates and rates start
  Transform X_PF, X_BM;
  double mass = 0;
  Vec3 center = Vec3::Zero();   ///< of mass, in the body
  Mat3 central = Mat3::Zero();  ///< inertia about it

  int position_size() const {
    constexpr int sizes[] = {0, 1, 1, 4, 7};
    return sizes[static_cast<int>(kind)];
  }
  int velocity_size() const {
    constexpr int sizes[] = {0, 1, 1, 3, 6};
    return sizes[static_cast<int>(kind)];
  }
};
struct PeerMechanism {
  Vec3 gravity = Vec3::Zero();
  int velocity_count = 0;
  std::vector<PeerJoint> joints;
};

/// Coordinates, velocities and joint forces of a mechanism, as Carom defines them.
struct DynamicsState {
  VectorX q, v, tau;
};

/// A point of a body at which a contact pushes along the world's three axes.
struct PeerPoint {
  int body = 0;            ///< Carom's number
  Vec3 at = Vec3::Zero();  ///< in the body's frame
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

  /// The points of the contacts from now on.
  virtual void set_points(const std::vector<PeerPoint>& points) = 0;
  /// J M⁻¹ Jᵀ of the points, three rows each, at the state evaluated last.
  virtual void evaluate_delassus() = 0;
  /// The result of evaluate_delassus().
  virtual const MatrixX& delassus() const = 0;
};

std::unique_ptr<DynamicsPeer> make_simbody_peer(const PeerMechanism& mechanism);

inline Quaternion quaternion_at(const VectorX& q, int i) { return Quaternion(q[i], q[i + 1], q[i + 2], q[i + 3]); }

}  // namespace carom::bench
