#include "carom/import/urdf.h"
#include "testing/folders.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

namespace carom::urdf_test {
namespace {

constexpr double pi = std::numbers::pi;

const std::string body =
    "<inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial>";

std::string link(const std::string& name, const std::string& inside = body) {
  return "<link name='" + name + "'>" + inside + "</link>\n";
}

std::string joint(const std::string& name, const std::string& type, const std::string& parent, const std::string& child,
                  const std::string& inside = "") {
  return "<joint name='" + name + "' type='" + type + "'><parent link='" + parent + "'/><child link='" + child + "'/>" +
         inside + "</joint>\n";
}

ImportedModel robot(const std::string& inside) {
  return parse_urdf("<robot name='r'>\n" + inside + "</robot>", source_folder() + "/carom/import/test/x");
}

ImportedModel with_geometry(const std::string& geometry) {
  return robot(link("a", body + "<collision><geometry>" + geometry + "</geometry></collision>"));
}

std::vector<std::string> texts(const std::vector<ImportNote>& notes) {
  std::vector<std::string> all;
  all.reserve(notes.size());
  for (const ImportNote& note : notes) all.push_back(std::to_string(note.line) + ": " + note.text);
  return all;
}

TEST(Urdf, LoneLinkMovesFreely) {
  const ImportedModel model = robot(link("a"));
  EXPECT_EQ(model.name, "r");
  ASSERT_EQ(model.links.size(), 1u);
  EXPECT_EQ(model.links[0].name, "a");
  EXPECT_EQ(model.links[0].line, 2);
  EXPECT_FALSE(model.links[0].joint);
  EXPECT_FALSE(model.gravity);
  EXPECT_TRUE(model.materials.empty());
  EXPECT_TRUE(model.unused.empty());
}

TEST(Urdf, AnOriginIsTurnedByAnglesOrByAQuaternionOfAnyLength) {
  const auto pose = [](const std::string& rotation) {
    return robot(link("a", body + "<collision><origin xyz='1 2 3' " + rotation +
                               "/><geometry><sphere radius='1'/></geometry></collision>"))
        .colliders.at(0)
        .X_BS;
  };
  const Transform quarter = pose("rpy='0 0 1.5707963267948966'");
  for (const char* quaternion : {"0 0 1 1", "0 0 -2 -2", "0 0 1e-200 1e-200", "0 0 1e200 1e200"}) {
    const Transform X = pose("quat_xyzw='" + std::string(quaternion) + "'");
    EXPECT_LE((X.R - quarter.R).norm() + (X.p - quarter.p).norm(), 1e-15) << quaternion;
  }
  const Transform first_x = pose("quat_xyzw='1 0 0 0'");
  EXPECT_LE((first_x.R - Mat3(Vec3(1, -1, -1).asDiagonal())).norm(), 1e-15) << "x comes first";
}

TEST(Urdf, FrictionOfBulletsContactIsThatOfTheLinksShapes) {
  const std::string sphere = "<collision><geometry><sphere radius='1'/></geometry></collision>";
  const ImportedModel model = robot(
      link("a", body + sphere + sphere + "<contact><lateral_friction value='0.3'/><restitution value='0'/></contact>") +
      link("b", body + sphere) + joint("j", "continuous", "a", "b"));
  ASSERT_EQ(model.materials.size(), 1u);
  EXPECT_EQ(model.materials[0].friction, Vec2(0.3, 0.3));
  EXPECT_EQ(model.colliders.at(0).material, 0);
  EXPECT_EQ(model.colliders.at(1).material, 0);
  EXPECT_EQ(model.colliders.at(2).material, -1);
  EXPECT_EQ(texts(model.unused), std::vector<std::string>{"2: <restitution>"});
}

TEST(Urdf, RobotWithoutNameIsCalledAsItsFile) {
  EXPECT_EQ(parse_urdf("<robot>" + link("a") + "</robot>", "some/arm.urdf").name, "arm");
}

TEST(Urdf, LinkCalledWorldIsTheWorldDeclaredOrNot) {
  const std::string arm = link("a") + joint("j", "continuous", "world", "a");
  for (const std::string& declared : {std::string(), link("world", "")}) {
    const ImportedModel model = robot(declared + arm);
    ASSERT_EQ(model.links.size(), 1u);
    ASSERT_TRUE(model.links[0].joint);
    EXPECT_EQ(model.links[0].joint->parent, -1);
  }
}

TEST(Urdf, ShapesOfTheWorldAndOfWhatIsFixedToItBelongToTheWorld) {
  const std::string ball = "<collision><origin xyz='0 0 1'/><geometry><sphere radius='1'/></geometry></collision>";
  const ImportedModel model =
      robot(link("world", ball) + link("table", ball) + joint("j", "fixed", "world", "table", "<origin xyz='5 0 0'/>"));
  EXPECT_TRUE(model.links.empty());
  ASSERT_EQ(model.colliders.size(), 2u);
  EXPECT_EQ(model.colliders[0].body, -1);
  EXPECT_EQ(model.colliders[1].body, -1);
  EXPECT_EQ(model.colliders[0].X_BS.p, Vec3(0, 0, 1));
  EXPECT_EQ(model.colliders[1].X_BS.p, Vec3(5, 0, 1));
  ASSERT_EQ(model.frames.size(), 1u);
  EXPECT_EQ(model.frames[0].link, -1);
}

TEST(Urdf, MasslessRootIsTheLinkThatIsFixedToIt) {
  const ImportedModel model = robot(link("base_link", "") + link("trunk") +
                                    joint("j", "fixed", "base_link", "trunk", "<origin xyz='0 0 0.3'/>"));
  ASSERT_EQ(model.links.size(), 1u);
  EXPECT_EQ(model.links[0].name, "base_link");
  EXPECT_EQ(model.links[0].inertia.mass, 1);
  EXPECT_EQ(model.links[0].inertia.center, Vec3(0, 0, 0.3));
  ASSERT_EQ(model.frames.size(), 1u);
  EXPECT_EQ(model.frames[0].name, "trunk");
  EXPECT_EQ(model.frames[0].inertia.mass, 1);
}

TEST(Urdf, OrderOfElementsDoesNotMatter) {
  const ImportedModel model = robot(joint("j", "continuous", "b", "c") + link("c") + link("b") + link("a") +
                                    joint("i", "continuous", "a", "b"));
  ASSERT_EQ(model.links.size(), 3u);
  EXPECT_EQ(model.links[0].name, "a");
  EXPECT_EQ(model.links[1].name, "b");
  EXPECT_EQ(model.links[2].name, "c");
  EXPECT_EQ(model.links[1].joint->parent, 0);
  EXPECT_EQ(model.links[2].joint->parent, 1);
  EXPECT_EQ(model.links[2].joint->name, "j");
}

// A rod of length 2 along x, its frame turned by 90° about z: it lies along y. Moments in closed form.
TEST(Urdf, InertiaIsTurnedWithItsOrigin) {
  const double across = 6.0 * 4 / 12;
  const ImportedModel model =
      robot("<link name='a'><inertial><origin xyz='1 2 3' rpy='0 0 " + std::to_string(pi / 2) +
            "'/><mass value='6'/><inertia ixx='0.5' ixy='0' ixz='0' iyy='2' iyz='0' izz='2'/></inertial></link>");
  const SpatialInertia& inertia = model.links[0].inertia;
  EXPECT_EQ(inertia.mass, 6);
  EXPECT_EQ(inertia.center, Vec3(1, 2, 3));
  EXPECT_LT((inertia.central - Mat3(Vec3(across, 0.5, across).asDiagonal())).norm(), 1e-5);
}

// Roll about x first, then pitch about y, then yaw about z, all of the parent: z goes to −y, stays, goes to x.
TEST(Urdf, RpyTurnsAboutFixedAxesInTurn) {
  const std::string quarter = std::to_string(pi / 2);
  const ImportedModel model = robot(link("a") + link("b", "") +
                                    joint("j", "fixed", "a", "b", "<origin rpy='" + quarter + " 0 " + quarter + "'/>"));
  EXPECT_LT((model.frames[0].X_BF.R * Vec3::UnitZ() - Vec3::UnitX()).norm(), 1e-6);
  EXPECT_LT((model.frames[0].X_BF.R * Vec3::UnitX() - Vec3::UnitY()).norm(), 1e-6);
}

TEST(Urdf, ShapesHaveTheirSizes) {
  EXPECT_EQ(std::get<Sphere>(with_geometry("<sphere radius='2'/>").colliders[0].shape).radius, 2);
  EXPECT_EQ(std::get<Box>(with_geometry("<box size='1 2 3'/>").colliders[0].shape).half_extents, Vec3(0.5, 1, 1.5));
  const ImportedModel cylinder = with_geometry("<cylinder radius='2' length='5'/>");
  EXPECT_EQ(std::get<Cylinder>(cylinder.colliders[0].shape).radius, 2);
  EXPECT_EQ(std::get<Cylinder>(cylinder.colliders[0].shape).half_length, 2.5);
  const ImportedModel capsule = with_geometry("<capsule radius='2' length='5'/>");
  EXPECT_EQ(std::get<Capsule>(capsule.colliders[0].shape).radius, 2);
  EXPECT_EQ(std::get<Capsule>(capsule.colliders[0].shape).half_length, 2.5);
}

TEST(Urdf, SeveralShapesOfALinkHaveNamesOfTheirOwn) {
  const std::string ball = "<geometry><sphere radius='1'/></geometry></collision>\n";
  const ImportedModel model =
      robot(link("a", body + "\n<collision>" + ball + "<collision name='toe'>" + ball + "<collision>" + ball));
  ASSERT_EQ(model.colliders.size(), 3u);
  EXPECT_EQ(model.colliders[0].name, "a_1");
  EXPECT_EQ(model.colliders[1].name, "toe");
  EXPECT_EQ(model.colliders[2].name, "a_3");
  EXPECT_EQ(model.collider_lines, (std::vector<int>{3, 4, 5}));
}

// The mesh is a tetrahedron with legs 1, 2, 3 along the axes and one more vertex inside. Its volume is 1 · 2 · 3 / 6
// times the product of the scales, whatever their signs.
TEST(Urdf, MeshStandsForItsHullScaled) {
  const ImportedModel model = with_geometry("<mesh filename='meshes/corner.obj' scale='1 -1 0.5'/>");
  const auto& polyhedron = std::get<ConvexMesh>(model.colliders[0].shape).polyhedron;
  EXPECT_EQ(polyhedron->vertices.size(), 4u);
  EXPECT_NEAR(polyhedron->inertia(1).mass, 0.5, 1e-12);
  EXPECT_NEAR(polyhedron->inertia(1).center.y(), -0.5, 1e-12);
}

TEST(Urdf, MeshUsedTwiceIsShared) {
  const std::string mesh = "<collision><geometry><mesh filename='meshes/corner.obj'/></geometry></collision>";
  const ImportedModel model = robot(link("a", body + mesh + mesh));
  EXPECT_EQ(std::get<ConvexMesh>(model.colliders[0].shape).polyhedron,
            std::get<ConvexMesh>(model.colliders[1].shape).polyhedron);
}

TEST(Urdf, WhatIsOnlySeenNeedNotBeThere) {
  const ImportedModel model =
      robot(link("a", body + "<visual><geometry><mesh filename='none.dae'/></geometry></visual>"));
  ASSERT_EQ(model.unused.size(), 1u);
  EXPECT_TRUE(texts(model.unused)[0].starts_with("2: <visual>: the mesh \"none.dae\" is not there; looked for "));
}

TEST(Urdf, JointsHaveLimitsDampingAndDryFriction) {
  const ImportedModel model =
      robot(link("a") + link("b") +
            joint("j", "prismatic", "a", "b", "<limit lower='-0.5' upper='2'/><dynamics damping='3' friction='4'/>"));
  const Joint& joint = *model.links[1].joint;
  EXPECT_EQ(joint.type, JointType::prismatic);
  EXPECT_EQ(joint.lower[0], -0.5);
  EXPECT_EQ(joint.upper[0], 2);
  EXPECT_EQ(joint.damping[0], 3);
  EXPECT_EQ(joint.friction[0], 4);
}

TEST(Urdf, BoundThatIsLeftOutIsZeroByTheSpecification) {
  const ImportedModel model =
      robot(link("a") + link("b") + joint("j", "revolute", "a", "b", "<limit upper='2' effort='1' velocity='1'/>"));
  EXPECT_EQ(model.links[1].joint->lower[0], 0);
  EXPECT_EQ(model.links[1].joint->upper[0], 2);
  EXPECT_EQ(texts(model.unused), (std::vector<std::string>{"4: attribute \"velocity\" of <limit>"}));
}

TEST(Urdf, JointsStartAtZeroOrAtTheLimitNearestToIt) {
  const auto start = [](const std::string& limits) {
    return robot(link("a") + link("b") + joint("j", "revolute", "a", "b", "<limit " + limits + "/>")).links[1].position;
  };
  EXPECT_EQ(start("lower='-1' upper='1'")[0], 0);
  EXPECT_EQ(start("lower='-2' upper='-1'")[0], -1);
  EXPECT_EQ(start("lower='1' upper='2'")[0], 1);
}

TEST(Urdf, ContinuousAndFloatingJointsHaveNoLimits) {
  const ImportedModel model =
      robot(link("a") + link("b") + link("c") + joint("i", "continuous", "a", "b", "<limit lower='-1' upper='1'/>") +
            joint("j", "floating", "a", "c", "<axis xyz='0 0 1'/>"));
  EXPECT_EQ(model.links[1].joint->lower.size(), 0);
  EXPECT_EQ(model.links[2].joint->type, JointType::free);
  EXPECT_EQ(texts(model.unused), (std::vector<std::string>{"5: <limit>", "6: <axis>"}));
}

TEST(Urdf, EffortIsThatOfItsLimitAndNoneBelowZero) {
  const auto effort = [](const std::string& type, const std::string& limits) {
    return robot(link("a") + link("b") + joint("j", type, "a", "b", "<limit " + limits + "/>")).links[1].joint->effort;
  };
  EXPECT_EQ(effort("revolute", "lower='0' upper='1' effort='12'")[0], 12);
  EXPECT_EQ(effort("continuous", "effort='0' velocity='3'")[0], 0);
  EXPECT_EQ(effort("prismatic", "lower='0' upper='1' effort='-1'").size(), 0);
  EXPECT_EQ(effort("prismatic", "lower='0' upper='1'").size(), 0);
}

TEST(Urdf, AxisIsXWhereNoneIsGivenAndAnyLengthWillDo) {
  for (const std::string axis : {"", "<axis xyz='1e-300 0 0'/>", "<axis xyz='1e300 0 0'/>"}) {
    const ImportedModel model = robot(link("a") + link("b") + joint("j", "continuous", "a", "b", axis));
    EXPECT_EQ(model.links[1].joint->X_PF.R.col(2), Vec3::UnitX()) << axis;
  }
}

TEST(Urdf, MimicIsACouplerThatHoldsAtTheStart) {
  const ImportedModel model =
      robot(link("a") + link("b") + link("c") + link("d") + joint("k", "continuous", "a", "d", "<mimic joint='j'/>") +
            joint("j", "continuous", "a", "c", "<mimic joint='i' multiplier='-2' offset='0.5'/>") +
            joint("i", "revolute", "a", "b", "<limit lower='1' upper='2'/>"));
  ASSERT_EQ(model.constraints.size(), 2u);
  for (const Constraint& coupler : model.constraints) {
    EXPECT_EQ(coupler.kind, ConstraintKind::coupler);
    const double a = model.links[coupler.body_a].position[0], b = model.links[coupler.shares[0].body].position[0];
    EXPECT_DOUBLE_EQ(a, coupler.shares[0].ratio * b + coupler.offset);
  }
  const Constraint& second = model.constraints[1];
  EXPECT_EQ(second.name, "j");
  EXPECT_EQ(model.links[second.body_a].name, "c");
  EXPECT_EQ(model.links[second.shares[0].body].name, "b");
  EXPECT_EQ(second.shares[0].ratio, -2);
  EXPECT_EQ(second.offset, 0.5);
}

TEST(Urdf, FrictionOfALinkIsTheMaterialOfItsShapesAlone) {
  const std::string ball = "<collision><geometry><sphere radius='1'/></geometry></collision>";
  const ImportedModel model =
      robot(link("a", body + ball) + link("foot", ball + ball) + joint("j", "fixed", "a", "foot") +
            "<gazebo reference='foot'><mu1>0.5</mu1><mu2 value='0.25'/><kp>1e6</kp></gazebo>\n<gazebo/>");
  ASSERT_EQ(model.materials.size(), 1u);
  EXPECT_EQ(model.materials[0].name, "foot");
  EXPECT_EQ(model.materials[0].friction, Vec2(0.5, 0.25));
  EXPECT_EQ(model.colliders[0].material, -1);
  EXPECT_EQ(model.colliders[1].material, 0);
  EXPECT_EQ(model.colliders[2].material, 0);
  EXPECT_EQ(texts(model.unused), (std::vector<std::string>{"5: <kp>", "6: <gazebo>"}));
}

TEST(Urdf, AllFaultsAreToldAtOnce) {
  try {
    static_cast<void>(robot(link("a", "<inertial/>") + link("b", "<collision/>") + joint("j", "hinge", "a", "b")));
    FAIL() << "was read";
  } catch (const ImportError& error) {
    std::vector<int> lines;
    for (const ImportNote& fault : error.faults()) lines.push_back(fault.line);
    EXPECT_EQ(lines, (std::vector<int>{2, 2, 3, 3, 4}));
  }
}

// A chain as long as this would overflow the stack of a reader that calls itself.
TEST(Urdf, LongChainsAreRead) {
  std::string text = link("l0");
  const int count = 20000;
  for (int i = count; i > 0; --i) {
    const std::string child = "l" + std::to_string(i), parent = "l" + std::to_string(i - 1);
    text += link(child) + joint("j" + std::to_string(i), i % 2 ? "fixed" : "continuous", parent, child);
  }
  const ImportedModel model = robot(text);
  EXPECT_EQ(model.links.size(), count / 2 + 1u);
  EXPECT_EQ(model.frames.size(), count / 2u);
}

}  // namespace
}  // namespace carom::urdf_test
