#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "carom/geometry/shape.h"

namespace carom {

/// The plane of a flat face of a shape, in the shape's frame.
struct FlatFace {
  Vec3 normal = Vec3::Zero();  ///< unit, outwards
  Vec3 point = Vec3::Zero();   ///< of the plane, m
  double cosine = -1;          ///< of the normal with the direction that was asked for
};

/// The flat face that looks along `direction` (unit) the most. Half-spaces, boxes, meshes and rounded polytopes have
/// flat faces, as well as the base of a cone and the caps of a cylinder. Cosine −1 if the shape has none.
FlatFace face_along(const Shape& shape, const Vec3& direction);

/// A node of a quadrature rule over a face.
struct FaceNode {
  Vec3 point = Vec3::Zero();   ///< m, shape's frame
  Vec3 normal = Vec3::Zero();  ///< of the face, unit, outwards
  double area = 0;             ///< weight, m²
};

/// Nodes over all flat faces of a bounded shape, strictly within them. On average there is one or more for each square
/// of the given spacing. Half-spaces and round shapes have none. Areas are positive, and their sums, first and second
/// moments over every face are exact:
///
///     rectangle   Gauss's rule of two points by two in every cell of a grid
///     polygon     triangles, cut in n² like ones, with three points each
///     disc        rings, by Gauss's rule of two points in r², equal angles
///
/// The order is the same for the same shape and spacing. The list ends at `most` nodes, which bounds time and memory
/// however small the spacing.
std::vector<FaceNode> face_nodes(const Shape& shape, double spacing,
                                 std::size_t most = std::numeric_limits<std::size_t>::max());

}  // namespace carom
