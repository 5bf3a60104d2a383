#include "carom/import/sdformat.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "carom/import/urdf.h"
#include "sdf_text.h"
#include "testing/folders.h"

namespace carom::sdformat_test {
namespace {

namespace fs = std::filesystem;

using namespace test;

TEST(Sdformat, ReadsAnInertialWithAPoseOfItsOwn) {
  const ImportedModel read = model(
      "<pose>1 2 3 0 0 0</pose><link name='a'><pose>0 0 1 0 0 0</pose><inertial><pose>0.1 0.2 0.3 0 0 "
      "1.5707963267948966"
      "</pose><mass>2</mass><inertia><ixx>3</ixx><iyy>4</iyy><izz>5</izz></inertia></inertial></link>");
  ASSERT_EQ(read.links.size(), 1u);
  EXPECT_FALSE(read.links[0].joint.has_value());
  EXPECT_EQ(read.links[0].name, "a");
  EXPECT_EQ(read.name, "m");
  expect_near(read.links[0].X_WB, {Mat3::Identity(), Vec3(1, 2, 4)});
  EXPECT_EQ(read.links[0].inertia.mass, 2);
  EXPECT_LE((read.links[0].inertia.center - Vec3(0.1, 0.2, 0.3)).norm(), exact);
  EXPECT_LE((read.links[0].inertia.central - Mat3(Vec3(4, 3, 5).asDiagonal())).norm(), exact);
}

TEST(Sdformat, TurnsAnInertialByDegreesAndByAQuaternionAlike) {
  const auto turned = [](const std::string& pose) {
    return model(
               "<link name='a'><inertial>" + pose +
               "<mass>2</mass><inertia><ixx>3</ixx><ixy>0.1</ixy><iyy>4</iyy><izz>5</izz></inertia></inertial></link>")
        .links[0]
        .inertia.central;
  };
  const Mat3 euler = turned("<pose>0 0 0 0.3 -0.7 1.1</pose>");
  const auto degrees = [](double angle) { return std::to_string(angle * 180 / std::numbers::pi); };
  const Mat3 by_degrees =
      turned("<pose degrees='true'>0 0 0 " + degrees(0.3) + " " + degrees(-0.7) + " " + degrees(1.1) + "</pose>");
  EXPECT_LE((euler - by_degrees).norm(), 1e-6);  // six digits of text
  const Quaternion q = Quaternion(Eigen::AngleAxisd(1.1, Vec3::UnitZ())) *
                       Quaternion(Eigen::AngleAxisd(-0.7, Vec3::UnitY())) *
                       Quaternion(Eigen::AngleAxisd(0.3, Vec3::UnitX()));
  std::ostringstream text;
  text.precision(17);
  text << q.x() << ' ' << q.y() << ' ' << q.z() << ' ' << q.w();
  EXPECT_LE((euler - turned("<pose rotation_format='quat_xyzw'>0 0 0 " + text.str() + "</pose>")).norm(), 1e-14);
}

TEST(Sdformat, IsTheSameMechanismFromWhicheverFrameItIsWritten) {
  const std::string in_model = "<pose>0.1 0.2 0.3 0.2 0.3 0.4</pose>" + link("a") +
                               link("b", "<pose>1 0 0 0.5 0 0</pose>") +
                               joint("revolute",
                                     "<pose relative_to='__model__'>0.5 0 0 0 0 0</pose>"
                                     "<axis><xyz expressed_in='__model__'>0 0.6 0.8</xyz></axis>");
  const std::string in_frames =
      "<pose>0.1 0.2 0.3 0.2 0.3 0.4</pose><frame name='f' attached_to='a'><pose relative_to='a'>0.5 0 0 0 0 "
      "0</pose></frame>" +
      link("a") + link("b", "<pose relative_to='f'>0.5 0 0 0.5 0 0</pose>") +
      joint("revolute", "<pose relative_to='f'/><axis><xyz expressed_in='a'>0 0.6 0.8</xyz></axis>", "f", "b");
  const ImportedModel one = model(in_model), other = model(in_frames);
  ASSERT_EQ(one.links.size(), 2u);
  ASSERT_EQ(other.links.size(), 2u);
  expect_near(one.links[0].X_WB, other.links[0].X_WB);
  expect_near(one.links[1].joint->X_PF, other.links[1].joint->X_PF);
  expect_near(one.links[1].joint->X_BM, other.links[1].joint->X_BM);
  ASSERT_EQ(other.frames.size(), 1u);
  EXPECT_EQ(other.frames[0].name, "f");
  EXPECT_EQ(other.frames[0].link, 0);
  expect_near(other.frames[0].X_BF, {Mat3::Identity(), Vec3(0.5, 0, 0)});
}

TEST(Sdformat, PutsTheAxisOfOldFilesInTheFrameOfTheModel) {
  const std::string text =
      link("a") + link("b", "<pose>1 0 0 0 0 1.5707963267948966</pose>") + joint("revolute", axis("1 0 0"));
  for (const auto& [version, expected] : {std::pair("1.4", Vec3(1, 0, 0)), std::pair("1.9", Vec3(0, 1, 0))}) {
    const ImportedModel read = model(text, version);
    EXPECT_LE((read.links[1].joint->X_PF.R.col(2) - expected).norm(), 1e-12) << version;
    EXPECT_LE((read.links[1].joint->X_PF.p - Vec3(1, 0, 0)).norm(), 1e-12) << version;
  }
}

TEST(Sdformat, ReadsWhatActsOnACoordinate) {
  const ImportedModel read = model(
      link("a") + link("b") +
      joint("prismatic",
            axis("0 1 0",
                 "<limit><lower>-0.5</lower><upper>inf</upper><effort>8</effort></limit><dynamics><damping>1</damping>"
                 "<friction>2</friction><spring_stiffness>3</spring_stiffness>"
                 "<spring_reference>0.25</spring_reference></dynamics>"
                 "<initial_position>0.125</initial_position>") +
                "<drake:rotor_inertia>0.5</drake:rotor_inertia><drake:gear_ratio>4</drake:gear_ratio>"));
  const Joint& joint = *read.links[1].joint;
  EXPECT_EQ(joint.type, JointType::prismatic);
  EXPECT_EQ(joint.name, "j");
  EXPECT_EQ(joint.parent, 0);
  EXPECT_EQ(joint.lower[0], -0.5);
  EXPECT_EQ(joint.upper[0], std::numeric_limits<double>::infinity());
  EXPECT_EQ(joint.effort[0], 8);
  EXPECT_EQ(joint.damping[0], 1);
  EXPECT_EQ(joint.friction[0], 2);
  EXPECT_EQ(joint.stiffness[0], 3);
  EXPECT_EQ(joint.rest[0], 0.25);
  EXPECT_EQ(joint.reflected_inertia[0], 8);
  EXPECT_EQ(read.links[1].position[0], 0.125);
}

TEST(Sdformat, HasALeftHandedThreadOfRadiansPerMetre) {
  const std::string links = link("a") + link("b");
  EXPECT_EQ(model(links + joint("screw", axis("0 0 1") + "<thread_pitch>-4</thread_pitch>")).links[1].joint->pitch,
            0.25);
  const double lead = 0.002;
  EXPECT_NEAR(model(links + joint("screw", axis("0 0 1") + "<screw_thread_pitch>0.002</screw_thread_pitch>"))
                  .links[1]
                  .joint->pitch,
              lead / (2 * std::numbers::pi), exact);
  EXPECT_NE(faults_of(links + joint("screw", axis("0 0 1", "<limit><upper>1</upper></limit>") +
                                                 "<thread_pitch>1</thread_pitch>"))
                .find("angles or lengths"),
            std::string::npos);
}

TEST(Sdformat, HasUniversalJointsOfAnyTwoAxes) {
  const std::string links = link("a") + link("b");
  const ImportedModel right =
      model(links + joint("universal",
                          axis("0 1 0") + "<axis2><xyz>0 0 1</xyz><dynamics><damping>3</damping></dynamics></axis2>"));
  const Joint& universal = *right.links[1].joint;
  EXPECT_EQ(universal.type, JointType::universal);
  EXPECT_LE((universal.X_PF.R.col(0) - Vec3(0, 1, 0)).norm(), exact);
  EXPECT_LE((universal.X_PF.R.col(1) - Vec3(0, 0, 1)).norm(), exact);
  EXPECT_NEAR(universal.X_PF.R.determinant(), 1, exact);
  EXPECT_EQ(universal.damping, Eigen::Vector2d(0, 3));
  const ImportedModel skewed = model(links + joint("revolute2", axis("1 0 0") + "<axis2><xyz>0.6 0.8 0</xyz></axis2>"));
  const Joint& twists = *skewed.links[1].joint;
  EXPECT_EQ(twists.type, JointType::twists);
  ASSERT_EQ(twists.twists.cols(), 2);
  Vec6 second;
  second << 0.6, 0.8, 0, 0, 0, 0;
  EXPECT_LE((twists.twists.col(1) - second).norm(), exact);
}

TEST(Sdformat, HasBallsAndPlanes) {
  const ImportedModel ball = model(link("a") + link("b") + joint("ball", "<pose>0 0 1 0 0 0</pose>"));
  EXPECT_EQ(ball.links[1].joint->type, JointType::spherical);
  EXPECT_LE((ball.links[1].joint->X_BM.p - Vec3(0, 0, 1)).norm(), exact);
  const ImportedModel planar =
      model(link("a") +
            "<drake:joint name='p' type='planar'><drake:parent>world</drake:parent><drake:child>a</drake:child>"
            "<drake:damping>1 2 3</drake:damping></drake:joint>");
  EXPECT_EQ(planar.links[0].joint->type, JointType::planar);
  EXPECT_EQ(planar.links[0].joint->damping, Eigen::Vector3d(1, 2, 3));
  EXPECT_TRUE(planar.unused.empty());
}

TEST(Sdformat, WeldsLinksAndKeepsTheWholeInertia) {
  const ImportedModel read =
      model(link("a") + link("b", "<pose>2 0 0 0 0 0</pose>" + ball_shape("c")) + joint("fixed", ""));
  ASSERT_EQ(read.links.size(), 1u);
  EXPECT_EQ(read.links[0].inertia.mass, 4);
  EXPECT_LE((read.links[0].inertia.center - Vec3(1, 0, 0)).norm(), exact);
  // Parallel axes: two bodies of 2 kg, each 1 m from the common centre.
  EXPECT_LE((read.links[0].inertia.central - Mat3(Vec3(6, 12, 14).asDiagonal())).norm(), 1e-13);
  ASSERT_EQ(read.colliders.size(), 1u);
  EXPECT_LE((read.colliders[0].X_BS.p - Vec3(2, 0, 0)).norm(), exact);
}

TEST(Sdformat, TurnsAJointRoundWhoseChildHangsAlready) {
  const std::string links = link("a") + link("b", "<pose>1 0 0 0 0 0.3</pose>");
  const std::string hinge = joint("revolute", axis("0 0 1"), "world", "b", "w");
  const ImportedModel read = model(links + hinge + joint("revolute", axis("0 0.6 0.8")));
  ASSERT_EQ(read.links.size(), 2u);
  EXPECT_EQ(read.links[0].name, "b");
  EXPECT_EQ(read.links[1].name, "a");
  EXPECT_TRUE(read.constraints.empty());
  EXPECT_EQ(read.links[1].joint->parent, 0);
  EXPECT_LE((read.links[1].joint->X_PF.R.col(2) + Vec3(0, 0.6, 0.8)).norm(), exact);
  EXPECT_NEAR(read.links[1].joint->X_PF.R.determinant(), 1, exact);
  expect_near(at_rest(read, 1), Transform());
}

TEST(Sdformat, ClosesLoopsByConstraints) {
  const std::string links = link("a") + link("b", "<pose>1 0 0 0 0 0</pose>") + link("c", "<pose>2 0 0 0 0 0</pose>");
  const std::string chain = joint("revolute", axis("0 1 0"), "world", "a", "i") +
                            joint("revolute", axis("0 1 0"), "a", "b") +
                            joint("revolute", axis("0 1 0"), "b", "c", "k");
  for (const auto& [type, kind] : {std::pair("revolute", ConstraintKind::hinge),
                                   std::pair("ball", ConstraintKind::ball), std::pair("fixed", ConstraintKind::weld)}) {
    const ImportedModel read =
        model(links + chain + joint(type, "<pose>0.5 0 0 0 0 0</pose>" + axis("0 1 0"), "world", "c", "l"));
    ASSERT_EQ(read.links.size(), 3u) << type;
    ASSERT_EQ(read.constraints.size(), 1u) << type;
    const Constraint& loop = read.constraints[0];
    EXPECT_EQ(loop.kind, kind);
    EXPECT_EQ(loop.name, "l");
    EXPECT_EQ(loop.body_a, -1);
    EXPECT_EQ(loop.body_b, 2);
    EXPECT_LE((loop.X_AF.p - Vec3(2.5, 0, 0)).norm(), exact);
    expect_near(loop.X_AF, at_rest(read, loop.body_b) * loop.X_BG);
    if (kind != ConstraintKind::hinge) continue;
    EXPECT_LE((loop.X_AF.R.col(2) - Vec3(0, 1, 0)).norm(), exact);
  }
}

TEST(Sdformat, ReadsEveryShape) {
  const auto shape = [](const std::string& geometry) {
    const ImportedModel read =
        model("<static>1</static><link name='a'><collision name='c'><pose>0 0 1 0 0 0</pose><geometry>" + geometry +
              "</geometry></collision></link>");
    EXPECT_EQ(read.colliders.size(), 1u);
    EXPECT_EQ(read.colliders[0].body, -1);
    EXPECT_EQ(read.colliders[0].material, -1);
    EXPECT_EQ(read.colliders[0].name, "a::c");
    EXPECT_LE((read.colliders[0].X_BS.p - Vec3(0, 0, 1)).norm(), exact);
    EXPECT_TRUE(read.unused.empty());
    return read.colliders[0];
  };
  EXPECT_EQ(std::get<Box>(shape("<box><size>1 2 3</size></box>").shape).half_extents, Vec3(0.5, 1, 1.5));
  EXPECT_EQ(std::get<Sphere>(shape("<sphere><radius>2</radius></sphere>").shape).radius, 2);
  const auto cylinder = std::get<Cylinder>(shape("<cylinder><radius>2</radius><length>3</length></cylinder>").shape);
  EXPECT_EQ(cylinder.radius, 2);
  EXPECT_EQ(cylinder.half_length, 1.5);
  const auto capsule = std::get<Capsule>(shape("<capsule><radius>2</radius><length>3</length></capsule>").shape);
  EXPECT_EQ(capsule.radius, 2);
  EXPECT_EQ(capsule.half_length, 1.5);
  EXPECT_EQ(std::get<Ellipsoid>(shape("<ellipsoid><radii>1 2 3</radii></ellipsoid>").shape).semi_axes, Vec3(1, 2, 3));
  const Collider plane = shape("<plane><normal>0 -3 4</normal><size>5 5</size></plane>");
  EXPECT_TRUE(std::holds_alternative<HalfSpace>(plane.shape));
  EXPECT_LE((plane.X_BS.R.col(2) - Vec3(0, -0.6, 0.8)).norm(), exact);
}

TEST(Sdformat, ReadsSurfaces) {
  const auto surface = [](const std::string& inside) { return "<surface>" + inside + "</surface>"; };
  const ImportedModel read =
      model(link("a", ball_shape("p", surface("<friction><ode><mu>0.5</mu><mu2>0.25</mu2></ode></friction>")) +
                          ball_shape("q", surface("<bounce><restitution_coefficient>0.75</restitution_coefficient>"
                                                  "<threshold>0</threshold></bounce>")) +
                          ball_shape("r", surface("<contact><collide_bitmask>6</collide_bitmask></contact>")) +
                          ball_shape("s",
                                     "<drake:proximity_properties><drake:mu_dynamic>0.125</drake:mu_dynamic>"
                                     "</drake:proximity_properties>") +
                          ball_shape("t", surface("<friction><ode><mu>0.5</mu><mu2>0.25</mu2></ode></friction>"))));
  ASSERT_EQ(read.colliders.size(), 5u);
  const auto material = [&](int i) { return read.materials.at(read.colliders[i].material); };
  EXPECT_EQ(material(0).friction, Vec2(0.5, 0.25));
  EXPECT_EQ(material(0).restitution, Restitution(0.0));
  EXPECT_EQ(material(1).friction, Vec2(1, 1));
  EXPECT_EQ(material(1).restitution, Restitution(0.75));
  EXPECT_EQ(read.colliders[2].material, -1);  // it says nothing
  EXPECT_EQ(read.colliders[2].groups, 6u);
  EXPECT_EQ(read.colliders[2].collides_with, 6u);
  EXPECT_EQ(material(3).friction, Vec2(0.125, 0.125));
  EXPECT_EQ(read.colliders[4].material, read.colliders[0].material);
  EXPECT_TRUE(read.unused.empty());
}

TEST(Sdformat, LetsLinksOfAModelCollideOnlyIfAsked) {
  const std::string three = link("a", ball_shape("c")) + link("b", ball_shape("c")) + link("d", ball_shape("c")) +
                            joint("ball", "", "a", "b") + joint("ball", "", "b", "d", "k");
  using Pairs = std::vector<std::pair<int, int>>;
  EXPECT_EQ(model(three).excluded, (Pairs{{0, 1}, {0, 2}, {1, 2}}));
  EXPECT_EQ(model("<self_collide>true</self_collide>" + three).excluded, (Pairs{{0, 1}, {1, 2}}));
  const std::string group =
      "<drake:collision_filter_group name='g'><drake:member>a</drake:member><drake:member>d</drake:member>"
      "<drake:ignored_collision_filter_group>g</drake:ignored_collision_filter_group></drake:collision_filter_group>";
  EXPECT_EQ(model("<self_collide>true</self_collide>" + three + group).excluded, (Pairs{{0, 1}, {0, 2}, {1, 2}}));
}

TEST(Sdformat, LetsWhatHangsOnTheWorldTouchTheGroundButNotItsBase) {
  const ImportedModel read = world(
      "<model name='ground'><static>true</static><link name='l'><collision name='c'><geometry><plane><normal>0 0 1"
      "</normal></plane></geometry></collision></link></model><model name='arm'>" +
      link("base", ball_shape("c")) + link("lever", ball_shape("c")) + joint("fixed", "", "world", "base", "w") +
      joint("revolute", axis("1 0 0"), "base", "lever") + "</model>");
  ASSERT_EQ(read.links.size(), 1u);
  EXPECT_EQ(read.links[0].name, "arm::lever");
  EXPECT_TRUE(read.links[0].collides_with_parent);
  ASSERT_EQ(read.colliders.size(), 3u);
  EXPECT_EQ(read.colliders[0].name, "ground::l::c");
  const auto meet = [&](int i, int j) {
    const Collider &a = read.colliders[i], &b = read.colliders[j];
    return (a.groups & b.collides_with) != 0 || (b.groups & a.collides_with) != 0;
  };
  EXPECT_TRUE(meet(0, 2));
  EXPECT_FALSE(meet(1, 2));
}

TEST(Sdformat, ListsByLineWhatItDoesNotUse) {
  const ImportedModel read = model("\n" + link("a", "\n<visual name='v'/>\n<sensor name='s' type='camera'/><colour/>") +
                                   "\n<plugin name='p' filename='f'/><allow_auto_disable>1</allow_auto_disable>");
  EXPECT_EQ(read.unused.size(), 5u);
  EXPECT_TRUE(lists(read, 3, "<visual>: <visual> has no <geometry>; it needs one"));
  EXPECT_TRUE(lists(read, 4, "<sensor>"));
  EXPECT_TRUE(lists(read, 4, "<colour>: SDFormat has none"));
  EXPECT_TRUE(lists(read, 5, "<plugin>"));
  EXPECT_TRUE(lists(read, 5, "<allow_auto_disable>"));
}

/// A folder that is removed with what is in it.
class Folder {
 public:
  explicit Folder(const std::string& name) : path_(fs::path(testing::TempDir()) / name) {
    fs::remove_all(path_);
    fs::create_directories(path_);
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string write(const std::string& name, const std::string& text) const {
    fs::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name) << text;
    return (path_ / name).string();
  }

