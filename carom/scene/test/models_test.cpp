// Model files in scenes: where they stand, what of them can be named, and what a record of them keeps.

#include "carom/scene/models.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "carom/dynamics/recursions.h"
#include "carom/import/imported_model.h"
#include "carom/scene/model_scene.h"
#include "carom/scene/scene.h"
#include "carom/stepper/simulation.h"

namespace carom::models_test {
namespace {

namespace fs = std::filesystem;

class Models : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }
  Scene parse(const std::string& text) const { return parse_scene(text, (folder_ / "scene.yaml").string()); }
  std::string faults(const std::string& text) const {
    try {
      parse(text);
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  }
  fs::path folder_ = fs::path(testing::TempDir()) / ("carom_models_" + std::to_string(::getpid()));
};

const char* arm = R"(<robot name="arm">
  <link name="base"><inertial><mass value="2"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>
    <collision><geometry><box size="0.2 0.2 0.4"/></geometry></collision></link>
  <link name="rod"><inertial><origin xyz="0 0 0.5"/><mass value="1"/>
    <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.01"/></inertial></link>
  <link name="tip"><inertial><mass value="0.5"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="rod"/><origin xyz="0 0 0.2"/>
    <axis xyz="0 1 0"/><limit lower="0.5" upper="2" effort="1" velocity="1"/></joint>
  <joint name="flange" type="fixed"><parent link="rod"/><child link="tip"/><origin xyz="0 0 1"/></joint>
</robot>)";

std::string scene(const std::string& entry, const std::string& more = "") {
  return "carom: 1\ngravity: [0, 0, -9.81]\nmaterials: [{name: rubber, friction: 0.5}]\n"
         "world: {shapes: [{type: half-space}]}\nmodels:\n  - " +
         entry + "\n" + more + "method: {stepper: stewart-trinkle, step: 0.001}\nduration: 1\n";
}

Vec3 place(const Scene& scene, const std::string& name) {
  DynamicsWorkspace workspace(*scene.model);
  forward_kinematics(*scene.model, scene.initial.q, workspace);
  for (int i = 0; i < scene.model->body_count(); ++i) {
    if (scene.model->bodies()[i].name == name) return workspace.X_WB[i].p;
  }
  for (const NamedFrame& frame : scene.model->frames()) {
    if (frame.name == name) return (frame.body < 0 ? frame.X_BF : workspace.X_WB[frame.body] * frame.X_BF).p;
  }
  throw Error("there is no " + name);
}

/// Gazebo's friction of a link differs from the scene's material: what both do together is told, not taken in silence.
TEST_F(Models, FrictionOfAFileThatMeetsTheScenesIsTold) {
  const auto told = [&](const std::string& friction, const std::string& more) {
    std::string own = arm;
    own.insert(own.rfind("</robot>"),
               "<gazebo reference=\"base\"><mu1>" + friction + "</mu1><mu2>" + friction + "</mu2></gazebo>");
    write("arm.urdf", own);
    const Scene read = parse(scene("{file: arm.urdf, base: fixed}", more));
    return std::any_of(read.warnings.begin(), read.warnings.end(), [](const std::string& warning) {
      if (warning.find("combination") == std::string::npos) return false;
      EXPECT_EQ(warning.find('\n'), std::string::npos) << warning;
      EXPECT_NE(warning.find("has 0.5"), std::string::npos) << warning;
      EXPECT_NE(warning.find("has 0.9"), std::string::npos) << warning;
      return true;
    });
  };
  EXPECT_TRUE(told("0.9", ""));
  EXPECT_FALSE(told("0.5", ""));
  EXPECT_FALSE(told("0.9", "combination: {friction: minimum, restitution: maximum}\n"));
}

TEST_F(Models, StandWhereTheSceneSaysWithTheirJointsSet) {
  write("arm.urdf", arm);
  const Scene placed = parse(scene("{file: arm.urdf, position: [1, 2, 3], joints: {shoulder: 90 deg}}"));
  EXPECT_EQ(place(placed, "base"), Vec3(1, 2, 3));
  // A quarter turn about y lays the rod along x; the tip is a frame of it, a metre along.
  EXPECT_LT((place(placed, "rod") - Vec3(1, 2, 3.2)).norm(), 1e-15);
  EXPECT_LT((place(placed, "tip") - Vec3(2, 2, 3.2)).norm(), 1e-15);
  EXPECT_EQ(placed.model->body_count(), 2);
}

