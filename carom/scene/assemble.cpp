#include "carom/scene/assemble.h"

#include <sstream>

#include "carom/dynamics/joint_kinematics.h"
#include "carom/stepper/assembly.h"
#include "carom/stepper/constraint_multipliers.h"

namespace carom {
namespace {

void add_materials(const SceneMaterials& materials, ModelBuilder& builder) {
  for (const Material& material : materials.materials) builder.add_material(material);
  builder.set_combination(materials.friction_rule, materials.restitution_rule);
  for (const MaterialPair& pair : materials.pairs) builder.set_pair(pair.a, pair.b, pair.together);
}

void add_shapes(const std::vector<SceneShape>& shapes, int body, ModelBuilder& builder) {
  for (const SceneShape& shape : shapes) {
    builder.add_collider({shape.name, body, shape.shape, shape.X_BS, shape.material, shape.groups, shape.collides_with,
                          shape.named.groups, shape.named.partners, shape.friction_axis, shape.restitution_change});
  }
}

/// Builder numbers equal scene numbers: both count bodies and materials in the file's order.
ModelBuilder fill_builder(const SceneParts& parts) {
  ModelBuilder builder;
  builder.set_gravity(parts.gravity);
  add_materials(parts.materials, builder);
  add_shapes(parts.world_shapes, -1, builder);
  for (const SceneBody& body : parts.bodies.bodies) {
    const int number = builder.add_body(body.name, body.inertia.value_or(SpatialInertia()));
    add_shapes(body.shapes, number, builder);
  }
  for (const ColliderPair& pair : parts.surface_pairs) builder.set_pair_of_colliders(pair);
  for (const SceneJoint& joint : parts.joints.joints) builder.add_joint(joint.child, joint.joint);
  for (const SceneConstraint& constraint : parts.constraints) builder.add_constraint(constraint.constraint);
  for (const SceneConstraint& motion : parts.drives.motions) builder.add_constraint(motion.constraint);
  for (const SceneDrives::Placed& drive : parts.drives.drives) builder.add_drive(drive.drive);
  for (const SceneDrives::PlacedWrench& wrench : parts.drives.wrenches) builder.add_wrench(wrench.wrench);
  for (const NamedFrame& frame : parts.frames) builder.add_frame(frame);
  for (const Sensor& sensor : parts.sensors) builder.add_sensor(sensor);
  for (const auto& [a, b] : parts.excluded) builder.exclude(a, b);
  for (const int body : parts.with_parent) builder.collide_with_parent(body);
  return builder;
}

std::string capitalized(std::string word) {
  word[0] = static_cast<char>(word[0] - 'a' + 'A');
  return word;
}

struct StartMotion {
  Transform X_WB;
  Vec6 V = Vec6::Zero();  ///< motion vector in B
};

/// Coordinates of the free joint of a body whose motion in the world is given.
void start_free(const SceneBody& body, const Joint& joint, const StartMotion& parent, State& state) {
  const Quaternion q_FP(Mat3((parent.X_WB.R * joint.X_PF.R).transpose()));
  const Quaternion q_FM = (q_FP * body.orientation.q * Quaternion(joint.X_BM.R)).normalized();
  const Transform X_WB{body.orientation.R, body.position};
  const Transform X_FM = (parent.X_WB * joint.X_PF).inverse() * X_WB * joint.X_BM;
  Vec6 V_WB;
  V_WB << X_WB.R.transpose() * body.angular_velocity, X_WB.R.transpose() * body.velocity;
  const Vec6 relative = V_WB - (parent.X_WB.inverse() * X_WB).inverse_motion(parent.V);
  state.q.segment<7>(joint.q_index) << q_FM.w(), q_FM.vec(), X_FM.p;
  state.v.segment<6>(joint.v_index) = joint.X_BM.inverse_motion(relative);
}

void start_on_joint(const SceneJoint& given, const Joint& joint, State& state) {
  if (joint.type == JointType::spherical) {
    const Quaternion& q = given.orientation.q;
    state.q.segment<4>(joint.q_index) << q.w(), q.vec();
  } else {
    state.q.segment(joint.q_index, given.position.size()) = given.position;
  }
  state.v.segment(joint.v_index, given.velocity.size()) = given.velocity;
}

/// A driven coordinate that was not placed starts where its motion does.
void start_driven(const Model& model, int body, State& state) {
  const Joint& joint = model.joints()[body];
  for (const Constraint& constraint : model.constraints()) {
    if (constraint.kind != ConstraintKind::motion || constraint.body_a != body) continue;
    double& q = state.q[joint.q_index + constraint.coordinate_a];
    double& v = state.v[joint.v_index + constraint.coordinate_a];
    if (q != 0 || v != 0) continue;
    q = constraint.target.at(state.time);
    v = constraint.target.rate(state.time);
  }
}

State initial_state(const SceneParts& parts, const Model& model, const std::vector<int>& order) {
  State state;
  state.q = model.neutral_position();
  state.v = VectorX::Zero(model.velocity_count());
  std::vector<int> number(model.body_count());  // in the scene, by number in the model
  for (std::size_t i = 0; i < order.size(); ++i) number[order[i]] = static_cast<int>(i);
  std::vector<StartMotion> motions(model.body_count());
  for (int i = 0; i < model.body_count(); ++i) {
    const Joint& joint = model.joints()[i];
    const StartMotion parent = joint.parent < 0 ? StartMotion() : motions[joint.parent];
    const int of_body = parts.joints.of_body[number[i]];
    if (joint.type == JointType::free) {
      start_free(parts.bodies.bodies[number[i]], joint, parent, state);
    } else {
      start_on_joint(parts.joints.joints[of_body], joint, state);
    }
    start_driven(model, i, state);
    const VectorX q = state.q.segment(joint.q_index, position_size(joint));
    const VectorX v = state.v.segment(joint.v_index, velocity_size(joint));
    const JointMotion motion = joint_motion(joint, q, v);
    const Transform X_PB = joint.X_PF * motion.X_FM * joint.X_BM.inverse();
    motions[i].X_WB = parent.X_WB * X_PB;
    motions[i].V = X_PB.inverse_motion(parent.V) + joint.X_BM.motion(motion.S * v);
  }
  return state;
}

/// Visuals on the bodies of the model, whose colliders are the world's shapes and then each body's.
Appearance appearance_of(const SceneParts& parts, const std::vector<int>& order) {
  Appearance appearance;
  appearance.visuals = parts.visuals;
  for (Visual& visual : appearance.visuals) {
    if (visual.body >= 0) visual.body = order[static_cast<std::size_t>(visual.body)];
  }
  int collider = 0;
  const auto count = [&](const std::vector<SceneShape>& shapes) {
    for (const SceneShape& shape : shapes) {
      if (shape.behind) appearance.behind.push_back(collider);
      ++collider;
    }
  };
  count(parts.world_shapes);
  for (const SceneBody& body : parts.bodies.bodies) count(body.shapes);
  return appearance;
}

/// Closes what the start leaves open, and says what that and redundant constraints mean.
void close_constraints(SceneStart& start) {
  constexpr double told = 1e-9;  // what is less off is round-off of the numbers in the file
  const Model& model = *start.model;
  const ConstraintViolation before = assemble_constraints(model, start.initial);
  const auto label = [&](int i) {
    const Constraint& constraint = model.constraints()[i];
    return constraint_name(constraint.kind) + " constraint " + in_quotes(constraint.name);
  };
  if (before.position > told) {
    std::ostringstream text;
    text << "the mechanism was assembled: at its start the " << label(before.worst_by_position) << " was off by "
         << before.position << " m or rad";
    start.warnings.push_back(text.str());
  }
  if (before.velocity > told) {
    std::ostringstream text;
    text << "the start's velocities were changed to keep to the constraints: the " << label(before.worst_by_velocity)
         << " was violated by " << before.velocity << " m/s or rad/s";
    start.warnings.push_back(text.str());
  }
  for (const Redundancy& redundancy : redundant_constraints(model, start.initial.q, start.initial.time)) {
    const int rows = row_count(model.constraints()[redundancy.constraint].kind);
    std::ostringstream text;
    text << "the " << label(redundancy.constraint) << " is redundant: " << redundancy.rows << " of its " << rows
         << (rows == 1 ? " row says" : " rows say") << " what others say already";
    start.warnings.push_back(text.str());
  }
}

}  // namespace

Place place_of_fault(const SceneParts& parts, const std::string& sentence) {
  std::size_t first = std::string::npos;
  Place place;
  const auto look = [&](const std::string& kind, const std::string& name, Place where) {
    for (const std::string& start : {kind, capitalized(kind)}) {
      for (const char quote : {'"', '\''}) {
        const std::size_t at = sentence.find(start + " " + quote + name + quote);
        if (at >= first) continue;
        first = at;
        place = where;
      }
    }
  };
  const auto look_for_shapes = [&](const std::vector<SceneShape>& shapes) {
    for (const SceneShape& shape : shapes) {
      look("collider", shape.name, shape.place);
      look("shape", shape.name, shape.place);
    }
  };
  for (const auto& [name, where] : parts.materials.places) {
    look("material", name, where);
    look("materials", name, where);
  }
  look_for_shapes(parts.world_shapes);
  for (const SceneBody& body : parts.bodies.bodies) {
    look("body", body.name, body.place);
    look_for_shapes(body.shapes);
  }
  for (const SceneJoint& joint : parts.joints.joints) look("joint", joint.joint.name, joint.place);
  for (const SceneConstraint& constraint : parts.constraints) {
    look("constraint", constraint.constraint.name, constraint.place);
  }
  for (const SceneConstraint& motion : parts.drives.motions) look("constraint", motion.constraint.name, motion.place);
  for (const SceneDrives::Placed& drive : parts.drives.drives) look("drive", drive.drive.name, drive.place);
  for (const SceneDrives::PlacedWrench& wrench : parts.drives.wrenches)
    look("wrench", wrench.wrench.name, wrench.place);
  return place;
}

std::optional<SceneStart> assemble(const SceneParts& parts, Diagnostics& diagnostics) {
  const ModelBuilder builder = fill_builder(parts);
  try {
    SceneStart start;
    start.model = std::make_shared<const Model>(builder.build());
    const std::vector<int> order = builder.body_order();
    start.initial = initial_state(parts, *start.model, order);
    start.appearance = appearance_of(parts, order);
    start.formulas.drives = parts.drives.feedback;
    for (SceneFeedback& drive : start.formulas.drives) drive.body = order[static_cast<std::size_t>(drive.body)];
    if (!start.formulas.drives.empty()) start.formulas.parameters = parts.parameters;
    start.feedback = read_feedback(*start.model, start.formulas, diagnostics);
    if (!start.model->constraints().empty()) close_constraints(start);
    return start;
  } catch (const Error& error) {
    std::istringstream sentences(error.what());
    for (std::string sentence; std::getline(sentences, sentence);) {
      diagnostics.add(place_of_fault(parts, sentence), sentence);
    }
    return {};
  }
}

}  // namespace carom
