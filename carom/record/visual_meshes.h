#pragma once

#include <cstddef>

#include "carom/model/appearance.h"

namespace carom {

/// Most triangles of all meshes of a scene that are drawn: some 5 MB of a page.
inline constexpr std::size_t most_drawn_triangles = 200000;

/// The appearance with the surfaces of its mesh files. A visual becomes one visual for each material of its file; they
/// keep the visual's colour, or else get the material's. If all surfaces together have more than `most` triangles, the
/// large ones become coarser in the same measure. Surfaces of up to 500 triangles, or an even part of `most` (20 at
/// least) if that is less, stay whole. A mesh that cannot be read, or has no area, stays without a surface. Notes tell
/// of both, and name files without their folders. Surfaces that are there already stay as they are, and are counted.
Appearance with_surfaces(Appearance appearance, std::size_t most = most_drawn_triangles);

}  // namespace carom
