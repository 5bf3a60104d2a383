// Joints that a file starts beyond their limits: every reader puts them at the nearest limit and says so, and no step
// throws them back.

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "carom/scene/scene.h"
#include "carom/stepper/simulation.h"

namespace carom::joint_starts_test {
namespace {

namespace fs = std::filesystem;

/// A rod of 1 kg on a hinge about y, from −0.5 to 0.5 rad, that the file starts elsewhere.
struct Start {
  std::string name, file, text, more;
  double at;         ///< rad, where it has to start
  std::string told;  ///< of the warning; empty: none
};

std::string mjcf(const std::string& joint, const std::string& more = "") {
  return R"(<mujoco><compiler angle="radian"/><worldbody><body name="rod"><joint name="hinge" axis="0 1 0" )" + joint +
         R"(/><geom type="capsule" fromto="0 0 0 0 0 -1" size="0.05" mass="1"/></body></worldbody>)" + more +
         "</mujoco>";
}

std::string sdformat(const std::string& axis) {
  return R"(<sdf version="1.9"><model name="m"><link name="rod"><inertial><pose>0 0 -0.5 0 0 0</pose><mass>1</mass>
    <inertia><ixx>0.1</ixx><iyy>0.1</iyy><izz>0.01</izz></inertia></inertial></link>
    <joint name="hinge" type="revolute"><parent>world</parent><child>rod</child><axis><xyz>0 1 0</xyz>)" +
         axis + "</axis></joint></model></sdf>";
}

std::string urdf(const std::string& limit) {
  return R"(<robot name="r"><link name="world"/><link name="rod"><inertial><origin xyz="0 0 -0.5"/><mass value="1"/>
    <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.01"/></inertial></link>
    <joint name="hinge" type="revolute"><parent link="world"/><child link="rod"/><axis xyz="0 1 0"/><limit )" +
         limit + "/></joint></robot>";
}

std::string of_scene(const std::string& limits) {
  return "bodies: [{name: rod, mass: 1, shapes: [{type: sphere, radius: 0.1, position: [0, 0, -0.5]}]}]\n"
         "joints: [{name: hinge, type: revolute, parent: world, child: rod, axis: [0, 1, 0], limits: {" +
         limits + "}}]\n";
}

std::vector<Start> starts() {
  const std::string key = R"(<keyframe><key name="up" qpos="-2"/><key name="low" qpos="0.25"/></keyframe>)";
  const std::string limit = "<limit><lower>-0.5</lower><upper>0.5</upper></limit>";
  const std::string high = "<limit><lower>0.3</lower><upper>0.5</upper></limit>";
  return {
      {"mjcf_ref", "m.xml", mjcf(R"(range="-0.5 0.5" ref="1.5")"), "", 0.5,
       "0.5 rad: it would start at 1.5, beyond it"},
      {"mjcf_zero", "m.xml", mjcf(R"(range="-0.5 -0.3")"), "", -0.3, "-0.3 rad: its limits exclude zero"},
      {"mjcf_keyframe", "m.xml", mjcf(R"(range="-0.5 0.5")", key), ", keyframe: up", -0.5,
       "-0.5 rad: it would start at -2, beyond it"},
      {"mjcf_good_keyframe", "m.xml", mjcf(R"(range="-0.5 0.5" ref="1.5")", key), ", keyframe: low", 0.25, ""},
      {"mjcf_set", "m.xml", mjcf(R"(range="-0.5 0.5" ref="1.5")"), ", joints: {hinge: 0.5}", 0.5, ""},
      {"mjcf_within", "m.xml", mjcf(R"(range="-0.5 0.5" ref="0.4")"), "", 0.4, ""},
      {"sdformat", "m.sdf", sdformat("<initial_position>0.9</initial_position>" + limit), "", 0.5,
       "0.5 rad: it would start at 0.9, beyond it"},
      {"sdformat_zero", "m.sdf", sdformat(high), "", 0.3, "0.3 rad: its limits exclude zero"},
      {"urdf_zero", "m.urdf", urdf(R"(lower="0.3" upper="0.5")"), "", 0.3, "0.3 rad: its limits exclude zero"},
      {"urdf_set", "m.urdf", urdf(R"(lower="0.3" upper="0.5")"), ", joints: {hinge: 0.4}", 0.4, ""},
      {"scene_zero", "", of_scene("lower: 0.3"), "", 0.3, "0.3 rad: its limits exclude zero; give its position"},
      {"scene_zero_below", "", of_scene("upper: -0.3"), "", -0.3, "-0.3 rad: its limits exclude zero"},
      {"scene_within", "", of_scene("lower: -0.3"), "", 0, ""},
  };
}

class JointStarts : public testing::TestWithParam<Start> {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }
  Scene parse(const Start& start) const {
    std::string inside = start.text;
    if (!start.file.empty()) {
      std::ofstream(folder_ / start.file) << start.text;
      inside = "models: [{file: " + start.file + start.more + "}]\n";
    }
    return parse_scene("carom: 1\ngravity: [0, 0, -9.81]\nmaterials: [{name: rubber, friction: 0.5}]\n" + inside +
                           "method: {stepper: stewart-trinkle, step: 0.001}\nduration: 1\n",
                       (folder_ / "scene.yaml").string());
  }
  fs::path folder_ = fs::path(testing::TempDir()) / ("carom_joint_starts_" + std::to_string(::getpid()));
};

TEST_P(JointStarts, AreWithinTheLimitsAndWhatWasMovedIsTold) {
  const Scene scene = parse(GetParam());
  EXPECT_EQ(scene.initial.q[0], GetParam().at);
  const auto told = std::find_if(scene.warnings.begin(), scene.warnings.end(), [](const std::string& warning) {
    return warning.find("joint 'hinge' starts at its limit, ") != std::string::npos;
  });
  ASSERT_EQ(told != scene.warnings.end(), !GetParam().told.empty());
  if (!GetParam().told.empty()) {
    EXPECT_NE(told->find(GetParam().told), std::string::npos) << *told;
  }
}

TEST_P(JointStarts, AreNotThrownBack) {
  const Scene scene = parse(GetParam());
  Simulation simulation(scene.model, scene.method, scene.initial);
  const StepReport& report = simulation.step();
  EXPECT_EQ(report.status, SolveStatus::solved);
  // A hinged rod of any shape is turned by its weight by no more than g over its half length.
  EXPECT_LE(std::abs(simulation.state().v[0]), 9.81 / 0.5 * 0.001);
}

INSTANTIATE_TEST_SUITE_P(readers, JointStarts, testing::ValuesIn(starts()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace carom::joint_starts_test
