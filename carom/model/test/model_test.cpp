#include "carom/model/model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "carom/model/tree_order.h"

namespace carom::model_test {
namespace {

SpatialInertia solid() { return {2, Vec3(0.1, 0, 0), Vec3(1, 1.2, 1.4).asDiagonal()}; }

Joint joint_of(JointType type, int parent = -1) {
  Joint joint;
  joint.type = type;
  joint.parent = parent;
  return joint;
}

Collider ball_on(int body, const std::string& name = "ball") { return {name, body, Sphere{0.1}, Transform(), 0}; }

std::vector<std::string> names(const Model& model) {
  std::vector<std::string> names;
  for (const Body& body : model.bodies()) names.push_back(body.name);
  return names;
}

TEST(Joint, SizesFitTheTableOfTypes) {
  const auto expect_sizes = [](const Joint& joint, int position, int velocity) {
    EXPECT_EQ(position_size(joint), position) << joint_name(joint.type);
    EXPECT_EQ(velocity_size(joint), velocity) << joint_name(joint.type);
    const bool scalar = has_scalar_coordinates(joint.type);
    EXPECT_EQ(coordinate_twists(joint).cols(), scalar ? velocity : 0) << joint_name(joint.type);
  };
  expect_sizes(joint_of(JointType::fixed), 0, 0);
  for (const JointType type : {JointType::revolute, JointType::prismatic, JointType::screw}) {
    expect_sizes(joint_of(type), 1, 1);
  }
  for (const JointType type : {JointType::cylindrical, JointType::universal, JointType::slot}) {
    expect_sizes(joint_of(type), 2, 2);
  }
  expect_sizes(joint_of(JointType::planar), 3, 3);
  expect_sizes(joint_of(JointType::spherical), 4, 3);
  expect_sizes(joint_of(JointType::free), 7, 6);
  Joint own = joint_of(JointType::twists);
  for (int count = 1; count <= 6; ++count) {
    own.twists = MatrixX::Identity(6, count);
    expect_sizes(own, count, count);
  }
  EXPECT_EQ(joint_name(JointType::spherical), "spherical");
}

TEST(Joint, CoordinatesAreAnglesOrLengthsAsTheTableSays) {
  EXPECT_TRUE(is_angle(joint_of(JointType::revolute), 0));
  EXPECT_FALSE(is_angle(joint_of(JointType::prismatic), 0));
  EXPECT_TRUE(is_angle(joint_of(JointType::screw), 0));
  const Joint cylindrical = joint_of(JointType::cylindrical), slot = joint_of(JointType::slot);
  EXPECT_TRUE(is_angle(cylindrical, 0) && !is_angle(cylindrical, 1));
  EXPECT_TRUE(!is_angle(slot, 0) && is_angle(slot, 1));
  const Joint universal = joint_of(JointType::universal), planar = joint_of(JointType::planar);
  EXPECT_TRUE(is_angle(universal, 0) && is_angle(universal, 1));
  EXPECT_TRUE(!is_angle(planar, 0) && !is_angle(planar, 1) && is_angle(planar, 2));
}

TEST(TreeOrder, PutsParentsFirstAndKeepsTheOrderOfAdditionOtherwise) {
  // 0 on 3, 1 on the world, 2 on 0, 3 on the world, 4 on 1
  const std::vector<Joint> joints = {joint_of(JointType::revolute, 3), joint_of(JointType::free),
                                     joint_of(JointType::revolute, 0), joint_of(JointType::free),
                                     joint_of(JointType::revolute, 1)};
  const TreeOrder tree = arrange(joints);
  EXPECT_EQ(tree.order, (std::vector<int>{1, 3, 0, 2, 4}));
  EXPECT_EQ(tree.index, (std::vector<int>{2, 0, 3, 1, 4}));
  EXPECT_TRUE(tree.loops.empty());
}

TEST(TreeOrder, KeepsAnOrderThatIsSortedAlready) {
  std::vector<Joint> joints;
  joints.reserve(50);
  for (int i = 0; i < 50; ++i) joints.push_back(joint_of(JointType::revolute, (i * 7) % (i + 1) - 1));
  const TreeOrder tree = arrange(joints);
  for (int i = 0; i < 50; ++i) EXPECT_EQ(tree.order[i], i);
}

TEST(TreeOrder, FindsEachLoopOnce) {
  // 0 → 2 → 1 → 0 is a loop, 3 hangs under it, 4 on itself, 5 on the world.
  const std::vector<Joint> joints = {joint_of(JointType::revolute, 2), joint_of(JointType::revolute, 0),
                                     joint_of(JointType::revolute, 1), joint_of(JointType::revolute, 1),
                                     joint_of(JointType::revolute, 4), joint_of(JointType::free)};
  const TreeOrder tree = arrange(joints);
  EXPECT_EQ(tree.loops, (std::vector<std::vector<int>>{{0, 2, 1}, {4}}));
  EXPECT_EQ(tree.order, (std::vector<int>{5, 0, 1, 2, 3, 4}));
}

TEST(TreeOrder, WeldsMakeLinks) {
  const std::vector<Joint> joints = {joint_of(JointType::fixed),       joint_of(JointType::fixed, 0),
                                     joint_of(JointType::revolute, 1), joint_of(JointType::fixed, 2),
                                     joint_of(JointType::fixed, 3),    joint_of(JointType::revolute, 4)};
  EXPECT_EQ(arrange(joints).link, (std::vector<int>{-1, -1, 2, 2, 2, 5}));
}

TEST(Model, StacksCoordinatesInTheOrderOfBodies) {
  ModelBuilder builder;
  const int hand = builder.add_body("hand", solid());
  const int ball = builder.add_body("ball", solid());
  const int arm = builder.add_body("arm", solid());
  builder.add_joint(hand, joint_of(JointType::spherical, arm));
  builder.add_joint(arm, joint_of(JointType::revolute));
  const Model model = builder.build();
  EXPECT_EQ(names(model), (std::vector<std::string>{"ball", "arm", "hand"}));
  EXPECT_EQ(builder.body_order(), (std::vector<int>{2, 0, 1}));
  EXPECT_EQ(model.position_count(), 7 + 1 + 4);
  EXPECT_EQ(model.velocity_count(), 6 + 1 + 3);
  EXPECT_EQ(model.joints()[2].q_index, 8);
  EXPECT_EQ(model.joints()[2].v_index, 7);
  EXPECT_EQ(model.joints()[2].parent, 1);
  EXPECT_EQ(model.coordinate_body(5), 0);
  EXPECT_EQ(model.coordinate_body(6), 1);
  EXPECT_EQ(model.coordinate_body(9), 2);
  VectorX neutral = VectorX::Zero(12);
  neutral[0] = neutral[8] = 1;
  EXPECT_EQ(model.neutral_position(), neutral);
  EXPECT_EQ(ball, 1);
}

TEST(Model, FillsTheJointVectorsThatWereLeftEmpty) {
  ModelBuilder builder;
  builder.add_body("plate", solid());
  builder.add_joint(0, joint_of(JointType::planar));
  const Model model = builder.build();
  const Joint& joint = model.joints()[0];
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(joint.lower, VectorX::Constant(3, -infinity));
  EXPECT_EQ(joint.upper, VectorX::Constant(3, infinity));
  EXPECT_EQ(joint.damping, VectorX::Zero(3));
  EXPECT_EQ(joint.stiffness, VectorX::Zero(3));
  EXPECT_EQ(joint.rest, VectorX::Zero(3));
}

TEST(Model, TreesShareNothing) {
  ModelBuilder builder;
  const int a = builder.add_body("a", solid());
  const int b = builder.add_body("b", solid());
  const int a2 = builder.add_body("a2", solid());
  const int b2 = builder.add_body("b2", solid());
  const int ground = builder.add_body("ground", SpatialInertia());
  builder.add_joint(a, joint_of(JointType::revolute));
  builder.add_joint(b, joint_of(JointType::prismatic));
  builder.add_joint(a2, joint_of(JointType::spherical, a));
  builder.add_joint(b2, joint_of(JointType::revolute, b));
  builder.add_joint(ground, joint_of(JointType::fixed));
  const Model model = builder.build();
  EXPECT_EQ(model.root(a2), a);
  EXPECT_EQ(model.root(b2), b);
  EXPECT_EQ(model.root(ground), ground);
  EXPECT_EQ(model.tree(a2).bodies, (std::vector<int>{a, a2}));
  EXPECT_EQ(model.tree(a).coordinates, (std::vector<std::pair<int, int>>{{0, 1}, {2, 3}}));
  EXPECT_EQ(model.tree(b).coordinates, (std::vector<std::pair<int, int>>{{1, 1}, {5, 1}}));
  EXPECT_TRUE(model.tree(ground).coordinates.empty());
  EXPECT_TRUE(model.is_static(ground));
  EXPECT_TRUE(model.is_static(-1));
  EXPECT_FALSE(model.is_static(a));
}

TEST(Model, JoinsRunsOfCoordinatesOfOneTree) {
  ModelBuilder builder;
  builder.add_body("a", solid());
  builder.add_body("b", solid());
  builder.add_joint(0, joint_of(JointType::planar));
  builder.add_joint(1, joint_of(JointType::revolute, 0));
  EXPECT_EQ(builder.build().tree(1).coordinates, (std::vector<std::pair<int, int>>{{0, 4}}));
}

TEST(Model, MayBeEmpty) {
  const Model model = ModelBuilder().build();
  EXPECT_EQ(model.body_count(), 0);
  EXPECT_EQ(model.neutral_position().size(), 0);
}

/// A door in a frame that is welded to the world, and a handle welded to the door. A key turns in the handle, and a
/// ball is free.
struct House {
  ModelBuilder builder;
  int frame, door, handle, ball, key;
  int world_shape, frame_shape, door_shape, handle_shape, ball_shape, key_shape;

