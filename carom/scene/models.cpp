#include "carom/scene/models.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <sstream>
#include <tuple>
#include <utility>

#include "carom/counted.h"
#include "carom/dynamics/joint_kinematics.h"
#include "carom/import/imported_model.h"
#include "carom/import/mesh_file.h"
#include "carom/scene/fingerprint.h"
#include "carom/scene/mocap.h"
#include "carom/scene/model_starts.h"
#include "carom/scene/planes.h"
#include "carom/scene/self_collision.h"

namespace carom {
namespace {

using Entry = ModelEntry;

/// True if nothing holds it, and nothing moves it.
bool is_free(const ImportedModel::Link& link) {
  return !link.is_mocap && (!link.joint || link.joint->type == JointType::free);
}

/// Poses of the links at the start, in the scene's world.
std::vector<Transform> link_poses(const Entry& entry) {
  std::vector<Transform> X_WB;
  for (std::size_t i = 0; i < entry.model.links.size(); ++i) {
    const ImportedModel::Link& link = entry.model.links[i];
    if (link.is_mocap) {
      X_WB.push_back(mocap_start(entry, link).X_WB);
      continue;
    }
    if (!link.joint) {
      X_WB.push_back(entry.X_WM * link.X_WB);
      X_WB.back().p.z() += entry.lift;
      continue;
    }
    const Joint& joint = *link.joint;
    const Transform X_WP = joint.parent < 0 ? entry.X_WM : X_WB[joint.parent];
    const JointMotion motion = joint_motion(joint, entry.positions[i], entry.velocities[i]);
    X_WB.push_back(X_WP * joint.X_PF * motion.X_FM * joint.X_BM.inverse());
  }
  return X_WB;
}

/// Height of a shape above the ground straight below it: half-spaces whose surface looks up, or z = 0 without any.
double height_above(const std::vector<SceneShape>& world, const Shape& shape, const Transform& X_WS) {
  double least = std::numeric_limits<double>::infinity();
  const auto over = [&](const Vec3& normal, const Vec3& point) {
    const Vec3 lowest = X_WS * support_point(shape, -(X_WS.R.transpose() * normal));
    least = std::min(least, normal.dot(lowest - point) / normal.z());
  };
  for (const SceneShape& ground : world) {
    constexpr double steepest = 1e-3;  // of the normal's z: what stands upright is a wall
    const Vec3 normal = ground.X_BS.R.col(2);
    if (std::holds_alternative<HalfSpace>(ground.shape) && normal.z() > steepest) over(normal, ground.X_BS.p);
  }
  if (least == std::numeric_limits<double>::infinity()) over(Vec3::UnitZ(), Vec3::Zero());
  return least;
}

/// Lifts what hangs on nothing so that it stands at the height `drop` above the ground.
void drop_from(const YamlNode& node, double drop, const std::vector<SceneShape>& world, Entry& entry,
               Diagnostics& diagnostics) {
  const std::vector<Transform> X_WB = link_poses(entry);
  std::vector<char> floats;  // by link: no joint of its tree is tied to the world
  for (const ImportedModel::Link& link : entry.model.links) {
    floats.push_back(link.joint ? link.joint->parent >= 0 && floats[link.joint->parent] : !link.is_mocap);
  }
  double lowest = std::numeric_limits<double>::infinity();
  for (const Collider& collider : entry.model.colliders) {
    if (collider.body < 0 || !floats[collider.body]) continue;
    lowest = std::min(lowest, height_above(world, collider.shape, X_WB[collider.body] * collider.X_BS));
  }
  if (lowest < std::numeric_limits<double>::infinity()) {
    entry.lift = drop - lowest;
    return;
  }
  diagnostics.add(node.place, "nothing of " + in_quotes(entry.model.file) +
                                  " moves freely and has a shape to fall on; give a position in place of drop");
}

/// Velocities at the start of links that hang on nothing.
void read_velocity(const Fields& fields, Entry& entry, Diagnostics& diagnostics) {
  const bool moves = std::any_of(entry.model.links.begin(), entry.model.links.end(), is_free);
  for (const auto& [key, quantity, vector] :
       {std::tuple{"velocity", quantity::speed, &entry.velocity},
        std::tuple{"angular_velocity", quantity::angular_rate, &entry.angular_velocity}}) {
    const YamlNode* node = fields.find(key);
    if (node == nullptr) continue;
    if (!moves) {
      diagnostics.add(fields.place(key), std::string(key) + " is of a model that moves freely, and " +
                                             in_quotes(entry.model.file) + " is tied to the world; give its joints a " +
                                             "velocity instead");
    }
    const auto read = read_numbers(*node, key, 3, {quantity}, Range::any, diagnostics);
    if (!read) continue;
    *vector = Vec3(*read);
    if (!entry.plane) continue;
    // Axes of the plane: two in it, then its normal.
    const Vec3 along = entry.plane->transpose() * **vector;
    const bool turns = key == std::string("angular_velocity");
    if (turns ? along.head<2>().isZero() : along.z() == 0) continue;
    diagnostics.add(fields.place(key), std::string(key) + " leaves the plane in which the base moves; give 0 " +
                                           (turns ? "about its axes" : "along its normal"));
  }
}

void place_entry(const Fields& fields, const std::vector<SceneShape>& world, Entry& entry, Diagnostics& diagnostics) {
  SelfCollision self_collision = SelfCollision::automatic;
  if (const YamlNode* node = fields.find("self_collision")) {
    const auto choice = read_choice(*node, "self_collision", {"auto", "all", "none"}, diagnostics);
    self_collision = static_cast<SelfCollision>(choice.value_or(0));
  }
  entry.X_WM = read_pose(fields, diagnostics);
  start_as_in_file(entry);
  entry.left_out = choose_self_collision(self_collision, link_poses(entry), entry.model);
  if (const YamlNode* node = fields.find("keyframe")) start_at_keyframe(*node, entry, diagnostics);
  if (const YamlNode* node = fields.find("joints")) start_joints(*node, entry, diagnostics);
  read_velocity(fields, entry, diagnostics);
  if (const YamlNode* node = fields.find("drop")) {
    const auto height = read_number(*node, "drop", quantity::length, Range::not_negative, diagnostics);
    if (height) drop_from(*node, *height, world, entry, diagnostics);
  }
}

/// "free", "planar", "fixed", or a map from links that hang on nothing to where they are fixed.
void read_base(const YamlNode& node, ImportOptions& options, Diagnostics& diagnostics) {
  if (node.kind != YamlNode::Kind::map) {
    const auto choice = read_choice(node, "base", {"free", "fixed", "planar"}, diagnostics);
    options.fixed_base = choice && *choice == 1;
    return;
  }
  for (std::size_t k = 0; k < node.keys.size(); ++k) {
    const Fields pose(node.items[k], "the place of a base", {"position", "orientation"}, diagnostics);
    options.bases[node.keys[k].text] = read_pose(pose, diagnostics);
  }
}

/// The model in the file; nothing, and a fault told, if it is not there, or has no such bases.
std::optional<ImportedModel> import_for(const Fields& fields, const std::string& path, const ImportOptions& options,
                                        const ReadModel* read_before, Diagnostics& diagnostics) {
  try {
    const std::string found = resolve_path(path, diagnostics.file(fields.find("file")->place), options);
    if (read_before != nullptr && read_before->is_of(found, options)) return read_before->model;
    return import_model(found, options);
  } catch (const ImportError&) {
    throw;
  } catch (const UnknownBase& unknown) {
    const YamlNode& base = *fields.find("base");
    const auto key = std::find_if(base.keys.begin(), base.keys.end(),
                                  [&](const YamlNode::Key& key) { return key.text == unknown.name(); });
    diagnostics.add(key == base.keys.end() ? base.place : key->place,
                    "there is no link " + in_quotes(unknown.name()) + " in " + in_quotes(path) +
                        " that hangs on nothing" + suggestion(unknown.name(), unknown.roots(), "such are"));
  } catch (const Error& error) {
    diagnostics.add(fields.find("file")->place, in_quotes(path) + ": " + error.what());
  }
  return {};
}

/// The plane of a base that moves in one.
std::optional<Mat3> plane_of_base(Fields& fields, Diagnostics& diagnostics) {
  const YamlNode* base = fields.find("base");
  if (base != nullptr && base->text == "planar") {
    const YamlNode* plane = fields.require("plane", "in which a planar base moves: xz, xy or yz of the scene's world");
    return plane == nullptr ? std::nullopt : read_plane(*plane, diagnostics);
  }
  if (fields.find("plane") != nullptr) {
    diagnostics.add(fields.place("plane"),
                    "plane is for a base that moves in one; give base: planar too, or remove it");
  }
  return {};
}

/// The keys of a model that say how its file is to be read.
ImportOptions read_import_options(Fields& fields, Diagnostics& diagnostics) {
  ImportOptions options;
  if (const YamlNode* list = fields.find("search_path")) {
    for (const YamlNode& folder : read_list(*list, "search_path", "folders", diagnostics)) {
      if (const auto text = read_text(folder, "folder", diagnostics)) options.search_path.push_back(*text);
    }
  }
  if (const YamlNode* base = fields.find("base")) read_base(*base, options, diagnostics);
  if (const YamlNode* relax = fields.find("relax_inertia")) {
    options.relax_inertia = read_boolean(*relax, "relax_inertia", diagnostics).value_or(false);
  }
  if (const YamlNode* meshes = fields.find("meshes")) {
    const auto choice = read_choice(*meshes, "meshes", {"hulls", "parts"}, diagnostics);
    options.meshes = choice == 1 ? MeshUse::parts : MeshUse::hulls;
  }
  if (const YamlNode* folder = fields.find("parts_folder")) {
    const std::filesystem::path text = read_text(*folder, "parts_folder", diagnostics).value_or("");
    const std::filesystem::path beside = std::filesystem::path(diagnostics.file(folder->place)).parent_path();
    options.parts_folder = text.empty() ? "" : (beside / text).string();
    options.meshes = MeshUse::parts;
  }
  return options;
}

std::optional<Entry> read_entry(const YamlNode& node, const CollisionGroups& groups, const SceneMaterials& materials,
                                const std::vector<SceneShape>& world, const ReadModel* read_before,
                                Diagnostics& diagnostics) {
  Fields fields(node, "a model",
                {"file",         "name",   "position",      "orientation",    "velocity",      "angular_velocity",
                 "drop",         "base",   "plane",         "material",       "keyframe",      "joints",
                 "search_path",  "groups", "collides_with", "self_collision", "relax_inertia", "meshes",
                 "parts_folder", "mocap"},
                diagnostics);
  const YamlNode* file = fields.require("file", "a URDF, SDFormat or MJCF file");
  const auto path = file ? read_text(*file, "file", diagnostics) : std::nullopt;
  if (!path) return {};
  ImportOptions options = read_import_options(fields, diagnostics);
  Entry entry;
  const YamlNode* mocap = fields.find("mocap");
  if (mocap != nullptr) entry.mocap = read_mocap(*mocap, diagnostics);
  for (const auto& [name, moved] : entry.mocap) options.mocap.insert(name);
  auto model = import_for(fields, *path, options, read_before, diagnostics);
  if (!model) return {};
  entry.place = node.place;
  entry.named_file = name_from_scene(*path, diagnostics, fields.find("file")->place);
  entry.model = std::move(*model);
  if (mocap != nullptr) check_mocap(*mocap, entry.model, diagnostics);
  entry.masks = read_group_masks(fields, groups, {}, diagnostics);
  if (const YamlNode* name = fields.find("name")) {
    entry.prefix = read_name(*name, "name", diagnostics).value_or("") + ".";
  }
  if (const YamlNode* material = fields.find("material")) {
    entry.default_material = read_material_reference(*material, "material", materials, diagnostics).value_or(-1);
  } else if (materials.materials.size() == 1) {
    entry.default_material = 0;
  }
  entry.plane = plane_of_base(fields, diagnostics);
  place_entry(fields, world, entry, diagnostics);
  return entry;
}

/// Numbers of the file's things in the scene's lists.
struct Offsets {
  int body, material;
  int of_body(int number) const { return number < 0 ? -1 : body + number; }
};

void add_materials(const Entry& entry, SceneMaterials& materials) {
  const int first = static_cast<int>(materials.materials.size());
  for (Material material : entry.model.materials) {
    material.name = entry.named(material.name);
    if (may_bounce(material.restitution)) {
      materials.bounces.push_back({"material " + in_quotes(material.name), entry.place});
    }
    materials.index.emplace(material.name, static_cast<int>(materials.materials.size()));
    materials.materials.push_back(std::move(material));
  }
  for (const MaterialPair& pair : entry.model.pairs) {
    materials.pairs.push_back({first + pair.a, first + pair.b, pair.together});
  }
}

/// True if the file draws other things on the shape's link. Grounds are drawn where they collide.
bool stands_behind(const Collider& collider, const std::vector<Visual>& visuals) {
  if (is_ground(collider.shape)) return false;
  return std::any_of(visuals.begin(), visuals.end(),
                     [&](const Visual& visual) { return visual.body == collider.body; });
}

void add_visuals(const Entry& entry, const Offsets& offsets, SceneModels& models) {
  for (Visual visual : entry.model.visuals) {
    visual.name = entry.named(visual.name);
    if (visual.body < 0) visual.X_BV = entry.X_WM * visual.X_BV;
    visual.body = offsets.of_body(visual.body);
    models.visuals.push_back(std::move(visual));
  }
}

/// Returns where each collider of the file went: its body, −1 for the world, and its place among that one's shapes.
std::vector<std::pair<int, std::size_t>> add_shapes(const Entry& entry, const Offsets& offsets, SceneBodies& bodies,
                                                    SceneModels& models, Diagnostics& diagnostics) {
  bool told = false;
  std::vector<std::pair<int, std::size_t>> places;
  for (const Collider& collider : entry.model.colliders) {
    const int material = collider.material < 0 ? entry.default_material : offsets.material + collider.material;
    if (material < 0 && !told) {
      told = true;
      diagnostics.add(entry.place, "shape " + in_quotes(collider.name) + " of " + entry.model.file +
                                       " has no friction of its own; give the key 'material', the name of one of the "
                                       "materials");
    }
    const std::string owner = collider.body < 0 ? "world" : bodies.bodies[offsets.body + collider.body].name;
    const std::string own = collider.body < 0 ? "" : entry.model.links[collider.body].name + "::";
    const bool repeats = !own.empty() && collider.name.compare(0, own.size(), own) == 0;
    const std::string name = repeats ? collider.name.substr(own.size()) : entry.named(collider.name);
    SceneShape shape = {entry.place,           owner + "/" + name, collider.shape,         collider.X_BS,
                        std::max(material, 0), collider.groups,    collider.collides_with, entry.masks};
    shape.behind = stands_behind(collider, entry.model.visuals);
    if (collider.body < 0) {
      shape.X_BS = entry.X_WM * shape.X_BS;
      places.emplace_back(-1, models.world_shapes.size());
      models.world_shapes.push_back(std::move(shape));
    } else {
      std::vector<SceneShape>& shapes = bodies.bodies[offsets.body + collider.body].shapes;
      places.emplace_back(offsets.body + collider.body, shapes.size());
      shapes.push_back(std::move(shape));
    }
  }
  return places;
}

void add_sensors(const Entry& entry, const Offsets& offsets, const std::vector<std::pair<int, std::size_t>>& places,
                 SceneModels& models) {
  for (const Sensor& sensor : entry.model.sensors) {
    ModelSensor added{sensor, {}};
    added.sensor.name = entry.named(sensor.name);
    if (sensor.body >= 0) added.sensor.body = offsets.of_body(sensor.body);
    for (const int collider : sensor.colliders) added.shapes.push_back(places[static_cast<std::size_t>(collider)]);
    models.sensors.push_back(std::move(added));
  }
}

/// The joint that the link hangs on in the scene; none of a link that moves freely.
std::optional<SceneJoint> scene_joint(const Entry& entry, std::size_t number, const Offsets& offsets) {
  const ImportedModel::Link& link = entry.model.links[number];
  SceneJoint made;
  made.place = entry.place;
  made.child = offsets.body + static_cast<int>(number);
  if (is_free(link) || link.is_mocap) return {};
  made.joint = *link.joint;
  made.joint.name = entry.named(link.joint->name);
  if (link.joint->parent < 0) made.joint.X_PF = entry.X_WM * made.joint.X_PF;
  made.joint.parent = offsets.of_body(link.joint->parent);
  const VectorX &q = entry.positions[number], &v = entry.velocities[number];
  if (made.joint.type == JointType::spherical) {
    made.orientation.q = Quaternion(q[0], q[1], q[2], q[3]).normalized();
    made.orientation.R = made.orientation.q.toRotationMatrix();
  } else {
    made.position = q;
    made.asked = entry.asked[number];
  }
  made.velocity = v;
  return made;
}

/// The joint of a link that would move freely, and is to move in a plane through where it starts.
SceneJoint planar_base(const Entry& entry, const SceneBody& body, int number) {
  SceneJoint made;
  made.place = entry.place;
  made.child = number;
  made.joint.name = body.name;
  made.joint.type = JointType::planar;
  made.joint.parent = -1;
  made.joint.X_PF = {*entry.plane, body.position};
  made.joint.X_BM.R = body.orientation.R.transpose() * *entry.plane;
  made.position = VectorX::Zero(3);
  made.velocity = Vec3(entry.plane->col(0).dot(body.velocity), entry.plane->col(1).dot(body.velocity),
                       entry.plane->col(2).dot(body.angular_velocity));
  return made;
}

void add_links(const Entry& entry, const Offsets& offsets, SceneBodies& bodies, SceneModels& models,
               Diagnostics& diagnostics) {
  const std::vector<Transform> X_WB = link_poses(entry);
  if (entry.plane && std::none_of(entry.model.links.begin(), entry.model.links.end(), is_free)) {
    diagnostics.add(entry.place,
                    "'base: planar' is for a root link that moves freely, and the file ties all of them to the "
                    "world; leave it out");
  }
  for (std::size_t i = 0; i < entry.model.links.size(); ++i) {
    const ImportedModel::Link& link = entry.model.links[i];
    SceneBody body;
    body.place = entry.place;
    body.name = entry.named(link.name);
    body.inertia = link.inertia;
    body.position = X_WB[i].p;
    body.orientation.R = X_WB[i].R;
    body.orientation.q = Quaternion(X_WB[i].R);
    if (is_free(link) && entry.velocities[i].size() == 6) {
      // The velocity of a keyframe is angular, then linear, in the file's world.
      body.angular_velocity = entry.X_WM.R * entry.velocities[i].head<3>();
      body.velocity = entry.X_WM.R * entry.velocities[i].tail<3>();
    }
    if (is_free(link)) {
      body.velocity = entry.velocity.value_or(body.velocity);
      body.angular_velocity = entry.angular_velocity.value_or(body.angular_velocity);
    }
    if (link.is_mocap) {
      const MocapStart start = mocap_start(entry, link);
      body.velocity = start.velocity;
      body.angular_velocity = start.angular_velocity;
    }
    if (!bodies.index.emplace(body.name, static_cast<int>(bodies.bodies.size())).second) {
      diagnostics.add(entry.place, "there are two bodies named " + in_quotes(body.name) +
                                       "; give this model a name, which then stands before each of its own");
    }
    if (entry.plane && is_free(link)) {
      models.joints.push_back(planar_base(entry, body, offsets.body + static_cast<int>(i)));
      body.velocity = body.angular_velocity = Vec3::Zero();
    }
    bodies.bodies.push_back(std::move(body));
    if (auto joint = scene_joint(entry, i, offsets)) {
      models.joints.push_back(std::move(*joint));
    }
    if (link.collides_with_parent) models.with_parent.push_back(offsets.body + static_cast<int>(i));
  }
}

/// Moves bodies along their paths. Where two of them meet, neither could give way.
void add_mocap(const Entry& entry, const Offsets& offsets, SceneModels& models) {
  std::vector<int> moved;
  for (std::size_t i = 0; i < entry.model.links.size(); ++i) {
    const ImportedModel::Link& link = entry.model.links[i];
    if (!link.is_mocap) continue;
    const int body = offsets.body + static_cast<int>(i);
    models.constraints.push_back({entry.place, mocap_weld(entry, link, body)});
    for (const int other : moved) models.excluded.emplace_back(other, body);
    moved.push_back(body);
  }
}

void add_constraints(const Entry& entry, const Offsets& offsets, SceneModels& models) {
  for (Constraint constraint : entry.model.constraints) {
    constraint.name = entry.named(constraint.name);
    const bool of_frames = !is_of_coordinates(constraint.kind);
    if (of_frames && constraint.body_a < 0) constraint.X_AF = entry.X_WM * constraint.X_AF;
    if (of_frames && constraint.body_b < 0) constraint.X_BG = entry.X_WM * constraint.X_BG;
    constraint.body_a = offsets.of_body(constraint.body_a);
    constraint.body_b = offsets.of_body(constraint.body_b);
    for (CoordinateShare& share : constraint.shares) share.body = offsets.of_body(share.body);
    models.constraints.push_back({entry.place, std::move(constraint)});
  }
  for (Drive drive : entry.model.drives) {
    drive.name = entry.named(drive.name);
    drive.body = offsets.of_body(drive.body);
    for (CoordinateShare& share : drive.others) share.body = offsets.of_body(share.body);
    models.drives.push_back({entry.place, std::move(drive)});
  }
  add_mocap(entry, offsets, models);
  for (const auto& [a, b] : entry.model.excluded) models.excluded.emplace_back(offsets.of_body(a), offsets.of_body(b));
  for (const ImportedModel::Frame& frame : entry.model.frames) {
    const Transform X_BF = frame.link < 0 ? entry.X_WM * frame.X_BF : frame.X_BF;
    models.frames.push_back({entry.named(frame.name), offsets.of_body(frame.link), X_BF});
  }
}

/// "base and rod (0.012 m)": links that never touch, the first few of many.
std::string told_left_out(const Entry& entry) {
  constexpr std::size_t most_told = 12;
  std::ostringstream text;
  text << std::setprecision(2);
  for (std::size_t i = 0; i < std::min(entry.left_out.size(), most_told); ++i) {
    const LeftOut& pair = entry.left_out[i];
    text << (i > 0 ? ", " : "") << pair.a << " and " << pair.b << " (" << pair.depth << " m)";
  }
  if (entry.left_out.size() > most_told) text << ", …";
  return text.str();
}

/// Warns of parts of the file that are not used, and of what does not touch.
void add_warnings(const Entry& entry, SceneModels& models) {
  const ImportedModel& model = entry.model;
  const auto foreign =
      std::count_if(model.unused.begin(), model.unused.end(), [](const ImportNote& note) { return note.foreign; });
  if (!model.unused.empty()) {
    const std::string names = counted(foreign, "of them is a name", "of them are names");
    models.warnings.push_back(counted(static_cast<std::int64_t>(model.unused.size()), "thing") + " that " + model.file +
                              (model.unused.size() == 1 ? " says is not used" : " says are not used") +
                              (foreign > 0 ? ", " + names + " that its format does not have" : "") +
                              "; carom inspect lists them");
  }
  for (const ImportNote& warning : model.warnings) {
    models.warnings.push_back(warning.file + (warning.line > 0 ? ":" + std::to_string(warning.line) : "") + ": " +
                              warning.text);
  }
  if (!entry.left_out.empty()) {
    models.warnings.push_back(counted(static_cast<std::int64_t>(entry.left_out.size()), "pair") + " of links of " +
                              model.file + " overlap where the file puts them, and never touch here: " +
                              told_left_out(entry) + "; self-collision all lets them");
  }
}

}  // namespace

SceneModels read_models(const YamlNode& scene, const Vec3& gravity, const CollisionGroups& groups,
                        const std::vector<SceneShape>& world, const ReadModel* read_before, SceneMaterials& materials,
                        SceneBodies& bodies, Diagnostics& diagnostics) {
  SceneModels models;
  const YamlNode* list = peek(scene, "models");
  if (!list) return models;
  for (const YamlNode& node : read_list(*list, "models", "model files", diagnostics)) {
    const auto entry = read_entry(node, groups, materials, world, read_before, diagnostics);
    if (!entry) {
      bodies.complete = false;
      continue;
    }
    const Offsets offsets = {static_cast<int>(bodies.bodies.size()), static_cast<int>(materials.materials.size())};
    const std::size_t joints_before = models.joints.size();
    add_materials(*entry, materials);
    add_links(*entry, offsets, bodies, models, diagnostics);
    add_sensors(*entry, offsets, add_shapes(*entry, offsets, bodies, models, diagnostics), models);
    add_visuals(*entry, offsets, models);
    add_constraints(*entry, offsets, models);
    for (const ImportedModel::Lift& lift : entry->model.lifts) {
      AppliedWrench wrench = wrench_of(lift, gravity);
      wrench.name = entry->named(wrench.name);
      wrench.body = offsets.of_body(wrench.body);
      models.wrenches.push_back({entry->place, std::move(wrench)});
    }
    add_warnings(*entry, models);
    for (std::size_t i = joints_before; i < models.joints.size(); ++i) {
      for (std::string& told : moved_starts(models.joints[i], "set it under 'joints'")) {
        models.warnings.push_back(std::move(told));
      }
    }
    models.fingerprints.emplace_back(entry->named_file, fingerprint(entry->model.file));
  }
  return models;
}

}  // namespace carom
