#pragma once

#include <vector>

#include "carom/geometry/contact_points.h"
#include "carom/geometry/convex_distance.h"

// Where a face of one shape lies against another: the points that carry the load, one for each corner of what they have
// in common. The reference is the face, of either shape, whose normal is nearest to the contact's, and of two
// that are parallel to 0.01 rad the larger, B's of equal ones; the incident feature is the face, edge or pair of edge's
// ends of the other shape that looks at it most. The incident feature is cut by the planes that stand on the
// reference's edges (Sutherland, Hodgman 1974). Each corner of what is left is a place where a corner of the one stands
// on the face of the other, or where two edges cross, and its gap is along the normal of those two:
//
//   corner of the incident feature    the reference's normal
//   corner of the reference           the incident face's, reversed, if the corner's foot lies on that face
//   crossing of two edges             their common perpendicular, if they pass each other within their lengths
//
// and along the reference's normal wherever that is not so. So tilting a box by 1e-9 moves gaps by 1e-9 and the points
// stay, whichever of the nearly parallel faces is the exact one, and the nearest pair of the shapes is one of the
// points as long as it belongs to these faces. A gap a little less than the pair's is raised to it. A round cap counts
// as the octagon in it. Two edges that lie side by side (logs, capsules) give the two ends of what they have in common.
//
// Numbers of points: corner i of the incident feature 1 + i; where its side i leaves over side j of the reference
// 2¹⁶ (1 + i) + j; the corner between sides i and j of the reference 2²⁴ + 64 i + j.
namespace carom {

/// Appends the points with gap ≤ margin, by their number. Appends none where no face is within 18° of the contact's
/// normal and no edges lie side by side. `pair` is the least gap of the two.
void face_contact(const Shape& a, const Transform& X_WA, const Shape& b, const Transform& X_WB,
                  const ConvexDistance& pair, double margin, std::vector<ContactPoint>& points);

}  // namespace carom
