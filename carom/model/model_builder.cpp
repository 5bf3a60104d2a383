#include <algorithm>
#include <limits>

#include "carom/error.h"
#include "carom/model/collision_filter.h"
#include "carom/model/model.h"
#include "carom/model/model_faults.h"
#include "carom/model/tree_order.h"

namespace carom {
namespace {

/// Vectors that were left empty, at full size.
void fill_defaults(Joint& joint) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const int size = velocity_size(joint);
  const auto fill = [&](VectorX& values, double missing) {
    if (values.size() == 0) values = VectorX::Constant(size, missing);
  };
  fill(joint.lower, -infinity);
  fill(joint.upper, infinity);
  fill(joint.limit_restitution, 0);
  joint.ratchet.resize(size, Ratchet::none);
  fill(joint.friction, 0);
  fill(joint.damping, 0);
  fill(joint.stiffness, 0);
  fill(joint.rest, 0);
  fill(joint.reflected_inertia, 0);
  fill(joint.effort, infinity);
}

std::string numbered_from_zero(std::size_t bodies) {
  return "the model has " + counted(bodies, "body", "bodies") + ", numbered from 0 in the order of add_body.";
}

/// Bodies that share a pin touch there by design.
bool is_closed_joint(ConstraintKind kind) {
  return kind == ConstraintKind::ball || kind == ConstraintKind::weld || kind == ConstraintKind::hinge;
}

/// Parts that refer to bodies, without the references that lead nowhere, so that the other checks can go on.
struct References {
  std::vector<Joint> joints;
  std::vector<Constraint> constraints;
  std::vector<Drive> drives;
  std::vector<AppliedWrench> wrenches;
  std::vector<Collider> colliders;
  std::vector<std::pair<int, int>> excluded;
};

References sound_references(const std::vector<Body>& bodies, References references, std::vector<std::string>& faults) {
  const int count = static_cast<int>(bodies.size());
  const auto exists = [&](int body) { return body >= -1 && body < count; };
  for (int i = 0; i < count; ++i) {
    int& parent = references.joints[i].parent;
    if (exists(parent)) continue;
    faults.push_back(capitalized(body_label(bodies, i)) + " hangs on body number " + std::to_string(parent) +
                     ", but the world is -1 and " + numbered_from_zero(bodies.size()));
    parent = -1;
  }
  std::erase_if(references.constraints, [&](const Constraint& constraint) {
    std::vector<int> tied{constraint.body_a, constraint.body_b};
    for (const CoordinateShare& share : constraint.shares) tied.push_back(share.body);
    const auto missing = std::ranges::find_if_not(tied, exists);
    if (missing == tied.end()) return false;
    faults.push_back(capitalized(constraint_label(constraint)) + " ties body number " + std::to_string(*missing) +
                     ", but the world is -1 and " + numbered_from_zero(bodies.size()));
    return true;
  });
  const auto acts_on_none = [&](const std::string& label, int body) {
    if (body >= 0 && body < count) return false;
    faults.push_back(capitalized(label) + " acts on body number " + std::to_string(body) + ", but " +
                     numbered_from_zero(bodies.size()));
    return true;
  };
  std::erase_if(references.drives, [&](const Drive& drive) {
    const auto of_none = [&](const CoordinateShare& share) { return acts_on_none(drive_label(drive), share.body); };
    return acts_on_none(drive_label(drive), drive.body) || std::ranges::any_of(drive.others, of_none);
  });
  std::erase_if(references.wrenches,
                [&](const AppliedWrench& wrench) { return acts_on_none(wrench_label(wrench), wrench.body); });
  std::erase_if(references.colliders, [&](const Collider& collider) {
    if (exists(collider.body)) return false;
    faults.push_back("Collider \"" + collider.name + "\" is fixed to body number " + std::to_string(collider.body) +
                     ", but the world is -1 and " + numbered_from_zero(bodies.size()));
    return true;
  });
  std::erase_if(references.excluded, [&](const std::pair<int, int>& pair) {
    if (exists(pair.first) && exists(pair.second)) return false;
    faults.push_back("Bodies number " + std::to_string(pair.first) + " and " + std::to_string(pair.second) +
                     " are not to collide, but the world is -1 and " + numbered_from_zero(bodies.size()));
    return true;
  });
  return references;
}

void throw_faults(const std::vector<std::string>& faults) {
  if (faults.empty()) return;
  std::string text = faults[0];
  for (std::size_t i = 1; i < faults.size(); ++i) text += "\n" + faults[i];
  throw Error(text);
}

}  // namespace

