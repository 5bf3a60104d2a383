#pragma once

#include <vector>

#include "carom/geometry/contact_points.h"
#include "carom/geometry/convex_distance.h"

// Contact of a face of one shape with another: the points that carry the load, one for each corner of what they have in
// common. The reference is the face, of either shape, whose normal is nearest to the contact's. If two are parallel to
// 0.01 rad, the larger is the reference; of equal ones, B's. The incident feature is the face or edge (a pair of ends)
// of the other shape that looks at the reference most. The planes that stand on the reference's edges cut the incident
// feature (Sutherland, Hodgman 1974). Each corner of what is left is a point with
//
//   gap = n_ref · (corner − reference plane) / n_ref · n
//
// along n, raised to the least gap of the pair where it is a little less. The direction n is the exact pair's normal if
// that is within 0.01 rad of n_ref, and n_ref itself elsewhere (the planes contain n too). No two points of the shapes
// are nearer along the exact pair's normal than that pair is. The common part of the faces is nearest at a corner, so
// one of the corners is the exact pair, and none is lost. Tilting a box by 1e-9 moves gaps by 1e-9, and the points
// stay. A round cap counts as the octagon in it. Two edges that lie side by side give the two ends of what they have in
// common (logs, capsules). So do edges of flat-sided shapes that are parallel to 1e-9 of the size.
//
// Numbers of points: corner i of the incident feature has 1 + i. The point where its side i leaves over side j of the
// reference has 2¹⁶ (1 + i) + j. The corner between sides i and j of the reference has 2²⁴ + 64 i + j.
namespace carom {

/// Appends the points with gap ≤ margin, by their number. Appends none if no face is within 18° of the contact's normal
/// and no edges lie along one another. Argument `pair`: the least gap of the two.
void face_contact(const Shape& a, const Transform& X_WA, const Shape& b, const Transform& X_WB,
                  const ConvexDistance& pair, double margin, std::vector<ContactPoint>& points);

}  // namespace carom
