#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <sstream>

#include "carom/error.h"
#include "carom/model/model.h"

namespace carom::model_faults_test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

SpatialInertia solid() { return {2, Vec3::Zero(), Vec3(1, 1.2, 1.4).asDiagonal()}; }

/// The sentences that build() answers with; none if it builds.
std::vector<std::string> faults(const ModelBuilder& builder) {
  std::vector<std::string> lines;
  try {
    builder.build();
  } catch (const Error& error) {
    std::istringstream text(error.what());
    for (std::string line; std::getline(text, line);) lines.push_back(line);
  }
  return lines;
}

using Sentences = std::vector<std::string>;

/// A link named "arm" on a joint named "elbow", which a test spoils.
struct Arm {
  ModelBuilder builder;
  Joint joint;

  explicit Arm(JointType type) {
    joint.name = "elbow";
    joint.type = type;
  }
  Sentences operator()() {
    builder.add_body("arm", solid());
    builder.add_joint(0, joint);
    return faults(builder);
  }
};

TEST(ModelFaults, NoneForASoundModel) {
  Arm arm(JointType::revolute);
  arm.joint.lower = VectorX::Constant(1, -1);
  arm.joint.upper = VectorX::Constant(1, infinity);
  arm.joint.damping = VectorX::Constant(1, 0.5);
  arm.joint.stiffness = VectorX::Constant(1, 3);
  arm.joint.rest = VectorX::Constant(1, -0.2);
  EXPECT_EQ(arm(), Sentences{});
}

TEST(ModelFaults, InertiaOfAMovingBody) {
  ModelBuilder builder;
  builder.add_body("stone", {-1, Vec3::Zero(), Mat3::Identity()});
  builder.add_body("feather", {0, Vec3::Zero(), Mat3::Identity()});
  builder.add_body("needle", {1, Vec3::Zero(), Vec3(1, 1, 3).asDiagonal()});
  builder.add_body("", {1, Vec3(0, nan, 0), Mat3::Identity()});
  EXPECT_EQ(faults(builder),
            (Sentences{"Body \"stone\" has mass -1 kg; a mass must be positive.",
                       "Body \"feather\" has mass 0 kg; a mass must be positive.",
                       "Body \"needle\" has principal moments of inertia 1, 1, 3 kg m², which no body can have: the "
                       "largest may not exceed the sum of the other two.",
                       "Body 3 has a number that is not finite in its inertia."}));
}

TEST(ModelFaults, AMasslessBodyIsSoundOnlyWhereItNeverMoves) {
  ModelBuilder builder;
  builder.add_body("wall", SpatialInertia());
  builder.add_body("bracket", SpatialInertia());
  Joint weld;
  weld.type = JointType::fixed;
  builder.add_joint(0, weld);
  weld.parent = 0;
  builder.add_joint(1, weld);
  EXPECT_EQ(faults(builder), Sentences{});
  // Welded to a body that moves, it is asked for a mass.
  ModelBuilder moving;
  moving.add_body("cart", solid());
  moving.add_body("sticker", SpatialInertia());
  moving.add_joint(1, weld);
  EXPECT_EQ(faults(moving), Sentences{"Body \"sticker\" has mass 0 kg; a mass must be positive."});
}

TEST(ModelFaults, AStaticBodyWithANumberThatSpoilsSums) {
  ModelBuilder builder;
  builder.add_body("wall", {infinity, Vec3::Zero(), Mat3::Zero()});
  Joint weld;
  weld.type = JointType::fixed;
  builder.add_joint(0, weld);
  EXPECT_EQ(faults(builder),
            Sentences{"Body \"wall\" is fixed to the world, so it needs no inertia, but the one it has "
                      "must be finite and its mass not negative."});
}

TEST(ModelFaults, LoopsInTheTree) {
  ModelBuilder builder;
  for (const char* name : {"a", "b", "c", "narcissus", "under"}) builder.add_body(name, solid());
  const int parents[] = {1, 2, 0, 3, 1};
  for (int i = 0; i < 5; ++i) {
    Joint joint;
    joint.type = JointType::revolute;
    joint.parent = parents[i];
    builder.add_joint(i, joint);
  }
  EXPECT_EQ(
      faults(builder),
      (Sentences{"The joints make a loop: body \"a\" hangs on body \"b\" hangs on body \"c\" hangs on body \"a\"; "
                 "one of them must hang on something else.",
                 "Body \"narcissus\" hangs on itself; its parent must be another body."}));
}

