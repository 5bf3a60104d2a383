#include "carom/scene/motion_table.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <numbers>

#include "carom/error.h"
#include "carom/scene/scene.h"

namespace carom::motion_table_test {
namespace {

constexpr double degree = std::numbers::pi / 180;

class MotionTableTest : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  std::string fault_of(const std::string& text) const {
    try {
      static_cast<void>(read_motion_table(write("fault.mot", text)));
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
  Scene scene(const std::string& target, const std::string& joints = "joints: \"*\"") const {
    return parse_scene(R"(carom: 1
gravity: [0, 0, 0]
bodies:
  - {name: a, inertia: {mass: 1, moments: [1, 1, 1]}}
  - {name: b, inertia: {mass: 1, moments: [1, 1, 1]}}
joints:
  - {name: hip, type: revolute, parent: world, child: a}
  - {name: lift, type: prismatic, parent: a, child: b}
drives:
  - {name: d, type: servo, stiffness: 1, )" +
                           joints + ", target: " + target + R"(}
method: {step: 0.01}
duration: 1
)",
                       (folder_ / "scene.yaml").string());
  }

 private:
  std::filesystem::path folder_ =
      std::filesystem::path(::testing::TempDir()) / ("carom-motion-" + std::to_string(::getpid()));
};

TEST_F(MotionTableTest, AByteOrderMarkIsNoPartOfTheFirstName) {
  const MotionTable table = read_motion_table(write("excel.csv", "\xEF\xBB\xBFtime,hip\r\n0,1\r\n1,2\r\n"));
  EXPECT_EQ(table.names, std::vector<std::string>{"hip"});
  EXPECT_EQ(table.times, (std::vector<double>{0, 1}));
}

TEST_F(MotionTableTest, ColumnsOfOneNameAreRefused) {
  EXPECT_EQ(fault_of("time,hip,hip\n0,1,2\n"), "has two columns called 'hip'; names must differ");
}

constexpr const char* motion =
    "walk\nversion=1\nnRows=3\nnColumns=3\n inDegrees = yes\nendheader\n\ntime\tlift\thip\n0\t0.1\t-30\n0.5\t0.2\t15\n"
    "1\t0.3\t60\n";

TEST_F(MotionTableTest, ServosFollowTheColumnsOfTheirJoints) {
  write("walk.mot", motion);
  const Scene of_all = scene("{file: walk.mot}");
  const std::vector<Drive>& drives = of_all.model->drives();
  ASSERT_EQ(drives.size(), 2U);
  EXPECT_NEAR(drives[0].value.at(0.5), 15 * degree, 1e-15);
  EXPECT_NEAR(drives[0].value.rate(0.5), 90 * degree, 1e-12);
  EXPECT_NEAR(drives[1].value.at(0.5), 0.2, 0);  // a length has no degrees
  EXPECT_NEAR(scene("{file: walk.mot, column: lift}", "joint: hip").model->drives()[0].value.at(2), 0.3 * degree,
              1e-15);
}

TEST_F(MotionTableTest, TablesOfSpreadsheetsAreReadToo) {
  const MotionTable table =
      read_motion_table(write("a.csv", "\"time\",\"hip\", knee\r\n0, 1.5,-2e-3\r\n\r\n0.1,2,3\r\n"));
  EXPECT_EQ(table.names, (std::vector<std::string>{"hip", "knee"}));
  EXPECT_EQ(table.times, (std::vector<double>{0, 0.1}));
  EXPECT_EQ(table.columns[1], (std::vector<double>{-2e-3, 3}));
  EXPECT_FALSE(table.degrees);
}

TEST_F(MotionTableTest, FaultsNameTheLine) {
  EXPECT_EQ(fault_of("time hip\n0 1\n1 2 3\n"), "line 3 has 3 numbers, where there are names for 2");
  EXPECT_EQ(fault_of("time,hip\n0,1\n1,\n"), "line 3 holds '', which is no finite number");
  EXPECT_EQ(fault_of("time hip\n0 1\n0 2\n"), "line 3 is not later than the one before");
  EXPECT_EQ(fault_of("endheader\ntime\thip\n"), "has no line of numbers");
  EXPECT_NE(fault_of("hip knee\n0 1\n").find("begins with 'time'"), std::string::npos);
  EXPECT_NE(fault_of("").find("begins with 'time'"), std::string::npos);
  write("walk.mot", motion);
  const auto scene_fault = [&](const std::string& target) -> std::string {
    try {
      static_cast<void>(scene(target, "joint: hip"));
    } catch (const SceneError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(scene_fault("{file: walk.mot, column: hpi}")
                .find("there is no column 'hpi' in 'walk.mot'; the nearest names are 'hip', 'lift'"),
            std::string::npos);
  EXPECT_NE(scene_fault("{file: run.mot}").find("'run.mot': "), std::string::npos);
}

}  // namespace
}  // namespace carom::motion_table_test
