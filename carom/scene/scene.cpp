#include "carom/scene/scene.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <sstream>
#include <utility>

#include "carom/counted.h"
#include "carom/dynamics/singular_mass.h"
#include "carom/scene/assemble.h"
#include "carom/scene/include.h"
#include "carom/scene/models.h"
#include "carom/scene/parameters.h"
#include "carom/scene/run_settings.h"
#include "carom/scene/scene_text.h"
#include "carom/scene/sensors.h"
#include "carom/scene/surface_pairs.h"
#include "carom/scene/values.h"
#include "carom/scene/yaml.h"
#include "carom/stepper/ignored_data.h"
#include "carom/stepper/method_data.h"
#include "carom/utf8.h"

namespace carom {
namespace {

[[noreturn]] void refuse(const std::string& file, const std::string& message) {
  throw SceneError({{file, 0, 0, message}});
}

/// Line and column of a byte.
Place place_of_byte(const std::string& text, std::size_t byte) {
  Place place{1, 1};
  for (std::size_t i = 0; i < byte; ++i) {
    place.column = text[i] == '\n' ? 1 : place.column + 1;
    place.line += text[i] == '\n' ? 1 : 0;
  }
  return place;
}

/// Tells what keeps these bytes from being text in UTF-8.
bool check_text(const std::string& text, Diagnostics& diagnostics) {
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool control = byte < 0x20 && byte != '\n' && byte != '\r' && byte != '\t';
    const std::size_t size = character_size(text, i);
    if (control) {
      diagnostics.add(place_of_byte(text, i),
                      "this is not a text file: a control character stands here; a scene is YAML "
                      "in UTF-8");
      return false;
    }
    if (size == 0) {
      diagnostics.add(place_of_byte(text, i), "this is not UTF-8: save the scene in that encoding");
      return false;
    }
    i += size;
  }
  return true;
}

void check_format(Fields& fields, Diagnostics& diagnostics) {
  const YamlNode* node = fields.require("carom", "the version of the scene format; write carom: 1");
  if (node) check_version(*node, diagnostics);
}

void read_exclusions(const YamlNode& list, SceneParts& parts, Diagnostics& diagnostics) {
  const std::string right = "two names of bodies (or world), as in [left, right]";
  for (const YamlNode& pair : read_list(list, "exclude", "pairs of bodies", diagnostics)) {
    if (pair.kind != YamlNode::Kind::list || pair.items.size() != 2) {
      diagnostics.add(pair.place, "an entry of exclude must be " + right + ", but is " + describe(pair));
      continue;
    }
    const auto a = read_body_reference(pair.items[0], "body", parts.bodies, diagnostics);
    const auto b = read_body_reference(pair.items[1], "body", parts.bodies, diagnostics);
    if (a && b && *a == *b) {
      diagnostics.add(pair.place, "a body never collides with itself; name two different bodies");
    } else if (a && b) {
      parts.excluded.emplace_back(*a, *b);
    }
  }
}

void read_parent_collisions(const YamlNode& list, SceneParts& parts, Diagnostics& diagnostics) {
  for (const YamlNode& node : read_list(list, "with_parent", "bodies", diagnostics)) {
    const auto body = read_body_reference(node, "body", parts.bodies, diagnostics);
    if (!body) continue;
    const int joint = *body < 0 ? -1 : parts.joints.of_body[*body];
    const bool free = joint < 0 || parts.joints.joints[joint].joint.type == JointType::free;
    if (*body < 0) {
      diagnostics.add(node.place, "the world has no parent; name bodies that hang on a joint");
    } else if (free && parts.joints.complete) {
      diagnostics.add(node.place, "body " + in_quotes(parts.bodies.bodies[*body].name) +
                                      " moves freely, so it collides with everything already; remove it here");
    } else {
      parts.with_parent.push_back(*body);
    }
  }
}

void read_collisions(const YamlNode& node, SceneParts& parts, Diagnostics& diagnostics) {
  Fields fields(node, "collisions", {"groups", "exclude", "with_parent"}, diagnostics);
  if (const YamlNode* list = fields.find("exclude")) read_exclusions(*list, parts, diagnostics);
  if (const YamlNode* list = fields.find("with_parent")) read_parent_collisions(*list, parts, diagnostics);
}

template <class T>
void append(std::vector<T>& from, std::vector<T>& to) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

SceneParts read_parts(Fields& fields, const YamlNode& root, const ReadModel* read_before, Diagnostics& diagnostics) {
  SceneParts parts;
  if (const YamlNode* node = fields.require("gravity", "three numbers (m/s²), as in [0, 0, -9.81]")) {
    const auto gravity = read_vector(*node, "gravity", quantity::acceleration, Range::any, diagnostics);
    parts.gravity = gravity.value_or(Vec3::Zero());
  }
  parts.materials = read_materials(root, diagnostics);
  const CollisionGroups groups = read_collision_groups(root, diagnostics);
  if (const YamlNode* node = fields.find("world")) {
    Fields world(*node, "world", {"shapes", "groups", "collides_with"}, diagnostics);
    const GroupMasks masks = read_group_masks(world, groups, {}, diagnostics);
    bool complete = true;
    if (const YamlNode* shapes = world.require("shapes", "a list of shapes that do not move")) {
      parts.world_shapes = read_shapes(*shapes, "world", parts.materials, groups, masks, complete, diagnostics);
    }
  }
  if (!fields.find("models")) fields.require("bodies", "a list of at least one body (or 'models', files of robots)");
  parts.bodies = read_bodies(root, parts.materials, groups, diagnostics);
  SceneModels models = read_models(root, parts.gravity, groups, parts.world_shapes, read_before, parts.materials,
                                   parts.bodies, diagnostics);
  parts.joints = read_joints(root, parts.bodies, std::move(models.joints), diagnostics);
  parts.constraints = read_constraints(root, parts.bodies, parts.joints, diagnostics);
  parts.parameters = parameter_values(root);
  parts.drives = read_drives(root, parts.bodies, parts.joints, diagnostics);
  // Places of the models' shapes in the world count behind the scene's own.
  for (ModelSensor& sensor : models.sensors) {
    for (auto& [body, place] : sensor.shapes) place += body < 0 ? parts.world_shapes.size() : 0;
  }
  append(models.world_shapes, parts.world_shapes);
  parts.surface_pairs = read_surface_pairs(parts.materials, parts.world_shapes, parts.bodies, diagnostics);
  append(models.constraints, parts.constraints);
  append(models.drives, parts.drives.drives);
  append(models.wrenches, parts.drives.wrenches);
  parts.excluded = std::move(models.excluded);
  parts.with_parent = std::move(models.with_parent);
  parts.frames = std::move(models.frames);
  parts.visuals = std::move(models.visuals);
  parts.sensors = read_sensors(root, parts, std::move(models.sensors), diagnostics);
  parts.warnings = std::move(models.warnings);
  append(parts.joints.warnings, parts.warnings);
  parts.fingerprints = std::move(models.fingerprints);
  append(parts.drives.fingerprints, parts.fingerprints);
  if (const YamlNode* node = fields.find("collisions")) read_collisions(*node, parts, diagnostics);
  if (parts.bodies.bodies.empty() && parts.bodies.complete && fields.find("models")) {
    diagnostics.add(fields.place("models"), "there is nothing in this scene that could move; list a model or a body");
  }
  return parts;
}

/// Calls f(place, whose) for everything that has a restitution above 0.
template <class F>
void for_each_restitution(const SceneParts& parts, F&& f) {
  for (const SceneMaterials::Bounce& bounce : parts.materials.bounces) f(bounce.place, bounce.whose);
  for (const SceneJoint& joint : parts.joints.joints) {
    const VectorX& restitution = joint.joint.limit_restitution;
    if (restitution.size() > 0 && restitution.maxCoeff() > 0) f(joint.place, "the limits of this joint");
  }
  for (const SceneConstraint& constraint : parts.constraints) {
    if (constraint.constraint.restitution > 0) {
      f(constraint.place, "this " + constraint_name(constraint.constraint.kind));
    }
  }
}

/// Checks restitution for steppers that leave it to the scene; of the others method_data_faults knows what to say.
void check_restitution(const SceneParts& parts, const Method& method, Diagnostics& diagnostics) {
  if (method.law->restitution != RestitutionUse::none || method.stepper->has_own_restitution) return;
  for_each_restitution(parts, [&](Place place, const std::string& whose) {
    diagnostics.add(place, "the restitution of " + whose +
                               " is above 0, but law none would ignore it; set law (under method) to one that "
                               "reads it, such as newton, or the restitution to 0");
  });
}

/// Sentence on the restitutions that a plastic law takes for none; empty if there are none.
std::string told_by_plastic_law(const SceneParts& parts, LawKind law) {
  if (law->restitution != RestitutionUse::as_0) return {};
  int count = 0;
  std::string first;
  for_each_restitution(parts, [&](Place place, const std::string& whose) {
    if (count++ == 0) first = whose + " (line " + std::to_string(place.line) + ")";
  });
  if (count == 0) return {};
  const std::string others = count > 1 ? " and of " + counted(count - 1, "other", "others") : "";
  return "law " + law_name(law) + " takes the restitution of " + first + others + " as 0";
}

/// Sentence on materials that leave the ratio out under a stepper that reads moduli; empty if there are none.
std::string told_of_poisson_ratio(const SceneMaterials& materials, const Method& method) {
  if (!reads(method.stepper, "compliant") || materials.default_poisson_ratio.empty()) return {};
  std::string names;
  for (const std::string& name : materials.default_poisson_ratio)
    names += (names.empty() ? "" : ", ") + in_quotes(name);
  std::ostringstream sentence;
  const double ratio = Material{}.poisson_ratio;
  sentence << (materials.default_poisson_ratio.size() > 1 ? "materials " : "material ") << names
           << " with youngs_modulus and without poisson_ratio: " << ratio
           << " is taken, so contacts have the modulus E/" << 1 - ratio * ratio
           << "; give poisson_ratio (0 for E itself)";
  return sentence.str();
}

/// Sentence on materials of models that differ from the scene's where nothing says what two of them do together; empty
/// if there are none.
std::string told_of_combination(const SceneMaterials& materials) {
  const std::vector<Material>& all = materials.materials;
  if (materials.combination_is_given || all.empty()) return {};
  const auto other = std::find_if(all.begin(), all.end(), [&](const Material& material) {
    return material.friction != all.front().friction || material.restitution != all.front().restitution;
  });
  if (other == all.end()) return {};
  const auto friction_of = [](const Material& material) {
    std::ostringstream text;
    text << in_quotes(material.name) << " has " << material.friction.x();
    if (material.friction.y() != material.friction.x()) text << " and " << material.friction.y();
    return text.str();
  };
  return "materials of a model file differ from others, and no key 'combination' says what two materials do together: "
         "the geometric mean of their frictions (" +
         friction_of(all.front()) + ", " + friction_of(*other) +
         ") and the maximum of their restitutions are taken; write combination: {friction: geometric-mean, "
         "restitution: maximum} to have it so, or other rules";
}

void check_friction(const SceneParts& parts, const Method& method, const Catalogue& catalogue,
                    Diagnostics& diagnostics) {
  const std::vector<std::string> ignored = ignored_material_data(method);
  for (const SceneMaterials::Friction& given : parts.materials.frictions) {
    if (std::find(ignored.begin(), ignored.end(), given.key) == ignored.end()) continue;
    diagnostics.add(given.place, given.whose + " has " + article_of(given.key) + given.key + ", " +
                                     ignored_material_data_remedy(method, given.key, catalogue));
  }
  const std::string key = "restitution_change";
  if (std::find(ignored.begin(), ignored.end(), key) == ignored.end()) return;
  const auto check = [&](const std::vector<SceneShape>& shapes) {
    for (const SceneShape& shape : shapes) {
      if (!shape.restitution_change || !shape.restitution_change->acts()) continue;
      diagnostics.add(shape.change_place, "shape " + in_quotes(shape.name) + " has " + article_of(key) + key + ", " +
                                              ignored_material_data_remedy(method, key, catalogue));
    }
  };
  check(parts.world_shapes);
  for (const SceneBody& body : parts.bodies.bodies) check(body.shapes);
}

/// Writes the fingerprints of files that the scene names at the end of the scene's text, which a record carries. If
/// they are there already, as in a run that is resumed, they must be those of the files.
void keep_fingerprints(const SceneParts& parts, std::string& text, Diagnostics& diagnostics) {
  for (const auto& [file, fingerprint] : parts.fingerprints) {
    const std::string start = "# fingerprint of " + file + ": ";
    const std::size_t at = text.find(start);
    if (at == std::string::npos) {
      text += (text.empty() || text.back() == '\n' ? "" : "\n") + start + fingerprint + "\n";
    } else if (text.compare(at + start.size(), fingerprint.size(), fingerprint) != 0) {
      diagnostics.add({}, "the file " + in_quotes(file) +
                              " is not the one that the run began with: it has changed since; put the old one back, or "
                              "begin a new run");
    }
  }
}

}  // namespace