TEST(ModelFaults, ASecondJoint) {
  ModelBuilder builder;
  builder.add_body("arm", solid());
  builder.add_joint(0, Joint());
  builder.add_joint(0, Joint());
  EXPECT_EQ(faults(builder), Sentences{"Body \"arm\" has more than one joint to a parent; a tree has one."});
}

TEST(ModelFaults, JointVectorsOfTheWrongSize) {
  Arm arm(JointType::revolute);
  arm.joint.lower = arm.joint.upper = arm.joint.damping = arm.joint.stiffness = arm.joint.rest = VectorX::Zero(2);
  const auto sentence = [](const std::string& what) {
    return "Joint \"elbow\" of body \"arm\" has 2 values of " + what +
           ", but a revolute joint has 1; give that many, or none at all.";
  };
  EXPECT_EQ(arm(), (Sentences{sentence("lower limit"), sentence("upper limit"), sentence("damping"),
                              sentence("stiffness"), sentence("rest position")}));
}

TEST(ModelFaults, LimitsWhereTheTypeHasNone) {
  for (const JointType type : {JointType::spherical, JointType::free}) {
    Arm arm(type);
    const int size = velocity_size(arm.joint);
    arm.joint.lower = VectorX::Constant(size, -1);
    arm.joint.stiffness = arm.joint.friction = VectorX::Constant(size, 1);
    const std::string rest = "which a " + joint_name(type) + " joint cannot have; leave them out.";
    EXPECT_EQ(arm(), Sentences{"Joint \"elbow\" of body \"arm\" has limits, " + rest});
  }
  Arm unlimited(JointType::spherical);
  unlimited.joint.lower = VectorX::Constant(3, -infinity);
  unlimited.joint.upper = VectorX::Constant(3, infinity);
  unlimited.joint.damping = VectorX::Constant(3, 1);
  EXPECT_EQ(unlimited(), Sentences{});
  Arm welded(JointType::fixed);
  welded.joint.damping = VectorX::Constant(1, 1);
  EXPECT_EQ(welded(), Sentences{"Joint \"elbow\" of body \"arm\" has 1 value of damping, but a fixed joint has 0; give "
                                "that many, or none at all."});
}

TEST(ModelFaults, LimitsThatLeaveNoPosition) {
  Arm crossed(JointType::revolute);
  crossed.joint.lower = VectorX::Constant(1, 2);
  crossed.joint.upper = VectorX::Constant(1, 1);
  EXPECT_EQ(crossed(), Sentences{"Joint \"elbow\" of body \"arm\" has limits 2 to 1, which leave it no position; the "
                                 "lower must not exceed the upper."});
  Arm nowhere(JointType::planar);
  nowhere.joint.lower = Vec3(-1, infinity, -1);
  nowhere.joint.upper = Vec3(nan, infinity, 1);
  EXPECT_EQ(
      nowhere(),
      (Sentences{
          "X of joint \"elbow\" of body \"arm\" has a limit that is not a number; leave it out if there is none.",
          "Y of joint \"elbow\" of body \"arm\" has limits inf to inf, which leave it no position; the lower must "
          "not exceed the upper."}));
  Arm locked(JointType::prismatic);
  locked.joint.lower = locked.joint.upper = VectorX::Constant(1, 0.3);
  EXPECT_EQ(locked(), Sentences{});
}

TEST(ModelFaults, DampingAndStiffnessBelowZeroOrNotFinite) {
  Arm arm(JointType::planar);
  arm.joint.name.clear();
  arm.joint.damping = Vec3(0, 1, -2);
  arm.joint.stiffness = Vec3(infinity, 0, 0);
  arm.joint.rest = Vec3(0, nan, 0);
  EXPECT_EQ(
      arm(),
      (Sentences{"The angle of the planar joint of body \"arm\" has damping -2; it must be finite and not negative.",
                 "X of the planar joint of body \"arm\" has stiffness inf; it must be finite and not negative.",
                 "The planar joint of body \"arm\" has a rest position that is not finite."}));
}

