// Shapes, inertia, friction, constraints and drives of MJCF files.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "carom/import/build.h"
#include "carom/import/mjcf.h"

namespace carom::mjcf_contacts_test {
namespace {

constexpr double pi = std::numbers::pi;

ImportedModel parsed(const std::string& inside) { return parse_mjcf("<mujoco>" + inside + "</mujoco>", "test.xml"); }

ImportedModel in_body(const std::string& inside, const std::string& before = "") {
  return parsed(before + "<worldbody><body name=\"b\"><freejoint/>" + inside + "</body></worldbody>");
}

double mass(const std::string& inside, const std::string& before = "") {
  return in_body(inside, before).links.at(0).inertia.mass;
}

const std::string ball = "<geom size=\"0.1\"/>";

TEST(MjcfShapes, SizesAndPlaces) {
  const ImportedModel model =
      in_body(R"(<geom size="2"/><geom type="capsule" size="1 2"/><geom type="cylinder" size="1 2"/>
    <geom type="box" size="1 2 3"/><geom type="ellipsoid" size="1 2 3"/><geom type="capsule" size="0.5" fromto="1 0 0 1 4 0"/>
    <geom type="box" size="0.5" fromto="0 0 0 0 0 6"/>)");
  const auto& all = model.colliders;
  ASSERT_EQ(all.size(), 7U);
  EXPECT_EQ(std::get<Sphere>(all[0].shape).radius, 2);
  EXPECT_EQ(std::get<Capsule>(all[1].shape).half_length, 2);
  EXPECT_EQ(std::get<Cylinder>(all[2].shape).radius, 1);
  EXPECT_EQ(std::get<Box>(all[3].shape).half_extents, Vec3(1, 2, 3));
  EXPECT_EQ(std::get<Ellipsoid>(all[4].shape).semi_axes, Vec3(1, 2, 3));
  EXPECT_EQ(std::get<Capsule>(all[5].shape).half_length, 2);
  EXPECT_EQ(all[5].X_BS.p, Vec3(1, 2, 0));
  EXPECT_LT((all[5].X_BS.R.col(2).cwiseAbs() - Vec3::UnitY()).norm(), 1e-15);
  EXPECT_EQ(std::get<Box>(all[6].shape).half_extents, Vec3(0.5, 0.5, 3));
}

TEST(MjcfShapes, MassOfGeoms) {
  const double volume = 4 * pi / 3 * 1e-3;
  EXPECT_NEAR(mass(ball), 1000 * volume, 1e-12);
  EXPECT_NEAR(mass("<geom size=\"0.1\" density=\"30\"/>"), 30 * volume, 1e-12);
  EXPECT_NEAR(mass("<geom size=\"0.1\" density=\"30\" mass=\"2\"/><geom size=\"0.3\" mass=\"0\"/>"), 2, 1e-12);
  EXPECT_NEAR(in_body("<geom size=\"0.1\" mass=\"2\" pos=\"3 0 0\"/>").links.at(0).inertia.central(0, 0),
              0.4 * 2 * 0.01, 1e-14);
}

TEST(MjcfShapes, WhereInertiaComesFrom) {
  const std::string inertial = "<inertial pos=\"1 2 3\" mass=\"5\" diaginertia=\"1 2 3\" euler=\"0 0 90\"/>";
  const ImportedModel said = in_body(inertial + ball);
  EXPECT_EQ(said.links.at(0).inertia.mass, 5);
  EXPECT_EQ(said.links.at(0).inertia.center, Vec3(1, 2, 3));
  EXPECT_LT((said.links.at(0).inertia.central.diagonal() - Vec3(2, 1, 3)).norm(), 1e-15);
  const std::string two = "<geom size=\"0.1\" mass=\"2\"/><geom size=\"0.1\" mass=\"3\" group=\"4\"/>";
  EXPECT_NEAR(mass(inertial + two, "<compiler inertiafromgeom=\"true\"/>"), 5, 1e-12);
  EXPECT_NEAR(mass(two, "<compiler inertiagrouprange=\"4 5\"/>"), 3, 1e-12);
  EXPECT_NEAR(mass(two, "<compiler inertiagrouprange=\"0 3\"/>"), 2, 1e-12);
  const ImportedModel full = in_body("<inertial pos=\"0 0 0\" mass=\"1\" fullinertia=\"1 2 2.5 0.1 0.2 0.3\"/>");
  EXPECT_EQ(full.links.at(0).inertia.central(0, 1), 0.1);
  EXPECT_EQ(full.links.at(0).inertia.central(0, 2), 0.2);
  EXPECT_EQ(full.links.at(0).inertia.central(1, 2), 0.3);
}

TEST(MjcfShapes, WhatTheCompilerDoesToMasses) {
  const std::string thin = "<inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 4\"/>";
  const SpatialInertia balanced = in_body(thin, "<compiler balanceinertia=\"true\"/>").links.at(0).inertia;
  EXPECT_LT((balanced.central - 2 * Mat3::Identity()).norm(), 1e-14);
  const SpatialInertia bounded = in_body(thin, "<compiler boundmass=\"3\" boundinertia=\"2.5\"/>").links.at(0).inertia;
  EXPECT_EQ(bounded.mass, 3);
  EXPECT_LT((bounded.central.diagonal() - Vec3(2.5, 2.5, 4)).norm(), 1e-14);
  const std::string pair = "<geom size=\"0.1\" mass=\"2\"/><body><joint/><geom size=\"0.1\" mass=\"6\"/></body>";
  const ImportedModel scaled = in_body(pair, "<compiler settotalmass=\"4\"/>");
  EXPECT_NEAR(scaled.links.at(0).inertia.mass, 1, 1e-14);
  EXPECT_NEAR(scaled.links.at(1).inertia.mass, 3, 1e-14);
  EXPECT_NEAR(scaled.links.at(1).inertia.central(2, 2), 0.4 * 3 * 0.01, 1e-15);
}

TEST(MjcfShapes, VisualGeomsWeighButDoNotTouch) {
  const std::string unseen = "<geom type=\"mesh\" mesh=\"gone\" contype=\"0\" conaffinity=\"0\"/>";
  const std::string asset = "<asset><mesh name=\"gone\" file=\"gone.stl\"/></asset>";
  const ImportedModel model = in_body("<geom size=\"0.1\" mass=\"2\" contype=\"0\" conaffinity=\"0\"/>");
  EXPECT_TRUE(model.colliders.empty());
  EXPECT_NEAR(model.links.at(0).inertia.mass, 2, 1e-14);
  EXPECT_NO_THROW(in_body("<inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 1\"/>" + unseen, asset));
  EXPECT_THROW(in_body(ball + unseen, asset), ImportError);
}

TEST(MjcfShapes, APlaneIsAHalfSpaceOfTheWorld) {
  const ImportedModel model = parsed(
      "<worldbody><geom type=\"plane\" size=\"1 1 .1\" zaxis=\"0 1 1\"/><body name=\"still\" pos=\"0 0 1\">"
      "<geom type=\"plane\" size=\"0 0 1\"/></body></worldbody>");
  ASSERT_EQ(model.colliders.size(), 2U);
  EXPECT_TRUE(std::holds_alternative<HalfSpace>(model.colliders[0].shape));
  EXPECT_EQ(model.colliders[1].body, -1);
  EXPECT_EQ(model.colliders[1].X_BS.p, Vec3(0, 0, 1));
}

TEST(MjcfContacts, GroupsAreContypeAndConaffinity) {
  const ImportedModel model = in_body("<geom size=\"0.1\" contype=\"5\" conaffinity=\"2\"/>");
  EXPECT_EQ(model.colliders.at(0).groups, 5U);
  EXPECT_EQ(model.colliders.at(0).collides_with, 2U);
}

TEST(MjcfContacts, ParentsAndTheWorld) {
  const std::string bodies = "<worldbody><body name=\"a\"><joint/>" + ball + "<body name=\"b\"><joint/>" + ball +
                             "</body></body></worldbody><contact><exclude body1=\"b\" body2=\"world\"/></contact>";
  const ImportedModel model = parsed(bodies);
  EXPECT_TRUE(model.links.at(0).collides_with_parent);
  EXPECT_FALSE(model.links.at(1).collides_with_parent);
  EXPECT_EQ(model.excluded, (std::vector<std::pair<int, int>>{{1, -1}}));
  EXPECT_TRUE(parsed("<option><flag filterparent=\"disable\"/></option>" + bodies).links.at(1).collides_with_parent);
  EXPECT_TRUE(parsed("<option><flag contact=\"disable\"/></option>" + bodies).colliders.empty());
}

/// μ of two spheres on two bodies.
double friction(const std::string& a, const std::string& b) {
  const ImportedModel model = parsed("<worldbody><body><freejoint/><geom size=\"1\" " + a +
                                     "/></body><body><freejoint/>" + "<geom size=\"1\" " + b + "/></body></worldbody>");
  const Model built = builder_of(model).build();
  const auto& all = built.colliders();
  return built.contact_material(all.at(0).material, all.at(1).material).friction[0];
}

TEST(MjcfContacts, FrictionIsTheLargerUnlessOneHasPriority) {
  EXPECT_EQ(friction("", ""), 1);
  EXPECT_EQ(friction("friction=\"0.3\"", "friction=\"0.5\""), 0.5);
  EXPECT_EQ(friction("friction=\"0.3\" condim=\"1\"", "friction=\"0.1\""), 0.3);
  EXPECT_EQ(friction("friction=\"0.3\" condim=\"1\"", "friction=\"0.5\" condim=\"1\""), 0);
  EXPECT_EQ(friction("friction=\"0.3\" priority=\"1\"", "friction=\"0.5\""), 0.3);
  EXPECT_EQ(friction("friction=\"0.3\"", "friction=\"0.5\" condim=\"1\" priority=\"1\""), 0);
}

TEST(MjcfConstraints, ConnectWeldAndJoint) {
  const ImportedModel model = parsed(R"(<worldbody>
    <body name="a" pos="1 0 0" euler="0 0 90"><joint name="x" ref="30"/><geom size="0.1"/><site name="s" pos="0 0 1"/></body>
    <body name="b" pos="0 2 0"><joint name="y" type="slide" ref="0.5"/><geom size="0.1"/><site name="t"/></body></worldbody>
    <equality><connect name="c" body1="a" body2="b" anchor="1 0 0"/><weld body1="a"/>
    <weld body1="a" body2="b" relpose="1 2 3 0 1 0 0"/><weld site1="s" site2="t"/>
    <joint joint1="y" joint2="x" polycoef="0.1 2"/><joint joint1="x" polycoef="0.1"/><connect body1="a" anchor="0 0 0" active="false"/>
    </equality>)");
  const auto& all = model.constraints;
  ASSERT_EQ(all.size(), 6U);
  EXPECT_EQ(all[0].kind, ConstraintKind::ball);
  EXPECT_EQ(all[0].name, "c");
  EXPECT_EQ(all[0].X_AF.p, Vec3(1, 0, 0));
  EXPECT_LT((all[0].X_BG.p - Vec3(1, -1, 0)).norm(), 1e-15);
  EXPECT_EQ(all[1].kind, ConstraintKind::weld);
  EXPECT_EQ(all[1].body_b, -1);
  const Transform X_WA{Eigen::AngleAxisd(pi / 2, Vec3::UnitZ()).toRotationMatrix(), Vec3(1, 0, 0)};
  EXPECT_LT((X_WA * all[1].X_AF.p - all[1].X_BG.p).norm() + (X_WA.R * all[1].X_AF.R - all[1].X_BG.R).norm(), 1e-14);
  EXPECT_EQ(all[2].X_AF.p, Vec3(1, 2, 3));
  EXPECT_EQ(all[3].X_AF.p, Vec3(0, 0, 1));
  EXPECT_EQ(all[4].kind, ConstraintKind::coupler);
  // y − 0.5 = 0.1 + 2 (x − π/6)
  EXPECT_EQ(all[4].body_a, 1);
  EXPECT_EQ(all[4].shares[0].ratio, 2);
  EXPECT_NEAR(all[4].offset, 0.6 - pi / 3, 1e-15);
  EXPECT_EQ(all[5].kind, ConstraintKind::motion);
  EXPECT_NEAR(all[5].target.at(3), 0.1 + pi / 6, 1e-15);
  static_cast<void>(builder_of(model).build());
}

TEST(MjcfConstraints, ATendonBetweenTwoSitesIsARope) {
  const ImportedModel model =
      parsed("<worldbody><site name=\"w\" pos=\"0 0 2\"/><body><freejoint/>" + ball +
             "<site name=\"s\" pos=\"0 0 0.1\"/></body></worldbody><tendon><spatial name=\"r\" range=\"0 1.5\">"
             "<site site=\"w\"/><site site=\"s\"/></spatial></tendon>");
  ASSERT_EQ(model.constraints.size(), 1U);
  EXPECT_EQ(model.constraints[0].kind, ConstraintKind::rope);
  EXPECT_EQ(model.constraints[0].length, 1.5);
  EXPECT_EQ(model.constraints[0].body_a, -1);
  EXPECT_EQ(model.constraints[0].X_BG.p, Vec3(0, 0, 0.1));
  static_cast<void>(builder_of(model).build());
}

std::vector<Drive> drives(const std::string& actuators, const std::string& joint = "") {
  return parsed("<worldbody><body><joint axis=\"1 0 0\"/><joint name=\"x\" " + joint + "/>" + ball +
                "</body></worldbody><actuator>" + actuators + "</actuator>")
      .drives;
}

TEST(MjcfDrives, ServosHoldWithoutControl) {
  const Drive servo =
      drives("<position name=\"p\" joint=\"x\" kp=\"10\" kv=\"2\" gear=\"3\" forcerange=\"-4 4\"/>").at(0);
  EXPECT_EQ(servo.kind, DriveKind::servo);
  EXPECT_EQ(servo.name, "p");
  EXPECT_EQ(servo.coordinate, 1);
  EXPECT_EQ(servo.stiffness, 90);
  EXPECT_EQ(servo.damping, 18);
  EXPECT_EQ(servo.limit, 12);
  EXPECT_EQ(servo.value.at(0), 0);
  EXPECT_EQ(drives("<velocity joint=\"x\" kv=\"2\"/>").at(0).damping, 2);
  EXPECT_EQ(drives("<position joint=\"x\" kp=\"10\"/>", "actuatorfrcrange=\"-3 3\"").at(0).limit, 3);
  EXPECT_NEAR(drives("<position joint=\"x\" kp=\"10\" ctrlrange=\"-2 -0.5\"/>").at(0).value.at(0), -0.5, 1e-15);
  EXPECT_TRUE(drives("<motor joint=\"x\" gear=\"100\"/><damper joint=\"x\" kv=\"3\" ctrlrange=\"0 1\"/>").empty());
  EXPECT_EQ(drives("<motor joint=\"x\" gear=\"2\" ctrlrange=\"3 4\"/>").at(0).value.at(0), 6);
}

TEST(MjcfDrives, AJointsRangeOfForcesIsItsEffort) {
  const auto effort = [](const std::string& range) {
    return parse_mjcf("<mujoco><worldbody><body><joint name='x' " + range +
                          "/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/></body></worldbody></mujoco>",
                      "model.xml")
        .links[0]
        .joint->effort[0];
  };
  EXPECT_EQ(effort("actuatorfrcrange='-7 7'"), 7);
  EXPECT_EQ(effort("actuatorfrcrange='-7 3'"), std::numeric_limits<double>::infinity());
  EXPECT_EQ(effort(""), std::numeric_limits<double>::infinity());
}

TEST(MjcfDrives, TheFlagSwitchesThemOff) {
  const ImportedModel model =
      parsed("<option><flag actuation=\"disable\"/></option><worldbody><body><joint name=\"x\"/>" + ball +
             "</body></worldbody><actuator><position joint=\"x\"/></actuator>");
  EXPECT_TRUE(model.drives.empty());
  EXPECT_EQ(model.unused.size(), 1U);
}

TEST(BuilderOf, ShapesWithoutMaterialHaveNoFriction) {
  ImportedModel model = in_body(ball);
  model.materials.clear();
  model.pairs.clear();
  model.colliders.at(0).material = -1;
  const Model built = builder_of(model).build();
  EXPECT_EQ(built.contact_material(0, 0).friction, Vec2(0, 0));
  EXPECT_EQ(built.bodies().at(0).name, "b");
  EXPECT_EQ(built.gravity(), Vec3(0, 0, -9.81));
}

}  // namespace
}  // namespace carom::mjcf_contacts_test
