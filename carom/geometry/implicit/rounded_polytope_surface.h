#pragma once

#include <memory>
#include <string>

#include "carom/geometry/implicit/surface_jet.h"
#include "carom/geometry/polyhedron.h"

namespace carom {

/// f(x) = (d² − r²)/2r, d the distance from a convex polyhedron: all points within r of it, faces, edges and corners in
/// one inequality. With n̂ the unit vector from the nearest point of the polyhedron to x,
///
///     ∇f = d n̂/r,    ∇²f = (I − P)/r,   P the projection on the face's plane, on the edge, or 0 at a corner,
///
/// by where that nearest point lies. There is one continuous derivative. The Hessian jumps where the nearest point
/// passes from a face to an edge or from an edge to a corner. Within the polyhedron f = −r/2, without slope. O(corners
/// of all faces).
struct RoundedPolytopeSurface {
  std::shared_ptr<const Polyhedron> core;  ///< shared by all that use it, never null in one without fault
  double radius = 0;                       ///< r, m

  SurfaceJet jet(const Vec3& x) const;
  std::string fault() const;
};

}  // namespace carom