TEST(ModelFaults, ReflectedInertiaBelowZeroOrWhereTheTypeHasNone) {
  Arm geared(JointType::universal);
  geared.joint.reflected_inertia = Vec2(0.1, -0.2);
  EXPECT_EQ(geared(), Sentences{"The angle about y of joint \"elbow\" of body \"arm\" has reflected inertia -0.2; it "
                                "must be finite and not negative."});
  Arm arm(JointType::free);
  arm.joint.reflected_inertia = VectorX::Constant(6, 1);
  EXPECT_EQ(arm(), Sentences{"Joint \"elbow\" of body \"arm\" has a reflected inertia, which a free joint cannot have; "
                             "leave them out."});
}

TEST(ModelFaults, ARotationHasOneStiffnessAndOneReflectedInertia) {
  Arm ball(JointType::spherical);
  ball.joint.stiffness = Vec3(1, 2, 1);
  ball.joint.reflected_inertia = Vec3(1, 1, 3);
  ball.joint.friction = Vec3(1, 2, 3);
  const std::string whose = "Joint \"elbow\" of body \"arm\" has ",
                    alike = " for its rotation; the three must be alike, since its axes turn with it.";
  EXPECT_EQ(ball(),
            (Sentences{whose + "stiffness 1, 2 and 1" + alike, whose + "reflected inertia 1, 1 and 3" + alike}));
  Arm loose(JointType::free);
  loose.joint.stiffness = VectorX::Constant(6, 2);
  loose.joint.stiffness.tail<3>() << 3, 3, 4;
  EXPECT_EQ(loose(), Sentences{whose + "stiffness 3, 3 and 4 for its displacement; the three must be alike, since its "
                                       "axes turn with it."});
}

TEST(ModelFaults, PitchOfAScrewAndOfOthers) {
  const std::string whose = "Joint \"elbow\" of body \"arm\" has ";
  Arm flat(JointType::screw);
  EXPECT_EQ(flat(), Sentences{whose + "a pitch of 0; give one in metres per radian, or make it a revolute joint."});
  Arm endless(JointType::screw);
  endless.joint.pitch = infinity;
  EXPECT_EQ(endless(), Sentences{whose + "a pitch that is not finite; give one in metres per radian."});
  Arm left_handed(JointType::screw);
  left_handed.joint.pitch = -0.01;
  EXPECT_EQ(left_handed(), Sentences{});
  Arm hinge(JointType::revolute);
  hinge.joint.pitch = 0.01;
  EXPECT_EQ(hinge(), Sentences{whose + "a pitch, which a revolute joint cannot have; leave it out."});
}

/// The sentence about a joint of these twists, without its beginning; "" if there is none.
std::string twists_sentence(const Eigen::Matrix<double, 6, Eigen::Dynamic>& twists) {
  Arm arm(JointType::twists);
  arm.joint.twists = twists;
  const Sentences sentences = arm();
  if (sentences.empty()) return "";
  EXPECT_EQ(sentences.size(), 1u);
  const std::string whose = "Joint \"elbow\" of body \"arm\" has ";
  EXPECT_EQ(sentences[0].substr(0, whose.size()), whose);
  return sentences[0].substr(whose.size());
}

TEST(ModelFaults, TwistsThatAreNone) {
  EXPECT_EQ(twists_sentence(MatrixX(6, 0)), "no twists; give it one to six, or make it a fixed joint.");
  EXPECT_EQ(twists_sentence(MatrixX::Ones(6, 7)), "7 twists, but a body has only six ways to move; give at most six.");
  MatrixX twists = MatrixX::Identity(6, 3);
  EXPECT_EQ(twists_sentence(twists), "");
  twists.col(1).setZero();
  EXPECT_EQ(twists_sentence(twists), "a twist number 2 of zero, which moves nothing; leave it out.");
  twists(4, 1) = nan;
  EXPECT_EQ(twists_sentence(twists), "a twist number 2 that is not finite; give six numbers, angular part first.");
  Arm hinge(JointType::revolute);
  hinge.joint.twists = MatrixX::Identity(6, 1);
  EXPECT_EQ(hinge(), Sentences{"Joint \"elbow\" of body \"arm\" has twists, which a revolute joint cannot have; leave "
                               "them out."});
}

