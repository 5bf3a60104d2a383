#pragma once

#include <utility>
#include <vector>

#include "carom/dynamics/workspace.h"

namespace carom {

/// One scalar constraint: a unit impulse along the row acts as a wrench on body A and its opposite on body B, or as a
/// generalized impulse on one velocity coordinate or two.
struct ConstraintRow {
  int body_a = -1;  ///< −1 for the world
  int body_b = -1;
  Vec3 point_a = Vec3::Zero();    ///< where it acts on A, world frame, m
  Vec3 point_b = Vec3::Zero();    ///< where it acts on B, world frame, m
  Vec3 direction = Vec3::Zero();  ///< of the force, world frame: positive pushes A along it and B against it
  Vec3 moment = Vec3::Zero();  ///< a torque beside the force, world frame: positive turns A about it and B against it
  int coordinate = -1;         ///< ≥ 0: a row on velocity coordinates; the fields above are then unused
  double coefficient = 1;      ///< of this coordinate in the row
  int other_coordinate = -1;   ///< a second one, or −1
  double other_coefficient = 0;
};

/// Rows J (k × nv) of constraints and the operator
///
///   A = J M⁻¹ Jᵀ   (k × k, symmetric positive semi-definite),
///
/// through the factored mass matrix, factor_mass's `extra` included. A_ij is the change of row i's velocity J_i v by a
/// unit impulse along row j: (m/s)/(N s) for rows of points, and accordingly for coordinate rows. A is singular where
/// rows repeat or depend on each other, and a row that pushes nothing but static bodies and the world is zero.
///
/// Row i touches only the trees of its two bodies, and products run over shared trees only, in a fixed order; the upper
/// triangle is a copy of the lower, so A is symmetric to the bit. Cost O(k nv + k n + k² n) with n the coordinates of
/// the trees that a row touches. Buffers are kept between calls and grow only with the largest k seen.
class Delassus {
 public:
  /// Needs forward_kinematics and factor_mass at the same q. Refers to `model` until the next call.
  void build(const Model& model, const std::vector<ConstraintRow>& rows, DynamicsWorkspace& workspace);

  /// Makes room for so many rows.
  void reserve(const Model& model, int rows);

  int row_count() const { return count_; }
  /// A as k × k, column-major, symmetric.
  Eigen::Map<const MatrixX> matrix() const { return {A_.data(), count_, count_}; }
  /// J as k × nv.
  Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> jacobian() const {
    return {J_.data(), count_, velocities_};
  }
  /// y = J v, y of size k.
  void apply(const VectorX& v, Eigen::Ref<VectorX> y) const;
  /// v += M⁻¹ Jᵀ p.
  void add_response(const Eigen::Ref<const VectorX>& p, VectorX& v) const;

 private:
  void fill_row(const Model& model, const ConstraintRow& row, int i, const DynamicsWorkspace& workspace);
  void respond(const Model& model, int i, DynamicsWorkspace& workspace);
  double entry(const Model& model, int i, int j) const;

  const Model* model_ = nullptr;
  int count_ = 0;
  int velocities_ = 0;
  std::vector<double> A_, J_, Y_;           // Y = M⁻¹ Jᵀ, stored by row of J; unset outside the row's trees
  std::vector<std::pair<int, int>> trees_;  // roots of the trees that a row touches, −1 for none
  VectorX column_;
};

}  // namespace carom
