#pragma once

#include <string>
#include <vector>

#include "carom/geometry/implicit/formula_surface.h"

namespace carom {

/// The operations of a formula in variables of these names, at most three. The formula is written as in expression.h,
/// but comparisons, min, max and atan2 are not allowed, as they are not smooth. Throws ExpressionFault with the reason
/// if the formula can't be read.
///
/// muParser judges the syntax, as it does for every formula of a scene. But it gives only values, and derivatives need
/// the operations. They are read here by recursive descent, and their values compared with muParser's at points of a
/// grid. A formula that the two read differently is refused.
SurfaceFormula surface_formula(const std::string& text, const std::vector<std::string>& names);

/// In x, y and z.
SurfaceFormula surface_formula(const std::string& text);

}  // namespace carom
