#include <filesystem>

#include "carom/import/mesh_file.h"
#include "carom/import/mjcf/reader.h"

namespace carom::mjcf {
namespace {

namespace fs = std::filesystem;

constexpr int most_numbers = 3 << 22;  // of vertices in the file itself

std::vector<Vec3> vertices_of(Element& element, Reader& reader) {
  if (element.has("builtin") || element.has("plugin")) {
    reader.faults.add(element.node(), "<mesh> is made by MuJoCo itself; give a file or the vertices");
    return {};
  }
  if (element.has("vertex")) return inline_vertices(element, reader.faults);
  const std::string* file = element.text("file");
  if (!file || file->empty()) {
    reader.faults.add(element.node(), "<mesh> has neither a file nor vertices; it needs one of them");
    return {};
  }
  std::string path = asset_file_of(*file, reader.compiler), what = "the mesh file ";
  try {
    path = resolve_path(path, reader.file, reader.options);
    what += "\"" + path + "\" ";
    return mesh_vertices(path);
  } catch (const MissingFile& missing) {
    reader.faults.add_missing(element.node(), "the mesh file", missing);
    return {};
  } catch (const Error& error) {
    reader.faults.add(element.node(), what + error.what());
    return {};
  }
}

void place(Element& element, std::vector<Vec3>& vertices, Reader& reader) {
  const auto [origin, scale, R] = read_mesh_place(element, reader.faults);
  for (Vec3& vertex : vertices) vertex = scale.cwiseProduct(R.transpose() * (vertex - origin));
}

bool is_convex(const Polyhedron& hull, const std::vector<Vec3>& vertices) {
  const double allowed = 1e-6 * hull.radius;
  for (const Vec3& vertex : vertices) {
    double depth = std::numeric_limits<double>::infinity();
    for (const Polyhedron::Face& face : hull.faces) {
      depth = std::min(depth, face.offset - face.normal.dot(vertex));
      if (depth < allowed) break;
    }
    if (depth > allowed) return false;
  }
  return true;
}

void load(Mesh& mesh, Reader& reader) {
  mesh.loaded = true;
  Element element = reader.defaults.element(*mesh.node, "", {"mesh"}, reader.faults);
  std::vector<Vec3> vertices = vertices_of(element, reader);
  const std::string inertia =
      element.choice(reader.faults, "inertia", {"convex", "exact", "legacy", "shell"}, "legacy");
  if (inertia == "shell") {
    reader.faults.add(element.node(),
                      "inertia of <mesh> is \"shell\", but bodies are solid here; give the body an "
                      "<inertial> or choose \"convex\"");
  }
  if (vertices.empty()) return;
  place(element, vertices, reader);
  try {
    mesh.hull = std::make_shared<const Polyhedron>(convex_hull(vertices));
    // MuJoCo takes the hull of vertices alone as well.
    const bool has_faces = element.has("file") || element.has("face");
    mesh.convex = inertia == "convex" || !has_faces || is_convex(*mesh.hull, vertices);
  } catch (const Error& error) {
    reader.faults.add(element.node(), std::string("<mesh> has no hull: ") + error.what());
  }
}

}  // namespace

std::string asset_file_of(const std::string& given, const Compiler& compiler) {
  fs::path path = given;
  if (compiler.strip_path) {
    const std::size_t slash = given.find_last_of("/\\");
    path = slash == std::string::npos ? given : given.substr(slash + 1);
  }
  if (path.is_absolute() || compiler.mesh_folder.empty()) return path.string();
  return (fs::path(compiler.mesh_folder) / path).string();
}

std::vector<Vec3> inline_vertices(Element& element, XmlFaults& faults) {
  const auto values =
      faults.parse_numbers(element.node(), "vertex of <mesh>", *element.text("vertex"), 12, most_numbers);
  std::vector<Vec3> vertices;
  for (int i = 0; values && i + 2 < values->size(); i += 3) vertices.emplace_back(values->segment<3>(i));
  if (!values || values->size() % 3 == 0) return vertices;
  faults.add(element.node(), "vertex of <mesh> must be x y z of every vertex, but has " +
                                 std::to_string(values->size()) + " numbers, which three do not divide");
  return {};
}

MeshPlace read_mesh_place(Element& element, XmlFaults& faults) {
  MeshPlace place{element.vector(faults, "refpos", Vec3::Zero()), element.vector(faults, "scale", Vec3::Ones()),
                  Mat3::Identity()};
  if (const auto quat = element.numbers(faults, "refquat", 4, 4)) {
    place.R = rotation_of_quaternion(element.node(), *quat, faults);
  }
  return place;
}

void list_meshes(XmlNode& root, Reader& reader) {
  reader.defaults.know({"mesh"}, {"scale", "inertia"});
  for (XmlNode* asset : root.all("asset")) {
    for (XmlNode& node : asset->children) {
      if (node.name != "mesh") continue;
      node.take();
      const std::string* name = node.attribute("name");
      const std::string* file = node.attribute("file");
      if (!name && !file) {
        reader.faults.add(node, "<mesh> has neither a name nor a file; it needs one of them");
        continue;
      }
      const std::string key = name ? *name : fs::path(*file).stem().string();
      Mesh mesh;
      mesh.node = &node;
      if (reader.meshes.emplace(key, mesh).second) continue;
      reader.faults.add(node, "there are two meshes called \"" + key + "\"; each needs a name of its own");
    }
  }
}

const Mesh* find_mesh(const XmlNode& at, const std::string& name, Reader& reader) {
  const auto found = reader.meshes.find(name);
  if (found == reader.meshes.end()) {
    reader.faults.add(at, "<" + at.name + "> shows the mesh \"" + name + "\", which no <asset> holds");
    return nullptr;
  }
  Mesh& mesh = found->second;
  if (!mesh.loaded) load(mesh, reader);
  return mesh.hull ? &mesh : nullptr;
}

}  // namespace carom::mjcf
