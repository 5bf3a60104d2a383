#include "carom/import/sdformat.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <tuple>

#include "carom/import/merge_links.h"
#include "carom/import/sdf_couplers.h"
#include "carom/import/sdf_filters.h"
#include "carom/import/sdf_frames.h"
#include "carom/import/sdf_inertia.h"
#include "carom/import/sdf_joints.h"
#include "carom/import/sdf_sensors.h"
#include "carom/import/sdf_shapes.h"
#include "carom/import/sdf_visuals.h"
#include "carom/import/start_within_limits.h"

namespace carom {
namespace {

void check_link(const SdfPlace& link) {
  if (read_flag(link, "enable_wind", false)) first(link, "enable_wind").fault("there is no wind here; remove it");
  if (read_flag(link, "kinematic", false)) {
    first(link, "kinematic")
        .fault(
            "a link that forces do not move is not understood; make its model static, or "
            "prescribe its motion in a scene");
  }
  const SdfPlace decay = first(link, "velocity_decay");
  for (const char* part : {"linear", "angular"}) {
    if (read_number(decay, part).value_or(0) == 0) continue;
    decay.fault("velocity that decays by itself is not understood; remove <velocity_decay>");
    return;
  }
}

/// Refuses what would change the mechanics of a model and has no counterpart here.
void check_model(const SdfPlace& model) {
  if (read_flag(model, "enable_wind", false)) first(model, "enable_wind").fault("there is no wind here; remove it");
  for (XmlNode& node : model.node->children) {
    const bool known = node.name == "drake:joint" || node.name == "drake:collision_filter_group" ||
                       node.name == "drake:ball_constraint" || node.name == "drake:linear_spring_damper";
    if (node.name != "gripper" && (known || !node.name.starts_with("drake:"))) continue;
    model.file->faults.add(node, "<" + node.name +
                                     "> is not understood, and the model would move otherwise without "
                                     "it; remove it if that is meant");
  }
}

void check_world(const SdfPlace& world) {
  if (const SdfPlace population = peek(world, "population"); population.node) {
    population.fault("<population> puts copies of a model where it draws them, which is not understood; remove it");
  }
}

std::optional<Vec3> read_gravity(const SdfPlace& world) {
  auto gravity = read_numbers(world, "gravity", 3);
  // Before 1.6 it was a matter of the engine.
  if (const SdfPlace physics = peek(world, "physics"); !gravity && peek(physics, "gravity").node) {
    physics.node->take();
    gravity = read_numbers(physics, "gravity", 3);
  }
  if (!gravity) return {};
  return Vec3(*gravity);
}

bool is_gearbox(const SdfJoint& joint) {
  const std::string* type = joint.place.node->attribute("type");
  return type && *type == "gearbox";
}

/// Makes an ImportedModel of a resolved tree.
class Assembly {
 public:
  Assembly(SdfSource& source, const SdfTree& tree, const ImportOptions& options)
      : source_(source), tree_(tree), options_(options), solids_(options) {}

  ImportedModel make() {
    model_.name = tree_.name;
    model_.file = source_.files.front().path;
    if (tree_.world.node) {
      check_world(tree_.world);
      model_.gravity = read_gravity(tree_.world);
    }
    for (const SdfModel& model : tree_.models) check_model(model.place);
    add_links();
    add_joints();
    for (const SdfFrame& frame : tree_.frames) {
      const Transform X_WB = frame.link < 0 ? Transform() : tree_.links[frame.link].X_WB;
      model_.frames.push_back({frame.name, frame.place.line(), frame.link, X_WB.inverse() * frame.X_WF, {}});
    }
    model_.excluded = excluded_links(tree_);
    source_.raise();
    const std::vector<FileSensor> sensors = read_sdf_sensors(tree_, model_.colliders, model_.unused, model_.warnings);
    sort_links();
    merge();
    place_sensors(sensors, model_);
    start_within_limits(model_);
    check_merged();
    source_.raise();
    source_.list_unused(model_.unused);
    source_.list_warnings(model_.warnings);
    solids_.split(model_);
    return std::move(model_);
  }

 private:
  void add_links();
  void add_shapes(const SdfLink& link, int number);
  /// A joint of the file and what it is here.
  struct Moving {
    const SdfJoint* joint = nullptr;
    SdfMotion motion;
  };
  void add_joints();
  std::vector<Moving> hang_all(const std::vector<Moving>& joints, std::size_t preferred);
  bool hang(const SdfJoint& joint, SdfMotion motion, bool may_reverse);
  int root(int link) const;
  void sort_links();
  void merge();
  void check_merged();

