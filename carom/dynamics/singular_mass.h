#pragma once

#include <string>
#include <vector>

#include "carom/model/model.h"

namespace carom {

/// Reasons why M is singular at q where bodies are points or thin rods, a sentence for each tree. Nothing gives inertia
/// to one of the tree's coordinates, as to the turning of a free point mass. M = Jᵀ I J is regular where every joint's
/// columns see inertia of what hangs on it. This means D > 0 in the articulated-body recursion (Featherstone 2008,
/// table 7.1). Examples are a point off the axis of a hinge, on a slider, or welded to a body with extent. Counted as
/// none: D ≤ 1e-12 Sᵀ I_c S, with I_c of the composite body. Models whose bodies all have three moments of inertia are
/// not examined. Joints of `twists` may be singular and are left out. Cost: O(n).
std::vector<std::string> singular_mass_faults(const Model& model, const VectorX& q);

}  // namespace carom
