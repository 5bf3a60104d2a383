#include "carom/import/mjcf.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <random>
#include <sstream>

#include "carom/import/build.h"
#include "carom/import/mjcf/settings.h"
#include "carom/spatial/exponential_product.h"
#include "testing/folders.h"

namespace carom::mjcf_test {
namespace {

namespace fs = std::filesystem;
constexpr double pi = std::numbers::pi;

ImportedModel parsed(const std::string& inside) { return parse_mjcf("<mujoco>" + inside + "</mujoco>", "test.xml"); }

ImportedModel in_world(const std::string& bodies) { return parsed("<worldbody>" + bodies + "</worldbody>"); }

/// X_PB of a link at its joint's scalar coordinates.
Transform pose_at(const ImportedModel::Link& link, const VectorX& q) {
  const ExponentialProduct product = exponential_product(coordinate_twists(*link.joint), q);
  return link.joint->X_PF * product.X * link.joint->X_BM.inverse();
}

double distance(const Transform& a, const Transform& b) { return (a.R - b.R).norm() + (a.p - b.p).norm(); }

const std::string ball = "<geom size=\"0.1\"/>";

TEST(Mjcf, GravityIsMujocosUnlessSaid) {
  EXPECT_EQ(*parsed("").gravity, Vec3(0, 0, -9.81));
  EXPECT_EQ(*parsed("<option gravity=\"1 2 3\"/>").gravity, Vec3(1, 2, 3));
  EXPECT_EQ(*parsed("<option gravity=\"1 2 3\"><flag gravity=\"disable\"/></option>").gravity, Vec3(0, 0, 0));
}

/// MuJoCo's fluid acts on bodies with mass, and is there if it has density or viscosity.
TEST(Mjcf, AFluidIsRefusedWhereItActs) {
  const std::string still = "<body pos='0 0 1'>" + ball + "</body>",
                    massless = "<body><joint/><body pos='1 0 0'>" + ball + "</body></body>",
                    moving = "<body name='fish'><freejoint/>" + ball + "</body>";
  const auto read = [](const std::string& option, const std::string& bodies, const ImportOptions& options = {}) {
    return parse_mjcf("<mujoco><option " + option + "/><worldbody>" + bodies + "</worldbody></mujoco>", "test.xml",
                      options);
  };
  for (const std::string fluid : {"density='1.2'", "viscosity='2e-5'", "density='1000' viscosity='1' wind='1 0 0'"}) {
    EXPECT_NO_THROW(read(fluid, still)) << fluid;
    EXPECT_NO_THROW(read(fluid, "<geom type='plane' size='1 1 1'/>")) << fluid;
    EXPECT_THROW(read(fluid, moving), ImportError) << fluid;
    EXPECT_THROW(read(fluid, massless), ImportError) << fluid << ": what is welded to a body moves with it";
    ImportOptions welded;
    welded.fixed_base = true;
    EXPECT_NO_THROW(read(fluid, moving, welded)) << fluid;
  }
  EXPECT_NO_THROW(read("density='0' viscosity='0' wind='3 0 0'", moving));
  try {
    read("density='1.2'", still + moving);
    FAIL() << "the fluid acts on one of two";
  } catch (const ImportError& error) {
    EXPECT_NE(std::string(error.what()).find("\"fish\" would move through a fluid"), std::string::npos) << error.what();
  }
}

TEST(Mjcf, NameIsTheModelsOrTheFiles) {
  EXPECT_EQ(parsed("").name, "test");
  EXPECT_EQ(parse_mjcf("<mujoco model=\"arm\"/>", "test.xml").name, "arm");
}

/// A quarter turn about y, told in every way.
TEST(Mjcf, RotationsInEveryForm) {
  const Mat3 expected = Eigen::AngleAxisd(pi / 2, Vec3::UnitY()).toRotationMatrix();
  for (const std::string form : {"quat=\"2 0 2 0\"", "axisangle=\"0 3 0 90\"", "xyaxes=\"0 0 -2 0 5 1\"",
                                 "zaxis=\"7 0 0\"", "euler=\"0 90 0\""}) {
    const ImportedModel model = in_world("<body " + form + "><freejoint/>" + ball + "</body>");
    EXPECT_LT((model.links.at(0).X_WB.R - expected).norm(), 1e-14) << form;
  }
  const auto euler = [&](const std::string& sequence) {
    const ImportedModel model = parsed("<compiler eulerseq=\"" + sequence + "\" angle=\"radian\"/><worldbody><body " +
                                       "euler=\"0.1 0.2 0.3\"><freejoint/>" + ball + "</body></worldbody>");
    return model.links.at(0).X_WB.R;
  };
  const auto turn = [](int axis, double angle) {
    return Eigen::AngleAxisd(angle, Vec3::Unit(axis)).toRotationMatrix();
  };
  EXPECT_LT((euler("xyz") - turn(0, 0.1) * turn(1, 0.2) * turn(2, 0.3)).norm(), 1e-14);
  EXPECT_LT((euler("XYZ") - turn(2, 0.3) * turn(1, 0.2) * turn(0, 0.1)).norm(), 1e-14);
  EXPECT_LT((euler("zXz") - turn(0, 0.2) * turn(2, 0.1) * turn(2, 0.3)).norm(), 1e-14);
}

TEST(Mjcf, DegreesAndRadiansSayTheSame) {
  const auto model = [](const std::string& unit, double factor) {
    const auto number = [&](double degrees) { return std::to_string(degrees * factor); };
    return parsed(
        "<compiler angle=\"" + unit + "\"/><worldbody><body euler=\"" + number(90) + " 0 0\"><joint range=\"" +
        number(-30) + " " + number(60) + "\" ref=\"" + number(10) + "\" springref=\"" + number(20) + "\"/>" +
        "<joint type=\"slide\" range=\"-30 60\" ref=\"10\" springref=\"20\"/>" + ball + "</body></worldbody>");
  };
  const Joint a = *model("degree", 1).links.at(0).joint, b = *model("radian", pi / 180).links.at(0).joint;
  EXPECT_LT((a.lower - b.lower).norm() + (a.upper - b.upper).norm() + (a.rest - b.rest).norm(), 1e-5);
  EXPECT_NEAR(a.upper[0], pi / 3, 1e-15);
  EXPECT_EQ(a.upper[1], 60);
  EXPECT_LT((a.twists - b.twists).norm(), 1e-5);
}

/// The nearest class speaks, of a list of sizes only as far as it goes; `class` stands before `childclass`.
TEST(Mjcf, DefaultsByClass) {
  const ImportedModel model = parsed(R"(
    <default><geom type="box" size="1 2 3"/><joint damping="1" type="slide"/>
      <default class="thin"><geom size="0.5"/><joint damping="2"/>
        <default class="flat"><geom size="0.7 0.8"/></default></default></default>
    <worldbody><body name="a"><joint/><geom/><geom class="thin"/><geom class="flat" size="9"/></body>
      <body name="b" childclass="thin"><joint/><geom/><geom class="main"/><joint damping="3"/></body></worldbody>)");
  const auto size = [&](int i) { return std::get<Box>(model.colliders.at(i).shape).half_extents; };
  EXPECT_EQ(size(0), Vec3(1, 2, 3));
  EXPECT_EQ(size(1), Vec3(0.5, 2, 3));
  EXPECT_EQ(size(2), Vec3(9, 0.8, 3));
  EXPECT_EQ(size(3), Vec3(0.5, 2, 3));
  EXPECT_EQ(size(4), Vec3(1, 2, 3));
  EXPECT_EQ(model.links.at(0).joint->type, JointType::prismatic);
  EXPECT_EQ(model.links.at(0).joint->damping[0], 1);
  EXPECT_EQ(model.links.at(1).joint->damping, VectorX(Vec2(2, 3)));
}

TEST(Mjcf, OneHingeTurnsAboutItsAxisThroughItsPoint) {
  const ImportedModel model = in_world(
      "<body pos=\"1 2 3\" euler=\"20 30 40\"><joint name=\"j\" axis=\"1 2 3\" pos=\"0.1 0.2 0.3\" "
      "ref=\"30\"/>" +
      ball + "</body>");
  const ImportedModel::Link& link = model.links.at(0);
  EXPECT_EQ(link.joint->type, JointType::revolute);
  EXPECT_EQ(link.joint->name, "j");
  EXPECT_NEAR(link.position[0], pi / 6, 1e-15);
  const Transform start = pose_at(link, link.position),
                  turned = pose_at(link, link.position + VectorX::Constant(1, 0.4));
  EXPECT_LT((start.p - Vec3(1, 2, 3)).norm(), 1e-14);
  const Vec3 point(0.1, 0.2, 0.3), axis = Vec3(1, 2, 3).normalized();
  EXPECT_LT((start * point - turned * point).norm(), 1e-14);
  const Mat3 expected = start.R * Eigen::AngleAxisd(0.4, axis).toRotationMatrix();
  EXPECT_LT((turned.R - expected).norm(), 1e-14);
}

/// MuJoCo's own definition: joint by joint, each about where the ones before it have brought its point and axis.
TEST(Mjcf, SeveralJointsActInOrderFromTheirRefs) {
  const ImportedModel model = in_world(
      "<body pos=\"1 2 3\" euler=\"20 30 40\"><joint name=\"a\" axis=\"1 0 1\" pos=\"0 0.2 0\" ref=\"20\"/><joint "
      "name=\"b\" type=\"slide\" "
      "axis=\"0 1 1\" ref=\"0.3\"/><joint name=\"c\" axis=\"0 1 0\" pos=\"0.5 0 0.1\" ref=\"-40\"/>" +
      ball + "</body>");
  const ImportedModel::Link& link = model.links.at(0);
  EXPECT_EQ(link.joint->type, JointType::twists);
  EXPECT_EQ(link.joint->name, "a+b+c");
  const Vec3 ref(20 * pi / 180, 0.3, -40 * pi / 180);
  EXPECT_LT((link.position - ref).norm(), 1e-15);
  const Transform X_0 =
      in_world("<body pos=\"1 2 3\" euler=\"20 30 40\"><freejoint/>" + ball + "</body>").links.at(0).X_WB;
  EXPECT_LT(distance(pose_at(link, ref), X_0), 1e-14);
  const Vec3 q(0.7, -0.4, 1.1), by = q - ref;
  Transform X = X_0;
  const auto turn = [&](const Vec3& point, const Vec3& axis, double angle) {
    const Vec3 anchor = X * point;
    X.R = X.R * Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix();
    X.p = anchor - X.R * point;
  };
  turn({0, 0.2, 0}, {1, 0, 1}, by[0]);
  X.p += X.R * Vec3(0, 1, 1).normalized() * by[1];
  turn({0.5, 0, 0.1}, {0, 1, 0}, by[2]);
  EXPECT_LT(distance(pose_at(link, q), X), 1e-14);
}

TEST(Mjcf, ForcesAndLimitsOfAJoint) {
  const ImportedModel model = in_world(
      "<body><joint damping=\"1\" stiffness=\"2\" springref=\"90\" frictionloss=\"3\" armature=\"4\" "
      "range=\"-90 180\" limited=\"true\"/><joint limited=\"false\" range=\"0 1\" axis=\"1 0 0\"/>" +
      ball + "</body>");
  const Joint& joint = *model.links.at(0).joint;
  EXPECT_EQ(joint.damping, VectorX(Vec2(1, 0)));
  EXPECT_EQ(joint.stiffness, VectorX(Vec2(2, 0)));
  EXPECT_EQ(joint.rest[0], pi / 2);
  EXPECT_EQ(joint.friction, VectorX(Vec2(3, 0)));
  EXPECT_EQ(joint.reflected_inertia, VectorX(Vec2(4, 0)));
  EXPECT_EQ(joint.lower[0], -pi / 2);
  EXPECT_EQ(joint.upper[0], pi);
  EXPECT_TRUE(std::isinf(joint.lower[1]) && std::isinf(joint.upper[1]));
  const Joint bare =
      parsed(
          "<option><flag limit=\"disable\" passive=\"disable\" frictionloss=\"disable\"/></option><worldbody><body>"
          "<joint damping=\"1\" stiffness=\"2\" frictionloss=\"3\" range=\"0 1\"/>" +
          ball + "</body></worldbody>")
          .links.at(0)
          .joint.value();
  EXPECT_EQ(bare.damping[0] + bare.stiffness[0] + bare.friction[0], 0);
  EXPECT_TRUE(std::isinf(bare.upper[0]));
}

TEST(Mjcf, SpringsAndDampersAreDisabledTogetherOrEachByItself) {
  const auto joint = [](const std::string& flags) {
    return parsed("<option><flag " + flags + "/></option><worldbody><body><joint damping=\"1\" stiffness=\"2\"/>" +
                  ball + "</body></worldbody>")
        .links.at(0)
        .joint.value();
  };
  const Joint both = joint("warmstart=\"disable\""), rigid = joint("spring=\"disable\""),
              smooth = joint("damper=\"disable\""), none = joint("passive=\"disable\" spring=\"enable\"");
  EXPECT_EQ(Vec2(both.damping[0], both.stiffness[0]), Vec2(1, 2));
  EXPECT_EQ(Vec2(rigid.damping[0], rigid.stiffness[0]), Vec2(1, 0));
  EXPECT_EQ(Vec2(smooth.damping[0], smooth.stiffness[0]), Vec2(0, 2));
  EXPECT_EQ(Vec2(none.damping[0], none.stiffness[0]), Vec2(0, 0));
}

TEST(Mjcf, ActuatorsOfADisabledGroupDoNothing) {
  const auto drives = [](const std::string& option) {
    return parsed(option + "<default><position group=\"2\"/></default><worldbody><body><joint name=\"j\"/>" + ball +
                  "</body></worldbody><actuator><position joint=\"j\" kp=\"1\"/><position joint=\"j\" kp=\"2\" "
                  "group=\"3\"/>"
                  "</actuator>")
        .drives;
  };
  EXPECT_EQ(drives("").size(), 2u);
  EXPECT_EQ(drives("<option actuatorgroupdisable=\"1 4\"/>").size(), 2u);
  ASSERT_EQ(drives("<option actuatorgroupdisable=\"2\"/>").size(), 1u);
  EXPECT_EQ(drives("<option actuatorgroupdisable=\"2\"/>")[0].stiffness, 2);
  EXPECT_TRUE(drives("<option actuatorgroupdisable=\"3 2\"/>").empty());
}

TEST(Mjcf, TheOutermostClassMayHaveANameOfItsOwn) {
  const ImportedModel model = parsed(
      "<default class=\"robot\"><joint damping=\"3\"/><default class=\"soft\"><joint stiffness=\"5\"/></default>"
      "</default><worldbody><body><joint class=\"robot\"/>" +
      ball + "</body><body childclass=\"robot\"><joint/>" + ball + "</body><body><joint class=\"soft\"/>" + ball +
      "</body><body><joint/>" + ball + "</body></worldbody>");
  for (const ImportedModel::Link& link : model.links) EXPECT_EQ(link.joint->damping[0], 3);
  EXPECT_EQ(model.links.at(2).joint->stiffness[0], 5);
  EXPECT_EQ(model.links.at(0).joint->stiffness[0], 0);
}

/// A ball is never turned by more than half a turn, so a range up to there limits nothing.
TEST(Mjcf, ARangeOfHalfATurnIsNoLimitOfABall) {
  for (const std::string range : {"\"0 180\"", "\"0 360\""}) {
    const ImportedModel model =
        in_world("<body><joint type=\"ball\" limited=\"true\" range=" + range + "/>" + ball + "</body>");
    ASSERT_EQ(model.links.size(), 1u);
    EXPECT_EQ(model.links[0].joint->type, JointType::spherical);
  }
  EXPECT_THROW(in_world("<body><joint type=\"ball\" limited=\"true\" range=\"0 179\"/>" + ball + "</body>"),
               ImportError);
}

TEST(Mjcf, BallsAndFreeJointsHaveForces) {
  const std::string forces = " stiffness=\"2\" damping=\"3\" frictionloss=\"4\"";
  const ImportedModel model =
      in_world("<body pos=\"1 2 3\" quat=\"0 1 0 0\"><joint type=\"free\"" + forces + "/>" + ball +
               "</body><body><joint type=\"ball\" armature=\"5\"" + forces + "/>" + ball + "</body>");
  ASSERT_EQ(model.links.size(), 2u);
  for (const ImportedModel::Link& link : model.links) {
    const int size = velocity_size(*link.joint);
    EXPECT_EQ(link.joint->stiffness, VectorX::Constant(size, 2));
    EXPECT_EQ(link.joint->damping, VectorX::Constant(size, 3));
    EXPECT_EQ(link.joint->friction, VectorX::Constant(size, 4));
  }
  const Joint &free = *model.links[0].joint, &held = *model.links[1].joint;
  EXPECT_LT((free.rest.head<3>().cwiseAbs() - Vec3(pi, 0, 0)).norm(), 1e-15);
  EXPECT_EQ(free.rest.tail<3>(), Vec3(1, 2, 3));
  EXPECT_EQ(held.rest, VectorX::Zero(3));
  EXPECT_EQ(held.reflected_inertia, VectorX::Constant(3, 5));
  EXPECT_TRUE(std::any_of(model.warnings.begin(), model.warnings.end(), [](const ImportNote& note) {
    return note.text.find("along each axis of the body") != std::string::npos;
  }));
}

TEST(Mjcf, ADampedFreeJointStartsWhereTheBodyIs) {
  const ImportedModel model =
      in_world("<body pos=\"1 2 3\" quat=\"0 1 0 0\"><joint type=\"free\" damping=\"2\"/>" + ball + "</body>");
  const ImportedModel::Link& link = model.links.at(0);
  ASSERT_TRUE(link.joint.has_value());
  EXPECT_EQ(link.joint->damping, VectorX::Constant(6, 2));
  EXPECT_EQ(link.position.tail<3>(), Vec3(1, 2, 3));
  EXPECT_NEAR(std::abs(link.position[1]), 1, 1e-15);
}

TEST(Mjcf, FramesMoveWhatTheyHold) {
  const ImportedModel nested =
      in_world(R"(<frame pos="1 0 0" euler="0 0 90"><frame pos="0 2 0"><body name="a" pos="1 1 1">
      <frame euler="90 0 0"><joint axis="0 1 0" pos="0 1 0"/><geom pos="0 0 1" size="0.1"/><site name="s" pos="1 2 3"/></frame>
      </body></frame></frame>)");
  const ImportedModel flat = in_world(R"(<body name="a" pos="-2 1 1" euler="0 0 90"><joint axis="0 0 1" pos="0 0 1"/>
      <geom pos="0 -1 0" size="0.1"/><site name="s" pos="1 -3 2" euler="90 0 0"/></body>)");
  for (const double q : {0.0, 0.8}) {
    EXPECT_LT(distance(pose_at(nested.links.at(0), VectorX::Constant(1, q)),
                       pose_at(flat.links.at(0), VectorX::Constant(1, q))),
              1e-14);
  }
  EXPECT_LT((nested.colliders.at(0).X_BS.p - flat.colliders.at(0).X_BS.p).norm(), 1e-14);
  EXPECT_LT(distance(nested.frames.at(0).X_BF, flat.frames.at(0).X_BF), 1e-14);
  EXPECT_LT((nested.links.at(0).inertia.matrix() - flat.links.at(0).inertia.matrix()).norm(), 1e-12);
}

TEST(Mjcf, BodiesWithoutJointsBecomeFrames) {
  const ImportedModel model =
      in_world(R"(<body name="a" pos="1 0 0"><body name="b" pos="0 1 0"><joint/><geom size="0.1"/>
      <body name="c" pos="0 0 1"><geom size="0.1"/></body></body></body>)");
  ASSERT_EQ(model.links.size(), 1U);
  const ImportedModel::Link& b = model.links[0];
  EXPECT_EQ(b.name, "b");
  EXPECT_EQ(b.joint->parent, -1);
  EXPECT_TRUE(b.collides_with_parent);
  EXPECT_EQ(b.joint->X_PF.p, Vec3(1, 1, 0));
  EXPECT_NEAR(b.inertia.center.z(), 0.5, 1e-15);
  ASSERT_EQ(model.frames.size(), 2U);
  EXPECT_EQ(model.frames[1].name, "c");
  EXPECT_EQ(model.frames[1].link, 0);
}

TEST(Mjcf, KeyframesInCaromsOrder) {
  const ImportedModel model = parsed(R"(<worldbody><body name="f" pos="0 0 1"><freejoint/><geom size="0.1"/></body>
      <body name="weld"/><body name="s"><joint type="ball"/><geom size="0.1"/><body><joint/><joint type="slide"/>
      <geom size="0.1"/></body></body></worldbody><keyframe><key name="k" qpos="1 2 3 0 0 2 0  0 0 0 5  7 8"
      qvel="1 2 3 4 5 6 7 8 9 10 11"/><key/></keyframe>)");
  ASSERT_EQ(model.keyframes.size(), 2U);
  const ImportedModel::Keyframe& key = model.keyframes[0];
  VectorX free(7), rates(6);
  free << 0, 0, 1, 0, 1, 2, 3;
  rates << -4, 5, -6, 1, 2, 3;  // half a turn about y
  EXPECT_EQ(key.position.at(0), free);
  EXPECT_LT((key.velocity.at(0) - rates).norm(), 1e-14);
  EXPECT_EQ(key.position.at(1), VectorX(Eigen::Vector4d(0, 0, 0, 1)));
  EXPECT_EQ(key.velocity.at(1), VectorX(Vec3(7, 8, 9)));
  EXPECT_EQ(key.position.at(2), VectorX(Vec2(7, 8)));
  EXPECT_EQ(key.velocity.at(2), VectorX(Vec2(10, 11)));
  EXPECT_EQ(model.keyframes[1].position.at(0)[6], 1);
}

TEST(Mjcf, WhatIsNotUsedIsListed) {
  const ImportedModel model = parsed(
      "<option timestep=\"0.01\"/><visual/><worldbody><light/><body><joint solreflimit=\"0.1 1\"/>"
      "<geom size=\"0.1\"/></body></worldbody><sensor/>");
  std::vector<std::string> told;
  for (const ImportNote& note : model.unused) told.push_back(note.text);
  const std::vector<std::string> expected = {
      "attribute \"timestep\" of <option>", "<visual>", "<light>",
      "attribute \"solreflimit\" of <joint>: contacts, limits and equalities are rigid here", "<sensor>"};
  EXPECT_EQ(told, expected);
}

class MjcfFiles : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(testing::TempDir()) / ("carom_mjcf_" + std::string(test->name()) + std::to_string(::getpid()));
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "sub");
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return (folder_ / name).string();
  }
  fs::path folder_;
};

