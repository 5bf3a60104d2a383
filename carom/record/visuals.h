#pragma once

#include <set>

#include "carom/model/model.h"
#include "carom/record/surface.h"
#include "carom/scene/scene.h"

namespace carom {

/// True if a triangle of the mesh has an area.
bool has_area(const TriangleMesh& mesh);

/// False of a visual whose mesh has no surface, or one without any area.
bool is_drawn(const Visual& visual);

/// Bodies with visuals that are all drawn; −1 is the world.
std::set<int> shown_bodies(const Appearance& appearance);

/// Colliders that visuals stand for, as all those of their body are drawn.
std::set<int> hidden_colliders(const Model& model, const Appearance& appearance);

/// The surface of a visual that is drawn; faces of a mesh are flat.
Surface surface_of(const Visual& visual);

}  // namespace carom
