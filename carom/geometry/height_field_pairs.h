#pragma once

#include <vector>

#include "carom/geometry/contact_points.h"

// A convex shape against the ground of a height field, piece by piece:
//
// Triangles. The points that a half-space under the triangle's plane would hold (half_space_pairs.h), of which those
// count whose foot on the plane lies in the triangle, or, below the ground, that lie straight under it: gap, normal and
// points are those of that half-space. So flat ground is a half-space, however finely it is cut: a point has one foot,
// edges within it are nothing, and its number does not change as it slides from cell to cell. A point under the ground
// by more, along a triangle's normal, than the next surface is away does not count for that triangle.
//
// Ridges and peaks. Where the surface bends downwards or ends, its edges and corners can enter a shape: the pair of the
// shape with that segment or point, as if it stood alone, of which those points count whose normal n is one in which
// the ground can be left there, n · d ≤ 0.01 for the unit vectors d into the triangles beside it (and, of a ridge, |n ·
// e| ≤ 0.01 with e along it). Hollows have no such n.
//
// Holds from below. A shape can overlap the ground where none of these shows it: a spike through a plate, a needle
// through a hill below its crest. With h the height of the ground, A the shape,
//
//   rise(A) = max_{a ∈ A} h(a_x, a_y) − a_z
//
// is > 0 where the two overlap, and changes by no more than √(1 + slope²) times what the shape moves by. A place p of
// the ground over a point a where this has a local maximum is on a triangle, straight over the shape's farthest point
// against its normal, or on a ridge or peak, on which the shape, raised by the rise, comes to lie; and a plane through
// a, its normal n one in which the ground can be left at p, has the shape above it. So n parts the two by a move of n_z
// rise. (A blade across a pass may have no such n: then, if nothing else holds it, that of the landing is taken.) Of
// places that no other point clears (the shape is not above them when it moves by −1.5 gap n of one), the
// one of the greatest rise counts, then, of those left, the next, with
//
//   gap = −min(n_z rise, distance of a to the surface).
//
// Where the shape is apart from the ground, the least gap is their distance: the nearest point of the ground lies in a
// triangle, on a ridge or on a peak. Each other point is a pair of points of the two whose gap is no less. Where they
// overlap, some gap is < 0, and none is less than −δ if no point of the shape has moved by more than δ since the two
// were apart: a triangle's or hold's is no deeper than that point lies in the ground, a ridge's or peak's no more than
// what parts it from the shape. (But at the rim, which has no walls: there the distance is that to the surface above.)
// A shape whose points are all above the ground is not pushed by triangles behind a hill.
//
// Cost: the triangles under the shape times its points, and about 10 µs per ridge and peak that is near; a hold, some
// 50 µs.
namespace carom {

/// A may be any shape but a half-space or a height field.
///
/// Features, none of which depends on the margin: 2³⁰ + f T + t, point f of A (as against a half-space) over the flat
/// whose lowest triangle is t, of T; 2²⁷ + s: sample s; 2²⁸ + 64 e + k: point k of edge e, 63 for a hold; 2²⁷ + 2²⁴ +
/// t: triangle t, for a hold.
void height_field_points(const Shape& a, const Transform& X_WA, const HeightField& b, const Transform& X_WB,
                         double margin, std::vector<ContactPoint>& points);

/// The point of this number alone, whatever its gap, if it is there: no other part of the ground is looked at, but for
/// holds, which depend on all that is near.
void height_field_point(const Shape& a, const Transform& X_WA, const HeightField& b, const Transform& X_WB, int feature,
                        std::vector<ContactPoint>& points);

/// Points among which is that of least gap, however far apart the two are: the search grows from the shape.
void nearest_height_field_points(const Shape& a, const Transform& X_WA, const HeightField& b, const Transform& X_WB,
                                 std::vector<ContactPoint>& points);

}  // namespace carom
