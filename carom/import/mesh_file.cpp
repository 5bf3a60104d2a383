#include "carom/import/mesh_file.h"

#include <assimp/DefaultIOSystem.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <algorithm>
#include <array>
#include <assimp/Importer.hpp>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <set>
#include <sstream>
#include <system_error>
#include <tuple>
#include <utility>

namespace carom {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t largest_mesh = 64u << 20;
constexpr std::size_t most_vertices = 10'000'000;
constexpr std::size_t most_places_told = 8;
constexpr const char* unreadable = "cannot be read as a mesh; it may be damaged";
constexpr std::array endings = {".stl", ".obj", ".ply", ".dae", ".gltf", ".glb"};

/// Lets assimp open the mesh alone: an OBJ may name material files anywhere, and nothing of them is needed. Only glTF
/// keeps vertices in files beside it.
class OneFile : public Assimp::DefaultIOSystem {
 public:
  OneFile(std::string path, bool with_buffers) : path_(std::move(path)), with_buffers_(with_buffers) {}
  bool Exists(const char* file) const override { return may_open(file) && DefaultIOSystem::Exists(file); }
  Assimp::IOStream* Open(const char* file, const char* mode) override {
    return may_open(file) ? DefaultIOSystem::Open(file, mode) : nullptr;
  }

 private:
  bool may_open(const char* file) const {
    if (path_ == file) return true;
    std::error_code error;
    return with_buffers_ && fs::path(file).extension() == ".bin" &&
           fs::path(file).lexically_normal().parent_path() == fs::path(path_).lexically_normal().parent_path() &&
           fs::file_size(file, error) <= largest_mesh && !error;
  }

  std::string path_;
  bool with_buffers_;
};

std::string in_lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

std::string lower_ending(const std::string& path) { return in_lower_case(fs::path(path).extension().string()); }

void check_file(const std::string& path) {
  std::error_code error;
  if (!fs::exists(path, error)) throw Error("does not exist");
  if (!fs::is_regular_file(path, error)) throw Error("is no file");
  const std::string ending = lower_ending(path);
  if (std::find(endings.begin(), endings.end(), ending) == endings.end()) {
    throw Error("is none of the meshes that are read: STL, OBJ, PLY, COLLADA (.dae), glTF (.gltf, .glb); convert it");
  }
  const std::uintmax_t size = fs::file_size(path, error);
  if (error) throw Error("cannot be opened");
  if (size > largest_mesh) throw Error("is larger than 64 MiB; simplify the mesh");
}

/// STL as text that was cut off between two facets reads like a whole file, of which a part would be lost.
void check_end_of_stl(const std::string& path) {
  constexpr std::size_t header = 84, facet = 50, most_of_a_line = 4096;
  std::error_code error;
  const std::uintmax_t size = fs::file_size(path, error);
  std::string text(error ? 0 : size, '\0');
  std::ifstream(path, std::ios::binary).read(text.data(), static_cast<std::streamsize>(text.size()));
  if (text.size() >= header) {
    std::uint32_t facets = 0;
    std::memcpy(&facets, text.data() + header - sizeof facets, sizeof facets);
    if (text.size() == header + facet * std::uintmax_t{facets}) return;
  }
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  if (start == std::string::npos || in_lower_case(text.substr(start, 5)) != "solid") return;
  const std::string end = in_lower_case(text.substr(text.size() - std::min(text.size(), most_of_a_line)));
  const std::size_t last = end.rfind("endsolid");
  const std::size_t line = last == std::string::npos ? last : end.find('\n', last);
  const std::string rest = line == std::string::npos ? "" : end.substr(line);
  if (last == std::string::npos || rest.find("facet") != std::string::npos || rest.find("solid") != std::string::npos) {
    throw Error("does not end with \"endsolid\"; it may be cut off");
  }
}

/// A map of points, p ↦ M p + t.
struct Affine {
  Mat3 M = Mat3::Identity();
  Vec3 t = Vec3::Zero();
};

Affine after(const Affine& outer, const aiMatrix4x4& inner) {
  if (inner.IsIdentity()) return outer;
  Affine map;
  map.M << inner.a1, inner.a2, inner.a3, inner.b1, inner.b2, inner.b3, inner.c1, inner.c2, inner.c3;
  map.t << inner.a4, inner.b4, inner.c4;
  return {outer.M * map.M, outer.M * map.t + outer.t};
}

bool has_triangle(const aiMesh& mesh) {
  for (unsigned f = 0; f < mesh.mNumFaces; ++f) {
    if (mesh.mFaces[f].mNumIndices >= 3) return true;
  }
  return false;
}

/// Decides which meshes of a scene belong to the part of a name.
class Chosen {
 public:
  /// Throws Error with the names that there are if nothing has that one.
  Chosen(const aiScene& scene, std::string name) : name_(std::move(name)) {
    if (name_.empty() || scene.mRootNode == nullptr) return;
    std::set<std::string> names;
    bool by_mesh = false;
    list(scene, *scene.mRootNode, names, by_mesh);
    by_node_ = names.contains(name_);
    if (by_node_ || by_mesh) return;
    std::string told;
    std::size_t count = 0;
    for (const std::string& other : names) {
      if (!other.empty() && count++ < most_places_told) told += (told.empty() ? "" : ", ") + ("\"" + other + "\"");
    }
    throw Error(
        "has no part called \"" + name_ + "\"" +
        (count == 0 ? "; no part has a name" : "; its parts are " + told + (count > most_places_told ? ", …" : "")));
  }
  bool has(const aiNode& node, const aiMesh& mesh) const {
    return name_.empty() || name_ == (by_node_ ? node.mName : mesh.mName).C_Str();
  }

