#include "carom/import/sdf_visuals.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

#include "carom/import/sdf_shapes.h"
#include "carom/import/visual_shape.h"

namespace carom {
namespace {

class VisualReader {
 public:
  VisualReader(const SdfTree& tree, const SdfLink& link, const ImportOptions& options)
      : tree_(tree), link_(link), options_(options), aside_(link.place.file->path, XmlNode()) {}

  std::vector<Visual> read(std::vector<ImportNote>& notes) {
    std::vector<Visual> visuals;
    for (XmlNode* node : link_.place.node->all("visual")) {
      const std::string* name = node->attribute("name");
      // Faults go aside, so that none refuses the file.
      for (Visual& visual : read_one({&aside_, node})) {
        visual.name = link_.name + (name && !name->empty() ? "::" + *name : "");
        visuals.push_back(std::move(visual));
      }
    }
    add_undrawn("visual", aside_.faults, notes);
    return visuals;
  }

 private:
  std::vector<Visual> read_one(const SdfPlace& place) {
    const auto X_LE = frame_of_pose(tree_, link_, place);
    const auto color = read_color(place);
    const SdfPlace shape = find_sdf_shape(place);
    if (!X_LE || !shape.node) return {};
    Visual visual{{}, -1, *X_LE * read_pose(place), {}, color};
    if (shape.node->name == "mesh") {
      const auto mesh = read_sdf_mesh(shape);
      if (!mesh) return {};
      const SdfPlace& uri = mesh->uri;
      VisualMesh drawn{find_visual_mesh(uri.node->text, *uri.node, options_, aside_.faults), mesh->scale.asDiagonal()};
      if (!mesh->choice.part.empty()) return parts_of(*mesh, drawn, visual);
      visual.shape = std::move(drawn);
      return {visual};
    }
    const bool is_map = shape.node->name == "heightmap";
    if (is_map) shape.node->ignore();
    const auto solid = is_map ? std::nullopt : read_sdf_solid(shape);
    const auto drawn = solid ? visual_shape(solid->first) : std::nullopt;
    if (is_map || (solid && !drawn)) shape.fault("a <" + shape.node->name + "> is drawn only where it collides");
    if (!drawn) return {};
    visual.shape = *drawn;
    visual.X_BV = visual.X_BV * solid->second;
    return {visual};
  }

  /// The surfaces of a part of a mesh, one for each material. They are read at once, since a VisualMesh names files.
  std::vector<Visual> parts_of(const SdfMesh& mesh, const VisualMesh& drawn, const Visual& whole) {
    std::vector<Visual> visuals;
    if (!std::filesystem::exists(drawn.file)) return visuals;  // told by find_visual_mesh
    try {
      for (MeshPart& part : mesh_parts(drawn.file, mesh.choice)) {
        Visual visual = whole;
        VisualMesh own = drawn;
        own.surface = std::make_shared<const TriangleMesh>(placed(drawn, std::move(part.surface)));
        visual.shape = std::move(own);
        if (!visual.color) visual.color = part.color;
        visuals.push_back(std::move(visual));
      }
    } catch (const Error& error) {
      mesh.uri.fault("mesh \"" + drawn.file + "\" " + error.what());
    }
    return visuals;
  }

  std::optional<Rgba> read_color(const SdfPlace& place) {
    const SdfPlace material = first(place, "material"), diffuse = first(material, "diffuse");
    const double opacity = 1 - std::clamp(read_number(place, "transparency").value_or(0), 0.0, 1.0);
    const auto rgba =
        diffuse.node ? aside_.faults.parse_numbers(*diffuse.node, "<diffuse>", diffuse.node->text, 3, 4) : std::nullopt;
    if (!rgba) return {};
    Eigen::Vector4d color(0, 0, 0, 1);
    color.head(rgba->size()) = *rgba;
    color[3] *= opacity;
    return color_of(color);
  }

  const SdfTree& tree_;
  const SdfLink& link_;
  const ImportOptions& options_;
  SdfFile aside_;
};

}  // namespace

std::vector<Visual> read_sdf_visuals(const SdfTree& tree, const SdfLink& link, const ImportOptions& options,
                                     std::vector<ImportNote>& notes) {
  return VisualReader(tree, link, options).read(notes);
}

}  // namespace carom
