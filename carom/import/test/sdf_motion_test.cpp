// SDFormat's mechanics beside joints in a tree: couplers, gears, loops in any order, links without gravity, inertia by
// density, and defaults of omitted parts.

#include <numbers>

#include "carom/import/test/sdf_text.h"

namespace carom::sdf_motion_test {
namespace {

using test::axis;
using test::exact;
using test::joint;
using test::link;
using test::model;

Constraint only_coupler(const ImportedModel& read) {
  EXPECT_EQ(read.constraints.size(), 1u);
  return read.constraints.at(0);
}

TEST(SdfMotion, NewerVersionsSayTheSame) {
  const std::string arm = link("a") + link("b", "<pose>0 0 1 0.1 0 0</pose>") + joint("revolute", axis("0 1 0"));
  const ImportedModel old = model(arm, "1.9");
  for (const char* version : {"1.10", "1.11", "1.12"}) {
    const ImportedModel read = model(arm, version);
    ASSERT_EQ(read.links.size(), old.links.size());
    EXPECT_EQ(read.links[1].joint->X_PF.R, old.links[1].joint->X_PF.R);
    EXPECT_EQ(read.links[1].joint->X_BM.p, old.links[1].joint->X_BM.p);
    EXPECT_TRUE(read.warnings.empty());
  }
}

TEST(SdfMotion, AMimickingAxisFollowsAsTheFormatSays) {
  const std::string leader = joint("universal", axis("1 0 0", "<initial_position>0.4</initial_position>") +
                                                    "<axis2><xyz>0 1 0</xyz><initial_position>-0.5</initial_position>"
                                                    "</axis2>");
  const auto follower = [&](const std::string& of) {
    const std::string mimic = "<mimic joint='j'" + of +
                              "><multiplier>3</multiplier><offset>0.1</offset>"
                              "<reference>0.2</reference></mimic>";
    return model(link("a") + link("b") + link("c") + leader + joint("prismatic", axis("0 0 1", mimic), "a", "c", "k"),
                 "1.11");
  };
  for (const auto& [of, start, coordinate] : {std::tuple("", 0.4, 0), std::tuple(" axis='axis2'", -0.5, 1)}) {
    const ImportedModel read = follower(of);
    const Constraint coupler = only_coupler(read);
    EXPECT_EQ(coupler.kind, ConstraintKind::coupler);
    EXPECT_EQ(read.links[coupler.body_a].name, "c");
    EXPECT_EQ(read.links[coupler.shares[0].body].name, "b");
    EXPECT_EQ(coupler.shares[0].coordinate, coordinate);
    const double expected = 3 * (start - 0.2) + 0.1;
    EXPECT_NEAR(coupler.shares[0].ratio * start + coupler.offset, expected, exact);
    EXPECT_NEAR(read.links[coupler.body_a].position[0], expected, exact) << "starts where it belongs";
  }
}

TEST(SdfMotion, DrakesMimicIsTheSameOfAJoint) {
  const ImportedModel read =
      model(link("a") + link("b") + link("c") + joint("revolute", axis("1 0 0")) +
            joint("revolute", axis("0 1 0") + "<drake:mimic joint='j' multiplier='-2' offset='0.3'/>", "b", "c", "k"));
  const Constraint coupler = only_coupler(read);
  EXPECT_EQ(read.links[coupler.body_a].name, "c");
  EXPECT_EQ(coupler.shares[0].ratio, -2);
  EXPECT_EQ(coupler.offset, 0.3);
}

// θ₂ = −ratio θ₁ with angles about the gearbox's own axes, relative to the reference. Reversing an axis, or the order
// of a joint's links, changes the signs of the coordinates' effect but not the angles.
TEST(SdfMotion, AGearboxTiesTheAnglesOfItsGears) {
  struct Gears {
    const char *axis, *axis2;    // of the gearbox
    const char *parent, *child;  // of the first gear's joint
    double ratio;                // of dq_c / dq_b
  };
  for (const Gears& gears : {Gears{"0 0 1", "0 0 1", "a", "b", -2.5}, Gears{"0 0 -1", "0 0 1", "a", "b", 2.5},
                             Gears{"0 0 1", "0 0 -1", "a", "b", 2.5}, Gears{"0 0 1", "0 0 1", "b", "a", 2.5}}) {
    const ImportedModel read =
        model(link("a") + link("b") + link("c") + joint("revolute", axis("0 0 1"), gears.parent, gears.child) +
              joint("revolute", axis("0 0 1"), "a", "c", "k") +
              joint("gearbox",
                    axis(gears.axis) + "<axis2><xyz>" + gears.axis2 +
                        "</xyz></axis2><gearbox_ratio>2.5"
                        "</gearbox_ratio><gearbox_reference_body>a</gearbox_reference_body>",
                    "b", "c", "g"));
    const Constraint coupler = only_coupler(read);
    EXPECT_EQ(read.links[coupler.body_a].name, "c");
    EXPECT_EQ(coupler.shares[0].ratio, gears.ratio);
    EXPECT_EQ(coupler.offset, 0);
  }
}

TEST(SdfMotion, TheJointThatClosesALoopIsOneThatCan) {
  const std::string spring = "<dynamics><damping>1</damping></dynamics>";
  const ImportedModel read =
      model(link("a") + link("b", "<pose>0 0 1 0 0 0</pose>") + link("c", "<pose>0 1 1 0 0 0</pose>") +
            joint("revolute", axis("1 0 0"), "a", "b", "i") + joint("revolute", axis("1 0 0"), "b", "c", "j") +
            joint("revolute", axis("1 0 0", spring), "c", "a", "k"));
  const Constraint hinge = only_coupler(read);
  EXPECT_EQ(hinge.kind, ConstraintKind::hinge);
  EXPECT_NE(hinge.name, "k");
  int damped = 0;
  for (const ImportedModel::Link& each : read.links) {
    if (!each.joint || each.joint->damping.size() == 0 || each.joint->damping[0] != 1) continue;
    ++damped;
    EXPECT_EQ(each.joint->name, "k");
  }
  EXPECT_EQ(damped, 1);
  // At rest both frames of the loop are one in the world.
  const Transform A = test::at_rest(read, hinge.body_a) * hinge.X_AF,
                  B = test::at_rest(read, hinge.body_b) * hinge.X_BG;
  test::expect_near(A, B);
}

TEST(SdfMotion, TheWeightOfALinkWithoutGravityIsCarried) {
  const std::string heavy =
      "<inertial><pose>1 2 3 0 0 0</pose><mass>4</mass><inertia><ixx>1</ixx><iyy>1</iyy>"
      "<izz>1</izz></inertia></inertial>";
  const ImportedModel read = model("<link name='b'><gravity>false</gravity>" + heavy + "</link>" + link("a") +
                                   joint("revolute", axis("0 0 1"), "a", "b"));
  ASSERT_EQ(read.lifts.size(), 1u);
  EXPECT_EQ(read.links[read.lifts[0].link].name, "b") << "although its parent comes first";
  const AppliedWrench wrench = wrench_of(read.lifts[0], Vec3(0, 0, -9));
  EXPECT_EQ(wrench.force, Vec3(0, 0, 36));
  EXPECT_EQ(wrench.point, Vec3(1, 2, 3));
  const ImportedModel bare = model("<link name='b'><gravity>0</gravity></link>");
  EXPECT_EQ(wrench_of(bare.lifts.at(0), Vec3(0, 0, -9)).force, Vec3(0, 0, 9)) << "the format's default of 1 kg";
}

TEST(SdfMotion, InertiaByDensityIsThatOfTheShapesAsSolids) {
  const auto part = [](const std::string& pose, const std::string& shape, const std::string& density) {
    static int number = 0;
    return "<collision name='c" + std::to_string(number++) + "'><pose>" + pose + "</pose>" + density + "<geometry>" +
           shape + "</geometry></collision>";
  };
  const ImportedModel read =
      model("<link name='a'><inertial auto='true'><density>200</density></inertial>" +
                part("0 0 1 0 0 0", "<box><size>1 2 3</size></box>", "") +
                part("0 0 -2 0 0 0", "<sphere><radius>0.5</radius></sphere>", "<density>600</density>") + "</link>",
            "1.11");
  const double box = 200 * 6, ball = 600 * 4.0 / 3 * std::numbers::pi / 8, mass = box + ball;
  const SpatialInertia& inertia = read.links.at(0).inertia;
  EXPECT_NEAR(inertia.mass, mass, 1e-12 * mass);
  const double z = (box - 2 * ball) / mass;
  EXPECT_NEAR(inertia.center.z(), z, exact);
  const double along = box * (1 + 4) / 12 + 0.4 * ball / 4;
  const double across = box * ((4 + 9) / 12.0 + (1 - z) * (1 - z)) + ball * (0.4 / 4 + (2 + z) * (2 + z));
  EXPECT_NEAR(inertia.central(2, 2), along, 1e-12 * along);
  EXPECT_NEAR(inertia.central(0, 0), across, 1e-12 * across);
}

TEST(SdfMotion, WhatAnInertialLeavesOutIsTheFormatsDefaultAndTold) {
  const auto read = [](const std::string& inside) {
    return model("<link name='a'><inertial>" + inside + "</inertial></link>");
  };
  const ImportedModel mass = read("<mass>5</mass>"), moments = read("<inertia><ixx>2</ixx></inertia>");
  EXPECT_EQ(mass.links[0].inertia.mass, 5);
  EXPECT_EQ(mass.links[0].inertia.central, Mat3(Mat3::Identity()));
  EXPECT_EQ(mass.warnings.size(), 1u);
  EXPECT_EQ(moments.links[0].inertia.mass, 1);
  EXPECT_EQ(moments.links[0].inertia.central, Mat3(Vec3(2, 1, 1).asDiagonal()));
  EXPECT_EQ(moments.warnings.size(), 3u);
}

TEST(SdfMotion, ABallConstraintHoldsTwoPointsTogether) {
  const std::string name = "drake:ball_constraint";
  const auto part = [&](const std::string& end, const std::string& text) {
    return "<" + name + end + ">" + text + "</" + name + end + ">";
  };
  const ImportedModel read =
      model(link("a") + link("b") + "<" + name + ">" + part("_body_A", "a") + part("_p_AP", "1 2 3") +
            part("_body_B", "b") + part("_p_BQ", "4 5 6") + "</" + name + ">");
  const Constraint ball = only_coupler(read);
  EXPECT_EQ(ball.kind, ConstraintKind::ball);
  EXPECT_EQ(read.links[ball.body_a].name, "a");
  EXPECT_EQ(read.links[ball.body_b].name, "b");
  EXPECT_EQ(ball.X_AF.p, Vec3(1, 2, 3));
  EXPECT_EQ(ball.X_BG.p, Vec3(4, 5, 6));
}

TEST(SdfMotion, ASpringPullsTwoPoints) {
  const std::string name = "drake:linear_spring_damper";
  const auto part = [&](const std::string& end, const std::string& text) {
    return "<" + name + end + ">" + text + "</" + name + end + ">";
  };
  const std::string ends =
      part("_body_A", "a") + part("_p_AP", "1 2 3") + part("_body_B", "b") + part("_p_BQ", "4 5 6");
  const ImportedModel read = model(link("a") + link("b") + "<" + name + ">" + ends + part("_free_length", "0.7") +
                                   part("_stiffness", "80") + part("_damping", "3") + "</" + name + ">");
  const Constraint spring = only_coupler(read);
  EXPECT_EQ(spring.kind, ConstraintKind::spring);
  EXPECT_EQ(spring.X_AF.p, Vec3(1, 2, 3));
  EXPECT_EQ(spring.X_BG.p, Vec3(4, 5, 6));
  EXPECT_EQ(Vec3(spring.length, spring.stiffness, spring.damping), Vec3(0.7, 80, 3));
}

TEST(SdfMotion, AnEmptyShapeIsNoneAndListed) {
  const ImportedModel read = model(link("a", "<collision name='c'><geometry><empty/></geometry></collision>"));
  EXPECT_TRUE(read.colliders.empty());
  EXPECT_TRUE(test::lists(read, 1, "<collision>: its shape is empty"));
}

}  // namespace
}  // namespace carom::sdf_motion_test
