#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "carom/spatial/types.h"

namespace carom {

/// Convex parts of a solid. Their hulls do not overlap, and together they cover it.
struct ConvexParts {
  std::vector<std::vector<Vec3>> parts;  ///< corners of each part's hull, m, in the frame of the mesh
  double volume = 0;                     ///< of the solid, m³
  double error = 0;                      ///< (sum of the hulls' volumes − volume) / volume: by so much they exceed it
};

struct ConvexPartsOptions {
  double error = 0.02;  ///< the parts may exceed the solid by this share of its volume
  int most = 64;        ///< parts; where they do not suffice, `ConvexParts::error` is above the bound
};

/// Volume in m³ by the divergence theorem, negative if the triangles wind clockwise seen from outside. Three indices of
/// vertices a triangle. Nothing if the surface has a boundary: once equal vertices are one, each edge must be used as
/// often in one direction as in the other. O(n): a sum of hashes of edges is 0 then, and otherwise only by a chance of
/// 2⁻⁶⁴. Throws Error if an index is too large, or a vertex is not finite.
std::optional<double> enclosed_volume(std::span<const Vec3> vertices, std::span<const std::uint32_t> triangles);

/// Cuts a solid by planes until the parts' hulls exceed it by no more than the bound, then joins those that may be one.
/// The order of triangles and vertices changes nothing. A mesh that is inside out is turned. Greedy: the parts are few,
/// not the fewest. Throws Error if the surface is not closed or encloses no volume, or the options make no sense.
/// Cost: O(n) for each of some 60 planes tried per cut, on the triangles of that part; seconds for 20 000 triangles.
ConvexParts convex_parts(std::span<const Vec3> vertices, std::span<const std::uint32_t> triangles,
                         const ConvexPartsOptions& options = {});

}  // namespace carom