TEST(ModelFaults, TwistsThatDependOnEachOtherEverywhere) {
  const std::string dependent =
      "twists that depend on each other wherever the joint is, so some of its coordinates repeat others; leave those "
      "out.";
  MatrixX slides = MatrixX::Zero(6, 4);
  slides.bottomRows<3>() << 1, 0, 0, 1, 0, 1, 0, 2, 0, 0, 1, 3;
  EXPECT_EQ(twists_sentence(slides), dependent);
  EXPECT_EQ(twists_sentence(slides.leftCols<3>()), "");
  MatrixX twice = MatrixX::Zero(6, 2);
  twice.row(2) << 1, -2;
  EXPECT_EQ(twists_sentence(twice), dependent);
  // In units of any size, and with a lever of any length between parallel axes.
  for (const double size : {1e-6, 1.0, 1e6}) {
    EXPECT_EQ(twists_sentence(slides * size), dependent);
    EXPECT_EQ(twists_sentence(twice * size), dependent);
    MatrixX axes = twice;
    axes(3, 1) = size;
    EXPECT_EQ(twists_sentence(axes), "");
  }
  // Turns about x, y and x again: together only where the second has turned, but that is almost everywhere.
  MatrixX euler = MatrixX::Zero(6, 3);
  euler(0, 0) = euler(1, 1) = euler(0, 2) = 1;
  EXPECT_EQ(twists_sentence(euler), "");
  // Four turns about one point.
  MatrixX turns = MatrixX::Zero(6, 4);
  turns.topRows<3>() << 1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1;
  EXPECT_EQ(twists_sentence(turns), dependent);
}

TEST(ModelFaults, FramesThatAreNoRigidMotion) {
  Arm arm(JointType::revolute);
  arm.joint.X_PF.R(0, 0) = -1;  // a reflection
  arm.joint.X_BM.p.x() = nan;
  const std::string rest =
      " that is not a rotation and a finite point; its matrix must be orthogonal with determinant 1.";
  EXPECT_EQ(arm(), (Sentences{"Joint \"elbow\" of body \"arm\" has a frame on its parent" + rest,
                              "Joint \"elbow\" of body \"arm\" has a frame on its child" + rest}));
}

TEST(ModelFaults, HalfSpacesThatMove) {
  Joint weld;
  weld.type = JointType::fixed;
  for (const bool moves : {false, true}) {
    ModelBuilder builder;
    builder.add_material({"wood", Vec2(0.3, 0.3), 0});
    builder.add_body("ramp", solid());
    if (!moves) builder.add_joint(0, weld);
    builder.add_collider({"slope", 0, HalfSpace{}, Transform(), 0});
    const Sentences expected = {
        "Collider \"slope\" (half-space) of body \"ramp\" sits on a body that moves; a half-space must be fixed to the "
        "world."};
    EXPECT_EQ(faults(builder), moves ? expected : Sentences{});
  }
}

TEST(ModelFaults, ShapesWithAFaultAndCollidersThatNameNothing) {
  ModelBuilder builder;
  builder.add_material({"wood", Vec2(0.3, 0.3), 0});
  builder.add_body("cart", solid());
  Collider crooked{"crooked", 0, Sphere{1}, Transform(), 0};
  crooked.X_BS.R *= 1.1;
  builder.add_collider(crooked);
  builder.add_collider({"lost", 5, Sphere{1}, Transform(), 0});
  builder.add_collider({"bare", 0, Sphere{1}, Transform(), 1});
  builder.add_collider({"inside out", 0, Sphere{-1}, Transform(), 0});
  const Sentences sentences = faults(builder);
  ASSERT_EQ(sentences.size(), 4u);
  EXPECT_EQ(sentences[0],
            "Collider \"lost\" is fixed to body number 5, but the world is -1 and the model has 1 body, "
            "numbered from 0 in the order of add_body.");
  EXPECT_EQ(sentences[1],
            "Collider \"crooked\" (sphere) of body \"cart\" has a frame that is not a rotation and a finite "
            "point; its matrix must be orthogonal with determinant 1.");
  EXPECT_EQ(sentences[2],
            "Collider \"bare\" (sphere) of body \"cart\" names material 1, but the model has 1 material, "
            "numbered from 0.");
  EXPECT_EQ(sentences[3], "Collider \"inside out\" (sphere) of body \"cart\" " + shape_fault(Shape(Sphere{-1})) + ".");
}

