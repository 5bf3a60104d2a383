#include "carom/import/mesh_solids.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iomanip>
#include <numeric>
#include <sstream>

#include "carom/counted.h"
#include "carom/geometry/convex_parts.h"
#include "carom/import/parts_folder.h"

namespace carom {
namespace {

constexpr double told_excess = 0.1;  // of the volume: a hull beyond is no matter of roundings

const std::string too_many = ", too many to make parts of (" + std::to_string(MeshSolids::most_triangles) +
                             " triangles and " + std::to_string(MeshSolids::most_parts) +
                             " pieces at most): its convex hull collides; simplify it";

/// "13 % larger than", "2.4 times as large as"
std::string excess_words(double excess) {
  std::ostringstream words;
  if (excess < 1) {
    words << std::setprecision(2) << 100 * excess << " % larger than";
  } else {
    words << std::setprecision(3) << 1 + excess << " times as large as";
  }
  return words.str();
}

TriangleMesh whole(const std::vector<MeshPart>& parts) {
  TriangleMesh mesh;
  for (const MeshPart& part : parts) {
    const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
    mesh.vertices.insert(mesh.vertices.end(), part.surface.vertices.begin(), part.surface.vertices.end());
    for (const std::uint32_t corner : part.surface.triangles) mesh.triangles.push_back(first + corner);
  }
  return mesh;
}

std::vector<Vec3> scaled(std::vector<Vec3> points, const Vec3& scale) {
  for (Vec3& point : points) point = point.cwiseProduct(scale).eval();
  return points;
}

/// Surfaces that share no vertex, each by itself: solids of a drawing that only lie side by side or overlap.
std::vector<TriangleMesh> pieces_of(const TriangleMesh& mesh) {
  std::map<std::tuple<double, double, double>, std::uint32_t> places;
  std::vector<std::uint32_t> place(mesh.vertices.size()), group;
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    const Vec3& v = mesh.vertices[i];
    place[i] = places.try_emplace({v.x(), v.y(), v.z()}, static_cast<std::uint32_t>(places.size())).first->second;
  }
  group.resize(places.size());
  std::iota(group.begin(), group.end(), 0u);
  const auto find = [&](std::uint32_t i) {
    while (group[i] != i) i = group[i] = group[group[i]];
    return i;
  };
  for (std::size_t t = 0; t < mesh.triangles.size(); t += 3) {
    for (const std::size_t k : {1, 2}) {
      const std::uint32_t a = find(place[mesh.triangles[t]]), b = find(place[mesh.triangles[t + k]]);
      group[std::max(a, b)] = std::min(a, b);
    }
  }
  std::map<std::uint32_t, TriangleMesh> pieces;
  for (std::size_t t = 0; t < mesh.triangles.size(); t += 3) {
    TriangleMesh& piece = pieces[find(place[mesh.triangles[t]])];
    for (std::size_t k = 0; k < 3; ++k) {
      piece.triangles.push_back(static_cast<std::uint32_t>(piece.vertices.size()));
      piece.vertices.push_back(mesh.vertices[mesh.triangles[t + k]]);
    }
  }
  std::vector<TriangleMesh> list;
  list.reserve(pieces.size());
  for (auto& [number, piece] : pieces) list.push_back(std::move(piece));
  return list;
}

/// The solids of a mesh that are cut each by itself, and their volume.
struct Pieces {
  std::vector<TriangleMesh> solids;
  double volume = 0;  ///< m³; 0 if the mesh is not closed
};

/// A piece without volume is no solid. One that winds the other way is a cavity of another: then the mesh stays whole.
Pieces solids_of(const TriangleMesh& mesh) {
  Pieces pieces;
  double sum = 0;
  for (TriangleMesh& piece : pieces_of(mesh)) {
    const auto volume = enclosed_volume(piece.vertices, piece.triangles);
    if (!volume) return {};
    if (*volume == 0) continue;
    sum += *volume;
    pieces.volume += std::abs(*volume);
    pieces.solids.push_back(std::move(piece));
  }
  if (std::abs(sum) < pieces.volume) {
    pieces.solids = {mesh};
    pieces.volume = std::abs(sum);
  }
  return pieces;
}

/// Corners of the parts, without those too flat to be bodies. Throws Error if a piece cannot be cut.
StoredParts make_parts(const Pieces& pieces) {
  StoredParts all;
  double hulls = 0;
  for (const TriangleMesh& piece : pieces.solids) {
    const ConvexPartsOptions options{MeshSolids::largest_excess, static_cast<int>(MeshSolids::most_parts)};
    ConvexParts parts = convex_parts(piece.vertices, piece.triangles, options);
    hulls += parts.volume * (1 + parts.error);
    for (std::vector<Vec3>& part : parts.parts) {
      try {
        static_cast<void>(convex_hull(part));
      } catch (const Error&) {
        continue;
      }
      all.parts.push_back(std::move(part));
    }
  }
  if (all.parts.empty()) throw Error("all its parts are flat");
  all.excess = hulls / pieces.volume - 1;
  return all;
}

/// Parts of a mesh, and how that is told.
struct Told {
  std::vector<std::shared_ptr<const Polyhedron>> parts;
  std::string words;
};

Told parts_of(const TriangleMesh& mesh, const Pieces& pieces, const std::string& folder_name) {
  const PartsFolder folder(folder_name);
  Told told;
  const std::string name = folder.name_of(mesh.vertices, mesh.triangles);
  auto stored = folder.read(name);
  std::string loss;
  if (!stored) {
    stored = make_parts(pieces);
    const bool kept = folder.write(name, *stored);
    if (!kept && !folder_name.empty()) loss = "; they could not be kept in " + folder_name;
  }
  for (const std::vector<Vec3>& part : stored->parts) {
    told.parts.push_back(std::make_shared<const Polyhedron>(convex_hull(part)));
  }
  told.words = "is not convex: " + counted(told.parts.size(), "convex part collides", "convex parts collide") +
               " in its place, together " + excess_words(stored->excess) + " it" + loss;
  return told;
}

}  // namespace