 private:
  /// Names of the nodes that hold a mesh; whether a mesh has the name.
  void list(const aiScene& scene, const aiNode& node, std::set<std::string>& names, bool& by_mesh) const {
    if (node.mNumMeshes > 0) names.insert(node.mName.C_Str());
    for (unsigned m = 0; m < node.mNumMeshes; ++m) {
      by_mesh = by_mesh || name_ == scene.mMeshes[node.mMeshes[m]]->mName.C_Str();
    }
    for (unsigned k = 0; k < node.mNumChildren; ++k) list(scene, *node.mChildren[k], names, by_mesh);
  }

  std::string name_;
  bool by_node_ = false;
};

/// Calls visit(mesh, place) for all that the node and those below it hold of the part and that has a triangle, as often
/// as it is placed.
template <class Visit>
void for_each_mesh(const aiScene& scene, const aiNode& node, const Affine& place, const Chosen& chosen,
                   const Visit& visit) {
  const Affine here = after(place, node.mTransformation);
  for (unsigned m = 0; m < node.mNumMeshes; ++m) {
    const aiMesh& mesh = *scene.mMeshes[node.mMeshes[m]];
    if (has_triangle(mesh) && chosen.has(node, mesh)) visit(mesh, here);
  }
  for (unsigned k = 0; k < node.mNumChildren; ++k) for_each_mesh(scene, *node.mChildren[k], here, chosen, visit);
}

std::vector<Vec3> vertices_of(const aiScene& scene, const Affine& place, const Chosen& chosen) {
  std::vector<Vec3> vertices;
  const auto add = [&](const aiMesh& mesh, const Affine& here) {
    for (unsigned v = 0; v < mesh.mNumVertices; ++v) {
      const aiVector3D& at = mesh.mVertices[v];
      vertices.emplace_back(here.M * Vec3(at.x, at.y, at.z) + here.t);
      if (!vertices.back().allFinite()) throw Error("has a vertex that is not finite");
      if (vertices.size() > most_vertices) throw Error("places more than ten million vertices; simplify the mesh");
    }
  };
  if (scene.mRootNode != nullptr) for_each_mesh(scene, *scene.mRootNode, place, chosen, add);
  if (vertices.empty()) throw Error("has no triangle");
  return vertices;
}

/// Triangles of faces as fans, whose vertices are numbered as vertices_of lists them.
std::vector<std::uint32_t> fans_of(const aiScene& scene, const Affine& place, const Chosen& chosen) {
  std::vector<std::uint32_t> triangles;
  std::size_t first = 0;
  for_each_mesh(scene, *scene.mRootNode, place, chosen, [&](const aiMesh& mesh, const Affine& here) {
    const bool mirrored = here.M.determinant() < 0;
    for (unsigned f = 0; f < mesh.mNumFaces; ++f) {
      const aiFace& face = mesh.mFaces[f];
      for (unsigned k = 1; k + 1 < face.mNumIndices; ++k) {
        for (const unsigned corner : {0u, mirrored ? k + 1 : k, mirrored ? k : k + 1}) {
          triangles.push_back(static_cast<std::uint32_t>(first + face.mIndices[corner]));
        }
      }
    }
    first += mesh.mNumVertices;
  });
  return triangles;
}

/// Middle of the box that holds all of them.
class Middle {
 public:
  void add(const std::vector<Vec3>& points) {
    for (const Vec3& point : points) {
      lower_ = lower_.cwiseMin(point);
      upper_ = upper_.cwiseMax(point);
    }
  }
  void take_from(std::vector<Vec3>& points) const {
    for (Vec3& point : points) point -= 0.5 * (lower_ + upper_);
  }

