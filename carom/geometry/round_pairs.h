#pragma once

#include <vector>

#include "carom/geometry/contact_points.h"

// Spheres and capsules against one another. Both are all points within a radius of a core, which is a point or a
// segment, so the signed distance is
//
//   gap = |a − b| − r_A − r_B,   normal = (a − b)/|a − b|,   p_WA = a − r_A normal,   p_WB = b + r_B normal,
//
// with a, b the nearest points of the cores, exact inside as well: cores that meet overlap by r_A + r_B. Smooth where a
// and b are unique and apart. Where a = b (for capsules: within 1e-14 of the lengths; the nearer to that, the fewer
// digits the normal has, the gap keeps its) the normal is: the world's z for two spheres; the capsule's x axis for a
// sphere on a capsule's axis; u_A × u_B for capsules whose axes u_A, u_B cross, or the x axis of B's frame where they
// are parallel. Used by contact_points, which documents the feature numbers.
namespace carom {

void sphere_sphere(const Sphere& a, const Transform& X_WA, const Sphere& b, const Transform& X_WB, double margin,
                   std::vector<ContactPoint>& points);

void sphere_capsule(const Sphere& a, const Transform& X_WA, const Capsule& b, const Transform& X_WB, double margin,
                    std::vector<ContactPoint>& points);

/// The nearest pair alone leaves two parallel capsules free to rock, and jumps from end to end when they do. The ends
/// are therefore always looked at: each end of one axis with its nearest point of the other, and the common
/// perpendicular of the axes where its feet lie inside both. Dropped are pairs that another pair of the same end
/// undercuts (an end whose nearest point is an end of the other axis, which itself has a nearer point) and pairs within
/// a thousandth of the radii of another, of which the nearer one stays, under the lower number.
void capsule_capsule(const Capsule& a, const Transform& X_WA, const Capsule& b, const Transform& X_WB, double margin,
                     std::vector<ContactPoint>& points);

}  // namespace carom