const MeshSolids::File& MeshSolids::read(const std::string& path, const MeshChoice& choice) {
  const Key key(path, choice.part, choice.centered);
  if (const auto found = files_.find(key); found != files_.end()) return found->second;
  OpenMesh mesh(path, choice);
  File file;
  file.vertices = mesh.vertices();
  try {
    // Parts are cut from a surface whose vertices are joined, which takes longer than to read it.
    file.surface = options_.meshes == MeshUse::parts ? whole(mesh.parts()) : mesh.faces();
  } catch (const Error& error) {  // the hull is sound all the same
    file.fault = error.what();
  }
  return files_.emplace(key, std::move(file)).first->second;
}

std::shared_ptr<const Polyhedron> MeshSolids::hull(const std::string& path, const MeshChoice& choice,
                                                   const Vec3& scale) {
  const Key key(path, choice.part, choice.centered);
  Solid& solid = solids_[{key, {scale.x(), scale.y(), scale.z()}}];
  if (solid.hull) return solid.hull;
  const File& file = read(path, choice);
  try {
    solid.hull = std::make_shared<const Polyhedron>(convex_hull(scaled(file.vertices, scale)));
  } catch (const Error& error) {
    throw Error(std::string("has no convex hull: ") + error.what());
  }
  solid.path = path;
  try {
    measure(file, scale, solid);
  } catch (const Error& error) {
    solid.parts.clear();
    if (options_.meshes == MeshUse::parts) {
      solid.told = std::string("cannot be cut into parts, so its convex hull collides: ") + error.what();
    }
  }
  return solid.hull;
}

void MeshSolids::measure(const File& file, const Vec3& scale, Solid& solid) const {
  if (!file.fault.empty()) throw Error(file.fault);
  const TriangleMesh mesh{scaled(file.surface.vertices, scale), file.surface.triangles};
  if (options_.meshes == MeshUse::parts) {
    cut(mesh, solid);
  } else {
    tell_excess(mesh, solid);
  }
}

void MeshSolids::tell_excess(const TriangleMesh& mesh, Solid& solid) const {
  if (mesh.triangles.size() / 3 > most_triangles) return;  // no parts could be made of it
  const double volume = std::abs(enclosed_volume(mesh.vertices, mesh.triangles).value_or(0));
  if (!(volume > 0)) return;
  const double excess = solid.hull->inertia(1).mass / volume - 1;
  if (excess <= told_excess) return;
  solid.told = "is not convex: the hull that collides in its place is " + excess_words(excess) +
               " it; --meshes parts (in a scene meshes: parts) makes convex parts of it";
}

void MeshSolids::cut(const TriangleMesh& mesh, Solid& solid) const {
  if (mesh.triangles.size() / 3 > most_triangles) {
    solid.told = "has " + counted(mesh.triangles.size() / 3, "triangle") + too_many;
    return;
  }
  const Pieces pieces = solids_of(mesh);
  if (!(pieces.volume > 0)) {
    solid.told = "is not closed, so no parts can be made of it: its convex hull collides";
    return;
  }
  if (solid.hull->inertia(1).mass / pieces.volume - 1 <= largest_excess) return;
  if (pieces.solids.size() > most_parts) {
    solid.told = "has " + counted(pieces.solids.size(), "piece") + too_many;
    return;
  }
  auto [parts, words] = parts_of(mesh, pieces, options_.parts_folder);
  solid.parts = std::move(parts);
  solid.told = std::move(words);
}

void MeshSolids::split(ImportedModel& model) const {
  std::map<const Polyhedron*, const Solid*> by_hull;
  for (const auto& [key, solid] : solids_) {
    if (!solid.hull) continue;
    by_hull[solid.hull.get()] = &solid;
    if (solid.told.empty()) continue;
    const std::string name = std::filesystem::path(solid.path).filename().string();
    model.warnings.push_back({model.file, 0, "mesh \"" + name + "\" " + solid.told});
  }
  std::vector<Collider> colliders;
  std::vector<int> lines;
  std::vector<std::vector<int>> became(model.colliders.size());
  for (std::size_t i = 0; i < model.colliders.size(); ++i) {
    const auto* mesh = std::get_if<ConvexMesh>(&model.colliders[i].shape);
    const auto found = mesh ? by_hull.find(mesh->polyhedron.get()) : by_hull.end();
    const std::size_t count = found == by_hull.end() ? 0 : found->second->parts.size();
    for (std::size_t k = 0; k < std::max<std::size_t>(count, 1); ++k) {
      Collider collider = model.colliders[i];
      if (count > 0) {
        collider.shape = ConvexMesh{found->second->parts[k]};
        collider.name += " part " + std::to_string(k + 1);
      }
      became[i].push_back(static_cast<int>(colliders.size()));
      colliders.push_back(std::move(collider));
      if (i < model.collider_lines.size()) lines.push_back(model.collider_lines[i]);
    }
  }
  model.colliders = std::move(colliders);
  model.collider_lines = std::move(lines);
  for (Sensor& sensor : model.sensors) {
    std::vector<int> numbers;
    for (const int number : sensor.colliders) {
      const std::vector<int>& parts = became[static_cast<std::size_t>(number)];
      numbers.insert(numbers.end(), parts.begin(), parts.end());
    }
    sensor.colliders = std::move(numbers);
  }
}

}  // namespace carom
