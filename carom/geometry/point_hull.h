#pragma once

#include <Eigen/Core>

namespace carom {

/// Affine and convex hull of points in a space of any dimension, whose unit is the caller's.
struct PointHull {
  int dimension = -1;      ///< of the affine hull; 0 of one point, −1 of none
  Eigen::VectorXd center;  ///< mean of the points
  Eigen::MatrixXd basis;   ///< n × dimension, orthonormal: principal directions, widest first
  bool has_size = false;   ///< false above `largest_dimension`, or where round-off flattens the hull for Qhull
  double size = 0;  ///< length, area, volume, … of the convex hull, in the unit to the power of dimension; 0 of
                    ///< a point
};

/// points: n × m, a column each. A direction in which no point is further than `tolerance` from the mean counts as
/// none. The convex hull of two and more dimensions is Qhull's (Barber, Dobkin and Huhdanpaa 1996), of the points in
/// coordinates of their affine hull. Cost: the eigenvectors of an n × n matrix per dimension, and O(m log m) to O(m²)
/// for dimensions 2 to 4.
PointHull point_hull(const Eigen::Ref<const Eigen::MatrixXd>& points, double tolerance, int largest_dimension = 4);

}  // namespace carom
