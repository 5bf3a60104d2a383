#pragma once

#include <vector>

#include "carom/geometry/shape.h"

namespace carom {

/// One pair of nearest features of two shapes A and B, in the world frame.
struct ContactPoint {
  Vec3 p_WA;      ///< point on the surface of A, m
  Vec3 p_WB;      ///< point on the surface of B, m
  Vec3 normal;    ///< unit, from B towards A
  double gap;     ///< signed distance along the normal, (p_WA − p_WB)·normal; > 0 apart, m
  int feature;    ///< which vertex, end or segment of the pair: the same feature has the same number in every step
};

/// True if contact_points handles this pair of shapes (in either order).
bool can_collide(const Shape& a, const Shape& b);

/// Appends to `points` every feature pair of A and B with gap ≤ margin, in order of feature number.
///
/// X_WA, X_WB: poses of the shapes. margin ≥ 0 in metres, infinity allowed. Swapping A and B gives the same points with
/// A and B exchanged and the normal reversed. A pair for which can_collide is false throws Error. Does not allocate
/// beyond the growth of `points`.
void contact_points(const Shape& a, const Transform& X_WA, const Shape& b, const Transform& X_WB, double margin,
                    std::vector<ContactPoint>& points);

}  // namespace carom
