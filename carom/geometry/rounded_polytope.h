#pragma once

#include <memory>

#include "carom/geometry/shape.h"

namespace carom {

/// Inertia of all points within `radius` of a convex polyhedron, exactly, by Steiner's parts. They are the polyhedron,
/// a prism on every face, and a sector of a cylinder along every edge. At every corner there is the part of a ball that
/// the normals Ω there fill. For it, arcs of great circles join the normals n_f, n_g of faces that share the edge along
/// m, away from the corner:
///
///     ∫ dΩ = 2π − Σ (angles of the faces at the corner),   ∫ n dΩ = −½ Σ θ m,
///     ∫ n nᵀ dΩ = ⅓ (I ∫ dΩ − Σ tan(θ/2) (n_f + n_g) mᵀ),     θ the angle between n_f and n_g,
///
/// by the divergence theorem on the sphere. O(edges + corners of faces).
SpatialInertia rounded_inertia(const Polyhedron& core, double radius, double density);

/// The box's corners and faces.
std::shared_ptr<const Polyhedron> box_polyhedron(const Box& box);

}  // namespace carom
