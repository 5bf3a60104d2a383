#pragma once

#include <string>
#include <vector>

#include "carom/model/model.h"
#include "carom/stepper/method.h"

namespace carom {

/// What steppers implicit-geometry and quasi-rigid cannot take of a model, a sentence each: shapes that are no convex
/// bodies, and layers where contacts are to be rigid. Empty for other steppers.
std::vector<std::string> quasi_rigid_data_faults(const Model& model, const Method& method);

}  // namespace carom
