#pragma once

#include <optional>

#include "carom/geometry/shape.h"
#include "carom/scene/values.h"

// Shapes with smooth surfaces that are read alike: the keys of each, its faults at their places.
namespace carom {

std::optional<Shape> read_cone(Fields& fields, Diagnostics& diagnostics);

/// One exponent for all axes, or three.
std::optional<Shape> read_superquadric(Fields& fields, Diagnostics& diagnostics);

/// The inequalities formula ≤ 0 in x, y and z, and a point inside, which is the origin if none is given.
std::optional<Shape> read_implicit(Fields& fields, Diagnostics& diagnostics);

/// The surface x, y and z by formulas in u and v, over their ranges.
std::optional<Shape> read_parametric(Fields& fields, Diagnostics& diagnostics);

}  // namespace carom
