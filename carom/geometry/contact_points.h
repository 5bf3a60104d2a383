#pragma once

#include <vector>

#include "carom/geometry/shape.h"

namespace carom {

/// One pair of nearest features of two shapes A and B, in the world frame.
struct ContactPoint {
  Vec3 p_WA;    ///< point of A, on its surface for the least gap, m
  Vec3 p_WB;    ///< point of B, likewise, m
  Vec3 normal;  ///< unit, from B towards A
  double gap;   ///< signed distance along the normal, (p_WA − p_WB)·normal; > 0 apart, m
  int feature;  ///< which vertex, end or segment of the pair: the same feature has the same number in every step
};

/// True if contact_points handles this pair of shapes (in either order).
bool can_collide(const Shape& a, const Shape& b);

/// Appends to `points` every feature pair of A and B with gap ≤ margin, in order of feature number.
///
/// X_WA, X_WB: poses of the shapes. margin in metres, infinity allowed. A pair for which can_collide is false throws
/// Error. Does not allocate beyond the growth of `points`. O(1), but for
/// meshes and height fields, where the cost grows with the vertices and cells near the other shape.
///
/// The least gap is the signed distance of the shapes: their distance or, in overlap, minus the shortest translation
/// that parts them. It is exact to round-off, continuous, and smooth where the nearest points are unique. Every other
/// point belongs to a part of the shapes and has a gap that is not less. For a height field this holds piece by piece
/// (height_field_pairs.h). The headers half_space_pairs.h, round_pairs.h, box_pairs.h and convex_pairs.h say how each
/// pair is found. They also say which normal it gets where no direction is distinguished (centres or axes that meet).
///
///   pair                 features                                                                        points
///   sphere, any          0                                                                               1
///   box, half-space      0..7: vertex, bit i set where coordinate i is positive                          up to 8
///   capsule, half-space  0, 1: end at −z, +z                                                             2
///   capsule, capsule     0, 1: ends of A; 2, 3: ends of B; 4: where the axes pass each other             up to 5
///   cylinder, half-space 0, 1: lowest point of the rim at −z, +z; 2..17: eight fixed points of each      up to 18
///   ellipsoid, half-space 0                                                                              1
///   superquadric, implicit, half-space  0                                                                         1
///   mesh, rounded, half-space     its vertices by number                                                 all
///   cone, half-space     0: lowest point of the rim; 1: of side and tip; 2..9: eight fixed points of the rim  up to 10
///   capsule, box         0, 1: ends; 2..7: where the axis crosses the plane of the face −x, +x, −y, +y,
///                        −z, +z; 8: the nearest pair, where it is none of these                          up to 9
///   any, heightfield     height_field_pairs.h
///   all others           0: the nearest pair, where no corner is as near; others: face_contact.h
///
/// Points that coincide are reported once. Swapping A and B gives the same points with A and B exchanged and the normal
/// reversed. For two shapes of one kind, features are then numbered anew. Where no direction is distinguished, however,
/// the normal depends on the order for two spheres and for parallel capsules.
void contact_points(const Shape& a, const Transform& X_WA, const Shape& b, const Transform& X_WB, double margin,
                    std::vector<ContactPoint>& points);

/// The point of this number alone, whatever its gap; none if the pair has no such feature now.
void contact_point(const Shape& a, const Transform& X_WA, const Shape& b, const Transform& X_WB, int feature,
                   std::vector<ContactPoint>& points);

/// Points among which is that of least gap, however far apart the two are; at least one.
void nearest_points(const Shape& a, const Transform& X_WA, const Shape& b, const Transform& X_WB,
                    std::vector<ContactPoint>& points);

}  // namespace carom
