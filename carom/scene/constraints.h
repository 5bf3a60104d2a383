#pragma once

#include <vector>

#include "carom/model/constraint.h"
#include "carom/scene/joints.h"

namespace carom {

/// A constraint as a scene file gives it, with the numbers of its bodies in SceneBodies.
struct SceneConstraint {
  Place place;
  Constraint constraint;
};

/// Content of the key `constraints`.
std::vector<SceneConstraint> read_constraints(const YamlNode& scene, const SceneBodies& bodies,
                                              const SceneJoints& joints, Diagnostics& diagnostics);

}  // namespace carom
