#include "carom/record/visuals.h"

#include <type_traits>

namespace carom {
namespace {

/// The normal of the triangle whose corners stand from `i` on, as long as twice its area.
Vec3 normal_of(const TriangleMesh& mesh, std::size_t i) {
  const Vec3& a = mesh.vertices[mesh.triangles[i]];
  return (mesh.vertices[mesh.triangles[i + 1]] - a).cross(mesh.vertices[mesh.triangles[i + 2]] - a);
}

Surface flat_surface(const TriangleMesh& mesh) {
  Surface surface;
  for (std::size_t i = 0; i + 2 < mesh.triangles.size(); i += 3) {
    const Vec3 normal = normal_of(mesh, i);
    if (!(normal.norm() > 0)) continue;
    for (std::size_t k = i; k < i + 3; ++k) {
      surface.triangles.push_back(static_cast<std::uint32_t>(surface.points.size()));
      surface.points.push_back(mesh.vertices[mesh.triangles[k]]);
      surface.normals.emplace_back(normal.normalized());
    }
  }
  return surface;
}

}  // namespace

bool has_area(const TriangleMesh& mesh) {
  for (std::size_t i = 0; i + 2 < mesh.triangles.size(); i += 3) {
    if (normal_of(mesh, i).norm() > 0) return true;
  }
  return false;
}

bool is_drawn(const Visual& visual) {
  const auto* mesh = std::get_if<VisualMesh>(&visual.shape);
  return mesh == nullptr || (mesh->surface && has_area(*mesh->surface));
}

std::set<int> shown_bodies(const Appearance& appearance) {
  std::set<int> bodies;
  for (const Visual& visual : appearance.visuals) bodies.insert(visual.body);
  for (const Visual& visual : appearance.visuals) {
    if (!is_drawn(visual)) bodies.erase(visual.body);
  }
  return bodies;
}

std::set<int> hidden_colliders(const Model& model, const Appearance& appearance) {
  const std::set<int> shown = shown_bodies(appearance);
  std::set<int> hidden;
  for (const int collider : appearance.behind) {
    if (shown.contains(model.colliders()[static_cast<std::size_t>(collider)].body)) hidden.insert(collider);
  }
  return hidden;
}

Surface surface_of(const Visual& visual) {
  return std::visit(
      [](const auto& shape) {
        if constexpr (std::is_convertible_v<decltype(shape), Shape>) {
          return surface_of(Shape(shape));
        } else {
          return flat_surface(*shape.surface);
        }
      },
      visual.shape);
}

}  // namespace carom