 private:
  Vec3 lower_ = Vec3::Constant(std::numeric_limits<double>::infinity()), upper_ = -lower_;
};

/// An intensity of light as an sRGB value.
double srgb_of(double light) { return light <= 0.0031308 ? 12.92 * light : 1.055 * std::pow(light, 1 / 2.4) - 0.055; }

/// The colour of a material of a COLLADA file or, with `as_light`, of a glTF file, whose colours are intensities.
/// Opacity is not read: exporters of COLLADA disagree on what it is.
std::optional<Rgba> color_of(const aiMaterial& material, bool as_light) {
  aiColor4D color;
  for (const auto& [key, type, index] : {std::tuple(AI_MATKEY_BASE_COLOR), std::tuple(AI_MATKEY_COLOR_DIFFUSE)}) {
    if (material.Get(key, type, index, color) != aiReturn_SUCCESS) continue;
    const auto part = [&](ai_real x) {
      const double value = std::clamp<double>(x, 0, 1);
      return as_light ? srgb_of(value) : value;
    };
    return Rgba{part(color.r), part(color.g), part(color.b), 1};
  }
  return {};
}

/// Throws Error where a mesh names a vertex or a material that is not there. The readers of assimp do not look, and its
/// later steps then read beyond their arrays.
void check_numbers(const aiScene& scene) {
  for (unsigned m = 0; m < scene.mNumMeshes; ++m) {
    const aiMesh& mesh = *scene.mMeshes[m];
    if (mesh.mMaterialIndex >= std::max(1u, scene.mNumMaterials)) {
      throw Error("has faces of a material that is not there; it may be damaged");
    }
    for (unsigned f = 0; f < mesh.mNumFaces; ++f) {
      const aiFace& face = mesh.mFaces[f];
      const bool sound = std::all_of(face.mIndices, face.mIndices + face.mNumIndices,
                                     [&](unsigned vertex) { return vertex < mesh.mNumVertices; });
      if (!sound) throw Error("has a face with a vertex that is not there; it may be damaged");
    }
  }
}

/// Appends the chosen triangles of the node and those below it to the part of their material.
void add_surfaces(const aiScene& scene, const aiNode& node, const Affine& place, const Chosen& chosen,
                  std::vector<MeshPart>& parts) {
  const Affine here = after(place, node.mTransformation);
  for (unsigned m = 0; m < node.mNumMeshes; ++m) {
    const aiMesh& mesh = *scene.mMeshes[node.mMeshes[m]];
    if (!chosen.has(node, mesh)) continue;
    TriangleMesh& part = parts[mesh.mMaterialIndex].surface;
    const std::size_t first = part.vertices.size();
    if (first + mesh.mNumVertices > most_vertices) {
      throw Error("places more than ten million vertices; simplify the mesh");
    }
    for (unsigned v = 0; v < mesh.mNumVertices; ++v) {
      const aiVector3D& at = mesh.mVertices[v];
      part.vertices.emplace_back(here.M * Vec3(at.x, at.y, at.z) + here.t);
      if (!part.vertices.back().allFinite()) throw Error("has a vertex that is not finite");
    }
    const bool mirrored = here.M.determinant() < 0;
    for (unsigned f = 0; f < mesh.mNumFaces; ++f) {
      const aiFace& face = mesh.mFaces[f];
      if (face.mNumIndices != 3) continue;  // points and lines
      for (const int k : {0, mirrored ? 2 : 1, mirrored ? 1 : 2}) {
        part.triangles.push_back(static_cast<std::uint32_t>(first + face.mIndices[k]));
      }
    }
  }
  for (unsigned k = 0; k < node.mNumChildren; ++k) add_surfaces(scene, *node.mChildren[k], here, chosen, parts);
}

/// The scene that assimp makes of a mesh file; the importer owns it.
const aiScene& read_scene(const std::string& path, Assimp::Importer& importer) {
  check_file(path);
  const std::string ending = lower_ending(path);
  if (ending == ".stl") check_end_of_stl(path);
  importer.SetIOHandler(new OneFile(path, ending == ".gltf"));  // the importer owns it
  importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, true);
  importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_USE_COLLADA_NAMES, true);  // as Gazebo, not by their ids
  const aiScene* scene = nullptr;
  try {
    scene = importer.ReadFile(path, 0);
  } catch (const std::exception&) {
    scene = nullptr;  // assimp mostly returns its errors, but not all of them
  }
  if (scene == nullptr) throw Error(unreadable);
  return *scene;
}

