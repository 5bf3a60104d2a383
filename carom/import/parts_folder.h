#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "carom/spatial/types.h"

namespace carom {

/// Convex parts of a mesh.
struct StoredParts {
  std::vector<std::vector<Vec3>> parts;  ///< corners of each, m
  double excess = 0;                     ///< volume of all hulls over that of the mesh, less 1
};

/// A folder of files with the convex parts of meshes, each named by a hash of its mesh. Without a name it is the folder
/// `carom` in XDG_CACHE_HOME, or in HOME/.cache. Other programs may write at the same time: a file is whole or not
/// there. What cannot be written is made again next time.
class PartsFolder {
 public:
  explicit PartsFolder(const std::string& folder);

  static std::string name_of(std::span<const Vec3> vertices, std::span<const std::uint32_t> triangles);
  /// Nothing if there is no such file, or one that is damaged.
  std::optional<StoredParts> read(const std::string& name) const;
  /// False if it cannot be written.
  bool write(const std::string& name, const StoredParts& parts) const;

 private:
  std::string folder_;  // empty: nothing is kept
};

}  // namespace carom
