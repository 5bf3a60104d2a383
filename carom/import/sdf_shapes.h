#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "carom/import/mesh_solids.h"
#include "carom/import/sdf_source.h"

namespace carom {

/// The one shape in the `<geometry>` of a `<collision>` or `<visual>`; its `node` is null, with a fault, if there is
/// none.
SdfPlace find_sdf_shape(const SdfPlace& holder);

/// A shape that needs no file, and its pose in the frame of what holds it.
std::optional<std::pair<Shape, Transform>> read_sdf_solid(const SdfPlace& shape);

/// A `<mesh>`: the file that it names, and its scale along the axes.
struct SdfMesh {
  SdfPlace uri;
  Vec3 scale = Vec3::Ones();
  MeshChoice choice = {};  ///< by the element submesh, of which the middle is taken before the scale
};
std::optional<SdfMesh> read_sdf_mesh(const SdfPlace& shape);

/// The shape of a `<collision>`, and its pose in the frame of that. Nothing if it has a fault, which is then told.
///
/// An SDFormat cylinder or capsule lies about z like Carom's, with its whole length given. A plane is the half-space
/// below it; its size is that of a picture. A mesh is replaced by its convex hull. A height map is ground of the
/// heights in a PNG image.
std::optional<std::pair<Shape, Transform>> read_shape(const SdfPlace& collision, const ImportOptions& options,
                                                      MeshSolids& solids);

/// Contact properties of a `<collision>`.
struct SdfSurface {
  std::optional<Material> material;  ///< if it says anything of friction or of restitution
  std::optional<std::uint32_t> collide_mask, category_mask;
  bool makes_contact = true;
};

/// Friction is that of `<ode>`, or of Drake's properties where they are given. If only one coefficient is given, the
/// other is the format's 1 (`notes` says so).
SdfSurface read_surface(const SdfPlace& collision, std::vector<ImportNote>& notes);

}  // namespace carom
