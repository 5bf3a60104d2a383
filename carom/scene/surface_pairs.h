#pragma once

#include <vector>

#include "carom/model/collider_pairs.h"
#include "carom/scene/bodies.h"
#include "carom/scene/materials.h"

namespace carom {

/// Entries of `pairs` that name bodies or shapes, with the colliders that they mean (surfaces.h says how names are
/// read). Entries of shapes come last, so that they hold before those of bodies. Two entries of a kind that name the
/// same two shapes are told.
std::vector<ColliderPair> read_surface_pairs(const SceneMaterials& materials, const std::vector<SceneShape>& world,
                                             const SceneBodies& bodies, Diagnostics& diagnostics);

}  // namespace carom