 private:
  fs::path path_;
};

TEST(Sdformat, IncludesModelsByAddressAndByPath) {
  const Folder folder("carom_sdformat_include");
  folder.write("library/crate/model.config",
               "<model><name>crate</name><sdf version='1.4'>old.sdf</sdf><sdf version='1.7'>model.sdf</sdf></model>");
  folder.write("library/crate/model.sdf", "<sdf version='1.7'><model name='crate'><pose>0 0 1 0 0 0</pose>" +
                                              link("a") + "<include><uri>../knob.sdf</uri></include></model></sdf>");
  folder.write("library/knob.sdf", "<sdf version='1.9'>\n<model name='knob'>" + link("k") + "</model></sdf>");
  const std::string path =
      folder.write("scene/world.sdf",
                   "<sdf version='1.9'><world name='w'><include><uri>model://crate</uri><pose>3 0 0 0 0 0</pose>"
                   "<name>first</name></include><include><uri>../library/knob.sdf</uri></include></world></sdf>");
  ImportOptions options;
  options.search_path = {fs::path(path).parent_path().parent_path() / "library"};
  const ImportedModel read = read_sdformat(path, options);
  ASSERT_EQ(read.links.size(), 3u);
  EXPECT_EQ(read.links[0].name, "first::a");
  EXPECT_LE((read.links[0].X_WB.p - Vec3(3, 0, 0)).norm(), exact);
  EXPECT_EQ(read.links[1].name, "first::knob::k");
  EXPECT_EQ(read.links[2].name, "knob::k");
  EXPECT_EQ(read.links[2].line, 2);
}

TEST(Sdformat, NamesThePlacesWhereAnIncludedModelIsNot) {
  const Folder folder("carom_sdformat_missing");
  const std::string path = folder.write("w.sdf",
                                        "<sdf version='1.9'><world name='w'>\n<include><uri>model://moon</uri>"
                                        "</include></world></sdf>");
  try {
    static_cast<void>(read_sdformat(path, {{"/nowhere/models"}}));
    FAIL() << "nothing was missed";
  } catch (const ImportError& error) {
    ASSERT_EQ(error.faults().size(), 1u);
    EXPECT_EQ(error.faults()[0].line, 2);
    EXPECT_NE(error.faults()[0].text.find("/nowhere/models/moon"), std::string::npos);
  }
}

TEST(Sdformat, TakesGazebosGroundPlaneFromTheSearchPathFirst) {
  const Folder folder("carom_sdformat_ground");
  folder.write("ground_plane/model.config", "<model><sdf version='1.7'>model.sdf</sdf></model>");
  folder.write("ground_plane/model.sdf", "<sdf version='1.7'><model name='g'><static>true</static>" +
                                             link("a", ball_shape("c")) + "</model></sdf>");
  const std::string path = folder.write(
      "w.sdf", "<sdf version='1.9'><world name='w'><include><uri>model://ground_plane</uri></include></world></sdf>");
  const ImportedModel read = read_sdformat(path);
  ASSERT_EQ(read.colliders.size(), 1u);
  EXPECT_TRUE(std::holds_alternative<Sphere>(read.colliders[0].shape));
  EXPECT_TRUE(read.warnings.empty());
}

TEST(Sdformat, AMovingLinkWithoutInertialHasTheFormatsDefaultAndAWarning) {
  const std::string bare = "\n<link name='b'><pose>0 0 1 0 0 0</pose></link>";
  const ImportedModel loose = model(link("a") + bare);
  ASSERT_EQ(loose.links.size(), 2u);
  EXPECT_EQ(loose.links[1].inertia.mass, 1);
  EXPECT_EQ(loose.links[1].inertia.central, Mat3::Identity());
  ASSERT_EQ(loose.warnings.size(), 1u);
  EXPECT_EQ(loose.warnings[0].line, 2);
  // Welded to another or to the world it needs none, and has none.
  const ImportedModel welded = model(link("a") + bare + joint("fixed", ""));
  EXPECT_TRUE(welded.warnings.empty());
  EXPECT_EQ(welded.links[0].inertia.mass, 2);
}

TEST(Sdformat, AFaultyInertiaThatIsWeldedToALinkWithoutOneIsRefused) {
  const std::string flat =
      "<inertial><mass>50</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>9</izz></inertia></inertial>";
  EXPECT_NE(faults_of("<link name='base'/>\n<link name='a'>" + flat + "</link>" + joint("fixed", "", "base", "a"))
                .find(":2:"),
            std::string::npos);
}

TEST(Sdformat, RefusesFilesThatIncludeThemselves) {
  const Folder folder("carom_sdformat_circle");
  const std::string path = folder.write(
      "c.sdf", "<sdf version='1.9'><model name='m'>" + link("a") + "<include><uri>c.sdf</uri></include></model></sdf>");
  EXPECT_THROW(static_cast<void>(read_sdformat(path)), ImportError);
}

fs::path models() { return data_folder() / "models"; }

TEST(SdformatOfOthers, FourBarHasAHingePerLink) {
  const fs::path path = models() / "drake/four_bar.sdf";
  if (!fs::exists(path)) GTEST_SKIP() << "no model: " << path << " (CAROM_DATA names the folder of data)";
  const ImportedModel read = read_sdformat(path);
  ASSERT_EQ(read.links.size(), 3u);
  for (const auto& link : read.links) {
    EXPECT_EQ(link.joint->type, JointType::revolute);
    EXPECT_LE((link.joint->X_PF.R.col(2) - Vec3(0, 1, 0)).norm(), exact);
    EXPECT_EQ(link.inertia.center, Vec3(2, 0, 0));
  }
  EXPECT_EQ(read.links[1].joint->parent, 0);
  EXPECT_EQ(read.frames.size(), 2u);
}

TEST(SdformatOfOthers, HumanoidHasTheMassesOfItsLinks) {
  const fs::path path = models() / "pinocchio/simple_humanoid.sdf";
  if (!fs::exists(path)) GTEST_SKIP() << "no model: " << path << " (CAROM_DATA names the folder of data)";
  const ImportedModel read = read_sdformat(path);
  EXPECT_EQ(read.links.size(), 30u);
  EXPECT_EQ(read.colliders.size(), 2u);
  EXPECT_TRUE(std::holds_alternative<ConvexMesh>(read.colliders[1].shape));
}

TEST(SdformatOfOthers, HumanoidIsThatOfItsUrdf) {
  const fs::path path = models() / "pinocchio/simple_humanoid.sdf", urdf = models() / "pinocchio/simple_humanoid.urdf";
  if (!fs::exists(urdf)) GTEST_SKIP() << "no model: " << urdf << " (CAROM_DATA names the folder of data)";
  const ImportedModel one = read_sdformat(path), other = read_urdf(urdf);
  ASSERT_EQ(one.links.size(), other.links.size());
  for (std::size_t i = 0; i < one.links.size(); ++i) {
    const ImportedModel::Link& a = one.links[i];
    const auto same =
        std::find_if(other.links.begin(), other.links.end(), [&](const auto& b) { return b.name == a.name; });
    ASSERT_NE(same, other.links.end()) << a.name;
    EXPECT_LE((a.inertia.matrix() - same->inertia.matrix()).norm(), 1e-12) << a.name;
    expect_near(at_rest(one, static_cast<int>(i)), at_rest(other, static_cast<int>(same - other.links.begin())), 1e-12);
    ASSERT_EQ(a.joint.has_value(), same->joint.has_value()) << a.name;
    if (!a.joint) continue;
    EXPECT_EQ(a.joint->name, same->joint->name);
    EXPECT_EQ(a.joint->type, same->joint->type);
    EXPECT_EQ(a.joint->lower, same->joint->lower) << a.name;
    EXPECT_EQ(a.joint->upper, same->joint->upper) << a.name;
    expect_near(a.joint->X_PF, same->joint->X_PF, 1e-12);
  }
}

TEST(SdformatOfOthers, BasesWithoutInertiaAndModelsThatAreMissingAreTold) {
  const std::vector<std::tuple<std::string, std::vector<int>>> files = {{"drake/planar_brick.sdf", {4}},
                                                                        {"drake/planar_gripper.sdf", {8, 205, 402}},
                                                                        {"simbody/double_pendulum.sdf", {11}}};
  for (const auto& [name, lines] : files) {
    if (!fs::exists(models() / name)) GTEST_SKIP() << "no model: " << name << " (CAROM_DATA names the folder of data)";
    std::vector<int> found;
    for (const ImportNote& warning : read_sdformat(models() / name).warnings) found.push_back(warning.line);
    EXPECT_EQ(found, lines) << name;
  }
}

}  // namespace
}  // namespace carom::sdformat_test
