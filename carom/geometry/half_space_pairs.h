#pragma once

#include <vector>

#include "carom/geometry/contact_points.h"

// A shape against the half-space z ≤ 0 of frame B: each ball or vertex of A, centre c and radius r, has
//
//   gap = ẑ·(c − p_WB) − r,   normal ẑ = z axis of B,   p_WA = c − r ẑ,   p_WB = c − (gap + r) ẑ.
//
// The least of them is the exact signed distance, inside too: a half-space can be left only along ẑ. Linear in c, so as
// smooth as the motion. Used by contact_points, which documents the feature numbers.
namespace carom {

void sphere_half_space(const Sphere& a, const Transform& X_WA, const Transform& X_WB, double margin,
                       std::vector<ContactPoint>& points);

void capsule_half_space(const Capsule& a, const Transform& X_WA, const Transform& X_WB, double margin,
                        std::vector<ContactPoint>& points);

void box_half_space(const Box& a, const Transform& X_WA, const Transform& X_WB, double margin,
                    std::vector<ContactPoint>& points);

/// The rim's lowest point of each cap, and eight points of each rim that are fixed in the cylinder. A cylinder on its
/// cap is supported up to 0.92 of its radius in the worst direction. One that rolls or wobbles has its exact gap.
void cylinder_half_space(const Cylinder& a, const Transform& X_WA, const Transform& X_WB, double margin,
                         std::vector<ContactPoint>& points);

/// The one farthest point of an ellipsoid, a superquadric or the like.
void smooth_half_space(const Shape& a, const Transform& X_WA, const Transform& X_WB, double margin,
                       std::vector<ContactPoint>& points);

/// The base as a cylinder's cap, and the lowest point of the side where that is not on the rim.
void cone_half_space(const Cone& a, const Transform& X_WA, const Transform& X_WB, double margin,
                     std::vector<ContactPoint>& points);

/// Every vertex, as a ball of the given radius.
void polyhedron_half_space(const Polyhedron& a, double radius, const Transform& X_WA, const Transform& X_WB,
                           double margin, std::vector<ContactPoint>& points);

/// Any of these, and whatever points of the shape it has; A is no half-space and no height field.
void shape_half_space(const Shape& a, const Transform& X_WA, const Transform& X_WB, double margin,
                      std::vector<ContactPoint>& points);

}  // namespace carom