TEST_F(MjcfFiles, IncludedElementsStandWhereTheIncludeWas) {
  write("sub/arm.xml", "<mujocoinclude><body name=\"b\">" + ball +
                           "<joint/><include file=\"sub/tip.xml\"/></body>\n<light/></mujocoinclude>");
  write("sub/tip.xml", "<mujoco><body name=\"c\" pos=\"1 0 0\"><joint/>" + ball + "</body></mujoco>");
  const std::string main = write("main.xml", "<mujoco><worldbody><body name=\"a\"><freejoint/>" + ball +
                                                 "</body>\n<include file=\"sub/arm.xml\"/></worldbody></mujoco>");
  const ImportedModel model = read_mjcf(main);
  ASSERT_EQ(model.links.size(), 3U);
  EXPECT_EQ(model.links[2].name, "c");
  EXPECT_EQ(model.links[2].joint->parent, 1);
  ASSERT_EQ(model.unused.size(), 1U);
  EXPECT_EQ(model.unused[0].file, (folder_ / "sub/arm.xml").string());
  EXPECT_EQ(model.unused[0].line, 2);
}

TEST_F(MjcfFiles, FaultsOfIncludedFilesNameThem) {
  write("sub/arm.xml", "<mujoco>\n<body pos=\"1\"/><include file=\"main.xml\"/></mujoco>");
  const std::string main = write("main.xml", "<mujoco><worldbody><include file=\"sub/arm.xml\"/></worldbody></mujoco>");
  try {
    static_cast<void>(read_mjcf(main));
    FAIL();
  } catch (const ImportError& error) {
    ASSERT_EQ(error.faults().size(), 2U);
    for (const ImportNote& fault : error.faults()) {
      EXPECT_EQ(fault.file, (folder_ / "sub/arm.xml").string());
      EXPECT_EQ(fault.line, 2);
    }
  }
}

