#include "carom/scene/sensors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

#include "carom/scene/scene.h"

namespace carom::sensors_test {
namespace {

std::string with(const std::string& sensors) {
  return "carom: 1\ngravity: [0, 0, -9.81]\nmaterials: [{name: m, friction: 0.1}]\nsensors:\n" + sensors +
         R"(world: {shapes: [{type: half-space, name: floor}]}
bodies:
  - {name: arm, mass: 1, shapes: [{type: sphere, radius: 0.1}]}
  - {name: ball, mass: 1, position: [1, 0, 1], shapes: [{type: sphere, radius: 0.1}]}
joints:
  - {name: hinge, type: revolute, parent: world, child: arm, on_parent: {position: [0, 0, 2]}, on_child: {position: [0, 0, 0.5]}}
constraints:
  - {name: wire, type: rod, a: ball, b: world, on_a: {position: [0, 0, 0.1]}, on_b: {position: [1, 0, 2]}, length: 0.9}
method: {stepper: stewart-trinkle, step: 0.01}
duration: 1
)";
}

std::string faults(const std::string& sensors) {
  try {
    parse_scene(with(sensors), "s.yaml");
  } catch (const SceneError& error) {
    return error.what();
  }
  return "";
}

TEST(SceneSensors, AreToldWhereNoForcePassesThrough) {
  const std::string scene =
      "carom: 1\ngravity: [0, 0, -9.81]\nbodies: [{name: a, inertia: {mass: 1, moments: [1, 1, 1]}}, {name: b, "
      "inertia: "
      "{mass: 1, moments: [1, 1, 1]}}]\n"
      "joints: [{name: left, type: revolute, parent: world, child: a}, {name: right, type: revolute, parent: world, "
      "child: b}]\n"
      "constraints: [{name: mesh, type: coupler, a: left, b: right, ratio: 2}]\n"
      "sensors:\n  - {name: cell, type: force_torque, constraint: mesh}\n"
      "method: {stepper: stewart-trinkle, step: 0.01}\nduration: 1\n";
  try {
    parse_scene(scene, "s.yaml");
    FAIL();
  } catch (const SceneError& error) {
    EXPECT_EQ(std::string(error.what()),
              "s.yaml:7:50: 'mesh' ties coordinates and passes on no force between two bodies; name a joint, a loop or "
              "a rope");
  }
}

TEST(SceneSensors, StandWhereTheSceneSays) {
  const Scene scene = parse_scene(with("  - {name: chip, type: imu, body: arm, position: [0, 0, 0.2]}\n"
                                       "  - {name: cell, type: force_torque, joint: hinge}\n"
                                       "  - {name: pull, type: force_torque, constraint: wire}\n"
                                       "  - {name: skin, type: contact, bodies: [\"*l*\", arm]}\n"),
                                  "s.yaml");
  const auto& sensors = scene.model->sensors();
  ASSERT_EQ(sensors.size(), 4u);
  EXPECT_EQ(scene.model->bodies()[static_cast<std::size_t>(sensors[0].body)].name, "arm");
  EXPECT_EQ(sensors[0].X_BS.p, Vec3(0, 0, 0.2));
  EXPECT_EQ(sensors[1].X_BS.p, Vec3(0, 0, 0.5)) << "the joint's frame on the child";
  EXPECT_EQ(scene.model->bodies()[static_cast<std::size_t>(sensors[2].body)].name, "ball");
  EXPECT_EQ(sensors[2].X_BS.p, Vec3(0, 0, 0.1));
  EXPECT_EQ(sensors[3].colliders, (std::vector<int>{0, 1, 2})) << "world, arm, ball";
}

/// Shapes of models are numbered behind those of the scene, whatever comes before them.
TEST(SceneSensors, OfModelFilesReadTheirOwnShapes) {
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "sensors_of_models.xml";
  std::ofstream(file) << R"(<mujoco><worldbody><geom name="step" type="box" size="1 1 0.1"/><site name="top"/>
    <body name="leg" pos="0 0 2"><freejoint/><geom name="shin" size="0.1"/><geom name="foot" size="0.2"/><site name="sole"/>
    </body></worldbody><sensor><touch name="pressed" site="sole"/><touch name="ground" site="top"/>
    <gyro name="chip" site="sole"/></sensor></mujoco>)";
  const std::string scene =
      "carom: 1\ngravity: [0, 0, -9.81]\nmaterials: [{name: m, friction: 0.1}]\n"
      "world: {shapes: [{type: half-space, name: floor}, {type: sphere, radius: 1, name: rock, position: [9, 0, 0]}]}\n"
      "bodies: [{name: first, mass: 1, position: [3, 0, 1], shapes: [{type: sphere, radius: 0.1}]}]\n"
      "models:\n  - {file: " +
      file.string() + ", name: l}\n  - {file: " + file.string() +
      ", name: r, position: [0, 5, 0]}\n"
      "sensors: [{name: l.chip, type: contact, bodies: first}]\n"
      "method: {stepper: stewart-trinkle, step: 0.01}\nduration: 1\n";
  const Scene read = parse_scene(scene, "s.yaml");
  const Model& model = *read.model;
  std::map<std::string, std::vector<std::string>> shapes;
  for (const Sensor& sensor : model.sensors()) {
    std::vector<std::string>& of_sensor = shapes[sensor.name];
    for (const int number : sensor.colliders) {
      of_sensor.push_back(model.colliders()[static_cast<std::size_t>(number)].name);
    }
  }
  using Names = std::vector<std::string>;
  ASSERT_EQ(shapes.size(), 6u);
  EXPECT_EQ(shapes["l.pressed"], (Names{"l.leg/l.shin", "l.leg/l.foot"}));
  EXPECT_EQ(shapes["r.pressed"], (Names{"r.leg/r.shin", "r.leg/r.foot"}));
  EXPECT_EQ(shapes["l.ground"], Names{"world/l.step"});
  EXPECT_EQ(shapes["r.ground"], Names{"world/r.step"});
  EXPECT_EQ(shapes["l.chip"], Names{"first/sphere"}) << "the scene's takes the place of the model's";
  const auto chip = std::find_if(model.sensors().begin(), model.sensors().end(),
                                 [](const Sensor& sensor) { return sensor.name == "r.chip"; });
  ASSERT_NE(chip, model.sensors().end());
  EXPECT_EQ(model.bodies()[static_cast<std::size_t>(chip->body)].name, "r.leg");
}

