#include "carom/record/stored_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <random>

#include "carom/geometry/implicit/parametric_solid.h"
#include "carom/record/stored_choices.h"
#include "carom/record/stored_json.h"
#include "carom/record/stored_parts.h"
#include "carom/record/stored_run.h"
#include "carom/record/stored_shapes.h"
#include "carom/record/stored_value.h"
#include "carom/record/stored_words.h"
#include "carom/scene/scene.h"
#include "carom/stepper/simulation.h"
#include "testing/folders.h"

namespace carom::stored_model_test {
namespace {

namespace fs = std::filesystem;
using stored::enumerator_count;
using stored::Tree;
using Json = nlohmann::ordered_json;

/// Text and numbers hold every field of every part, so models of which they are alike are alike.
void expect_same(const Tree& a, const Tree& b) {
  EXPECT_EQ(a.text, b.text);
  ASSERT_EQ(a.numbers.size(), b.numbers.size());
  for (std::size_t i = 0; i < a.numbers.size(); ++i) {
    ASSERT_EQ(std::bit_cast<std::uint64_t>(a.numbers[i]), std::bit_cast<std::uint64_t>(b.numbers[i])) << i;
  }
}

void expect_same_tables(const Model& a, const Model& b) {
  const int colliders = static_cast<int>(a.colliders().size()), materials = static_cast<int>(a.materials().size());
  for (int i = 0; i < colliders; ++i) {
    for (int k = 0; k < colliders; ++k) ASSERT_EQ(a.may_collide(i, k), b.may_collide(i, k)) << i << " " << k;
  }
  for (int i = 0; i < materials; ++i) {
    for (int k = 0; k < materials; ++k) {
      const ContactMaterial &x = a.contact_material(i, k), &y = b.contact_material(i, k);
      ASSERT_TRUE(x.restitution == y.restitution && x.friction == y.friction && x.modulus == y.modulus);
      ASSERT_TRUE(x.static_friction == y.static_friction && x.impact_friction == y.impact_friction);
      ASSERT_TRUE(x.viscous_friction == y.viscous_friction && x.dissipation == y.dissipation);
      ASSERT_EQ(x.torsional_friction, y.torsional_friction);
    }
  }
}

class EveryScene : public testing::TestWithParam<std::string> {};

TEST_P(EveryScene, comes_back_bit_for_bit_and_moves_alike) {
  const Scene scene = load_scene(GetParam());
  const Tree tree = stored::write_model(*scene.model), choices = stored::write_method(scene.method);
  const std::shared_ptr<const Model> model = stored::read_model(tree, "a file");
  const Method method = stored::read_method(choices, "a file", default_catalogue());
  expect_same(stored::write_model(*model), tree);
  expect_same(stored::write_method(method), choices);
  expect_same_tables(*scene.model, *model);
  const stored::RunChoices run = stored::run_choices(scene);
  expect_same(stored::write_run(stored::read_run(stored::write_run(run), "a file")), stored::write_run(run));

  Scene again;
  again.model = model;
  stored::give(stored::read_run(stored::write_run(run), "a file"), "a file", again);
  EXPECT_EQ(static_cast<bool>(again.feedback), static_cast<bool>(scene.feedback));
  Simulation first(scene.model, scene.method, scene.initial), second(model, method, scene.initial);
  first.set_controller(scene.controller());
  second.set_controller(again.controller());
  for (int step = 0; step < 3; ++step) {
    first.step();
    second.step();
    ASSERT_TRUE(identical(first.state(), second.state())) << step;
  }
}

/// Folder and file in letters, digits and strokes below: the rest is no name of a test.
std::string test_name(const testing::TestParamInfo<std::string>& info) {
  const fs::path path(info.param);
  std::string name = path.parent_path().filename().string() + "_" + path.stem().string();
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(scenes, EveryScene, testing::ValuesIn(shipped_scenes()), test_name);

const SpatialInertia unit_inertia{1, Vec3(0.1, 0.2, 0.3), Mat3::Identity()};

SurfaceFormula sphere_formula() {
  using Operation = SurfaceFormula::Operation;
  SurfaceFormula formula;
  formula.text = "x^2 + y^2 + z^2 - 1";
  for (const Operation axis : {Operation::x, Operation::y, Operation::z}) {
    formula.steps.insert(formula.steps.end(), {{axis}, {Operation::number, 2}, {Operation::power}});
    if (axis != Operation::x) formula.steps.push_back({Operation::add});
  }
  formula.steps.insert(formula.steps.end(), {{Operation::number, 1}, {Operation::subtract}});
  return formula;
}

/// cos and sin of the longitude x and the latitude y.
std::shared_ptr<const SurfaceFormula> of_ball(std::initializer_list<SurfaceFormula::Step> steps) {
  return std::make_shared<const SurfaceFormula>(SurfaceFormula{"of a ball", steps});
}

ImplicitShape parametric_ball() {
  using Operation = SurfaceFormula::Operation;
  ParametricFormulas formulas;
  formulas.of = {of_ball({{Operation::x}, {Operation::cos}, {Operation::y}, {Operation::cos}, {Operation::multiply}}),
                 of_ball({{Operation::x}, {Operation::sin}, {Operation::y}, {Operation::cos}, {Operation::multiply}}),
                 of_ball({{Operation::y}, {Operation::sin}})};
  formulas.u = {-M_PI, M_PI};
  formulas.v = {-M_PI / 2, M_PI / 2};
  return {std::make_shared<const ImplicitSolid>(parametric_solid(formulas))};
}

/// Two of every kind of shape; those that are shared are.
std::vector<Shape> all_shapes() {
  std::vector<Vec3> corners;
  corners.reserve(8);
  for (int i = 0; i < 8; ++i) corners.emplace_back(i & 1 ? 0.3 : -0.1, i & 2 ? 0.2 : -0.2, i & 4 ? 0.1 : -0.1);
  const auto hull = std::make_shared<const Polyhedron>(convex_hull(corners));
  std::vector<double> heights(36);
  for (std::size_t i = 0; i < heights.size(); ++i) heights[i] = 0.01 * std::sin(static_cast<double>(i));
  const auto grid = std::make_shared<const HeightGrid>(6, 6, Vec2(0.1, 0.2), heights);
  const auto formula = std::make_shared<const SurfaceFormula>(sphere_formula());
  const auto solid = std::make_shared<const ImplicitSolid>(
      implicit_solid({FormulaSurface{formula, 0.7}, PlaneSurface{Vec3::UnitX(), 0.5}}, Vec3::Zero()));
  const ImplicitShape by_parameters = parametric_ball();
  std::vector<Shape> shapes;
  for (int twice = 0; twice < 2; ++twice) {
    shapes.insert(shapes.end(), {Sphere{0.1}, Box{Vec3(0.1, 0.2, 0.3)}, Capsule{0.1, 0.2}, HalfSpace{},
                                 Cylinder{0.1, 0.2}, Ellipsoid{Vec3(0.1, 0.2, 0.3)}, ConvexMesh{hull},
                                 HeightField{grid}, Cone{0.1, 0.2, 0.01}, Superquadric{Vec3(0.1, 0.2, 0.3)},
                                 RoundedPolytope{hull, 0.02}, ImplicitShape{solid}, by_parameters});
  }
  return shapes;
}

Joint joint_of(JointType type) {
  Joint joint;
  joint.name = "joint " + joint_name(type);
  joint.type = type;
  joint.X_PF.p = Vec3(1, 2, 1.0 / 3);
  if (type == JointType::screw) joint.pitch = 0.01;
  if (type == JointType::twists) joint.twists = Twists::Identity(6, 2);
  const int size = velocity_size(joint);
  if (has_scalar_coordinates(type)) {
    joint.lower = VectorX::Constant(size, -1.5);
    joint.stiffness = VectorX::Constant(size, 0.1);
    joint.friction = VectorX::Constant(size, 0.2);
    joint.ratchet.assign(static_cast<std::size_t>(size), Ratchet::forward);
    joint.ratchet.back() = Ratchet::backward;
  }
  return joint;
}

TimeFunction some_time_function() { return {{0.1, 0.2}, {{1, 2, 3}}, {0, 0.5, 1}, {0, 1.0 / 3, 2}}; }

/// A material per curve of restitution, and a pair.
void add_materials(ModelBuilder& builder) {
  const std::vector<Restitution> curves{ConstantRestitution(0.3), CaptureRestitution{0.1, 1, 0.2},
                                        LineRestitution{0.05}, TableRestitution{{{0, 1}, {1, 0.5}}}};
  static_assert(std::variant_size_v<Restitution> == 4);
  for (std::size_t i = 0; i < curves.size(); ++i) {
    Material material;
    material.name = "material " + std::to_string(i);
    material.restitution = curves[i];
    material.friction = {0.1, 0.2};
    if (i == 1) material.static_friction = Vec2(0.5, 0.6);
    if (i == 2) material.impact_friction = Vec2(0.05, 0.06);
    if (i < static_cast<std::size_t>(enumerator_count<LayerKind>())) {
      material.layer.emplace();
      material.layer->kind = static_cast<LayerKind>(i);
      material.layer->stiffness(2, 2) = 1e4;
    }
    builder.add_material(material);
  }
  builder.set_combination(Combination::product, Combination::average);
  builder.set_pair(0, 3, {.friction = {0.7, 0.8}, .restitution = curves[3]});
}

/// Numbers of the colliders of all shapes: half-spaces and height fields on the ground, the others on the body.
std::vector<int> add_colliders(ModelBuilder& builder, int body) {
  std::vector<int> colliders;
  for (const Shape& shape : all_shapes()) {
    Collider collider;
    collider.name = "collider " + std::to_string(colliders.size());
    const bool fixed = std::holds_alternative<HalfSpace>(shape) || std::holds_alternative<HeightField>(shape);
    collider.body = fixed ? -1 : body;
    collider.shape = shape;
    collider.material = static_cast<int>(colliders.size() % 4);
    collider.collides_with = 0xfffffffe;
    if (colliders.size() % 2 == 1) collider.friction_axis = Vec3(0, 1, 0.1);
    colliders.push_back(builder.add_collider(collider));
  }
  return colliders;
}

void add_constraints(ModelBuilder& builder, int body_a, int body_b) {
  for (int i = 0; i < enumerator_count<ConstraintKind>(); ++i) {
    Constraint constraint;
    constraint.kind = static_cast<ConstraintKind>(i);
    constraint.name = "constraint " + constraint_name(constraint.kind);
    constraint.body_a = body_a;
    constraint.body_b = constraint.kind == ConstraintKind::motion ? -1 : body_b;
    if (constraint.kind == ConstraintKind::rod || constraint.kind == ConstraintKind::rope) constraint.length = 0.1;
    if (constraint.kind == ConstraintKind::rope) constraint.restitution = 0.5;
    if (constraint.kind == ConstraintKind::rolling) constraint.radius = 0.2;
    if (constraint.kind == ConstraintKind::spring) {
      constraint.stiffness = 70;
      constraint.side = SpringSide::pull;
    }
    if (constraint.kind == ConstraintKind::motion) constraint.target = some_time_function();
    if (constraint.kind == ConstraintKind::coupler) constraint.shares = {{body_b, 0, 1.0 / 3}};
    if (constraint.kind == ConstraintKind::tendon) {
      constraint.shares = {{body_b, 0, -0.1}, {body_a, 0, 0.7}};
      constraint.lower = -2.5;
    }
    if (constraint.kind == ConstraintKind::weld) {
      constraint.path.moves = true;
      constraint.path.angle = some_time_function();
    }
    builder.add_constraint(constraint);
  }
}

/// One of every enumerator and of every alternative.
Model model_of_everything() {
  ModelBuilder builder;
  builder.set_gravity({0, -0.0, -9.81});
  add_materials(builder);
  for (int i = 0; i < enumerator_count<JointType>(); ++i) {
    const int body = builder.add_body("body " + std::to_string(i), unit_inertia);
    builder.add_joint(body, joint_of(static_cast<JointType>(i)));
  }
  const int hinged = 1, slider = 2, ball = 9, free = 10;
  const std::vector<int> colliders = add_colliders(builder, free);
  add_constraints(builder, hinged, slider);
  for (int i = 0; i < enumerator_count<DriveKind>(); ++i) {
    Drive drive;
    drive.kind = static_cast<DriveKind>(i);
    drive.name = "drive " + std::to_string(i);
    drive.body = hinged;
    drive.value = some_time_function();
    drive.stiffness = 1.0 / 7;
    drive.ratio = 0.1;
    drive.others = {{slider, 0, -2.0 / 3}};
    builder.add_drive(drive);
  }
  builder.add_wrench({.name = "wind", .body = free, .force = {1, 0, 0}, .turns_with_body = true});
  for (int i = 0; i < enumerator_count<SensorKind>(); ++i) {
    Sensor sensor;
    sensor.kind = static_cast<SensorKind>(i);
    sensor.name = "sensor " + std::to_string(i);
    sensor.body = hinged;
    if (sensor.kind == SensorKind::contact) sensor.colliders = {colliders[0], colliders[1]};
    builder.add_sensor(sensor);
  }
  builder.add_frame({.name = "tool", .body = ball, .X_BF = {}});
  builder.collide_with_parent(ball);
  builder.exclude(ball, free);
  builder.exclude(-1, slider);
  return builder.build();
}

const Tree& tree_of_everything() {
  static const Tree tree = stored::write_model(model_of_everything());
  return tree;
}

template <class E>
void expect_all_kinds(const Json& list, const char* field) {
  for (int i = 0; i < enumerator_count<E>(); ++i) {
    const std::string name = stored::word(static_cast<E>(i));
    EXPECT_TRUE(std::any_of(list.begin(), list.end(), [&](const Json& part) { return part[field] == name; })) << name;
  }
}

TEST(StoredModel, every_kind_of_everything_comes_back) {
  const Tree& tree = tree_of_everything();
  const Json parts = Json::parse(tree.text);
  expect_all_kinds<JointType>(parts["joints"], "type");
  expect_all_kinds<ConstraintKind>(parts["constraints"], "kind");
  expect_all_kinds<DriveKind>(parts["drives"], "kind");
  expect_all_kinds<SensorKind>(parts["sensors"], "kind");
  for (const char* shape : stored::kinds<Shape>) {
    EXPECT_TRUE(std::any_of(parts["colliders"].begin(), parts["colliders"].end(), [&](const Json& part) {
      return part["shape"]["kind"] == shape;
    })) << shape;
  }
  const auto model = stored::read_model(tree, "a file");
  expect_same(stored::write_model(*model), tree);
  expect_same_tables(model_of_everything(), *model);
}

TEST(StoredModel, what_colliders_share_is_written_once_and_shared_again) {
  const Json parts = Json::parse(tree_of_everything().text);
  EXPECT_EQ(parts["height_grids"].size(), 1u);
  EXPECT_EQ(parts["solids"].size(), 2u);
  EXPECT_EQ(parts["polyhedra"].size(), 3u) << "the mesh, and a hull of each solid";
  const auto model = stored::read_model(tree_of_everything(), "a file");
  const auto grids = [&] {
    std::vector<const HeightGrid*> found;
    for (const Collider& collider : model->colliders()) {
      if (const auto* field = std::get_if<HeightField>(&collider.shape)) found.push_back(field->grid.get());
    }
    return found;
  }();
  ASSERT_EQ(grids.size(), 2u);
  EXPECT_EQ(grids[0], grids[1]);
}

TEST(StoredModel, every_choice_of_a_method_comes_back) {
  Method method;
  method.stepper = StepperKind::semi_explicit;
  method.law = LawKind::plus;
  method.dynamics = DynamicsKind::dense;
  method.cone = FrictionCone::exact;
  method.step = 1.0 / 3;
  method.plus = PlusOptions::paper();
  method.propagative.order = ResetOrder::in_turn;
  method.quasi_rigid.deflection = DeflectionMeasure::algebraic;
  method.overlap = OverlapRemedy::push;
  const Tree tree = stored::write_method(method);
  const Method again = stored::read_method(tree, "a file", default_catalogue());
  expect_same(stored::write_method(again), tree);
  EXPECT_EQ(again.step, method.step);
  EXPECT_TRUE(again.law == LawKind::plus);
}

TEST(StoredModel, a_law_that_the_catalogue_lacks_is_named) {
  Tree tree = stored::write_method({});
  const std::size_t at = tree.text.find("\"none\"");
  tree.text.replace(at, 6, "\"sticky\"");
  try {
    static_cast<void>(stored::read_method(tree, "run.h5", default_catalogue()));
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("sticky"), std::string::npos) << error.what();
  }
}

/// All places of a JSON that hold no list and no map.
void for_each_leaf(Json& json, const std::function<void(Json&)>& f) {
  if (json.is_structured()) {
    for (auto& part : json) for_each_leaf(part, f);
  } else {
    f(json);
  }
}

/// Damage is told in a sentence that names the file, or makes another sound model; it is never anything else.
void expect_refused_or_read(const Tree& tree) {
  try {
    static_cast<void>(stored::read_model(tree, "run.h5"));
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("run.h5"), std::string::npos) << error.what();
  }
}

TEST(StoredModel, damage_is_told_and_never_a_crash) {
  const Json whole = Json::parse(tree_of_everything().text);
  const std::vector<Json> others{Json(), true, -1, 1000000, -1e300, "x", "nan", "inf", Json::array(), Json::object()};
  std::size_t leaves = 0;
  for_each_leaf(const_cast<Json&>(whole), [&](Json&) { ++leaves; });
  std::mt19937 random(5);
  for (int trial = 0; trial < 200; ++trial) {
    Json damaged = whole;
    std::size_t left = random() % leaves;
    for_each_leaf(damaged, [&](Json& leaf) {
      if (left-- == 0) leaf = others[random() % others.size()];
    });
    expect_refused_or_read({damaged.dump(), tree_of_everything().numbers});
  }
  // A part taken away, or put in twice.
  for (const auto& [name, list] : whole.items()) {
    Json lacking = whole;
    lacking.erase(name);
    expect_refused_or_read({lacking.dump(), tree_of_everything().numbers});
    if (!list.is_array() || list.empty()) continue;
    for (const bool taken : {true, false}) {
      Json other = whole;
      if (taken) {
        other[name].erase(0);
      } else {
        other[name].push_back(other[name][0]);
      }
      expect_refused_or_read({other.dump(), tree_of_everything().numbers});
    }
  }
  // Text cut off, and numbers that are missing or none.
  for (std::size_t end = 0; end < tree_of_everything().text.size(); end += 997) {
    expect_refused_or_read({tree_of_everything().text.substr(0, end), tree_of_everything().numbers});
  }
  expect_refused_or_read({tree_of_everything().text, {}});
  Tree wild = tree_of_everything();
  for (std::size_t i = 0; i < wild.numbers.size(); i += 3) wild.numbers[i] = std::numeric_limits<double>::quiet_NaN();
  expect_refused_or_read(wild);
}

TEST(StoredModel, a_name_that_is_no_text_is_told) {
  ModelBuilder builder;
  builder.add_body("\xff", unit_inertia);
  EXPECT_THROW(stored::write_model(builder.build()), Error);
}

}  // namespace
}  // namespace carom::stored_model_test