TEST(ModelFaults, MaterialsAndPairsOfMaterials) {
  ModelBuilder builder;
  builder.add_material({"tar", Vec2(-0.1, 0.3), 0});
  builder.add_material({"flubber", Vec2(0.1, infinity), 1.2});
  builder.set_pair(0, 1, {Vec2(0.1, 0.1), -0.5});
  builder.set_pair(1, 0, {Vec2(0.1, 0.1), 0.5});
  builder.set_pair(0, 2, {});
  EXPECT_EQ(
      faults(builder),
      (Sentences{"Material \"tar\" has friction (-0.1, 0.3); both coefficients must be finite and not negative.",
                 "Material \"flubber\" has friction (0.1, inf); both coefficients must be finite and not negative.",
                 "Material \"flubber\" has restitution 1.2; it must lie between 0 and 1.",
                 "The pair of materials \"tar\" and \"flubber\" has restitution -0.5; it must lie between 0 and 1.",
                 "The pair of materials \"flubber\" and \"tar\" is named more than once; name it once.",
                 "A pair of materials names numbers 0 and 2, but the model has 2 materials, numbered from 0."}));
}

TEST(ModelFaults, NumbersThatNameNoBody) {
  ModelBuilder builder;
  builder.add_body("arm", solid());
  Joint joint;
  joint.name = "elbow";
  joint.parent = 3;
  builder.add_joint(0, joint);
  builder.add_joint(2, joint);
  builder.collide_with_parent(-1);
  builder.exclude(0, 9);
  const std::string rest = "the model has 1 body, numbered from 0 in the order of add_body.";
  EXPECT_EQ(faults(builder), (Sentences{"Joint \"elbow\" is for body number 2, but " + rest,
                                        "Body number -1 is to collide with its parent, but " + rest,
                                        "Body \"arm\" hangs on body number 3, but the world is -1 and " + rest,
                                        "Bodies number 0 and 9 are not to collide, but the world is -1 and " + rest}));
}

TEST(ModelFaults, WeldedBodiesAskedToCollide) {
  ModelBuilder builder;
  builder.add_body("door", solid());
  builder.add_body("handle", solid());
  Joint weld;
  weld.type = JointType::fixed;
  weld.parent = 0;
  builder.add_joint(1, weld);
  builder.collide_with_parent(1);
  EXPECT_EQ(faults(builder),
            Sentences{"Body \"handle\" is to collide with its parent, but a fixed joint makes them one rigid thing."});
}

TEST(ModelFaults, GravityThatIsNotFinite) {
  ModelBuilder builder;
  builder.set_gravity(Vec3(0, 0, nan));
  EXPECT_EQ(faults(builder), Sentences{"Gravity is not finite; give three numbers in m/s²."});
}

/// Two bodies, the second on a slide; a constraint between them that a test spoils.
struct Tie {
  Constraint constraint;

  explicit Tie(ConstraintKind kind) {
    constraint.name = "tie";
    constraint.kind = kind;
    constraint.body_a = 0;
    constraint.body_b = 1;
    constraint.length = constraint.radius = 1;
  }
  Sentences operator()() const {
    ModelBuilder builder;
    builder.add_body("block", solid());
    builder.add_body("slide", solid());
    Joint rail;
    rail.type = JointType::prismatic;
    builder.add_joint(1, rail);
    builder.add_constraint(constraint);
    return faults(builder);
  }
};

