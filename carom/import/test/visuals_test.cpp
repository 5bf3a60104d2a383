#include <gtest/gtest.h>

#include <numbers>
#include <string>

#include "carom/import/build.h"
#include "carom/import/mjcf.h"
#include "carom/import/sdformat.h"
#include "carom/import/urdf.h"
#include "testing/folders.h"

namespace carom::visuals_test {
namespace {

constexpr double exact = 1e-14;
const std::string file = source_folder() + "/carom/import/test/x";
const std::string inertial =
    "<inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial>";
const std::string right_angle = "1.5707963267948966";

const Visual& named(const ImportedModel& model, const std::string& name) {
  for (const Visual& visual : model.visuals) {
    if (visual.name == name) return visual;
  }
  throw Error("no visual is called " + name);
}

Mat3 about_z(double angle) { return Eigen::AngleAxisd(angle, Vec3::UnitZ()).toRotationMatrix(); }

void expect_at(const Visual& visual, int body, const Vec3& p, const Mat3& R) {
  EXPECT_EQ(visual.body, body) << visual.name;
  EXPECT_LE((visual.X_BV.p - p).norm(), exact) << visual.name << " at " << visual.X_BV.p.transpose();
  EXPECT_LE((visual.X_BV.R - R).norm(), exact) << visual.name;
}

/// The notes of a model that hold the words.
std::size_t told(const ImportedModel& model, const std::string& words) {
  return static_cast<std::size_t>(std::count_if(model.unused.begin(), model.unused.end(), [&](const ImportNote& note) {
    return note.text.find(words) != std::string::npos;
  }));
}

/// Colliders, inertias, joints and frames of two models are the same numbers.
void expect_same_mechanics(const ImportedModel& a, const ImportedModel& b) {
  const Model one = builder_of(a).build(), other = builder_of(b).build();
  ASSERT_EQ(one.body_count(), other.body_count());
  ASSERT_EQ(one.colliders().size(), other.colliders().size());
  for (int i = 0; i < one.body_count(); ++i) {
    const SpatialInertia &p = one.bodies()[i].inertia, &q = other.bodies()[i].inertia;
    EXPECT_TRUE(p.mass == q.mass && p.center == q.center && p.central == q.central);
    EXPECT_TRUE(one.joints()[i].X_PF.p == other.joints()[i].X_PF.p &&
                one.joints()[i].X_PF.R == other.joints()[i].X_PF.R);
  }
}

const std::string welded =
    "<joint name='weld' type='fixed'><parent link='base'/><child link='tip'/><origin xyz='0 2 0' "
    "rpy='0 0 " +
    right_angle + "'/></joint>";

ImportedModel robot(const std::string& base, const std::string& tip, const std::string& more = "") {
  return parse_urdf("<robot name='r'>" + more + "<link name='base'>" + inertial + base + "</link><link name='tip'>" +
                        inertial + tip + "</link>" + welded + "</robot>",
                    file);
}

TEST(UrdfVisuals, LieWhereLinksThatAreWeldedPutThem) {
  const std::string plate = "<visual name='plate'><origin xyz='0 0 1' rpy='0 0 " + right_angle +
                            "'/><geometry><box size='2 4 6'/></geometry></visual>";
  const std::string pin =
      "<visual><origin xyz='1 0 0'/><geometry><cylinder radius='0.1' length='0.4'/></geometry></visual>";
  const ImportedModel model = robot(plate, pin);
  ASSERT_EQ(model.visuals.size(), 2u);
  expect_at(named(model, "plate"), 0, {0, 0, 1}, about_z(std::numbers::pi / 2));
  // The tip's frame is at (0, 2, 0), its x axis along the base's y.
  expect_at(named(model, "tip"), 0, {0, 3, 0}, about_z(std::numbers::pi / 2));
  EXPECT_EQ(std::get<Box>(named(model, "plate").shape).half_extents, Vec3(1, 2, 3));
  EXPECT_EQ(std::get<Cylinder>(named(model, "tip").shape).half_length, 0.2);
  EXPECT_TRUE(model.unused.empty());
  EXPECT_TRUE(model.colliders.empty()) << "what is drawn touches nothing";
  expect_same_mechanics(model, robot("", ""));
}

TEST(UrdfVisuals, HaveTheColoursOfTheirMaterials) {
  const auto ball = [](const std::string& name, const std::string& material) {
    return "<visual name='" + name + "'><geometry><sphere radius='1'/></geometry>" + material + "</visual>";
  };
  const ImportedModel model =
      robot(ball("own", "<material name=''><color rgba='0 1 0 0.5'/></material>") +
                ball("of robot", "<material name='red'/>") + ball("none", ""),
            ball("first use", "<material name='blue'><color rgba='0 0 1 1'/></material>") +
                ball("again", "<material name='blue'/>") + ball("unknown", "<material name='pink'/>"),
            "<material name='red'><color rgba='1 0 0 1'/></material>");
  EXPECT_EQ(named(model, "own").color, (Rgba{0, 1, 0, 0.5}));
  EXPECT_EQ(named(model, "of robot").color, (Rgba{1, 0, 0, 1}));
  EXPECT_EQ(named(model, "again").color, (Rgba{0, 0, 1, 1}));
  EXPECT_FALSE(named(model, "none").color);
  EXPECT_FALSE(named(model, "unknown").color);
}

TEST(UrdfVisuals, AreNotedWhereTheyCannotBeDrawnAndRefuseNothing) {
  const std::string faults[] = {"<visual/>", "<visual><geometry/></visual>",
                                "<visual><geometry><box size='1 1'/></geometry></visual>",
                                "<visual><geometry><sphere radius='-1'/></geometry></visual>",
                                "<visual><geometry><plane normal='0 0 1'/></geometry></visual>"};
  for (const std::string& visual : faults) {
    const ImportedModel model = robot(visual, "");
    EXPECT_TRUE(model.visuals.empty()) << visual;
    EXPECT_EQ(told(model, "<visual>: "), 1u) << visual;
  }
  const ImportedModel missing = robot("<visual><geometry><mesh filename='a.dae'/></geometry></visual>",
                                      "<visual><geometry><mesh filename='b.dae'/></geometry></visual>");
  EXPECT_EQ(missing.visuals.size(), 2u) << "that they are there tells which bodies are drawn otherwise";
  EXPECT_EQ(told(missing, "1 more file is not there either: \"b.dae\""), 1u) << "both are one note";
}

TEST(SdfVisuals, LieInFramesOfTheirModelAndMoveWithWeldedLinks) {
  const auto body = [](const std::string& name, const std::string& inside) {
    return "<link name='" + name + "'>" + inside +
           "<inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial></link>";
  };
  const std::string sphere = "<geometry><sphere><radius>1</radius></sphere></geometry>";
  const ImportedModel model = parse_sdformat(
      "<sdf version='1.9'><model name='m'>" +
          body("a",
               "<pose>1 0 0 0 0 0</pose><visual name='v'><pose>0 0 1 0 0 0</pose>" + sphere +
                   "<material><diffuse>0.5 0.25 1</diffuse></material><transparency>0.25</transparency></visual>") +
          body("b", "<pose>0 2 0 0 0 " + right_angle + "</pose><visual name='v'><pose>1 0 0 0 0 0</pose>" + sphere +
                        "</visual><visual name='f'><pose relative_to='spot'>0 0 1 0 0 0</pose>" + sphere +
                        "</visual>"
                        "<visual name='lost'><pose relative_to='nowhere'>0 0 0 0 0 0</pose>" +
                        sphere + "</visual>") +
          "<frame name='spot' attached_to='a'><pose>0 0 0 0 0 0</pose></frame>"
          "<joint name='j' type='fixed'><parent>a</parent><child>b</child></joint></model></sdf>",
      "x.sdf");
  ASSERT_EQ(model.links.size(), 1u);
  ASSERT_EQ(model.visuals.size(), 3u);
  expect_at(named(model, "a::v"), 0, {0, 0, 1}, Mat3::Identity());
  // Link b is at (0, 2, 0) with its x axis along y, so its sphere is at (0, 3, 0). The frame of a is at (1, 0, 0).
  expect_at(named(model, "b::v"), 0, {-1, 3, 0}, about_z(std::numbers::pi / 2));
  expect_at(named(model, "b::f"), 0, {0, 0, 1}, Mat3::Identity());
  EXPECT_EQ(named(model, "a::v").color, (Rgba{0.5, 0.25, 1, 0.75}));
  EXPECT_FALSE(named(model, "b::v").color);
  EXPECT_EQ(told(model, "relative to \"nowhere\""), 1u);
}

TEST(MjcfVisuals, AreTheGeomsThatMuJoCoShowsAtFirst) {
  const ImportedModel model = parse_mjcf(
      "<mujoco><default><default class='shown'><geom contype='0' conaffinity='0' group='2' rgba='0 1 0 1'/></default>"
      "</default><asset><material name='steel' rgba='0.5 0.5 0.75 1'/><mesh name='gone' file='gone.stl'/></asset>"
      "<worldbody><geom name='floor' type='plane' size='1 1 1'/><body pos='0 0 1'><freejoint/>"
      "<geom name='hull' size='0.1' group='3'/>"
      "<geom name='skin' class='shown' type='box' size='1 2 3' pos='1 0 0'/>"
      "<geom name='both' size='0.2' material='steel'/>"
      "<geom name='clear' class='shown' size='0.1' rgba='1 1 1 0'/>"
      "<geom name='hidden' size='0.1' contype='0' conaffinity='0' group='4' mass='0'/>"
      "<geom name='mesh' class='shown' type='mesh' mesh='gone' mass='0'/>"
      "<body pos='0 2 0' euler='0 0 90'><geom name='welded' class='shown' size='0.1' pos='1 0 0'/></body>"
      "</body></worldbody></mujoco>",
      "x.xml");
  std::vector<std::string> names;
  for (const Visual& visual : model.visuals) names.push_back(visual.name);
  EXPECT_EQ(names, (std::vector<std::string>{"skin", "both", "mesh", "welded"}));
  expect_at(named(model, "skin"), 0, {1, 0, 0}, Mat3::Identity());
  expect_at(named(model, "welded"), 0, {0, 3, 0}, about_z(std::numbers::pi / 2));
  EXPECT_EQ(std::get<Box>(named(model, "skin").shape).half_extents, Vec3(1, 2, 3));
  EXPECT_EQ(named(model, "skin").color, (Rgba{0, 1, 0, 1}));
  EXPECT_EQ(named(model, "both").color, (Rgba{0.5, 0.5, 0.75, 1}));
  EXPECT_EQ(told(model, "\"gone.stl\" is not there"), 1u);
  EXPECT_EQ(model.colliders.size(), 3u) << "floor, hull and both";
}

TEST(MjcfVisuals, MeshesInTheFileAreScaledAboutTheirReferencePoint) {
  const ImportedModel model = parse_mjcf(
      "<mujoco><asset><mesh name='m' refpos='1 0 0' scale='2 1 1' vertex='1 0 0 2 0 0 1 1 0 1 0 1' "
      "face='0 2 1 0 1 3 0 3 2 1 2 3'/></asset><worldbody><body><freejoint/><geom size='1'/>"
      "<geom type='mesh' mesh='m' contype='0' conaffinity='0' mass='0' pos='0 0 5'/></body></worldbody></mujoco>",
      "x.xml");
  ASSERT_EQ(model.visuals.size(), 2u);
  const TriangleMesh& surface = *std::get<VisualMesh>(model.visuals[1].shape).surface;
  const std::vector<Vec3> corners = {{0, 0, 0}, {2, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  EXPECT_EQ(surface.vertices, corners);
  EXPECT_EQ(surface.triangles.size(), 12u);
  EXPECT_EQ(model.visuals[1].X_BV.p, Vec3(0, 0, 5));
}

TEST(MjcfVisuals, MirroredMeshesInTheFileAreNotInsideOut) {
  for (const std::string scale : {"1 1 1", "-1 1 1", "-1 -2 1", "-1 -1 -1"}) {
    const ImportedModel model = parse_mjcf(
        "<mujoco><asset><mesh name='m' scale='" + scale +
            "' vertex='0 0 0 1 0 0 0 1 0 0 0 1' face='0 2 1 0 1 3 0 3 2 1 2 3'/></asset><worldbody><body><freejoint/>"
            "<geom size='1'/><geom type='mesh' mesh='m' contype='0' conaffinity='0' mass='0'/></body></worldbody>"
            "</mujoco>",
        "x.xml");
    ASSERT_EQ(model.visuals.size(), 2u);
    const TriangleMesh& surface = *std::get<VisualMesh>(model.visuals[1].shape).surface;
    Vec3 middle = Vec3::Zero();
    for (const Vec3& vertex : surface.vertices) middle += vertex / 4;
    ASSERT_EQ(surface.triangles.size(), 12u);
    for (std::size_t i = 0; i < 12; i += 3) {
      const Vec3 &a = surface.vertices[surface.triangles[i]], &b = surface.vertices[surface.triangles[i + 1]],
                 &c = surface.vertices[surface.triangles[i + 2]];
      EXPECT_GT((b - a).cross(c - a).dot(a - middle), 0) << "anticlockwise seen from outside, scaled by " << scale;
    }
  }
}

}  // namespace
}  // namespace carom::visuals_test