int ModelBuilder::add_material(Material material) {
  materials_.push_back(std::move(material));
  return static_cast<int>(materials_.size()) - 1;
}

void ModelBuilder::set_combination(Combination friction, Combination restitution) {
  friction_rule_ = friction;
  restitution_rule_ = restitution;
}

void ModelBuilder::set_pair(int material_a, int material_b, NamedPair together) {
  pairs_.push_back({material_a, material_b, std::move(together)});
}

void ModelBuilder::set_pair_of_colliders(ColliderPair pair) { collider_pairs_.push_back(std::move(pair)); }

int ModelBuilder::add_body(std::string name, const SpatialInertia& inertia) {
  bodies_.push_back({std::move(name), inertia});
  joints_.emplace_back();
  jointed_.push_back(false);
  collide_with_parent_.push_back(false);
  return static_cast<int>(bodies_.size()) - 1;
}

void ModelBuilder::add_joint(int child, Joint joint) {
  const bool child_exists = child >= 0 && child < static_cast<int>(bodies_.size());
  if (!child_exists) {
    faults_.push_back("Joint \"" + joint.name + "\" is for body number " + std::to_string(child) + ", but " +
                      numbered_from_zero(bodies_.size()));
    return;
  }
  if (jointed_[child]) {
    faults_.push_back(capitalized(body_label(bodies_, child)) +
                      " has more than one joint to a parent; a tree has one.");
    return;
  }
  jointed_[child] = true;
  joints_[child] = std::move(joint);
}

void ModelBuilder::add_constraint(Constraint constraint) { constraints_.push_back(std::move(constraint)); }

void ModelBuilder::add_drive(Drive drive) { drives_.push_back(std::move(drive)); }

void ModelBuilder::add_wrench(AppliedWrench wrench) { wrenches_.push_back(std::move(wrench)); }

void ModelBuilder::add_frame(NamedFrame frame) {
  if (frame.body < -1 || frame.body >= static_cast<int>(bodies_.size())) {
    faults_.push_back("Frame \"" + frame.name + "\" is on body number " + std::to_string(frame.body) + ", but " +
                      numbered_from_zero(bodies_.size()));
    return;
  }
  frames_.push_back(std::move(frame));
}

void ModelBuilder::add_sensor(Sensor sensor) { sensors_.push_back(std::move(sensor)); }

int ModelBuilder::add_collider(Collider collider) {
  colliders_.push_back(std::move(collider));
  return static_cast<int>(colliders_.size()) - 1;
}

void ModelBuilder::collide_with_parent(int child) {
  if (child < 0 || child >= static_cast<int>(bodies_.size())) {
    faults_.push_back("Body number " + std::to_string(child) + " is to collide with its parent, but " +
                      numbered_from_zero(bodies_.size()));
    return;
  }
  collide_with_parent_[child] = true;
}

void ModelBuilder::exclude(int body_a, int body_b) { excluded_.emplace_back(body_a, body_b); }

std::vector<int> ModelBuilder::body_order() const {
  std::vector<Joint> joints = joints_;
  for (Joint& joint : joints) {
    if (joint.parent < -1 || joint.parent >= static_cast<int>(joints.size())) joint.parent = -1;
  }
  return arrange(joints).index;
}

