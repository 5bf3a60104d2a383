#include "carom/record/stored_model.h"

#include "carom/record/stored_choices.h"
#include "carom/record/stored_parts.h"

namespace carom::stored {
namespace {

/// A joint's vectors at their full size: what is shorter a builder would fill up.
void check_joint(const Joint& joint, std::size_t number, const Reader& reader) {
  const auto size = static_cast<Eigen::Index>(velocity_size(joint));
  for (const VectorX* values : {&joint.lower, &joint.upper, &joint.limit_restitution, &joint.damping, &joint.stiffness,
                                &joint.rest, &joint.friction, &joint.reflected_inertia, &joint.effort}) {
    if (values->size() == size && static_cast<Eigen::Index>(joint.ratchet.size()) == size) continue;
    reader.fail("joints[" + std::to_string(number) + "] has lists of another length than it has rates");
  }
}

}  // namespace

Tree write_model(const Model& model) {
  Writer writer;
  std::vector<int> with_parent;
  for (int body = 0; body < model.body_count(); ++body) {
    if (model.collides_with_parent(body)) with_parent.push_back(body);
  }
  Value object{Value::Map()};
  object.set("gravity", writer.json(model.gravity()));
  object.set("materials", writer.json(model.materials()));
  object.set("friction_rule", writer.json(model.friction_rule()));
  object.set("restitution_rule", writer.json(model.restitution_rule()));
  object.set("material_pairs", writer.json(model.material_pairs()));
  object.set("bodies", writer.json(model.bodies()));
  object.set("joints", writer.json(model.joints()));
  object.set("constraints", writer.json(model.constraints()));
  object.set("drives", writer.json(model.drives()));
  object.set("wrenches", writer.json(model.wrenches()));
  object.set("colliders", writer.json(model.colliders()));
  object.set("frames", writer.json(model.frames()));
  object.set("sensors", writer.json(model.sensors()));
  object.set("with_parent", writer.json(with_parent));
  object.set("excluded", writer.json(model.excluded_bodies()));
  return writer.finish(std::move(object));
}

std::shared_ptr<const Model> read_model(const Tree& tree, const std::string& path) {
  const std::string whose = path + ": the record is damaged: in its model, ";
  Reader reader(tree, whose, default_catalogue());
  ModelBuilder builder;
  builder.set_gravity(reader.take<Vec3>("gravity"));
  for (Material& material : reader.take<std::vector<Material>>("materials")) builder.add_material(std::move(material));
  const auto friction = reader.take<Combination>("friction_rule");
  builder.set_combination(friction, reader.take<Combination>("restitution_rule"));
  for (MaterialPair& pair : reader.take<std::vector<MaterialPair>>("material_pairs")) {
    builder.set_pair(pair.a, pair.b, std::move(pair.together));
  }
  auto bodies = reader.take<std::vector<Body>>("bodies");
  auto joints = reader.take<std::vector<Joint>>("joints");
  if (joints.size() != bodies.size()) reader.fail("bodies and joints are not as many");
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (joints[i].parent >= static_cast<int>(i)) {
      reader.fail("joints[" + std::to_string(i) + "].parent must be a body before it");
    }
    check_joint(joints[i], i, reader);
    builder.add_body(std::move(bodies[i].name), bodies[i].inertia);
    builder.add_joint(static_cast<int>(i), std::move(joints[i]));
  }
  for (Constraint& each : reader.take<std::vector<Constraint>>("constraints")) builder.add_constraint(std::move(each));
  for (Drive& drive : reader.take<std::vector<Drive>>("drives")) builder.add_drive(std::move(drive));
  for (AppliedWrench& each : reader.take<std::vector<AppliedWrench>>("wrenches")) builder.add_wrench(std::move(each));
  for (Collider& each : reader.take<std::vector<Collider>>("colliders")) builder.add_collider(std::move(each));
  for (NamedFrame& frame : reader.take<std::vector<NamedFrame>>("frames")) builder.add_frame(std::move(frame));
  for (Sensor& sensor : reader.take<std::vector<Sensor>>("sensors")) builder.add_sensor(std::move(sensor));
  for (const int body : reader.take<std::vector<int>>("with_parent")) builder.collide_with_parent(body);
  for (const auto& [a, b] : reader.take<std::vector<std::pair<int, int>>>("excluded")) builder.exclude(a, b);
  try {
    return std::make_shared<const Model>(builder.build());
  } catch (const Error& error) {
    throw Error(path + ": the record is damaged: its model makes no sense: " + error.what());
  }
}

Tree write_method(const Method& method) {
  Writer writer;
  return writer.finish(writer.json(method));
}

Method read_method(const Tree& tree, const std::string& path, const Catalogue& catalogue) {
  Method method;
  Reader(tree, path + ": the record is damaged: in its method, ", catalogue).take_all(method);
  std::string sentences;
  for (const std::string& fault : method_faults(method, catalogue))
    sentences += (sentences.empty() ? "" : "\n") + fault;
  if (!sentences.empty()) throw Error(path + ": the record's method makes no sense: " + sentences);
  return method;
}

}  // namespace carom::stored