bool is_gltf(const std::string& path) {
  const std::string ending = lower_ending(path);
  return ending == ".gltf" || ending == ".glb";
}

/// glTF's y axis points up.
Affine start_of(const std::string& path) {
  Affine place;
  if (is_gltf(path)) place.M << 1, 0, 0, 0, 0, -1, 0, 1, 0;
  return place;
}

/// True if the folder is the ROS package of that name, by its package.xml.
bool is_package(const fs::path& folder, const std::string& name) {
  constexpr std::size_t most_read = 65536;
  std::ifstream file(folder / "package.xml");
  if (!file) return false;
  std::string text(most_read, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  const std::size_t start = text.find("<name>"), end = text.find("</name>");
  if (start == std::string::npos || end == std::string::npos || end < start) return false;
  const std::string named = text.substr(start + 6, end - start - 6);
  const std::size_t first = named.find_first_not_of(" \t\r\n"), last = named.find_last_not_of(" \t\r\n");
  return first != std::string::npos && named.substr(first, last - first + 1) == name;
}

/// Places where `package://NAME/rest` may be below a folder. The rest of `model://NAME` alone is empty.
void add_places(const fs::path& folder, const fs::path& name, const fs::path& rest, std::vector<fs::path>& places) {
  const auto add = [&](const fs::path& package) { places.push_back(rest.empty() ? package : package / rest); };
  if (folder.filename() == name || is_package(folder, name.string())) add(folder);
  add(folder / name);
}

std::vector<fs::path> package_places(const std::string& address, const fs::path& home, const ImportOptions& options) {
  const std::size_t slash = std::min(address.find('/'), address.size());
  const fs::path name = address.substr(0, slash);
  const fs::path rest = slash < address.size() ? fs::path(address.substr(slash + 1)).relative_path() : fs::path();
  std::vector<fs::path> places;
  for (fs::path folder = home;; folder = folder.parent_path()) {
    add_places(folder, name, rest, places);
    if (folder == folder.parent_path()) break;
  }
  std::vector<std::string> search_path = options.search_path;
  for (std::string& folder : search_path_of_environment()) search_path.push_back(std::move(folder));
  for (const std::string& given : search_path) {
    fs::path folder = fs::absolute(given).lexically_normal();
    if (!folder.has_filename()) folder = folder.parent_path();  // "a/b/" ends in nothing, and is called b
    add_places(folder, name, rest, places);
  }
  return places;
}

std::optional<std::string> rest_after(const std::string& text, const std::string& start) {
  if (!text.starts_with(start)) return {};
  return text.substr(start.size());
}

std::vector<fs::path> possible_places(const std::string& uri, const std::string& from_file,
                                      const ImportOptions& options) {
  const fs::path home = fs::absolute(from_file).lexically_normal().parent_path();
  for (const char* scheme : {"package://", "model://"}) {
    const auto address = rest_after(uri, scheme);
    if (!address) continue;
    if (address->empty() || address->front() == '/') {
      throw Error("\"" + uri + "\" names no package; write " + scheme + "NAME/FILE");
    }
    return package_places(*address, home, options);
  }
  const std::string path = rest_after(uri, "file://").value_or(uri);
  if (path.find("://") != std::string::npos) {
    throw Error("\"" + uri + "\" is an address that cannot be read; use package://, model://, file:// or a path");
  }
  return {home / path};  // of an absolute path this is the path
}

/// The first few places.
std::string listed(const std::vector<std::string>& places) {
  std::string told;
  for (std::size_t i = 0; i < std::min(places.size(), most_places_told); ++i) {
    told += (told.empty() ? "" : ", ") + places[i];
  }
  return places.size() > most_places_told ? told + ", …" : told;
}

}  // namespace

struct OpenMesh::Content {
  std::string path;
  MeshChoice choice;
  Assimp::Importer importer;
  const aiScene* scene = nullptr;
};

OpenMesh::OpenMesh(std::string path, MeshChoice choice) : content_(std::make_unique<Content>()) {
  content_->path = std::move(path);
  content_->choice = std::move(choice);
  content_->scene = &read_scene(content_->path, content_->importer);
}

OpenMesh::~OpenMesh() = default;

std::vector<Vec3> OpenMesh::vertices() const {
  const aiScene& scene = *content_->scene;
  std::vector<Vec3> vertices = vertices_of(scene, start_of(content_->path), Chosen(scene, content_->choice.part));
  if (!content_->choice.centered) return vertices;
  Middle middle;
  middle.add(vertices);
  middle.take_from(vertices);
  return vertices;
}