TEST_F(MjcfFiles, MeshesLieInTheMeshFolder) {
  write("sub/tip.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  for (const std::string compiler :
       {"meshdir=\"sub\"", "assetdir=\"nowhere\" meshdir=\"sub/\"", "assetdir=\"sub\" strippath=\"true\""}) {
    const std::string file = compiler.find("strip") == std::string::npos ? "tip.obj" : "C:\\robots/tip.obj";
    const std::string main =
        write("main.xml", "<mujoco><compiler " + compiler + "/><asset><mesh name=\"tip\" file=\"" + file +
                              "\" scale=\"1 2 3\"/></asset><worldbody><body><freejoint/><geom type=\"mesh\" "
                              "mesh=\"tip\" density=\"1\"/></body></worldbody></mujoco>");
    const ImportedModel model = read_mjcf(main);
    EXPECT_NEAR(model.links.at(0).inertia.mass, 1, 1e-12) << compiler;
    EXPECT_LT((model.links.at(0).inertia.center - Vec3(0.25, 0.5, 0.75)).norm(), 1e-12);
  }
}

/// The least rotation leaves what is across z and the direction as it is.
TEST(MjcfSettings, TheLeastRotationOfZ) {
  for (const Vec3& direction : {Vec3(0, 0, 2), Vec3(1, 2, 3), Vec3(-1, 0, 0), Vec3(0.1, -0.2, -5), Vec3(0, 0, -1)}) {
    const Mat3 R = mjcf::rotation_of_z(direction);
    EXPECT_LT((R.col(2) - direction.normalized()).norm(), 1e-12);
    EXPECT_LT((R * R.transpose() - Mat3::Identity()).norm(), 1e-12);
    const Vec3 axis = Vec3::UnitZ().cross(direction);
    EXPECT_LT((R * axis - axis).norm(), 1e-12);
  }
}

