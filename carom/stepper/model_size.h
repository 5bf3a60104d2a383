#pragma once

#include <algorithm>
#include <vector>

#include "carom/dynamics/delassus.h"
#include "carom/model/state.h"

namespace carom {

/// Sizes of a model. Thresholds of round-off are fractions of them, so that a watch and a bridge are judged by the same
/// digits.
class ModelSize {
 public:
  explicit ModelSize(const Model& model);

  /// Size of the smallest thing that moves, m, positive. The size of a shape is its bounding radius. In a model without
  /// shapes that move, it is a body's radius of gyration, or the arm from its joint to its mass centre. No less than a
  /// thousandth of the extent: a point on a robot is as large as its other details. If nothing has a size, the distance
  /// of the farthest root from the origin, or 1 if that is zero.
  double least() const { return least_; }

  /// Greatest distance from the root of a tree that anything on it can have, m, positive; travel without limits does
  /// not count.
  double extent() const { return extent_; }

  /// Greatest distance from the world's origin at q of what moves, m; digits of places are a part of it.
  double reach(const Model& model, const VectorX& q) const;

  /// Largest rate of a velocity coordinate, m/s; of a rate of turning that of the extent.
  double fastest(const VectorX& v) const;

  /// A size for velocities of things at rest, m/s, positive. With gravity it is √(g L), the speed of a fall by the
  /// least size L. Without, it is L / (10 h), with the length h of a step.
  double speed(double h) const;

  /// Sizes of a row's error, a contact's gap and a velocity coordinate's way: the least size for lengths, 1 for angles.
  double of(const ConstraintRow& row) const { return is_length(row) ? least_ : 1; }
  double of(const ContactId& id) const { return is_length(id) ? least_ : 1; }
  double of_coordinate(int coordinate) const { return is_length(coordinate) ? least_ : 1; }

  /// Sizes of what places can tell apart, likewise: for lengths the least size, but no less than a tenth of the reach.
  double told(double reach) const { return std::max(least_, 0.1 * reach); }
  double told(const ConstraintRow& row, double reach) const { return is_length(row) ? told(reach) : 1; }
  double told(const ContactId& id, double reach) const { return is_length(id) ? told(reach) : 1; }

  /// Speed, m/s, for each unit of the rate of a row, a gap or a velocity coordinate: 1 for lengths, the extent for
  /// angles.
  double as_speed(const ConstraintRow& row) const { return is_length(row) ? 1 : extent_; }
  double as_speed(const ContactId& id) const { return is_length(id) ? 1 : extent_; }
  double as_speed(int coordinate) const { return is_length(coordinate) ? 1 : extent_; }

  bool is_length(const ConstraintRow& row) const;
  bool is_length(const ContactId& id) const {
    if (id.is_tendon()) return tendon_is_length_[static_cast<std::size_t>(id.b)] != 0;
    return !id.is_limit() || is_length(id.b);
  }
  bool is_length(int coordinate) const { return is_length_[static_cast<std::size_t>(coordinate)] != 0; }

  /// Sizes of the entries of (q, v) in an integration by steps in runs of length h. Positions have those above,
  /// quaternions 1. Velocities have those in speed(h), or the rate of turning that goes with it.
  std::vector<double> of_state(const Model& model, double h) const;

 private:
  double least_ = 1, extent_ = 1, gravity_ = 0;
  double root_ = 0;  // greatest distance of a tree's root, or of what ties one to the world, from the origin
  std::vector<char> is_length_;         // by velocity coordinate
  std::vector<char> tendon_is_length_;  // by constraint: whether a tendon's sum is of no angle
};

}  // namespace carom
