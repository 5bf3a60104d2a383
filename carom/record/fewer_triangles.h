#pragma once

#include <cstddef>

#include "carom/model/appearance.h"

namespace carom {

/// A coarser mesh of about `most` triangles, by meshoptimizer: edges collapse where the surface changes least, and
/// where that leaves too many (many loose parts), vertices are clustered. Where so few would have no area, as few more
/// as have some. The mesh itself if it has no more.
TriangleMesh with_fewer_triangles(const TriangleMesh& mesh, std::size_t most);

}  // namespace carom