Model ModelBuilder::build() const {
  std::vector<std::string> faults = faults_;
  References sound =
      sound_references(bodies_, {joints_, constraints_, drives_, wrenches_, colliders_, excluded_}, faults);
  for (const Constraint& constraint : sound.constraints) {
    if (is_closed_joint(constraint.kind)) sound.excluded.emplace_back(constraint.body_a, constraint.body_b);
  }
  const TreeOrder tree = arrange(sound.joints);
  if (!gravity_.allFinite()) faults.push_back("Gravity is not finite; give three numbers in m/s².");
  check_loops(bodies_, tree, faults);
  check_inertias(bodies_, tree, faults);
  check_joints(bodies_, sound.joints, faults);
  check_welds(tree, faults);
  check_constraints(bodies_, sound.joints, tree, sound.constraints, faults);
  check_drives(bodies_, sound.joints, sound.drives, faults);
  check_wrenches(sound.wrenches, faults);
  const SplitMaterials surfaces = this->surfaces(faults);
  check_colliders(bodies_, tree, materials_, sound.colliders, faults);
  check_sensors(bodies_, sound.joints, sound.constraints, colliders_.size(), sensors_, faults);
  std::vector<char> collides =
      collision_table(sound.joints, tree, sound.colliders, collide_with_parent_, sound.excluded);
  throw_faults(faults);

  Model model;
  model.gravity_ = gravity_;
  model.materials_ = surfaces.materials;
  model.contact_materials_ = contact_materials(surfaces.materials, surfaces.pairs, friction_rule_, restitution_rule_);
  model.friction_rule_ = friction_rule_;
  model.restitution_rule_ = restitution_rule_;
  model.material_pairs_ = surfaces.pairs;
  model.collides_ = std::move(collides);
  for (const auto& [a, b] : excluded_) {
    model.excluded_.emplace_back(a < 0 ? a : tree.index[a], b < 0 ? b : tree.index[b]);
  }
  model.colliders_ = colliders_;
  for (std::size_t i = 0; i < colliders_.size(); ++i) {
    Collider& collider = model.colliders_[i];
    collider.material = surfaces.of_collider[i];
    if (collider.body >= 0) collider.body = tree.index[collider.body];
  }
  model.frames_ = frames_;
  for (NamedFrame& frame : model.frames_) {
    if (frame.body >= 0) frame.body = tree.index[frame.body];
  }
  model.sensors_ = sensors_;
  for (Sensor& sensor : model.sensors_) {
    if (sensor.body >= 0) sensor.body = tree.index[sensor.body];
  }
  place_bodies(tree, model);
  place_constraints(tree, model);
  place_drives(tree, model);
  place_terms(model);
  place_trees(model);
  return model;
}

void ModelBuilder::check_welds(const TreeOrder& tree, std::vector<std::string>& faults) const {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    if (!collide_with_parent_[i] || tree.link[i] == static_cast<int>(i)) continue;
    faults.push_back(capitalized(body_label(bodies_, static_cast<int>(i))) +
                     " is to collide with its parent, but a fixed joint makes them one rigid thing.");
  }
}

/// Materials and their pairs once pairs of colliders have been given materials of their own.
SplitMaterials ModelBuilder::surfaces(std::vector<std::string>& faults) const {
  const std::size_t before = faults.size();
  check_materials(materials_, pairs_, faults);
  check_collider_pairs(colliders_, collider_pairs_, faults);
  std::vector<int> of_collider;
  bool exist = true;
  for (const Collider& collider : colliders_) {
    of_collider.push_back(collider.material);
    exist = exist && collider.material >= 0 && collider.material < static_cast<int>(materials_.size());
  }
  if (collider_pairs_.empty() || faults.size() > before || !exist) return {materials_, pairs_, of_collider};
  return split_materials(materials_, pairs_, of_collider, collider_pairs_);
}

