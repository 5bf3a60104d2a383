#pragma once

#include <vector>

#include "carom/geometry/implicit/implicit_body.h"
#include "carom/geometry/support.h"

namespace carom {

/// A bounded convex body by inequalities of any kind, with what the rest of Carom asks of a shape.
struct ImplicitSolid {
  ImplicitBody body;
  Vec3 lower = Vec3::Zero(), upper = Vec3::Zero();  ///< of a box that holds it, about 1 % wider, m
  double radius = 0;                                ///< of a ball about the origin that holds that box, m
  double inner_radius = 0;                          ///< of a ball about `body.inside` that fits in, or a little less, m
  std::vector<Vec3> points;                         ///< on its surface, where 2000 rays leave it, m
  std::vector<int> ends;                            ///< through which inequality, by point
  std::shared_ptr<const Polyhedron> hull;           ///< of points on its surface, for drawing
};

/// The solid of the given inequalities about a point inside, with formulas scaled so that their slope on the surface is
/// 1 in the mean. It is sampled along 2000 rays from that point. Throws Error with a sentence if the point is not
/// inside, or if a ray does not end within 1 km. An inequality must have a slope where it ends the body, a value near
/// it, and be convex there, or Error is thrown. It is not convex if its Hessian has a negative eigenvalue at a point
/// sampled, within the body and to half its width around it. Concave places between the samples are not found.
ImplicitSolid implicit_solid(std::vector<ImplicitSurface> surfaces, const Vec3& inside);

/// Inertia, in the solid's frame. By ∫ dV = ∫ ρ³/3 dΩ and the like over the directions of rays from `inside`, ρ(Ω)
/// their length in the body. The rule is of degree 5 on the triangles of an octahedron. Those that err most are cut in
/// four until the estimated error is below 1e-9 of the whole. Throws Error if 4000 triangles leave more than 1e-5.
/// Milliseconds for smooth bodies, a tenth of a second for others.
SpatialInertia implicit_inertia(const ImplicitSolid& solid, double density);

/// The point farthest along `direction` (of any length but 0), to round-off. From the farthest of the points, Newton's
/// method solves d = Σ λᵢ ∇fᵢ, fᵢ = 0, λ ≥ 0. Up to three inequalities at once take part, exchanged until all hold. If
/// that does not settle, a ray is turned less and less, to 1e-9 of the size at worst. With T the directions that the
/// active gradients leave, the Hessian is T (Tᵀ Σ λᵢ ∇²fᵢ T)⁻¹ Tᵀ. O(points); microseconds. Does not allocate.
Support implicit_support(const ImplicitSolid& solid, const Vec3& direction);

/// Length in the body of the ray from `inside` along a unit vector, m; infinity above 1 km. Looked for from `within`
/// (m, > 0) outwards; the end that is found is the first if no ray is shorter than that.
double ray_length(const ImplicitBody& body, const Vec3& direction, double within = 1e-3);

}  // namespace carom
