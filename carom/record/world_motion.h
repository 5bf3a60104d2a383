#pragma once

#include <vector>

#include "carom/dynamics/workspace.h"
#include "carom/model/state.h"

namespace carom {

/// Poses and motions of bodies, named frames and trees at one instant, in world axes. Rows of numbers lie one
/// after another: entry 3 i + k (of orientations 4 i + k) belongs to body, frame or tree i.
struct WorldMotion {
  /// Places of the bodies' own frames, or of the model's named frames.
  struct Places {
    VectorX position;          ///< of the frame's origin, m
    VectorX orientation;       ///< R_WB or R_WF as w, x, y, z with w ≥ 0
    VectorX velocity;          ///< of the origin, m/s
    VectorX angular_velocity;  ///< rad/s
  };
  Places bodies, frames;
  // Rows of each tree, in the order of tree_roots.
  VectorX mass_centre;           ///< m
  VectorX mass_centre_velocity;  ///< m/s
  VectorX momentum;              ///< kg m/s
  VectorX angular_momentum;      ///< about the mass centre, kg m²/s
};

/// The first body of each tree (a mechanism without its constraints), ascending.
std::vector<int> tree_roots(const Model& model);

/// Evaluates the motion of states of one model, O(n) each, without allocation after the first.
class WorldObserver {
 public:
  /// The model must outlive the observer.
  explicit WorldObserver(const Model& model);
  /// Valid until the next call.
  const WorldMotion& observe(const State& state);
  /// Kinematics of the state observed last.
  const DynamicsWorkspace& workspace() const { return workspace_; }

 private:
  const Model& model_;
  std::vector<int> roots_;
  DynamicsWorkspace workspace_;
  WorldMotion motion_;
};

}  // namespace carom
