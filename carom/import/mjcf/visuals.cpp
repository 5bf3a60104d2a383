#include <algorithm>

#include "carom/import/mjcf/reader.h"
#include "carom/import/visual_shape.h"

namespace carom::mjcf {
namespace {

/// Corners of a hull's faces as triangles about their first corner.
std::vector<std::uint32_t> fans_of(const Polyhedron& hull) {
  std::vector<std::uint32_t> triangles;
  for (const Polyhedron::Face& face : hull.faces) {
    for (std::size_t k = 2; k < face.vertices.size(); ++k) {
      for (const std::size_t corner : {std::size_t{0}, k - 1, k}) {
        triangles.push_back(static_cast<std::uint32_t>(face.vertices[corner]));
      }
    }
  }
  return triangles;
}

/// The surface of a mesh whose vertices stand in the file: its faces, or those of its hull where it names none.
std::optional<TriangleMesh> inline_surface(Element& element, XmlFaults& faults) {
  TriangleMesh surface{inline_vertices(element, faults), {}};
  if (surface.vertices.empty()) return {};
  const std::string* text = element.text("face");
  if (!text) {
    try {
      const Polyhedron hull = convex_hull(surface.vertices);
      return TriangleMesh{hull.vertices, fans_of(hull)};
    } catch (const Error& error) {
      faults.add(element.node(), std::string("<mesh> has no hull: ") + error.what());
      return {};
    }
  }
  constexpr int most_numbers = 3 << 22;
  const auto faces = faults.parse_numbers(element.node(), "face of <mesh>", *text, 3, most_numbers);
  if (!faces) return {};
  const auto count = static_cast<double>(surface.vertices.size());
  const bool sound = faces->size() % 3 == 0 && std::all_of(faces->begin(), faces->end(), [&](double vertex) {
                       return vertex >= 0 && vertex < count && vertex == std::floor(vertex);
                     });
  if (!sound) {
    faults.add(element.node(), "face of <mesh> must be the numbers, from 0, of three vertices for every triangle");
    return {};
  }
  for (const double vertex : *faces) surface.triangles.push_back(static_cast<std::uint32_t>(vertex));
  return surface;
}

std::optional<VisualShape> load(XmlNode& node, Reader& reader) {
  Element element = reader.defaults.element(node, "", {"mesh"}, reader.undrawn);
  const MeshPlace place = read_mesh_place(element, reader.undrawn);
  VisualMesh mesh;
  mesh.M = place.scale.asDiagonal() * place.R.transpose();
  mesh.t = -(mesh.M * place.origin);
  if (element.has("vertex")) {
    auto surface = inline_surface(element, reader.undrawn);
    if (!surface) return {};
    mesh.surface = std::make_shared<const TriangleMesh>(placed(mesh, std::move(*surface)));
    return mesh;
  }
  const std::string* file = element.text("file");
  if (!file || file->empty()) {
    reader.undrawn.add(node, "the <mesh> has neither a file nor vertices");
    return {};
  }
  mesh.file = find_visual_mesh(asset_file_of(*file, reader.compiler), node, reader.options, reader.undrawn);
  return mesh;
}

}  // namespace

void list_colors(XmlNode& root, Reader& reader) {
  reader.defaults.know({"material"}, {"rgba"});
  for (XmlNode* asset : root.all("asset")) {
    for (XmlNode* node : asset->all("material")) {
      Element element = reader.defaults.element(*node, "", {"material"}, reader.undrawn);
      const std::string name = element.name();
      const auto rgba = element.numbers(reader.undrawn, "rgba", 4, 4);
      if (!name.empty() && rgba) reader.colors.emplace(name, color_of(*rgba));
    }
  }
}

std::optional<VisualShape> drawn_mesh(const XmlNode& at, const std::string& name, Reader& reader) {
  const auto found = reader.meshes.find(name);
  if (found == reader.meshes.end()) {
    reader.undrawn.add(at, "it shows the mesh \"" + name + "\", which no <asset> holds");
    return {};
  }
  Mesh& mesh = found->second;
  if (!mesh.is_drawn) mesh.drawn = load(*mesh.node, reader);
  mesh.is_drawn = true;
  return mesh.drawn;
}

std::optional<Visual> read_visual(Element& element, std::optional<VisualShape> shape, Reader& reader) {
  std::optional<Rgba> color;
  if (const std::string* material = element.text("material")) {
    const auto known = reader.colors.find(*material);
    if (known != reader.colors.end()) color = known->second;
  }
  if (const auto rgba = element.numbers(reader.undrawn, "rgba", 4, 4)) color = color_of(*rgba);
  const bool is_seen = !color || color->back() > 0;
  if (!shape || !is_seen) return {};
  return Visual{element.name(), -1, {}, std::move(*shape), color};
}

}  // namespace carom::mjcf