  SdfSource& source_;
  const SdfTree& tree_;
  const ImportOptions& options_;
  MeshSolids solids_;
  ImportedModel model_;
  SdfHung hung_;
  std::vector<SdfPlace> shape_places_;  // by collider
};

void Assembly::add_links() {
  for (std::size_t i = 0; i < tree_.links.size(); ++i) {
    const SdfLink& link = tree_.links[i];
    check_link(link.place);
    ImportedModel::Link added;
    added.name = link.name;
    added.line = link.place.line();
    added.inertia = read_inertia(link, options_);
    added.X_WB = link.X_WB;
    if (!read_flag(link.place, "gravity", true)) {
      model_.lifts.push_back(
          {link.name + " without gravity", static_cast<int>(i), added.inertia.center, added.inertia.mass});
    }
    if (tree_.models[link.model].is_static) {
      added.joint.emplace();
      added.joint->type = JointType::fixed;
      added.joint->X_PF = link.X_WB;
    }
    model_.links.push_back(std::move(added));
    add_shapes(link, static_cast<int>(i));
    for (Visual& visual : read_sdf_visuals(tree_, link, options_, model_.unused)) {
      visual.body = static_cast<int>(i);
      model_.visuals.push_back(std::move(visual));
    }
  }
}

void Assembly::add_shapes(const SdfLink& link, int number) {
  for (const SdfCollision& collision : link.collisions) {
    if (peek(peek(collision.place, "geometry"), "empty").node) {
      source_.notes.push_back({collision.place.file->path, collision.place.line(), "<collision>: its shape is empty"});
      collision.place.node->ignore();
      continue;
    }
    const auto shape = read_shape(collision.place, options_, solids_);
    const SdfSurface surface = read_surface(collision.place, model_.unused);
    if (!shape) continue;
    if (!surface.makes_contact) {
      source_.notes.push_back({collision.place.file->path, collision.place.line(), "<collision>: it makes no contact"});
      continue;
    }
    Collider collider;
    collider.name = link.name + "::" + collision.name;
    collider.body = number;
    collider.shape = shape->first;
    collider.X_BS = collision.X_BS * shape->second;
    collider.material = -1;
    if (surface.collide_mask || surface.category_mask) {
      collider.collides_with = surface.collide_mask.value_or(0xffff);
      collider.groups = surface.category_mask.value_or(collider.collides_with);
    }
    if (surface.material) {
      const auto same = std::find_if(model_.materials.begin(), model_.materials.end(), [&](const Material& other) {
        return other.friction == surface.material->friction && other.restitution == surface.material->restitution;
      });
      collider.material = static_cast<int>(same - model_.materials.begin());
      if (same == model_.materials.end()) {
        model_.materials.push_back({collider.name, surface.material->friction, surface.material->restitution});
      }
    }
    model_.colliders.push_back(std::move(collider));
    model_.collider_lines.push_back(collision.place.line());
    shape_places_.push_back(collision.place);
  }
}

int Assembly::root(int link) const {
  while (link >= 0 && model_.links[link].joint && model_.links[link].joint->parent >= 0) {
    link = model_.links[link].joint->parent;
  }
  return link;
}

/// Hangs the joint's child on its parent if it hangs on nothing yet, or the other way round.
bool Assembly::hang(const SdfJoint& joint, SdfMotion motion, bool may_reverse) {
  int child = joint.child;
  if (joint.parent >= 0 && root(joint.parent) == root(joint.child)) return false;
  if (model_.links[child].joint) {
    if (!may_reverse || joint.parent < 0 || model_.links[joint.parent].joint) return false;
    auto turned = reversed(motion.joint, child);
    if (!turned) return false;
    motion.joint = std::move(*turned);
    child = joint.parent;
  }
  hung_[joint.name] = child;
  model_.links[child].joint = std::move(motion.joint);
  model_.links[child].position = std::move(motion.position);
  return true;
}

void Assembly::add_joints() {
  std::vector<Moving> joints;
  const auto is_static = [&](int link) { return link < 0 || tree_.models[tree_.links[link].model].is_static; };
  for (const SdfJoint& joint : tree_.joints) {
    if (is_static(joint.parent) && is_static(joint.child)) {
      source_.notes.push_back({joint.place.file->path, joint.place.line(), "<joint>: neither of its links moves"});
      joint.place.node->ignore();
      continue;
    }
    if (is_gearbox(joint)) continue;
    if (auto motion = read_joint(joint, tree_)) joints.push_back({&joint, std::move(*motion)});
  }
  const std::vector<ImportedModel::Link> loose = model_.links;
  std::vector<Moving> left = hang_all(joints, 0);
  // A joint that no loop's constraint can be belongs into the tree, so it goes before the others, each joint once.
  for (std::size_t preferred = 0; preferred < joints.size(); ++preferred) {
    const auto bad = std::find_if(left.begin(), left.end(), [](const Moving& m) { return !can_close_loop(m.motion); });
    if (bad == left.end()) break;
    const auto at = std::find_if(joints.begin(), joints.end(), [&](const Moving& m) { return m.joint == bad->joint; });
    if (at - joints.begin() < static_cast<std::ptrdiff_t>(preferred)) break;
    std::rotate(joints.begin(), at, at + 1);
    model_.links = loose;
    hung_.clear();
    left = hang_all(joints, preferred + 1);
  }
  for (const Moving& moving : left) {
    if (auto constraint = loop_constraint(*moving.joint, moving.motion)) {
      model_.constraints.push_back(std::move(*constraint));
    }
  }
  for (Constraint& coupler : read_couplers(tree_, hung_, model_.links)) model_.constraints.push_back(coupler);
  for (Constraint& tie : read_drake_ties(tree_)) model_.constraints.push_back(tie);
}

/// Hangs links on joints in this order, then tries the joints that are left the other way round. The first `preferred`
/// may be turned round at once. Returns those that hang no link.
std::vector<Assembly::Moving> Assembly::hang_all(const std::vector<Moving>& joints, std::size_t preferred) {
  std::vector<Moving> open, left;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    if (!hang(*joints[i].joint, joints[i].motion, i < preferred)) open.push_back(joints[i]);
  }
  for (const Moving& moving : open) {
    if (!hang(*moving.joint, moving.motion, true)) left.push_back(moving);
  }
  return left;
}

/// Parents before children, else in the order of the file.
void Assembly::sort_links() {
  const int n = static_cast<int>(model_.links.size());
  std::vector<int> order, number(n, -1);
  while (static_cast<int>(order.size()) < n) {
    for (int i = 0; i < n; ++i) {
      const auto& joint = model_.links[i].joint;
      if (number[i] >= 0 || (joint && joint->parent >= 0 && number[joint->parent] < 0)) continue;
      number[i] = static_cast<int>(order.size());
      order.push_back(i);
    }
  }
  const auto moved = [&](int link) { return link < 0 ? link : number[link]; };
  std::vector<ImportedModel::Link> sorted;
  sorted.reserve(order.size());
  for (const int i : order) sorted.push_back(std::move(model_.links[i]));
  model_.links = std::move(sorted);
  for (ImportedModel::Link& link : model_.links) {
    if (link.joint) link.joint->parent = moved(link.joint->parent);
  }
  for (ImportedModel::Frame& frame : model_.frames) frame.link = moved(frame.link);
  for (Collider& collider : model_.colliders) collider.body = moved(collider.body);
  for (Visual& visual : model_.visuals) visual.body = moved(visual.body);
  for (ImportedModel::Lift& lift : model_.lifts) lift.link = moved(lift.link);
  for (Constraint& constraint : model_.constraints) {
    constraint.body_a = moved(constraint.body_a);
    constraint.body_b = moved(constraint.body_b);
  }
  for (auto& [a, b] : model_.excluded) std::tie(a, b) = std::minmax({moved(a), moved(b)});
}

void Assembly::merge() {
  try {
    weld_roots(model_, options_);
    merge_fixed_links(model_);
  } catch (const UnknownBase&) {
    throw;
  } catch (const Error& error) {
    source_.files.front().faults.add(source_.files.front().root, error.what());
    source_.raise();
  }
  for (ImportedModel::Link& link : model_.links) link.collides_with_parent = link.joint && link.joint->parent < 0;
}

void Assembly::check_merged() {
  std::map<std::string, SdfPlace> places;
  for (const SdfLink& link : tree_.links) places[link.name] = link.place;
  for (ImportedModel::Link& link : model_.links) {
    const std::string fault = inertia_fault(link.inertia);
    if (fault.empty()) continue;
    // Welded links are merged into this one, and the faulty inertia may be theirs.
    SdfPlace place = places[link.name];
    for (const ImportedModel::Frame& frame : model_.frames) {
      const auto welded = places.find(frame.name);
      const bool part = frame.link == static_cast<int>(&link - model_.links.data()) && welded != places.end();
      if (part && !first(place, "inertial").node && first(welded->second, "inertial").node) place = welded->second;
    }
    if (first(place, "inertial").node) {
      place.fault("link \"" + link.name + "\" " + fault);
      continue;
    }
    // The format's default, which Gazebo takes as well.
    link.inertia = {1, Vec3::Zero(), Mat3::Identity()};
    for (ImportedModel::Lift& lift : model_.lifts) {
      if (lift.link == static_cast<int>(&link - model_.links.data()) && lift.name == link.name + " without gravity") {
        lift.point.setZero();
        lift.mass = 1;
      }
    }
    place.file->faults.warn(*place.node, "link \"" + link.name +
                                             "\" moves and has no <inertial>; it has the format's default, 1 kg and 1 "
                                             "kg m² about each axis. Give it one, or fix it to the world (--fixed)");
  }
  std::erase_if(model_.lifts, [](const ImportedModel::Lift& lift) { return lift.mass == 0; });
  for (std::size_t i = 0; i < model_.colliders.size(); ++i) {
    if (!is_ground(model_.colliders[i].shape) || model_.colliders[i].body < 0) continue;
    shape_places_[i].fault(
        "a plane or height map is solid however deep, so only links that do not move can have one; use a box");
  }
}

ImportedModel read(XmlNode root, const std::string& file, const ImportOptions& options) {
  SdfSource source;
  source.read(std::move(root), file, options);
  source.raise();
  const SdfTree tree = resolve_frames(source);
  source.raise();
  return Assembly(source, tree, options).make();
}

}  // namespace

ImportedModel read_sdformat(const std::string& path, const ImportOptions& options) {
  return read(read_xml(path), path, options);
}

ImportedModel parse_sdformat(const std::string& text, const std::string& file, const ImportOptions& options) {
  return read(parse_xml(text, file), file, options);
}

}  // namespace carom
