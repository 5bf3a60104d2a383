#pragma once

#include "carom/geometry/convex_distance.h"

namespace carom {

/// The greatest separation of two boxes along the normals of their faces and the perpendiculars of their edges. It is
/// the signed distance if they overlap, and else a lower bound of it. Fifteen directions (Gottschalk, Lin, Manocha
/// 1996). If some are equal to round-off, faces go before edges and B's before A's. Edges within 1e-6 rad of parallel
/// have no perpendicular worth trying. About 0.2 µs.
struct BoxSeparation {
  ConvexDistance pair;  ///< gap and normal; of edges also the points where they pass each other
  bool by_edges = false;
  bool touches = false;  ///< of edges: they pass each other within their length, so that the gap is the distance
};
BoxSeparation box_separation(const Box& a, const Transform& X_WA, const Box& b, const Transform& X_WB);

}  // namespace carom
