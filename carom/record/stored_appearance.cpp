#include "carom/record/stored_appearance.h"

#include <algorithm>

#include "carom/record/stored_shapes.h"

namespace carom::stored {

/// A TriangleMesh as it is stored: lists of doubles lie beside the text.
struct TriangleMeshFields {
  std::vector<Vec3> vertices;
  std::vector<double> triangles;
};
template <Same<TriangleMeshFields> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [vertices, triangles] = part;
  f("vertices", vertices);
  f("triangles", triangles);
}
template <Same<VisualMesh> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [file, M, t, surface] = part;
  f("file", file);
  f("M", M);
  f("t", t);
  f("surface", surface);
}
template <Same<Visual> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [name, body, X_BV, shape, color] = part;
  f("name", name);
  f("body", body);
  f("X_BV", X_BV);
  f("shape", shape);
  f("color", color);
}
template <Same<Appearance> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [visuals, behind, notes] = part;
  f("visuals", visuals);
  f("behind", behind);
  f("notes", notes);
}

template <>
inline constexpr std::array kinds<VisualShape>{"sphere", "box", "capsule", "cylinder", "ellipsoid", "mesh"};
template <>
inline constexpr const char* shared_list<TriangleMesh> = "surfaces";

template <>
struct Made<TriangleMesh> {
  using Fields = TriangleMeshFields;
  static TriangleMeshFields fields(const TriangleMesh& mesh) {
    return {mesh.vertices, {mesh.triangles.begin(), mesh.triangles.end()}};
  }
  static std::shared_ptr<const TriangleMesh> value(const TriangleMeshFields& fields, std::string& fault) {
    TriangleMesh mesh{fields.vertices, {}};
    const auto count = static_cast<double>(mesh.vertices.size());
    const bool finite =
        std::all_of(mesh.vertices.begin(), mesh.vertices.end(), [](const Vec3& vertex) { return vertex.allFinite(); });
    const bool fits = std::all_of(fields.triangles.begin(), fields.triangles.end(),
                                  [&](double vertex) { return vertex >= 0 && vertex < count; });
    if (!finite || !fits || fields.triangles.size() % 3 != 0) {
      fault = "this is no surface: its corners and triangles do not fit together";
      return nullptr;
    }
    for (const double vertex : fields.triangles) mesh.triangles.push_back(static_cast<std::uint32_t>(vertex));
    return std::make_shared<const TriangleMesh>(std::move(mesh));
  }
};

Tree write_appearance(const Appearance& appearance) {
  Writer writer;
  return writer.finish(writer.json(appearance));
}

Appearance read_appearance(const Tree& tree, const std::string& path, int bodies, std::size_t colliders) {
  Reader reader(tree, path + ": the record is damaged: in what it draws, ", default_catalogue());
  Appearance appearance;
  appearance.visuals = reader.take<std::vector<Visual>>("visuals");
  appearance.behind = reader.take<std::vector<int>>("behind");
  appearance.notes = reader.take<std::vector<std::string>>("notes");
  const bool on_bodies = std::all_of(appearance.visuals.begin(), appearance.visuals.end(),
                                     [&](const Visual& visual) { return visual.body >= -1 && visual.body < bodies; });
  const bool of_model = std::all_of(appearance.behind.begin(), appearance.behind.end(),
                                    [&](int collider) { return collider >= 0 && std::cmp_less(collider, colliders); });
  if (!on_bodies || !of_model) reader.fail("a body or a collider is one that the model does not have");
  return appearance;
}

}  // namespace carom::stored
