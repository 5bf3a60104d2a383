#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <limits>

#include "carom/scene/drives.h"
#include "carom/scene/scene.h"
#include "carom/stepper/simulation.h"

namespace carom::drive_limits_test {
namespace {

/// A base on the world with three arms, whose motors have 5 N m, none, and an effort of 0.
const char* const robot = R"(<robot name="r">
  <link name="base"/>
  <link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="c"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="knee_a" type="revolute"><parent link="base"/><child link="a"/>
    <limit lower="-1" upper="1" effort="5" velocity="2"/></joint>
  <joint name="knee_b" type="continuous"><parent link="base"/><child link="b"/></joint>
  <joint name="knee_c" type="continuous"><parent link="base"/><child link="c"/><limit effort="0" velocity="1"/></joint>
</robot>)";

class DriveLimits : public ::testing::Test {
 protected:
  DriveLimits() { std::ofstream(file_) << robot; }
  ~DriveLimits() override { std::filesystem::remove(file_); }
  Scene scene(const std::string& drives) const {
    return parse_scene("carom: 1\ngravity: [0, 0, 0]\nmodels: [{file: " + file_ + ", base: fixed}]\ndrives:\n" +
                           drives + "method: {stepper: stewart-trinkle, step: 0.01}\nduration: 1\n",
                       "limits.yaml");
  }
  std::string faults(const std::string& drives) const {
    try {
      scene(drives);
    } catch (const SceneError& error) {
      return error.what();
    }
    return "";
  }
  std::string file_ = testing::TempDir() + "carom_limits" + std::to_string(::getpid()) + ".urdf";
};

TEST_F(DriveLimits, AreTheEffortsOfTheFileWhereTheSceneAsksForThem) {
  const Scene read = scene(
      "  - {name: s, type: servo, joint: knee_a, target: 1, stiffness: 100, limit: file}\n"
      "  - {name: n, type: servo, joint: knee_b, target: 1, stiffness: 100}\n");
  EXPECT_EQ(read.model->drives()[0].limit, 5);
  EXPECT_EQ(read.model->drives()[1].limit, std::numeric_limits<double>::infinity());
}

/// 100 N m per radian asked for 1 rad of an arm of 1 kg m²: 5 N m is all that it gives.
TEST_F(DriveLimits, HoldWhatADriveGives) {
  for (const std::string drive : {"{name: s, type: servo, joint: knee_a, target: 1, stiffness: 100, limit: file}",
                                  "{name: s, type: feedback, joint: knee_a, force: =100*(1 - joint), limit: file}"}) {
    const Scene read = scene("  - " + drive + "\n");
    Simulation simulation(read.model, read.method, read.initial);
    simulation.set_controller(read.controller());
    for (int i = 0; i < 10; ++i) simulation.step();
    EXPECT_NEAR(simulation.state().v[0], 5 * 0.1, 1e-9) << drive;
  }
}

TEST_F(DriveLimits, ThatNoFileGivesAreTold) {
  EXPECT_EQ(
      faults("  - {name: s, type: servo, joints: \"knee_*\", target: 1, stiffness: 100, limit: file}\n"),
      "limits.yaml:5:80: no file gives joint 'knee_b' an effort; write a number in place of file, N or N m\n"
      "limits.yaml:5:80: no file gives joint 'knee_c' an effort above 0; write a number in place of file, N or N m");
}

}  // namespace
}  // namespace carom::drive_limits_test
