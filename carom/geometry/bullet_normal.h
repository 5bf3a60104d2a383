#pragma once

#include "carom/geometry/shape.h"

namespace carom {

/// Bullet's guess for two cores (core.h).
struct NormalGuess {
  Vec3 normal;  ///< unit, from B towards A
  Vec3 p_A;     ///< point of A's core, nearest or deepest
};

/// By GJK, and EPA where the cores overlap, in double precision and without margins. If Bullet finds nothing, the line
/// of the origins is taken. Poses in one frame. Good to about 1e-8, with exceptions; convex_distance mends and proves
/// it.
NormalGuess bullet_normal(const Shape& a, const Transform& X_A, const Shape& b, const Transform& X_B);

}  // namespace carom
