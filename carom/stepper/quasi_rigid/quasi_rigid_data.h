#pragma once

#include <string>
#include <vector>

#include "carom/model/model.h"
#include "carom/stepper/method.h"

namespace carom {

/// Parts of a model that steppers implicit-geometry and quasi-rigid cannot take, a sentence each: shapes that are no
/// convex bodies, layers where contacts are to be rigid, and with slip of bodies layers that couple the normal with the
/// surface, each told once for a material.
std::vector<std::string> quasi_rigid_data_faults(const Model& model, const Method& method);

}  // namespace carom