std::int64_t Scene::steps() const { return std::llround(duration / method.step); }

Scene load_scene(const std::string& path, const SceneOverrides& overrides) {
  return parse_scene(read_scene_text(path), path, overrides);
}

namespace {

/// Faults of a method and a mechanism that make no sense together, each at its place.
void check_data(const SceneParts& parts, const YamlNode& root, const Method& method, const Model& model,
                const VectorX& q, Diagnostics& diagnostics) {
  const YamlNode* of_method = peek(root, "method");
  for (const std::string& fault : method_data_faults(model, method)) {
    const bool of_proximity = fault.starts_with("proximity");
    const Place place = of_proximity ? Place() : place_of_fault(parts, fault);
    const YamlNode* key = peek(*of_method, of_proximity ? "proximity" : "stepper");
    diagnostics.add(place.line > 0 ? place : key != nullptr ? key->place : of_method->place, fault);
  }
  for (const std::string& fault : singular_mass_faults(model, q)) {
    const Place place = place_of_fault(parts, fault);
    diagnostics.add(place.line > 0 ? place : of_method->place, fault);
  }
}

/// Warnings of all that was read.
std::vector<std::string> warnings_of(const SceneParts& parts, const RunSettings& settings, const Model& model,
                                     const std::vector<std::string>& of_start) {
  std::vector<std::string> warnings = settings.warnings;
  for (std::string& told :
       std::array{told_by_plastic_law(parts, settings.method.law),
                  told_of_poisson_ratio(parts.materials, settings.method), told_of_combination(parts.materials)}) {
    if (!told.empty()) warnings.push_back(std::move(told));
  }
  const std::vector<std::string> of_data = method_data_warnings(model, settings.method);
  for (const auto* more : {&of_data, &parts.warnings, &of_start}) {
    warnings.insert(warnings.end(), more->begin(), more->end());
  }
  return warnings;
}

/// The scene of a tree. Faults that reading the text found are in `diagnostics`.
Scene scene_of(YamlNode root, const std::string& text, const std::string& file, const SceneOverrides& overrides,
               Diagnostics& diagnostics) {
  auto included = include_files(root, diagnostics);
  if (!resolve_parameters(root, diagnostics)) diagnostics.throw_if_any();
  Fields fields(root, "a scene",
                {"carom",    "name",    "include",    "parameters", "gravity",  "materials",   "combination",
                 "pairs",    "world",   "models",     "bodies",     "joints",   "constraints", "drives",
                 "wrenches", "sensors", "collisions", "method",     "duration", "record",      "outputs"},
                diagnostics);
  if (!fields.is_map()) diagnostics.throw_if_any();
  check_format(fields, diagnostics);
  Scene scene;
  scene.file = file;
  scene.text = text;
  scene.name = std::filesystem::path(file).stem().string();
  if (const YamlNode* node = fields.find("name")) {
    scene.name = read_name(*node, "name", diagnostics).value_or(scene.name);
  }
  SceneParts parts = read_parts(fields, root, overrides.read_before.get(), diagnostics);
  append(included, parts.fingerprints);
  fields.require("method", "how to simulate, as in {stepper: stewart-trinkle, step: 0.005}");
  if (!overrides.duration) fields.require("duration", "how long to simulate, s");
  for_each_restitution(parts, [&](Place, const std::string&) { scene.has_restitution = true; });
  scene.catalogue = overrides.catalogue;
  const RunSettings settings = read_run_settings(root, overrides, scene.has_restitution, diagnostics);
  scene.outputs = read_outputs(root, diagnostics);
  if (settings.method_read) check_restitution(parts, settings.method, diagnostics);
  check_friction(parts, settings.method, *overrides.catalogue, diagnostics);
  keep_fingerprints(parts, scene.text, diagnostics);
  if (!parts.fingerprints.empty()) {
    // Found again from whatever folder the run is resumed in.
    scene.file = std::filesystem::absolute(file).lexically_normal().string();
  }
  diagnostics.throw_if_any();
  auto start = assemble(parts, diagnostics);
  diagnostics.throw_if_any();
  check_data(parts, root, settings.method, *start->model, start->initial.q, diagnostics);
  diagnostics.throw_if_any();
  scene.warnings = warnings_of(parts, settings, *start->model, start->warnings);
  scene.model = std::move(start->model);
  scene.initial = std::move(start->initial);
  scene.appearance = std::move(start->appearance);
  scene.feedback = std::move(start->feedback);
  scene.formulas = std::move(start->formulas);
  scene.method = settings.method;
  scene.duration = settings.duration;
  scene.record = settings.record;
  return scene;
}

}  // namespace

Scene parse_scene(const std::string& text, const std::string& file, const SceneOverrides& overrides) {
  if (text.size() > largest_scene_text) refuse(file, "the file is larger than 16 MiB; a scene file is not that large");
  Diagnostics diagnostics(file, text);
  if (!check_text(text, diagnostics)) diagnostics.throw_if_any();
  auto root = parse_yaml(text, diagnostics);
  if (!root) {
    if (diagnostics.empty()) refuse(file, "the file is empty; a scene starts with the line 'carom: 1'");
    diagnostics.throw_if_any();
  }
  return scene_of(std::move(*root), text, file, overrides, diagnostics);
}

Scene parse_scene(const std::string& text, const std::string& file, const SceneOverrides& overrides,
                  const YamlNode& tree) {
  try {
    Diagnostics diagnostics(file, text);
    return scene_of(tree, text, file, overrides, diagnostics);
  } catch (const SceneError&) {
    return parse_scene(text, file, overrides);
  }
}

}  // namespace carom