TEST_F(Models, StartAtTheLimitNearestToZeroAndSaySo) {
  write("arm.urdf", arm);
  const Scene placed = parse(scene("file: arm.urdf"));
  EXPECT_EQ(placed.initial.q[7], 0.5);
  ASSERT_EQ(placed.warnings.size(), 2u);
  EXPECT_NE(placed.warnings[0].find("1 thing"), std::string::npos) << placed.warnings[0];  // velocity
  EXPECT_NE(placed.warnings[1].find("joint 'shoulder' starts at its limit, 0.5"), std::string::npos);
}

TEST_F(Models, AreDroppedFromTheirLowestPoint) {
  write("arm.urdf", arm);
  const Scene dropped = parse(
      scene("{file: arm.urdf, drop: 0.25, orientation: {axis: [1, 0, 0], angle: 90 deg}, joints: {shoulder: 1}}"));
  // On its side the base reaches 0.1 below its middle.
  EXPECT_NEAR(place(dropped, "base").z(), 0.35, 1e-14);
}

TEST_F(Models, FallOnTheGroundOfTheirOwnFile) {
  write("ball.xml",
        R"(<mujoco><worldbody><geom type="plane" size="1 1 1"/>
             <body pos="0 0 5"><freejoint/><geom type="sphere" size="0.1"/></body></worldbody></mujoco>)");
  const Scene dropped = parse(scene("{file: ball.xml, drop: 0.2}"));
  EXPECT_NEAR(dropped.initial.q[6], 0.3, 1e-14);
  for (const Collider& collider : dropped.model->colliders()) {
    if (collider.body < 0) {
      EXPECT_EQ(collider.X_BS.p, Vec3::Zero());
    }
  }
}

TEST_F(Models, WithAFixedBaseNeedNoInertiaThere) {
  std::string bare = arm;
  bare.replace(bare.find("<inertial>"), bare.find("</inertial>") + 11 - bare.find("<inertial>"), "");
  write("arm.urdf", bare);
  // One that weighs nothing is fixed, said or not.
  for (const char* base : {"base: fixed, ", ""}) {
    const Scene fixed = parse(scene("{file: arm.urdf, " + std::string(base) + "position: [0, 0, 1]}"));
    EXPECT_EQ(fixed.model->body_count(), 1) << base;
    EXPECT_EQ(place(fixed, "base"), Vec3(0, 0, 1)) << base;
  }
}

/// Three bases that nothing weighs, each with a rod below it.
const char* three_roots = R"(<sdf version="1.9"><model name="m">
  <link name="a"/><link name="b"/><link name="c"><pose>3 0 0 0 0 0</pose>INERTIAL</link>
  <link name="a_rod"><pose>0 0 -1 0 0 0</pose>INERTIAL</link>
  <link name="b_rod"><pose>0 0 -1 0 0 0</pose>INERTIAL</link>
  <joint name="a_hinge" type="revolute"><parent>a</parent><child>a_rod</child><axis><xyz>1 0 0</xyz></axis></joint>
  <joint name="b_hinge" type="revolute"><parent>b</parent><child>b_rod</child><axis><xyz>1 0 0</xyz></axis></joint>
</model></sdf>)";

TEST_F(Models, RootsAreFixedEachInItsPlace) {
  std::string text = three_roots;
  for (std::size_t at; (at = text.find("INERTIAL")) != std::string::npos;) {
    text.replace(at, 8, "<inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial>");
  }
  write("roots.sdf", text);
  const std::string bases = "base: {b: {orientation: {axis: [1, 0, 0], angle: 90 deg}}, a: {position: [0, 1, 0]}}";
  const Scene made = parse(scene("{file: roots.sdf, position: [10, 0, 0], " + bases + "}"));
  EXPECT_EQ(made.model->body_count(), 3);
  EXPECT_EQ(made.model->velocity_count(), 8);  // c is named nowhere, and moves freely
  EXPECT_LT((place(made, "a_rod") - Vec3(10, 1, -1)).norm(), 1e-15);
  EXPECT_LT((place(made, "b_rod") - Vec3(10, 1, 0)).norm(), 1e-15);  // a quarter turn about x takes −z to +y
  EXPECT_LT((place(made, "c") - Vec3(13, 0, 0)).norm(), 1e-15);
  EXPECT_NE(faults(scene("{file: roots.sdf, base: {a_rod: {}}}"))
                .find("there is no link 'a_rod' in 'roots.sdf' that hangs on nothing; such are: a, b, c"),
            std::string::npos);
}

