#pragma once

#include <string>
#include <vector>

#include "carom/model/model.h"
#include "carom/stepper/method.h"

namespace carom {

/// Parts of a model that steppers implicit-geometry and quasi-rigid cannot take, a sentence each. These are shapes that
/// are no convex bodies, unsound patches, and any layer if contacts are to be rigid. With slip of bodies they include
/// layers that couple the normal with the surface. With deflections by levels they include two layers that may touch.
/// The layer of a material is told once.
std::vector<std::string> quasi_rigid_data_faults(const Model& model, const Method& method);

}  // namespace carom
