#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "carom/complementarity/contact_problem.h"

namespace carom {

/// A corner of a regular polygon, and the middle of the edge that follows it, of unit length.
struct PolygonCorner {
  double x = 0, y = 0;
  double mid_x = 0, mid_y = 0;
};

/// Corners (cos 2πj/K, sin 2πj/K); none for K = 0, the circle.
std::vector<PolygonCorner> polygon_of(int directions);

/// The convex set C of impulses that a block allows, in units that make friction isotropic, and the nearest point in
/// it.
///
///     bilateral   all p                    bounded   lower ≤ p ≤ upper               unilateral   p ≥ 0
///     contact     ‖q‖ ≤ μ p_n, or the pyramid over the regular polygon of generators μ (cos 2πj/K, sin 2πj/K)
///                 With a floor p_n ≥ floor beside it
///
/// Friction is q_i = p_i / scale_i with scale_i = μ_i / μ and μ the largest semi-axis (1 for torsion alone). Rows
/// without friction get none.
///
/// x: size() numbers, rows as in the block (normal third), friction rows in units of q. Velocities in the same units
/// are scale_i u_i, so that xᵀ w is the power.
class ImpulseSet {
 public:
  static constexpr int max_size = 4;

  /// polygon: what polygon_of says, of all sets that share it, which has to live as long; empty for the circle.
  ImpulseSet(const Block& block, std::span<const PolygonCorner> polygon);

  int size() const { return size_; }
  double scale(int i) const { return scale_[i]; }
  double mu() const { return mu_; }
  bool has_friction() const { return mu_ > 0; }
  int normal() const { return normal_; }

  /// Lift that Coulomb's law adds to the normal velocity. With it, p and w = u + lift e_n lie in a cone and its dual
  /// and are perpendicular (De Saxcé and Feng 1998). It is μ times the speed of slip; 0 without friction. For a polygon
  /// it is μ times the most speed along a generator's opposite. The gradient ∂lift/∂w has size() numbers and may be
  /// null.
  double lift(const double* w, double* gradient = nullptr) const;

  /// nearest: the point of C nearest to x. The derivative ∂nearest/∂x is size × size, row after row with stride
  /// max_size. It is symmetric with eigenvalues 0 to 1, and may be null.
  void project(const double* x, double* nearest, double* derivative) const;

 private:
  std::size_t edge_of(const double* x) const;
  void project_circle(const double* x, double* nearest, double* derivative) const;
  void project_polygon(const double* x, double* nearest, double* derivative) const;
  void project_floor(const double* x, double* nearest, double* derivative) const;
  void project_floor_polygon(const double* x, double* nearest, double* derivative) const;

  BlockKind kind_;
  int size_ = 1, normal_ = 0;
  std::span<const PolygonCorner> polygon_;
  double mu_ = 0, lower_ = 0, upper_ = 0, floor_ = 0;
  double scale_[max_size] = {1, 1, 1, 1};
};

}  // namespace carom
