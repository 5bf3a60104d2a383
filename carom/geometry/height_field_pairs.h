#pragma once

#include <vector>

#include "carom/geometry/contact_points.h"

// A convex shape against the ground of a height field, piece by piece:
//
// Triangles. A triangle has the points that a half-space under its plane would have (half_space_pairs.h), with that
// half-space's gap, normal and points. Those count whose foot on the plane lies in the triangle and, below the ground,
// those that lie straight under it. So flat ground is a half-space, however finely it is cut. A point has one foot,
// edges within flat ground are nothing, and the point's number does not change as it slides from cell to cell. A point
// under the ground may be deeper, along a triangle's normal, than the next surface is away. Then it does not count for
// that triangle.
//
// Ridges and peaks. Edges and corners where the surface bends downwards or ends can enter a shape. They have the points
// of the pair of the shape with that segment or point, as if it stood alone. Those count whose normal n is one in which
// the ground can be left there. This means n · d ≤ 0.01 for the unit vectors d into the triangles beside it. On a ridge
// it also means |n · e| ≤ 0.01, with e along the ridge. Hollows have no such n.
//
// Holds from below. A shape can overlap the ground where none of these shows it: a spike through a plate, a needle
// through a hill below its crest. With h the height of the ground, A the shape,
//
//   rise(A) = max_{a ∈ A} h(a_x, a_y) − a_z
//
// is > 0 where the two overlap, and changes by no more than √(1 + slope²) times what the shape moves by. Let p be a
// place of the ground over a point a where this has a local maximum. Either p is on a triangle, straight over the
// shape's farthest point against its normal. Or p is on a ridge or peak, on which the shape, raised by the rise, comes
// to lie. A plane through a, whose normal n is one in which the ground can be left at p, has the shape above it. So n
// parts the two by a move of n_z rise. A blade across a pass may have no such n. Then, if nothing else pushes out, the
// normal of the landing is taken. A point clears a place if the shape is above it when it moves by −1.5 gap n of that
// point. Among places that no other point clears, the one of the greatest rise counts, then, of those left, the next.
// Their gap is
//
//   gap = −min(n_z rise, distance of a to the surface).
//
// If the shape is apart from the ground, the least gap is their distance. The nearest point of the ground lies in a
// triangle, on a ridge or on a peak. Each other point is a pair of points of the two whose gap is no less. If they
// overlap, some gap is < 0. None is less than −δ if no point of the shape has moved by more than δ since the two were
// apart. The gap of a triangle or hold is no deeper than that point lies in the ground. The gap of a ridge or peak is
// no deeper than what parts it from the shape. The exception is the rim, which has no walls: there the distance is that
// to the surface above. A shape whose points are all above the ground is not pushed by triangles behind a hill.
//
// Cost: the triangles under the shape times its points, and about 10 µs per ridge and peak that is near; a hold, some
// 50 µs.
namespace carom {

/// A may be any shape but a half-space or a height field.
///
/// Features, none of which depends on the margin. Flats: point f of A (as against a half-space) has 2³⁰ + f T + t. Here
/// T is the number of triangles, and t the lowest of the flat's. Peaks: sample s has 2²⁷ + s. Ridges: point k of edge e
/// has 2²⁸ + 64 e + k, with k = 63 for a hold. Holds on triangles: triangle t has 2²⁷ + 2²⁴ + t.
void height_field_points(const Shape& a, const Transform& X_WA, const HeightField& b, const Transform& X_WB,
                         double margin, std::vector<ContactPoint>& points);

/// The point of this number alone, whatever its gap, if it is there. No other part of the ground is looked at, except
/// for holds, which depend on all that is near.
void height_field_point(const Shape& a, const Transform& X_WA, const HeightField& b, const Transform& X_WB, int feature,
                        std::vector<ContactPoint>& points);

/// Points among which is that of least gap, however far apart the two are: the search grows from the shape.
void nearest_height_field_points(const Shape& a, const Transform& X_WA, const HeightField& b, const Transform& X_WB,
                                 std::vector<ContactPoint>& points);

}  // namespace carom
