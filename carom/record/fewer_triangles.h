#pragma once

#include <cstddef>

#include "carom/model/appearance.h"

namespace carom {

/// A coarser mesh of about `most` triangles, by meshoptimizer. Edges collapse where the surface changes least. If that
/// leaves too many triangles (many loose parts), vertices are clustered. If so few triangles have no area, the number
/// asked for is doubled until they have some. Returns the mesh itself if it has no more than `most`.
TriangleMesh with_fewer_triangles(const TriangleMesh& mesh, std::size_t most);

}  // namespace carom