void ModelBuilder::place_bodies(const TreeOrder& tree, Model& model) const {
  for (const int number : tree.order) {
    const int body = static_cast<int>(model.bodies_.size());
    model.bodies_.push_back(bodies_[number]);
    model.static_.push_back(tree.link[number] < 0);
    model.with_parent_.push_back(collide_with_parent_[number]);
    Joint joint = joints_[number];
    fill_defaults(joint);
    if (joint.parent >= 0) joint.parent = tree.index[joint.parent];
    joint.q_index = model.position_count_;
    joint.v_index = model.velocity_count_;
    model.position_count_ += position_size(joint);
    model.velocity_count_ += velocity_size(joint);
    model.coordinate_bodies_.resize(model.velocity_count_, body);
    const Joint* parent_joint = joint.parent < 0 ? nullptr : &model.joints_[joint.parent];
    model.nodes_.push_back(make_tree_node(joint, parent_joint, bodies_[number].inertia));
    model.joints_.push_back(std::move(joint));
  }
}

void ModelBuilder::place_constraints(const TreeOrder& tree, Model& model) const {
  for (const Constraint& given : constraints_) {
    Constraint& constraint = model.constraints_.emplace_back(given);
    for (int* body : {&constraint.body_a, &constraint.body_b}) {
      if (*body >= 0) *body = tree.index[*body];
    }
    for (CoordinateShare& share : constraint.shares) share.body = tree.index[share.body];
  }
}

void ModelBuilder::place_drives(const TreeOrder& tree, Model& model) const {
  for (const Drive& given : drives_) {
    Drive& drive = model.drives_.emplace_back(given);
    drive.body = tree.index[drive.body];
    for (CoordinateShare& share : drive.others) share.body = tree.index[share.body];
  }
  for (const AppliedWrench& given : wrenches_) {
    AppliedWrench& wrench = model.wrenches_.emplace_back(given);
    wrench.body = tree.index[wrench.body];
  }
}

void ModelBuilder::place_terms(Model& model) {
  const auto term = [&](int body, int coordinate, double coefficient) {
    return RowTerm{model.joints_[body].v_index + coordinate, coefficient};
  };
  for (const Constraint& constraint : model.constraints_) {
    std::vector<RowTerm>& terms = model.constraint_terms_.emplace_back();
    if (!is_of_coordinates(constraint.kind)) continue;
    const bool is_sum = constraint.kind == ConstraintKind::tendon;
    if (!is_sum) terms.push_back(term(constraint.body_a, constraint.coordinate_a, 1));
    if (constraint.kind == ConstraintKind::motion) continue;
    for (const CoordinateShare& share : constraint.shares) {
      terms.push_back(term(share.body, share.coordinate, is_sum ? share.ratio : -share.ratio));
    }
  }
  for (const Drive& drive : model.drives_) {
    std::vector<RowTerm>& terms = model.drive_terms_.emplace_back();
    terms.push_back(term(drive.body, drive.coordinate, drive.ratio));
    for (const CoordinateShare& share : drive.others) {
      terms.push_back(term(share.body, share.coordinate, share.ratio));
    }
  }
}

void ModelBuilder::place_trees(Model& model) {
  for (int i = 0; i < model.body_count(); ++i) {
    const Joint& joint = model.joints_[i];
    const bool is_root = joint.parent < 0;
    model.tree_of_.push_back(is_root ? static_cast<int>(model.trees_.size()) : model.tree_of_[joint.parent]);
    if (is_root) model.trees_.emplace_back();
    Tree& tree = model.trees_[model.tree_of_[i]];
    tree.bodies.push_back(i);
    const int size = velocity_size(joint);
    if (size == 0) continue;
    auto& runs = tree.coordinates;
    const bool goes_on = !runs.empty() && runs.back().first + runs.back().second == joint.v_index;
    if (goes_on) {
      runs.back().second += size;
    } else {
      runs.emplace_back(joint.v_index, size);
    }
  }
}

}  // namespace carom
