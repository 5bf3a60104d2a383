#pragma once

#include <string>
#include <vector>

#include "carom/spatial/inertia.h"
#include "carom/spatial/types.h"

namespace carom {

/// A convex polyhedron. Lengths in metres, in the frame of the mesh.
struct Polyhedron {
  struct Face {
    std::vector<int> vertices;   ///< anticlockwise seen from outside
    Vec3 normal = Vec3::Zero();  ///< unit, outwards
    double offset = 0;           ///< normal · x on the plane; every vertex has normal · x ≤ offset to round-off
  };
  std::vector<Vec3> vertices;  ///< corners alone, no two in one place
  std::vector<Face> faces;     ///< to round-off: a gap to one of their planes is exact
  /// Faces that are one in the drawing. Those that part by no more than 1e-6 of the size, as meshes stored in single
  /// precision do, are one polygon here. A body that rests on the solid finds these, and not the cuts in them.
  std::vector<Face> flats;
  std::vector<std::vector<int>> neighbours;  ///< by vertex: those that edges join it to, ascending
  double radius = 0;                         ///< of the smallest ball about the origin that holds it
  double inner_radius = 0;  ///< of a ball that fits in: the distance of the nearest face from the centroid

  /// Number of the vertex farthest along the direction, the least such number. O(vertices).
  int farthest(const Vec3& direction) const;
  /// Inertia of the solid at the given density, kg/m³.
  SpatialInertia inertia(double density) const;
};

/// Hull of at least four points that do not lie in one plane, by Qhull (Barber, Dobkin, Huhdanpaa 1996). Throws Error
/// with a sentence if the points are too few, flat or not finite. O(n log n).
Polyhedron convex_hull(const std::vector<Vec3>& points);

}  // namespace carom
