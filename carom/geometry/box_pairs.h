#pragma once

#include <vector>

#include "carom/geometry/contact_points.h"

// A sphere or a capsule A against a box B, in the box's frame. A is all points within radius r of its core, so
//
//   gap = d − r,   p_WA = a − r normal,   p_WB = b,   with d the signed distance of core and box, d = (a − b)·normal.
//
// Core outside, d > 0: a, b are the nearest points. For a point p, b is p clamped to the box. For a segment
// p(s) = c + s u, |s| ≤ ℓ, the squared distance is Σᵢ max(|pᵢ(s)| − hᵢ, 0)². It is convex in s, and quadratic between
// the at most six values of s where p(s) crosses the plane of a face. So its minimum is found exactly.
//
// Core inside, d ≤ 0: −d is the shortest way out. The difference of box and segment is a polytope whose face normals n
// are the box's axes eₖ and eₖ × u. Each gives a lower bound of d, and the greatest is d (Minkowski sum; for a point,
// the nearest face):
//
//   d = max_n [ min_s n·p(s) − Σᵢ hᵢ |nᵢ| ].
//
// In ties faces win over edges, x over y over z, and + over −. The distance d is continuous through 0, and smooth where
// a and b are unique.
namespace carom {

void sphere_box(const Sphere& a, const Transform& X_WA, const Box& b, const Transform& X_WB, double margin,
                std::vector<ContactPoint>& points);

/// The ball at each end of the segment and at each crossing of a face's plane, and the exact pair. So a capsule on a
/// face or along an edge has both ends of what it rests on. So has one across the box with its ends in the air. Pairs
/// within a thousandth of the radius of another are one, the nearer, under the lower number. If the segment enters the
/// box, a ball counts only if it lies over or under the face that the exact normal points to most. Its gap is measured
/// along that face's normal, since balls that left by different faces would contradict each other.
void capsule_box(const Capsule& a, const Transform& X_WA, const Box& b, const Transform& X_WB, double margin,
                 std::vector<ContactPoint>& points);

}  // namespace carom
