#include "carom/import/urdf_visuals.h"

#include "carom/import/urdf_elements.h"
#include "carom/import/urdf_shapes.h"
#include "carom/import/visual_shape.h"

namespace carom {

UrdfVisuals::UrdfVisuals(XmlNode& robot, const std::string& file, const ImportOptions& options)
    : options_(options), faults_(file) {
  know(robot);
  for (XmlNode& link : robot.children) {
    if (link.name != "link") continue;
    for (XmlNode& visual : link.children) {
      if (visual.name == "visual") know(visual);
    }
  }
}

/// The first material of a name holds.
void UrdfVisuals::know(XmlNode& parent) {
  for (XmlNode* material : parent.all("material")) {
    const std::string* name = material->attribute("name");
    const auto color = read_color(*material);
    if (name && color) colors_.emplace(*name, *color);
  }
}

std::optional<Rgba> UrdfVisuals::read_color(XmlNode& material) {
  XmlNode* color = only_child(material, "color", faults_);
  const auto rgba = color ? faults_.numbers(*color, "rgba", 4) : std::nullopt;
  if (!rgba) return {};
  return color_of(*rgba);
}

std::optional<VisualShape> UrdfVisuals::read_shape(XmlNode& node) {
  XmlNode* shape = find_urdf_shape(node, faults_);
  if (!shape) return {};
  if (shape->name == "plane") {
    faults_.add(*shape, "a plane is drawn only where it collides");
    return {};
  }
  if (shape->name != "mesh") {
    const auto solid = read_urdf_solid(*shape, faults_);
    return solid ? visual_shape(*solid) : std::nullopt;
  }
  const auto mesh = read_urdf_mesh(*shape, faults_);
  if (!mesh) return {};
  return VisualMesh{find_visual_mesh(mesh->uri, *shape, options_, faults_), mesh->scale.asDiagonal()};
}

std::optional<Visual> UrdfVisuals::read_one(XmlNode& node) {
  Visual visual;
  visual.X_BV = read_origin(node, faults_);
  if (XmlNode* material = only_child(node, "material", faults_)) {
    visual.color = read_color(*material);
    const std::string* name = material->attribute("name");
    const auto known = name ? colors_.find(*name) : colors_.end();
    if (!visual.color && known != colors_.end()) visual.color = known->second;
  }
  const auto shape = read_shape(node);
  if (!shape) return {};
  visual.shape = *shape;
  return visual;
}

std::vector<Visual> UrdfVisuals::read(XmlNode& link, const std::string& link_name) {
  std::vector<Visual> visuals;
  for (XmlNode* node : link.all("visual")) {
    const std::string* name = node->attribute("name");
    auto visual = read_one(*node);
    if (!visual) continue;
    visual->name = name && !name->empty() ? *name : link_name;
    visuals.push_back(std::move(*visual));
  }
  return visuals;
}

void UrdfVisuals::list_undrawn(std::vector<ImportNote>& notes) const { add_undrawn("visual", faults_, notes); }

}  // namespace carom