  House() {
    builder.add_material({"wood", Vec2(0.3, 0.3), 0});
    frame = builder.add_body("frame", SpatialInertia());
    door = builder.add_body("door", solid());
    handle = builder.add_body("handle", solid());
    ball = builder.add_body("ball", solid());
    key = builder.add_body("key", solid());
    builder.add_joint(frame, joint_of(JointType::fixed));
    builder.add_joint(door, joint_of(JointType::revolute, frame));
    builder.add_joint(handle, joint_of(JointType::fixed, door));
    builder.add_joint(key, joint_of(JointType::revolute, handle));
    world_shape = builder.add_collider(ball_on(-1));
    frame_shape = builder.add_collider(ball_on(frame));
    door_shape = builder.add_collider(ball_on(door));
    handle_shape = builder.add_collider(ball_on(handle));
    ball_shape = builder.add_collider(ball_on(ball));
    key_shape = builder.add_collider(ball_on(key));
  }
};

TEST(MayCollide, NeighboursAndWeldedShapesDoNot) {
  House house;
  const Model model = house.builder.build();
  const auto collide = [&](int a, int b) {
    EXPECT_EQ(model.may_collide(a, b), model.may_collide(b, a));
    return model.may_collide(a, b);
  };
  for (int a = 0; a < 6; ++a) EXPECT_FALSE(collide(a, a));
  EXPECT_FALSE(collide(house.world_shape, house.frame_shape));   // welded to the world
  EXPECT_FALSE(collide(house.door_shape, house.handle_shape));   // welded together
  EXPECT_FALSE(collide(house.door_shape, house.frame_shape));    // parent and child
  EXPECT_FALSE(collide(house.door_shape, house.world_shape));    // parent and child, across a weld above
  EXPECT_FALSE(collide(house.handle_shape, house.world_shape));  // and below
  EXPECT_FALSE(collide(house.key_shape, house.door_shape));      // and between
  EXPECT_TRUE(collide(house.key_shape, house.frame_shape));      // grandparent
  for (const int other : {house.world_shape, house.frame_shape, house.door_shape, house.key_shape}) {
    EXPECT_TRUE(collide(house.ball_shape, other));  // free
  }
}

TEST(MayCollide, ParentAndChildDoIfAsked) {
  House house;
  house.builder.collide_with_parent(house.door);
  const Model model = house.builder.build();
  EXPECT_TRUE(model.may_collide(house.door_shape, house.frame_shape));
  EXPECT_TRUE(model.may_collide(house.handle_shape, house.world_shape));
  EXPECT_FALSE(model.may_collide(house.key_shape, house.door_shape));
}

TEST(MayCollide, ExcludedBodiesDoNot) {
  House house;
  house.builder.exclude(house.key, house.ball);
  house.builder.exclude(-1, house.ball);
  const Model model = house.builder.build();
  EXPECT_FALSE(model.may_collide(house.ball_shape, house.key_shape));
  EXPECT_FALSE(model.may_collide(house.world_shape, house.ball_shape));
  EXPECT_TRUE(model.may_collide(house.frame_shape, house.ball_shape));
}

TEST(MayCollide, AFreeJointMeasuresFromItsParentWithoutTyingToIt) {
  ModelBuilder builder;
  builder.add_material({"wood", Vec2(0.3, 0.3), 0});
  builder.add_body("car", solid());
  builder.add_body("passenger", solid());
  builder.add_joint(1, joint_of(JointType::free, 0));
  builder.add_collider(ball_on(0));
  builder.add_collider(ball_on(1));
  EXPECT_TRUE(builder.build().may_collide(0, 1));
}

TEST(MayCollide, FollowsCollidersWhenBodiesAreReordered) {
  ModelBuilder builder;
  builder.add_material({"wood", Vec2(0.3, 0.3), 0});
  builder.add_body("child", solid());
  builder.add_body("parent", solid());
  builder.add_body("other", solid());
  builder.add_joint(0, joint_of(JointType::revolute, 1));
  for (int body = 0; body < 3; ++body) builder.add_collider(ball_on(body));
  const Model model = builder.build();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(model.colliders()[i].body, builder.body_order()[i]);
  EXPECT_FALSE(model.may_collide(0, 1));
  EXPECT_TRUE(model.may_collide(0, 2));
  EXPECT_TRUE(model.may_collide(1, 2));
}

TEST(ContactMaterial, FollowsTheRulesAndTheNamedPairs) {
  const Vec2 rough(0.9, 0.4), smooth(0.1, 0.1);
  const double lively = 0.8, dull = 0.2;
  struct Expected {
    Combination rule;
    double friction_x, restitution;
  };
  const std::vector<Expected> rules = {{Combination::minimum, 0.1, 0.2},
                                       {Combination::maximum, 0.9, 0.8},
                                       {Combination::average, 0.5, 0.5},
                                       {Combination::geometric_mean, 0.3, 0.4},
                                       {Combination::product, 0.09, 0.16}};
  for (const Expected& expected : rules) {
    ModelBuilder builder;
    const int a = builder.add_material({"rubber", rough, lively});
    const int b = builder.add_material({"ice", smooth, dull});
    const int c = builder.add_material({"oil", Vec2::Zero(), 0});
    builder.set_combination(expected.rule, expected.rule);
    builder.set_pair(c, a, {Vec2(0.02, 0.03), 0.5});
    const Model model = builder.build();
    EXPECT_NEAR(model.contact_material(a, b).friction.x(), expected.friction_x, 1e-15);
    EXPECT_NEAR(model.contact_material(b, a).restitution.at(1), expected.restitution, 1e-15);
    EXPECT_EQ(model.contact_material(a, c).friction, Vec2(0.02, 0.03));
    EXPECT_EQ(model.contact_material(c, a).restitution, PairRestitution(0.5));
  }
}

TEST(ContactMaterial, IsGeometricMeanAndMaximumUnlessTold) {
  ModelBuilder builder;
  builder.add_material({"rubber", Vec2(0.9, 0.4), 0.8});
  builder.add_material({"ice", Vec2(0.1, 0.1), 0.2});
  const ContactMaterial together = builder.build().contact_material(0, 1);
  EXPECT_NEAR(together.friction.x(), 0.3, 1e-15);
  EXPECT_NEAR(together.friction.y(), 0.2, 1e-15);
  EXPECT_EQ(together.restitution, PairRestitution(0.8));
}

}  // namespace
}  // namespace carom::model_test
