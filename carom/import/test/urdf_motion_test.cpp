// Parts of URDF that say how links move beside joints: gravity and springs under <gazebo>, roots without mass, rotors,
// and Drake's joints and loops. Each is compared with the same thing said another way.

#include <gtest/gtest.h>

#include <numbers>
#include <string>

#include "carom/import/test/tree_walk.h"
#include "carom/import/urdf.h"

namespace carom::urdf_motion_test {
namespace {

const std::string body =
    "<inertial><origin xyz='0.1 0.2 0.3'/><mass value='2'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/>"
    "</inertial>";

std::string link(const std::string& name, const std::string& inside = body) {
  return "<link name='" + name + "'>" + inside + "</link>\n";
}

std::string joint(const std::string& name, const std::string& type, const std::string& parent, const std::string& child,
                  const std::string& inside = "", const std::string& tag = "joint") {
  return "<" + tag + " name='" + name + "' type='" + type + "'><parent link='" + parent + "'/><child link='" + child +
         "'/>" + inside + "</" + tag + ">\n";
}

ImportedModel robot(const std::string& inside, const ImportOptions& options = {}) {
  return parse_urdf("<robot name='r'>\n" + inside + "</robot>", "robot.urdf", options);
}

std::string refusal(const std::string& inside) {
  try {
    static_cast<void>(robot(inside));
  } catch (const ImportError& error) {
    return error.what();
  }
  return "";
}

void expect_same_joint(const Joint& a, const Joint& b) {
  EXPECT_EQ(a.type, b.type);
  EXPECT_EQ(a.parent, b.parent);
  EXPECT_EQ(a.X_PF.R, b.X_PF.R);
  EXPECT_EQ(a.X_PF.p, b.X_PF.p);
  EXPECT_EQ(a.X_BM.R, b.X_BM.R);
  EXPECT_EQ(a.X_BM.p, b.X_BM.p);
}

TEST(UrdfMotion, ARootThatWeighsNothingStandsAsIfItWereFixed) {
  const std::string zero =
      "<inertial><mass value='0'/><inertia ixx='0' ixy='0' ixz='0' iyy='0' iyz='0' izz='0'/></inertial>";
  const std::string shape = "<collision><geometry><box size='1 1 1'/></geometry></collision>";
  const std::string moments =  // Bullet's files have such bases
      "<inertial><mass value='0'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial>";
  for (const std::string& base : {std::string(), zero, shape, zero + shape, moments}) {
    const std::string arm =
        link("base", base) + link("arm") + joint("j", "continuous", "base", "arm", "<origin xyz='1 2 3' rpy='1 0 0'/>");
    ImportOptions fixed;
    fixed.fixed_base = true;
    const ImportedModel told = robot(arm, fixed), found = robot(arm);
    ASSERT_EQ(found.links.size(), 1u);
    expect_same_joint(*found.links[0].joint, *told.links[0].joint);
    EXPECT_EQ(found.colliders.size(), told.colliders.size());
    for (const Collider& collider : found.colliders) EXPECT_EQ(collider.body, -1);
    EXPECT_TRUE(told.warnings.empty());
    ASSERT_EQ(found.warnings.size(), 1u);
    EXPECT_EQ(found.warnings[0].line, 2);
  }
}

TEST(UrdfMotion, AStaticRobotIsFixedAndSaysSo) {
  const std::string arm = link("a") + link("b") + joint("j", "continuous", "a", "b");
  ImportOptions fixed;
  fixed.fixed_base = true;
  const ImportedModel found = robot(arm + "<gazebo><static>true</static></gazebo>"), told = robot(arm, fixed);
  ASSERT_EQ(found.links.size(), told.links.size());
  expect_same_joint(*found.links[0].joint, *told.links[0].joint);
  EXPECT_EQ(found.warnings.size(), 1u);
  EXPECT_NE(refusal(arm + "<gazebo reference='b'><static>true</static></gazebo>").find("fix that link"),
            std::string::npos);
}

// The weight of a link without gravity is carried at its centre of mass. Gravity's force on the mechanism is that on
// the other links alone.
TEST(UrdfMotion, GravityDoesNotActOnALinkWithoutIt) {
  const std::string arm = link("a") + link("b") + joint("j", "fixed", "a", "b", "<origin xyz='0 0 1' rpy='0 1 0'/>");
  for (const std::string off : {"<turnGravityOff>true</turnGravityOff>", "<gravity>0</gravity>"}) {
    ImportedModel found = robot(arm + "<gazebo reference='b'>" + off + "</gazebo>");
    const Vec3 gravity(0.3, -1, -9);
    ASSERT_EQ(found.links.size(), 1u);
    ASSERT_EQ(found.lifts.size(), 1u);
    const AppliedWrench lift = wrench_of(found.lifts[0], gravity);
    EXPECT_EQ(lift.force, Vec3(-2 * gravity));
    const Transform X_AB = found.frames.at(0).X_BF;
    EXPECT_LT((lift.point - X_AB * Vec3(0.1, 0.2, 0.3)).norm(), 1e-15);
  }
  EXPECT_TRUE(robot(arm + "<gazebo reference='b'><gravity>true</gravity></gazebo>").lifts.empty());
  EXPECT_EQ(robot(arm + "<gazebo reference='other'><gravity>false</gravity></gazebo>").warnings.size(), 1u);
}

TEST(UrdfMotion, ASpringOfGazeboIsTheJointsSpring) {
  const std::string arm =
      link("a") + link("b") + link("c") + joint("j", "continuous", "a", "b") + joint("f", "floating", "a", "c");
  const std::string spring = "<springStiffness>7.5</springStiffness><springReference value='0.25'/></gazebo>";
  const Joint made = *robot(arm + "<gazebo reference='j'>" + spring).links.at(1).joint;
  EXPECT_EQ(made.stiffness, VectorX::Constant(1, 7.5));
  EXPECT_EQ(made.rest, VectorX::Constant(1, 0.25));
  EXPECT_NE(refusal(arm + "<gazebo reference='f'>" + spring).find("have one spring"), std::string::npos);
}

TEST(UrdfMotion, ARotorBehindAGearCountsItsRatioSquared) {
  const std::string arm = link("a") + link("b") + joint("j", "continuous", "a", "b");
  const std::string rotor =
      "<transmission><joint name='j'/><actuator name='m'><drake:gear_ratio value='20'/><drake:rotor_inertia "
      "value='0.003'/></actuator></transmission>";
  EXPECT_NEAR(robot(arm + rotor).links.at(1).joint->reflected_inertia[0], 400 * 0.003, 1e-15);
}

// Two rods on the world meet at their ends, however their frames lie.
TEST(UrdfMotion, ALoopJointIsAHingeWhereItsFramesMeet) {
  const std::string rods = link("world", "") + link("a") + link("b") + joint("j", "continuous", "world", "a") +
                           joint("k", "continuous", "world", "b", "<origin xyz='0 1 0' rpy='0.3 0 0'/>");
  const ImportedModel model =
      robot(rods +
            "<loop_joint name='l' type='continuous'><link1 link='a' xyz='0 0.5 0.2' rpy='0 0 0.4'/>"
            "<link2 link='b' xyz='0 -0.5 0.1'/><axis xyz='2 1 0'/></loop_joint>");
  ASSERT_EQ(model.constraints.size(), 1u);
  const Constraint& hinge = model.constraints[0];
  EXPECT_EQ(hinge.kind, ConstraintKind::hinge);
  EXPECT_EQ(model.links[hinge.body_a].name, "a");
  EXPECT_EQ(model.links[hinge.body_b].name, "b");
  EXPECT_EQ(hinge.X_AF.p, Vec3(0, 0.5, 0.2));
  const Vec3 axis = Vec3(2, 1, 0).normalized();
  EXPECT_LT((hinge.X_AF.R.col(2) - Eigen::AngleAxisd(0.4, Vec3::UnitZ()) * axis).norm(), 1e-14);
  EXPECT_LT((hinge.X_BG.R.col(2) - axis).norm(), 1e-14);
  EXPECT_NE(refusal(rods + "<loop_joint name='l' type='continuous'><link1 link='a'/><link2 link='c'/></loop_joint>")
                .find("\"c\", which is not in this file"),
            std::string::npos);
}

TEST(UrdfMotion, ABallConstraintHoldsTwoPointsTogether) {
  const std::string start = "<drake:ball_constraint_", rods = link("world", "") + link("a") + link("b") +
                                                              joint("j", "continuous", "world", "a") +
                                                              joint("k", "continuous", "world", "b");
  const ImportedModel model =
      robot(rods + "<drake:ball_constraint>" + start + "body_A name='a'/>" + start + "p_AP value='1 2 3'/>" + start +
            "body_B name='world'/>" + start + "p_BQ value='4 5 6'/></drake:ball_constraint>");
  ASSERT_EQ(model.constraints.size(), 1u);
  EXPECT_EQ(model.constraints[0].kind, ConstraintKind::ball);
  EXPECT_EQ(model.links[model.constraints[0].body_a].name, "a");
  EXPECT_EQ(model.constraints[0].body_b, -1);
  EXPECT_EQ(model.constraints[0].X_AF.p, Vec3(1, 2, 3));
  EXPECT_EQ(model.constraints[0].X_BG.p, Vec3(4, 5, 6));
}

TEST(UrdfMotion, ASpringPullsTwoPoints) {
  const std::string rods = link("world", "") + link("a") + link("b") + joint("j", "continuous", "world", "a") +
                           joint("k", "continuous", "a", "b");
  const auto part = [](const std::string& end, const std::string& attribute, const std::string& value) {
    return "<drake:linear_spring_damper_" + end + " " + attribute + "='" + value + "'/>";
  };
  const auto spring = [&](const std::string& stiffness) {
    return rods + "<drake:linear_spring_damper>" + part("body_A", "name", "b") + part("p_AP", "value", "1 2 3") +
           part("body_B", "name", "world") + part("p_BQ", "value", "4 5 6") + part("free_length", "value", "0.7") +
           part("stiffness", "value", stiffness) + part("damping", "value", "3") + "</drake:linear_spring_damper>";
  };
  const ImportedModel model = robot(spring("80"));
  ASSERT_EQ(model.constraints.size(), 1u);
  const Constraint& read = model.constraints[0];
  EXPECT_EQ(read.kind, ConstraintKind::spring);
  EXPECT_EQ(model.links[read.body_a].name, "b");
  EXPECT_EQ(read.body_b, -1);
  EXPECT_EQ(read.X_AF.p, Vec3(1, 2, 3));
  EXPECT_EQ(read.X_BG.p, Vec3(4, 5, 6));
  EXPECT_EQ(Vec3(read.length, read.stiffness, read.damping), Vec3(0.7, 80, 3));
  EXPECT_NE(refusal(spring("-80")).find("_stiffness> is negative"), std::string::npos);
}

TEST(UrdfMotion, ForceElementsAreSprings) {
  const std::string rods = link("world", "") + link("a") + link("b") + joint("j", "continuous", "world", "a") +
                           joint("k", "continuous", "a", "b");
  const std::string start = "<force_element name='f'>", end = "</force_element>";
  const auto torsion = [&](const std::string& said) { return rods + start + "<torsional_spring " + said + end; };
  const ImportedModel turned = robot(torsion("stiffness='80' rest_angle='0.3'><joint name='k'/></torsional_spring>"));
  EXPECT_EQ(turned.links[0].joint->stiffness.size(), 0);
  EXPECT_EQ(turned.links[1].joint->stiffness, VectorX::Constant(1, 80));
  EXPECT_EQ(turned.links[1].joint->rest, VectorX::Constant(1, 0.3));
  EXPECT_NE(refusal(torsion("stiffness='80'><joint name='none'/></torsional_spring>")).find("not in this file"),
            std::string::npos);
  const std::string twice = "stiffness='80'><joint name='k'/></torsional_spring>";
  EXPECT_NE(refusal(torsion(twice + end + start + "<torsional_spring " + twice)).find("a spring already"),
            std::string::npos);

  const auto straight = [&](const std::string& stiffness) {
    return rods + start + "<linear_spring_damper rest_length='0.7' damping='3' stiffness='" + stiffness +
           "'><link1 link='b' xyz='1 2 3'/><link2 link='world' xyz='4 5 6'/></linear_spring_damper>" + end;
  };
  const ImportedModel pulled = robot(straight("80"));
  ASSERT_EQ(pulled.constraints.size(), 1u);
  const Constraint& read = pulled.constraints[0];
  EXPECT_EQ(read.kind, ConstraintKind::spring);
  EXPECT_EQ(read.name, "f");
  EXPECT_EQ(pulled.links[read.body_a].name, "b");
  EXPECT_EQ(read.body_b, -1);
  EXPECT_EQ(read.X_AF.p, Vec3(1, 2, 3));
  EXPECT_EQ(read.X_BG.p, Vec3(4, 5, 6));
  EXPECT_EQ(Vec3(read.length, read.stiffness, read.damping), Vec3(0.7, 80, 3));
  EXPECT_NE(refusal(straight("-80")).find("negative"), std::string::npos);
  EXPECT_NE(refusal(rods + start + "<bungee/>" + end).find("<force_element> is a force that Carom does not have"),
            std::string::npos);
}

TEST(UrdfMotion, SpheresOfRadiusZeroArePoints) {
  const auto foot = [](const std::string& radius) {
    return "<link name='foot'><inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/>"
           "</inertial><collision><geometry><sphere " +
           radius + "/></geometry></collision></link>";
  };
  const ImportedModel model = robot(foot("radius='0'"));
  ASSERT_EQ(model.colliders.size(), 1u);
  EXPECT_EQ(std::get<Sphere>(model.colliders[0].shape).radius, 0);
  EXPECT_TRUE(model.warnings.empty());
  EXPECT_NE(refusal(foot("")).find("radius"), std::string::npos);
  EXPECT_NE(refusal(foot("radius='-1'")).find("must be positive"), std::string::npos);
}

/// Pose of the child of a joint of the type at random origins and coordinates, as parsed.
Transform pose_of(const std::string& type, const std::string& inside, const VectorX& q) {
  const ImportedModel model =
      robot(link("world", "") + link("b") +
            joint("j", type, "world", "b", "<origin xyz='1 2 3' rpy='0.2 0 0'/>" + inside, "drake:joint"));
  return motion_of_child(*model.links.at(0).joint, {}, q, VectorX()).X_WB;
}

TEST(UrdfMotion, DrakesJointsMoveAsItsManualSays) {
  const Transform X{Eigen::AngleAxisd(0.2, Vec3::UnitX()).toRotationMatrix(), {1, 2, 3}};
  const auto turn = [](double angle, const Vec3& axis) {
    return Transform{Eigen::AngleAxisd(angle, axis).toRotationMatrix(), Vec3::Zero()};
  };
  const auto expect = [](const Transform& a, const Transform& b) {
    EXPECT_LT((a.R - b.R).norm() + (a.p - b.p).norm(), 1e-14);
  };
  expect(pose_of("universal", "<dynamics damping='1'/>", Vec2(0.7, -0.4)),
         X * turn(0.7, Vec3::UnitX()) * turn(-0.4, Vec3::UnitY()));
  expect(pose_of("planar", "<dynamics damping='1 2 3'/>", Vec3(0.7, -0.4, 1.1)),
         X * Transform{Mat3::Identity(), {0.7, -0.4, 0}} * turn(1.1, Vec3::UnitZ()));
  const Vec3 axis = Vec3(1, 2, 2) / 3;
  expect(pose_of("screw", "<axis xyz='1 2 2'/><drake:screw_thread_pitch value='0.5'/>",
                 VectorX(VectorX::Constant(1, std::numbers::pi))),
         X * Transform{turn(std::numbers::pi, axis).R, 0.25 * axis});
  const ImportedModel ball =
      robot(link("a") + link("b") + joint("j", "ball", "a", "b", "<dynamics damping='0.5'/>", "drake:joint"));
  EXPECT_EQ(ball.links.at(1).joint->type, JointType::spherical);
  EXPECT_EQ(ball.links.at(1).joint->damping, VectorX::Constant(3, 0.5));
}

TEST(UrdfMotion, ShapesOfDrakeAndBullet) {
  const auto shape = [](const std::string& geometry, const std::string& inertial = body) {
    return robot(link("a", inertial + "<collision><geometry>" + geometry + "</geometry></collision>")).colliders.at(0);
  };
  EXPECT_EQ(std::get<Ellipsoid>(shape("<drake:ellipsoid a='1' b='2' c='3'/>").shape).semi_axes, Vec3(1, 2, 3));
  EXPECT_EQ(std::get<Capsule>(shape("<drake:capsule radius='1' length='4'/>").shape).half_length, 2);
  const Collider plane = shape("<plane normal='0 3 4'/>", "");
  EXPECT_TRUE(std::holds_alternative<HalfSpace>(plane.shape));
  EXPECT_LT((plane.X_BS.R.col(2) - Vec3(0, 0.6, 0.8)).norm(), 1e-15);
  EXPECT_NE(refusal(link("a", body + "<collision><geometry><plane normal='0 0 1'/></geometry></collision>"))
                .find("fills half of space"),
            std::string::npos);
}

std::string ball(const std::string& inside) {
  return "<collision><geometry><sphere radius='0.1'/></geometry>" + inside + "</collision>";
}

/// Drake's coefficient is the shape's own, above that of the link.
TEST(UrdfDrake, FrictionOfAShapeStandsAboveThatOfTheLink) {
  const auto mu = [](const std::string& name, const std::string& value) {
    return "<drake:" + name + " value='" + value + "'/>";
  };
  const ImportedModel model = robot(
      link("a", body +
                    ball("<drake:proximity_properties>" + mu("mu_static", "0.4") + mu("mu_dynamic", "0.4") +
                         "</drake:proximity_properties>") +
                    ball("<drake:proximity_properties>" + mu("mu_static", "0.7") + "</drake:proximity_properties>") +
                    ball("") + "<contact><lateral_friction value='0.2'/></contact>"));
  ASSERT_EQ(model.colliders.size(), 3u);
  const auto friction = [&](int i) {
    return model.materials[static_cast<std::size_t>(model.colliders[static_cast<std::size_t>(i)].material)].friction;
  };
  EXPECT_EQ(friction(0), Vec2(0.4, 0.4));
  EXPECT_EQ(friction(1), Vec2(0.7, 0.7));
  EXPECT_EQ(friction(2), Vec2(0.2, 0.2));
  EXPECT_TRUE(model.unused.empty());
  // Another coefficient at rest is not used, and says so.
  const ImportedModel other = robot(link("a", body + ball("<drake:proximity_properties>" + mu("mu_static", "0.9") +
                                                          mu("mu_dynamic", "0.4") + "</drake:proximity_properties>")));
  EXPECT_EQ(other.materials.at(0).friction, Vec2(0.4, 0.4));
  EXPECT_EQ(other.unused.size(), 1u);
}

TEST(UrdfDrake, GroupsKeepLinksFromTouching) {
  const std::string links = link("a") + link("b") + link("c") + link("d") + joint("j", "continuous", "a", "b") +
                            joint("k", "continuous", "b", "c") + joint("l", "continuous", "c", "d");
  const auto group = [](const std::string& name, const std::string& inside) {
    return "<drake:collision_filter_group name='" + name + "'>" + inside + "</drake:collision_filter_group>";
  };
  const auto member = [](const std::string& name) { return "<drake:member link='" + name + "'/>"; };
  const auto ignores = [](const std::string& name) {
    return "<drake:ignored_collision_filter_group name='" + name + "'/>";
  };
  const ImportedModel model = robot(links + group("left", member("d") + member("a") + ignores("right")) +
                                    group("right", member("c") + ignores("right")));
  using Pairs = std::vector<std::pair<int, int>>;
  EXPECT_EQ(model.excluded, (Pairs{{0, 2}, {2, 3}}));
  EXPECT_TRUE(model.unused.empty());
  EXPECT_NE(refusal(links + group("left", member("x"))).find("no link \"x\""), std::string::npos);
  EXPECT_NE(refusal(links + group("left", ignores("up"))).find("no group \"up\""), std::string::npos);
}

}  // namespace
}  // namespace carom::urdf_motion_test
