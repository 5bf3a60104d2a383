#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "carom/import/sdf_source.h"

namespace carom {

/// The shape of a `<collision>`, and its pose in the frame of that. Nothing if it has a fault, which is then told.
///
/// An SDFormat cylinder or capsule lies about z like Carom's, with its whole length given. A plane is the half-space
/// below it; its size is that of a picture. A mesh is replaced by its convex hull.
std::optional<std::pair<Shape, Transform>> read_shape(const SdfPlace& collision, const ImportOptions& options);

/// Contact properties of a `<collision>`.
struct SdfSurface {
  std::optional<Material> material;  ///< if it says anything of friction or of restitution
  std::optional<std::uint32_t> collide_mask, category_mask;
  bool makes_contact = true;
};

/// Friction is that of `<ode>`, or of Drake's properties where they are given; a coefficient that is left out beside
/// the other is the format's 1 (`notes` says so).
SdfSurface read_surface(const SdfPlace& collision, std::vector<ImportNote>& notes);

}  // namespace carom
