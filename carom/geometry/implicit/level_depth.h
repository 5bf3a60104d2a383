#pragma once

#include "carom/geometry/implicit/implicit_body.h"

namespace carom {

/// Depth of a point under the surface of a body along the normal of the level that it lies on: the root s of
///
///     g(x + s ν) = 0,    ν = ∇g(x) / ‖∇g(x)‖,                (Chakraborty, Berard, Akella and Trinkle 2007, eq. (12))
///
/// g the greatest of the body's inequalities at x. Outside, a line along ν may miss the body, and nothing is pressed
/// in. There s = −g / ‖∇g‖, which joins it with one continuous derivative. Inside, with y = x + s ν,
///
///     ∇s = −(1 + s ∂ν/∂x)ᵀ ∇g(y) / (∇g(y) · ν),   ∂ν/∂x = (1 − ν νᵀ) ∇²g(x) / ‖∇g(x)‖.
///
/// by Newton's method on a convex function of one number. Not a number where ∇g(x) = 0.
struct LevelDepth {
  double depth = 0;              ///< s, m
  Vec3 gradient = Vec3::Zero();  ///< ∇s, body's frame
};
LevelDepth level_depth(const ImplicitBody& body, const Vec3& x);

}  // namespace carom
