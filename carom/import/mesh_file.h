#pragma once

#include <string>
#include <vector>

#include "carom/import/imported_model.h"

namespace carom {

/// Vertices of all parts of a mesh file (STL, OBJ; by assimp), as they stand in the file. Throws Error with the end of
/// a sentence that starts with the file's name: it is missing, larger than 64 MiB, no mesh, has no triangle, or a
/// vertex that is not finite.
std::vector<Vec3> mesh_vertices(const std::string& path);

/// Where a mesh or model is that a file names by `package://`, `model://`, `file://`, an absolute path or one relative
/// to the file's folder. Throws Error, naming every place that was looked at, if none exists.
std::string resolve_path(const std::string& uri, const std::string& from_file, const ImportOptions& options);

}  // namespace carom
