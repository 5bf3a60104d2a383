#pragma once

#include "carom/dynamics/centroidal.h"
#include "carom/model/state.h"

namespace carom {

/// The velocity of a frame that is fixed in a body, in world axes.
struct FrameVelocity {
  Vec3 angular = Vec3::Zero();  ///< rad/s
  Vec3 linear = Vec3::Zero();   ///< of the frame's origin, m/s
};

/// Places and velocities of the parts of a mechanism at one state, for callers that need a few of them. Numbers are
/// those of part_numbers.h; body −1 is the world, which is at rest. Calls throw Error where there is no such part.
class MotionObserver {
 public:
  /// The model must outlive the observer, which has seen no state yet.
  explicit MotionObserver(const Model& model);
  MotionObserver(const Model& model, const State& state) : MotionObserver(model) { observe(state); }

  /// All that follows is of this state, until the next one. O(n), without allocation. Quaternions have unit length.
  void observe(const State& state);

  Transform pose(int body) const;          ///< X_WB
  FrameVelocity velocity(int body) const;  ///< of the body's own frame
  Transform frame_pose(int frame) const;   ///< X_WF of a named frame
  FrameVelocity frame_velocity(int frame) const;
  /// Place and velocity in the world of a point fixed in the body, m and m/s. point_B: in the body's frame.
  Vec3 point(int body, const Vec3& point_B) const { return pose(body) * point_B; }
  Vec3 point_velocity(int body, const Vec3& point_B) const;

  /// Mass, centre of mass and momentum of all that moves, and of the tree that a body belongs to.
  CentroidalState whole() const { return centroidal_state(model_, workspace_); }
  CentroidalState tree_of(int body) const;

  double kinetic_energy() const;                          ///< J
  double potential_energy() const { return potential_; }  ///< of gravity (zero at the world's origin) and springs, J

  /// The kinematics of the state, for the functions of this room.
  const DynamicsWorkspace& workspace() const { return workspace_; }

 private:
  const Model& model_;
  DynamicsWorkspace workspace_;
  double potential_ = 0;
};

}  // namespace carom
