#pragma once

#include <cmath>

#include "carom/complementarity/contact_problem.h"

namespace carom {

/// A contact with friction.
inline bool rubs(const Block& block) { return block.kind == BlockKind::cone && block.friction.maxCoeff() > 0; }

/// Part of the friction cone that an impulse leaves unused, relative to the normal one.
inline double room_in_cone(const Block& block, const Eigen::Vector3d& f) {
  double square = 0;
  for (int axis = 0; axis < 2; ++axis) {
    if (block.friction[axis] > 0) square += (f[axis] / block.friction[axis]) * (f[axis] / block.friction[axis]);
  }
  return f[2] - std::sqrt(square);
}

}  // namespace carom
