#include "carom/import/urdf.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <utility>
#include <variant>

#include "carom/import/massless_links.h"
#include "carom/import/merge_links.h"
#include "carom/import/relaxed_inertia.h"
#include "carom/import/start_within_limits.h"
#include "carom/import/urdf_elements.h"
#include "carom/import/urdf_filters.h"
#include "carom/import/urdf_gazebo.h"
#include "carom/import/urdf_mimic.h"
#include "carom/import/urdf_sensors.h"
#include "carom/import/urdf_ties.h"
#include "carom/import/urdf_tree.h"
#include "carom/import/vocabularies.h"

namespace carom {
namespace {

/// The elements of a <robot>, not yet put together.
struct UrdfRobot {
  std::vector<UrdfLink> links;  ///< without the world
  UrdfLink world;
  bool has_world = false;
  std::vector<UrdfJoint> joints;
};

/// An element that xacro would have replaced; null if there is none.
const XmlNode* find_macro(const XmlNode& node) {
  if (node.name.starts_with("xacro:")) return &node;
  for (const XmlNode& child : node.children) {
    if (const XmlNode* found = find_macro(child)) return found;
  }
  return nullptr;
}

void check_root_element(XmlNode& root, const std::string& file) {
  if (root.name != "robot") {
    throw ImportError({{file, root.line, "the root element is <" + root.name + ">; that of a URDF file is <robot>"}});
  }
  if (const XmlNode* macro = find_macro(root)) {
    throw ImportError({{file, macro->line,
                        "<" + macro->name + "> is a macro of xacro; expand the file first (xacro FILE > robot.urdf)"}});
  }
  for (XmlNode::Attribute& a : root.attributes) {
    if (a.name.starts_with("xmlns:") || a.name == "version") a.read = true;  // says nothing of the robot
  }
}

UrdfRobot read_robot(XmlNode& root, UrdfMeshes& meshes, UrdfVisuals& visuals, XmlFaults& faults) {
  UrdfRobot robot;
  for (XmlNode* node : root.all("link")) {
    const std::string* name = node->attribute("name");
    if (!name || *name != "world") {
      robot.links.push_back(read_urdf_link(*node, meshes, visuals, faults));
    } else if (robot.has_world) {
      faults.add(*node, "there are two links named \"world\"; give each its own name");
    } else {
      robot.world = read_urdf_world(*node, meshes, visuals, faults);
      robot.has_world = true;
    }
  }
  if (robot.links.empty() && !robot.has_world) faults.add(root, "<robot> has no <link>; it needs one");
  for (const char* tag : {"joint", "drake:joint"}) {
    for (XmlNode* node : root.all(tag)) robot.joints.push_back(read_urdf_joint(*node, faults));
  }
  return robot;
}

/// Coefficients under <gazebo>: as text or in the attribute `value`.
std::optional<double> read_friction(XmlNode& gazebo, const std::string& name, XmlFaults& faults) {
  XmlNode* node = only_child(gazebo, name, faults);
  if (!node) return {};
  const std::string* value = node->attribute("value");
  const auto number = faults.parse_numbers(*node, "<" + name + ">", value ? *value : node->text, 1, 1);
  if (!number) return {};
  if ((*number)[0] >= 0) return (*number)[0];
  faults.add(*node, "<" + name + "> is negative; a coefficient of friction cannot be");
  return {};
}

bool has_child(const XmlNode& node, const std::string& name) {
  return std::any_of(node.children.begin(), node.children.end(), [&](const XmlNode& c) { return c.name == name; });
}

/// Makes a material of the coefficients under a <gazebo>, for the shapes of the link it refers to. One without is left
/// unread.
void read_gazebo(XmlNode& gazebo, UrdfRobot& robot, std::vector<Material>& materials, XmlFaults& faults) {
  const std::string first = has_child(gazebo, "mu") ? "mu" : "mu1";
  if (!has_child(gazebo, first) && !has_child(gazebo, "mu2")) return;
  gazebo.take();
  const auto name = faults.require(gazebo, "reference");
  if (!name) return;
  UrdfLink* link = find_link(robot.links, *name);
  const bool is_world = robot.has_world && *name == "world";
  if (!link && !is_world) {
    faults.warn(gazebo, "<gazebo> gives the friction of link " + quote(*name) + ", which is not in this file");
    return;
  }
  for (const std::string& needed : {first, std::string("mu2")}) {
    if (has_child(gazebo, needed)) continue;
    faults.warn(gazebo, "<" + needed + "> is not written beside the other coefficient: 1, as in Gazebo");
  }
  const auto x = read_friction(gazebo, first, faults), y = read_friction(gazebo, "mu2", faults);
  std::vector<Collider>& colliders = is_world ? robot.world.colliders : link->colliders;
  const int material = static_cast<int>(materials.size());
  const Vec2 friction(x.value_or(1), y.value_or(1));
  for (Collider& collider : colliders) {
    if (collider.material >= 0) {
      if (materials[collider.material].friction == friction) return;
      faults.add(gazebo, "the friction of link " + quote(*name) + " is given twice; give it once");
      return;
    }
    collider.material = material;
  }
  materials.push_back({*name, friction, 0});
}

/// Reads friction of Bullet's <contact>, in place of what <gazebo> would say.
void add_friction(UrdfLink& link, std::vector<Material>& materials, XmlFaults& faults) {
  if (!link.friction || link.colliders.empty()) return;
  const Vec2 friction(*link.friction, *link.friction);
  if (link.colliders.front().material >= 0) {
    if (materials[link.colliders.front().material].friction == friction) return;
    faults.add(link.line, "the friction of link " + quote(link.name) +
                              " is given twice, by <gazebo> and by <contact>; give it once");
    return;
  }
  for (Collider& collider : link.colliders) collider.material = static_cast<int>(materials.size());
  materials.push_back({link.name, friction, 0});
}

/// Drake's coefficients of single shapes stand above those of the link.
void add_own_friction(UrdfLink& link, std::vector<Material>& materials) {
  for (std::size_t i = 0; i < link.colliders.size(); ++i) {
    if (!link.own_friction[i]) continue;
    link.colliders[i].material = static_cast<int>(materials.size());
    materials.push_back({link.name + "/" + link.colliders[i].name, Vec2::Constant(*link.own_friction[i]), 0});
  }
}

void add_parts(const UrdfLink& link, int body, ImportedModel& model) {
  for (std::size_t i = 0; i < link.colliders.size(); ++i) {
    model.colliders.push_back(link.colliders[i]);
    model.colliders.back().body = body;
    model.collider_lines.push_back(link.collider_lines[i]);
  }
  for (const Visual& visual : link.visuals) {
    model.visuals.push_back(visual);
    model.visuals.back().body = body;
  }
}

ImportedModel assemble(const UrdfRobot& robot, const UrdfTree& tree) {
  ImportedModel model;
  add_parts(robot.world, -1, model);
  for (const int number : tree.order) {
    const UrdfLink& from = robot.links[number];
    ImportedModel::Link link;
    link.name = from.name;
    link.line = from.line;
    link.inertia = from.inertia;
    if (tree.inboard[number] >= 0) {
      const int joint = tree.inboard[number];
      link.joint = robot.joints[joint].joint;
      link.joint->parent = tree.parent[joint] < 0 ? -1 : tree.place_of[tree.parent[joint]];
      if (has_scalar_coordinates(link.joint->type)) link.position = VectorX::Zero(velocity_size(*link.joint));
    }
    const int place = static_cast<int>(model.links.size());
    add_parts(from, place, model);
    if (from.is_weightless && from.inertia.mass > 0) {
      model.lifts.push_back({from.name + " without gravity", place, from.inertia.center, from.inertia.mass});
    }
    model.links.push_back(std::move(link));
  }
  return model;
}

/// Takes the nearest inertia in place of one that no body can have, where that is asked for; refuses it elsewhere.
void relax_or_refuse(const std::string& fault, const ImportOptions& options, ImportedModel::Link& link,
                     ImportedModel& model, XmlFaults& faults) {
  const auto nearest = nearest_inertia(link.inertia);
  if (!nearest || !inertia_fault(*nearest).empty()) {
    faults.add(link.line, "link " + quote(link.name) + " " + fault);
    return;
  }
  const std::string near = told_of_nearest(link.inertia, *nearest);
  if (!options.relax_inertia) {
    faults.add(link.line, "link " + quote(link.name) + " " + fault + "; the nearest that a body can have is " + near +
                              ", which --relax-inertia takes");
    return;
  }
  link.inertia = *nearest;
  model.warnings.push_back(
      {model.file, link.line, "link " + quote(link.name) + " " + fault + "; the nearest is taken, " + near});
}

/// Every link that is left has to be a body. A link whose <inertial> could not be read already has a fault.
void check_inertias(const std::map<std::string, bool>& has_inertial, const ImportOptions& options, ImportedModel& model,
                    XmlFaults& faults) {
  std::vector<char> told(model.links.size(), false);
  for (const ImportedModel::Frame& frame : model.frames) {
    if (frame.link >= 0 && has_inertial.at(frame.name)) told[frame.link] = true;
  }
  for (std::size_t i = 0; i < model.links.size(); ++i) {
    ImportedModel::Link& link = model.links[i];
    if (std::isnan(link.inertia.mass)) continue;
    const std::string fault = inertia_fault(link.inertia);
    if (fault.empty()) continue;
    if (told[i] || has_inertial.at(link.name)) {
      relax_or_refuse(fault, options, link, model, faults);
    } else {
      faults.add(link.line, "link " + quote(link.name) +
                                " moves and has no <inertial>; give it one, or fix it to a link that has one");
    }
  }
}

/// Planes fill half of space. Links are merged.
void check_planes(const ImportedModel& model, XmlFaults& faults) {
  for (std::size_t i = 0; i < model.colliders.size(); ++i) {
    if (model.colliders[i].body < 0 || !std::holds_alternative<HalfSpace>(model.colliders[i].shape)) continue;
    faults.add(model.collider_lines[i],
               "a plane fills half of space, so only links that do not move can have one; use a box");
  }
}

/// One warning of all joints to which the file gives no limits, though their type has some.
void warn_of_limits(const std::vector<UrdfJoint>& joints, XmlFaults& faults) {
  constexpr int most_named = 8;
  int count = 0, line = 0;
  std::string names;
  for (const UrdfJoint& joint : joints) {
    if (!joint.lacks_limits) continue;
    if (++count == 1) line = joint.line;
    if (count <= most_named) names += (count > 1 ? ", " : "") + quote(joint.joint.name);
  }
  if (count > most_named) names += ", …";
  if (count == 1) faults.warn(line, "joint " + names + " has no limits in the file: it moves without");
  if (count > 1) {
    faults.warn(line, std::to_string(count) + " joints have no limits in the file: they move without: " + names);
  }
}

ImportedModel read_root(XmlNode& root, const std::string& file, ImportOptions options) {
  check_root_element(root, file);
  XmlFaults faults(file);
  urdf_vocabulary().check(root, faults);
  const std::string* name = root.attribute("name");
  UrdfVisuals visuals(root, file, options);
  UrdfMeshes meshes{options, MeshSolids(options)};
  UrdfRobot robot = read_robot(root, meshes, visuals, faults);
  std::vector<Material> materials;
  for (XmlNode& child : root.children) {
    if (child.name != "gazebo") continue;
    if (read_gazebo_motion(child, robot.links, robot.joints, faults)) options.fixed_base = true;
    read_gazebo(child, robot, materials, faults);
  }
  for (UrdfLink& link : robot.links) add_friction(link, materials, faults);
  if (robot.has_world) add_friction(robot.world, materials, faults);
  for (UrdfLink& link : robot.links) add_own_friction(link, materials);
  add_own_friction(robot.world, materials);
  warn_of_limits(robot.joints, faults);
  read_rotors(root, robot.joints, faults);
  read_joint_springs(root, robot.joints, faults);
  const auto tree = urdf_tree(robot.links, robot.joints, faults);
  ImportedModel model;
  if (tree) {
    model = assemble(robot, *tree);
    start_within_limits(model);
    couple_mimics(robot.joints, *tree, model, faults);
    add_ties(root, robot.links, *tree, model, faults);
    model.excluded = urdf_excluded_links(root, robot.links, *tree, faults);
    std::map<std::string, bool> has_inertial;
    for (const UrdfLink& link : robot.links) has_inertial[link.name] = link.has_inertial;
    model.file = file;
    std::vector<FileSensor> sensors;
    for (XmlNode& child : root.children) {
      if (child.name != "gazebo") continue;
      for (FileSensor& sensor : read_urdf_sensors(child, robot.joints, model)) {
        sensors.push_back(std::move(sensor));
      }
    }
    weld_roots(model, options);
    merge_fixed_links(model);
    absorb_massless_links(model);
    place_sensors(sensors, model);
    check_inertias(has_inertial, options, model, faults);
    check_planes(model, faults);
  }
  faults.raise();
  model.name = name && !name->empty() ? *name : std::filesystem::path(file).stem().string();
  model.file = file;
  model.materials = std::move(materials);
  model.warnings.insert(model.warnings.begin(), faults.warnings().begin(), faults.warnings().end());
  visuals.list_undrawn(model.unused);
  list_unread(root, file, model.unused);
  meshes.solids.split(model);
  return model;
}

}  // namespace

ImportedModel read_urdf(const std::string& path, const ImportOptions& options) {
  XmlNode root = read_xml(path);
  return read_root(root, path, options);
}

ImportedModel parse_urdf(const std::string& text, const std::string& file, const ImportOptions& options) {
  XmlNode root = parse_xml(text, file);
  return read_root(root, file, options);
}

}  // namespace carom
