#pragma once

#include <algorithm>
#include <vector>

#include "carom/dynamics/delassus.h"
#include "carom/model/state.h"

namespace carom {

/// Sizes of a model, of which what counts as round-off is a part, so that a watch and a bridge are held to the same
/// digits.
class ModelSize {
 public:
  explicit ModelSize(const Model& model);

  /// Size of the smallest thing that moves, m, positive: of a shape its bounding radius; in a model without shapes that
  /// move a body's radius of gyration, or the arm from its joint to its mass centre. 1 if nothing has a size.
  double least() const { return least_; }

  /// Greatest distance of what constraints, joints and shapes hold from the origin of its body, m.
  double longest_arm() const { return longest_arm_; }

  /// How far from the world's origin it reaches at q at most, m: digits of places are a part of it.
  double reach(const Model& model, const VectorX& q) const;

  /// Sizes of what places can tell apart: for lengths the least size, but no less than a tenth of the reach (a robot's
  /// finger tip is known to the digits of the robot); 1 for angles.
  double told(const ConstraintRow& row, double reach) const { return is_length(row) ? told(reach) : 1; }
  double told(const ContactId& id, double reach) const { return is_length(id) ? told(reach) : 1; }
  double told(double reach) const { return std::max(least_, 0.1 * reach); }

  /// A size for velocities of what is at rest, m/s, positive: √(g L) of the fall by the least size L, without gravity
  /// L / h with the length h of a step.
  double speed(double h) const;

  /// Sizes of a row's error, a contact's gap and a velocity coordinate's way: the least size for lengths, 1 for angles.
  double of(const ConstraintRow& row) const;
  double of(const ContactId& id) const { return is_length(id) ? least_ : 1; }
  bool is_length(const ConstraintRow& row) const;
  bool is_length(const ContactId& id) const;
  double of_coordinate(int coordinate) const;

  /// Sizes of the entries of (q, v) in an integration by steps in runs of length h: of positions as above, 1 for
  /// quaternions; of velocities those in speed(h), or the rate of turning that goes with it.
  std::vector<double> of_state(const Model& model, double h) const;

 private:
  double least_ = 1, longest_arm_ = 0, gravity_ = 0;
  std::vector<char> is_length_;  // by velocity coordinate
};

}  // namespace carom
