#pragma once

#include <vector>

#include "carom/geometry/contact_points.h"

// A convex shape against the ground of a height field, piece by piece:
//
// Triangles. The points that a half-space under the triangle's plane would hold (half_space_pairs.h), of which those
// count whose foot on the plane lies in the triangle, or, below the ground, that lie straight under it: gap, normal and
// points are those of that half-space. So flat ground is a half-space, however finely it is cut: a point has one foot,
// edges within it are nothing, and its number does not change as it slides from cell to cell.
//
// Ridges and peaks. Where the surface bends downwards or ends, its edges and corners can enter a shape: the pair of the
// shape with that segment or point, as if it stood alone, of which those points count whose normal n is one in which
// the ground can be left there, n · d ≤ 0.01 for the unit vectors d into the triangles beside it (and, of a ridge, |n ·
// e| ≤ 0.01 with e along it). Hollows have no such n. Where a ridge or peak has entered the shape so deeply
// that its shortest way out leads through the ground, the best of the normals beside it is taken. If that is more than
// one and a half times as long, the shortest way leads over an end of the piece, and the piece beyond it holds the
// shape: this one does not count, provided that the shape is out of it when it moves by −1.5 gap n of a point that
// counts. Where none such is, as with a spike through a plate, the least of these ways counts after all.
//
// Pierced triangles. A shape that overlaps the ground where none of these shows it (a needle through a hill below its
// ridge; a smooth shape, deep down, whose lowest points along the normals lie under each other's triangles) has the gap
// of the half-space under one of the triangles that it pierces, or under which its middle lies: that of the least
// depth.
//
// Where the shape is apart from the ground, the least gap is their distance: the nearest point of the ground lies in a
// triangle, on a ridge or on a peak. Each other point is a pair of points of the two whose gap is no less. Where they
// overlap, some gap is < 0. Each point's gap is that of the shape with the piece of ground there, and of the triangles
// beneath one point of the shape that bend down towards each other only that of the least depth counts. A shape whose
// points are all above the ground is not pushed by triangles behind a hill.
//
// Cost: the triangles under the shape times its points, and about 10 µs per ridge and peak that is near.
namespace carom {

/// A may be any shape but a half-space or a height field.
///
/// Feature 64 f + k: point f of A (as against a half-space) over its k-th triangle, in the order of their numbers; 2²⁷
/// + s: sample s; 2²⁸ + 8 e + k: the k-th point of edge e; 2²⁹ + t: triangle t, pierced.
void height_field_points(const Shape& a, const Transform& X_WA, const HeightField& b, const Transform& X_WB,
                         double margin, std::vector<ContactPoint>& points);

}  // namespace carom
