#pragma once

#include "carom/spatial/types.h"

namespace carom {

/// The point of a convex set farthest along a direction, and how it moves as the direction turns. In the set's frame.
struct Support {
  Vec3 point;
  Mat3 hessian;  ///< of the set's support function at that unit vector, m; zero for corners and edges
};

}  // namespace carom
