#pragma once

#include <vector>

#include "carom/geometry/contact_points.h"
#include "carom/geometry/convex_distance.h"

// Contact of a face of one shape with another: the points that carry the load, one for each corner of what they have
// in common. The reference is the face, of either shape, whose normal is nearest to the contact's, and of two
// that are parallel to 0.01 rad the larger, B's of equal ones; the incident feature is the face, edge or pair of edge's
// ends of the other shape that looks at it most. The incident feature is cut by the planes that stand on the
// reference's edges (Sutherland, Hodgman 1974), and each corner of what is left is a point with
//
//   gap = n_ref · (corner − reference plane) / n_ref · n, raised to the least gap of the pair where it is a little
//   less,
//
// along n: the exact pair's normal where that is within 0.01 rad of n_ref, n_ref itself elsewhere (the planes hold n
// too). No two points of the shapes are nearer along the exact pair's normal than that pair is, and what the faces have
// in common is nearest at a corner: so one of the corners is the exact pair, and none is lost. Tilting a box by 1e-9
// moves gaps by 1e-9, and the points stay. A round cap counts as the octagon in it. Two edges that lie side by side
// (logs, capsules; to 1e-9 of the size also edges of what is flat-sided) give the two ends of what they have in common.
//
// Numbers of points: corner i of the incident feature 1 + i; where its side i leaves over side j of the reference
// 2¹⁶ (1 + i) + j; the corner between sides i and j of the reference 2²⁴ + 64 i + j.
namespace carom {

/// Appends the points with gap ≤ margin, by their number. Appends none where no face is within 18° of the contact's
/// normal and no edges lie along one another. `pair` is the least gap of the two.
void face_contact(const Shape& a, const Transform& X_WA, const Shape& b, const Transform& X_WB,
                  const ConvexDistance& pair, double margin, std::vector<ContactPoint>& points);

}  // namespace carom