TEST_F(Models, HaveTheirNameInFrontOfTheirOwnNames) {
  write("arm.urdf", arm);
  const std::string two = "{file: arm.urdf, name: left}\n  - {file: arm.urdf, name: right, position: [1, 0, 0]}";
  const Scene both = parse(scene(two, "drives: [{name: push, type: force, joint: left.shoulder, force: 2}]\n"));
  EXPECT_EQ(both.model->body_count(), 4);
  ASSERT_EQ(both.model->drives().size(), 1u);
  EXPECT_EQ(both.model->bodies()[both.model->drives()[0].body].name, "left.rod");
  EXPECT_NE(faults(scene("file: arm.urdf\n  - file: arm.urdf")).find("there are two bodies named 'base'"),
            std::string::npos);
}

TEST_F(Models, OfMjcfHaveTheJointsOfOneBodyByTheirOwnNames) {
  write("two.xml", R"(<mujoco><worldbody><body><joint name="pan" type="hinge" axis="0 0 1"/>
      <joint name="tilt" type="hinge" axis="0 1 0"/><geom type="sphere" size="0.1"/></body></worldbody></mujoco>)");
  const Scene set = parse(scene("{file: two.xml, joints: {tilt: 0.25}}"));
  EXPECT_EQ(set.initial.q, Vec2(0, 0.25));
  EXPECT_EQ(parse(scene("{file: two.xml, joints: {pan+tilt: [0.5, 0.25]}}")).initial.q, Vec2(0.5, 0.25));
}

TEST_F(Models, TellFaultsOfTheirPlacement) {
  write("arm.urdf", arm);
  EXPECT_NE(faults(scene("file: leg.urdf")).find("\"leg.urdf\" is not there"), std::string::npos);
  EXPECT_NE(faults(scene("{file: arm.urdf, joints: {shoulder: 3}}")).find("beyond its limit 2 rad"), std::string::npos);
  EXPECT_NE(faults(scene("{file: arm.urdf, joints: {sholder: 1}}")).find("did you mean 'shoulder'"), std::string::npos);
  EXPECT_NE(faults(scene("{file: arm.urdf, base: fixed, drop: 1}")).find("moves freely"), std::string::npos);
  EXPECT_NE(faults(scene("{file: arm.urdf, keyframe: home}")).find("it has none"), std::string::npos);
}

TEST_F(Models, ThatChangeAreNotTakenForTheOnesTheRunBeganWith) {
  write("arm.urdf", arm);
  const Scene first = parse(scene("file: arm.urdf"));
  EXPECT_EQ(parse(first.text).text, first.text);
  std::string heavier = arm;
  heavier.replace(heavier.find("mass value=\"2\""), 14, "mass value=\"3\"");
  write("arm.urdf", heavier);
  EXPECT_NE(faults(first.text).find("has changed since"), std::string::npos);
}

TEST_F(Models, SayTheirOwnGravityAndGround) {
  write(
      "moon.xml",
      "<mujoco><option gravity=\"0 0 -1.62\"/><worldbody>{}<body pos=\"0 0 1\"><freejoint/><geom size=\"0.1\"/></body>"
      "</worldbody></mujoco>");
  const std::string path = (folder_ / "moon.xml").string();
  std::ifstream stream(path);
  std::string text((std::istreambuf_iterator<char>(stream)), {});
  for (const bool has_ground : {false, true}) {
    write("moon.xml",
          std::string(text).replace(text.find("{}"), 2, has_ground ? "<geom type=\"plane\" size=\"1 1 1\"/>" : ""));
    ModelPlacement asked;
    asked.drop = 0.2;
    asked.search_path = {"meshes"};
    const ModelPlacement placed = placed_as_file_says(path, asked);
    EXPECT_EQ(placed.gravity, Vec3(0, 0, -1.62));
    EXPECT_EQ(placed.ground, !has_ground);
    EXPECT_EQ(placed.drop, 0.2);
    EXPECT_EQ(placed.search_path, std::vector<std::string>{std::filesystem::absolute("meshes").string()});
  }
}