fs::path mujoco_models() { return data_folder() / "models" / "mujoco"; }

TEST(Mjcf, FilesOfOthers) {
  for (const auto& [name, links] : {std::pair("humanoid.xml", 13U), std::pair("car.xml", 3U)}) {
    const fs::path path = mujoco_models() / name;
    if (!fs::exists(path)) GTEST_SKIP() << "no model: " << path << " (CAROM_DATA names the folder of data)";
    const ImportedModel model = read_mjcf(path.string());
    EXPECT_EQ(model.links.size(), links) << name;
    EXPECT_FALSE(model.unused.empty());
  }
}

TEST(Mjcf, KeysOfRootsThatAreFixedHereKeepTheirJoints) {
  const std::string text = R"(<mujoco><worldbody><body name="a" pos="0 0 1"><freejoint/><geom size="0.1"/>
    <body name="c" pos="0.3 0 0"><joint name="j" axis="0 1 0"/><geom size="0.1"/></body></body></worldbody>
    <keyframe><key name="k" qpos="0 0 2 1 0 0 0 0.5" qvel="1 2 3 4 5 6 7"/></keyframe></mujoco>)";
  ImportOptions options;
  options.fixed_base = true;
  const ImportedModel model = parse_mjcf(text, "test.xml", options);
  ASSERT_EQ(model.keyframes.size(), 1U);
  ASSERT_EQ(model.links.size(), model.keyframes[0].position.size());
  bool found = false;
  for (std::size_t i = 0; i < model.links.size(); ++i) {
    if (model.links[i].name != "c") continue;
    found = true;
    EXPECT_EQ(model.keyframes[0].position[i][0], 0.5);
    EXPECT_EQ(model.keyframes[0].velocity[i][0], 7);
  }
  EXPECT_TRUE(found);
}

