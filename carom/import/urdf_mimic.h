#pragma once

#include <vector>

#include "carom/import/urdf_tree.h"

namespace carom {

/// Makes a coupler of each joint that mimics another. The joint starts where the coupler holds, at multiplier times the
/// other's start plus offset, even if that is beyond its own limits. Links are those of `tree.order`, not yet merged.
/// Faults: joints to follow that are unknown or have no single coordinate, and joints that follow one another.
void couple_mimics(const std::vector<UrdfJoint>& joints, const UrdfTree& tree, ImportedModel& model, XmlFaults& faults);

}  // namespace carom
