#include "carom/import/mjcf.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <tuple>
#include <utility>
#include <variant>

#include "carom/import/merge_links.h"
#include "carom/import/mjcf/reader.h"
#include "carom/import/start_within_limits.h"
#include "carom/import/visual_shape.h"
#include "carom/import/vocabularies.h"

namespace carom {
namespace {

using mjcf::Reader;

/// Takes in the default classes, whether or not an element comes to ask for one.
void know_defaults(mjcf::Defaults& defaults) {
  defaults.know({"geom"},
                {"type",   "size", "pos",          "quat",       "axisangle",   "xyaxes", "zaxis",    "euler",
                 "fromto", "mass", "density",      "contype",    "conaffinity", "condim", "priority", "friction",
                 "group",  "mesh", "shellinertia", "surfacevel", "adhesion",    "rgba",   "material"});
  defaults.know({"joint"}, {"type", "pos", "axis", "ref", "range", "limited", "damping", "stiffness", "springref",
                            "frictionloss", "armature", "springdamper", "actuatorfrcrange", "actuatorfrclimited"});
  defaults.know({"site"}, {"pos", "quat", "axisangle", "xyaxes", "zaxis", "euler", "fromto"});
  defaults.know({"tendon"}, {"stiffness", "damping", "frictionloss", "armature", "limited", "range"});
  defaults.know({"equality"}, {"active"});
  defaults.know({"pair"}, {"condim", "friction", "adhesion"});
  defaults.know(
      {"general", "motor", "position", "velocity", "intvelocity", "damper", "cylinder", "muscle", "adhesion"},
      {"kp", "kv", "dampratio", "timeconst", "dyntype", "gaintype", "biastype", "gainprm", "biasprm", "gear",
       "ctrlrange", "ctrllimited", "forcerange", "forcelimited", "damping", "armature", "inheritrange", "group"});
}

/// Sections that no reader knows could change how bodies move, and so could a mistyped name.
void refuse_sections(XmlNode& root, Reader& reader) {
  constexpr std::array known = {"compiler", "option", "size",      "visual",     "statistic", "default",
                                "custom",   "asset",  "worldbody", "contact",    "equality",  "tendon",
                                "actuator", "sensor", "keyframe",  "deformable", "extension"};
  for (XmlNode& child : root.children) {
    if (std::find(known.begin(), known.end(), child.name) == known.end()) {
      reader.faults.add(child,
                        "<" + child.name + "> is no section of MJCF that Carom knows, and could change the motion");
    }
    const bool only_skins = std::all_of(child.children.begin(), child.children.end(),
                                        [](const XmlNode& part) { return part.name == "skin"; });
    if (child.name == "deformable" && !only_skins) {
      reader.faults.add(child, "<deformable> holds bodies that are not rigid; Carom has rigid ones alone");
    }
  }
}

/// Scales masses and inertias to the sum that <compiler> demands.
void set_total_mass(Reader& reader) {
  if (!(reader.compiler.total_mass > 0)) return;
  double sum = 0;
  for (const ImportedModel::Link& link : reader.model.links) sum += link.inertia.mass;
  if (!(sum > 0)) return;
  const double scale = reader.compiler.total_mass / sum;
  for (ImportedModel::Link& link : reader.model.links) {
    link.inertia.mass *= scale;
    link.inertia.central *= scale;
  }
}

/// Refuses a fluid that acts. In MuJoCo (mj_passive) it acts on every body that has mass, and so on the motion if that
/// body moves.
void refuse_fluid(Reader& reader) {
  if (reader.global.fluid == nullptr) return;
  std::vector<char> moves;
  for (const ImportedModel::Link& link : reader.model.links) {
    const bool welded =
        !link.joint && (link.is_mocap || reader.options.fixed_base || reader.options.bases.contains(link.name));
    const bool by_parent = link.joint && link.joint->parent >= 0 && moves[link.joint->parent];
    moves.push_back(by_parent || (link.joint ? link.joint->type != JointType::fixed : !welded));
    if (!moves.back() || link.inertia.mass == 0) continue;
    reader.faults.add(*reader.global.fluid, "density or viscosity is above zero: body \"" + link.name +
                                                "\" would move through a fluid, and Carom has none");
    return;
  }
}

/// Checks what holds for links only after those that are fixed to others have become one with them.
void check_links(const std::vector<XmlNode*>& nodes, Reader& reader) {
  ImportedModel& model = reader.model;
  for (std::size_t i = 0; i < model.links.size(); ++i) {
    ImportedModel::Link& link = model.links[i];
    const std::string fault = inertia_fault(link.inertia);
    if (!fault.empty()) {
      reader.faults.add(*nodes[i], "body \"" + link.name +
                                       "\" moves, so it needs an inertia that a body can have, of its "
                                       "geoms or an <inertial>: it " +
                                       fault);
    }
    link.collides_with_parent = link.joint && (link.joint->parent < 0 || reader.global.parents_collide);
  }
  for (std::size_t i = 0; i < model.colliders.size(); ++i) {
    const bool moves = model.colliders[i].body >= 0;
    if (!moves || !std::holds_alternative<HalfSpace>(model.colliders[i].shape)) continue;
    reader.faults.add(*reader.colliding[i].node,
                      "<geom> is a plane on a body that moves; planes are half-spaces that stand still");
  }
}

/// Drops constraints between parts that are welded anyway.
void check_constraints(Reader& reader) {
  std::erase_if(reader.model.constraints, [&](const Constraint& constraint) {
    const bool of_bodies = constraint.kind == ConstraintKind::ball || constraint.kind == ConstraintKind::weld ||
                           constraint.kind == ConstraintKind::rope || constraint.kind == ConstraintKind::spring;
    if (!of_bodies || constraint.body_a != constraint.body_b) return false;
    reader.model.unused.push_back(
        {reader.file, 0, "constraint \"" + constraint.name + "\": it ties parts of one rigid body to each other"});
    return true;
  });
}

/// Part of each body's weight that `gravcomp` carries, before bodies become one with others.
void carry_weights(Reader& reader) {
  for (std::size_t i = 0; i < reader.model.links.size(); ++i) {
    const double share = reader.bodies[i + 1].gravity_compensation;
    if (share == 0) continue;
    const ImportedModel::Link& link = reader.model.links[i];
    reader.model.lifts.push_back(
        {link.name + " gravcomp", static_cast<int>(i), link.inertia.center, share * link.inertia.mass});
  }
}

/// Adds the armatures of free joints to their bodies. The energy ½ a ‖v‖² + ½ a ‖ω‖² is that of a point mass and a ball
/// at the origin. Such a mass has no weight, so a lift carries it.
void add_armatures(Reader& reader) {
  for (const mjcf::Armature& armature : reader.armatures) {
    ImportedModel::Link& link = reader.model.links[armature.link];
    link.inertia = link.inertia + SpatialInertia{armature.inertia, Vec3::Zero(), armature.inertia * Mat3::Identity()};
    reader.model.lifts.push_back({link.name + " armature", armature.link, Vec3::Zero(), armature.inertia});
  }
}

/// Merges fixed links; returns where each link went, −1 for those that are gone.
std::vector<int> merge(Reader& reader) {
  weld_roots(reader.model, reader.options);
  std::vector<int> link_of;
  std::vector<XmlNode*> kept;
  for (std::size_t i = 0; i < reader.model.links.size(); ++i) {
    const auto& joint = reader.model.links[i].joint;
    const bool goes = joint && joint->type == JointType::fixed;
    link_of.push_back(goes ? -1 : static_cast<int>(kept.size()));
    if (!goes) kept.push_back(reader.link_nodes[i]);
  }
  try {
    merge_fixed_links(reader.model);
  } catch (const Error& error) {
    throw ImportError({{reader.file, 0, error.what()}});
  }
  check_links(kept, reader);
  check_constraints(reader);
  return link_of;
}

/// Why attributes that many files have are not used.
void explain(std::vector<ImportNote>& notes) {
  constexpr std::pair<const char*, const char*> reasons[] = {
      {"\"solref", "contacts, limits and equalities are rigid here"},
      {"\"solimp", "contacts, limits and equalities are rigid here"},
      {"\"solmix\"", "contacts, limits and equalities are rigid here"},
      {"\"margin\"", "shapes touch at their surfaces, and limits act where they are"},
      {"\"gap\"", "shapes touch at their surfaces, and limits act where they are"},
      {"\"ctrl\"", "nothing is controlled"},
  };
  for (ImportNote& note : notes) {
    for (const auto& [attribute, reason] : reasons) {
      if (note.text.find(attribute) != std::string::npos) note.text += std::string(": ") + reason;
    }
  }
}

void sort_notes(Reader& reader) {
  std::stable_sort(
      reader.model.unused.begin(), reader.model.unused.end(), [&](const ImportNote& a, const ImportNote& b) {
        return std::tuple(a.file != reader.file, a.file, a.line) < std::tuple(b.file != reader.file, b.file, b.line);
      });
}

ImportedModel read_document(XmlNode root, const std::string& file, const ImportOptions& options) {
  Reader reader(file, options);
  if (root.name != "mujoco") {
    throw ImportError(
        {{file, root.line, "the root element is <" + root.name + ">, but that of an MJCF file is <mujoco>"}});
  }
  mjcf::include_files(root, reader);
  mjcf_vocabulary().check(root, reader.faults);
  reader.model.file = file;
  const std::string* name = root.attribute("model");
  reader.model.name = name && !name->empty() ? *name : std::filesystem::path(file).stem().string();
  mjcf::expand_attaches(root, reader);
  reader.compiler = mjcf::read_compiler(root, reader.faults);
  for (const auto& [path, compiler] : reader.attached) {
    if (compiler.autolimits == reader.compiler.autolimits) continue;
    reader.faults.add(root,
                      "autolimits of <compiler> is another in \"" + path + "\", which is attached; make them equal");
  }
  reader.global = mjcf::read_options(root, reader.faults);
  reader.defaults.read(root, reader.attached_classes, reader.faults);
  know_defaults(reader.defaults);
  reader.model.gravity = reader.global.gravity;
  refuse_sections(root, reader);
  mjcf::expand_replicates(root, reader);
  mjcf::list_meshes(root, reader);
  mjcf::list_colors(root, reader);
  mjcf::list_height_fields(root, reader);
  mjcf::read_bodies(root, reader);
  set_total_mass(reader);
  carry_weights(reader);
  add_armatures(reader);
  mjcf::set_spring_dampers(reader);
  mjcf::read_contacts(root, reader);
  mjcf::read_equalities(root, reader);
  mjcf::read_tendons(root, reader);
  mjcf::read_actuators(root, reader);
  refuse_fluid(reader);
  reader.faults.raise();
  const std::vector<FileSensor> sensors = mjcf::read_sensors(root, reader);
  const std::vector<int> link_of = merge(reader);
  place_sensors(sensors, reader.model);
  start_within_limits(reader.model);
  mjcf::read_keyframes(root, link_of, reader);
  reader.faults.raise();
  std::vector<ImportNote> unread;
  list_unread(root, file, unread);
  reader.model.warnings = reader.faults.warnings();
  explain(unread);
  add_undrawn("geom", reader.undrawn, reader.model.unused);
  reader.model.unused.insert(reader.model.unused.end(), unread.begin(), unread.end());
  sort_notes(reader);
  return std::move(reader.model);
}

}  // namespace

ImportedModel read_mjcf(const std::string& path, const ImportOptions& options) {
  return read_document(read_xml(path), path, options);
}

ImportedModel parse_mjcf(const std::string& text, const std::string& file, const ImportOptions& options) {
  return read_document(parse_xml(text, file), file, options);
}

}  // namespace carom
