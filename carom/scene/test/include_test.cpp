#include "carom/scene/include.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "carom/scene/fingerprint.h"
#include "carom/scene/scene.h"
#include "carom/scene/scene_text.h"

namespace carom::include_test {
namespace {

namespace fs = std::filesystem;

class Include : public ::testing::Test {
 protected:
  Include() { fs::create_directories(folder_ / "parts"); }
  ~Include() override { fs::remove_all(folder_); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  Scene load(const std::string& text) const {
    write("main.yaml", text);
    return load_scene(path("main.yaml"));
  }
  /// The faults, without the folder.
  std::string faults(const std::string& text) const {
    try {
      load(text);
    } catch (const SceneError& error) {
      std::string what = error.what();
      const std::string before = folder_.string() + "/";
      for (std::size_t at = what.find(before); at != std::string::npos; at = what.find(before))
        what.erase(at, before.size());
      return what;
    }
    return "";
  }

  fs::path folder_ = fs::path(testing::TempDir()) / ("carom_include" + std::to_string(::getpid()));
};

const char* const ground =
    "carom: 1\nname: ground\ngravity: [0, 0, -9.81]\nparameters: {grip: 0.3, height: =2 * grip}\n"
    "materials: [{name: stone, friction: =grip}]\nworld: {shapes: [{type: half-space, material: stone}]}\n"
    "method: {stepper: stewart-trinkle, step: 0.01}\nduration: 7\n";
const char* const ball =
    "bodies: [{name: ball, mass: 2, position: [0, 0, =height], shapes: [{type: sphere, radius: 0.1, material: "
    "stone}]}]\n";

TEST_F(Include, CountsAFileOnceThatTwoOthersInclude) {
  write("ground.yaml", ground);
  write("left.yaml", "carom: 1\ninclude: ground.yaml\n" + std::string(ball));
  write("right.yaml",
        "carom: 1\ninclude: ground.yaml\nbodies: [{name: other, position: [5, 0, 3], shapes: [{type: sphere, radius: "
        "0.1, material: stone}], mass: 1}]\n");
  const Scene scene = load("carom: 1\ninclude: [left.yaml, right.yaml]\nduration: 1\n");
  EXPECT_EQ(scene.model->body_count(), 2);
  EXPECT_EQ(scene.model->materials().size(), 1u);
  EXPECT_EQ(scene.model->colliders().size(), 3u);
}

TEST_F(Include, RefusesAFileOfAnotherFormat) {
  write("ground.yaml", "carom: 2\n" + std::string(ground).substr(9));
  EXPECT_EQ(faults("carom: 1\ninclude: ground.yaml\nduration: 1\n" + std::string(ball)),
            "ground.yaml:1:8: carom is 2, but this version of Carom reads scene format 1; write carom: 1");
}

TEST_F(Include, GivesTheSceneAsIfItStoodThere) {
  write("ground.yaml", ground);
  const Scene scene = load(std::string("carom: 1\ninclude: ground.yaml\nduration: 1\n") + ball);
  EXPECT_EQ(scene.name, "main");
  EXPECT_EQ(scene.duration, 1);
  EXPECT_EQ(scene.initial.q[6], 0.6);
  EXPECT_EQ(scene.model->materials()[0].friction.x(), 0.3);
  EXPECT_EQ(scene.model->colliders().size(), 2u);
  EXPECT_EQ(scene.method.step, 0.01);
}

/// The file that includes holds, key by key; lists are joined, with those of included files first.
TEST_F(Include, IsOverruledByTheFileThatIncludes) {
  write("ground.yaml", ground);
  write("ball.yaml", ball);
  const Scene scene = load(
      "carom: 1\ninclude: [ground.yaml, ball.yaml]\nduration: 1\nparameters: {grip: 0.5}\nmethod: {step: 0.02}\n"
      "bodies: [{name: second, mass: 1, position: [3, 0, 1], shapes: [{type: sphere, radius: 0.1, material: "
      "stone}]}]\n");
  EXPECT_EQ(scene.initial.q[6], 1.0);
  EXPECT_EQ(scene.method.step, 0.02);
  ASSERT_EQ(scene.model->body_count(), 2);
  EXPECT_EQ(scene.model->bodies()[0].name, "ball");
  EXPECT_EQ(scene.model->bodies()[1].name, "second");
}

/// Vectors are values: two gravities are not joined to six numbers.
TEST_F(Include, WholeScenesOverruleOneAnothersGravity) {
  write("ground.yaml", ground);
  write("moon.yaml", "carom: 1\ngravity: [0, 0, -1.62]\n");
  const std::string rest = std::string("duration: 1\n") + ball;
  EXPECT_EQ(load("carom: 1\ninclude: [ground.yaml, moon.yaml]\n" + rest).model->gravity().z(), -1.62);
  EXPECT_EQ(load("carom: 1\ninclude: [moon.yaml, ground.yaml]\ngravity: [1, 0, 0]\n" + rest).model->gravity(),
            Vec3(1, 0, 0));
}

TEST_F(Include, OfTwoFilesTheLaterHolds) {
  write("ground.yaml", ground);
  write("ice.yaml", "parameters: {grip: 0.05}\n");
  EXPECT_EQ(load(std::string("carom: 1\ninclude: [ground.yaml, ice.yaml]\nduration: 1\n") + ball)
                .model->materials()[0]
                .friction.x(),
            0.05);
}

/// Files within files are taken from where they are named; a record keeps their fingerprints by names from the scene.
TEST_F(Include, TakesPathsFromWhereTheyAreWritten) {
  write("parts/tetra.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 1 3 4\nf 2 3 4\n");
  write("parts/stone.yaml",
        "bodies: [{name: stone, mass: 1, shapes: [{type: mesh, file: tetra.obj, material: stone}]}]\n");
  write("parts/robot.urdf",
        "<robot name='r'><link name='base'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' "
        "iyz='0'/></inertial></link></robot>");
  write("parts/all.yaml", "include: stone.yaml\nmodels: [{file: robot.urdf}]\n");
  write("ground.yaml", ground);
  const Scene scene = load(
      "carom: 1\ninclude: [ground.yaml, parts/all.yaml]\nduration: 1\nparameters: {height: 1}\n"
      "wrenches: [{name: w, body: stone, force: [0, 0, =height]}]\n");
  EXPECT_EQ(scene.model->body_count(), 2);
  for (const std::string name : {"ground.yaml", "parts/all.yaml", "parts/stone.yaml", "parts/robot.urdf"}) {
    EXPECT_NE(scene.text.find("# fingerprint of " + name + ": " + fingerprint(path(name))), std::string::npos) << name;
  }
  // A change since then is told where the run is resumed.
  write("parts/stone.yaml",
        "bodies: [{name: stone, mass: 2, shapes: [{type: mesh, file: tetra.obj, material: stone}]}]\n");
  try {
    parse_scene(scene.text, scene.file);
    ADD_FAILURE();
  } catch (const SceneError& error) {
    EXPECT_NE(std::string(error.what()).find("'parts/stone.yaml' is not the one that the run began with"),
              std::string::npos);
  }
}

TEST_F(Include, FaultsStandAtTheirPlaceInTheirFile) {
  write("ground.yaml", ground);
  write("bad.yaml", "bodies:\n  - {name: bäll, mas: 2, shapes: [{type: sphere, radius: -1, material: stone}]}\n");
  const std::string found = faults("carom: 1\ninclude: [ground.yaml, bad.yaml]\nduration: 1\nparameters: {hight: 1}\n");
  EXPECT_EQ(found.substr(found.find("main.yaml")),
            "main.yaml:4:14: nothing uses the parameter 'hight'; write '=hight' where its number stands, or remove it\n"
            "bad.yaml:2:5: body 'bäll' has no inertia; give one of 'density', 'mass' (with shapes) or 'inertia'\n"
            "bad.yaml:2:18: unknown key 'mas' in a body; did you mean 'mass'?\n"
            "bad.yaml:2:58: radius is -1; it must not be negative");
}

TEST_F(Include, WhatCannotBeIncludedIsTold) {
  write("self.yaml", "include: other.yaml\n");
  write("other.yaml", "include: self.yaml\n");
  write("list.yaml", "[1, 2]\n");
  write("broken.yaml", "bodies: [\n");
  EXPECT_NE(faults("carom: 1\ninclude: main.yaml\n")
                .find("main.yaml:2:10: 'main.yaml' includes itself, by itself or through others; leave it out"),
            std::string::npos);
  EXPECT_NE(faults("carom: 1\ninclude: self.yaml\n")
                .find("other.yaml:1:10: 'self.yaml' includes itself, by itself or through others; leave it out"),
            std::string::npos);
  EXPECT_NE(faults("carom: 1\ninclude: none.yaml\n").find("main.yaml:2:10: 'none.yaml': "), std::string::npos);
  EXPECT_NE(faults("carom: 1\ninclude: list.yaml\n").find("main.yaml:2:10: 'list.yaml' is no map of a scene's keys"),
            std::string::npos);
  EXPECT_NE(faults("carom: 1\ninclude: broken.yaml\n").find("broken.yaml:2:1: this is not valid YAML"),
            std::string::npos);
  EXPECT_NE(faults("carom: 1\ninclude: {a: 1}\n").find("main.yaml:2:10: include must be"), std::string::npos);
}

/// A parameter of an included file gets its value in the file that includes.
TEST_F(Include, ParametersCanBeSetFromOutside) {
  write("ground.yaml", ground);
  const SceneText text(std::string("carom: 1\ninclude: ground.yaml\nduration: 1\n") + ball, path("main.yaml"));
  const Scene scene = parse_scene(text.with_written({{"grip", "0.7"}}), path("main.yaml"));
  EXPECT_EQ(scene.model->materials()[0].friction.x(), 0.7);
  // A part of the included file is out of reach, and the sentence says so.
  for (const char* way : {"materials/stone/friction", "bodies/other/mass"}) {
    try {
      static_cast<void>(text.with_written({{way, "0.7"}}));
      FAIL() << way;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("not the parts that it includes: make the number a parameter there"),
                std::string::npos)
          << error.what();
    }
  }
}

}  // namespace
}  // namespace carom::include_test