TEST(SceneSensors, OfTwoModelsWithoutNamesAllRead) {
  const std::filesystem::path folder = testing::TempDir();
  const auto body = [](const std::string& name) {
    return "<mujoco><worldbody><body name=\"" + name + "\"><freejoint/><geom name=\"" + name +
           "_ball\" size=\"0.1\"/><site name=\"" + name +
           "_site\"/></body></worldbody><sensor><gyro name=\"rate\" site=\"" + name + "_site\"/></sensor></mujoco>";
  };
  std::ofstream(folder / "one_gyro.xml") << body("one");
  std::ofstream(folder / "other_gyro.xml") << body("other");
  const Scene scene =
      parse_scene("carom: 1\ngravity: [0, 0, 0]\nmaterials: [{name: m, friction: 0}]\nmodels: [{file: " +
                      (folder / "one_gyro.xml").string() + "}, {file: " + (folder / "other_gyro.xml").string() +
                      "}]\nmethod: {stepper: stewart-trinkle, step: 0.01}\nduration: 1\n",
                  "s.yaml");
  const std::vector<Sensor>& sensors = scene.model->sensors();
  ASSERT_EQ(sensors.size(), 2u);
  EXPECT_EQ(sensors[0].name, "rate");
  EXPECT_EQ(sensors[1].name, "rate_sensor");
  EXPECT_NE(sensors[0].body, sensors[1].body);
}

TEST(SceneSensors, FaultsSayWhatThereIs) {
  EXPECT_EQ(faults("  - {name: arm, type: imu, body: ball}\n"),
            "s.yaml:5:6: a body is named 'arm' as well, and columns of a record are called after both; give the sensor "
            "a name of its own");
  EXPECT_EQ(faults("  - {name: s, type: gyro, body: ball}\n"),
            "s.yaml:5:21: unknown sensor type 'gyro'; there are: imu, force_torque, contact");
  EXPECT_EQ(
      faults("  - {name: s, type: imu}\n"),
      "s.yaml:5:5: a sensor of type imu lacks the key 'body': the name of a body (or frame: one that a model file "
      "names)");
  EXPECT_EQ(faults("  - {name: s, type: imu, body: world}\n"),
            "s.yaml:5:15: this sensor is on the world, which does not move; put it on a body");
  EXPECT_EQ(faults("  - {name: s, type: imu, frame: tip}\n"), "s.yaml:5:33: there is no frame 'tip'; there are none");
  EXPECT_EQ(faults("  - {name: s, type: force_torque, joint: hinges}\n"),
            "s.yaml:5:42: there is no joint 'hinges'; did you mean 'hinge'?");
  EXPECT_EQ(faults("  - {name: s, type: force_torque, constraint: wir}\n"),
            "s.yaml:5:47: there is no constraint 'wir'; did you mean 'wire'?");
  EXPECT_EQ(
      faults("  - {name: s, type: contact, shapes: wall/brick}\n"),
      "s.yaml:5:38: there is no shape 'wall/brick'; the nearest names are 'ball/sphere', 'world/floor', 'arm/sphere'");
  EXPECT_NE(faults("  - {name: s, type: contact, body: ball}\n").find("unknown key 'body' in a sensor of type contact"),
            std::string::npos);
}

}  // namespace
}  // namespace carom::sensors_test
