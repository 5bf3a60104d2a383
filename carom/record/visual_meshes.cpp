#include "carom/record/visual_meshes.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "carom/import/mesh_file.h"
#include "carom/record/fewer_triangles.h"

namespace carom {
namespace {

using Part = std::pair<std::shared_ptr<const TriangleMesh>, std::optional<Rgba>>;

/// The surfaces of mesh files where visuals place them, each file opened once for every place.
class Surfaces {
 public:
  /// No part if the file cannot be read; `notes` then say why.
  const std::vector<Part>& of(const VisualMesh& mesh, std::vector<std::string>& notes) {
    std::vector<double> numbers(mesh.M.data(), mesh.M.data() + mesh.M.size());
    numbers.insert(numbers.end(), mesh.t.begin(), mesh.t.end());
    const auto [place, is_new] = parts_.try_emplace({mesh.file, numbers});
    if (!is_new) return place->second;
    try {
      for (MeshPart& part : mesh_parts(mesh.file)) {
        move(mesh, part.surface);
        place->second.emplace_back(std::make_shared<const TriangleMesh>(std::move(part.surface)), part.color);
      }
    } catch (const Error& error) {
      notes.push_back("mesh \"" + mesh.file + "\" " + error.what() +
                      ": bodies that show it are drawn by the shapes that collide");
    }
    return place->second;
  }

 private:
  static void move(const VisualMesh& mesh, TriangleMesh& surface) {
    for (Vec3& vertex : surface.vertices) vertex = (mesh.M * vertex + mesh.t).eval();
    if (mesh.M.determinant() > 0) return;
    for (std::size_t i = 0; i + 2 < surface.triangles.size(); i += 3) {
      std::swap(surface.triangles[i + 1], surface.triangles[i + 2]);  // a mirror turns the surface inside out
    }
  }

  std::map<std::pair<std::string, std::vector<double>>, std::vector<Part>> parts_;
};

/// Makes new surfaces coarser until all have about `most` triangles; says so.
void bound(std::size_t most, const std::set<const TriangleMesh*>& old, Appearance& appearance) {
  std::map<std::shared_ptr<const TriangleMesh>, std::shared_ptr<const TriangleMesh>> surfaces;
  std::size_t all = 0, kept = 0;
  for (const Visual& visual : appearance.visuals) {
    const auto* mesh = std::get_if<VisualMesh>(&visual.shape);
    if (mesh == nullptr || !mesh->surface || !surfaces.try_emplace(mesh->surface, mesh->surface).second) continue;
    const std::size_t count = mesh->surface->triangles.size() / 3;
    all += count;
    if (old.contains(mesh->surface.get())) kept += count;
  }
  if (all <= most || all == kept) return;
  const double share = static_cast<double>(most - std::min(most, kept)) / static_cast<double>(all - kept);
  std::size_t left = kept;
  for (auto& [from, to] : surfaces) {
    if (old.contains(from.get())) continue;
    const auto asked = static_cast<std::size_t>(share * static_cast<double>(from->triangles.size() / 3));
    to = std::make_shared<const TriangleMesh>(with_fewer_triangles(*from, std::max<std::size_t>(asked, 1)));
    left += to->triangles.size() / 3;
  }
  for (Visual& visual : appearance.visuals) {
    auto* mesh = std::get_if<VisualMesh>(&visual.shape);
    if (mesh != nullptr && mesh->surface) mesh->surface = surfaces.at(mesh->surface);
  }
  appearance.notes.push_back("the meshes that are drawn have " + std::to_string(all) + " triangles, and are drawn by " +
                             std::to_string(left) + ": a page has about " + std::to_string(most));
}

}  // namespace

Appearance with_surfaces(Appearance appearance, std::size_t most) {
  Surfaces surfaces;
  std::set<const TriangleMesh*> old;
  std::vector<std::string> told;
  std::vector<Visual> visuals;
  for (Visual& visual : appearance.visuals) {
    const auto* mesh = std::get_if<VisualMesh>(&visual.shape);
    if (mesh == nullptr || mesh->surface) {
      if (mesh != nullptr) old.insert(mesh->surface.get());
      visuals.push_back(std::move(visual));
      continue;
    }
    const std::vector<Part>& parts = surfaces.of(*mesh, told);
    if (parts.empty()) visuals.push_back(visual);
    for (const auto& [surface, color] : parts) {
      Visual part = visual;
      std::get<VisualMesh>(part.shape).surface = surface;
      if (!part.color) part.color = color;
      visuals.push_back(std::move(part));
    }
  }
  appearance.visuals = std::move(visuals);
  for (std::string& note : told) {
    const auto& notes = appearance.notes;
    if (std::find(notes.begin(), notes.end(), note) == notes.end()) appearance.notes.push_back(std::move(note));
  }
  bound(most, old, appearance);
  return appearance;
}

}  // namespace carom
