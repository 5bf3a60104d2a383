#pragma once

#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "carom/import/imported_model.h"
#include "carom/import/mesh_file.h"

namespace carom {

/// Solids of the mesh files that collide. Each file is read once, and a mesh that is used twice at one scale is shared.
///
/// By default a mesh stands for its convex hull. With MeshUse::parts one that is not convex stands for convex parts,
/// whose hulls together exceed it by no more than largest_excess where most_parts suffice (convex_parts.h). Pieces that
/// do not hang together are cut each by itself. They are kept in a folder
/// (parts_folder.h), so that the work is done once.
class MeshSolids {
 public:
  static constexpr double largest_excess = 0.02;  ///< of the volume
  static constexpr std::size_t most_parts = 64, most_triangles = 50000;

  explicit MeshSolids(const ImportOptions& options) : options_(options) {}

  /// Hull of a mesh file, each coordinate scaled. Throws Error with the end of a sentence that starts with the file's
  /// name.
  std::shared_ptr<const Polyhedron> hull(const std::string& path, const MeshChoice& choice, const Vec3& scale);

  /// Puts parts in the place of the colliders that are hulls of meshes which are not convex, after all else is read.
  /// Sensors and lines follow. Tells of each mesh how many parts there are and what they exceed it by, or why it has
  /// none, or by how much its hull exceeds it where no parts were asked for.
  void split(ImportedModel& model) const;

 private:
  struct Solid {
    std::string path;
    std::shared_ptr<const Polyhedron> hull;
    std::vector<std::shared_ptr<const Polyhedron>> parts;
    std::string told;  ///< the end of a sentence that starts with the mesh; empty if there is nothing to tell
  };
  using Key = std::tuple<std::string, std::string, bool>;  ///< path and MeshChoice
  /// Content of a file, for any scale.
  struct File {
    std::vector<Vec3> vertices;
    TriangleMesh surface;
    std::string fault;  ///< of the surface alone
  };
  const File& read(const std::string& path, const MeshChoice& choice);
  void measure(const File& file, const Vec3& scale, Solid& solid) const;
  void tell_excess(const TriangleMesh& mesh, Solid& solid) const;
  void cut(const TriangleMesh& mesh, Solid& solid) const;

  ImportOptions options_;
  std::map<Key, File> files_;
  std::map<std::pair<Key, std::vector<double>>, Solid> solids_;
};

}  // namespace carom
