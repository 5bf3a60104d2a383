#include "carom/import/mesh_file.h"

#include <assimp/DefaultIOSystem.h>
#include <assimp/scene.h>

#include <algorithm>
#include <assimp/Importer.hpp>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <system_error>

namespace carom {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t largest_mesh = 64u << 20;
constexpr std::size_t most_places_told = 8;

/// Lets assimp open the mesh alone: an OBJ may name material files anywhere, and nothing of them is needed.
class OneFile : public Assimp::DefaultIOSystem {
 public:
  explicit OneFile(std::string path) : path_(std::move(path)) {}
  bool Exists(const char* file) const override { return path_ == file && DefaultIOSystem::Exists(file); }
  Assimp::IOStream* Open(const char* file, const char* mode) override {
    return path_ == file ? DefaultIOSystem::Open(file, mode) : nullptr;
  }

 private:
  std::string path_;
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
  if (ending != ".stl" && ending != ".obj") {
    throw Error("is neither STL nor OBJ, the only meshes that are read; convert it to one of these");
  }
  const std::uintmax_t size = fs::file_size(path, error);
  if (error) throw Error("cannot be opened");
  if (size > largest_mesh) throw Error("is larger than 64 MiB; simplify the mesh, collisions need its hull alone");
}

/// STL as text that was cut off between two facets reads like a whole file, of which a part would be lost.
void check_end_of_stl(const std::string& path) {
  constexpr std::size_t header = 84, facet = 50, most_of_a_line = 4096;
  std::ifstream file(path, std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(file), {});
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

std::vector<Vec3> vertices_of(const aiScene& scene) {
  std::vector<Vec3> vertices;
  bool has_triangle = false;
  for (unsigned m = 0; m < scene.mNumMeshes; ++m) {
    const aiMesh& mesh = *scene.mMeshes[m];
    for (unsigned f = 0; f < mesh.mNumFaces; ++f) has_triangle = has_triangle || mesh.mFaces[f].mNumIndices >= 3;
    for (unsigned v = 0; v < mesh.mNumVertices; ++v) {
      const aiVector3D& at = mesh.mVertices[v];
      vertices.emplace_back(at.x, at.y, at.z);
      if (!vertices.back().allFinite()) throw Error("has a vertex that is not finite");
    }
  }
  if (!has_triangle) throw Error("has no triangle");
  return vertices;
}

/// Where `package://NAME/rest` may be below a folder. Of `model://NAME` alone the rest is empty.
void add_places(const fs::path& folder, const fs::path& name, const fs::path& rest, std::vector<fs::path>& places) {
  const auto add = [&](const fs::path& package) { places.push_back(rest.empty() ? package : package / rest); };
  if (folder.filename() == name) add(folder);
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
  for (const std::string& given : options.search_path) {
    fs::path folder = fs::absolute(given).lexically_normal();
    if (!folder.has_filename()) folder = folder.parent_path();  // "a/b/" ends in nothing, and is called b
    add_places(folder, name, rest, places);
  }
  return places;
}

std::optional<std::string> after(const std::string& text, const std::string& start) {
  if (!text.starts_with(start)) return {};
  return text.substr(start.size());
}

std::vector<fs::path> possible_places(const std::string& uri, const std::string& from_file,
                                      const ImportOptions& options) {
  const fs::path home = fs::absolute(from_file).lexically_normal().parent_path();
  for (const char* scheme : {"package://", "model://"}) {
    const auto address = after(uri, scheme);
    if (!address) continue;
    if (address->empty() || address->front() == '/') {
      throw Error("\"" + uri + "\" names no package; write " + scheme + "NAME/FILE");
    }
    return package_places(*address, home, options);
  }
  const std::string path = after(uri, "file://").value_or(uri);
  if (path.find("://") != std::string::npos) {
    throw Error("\"" + uri + "\" is an address that cannot be read; use package://, model://, file:// or a path");
  }
  return {home / path};  // of an absolute path this is the path
}

}  // namespace

std::vector<Vec3> mesh_vertices(const std::string& path) {
  check_file(path);
  if (lower_ending(path) == ".stl") check_end_of_stl(path);
  Assimp::Importer importer;
  importer.SetIOHandler(new OneFile(path));  // the importer owns it
  const aiScene* scene = nullptr;
  try {
    scene = importer.ReadFile(path, 0);
  } catch (const std::exception&) {
    scene = nullptr;  // assimp mostly returns its errors, but not all of them
  }
  if (scene == nullptr) throw Error("cannot be read as a mesh; it may be damaged");
  return vertices_of(*scene);
}

std::string resolve_path(const std::string& uri, const std::string& from_file, const ImportOptions& options) {
  if (uri.empty()) throw Error("the path is empty; name a file");
  std::set<std::string> seen;
  std::string told;
  for (const fs::path& place : possible_places(uri, from_file, options)) {
    std::string path = place.lexically_normal().string();
    std::error_code error;
    if (fs::exists(path, error)) return path;
    if (!seen.insert(path).second || seen.size() > most_places_told + 1) continue;
    told += seen.size() > most_places_told ? std::string(", …") : (told.empty() ? "" : ", ") + path;
  }
  throw Error("\"" + uri + "\" is not there; looked for " + told);
}

}  // namespace carom