TEST(ModelFaults, Constraints) {
  for (const auto kind : {ConstraintKind::ball, ConstraintKind::weld, ConstraintKind::hinge, ConstraintKind::rod,
                          ConstraintKind::point_on_plane, ConstraintKind::blade, ConstraintKind::rolling}) {
    EXPECT_EQ(Tie(kind)(), Sentences{}) << constraint_name(kind);
  }
  Tie nowhere(ConstraintKind::ball);
  nowhere.constraint.body_b = 2;
  EXPECT_EQ(nowhere(), (Sentences{"Constraint \"tie\" ties body number 2, but the world is -1 and the model has 2 "
                                  "bodies, numbered from 0 in the order of add_body."}));
  Tie itself(ConstraintKind::weld);
  itself.constraint.body_b = 0;
  EXPECT_EQ(itself(), (Sentences{"Constraint \"tie\" ties body \"block\" to itself; it needs two different bodies."}));
  Tie rod(ConstraintKind::rod);
  rod.constraint.length = 0;
  EXPECT_EQ(rod(), (Sentences{"Constraint \"tie\" has length 0; it must be finite and positive."}));
  Tie disc(ConstraintKind::rolling);
  disc.constraint.radius = nan;
  disc.constraint.name = "";
  EXPECT_EQ(disc(), (Sentences{"The rolling constraint has radius nan; it must be finite and positive."}));
  Tie skew(ConstraintKind::hinge);
  skew.constraint.X_BG.R *= 2;
  EXPECT_EQ(skew(),
            (Sentences{"Constraint \"tie\" has a frame that is not a rotation and a finite point; its matrix must be "
                       "orthogonal with determinant 1."}));
  Tie coupler(ConstraintKind::coupler);
  coupler.constraint.shares = {{1, 0, 2}};  // the block flies freely: no coordinate of it is an angle or a displacement
  EXPECT_EQ(coupler(),
            (Sentences{"Constraint \"tie\" couples coordinate 0 of the joint of body \"block\", but a free joint "
                       "has 0 angles and displacements, numbered from 0."}));
}

TEST(ModelFaults, SumsOfCoordinates) {
  Tie tendon(ConstraintKind::tendon);
  tendon.constraint.shares = {{1, 0, 2}};
  tendon.constraint.upper = 0.5;
  EXPECT_EQ(tendon(), Sentences{});
  Tie endless = tendon;
  endless.constraint.upper = std::numeric_limits<double>::infinity();
  EXPECT_EQ(endless(), (Sentences{"Constraint \"tie\" has a range without ends, so it does nothing; give it a lower or "
                                  "an upper one."}));
  Tie reversed = tendon;
  reversed.constraint.lower = 1;
  EXPECT_EQ(reversed(), (Sentences{"Constraint \"tie\" has the range 1 to 0.5; its ends must be in ascending order."}));
  Tie twice = tendon;
  twice.constraint.shares.push_back({1, 0, -1});
  EXPECT_EQ(twice(),
            (Sentences{"Constraint \"tie\" adds up coordinate 0 of the joint of body \"slide\" twice; name each "
                       "once, with the sum of its ratios."}));
  Tie idle = tendon;
  idle.constraint.shares[0].ratio = 0;
  EXPECT_EQ(
      idle(),
      (Sentences{"Constraint \"tie\" has ratio 0 for the joint of body \"slide\"; it must be finite and not zero."}));
  Tie empty = tendon;
  empty.constraint.shares.clear();
  EXPECT_EQ(empty(), (Sentences{"Constraint \"tie\" is a sum of nothing; give it shares of coordinates."}));
  Tie away = tendon;
  away.constraint.shares[0].body = 2;
  EXPECT_EQ(away(), (Sentences{"Constraint \"tie\" ties body number 2, but the world is -1 and the model has 2 bodies, "
                               "numbered from 0 in the order of add_body."}));
  Tie alone(ConstraintKind::coupler);
  alone.constraint.body_a = 1;
  EXPECT_EQ(alone(), (Sentences{"Constraint \"tie\" couples a coordinate to none; give it shares of others."}));
}

TEST(ModelFaults, ConstraintsBetweenWeldedBodies) {
  ModelBuilder builder;
  builder.add_body("post", solid());
  Joint fixed;
  fixed.type = JointType::fixed;
  builder.add_joint(0, fixed);
  Constraint ball;
  ball.name = "tie";
  ball.body_a = 0;
  builder.add_constraint(ball);
  EXPECT_EQ(faults(builder),
            (Sentences{"Constraint \"tie\" ties body \"post\" to the world, but fixed joints make them one "
                       "rigid thing; it needs bodies that can move against each other."}));
}

}  // namespace
}  // namespace carom::model_faults_test
