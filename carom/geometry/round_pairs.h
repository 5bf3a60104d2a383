#pragma once

#include <vector>

#include "carom/geometry/contact_points.h"

// Spheres and capsules against one another. Both are all points within a radius of a core, which is a point or a
// segment, so the signed distance is
//
//   gap = |a − b| − r_A − r_B,   normal = (a − b)/|a − b|,   p_WA = a − r_A normal,   p_WB = b + r_B normal,
//
// with a, b the nearest points of the cores. It is exact inside as well: cores that meet overlap by r_A + r_B. It is
// smooth where a and b are unique and apart. If a = b, the normal is a fixed choice. For two spheres it is the world's
// z, for a sphere on a capsule's axis the capsule's x axis. For capsules whose axes u_A, u_B cross it is u_A × u_B, or
// the x axis of B's frame if they are parallel. For capsules, a = b means within 1e-14 of the lengths. The nearer to
// that, the fewer digits the normal has; the gap keeps its digits. Used by contact_points, which documents the feature
// numbers.
namespace carom {

void sphere_sphere(const Sphere& a, const Transform& X_WA, const Sphere& b, const Transform& X_WB, double margin,
                   std::vector<ContactPoint>& points);

void sphere_capsule(const Sphere& a, const Transform& X_WA, const Capsule& b, const Transform& X_WB, double margin,
                    std::vector<ContactPoint>& points);

/// The nearest pair alone leaves two parallel capsules free to rock, and jumps from end to end when they do. So the
/// ends are always looked at, each end of one axis with its nearest point of the other. The common perpendicular of the
/// axes is looked at where its feet lie inside both. A pair is dropped if another pair of the same end undercuts it.
/// Then its nearest point is an end of the other axis, which itself has a nearer point. Among pairs within a thousandth
/// of the radii of one another, the nearer one stays, under the lower number.
void capsule_capsule(const Capsule& a, const Transform& X_WA, const Capsule& b, const Transform& X_WB, double margin,
                     std::vector<ContactPoint>& points);

}  // namespace carom
