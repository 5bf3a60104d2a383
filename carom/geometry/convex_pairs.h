#pragma once

#include <vector>

#include "carom/geometry/contact_points.h"

// Pairs of convex shapes that have no form of their own. A sphere against a shape whose surface knows its nearest point
// (surface_point.h), with d the signed distance of its centre:
//
//   gap = d − r,   normal that of the surface,   p_WA = centre − r normal,   p_WB = the surface's point.
//
// Every other pair: the least gap by convex_distance.h (two boxes: box_separation.h), and the corners of
// face_contact.h.
namespace carom {

/// The shapes in B may be a cylinder, an ellipsoid, a mesh or a rounded polytope.
void sphere_surface(const Sphere& a, const Transform& X_WA, const Shape& b, const Transform& X_WB, double margin,
                    std::vector<ContactPoint>& points);

/// Any two shapes but half-spaces. Feature 0 is the exact pair, reported where no corner of a face is as near.
void convex_pair(const Shape& a, const Transform& X_WA, const Shape& b, const Transform& X_WB, double margin,
                 std::vector<ContactPoint>& points);

}  // namespace carom
