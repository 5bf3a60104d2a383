#pragma once

#include <vector>

#include "carom/dynamics/workspace.h"

namespace carom {

/// One scalar constraint: a unit impulse along the row acts as a wrench on body A and its opposite on body B, or as a
/// generalized impulse on one velocity coordinate.
struct ConstraintRow {
  int body_a = -1;              ///< −1 for the world
  int body_b = -1;
  Vec3 point_a = Vec3::Zero();  ///< where it acts on A, world frame, m
  Vec3 point_b = Vec3::Zero();  ///< where it acts on B, world frame, m
  Vec3 direction = Vec3::Zero();  ///< unit, world frame: positive pushes A along it and B against it
  int coordinate = -1;          ///< ≥ 0: a row on this velocity coordinate alone; the fields above are then unused
  double sign = 1;              ///< of that row
};

/// Rows J (k × nv) of constraints and the operator A = J M⁻¹ Jᵀ, k × k, through the factored mass matrix.
///
/// Row i touches only the trees of its two bodies; products run over shared trees only, in a fixed order, so A is
/// symmetric to the bit. Cost O(k n_tree + k² n_tree) with n_tree the coordinates of the trees touched. Buffers are kept
/// between calls and grow only with the largest k seen.
class Delassus {
 public:
  /// Needs forward_kinematics and factor_mass at the same q.
  void build(const Model& model, const std::vector<ConstraintRow>& rows, DynamicsWorkspace& workspace);

  int row_count() const { return count_; }
  /// A as k × k, column-major, symmetric.
  Eigen::Map<const MatrixX> matrix() const { return {A_.data(), count_, count_}; }
  /// J as k × nv.
  Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> jacobian() const {
    return {J_.data(), count_, velocities_};
  }
  /// y = J v.
  void apply(const VectorX& v, Eigen::Ref<VectorX> y) const;
  /// v += M⁻¹ Jᵀ p.
  void add_response(const Eigen::Ref<const VectorX>& p, VectorX& v) const;

 private:
  int count_ = 0;
  int velocities_ = 0;
  std::vector<double> A_, J_, Y_;   // Y = M⁻¹ Jᵀ, stored by row of J
  std::vector<std::pair<int, int>> trees_;  // roots of the trees that a row touches; −1 for none
  VectorX column_, response_;
};

}  // namespace carom