TriangleMesh OpenMesh::faces() const {
  const aiScene& scene = *content_->scene;
  check_numbers(scene);
  return {vertices(), fans_of(scene, start_of(content_->path), Chosen(scene, content_->choice.part))};
}

std::vector<MeshPart> OpenMesh::parts() {
  const std::string& path = content_->path;
  Assimp::Importer& importer = content_->importer;
  importer.SetPropertyInteger(AI_CONFIG_PP_RVC_FLAGS, aiComponent_NORMALS | aiComponent_TANGENTS_AND_BITANGENTS |
                                                          aiComponent_COLORS | aiComponent_TEXCOORDS |
                                                          aiComponent_BONEWEIGHTS | aiComponent_ANIMATIONS |
                                                          aiComponent_LIGHTS | aiComponent_CAMERAS);
  // The later steps do not look at numbers of what this one leaves. Of what it takes away they need not be sound.
  const aiScene* made = importer.ApplyPostProcessing(aiProcess_RemoveComponent);
  if (made != nullptr) {
    check_numbers(*made);
    made = importer.ApplyPostProcessing(aiProcess_ValidateDataStructure | aiProcess_Triangulate |
                                        aiProcess_JoinIdenticalVertices);
  }
  content_->scene = made;
  if (made == nullptr) throw Error(unreadable);
  const aiScene& scene = *made;
  std::vector<MeshPart> parts(std::max(1u, scene.mNumMaterials));
  if (is_gltf(path) || lower_ending(path) == ".dae") {
    for (unsigned i = 0; i < scene.mNumMaterials; ++i) {
      parts[i].color = color_of(*scene.mMaterials[i], is_gltf(path));
    }
  }
  const Chosen chosen(scene, content_->choice.part);
  if (scene.mRootNode != nullptr) add_surfaces(scene, *scene.mRootNode, start_of(path), chosen, parts);
  std::erase_if(parts, [](const MeshPart& part) { return part.surface.triangles.empty(); });
  if (parts.empty()) throw Error("has no triangle");
  if (!content_->choice.centered) return parts;
  Middle middle;
  for (const MeshPart& part : parts) middle.add(part.surface.vertices);
  for (MeshPart& part : parts) middle.take_from(part.surface.vertices);
  return parts;
}

std::vector<Vec3> mesh_vertices(const std::string& path, const MeshChoice& choice) {
  return OpenMesh(path, choice).vertices();
}

std::vector<MeshPart> mesh_parts(const std::string& path, const MeshChoice& choice) {
  return OpenMesh(path, choice).parts();
}

TriangleMesh placed(const VisualMesh& mesh, TriangleMesh surface) {
  for (Vec3& vertex : surface.vertices) vertex = (mesh.M * vertex + mesh.t).eval();
  if (mesh.M.determinant() > 0) return surface;
  for (std::size_t i = 0; i + 2 < surface.triangles.size(); i += 3) {
    std::swap(surface.triangles[i + 1], surface.triangles[i + 2]);
  }
  return surface;
}

MissingFile::MissingFile(std::string uri, std::vector<std::string> places)
    : Error("\"" + uri + "\" is not there; looked for " + listed(places)),
      uri_(std::move(uri)),
      places_(std::move(places)) {}

std::string resolve_path(const std::string& uri, const std::string& from_file, const ImportOptions& options) {
  if (uri.empty()) throw Error("the path is empty; name a file");
  std::vector<std::string> looked_for;
  for (const fs::path& place : possible_places(uri, from_file, options)) {
    std::string path = place.lexically_normal().string();
    std::error_code error;
    if (fs::exists(path, error)) return path;
    if (std::find(looked_for.begin(), looked_for.end(), path) == looked_for.end()) looked_for.push_back(path);
  }
  throw MissingFile(uri, looked_for);
}

std::vector<std::string> search_path_of_environment() {
  struct Variable {
    const char* name;
    const char* below;
  };
  constexpr std::array variables = {Variable{"ROS_PACKAGE_PATH", ""}, Variable{"AMENT_PREFIX_PATH", "share"},
                                    Variable{"GAZEBO_MODEL_PATH", ""}, Variable{"GZ_SIM_RESOURCE_PATH", ""},
                                    Variable{"SDF_PATH", ""}};
  std::vector<std::string> folders;
  for (const Variable& variable : variables) {
    const char* value = std::getenv(variable.name);
    std::istringstream parts(value == nullptr ? "" : value);
    for (std::string folder; std::getline(parts, folder, ':');) {
      if (!folder.empty()) folders.push_back(*variable.below ? (fs::path(folder) / variable.below).string() : folder);
    }
  }
  return folders;
}

}  // namespace carom