/// A model that was read before is not read again: its mesh may be gone.
TEST_F(Models, ThatWereReadBeforeAreTakenFromThere) {
  write("corner.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n");
  write("solid.urdf",
        "<robot name=\"r\"><link name=\"a\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" "
        "iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial><collision><geometry><mesh filename=\"corner.obj\"/></geometry>"
        "</collision></link></robot>");
  const std::string path = (folder_ / "solid.urdf").string();
  ModelPlacement placement;
  placement.drop = 0.1;
  const Scene read = parse_scene(scene_of_model(path, placement), path);
  SceneOverrides overrides;
  overrides.read_before = read_model(path, placement);
  fs::remove(folder_ / "corner.obj");
  const Scene taken = parse_scene(scene_of_model(path, placement), path, overrides);
  EXPECT_EQ(taken.initial.q, read.initial.q);
  EXPECT_EQ(taken.warnings, read.warnings);
  EXPECT_EQ(taken.text, read.text);
  EXPECT_THROW(parse_scene(scene_of_model(path, placement), path), ImportError);
  placement.fixed = true;  // it was not read for that
  EXPECT_THROW(parse_scene(scene_of_model(path, placement), path, overrides), ImportError);
}

TEST_F(Models, RunWithoutASceneOfTheirOwn) {
  write("arm.urdf", arm);
  ModelPlacement placement;
  placement.drop = 0.1;
  placement.joints = {{"shoulder", 1.5}};
  const std::string path = (folder_ / "arm.urdf").string();
  const Scene alone = parse_scene(scene_of_model(path, placement), path);
  EXPECT_NEAR(place(alone, "base").z(), 0.3, 1e-14);
  EXPECT_EQ(alone.initial.q[7], 1.5);
}

/// A brick on a table, as the shape given, tilted by `tilt`; where it is after a second.
State rest(const std::string& shape, const std::string& table, double tilt) {
  const std::string text =
      "carom: 1\ngravity: [0, 0, -9.81]\nmaterials: [{name: m, friction: 0.5}]\nworld: {shapes: [" + table +
      "]}\nbodies:\n  - {name: brick, mass: 1, shapes: [" + shape +
      "], position: [0.5, 0.2, 0.05], orientation: {roll_pitch_yaw: [" + std::to_string(tilt * 1e9) +
      "e-9, 0, 0.3]}}\nmethod: {stepper: stewart-trinkle, step: 0.002}\nduration: 1\n";
  const Scene scene = parse_scene(text, "brick.yaml");
  Simulation simulation(scene.model, scene.method, scene.initial);
  double deepest = 0;
  for (int i = 0; i < 500; ++i) deepest = std::max(deepest, simulation.step().penetration);
  EXPECT_LT(deepest, 1e-9) << shape << " on " << table << " tilted " << tilt;
  return simulation.state();
}

TEST(RestingFaces, StayWhereTheyAreHoweverLittleTheyTilt) {
  const std::string table_box = "{type: box, half_extents: [3, 3, 0.1], position: [0, 0, -0.1]}";
  const std::string table_can = "{type: cylinder, radius: 2, half_length: 0.1, position: [0, 0, -0.1]}";
  const std::string box = "{type: box, half_extents: [0.1, 0.07, 0.05]}";
  const std::string mesh =
      "{type: mesh, vertices: [[0.1, 0.07, 0.05], [-0.1, 0.07, 0.05], [0.1, -0.07, 0.05], [-0.1, -0.07, 0.05], "
      "[0.1, 0.07, -0.05], [-0.1, 0.07, -0.05], [0.1, -0.07, -0.05], [-0.1, -0.07, -0.05]]}";
  const std::string can = "{type: cylinder, radius: 0.1, half_length: 0.05}";
  for (const std::string& table : {table_box, table_can}) {
    for (const std::string& shape : {box, mesh, can}) {
      for (const double tilt : {0.0, 1e-12, 1e-10, 1e-9, 1e-8}) {
        const State end = rest(shape, table, tilt);
        EXPECT_LT(end.v.norm(), 1e-9) << shape << " on " << table << " tilted " << tilt;
        EXPECT_LT((end.q.tail<3>() - Vec3(0.5, 0.2, 0.05)).norm(), 1e-7) << shape << " on " << table;
      }
    }
  }
}

}  // namespace
}  // namespace carom::models_test
