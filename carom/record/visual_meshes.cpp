#include "carom/record/visual_meshes.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>

#include "carom/import/mesh_file.h"
#include "carom/record/fewer_triangles.h"
#include "carom/record/visuals.h"

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
        TriangleMesh surface = placed(mesh, std::move(part.surface));
        if (!has_area(surface)) continue;
        place->second.emplace_back(std::make_shared<const TriangleMesh>(std::move(surface)), part.color);
      }
      if (place->second.empty()) throw Error("has no triangle with an area");
    } catch (const Error& error) {
      notes.push_back("mesh \"" + std::filesystem::path(mesh.file).filename().string() + "\" " + error.what() +
                      ": bodies that show it are drawn by the shapes that collide");
    }
    return place->second;
  }

 private:
  std::map<std::pair<std::string, std::vector<double>>, std::vector<Part>> parts_;
};

/// Divides a number of triangles among meshes.
class Division {
 public:
  /// `counts`: triangles that the meshes have; `most`: those that they may keep together, about.
  Division(std::vector<std::size_t> counts, std::size_t most)
      : least_(std::clamp<std::size_t>(most / std::max<std::size_t>(counts.size(), 1), 20, 500)) {
    std::sort(counts.begin(), counts.end());
    double left = static_cast<double>(most), all = 0;
    for (const std::size_t count : counts) all += static_cast<double>(count);
    // Small meshes come first: what they keep beyond their share is taken from the larger ones.
    for (const std::size_t count : counts) {
      share_ = std::clamp(left / all, 0.0, 1.0);
      if (share_ * static_cast<double>(count) >= static_cast<double>(least_)) break;
      left -= static_cast<double>(kept(count));
      all -= static_cast<double>(count);
    }
  }
  /// Triangles that a mesh keeps: the same share of each, but no fewer than the least.
  std::size_t kept(std::size_t count) const {
    return std::max(std::min(count, least_), static_cast<std::size_t>(share_ * static_cast<double>(count)));
  }

 private:
  std::size_t least_;
  double share_ = 1;
};

/// Makes new surfaces coarser until all have about `most` triangles; says so.
void bound(std::size_t most, const std::set<const TriangleMesh*>& old, Appearance& appearance) {
  std::map<std::shared_ptr<const TriangleMesh>, std::shared_ptr<const TriangleMesh>> surfaces;
  std::vector<std::size_t> counts;
  std::size_t all = 0, kept = 0;
  for (const Visual& visual : appearance.visuals) {
    const auto* mesh = std::get_if<VisualMesh>(&visual.shape);
    if (mesh == nullptr || !mesh->surface || !surfaces.try_emplace(mesh->surface, mesh->surface).second) continue;
    const std::size_t count = mesh->surface->triangles.size() / 3;
    all += count;
    if (old.contains(mesh->surface.get())) {
      kept += count;
    } else {
      counts.push_back(count);
    }
  }
  if (all <= most) return;
  const Division division(counts, most - std::min(most, kept));
  std::size_t left = kept;
  for (auto& [from, to] : surfaces) {
    if (old.contains(from.get())) continue;
    const std::size_t count = from->triangles.size() / 3, share = division.kept(count);
    if (share < count) to = std::make_shared<const TriangleMesh>(with_fewer_triangles(*from, share));
    left += to->triangles.size() / 3;
  }
  if (left == all) return;
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
