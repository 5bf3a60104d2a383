#pragma once

#include "carom/geometry/implicit/implicit_solid.h"
#include "carom/geometry/implicit/parametric_surface.h"

namespace carom {

/// The solid within a closed convex surface by formulas in u and v: one inequality, ParametricSurface, about the mean
/// of its samples. Throws Error with a sentence for what ParametricSheet refuses.
ImplicitSolid parametric_solid(const ParametricFormulas& formulas);

}  // namespace carom