/// Whatever is cut, doubled or changed in a file, it is read or refused with a sentence.
TEST(Mjcf, DamagedFilesAreReadOrRefused) {
  const std::string sound = R"(<mujoco><compiler autolimits="true" settotalmass="3"/><option gravity="0 0 -1"/>
    <default><geom size="0.1 0.2 0.3"/><default class="c"><joint type="slide" range="0 1"/></default></default>
    <asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset><worldbody><geom type="plane"/>
    <body name="a" pos="0 0 1" euler="1 2 3"><freejoint/><geom type="box" friction="0.3"/><body name="b"><joint name="x"/>
    <joint class="c" name="y"/><geom type="mesh" mesh="m"/><site name="s"/><body name="d"><geom type="capsule" fromto="0 0 0 1 1 1"/>
    </body></body></body></worldbody><contact><exclude body1="a" body2="b"/></contact><equality><weld body1="d"/>
    <joint joint1="x" joint2="y"/></equality><actuator><position joint="x" kp="2"/></actuator>
    <keyframe><key qpos="0 0 1 1 0 0 0 1 2"/></keyframe></mujoco>)";
  static_cast<void>(parse_mjcf(sound, "test.xml"));
  std::mt19937 bits(1);
  const auto below = [&](std::size_t count) { return static_cast<std::size_t>(bits() % count); };
  const std::string letters = "0123456789.-\"<>/ =abcxyz";
  int refused = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string text = sound;
    for (std::size_t changes = 1 + below(3); changes > 0; --changes) {
      const std::size_t at = below(text.size()), length = std::min<std::size_t>(1 + below(12), text.size() - at);
      const std::size_t kind = below(3);
      if (kind == 0) text.erase(at, length);
      if (kind == 1) text.insert(below(text.size()), text.substr(at, length));
      if (kind == 2) text[at] = letters[below(letters.size())];
    }
    try {
      for (const ImportedModel::Link& link : parse_mjcf(text, "test.xml").links) {
        EXPECT_TRUE(link.inertia.matrix().allFinite()) << text;
      }
    } catch (const ImportError& error) {
      ++refused;
      EXPECT_FALSE(error.faults().empty());
    }
  }
  EXPECT_GT(refused, 1000);
}

}  // namespace
}  // namespace carom::mjcf_test
