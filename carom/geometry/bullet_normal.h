#pragma once

#include "carom/geometry/shape.h"

namespace carom {

/// The unit normal from B towards A along which two cores (core.h) are nearest, or leave one another, as Bullet finds
/// it by GJK, and by EPA where the cores overlap, in double precision and without margins. Where Bullet finds nothing:
/// the line of the origins. Poses in one frame. Good to about 1e-8, with exceptions; convex_distance mends and proves
/// it.
Vec3 bullet_normal(const Shape& a, const Transform& X_A, const Shape& b, const Transform& X_B);

}  // namespace carom
