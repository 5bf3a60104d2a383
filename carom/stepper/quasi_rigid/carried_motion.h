#pragma once

#include <vector>

#include "carom/dynamics/delassus.h"
#include "carom/dynamics/workspace.h"

namespace carom {

/// The velocities of a model in axes that a step does not turn. Spherical joints have ω in the axes of F. Free joints
/// have ω and the velocity of the centre of mass in the axes of F. All others have their rates. In these coordinates w
/// transport_velocity is the identity: the same w is the velocity at the start, within and at the end of a step.
void to_carried(const Model& model, const VectorX& q, const VectorX& v, VectorX& w);
void from_carried(const Model& model, const VectorX& q, const VectorX& w, VectorX& v);

/// Roots of the trees that move, ascending, and the coordinates of the tree of one.
std::vector<int> moving_roots(const Model& model);
std::vector<int> coordinates_of_tree(const Model& model, int root);

/// M of one tree in these velocities: Bᵀ (M + diag(extra)) B with v = B w at q. Its coordinates are in ascending order.
/// extra: nv. Needs forward_kinematics at q. B: scratch.
void carried_mass(const Model& model, int root, const VectorX& q, const VectorX& extra, DynamicsWorkspace& workspace,
                  MatrixX& B, MatrixX& mass);

/// A mechanism at the end of a step, q⁺ = q ⊞ h w, and how all of it changes with w.
///
/// Column k is the motion of the bodies beyond coordinate k at a unit of w_k, in world axes. Its angular part is ω_k,
/// and the point o_k moves with ℓ_k. A free joint has its centre of mass as o_k, others have the joint's origin. The
/// same columns describe small displacements y of the configuration at q⁺ (rad and m along them), with
///
///     δy = h E δw,   E = left Jacobian of the exponential at h ω for rotations, 1 else.
///
/// Displacements j of the joints before it carry column k along: δS_k = S_j × S_k. So do those of the coordinates of
/// its own joint before it if these are scalars. A displacement of the centre of mass carries the turns about it.
/// O(depth) for what one body needs.
class CarriedMotion {
 public:
  struct Column {
    Vec3 angular = Vec3::Zero(), linear = Vec3::Zero(), origin = Vec3::Zero();

    Vec3 at(const Vec3& x) const { return linear + angular.cross(x - origin); }
  };

  explicit CarriedMotion(const Model& model);

  /// The end of a step of length h from q at the velocity w.
  void move(const Model& model, const VectorX& q, const VectorX& w, double h);

  const VectorX& q() const { return q_end_; }
  const DynamicsWorkspace& workspace() const { return workspace_; }
  Transform pose(int body) const { return body < 0 ? Transform{} : workspace_.X_WB[body]; }
  const Column& column(int coordinate) const { return columns_[coordinate]; }

  /// Coordinates that move either body (−1: the world), ascending; those of one joint follow one another.
  void path(const Model& model, int body_a, int body_b, std::vector<int>& coordinates) const;
  /// True if the coordinate moves the body.
  bool moves(const Model& model, int coordinate, int body) const;

  /// (ω; velocity of the point x) of the body.
  Vec6 velocity(const Model& model, int body, const Vec3& x, const VectorX& w) const;
  /// ∂(ω; ẋ)/∂w_k at a fixed configuration for every k of `coordinates`, 6 × their count.
  void velocity_jacobian(const Model& model, int body, const Vec3& x, const std::vector<int>& coordinates,
                         Eigen::Ref<MatrixX> J) const;
  /// ∂(ω; ẋ)/∂y at fixed w and fixed x.
  void velocity_slope(const Model& model, int body, const Vec3& x, const VectorX& w,
                      const std::vector<int>& coordinates, Eigen::Ref<MatrixX> J) const;
  /// Slope ∂f/∂y of f_k = S_kᵀ (moment; force), for a wrench on the body whose force acts at x. The wrench and x are
  /// fixed. Adds `sign` times it, count × count.
  void add_force_slope(const Model& model, int body, const Vec3& x, const Vec3& force, const Vec3& moment, double sign,
                       const std::vector<int>& coordinates, Eigen::Ref<MatrixX> K) const;
  /// Turns columns by y into columns by w: J ← h J E.
  void to_velocity(const Model& model, const std::vector<int>& coordinates, Eigen::Ref<MatrixX> J) const;

  /// The row's coefficients for `coordinates`, which must hold all that it depends on.
  void row_coefficients(const Model& model, const ConstraintRow& row, const std::vector<int>& coordinates,
                        Eigen::Ref<VectorX> coefficients) const;
  /// Coordinates that a row depends on.
  void row_path(const Model& model, const ConstraintRow& row, std::vector<int>& coordinates) const;

 private:
  /// True if a displacement of coordinate j carries column k along. Needs j to move the bodies that k moves, or to be
  /// of the same joint.
  bool carries(const Model& model, int j, int k) const;

  DynamicsWorkspace workspace_;
  VectorX q_end_, v_;
  double h_ = 0;
  std::vector<Column> columns_;
  std::vector<Mat3> turning_;  // E of the rotation of the joint of a body
};

}  // namespace carom
