#pragma once

#include <string>
#include <vector>

#include "carom/geometry/implicit/formula_surface.h"

namespace carom {

/// The operations of a formula in variables of these names, of which there are at most three: written as in
/// expression.h without what is not smooth: comparisons, min, max and atan2. Throws ExpressionFault with the reason if
/// it can't be read.
///
/// muParser judges the syntax, since every formula of a scene is its; but it gives out values alone, and derivatives
/// need the operations. They are read here by recursive descent, and their values compared with muParser's at points of
/// a grid: a formula that the two read differently is refused.
SurfaceFormula surface_formula(const std::string& text, const std::vector<std::string>& names);

/// In x, y and z.
SurfaceFormula surface_formula(const std::string& text);

}  // namespace carom
