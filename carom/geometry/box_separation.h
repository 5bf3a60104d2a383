#pragma once

#include "carom/geometry/convex_distance.h"

namespace carom {

/// The greatest separation of two boxes along the normals of their faces and the perpendiculars of their edges: the
/// signed distance where they overlap, and a lower bound of it where they do not. Fifteen directions (Gottschalk, Lin,
/// Manocha 1996); faces before edges and B's before A's where they are equal to round-off. Edges within 1e-6 rad of
/// parallel have no perpendicular worth asking. About 0.2 µs.
struct BoxSeparation {
  ConvexDistance pair;  ///< gap and normal; of edges also the points where they pass each other
  bool by_edges = false;
  bool touches = false;  ///< of edges: they pass each other within their length, so that the gap is the distance
};
BoxSeparation box_separation(const Box& a, const Transform& X_WA, const Box& b, const Transform& X_WB);

}  // namespace carom
