#pragma once

#include "carom/geometry/shape.h"

// Signed distance of two convex shapes of any kind but half-spaces, with the normal that proves it.
//
// With h_S(d) = max_{x ∈ S} d·x the support function, every unit vector n bounds the signed distance from below,
//
//   d ≥ s(n) = −h_A(−n) − h_B(n),       d = max_n s(n)      (separating axes; apart or overlapping),
//
// so that a normal is its own proof, and the better of two normals is the one with the greater s. A first normal comes
// from Bullet's GJK, or its EPA where the cores overlap (Gilbert, Johnson, Keerthi 1988; van den Bergen 2001). It is
// good to 1e-4 at worst, and then climbs s. Let p_A, p_B be the points of support, w = p_A − p_B, and H_A, H_B the
// Hessians of the support functions. On the unit sphere s has
//
//   gradient (I − n nᵀ) w,   Hessian −(I − n nᵀ)(H_A + H_B)(I − n nᵀ) − s I,
//
// Newton's method applies where both supports are smooth at n. They are not where n is perpendicular to edges (of a
// polyhedron, a cylinder's side, a segment). There the climb is along the great circle of that edge, and two edges
// leave nothing to climb. Every set of up to two edges that n is nearly perpendicular to is tried, and the greatest s
// wins. A set that does not belong there only loses. If the points of support do not meet in the end, n is no maximum,
// and turns by what they miss one another. Among normals whose s is equal to round-off, the one with the least miss is
// taken. An edge on the flat end of a superquadric touches where it lies deepest.
//
// If cores overlap, s has several maxima, and EPA need not find the greatest. A search of all directions by branch and
// bound (way_out.h) then leaves none that separates by more than 1e-6 of the size beyond the gap. This holds if 4000
// triangles suffice. They are twice what random shapes need, and too few only where many directions are nearly equal,
// as in concentric and coaxial round shapes. The search climbs from whatever is better, and from up to 16 directions
// that may be better by less than that tolerance.
//
// Source of the bound: theory of separating axes, Gottschalk, Lin, Manocha 1996. Cost: about 10 µs apart, 50 µs where
// cores overlap.
namespace carom {

/// Nearest points, or the shortest way out.
struct ConvexDistance {
  double gap = 0;  ///< s(normal), m
  Vec3 normal;     ///< unit, from B towards A, world frame
  Vec3 p_WA;       ///< of A, where the normal touches it, m
  Vec3 p_WB;       ///< p_WA − gap normal
};

/// Neither shape may be a half-space. Does not allocate.
ConvexDistance convex_distance(const Shape& a, const Transform& X_WA, const Shape& b, const Transform& X_WB);

/// s(n) above, m, for a unit vector n in the world frame.
double separation(const Shape& a, const Transform& X_WA, const Shape& b, const Transform& X_WB, const Vec3& normal);

}  // namespace carom
