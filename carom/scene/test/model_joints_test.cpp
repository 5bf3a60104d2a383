// Changes by a scene of a model file's joints: the mechanism is that of a file which says the same itself.

#include "carom/scene/model_joints.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "carom/dynamics/recursions.h"
#include "carom/scene/scene.h"
#include "carom/stepper/simulation.h"

namespace carom::model_joints_test {
namespace {

namespace fs = std::filesystem;

class ModelJoints : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  Scene parse(const std::string& model, const std::string& file, const std::string& entry) const {
    std::ofstream(folder_ / file) << model;
    return parse_scene("carom: 1\ngravity: [0, 0, -9.81]\n" +
                           std::string(entry.find("=k") < entry.size() ? "parameters: {k: 12}\n" : "") +
                           "models:\n  - {file: " + file + entry +
                           "}\nmethod: {stepper: stewart-trinkle, step: 0.001}\nduration: 1\n",
                       (folder_ / "scene.yaml").string());
  }
  std::string faults(const std::string& model, const std::string& file, const std::string& entry) const {
    try {
      parse(model, file, entry);
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  }
  fs::path folder_ = fs::path(testing::TempDir()) / ("carom_model_joints_" + std::to_string(::getpid()));
};

/// Two rods on hinges, with more inside their joints and after them.
std::string arm(const std::string& in_hip = "", const std::string& in_knee = "", const std::string& after = "",
                const std::string& knee = "revolute") {
  const std::string inertial = R"(<inertial><origin xyz="0 0 -0.5"/><mass value="1"/>
    <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.01"/></inertial>)";
  return R"(<robot name="arm"><link name="world"/><link name="thigh">)" + inertial + R"(</link><link name="shin">)" +
         inertial + R"(</link><joint name="hip" type="continuous"><parent link="world"/><child link="thigh"/>
    <axis xyz="0 1 0"/>)" +
         in_hip + R"(</joint><joint name="knee" type=")" + knee + R"("><parent link="thigh"/>
    <child link="shin"/><origin xyz="0 0 -1"/><axis xyz="0 1 0"/>)" +
         in_knee + "</joint>" + after + "</robot>";
}

/// Positions after 200 steps.
VectorX end_of(const Scene& scene) {
  Simulation simulation(scene.model, scene.method, scene.initial);
  for (int i = 0; i < 200; ++i) simulation.step();
  return simulation.state().q;
}

TEST_F(ModelJoints, EqualThoseOfAFileThatSaysTheSame) {
  const std::string rotor = R"(<transmission name="t"><joint name="hip"/><actuator name="a">
    <drake:rotor_inertia value="0.0002"/><drake:gear_ratio value="50"/></actuator></transmission>)";
  const std::string spring = R"(<force_element name="f"><torsional_spring stiffness="12" rest_angle="0.3">
    <joint name="knee"/></torsional_spring></force_element>)";
  const Scene said = parse(arm(R"(<dynamics damping="0.4"/>)",
                               R"(<limit lower="-1" upper="0.6"/><dynamics friction="0.2"/>)", rotor + spring),
                           "said.urdf", ", joints: {hip: 0.5}");
  const Scene changed =
      parse(arm("", R"(<limit lower="-1" upper="0.6"/><dynamics damping="3" friction="0.2"/>)"), "changed.urdf",
            ", joints: {hip: {position: 0.5, damping: 0.4, reflected_inertia: =0.0002 * 50^2}, "
            "knee: {damping: 0, spring: {stiffness: =k, rest: 0.3}}}");
  EXPECT_EQ(end_of(said), end_of(changed));
  const Scene other = parse(arm(), "other.urdf", ", joints: {hip: {position: 0.5, damping: 0.41}}");
  EXPECT_NE(end_of(said), end_of(other));
}

TEST_F(ModelJoints, StartAndMoveAsTheyAreTold) {
  const Scene scene =
      parse(arm(), "arm.urdf", ", joints: {hip: {velocity: 2}, \"k*\": {position: 20 deg, velocity: -3, friction: 1}}");
  EXPECT_EQ(scene.initial.q, Vec2(0, 20 * EIGEN_PI / 180));
  EXPECT_EQ(scene.initial.v, Vec2(2, -3));
  EXPECT_EQ(scene.model->joints()[1].friction, VectorX::Constant(1, 1));
}

TEST_F(ModelJoints, NewLimitsMoveAStartThatIsNotSaid) {
  const Scene scene = parse(arm(), "arm.urdf", ", joints: {knee: {limits: {lower: 0.2}}}");
  EXPECT_EQ(scene.initial.q[1], 0.2);
  EXPECT_EQ(scene.model->joints()[1].lower, VectorX::Constant(1, 0.2));
  ASSERT_FALSE(scene.warnings.empty());
  EXPECT_TRUE(std::any_of(scene.warnings.begin(), scene.warnings.end(), [](const std::string& told) {
    return told.find("joint 'knee' starts at its limit, 0.2 rad") != std::string::npos;
  }));
  const std::string beyond = faults(arm(), "arm.urdf", ", joints: {knee: {position: 0.1, limits: {lower: 0.2}}}");
  EXPECT_NE(beyond.find("joint 'knee' starts at 0.1, beyond its limits 0.2 to inf"), std::string::npos) << beyond;
}

TEST_F(ModelJoints, AStartThatTheFileLimitsIsToldUnlessTheLimitsGo) {
  const auto warned = [](const Scene& scene) {
    return std::any_of(scene.warnings.begin(), scene.warnings.end(),
                       [](const std::string& told) { return told.find("exclude zero") != std::string::npos; });
  };
  const std::string model = arm("", R"(<limit lower="0.2" upper="1"/>)");
  const Scene same = parse(model, "a.urdf", ", joints: {knee: {damping: 1}}");
  EXPECT_EQ(same.initial.q[1], 0.2);
  EXPECT_TRUE(warned(same));
  const Scene wide = parse(model, "b.urdf", ", joints: {knee: {limits: {lower: -1, upper: 1}}}");
  EXPECT_EQ(wide.initial.q[1], 0);
  EXPECT_FALSE(warned(wide));
}

TEST_F(ModelJoints, AreHingesOfOneBodyEachByItsName) {
  const std::string body = R"(<mujoco><compiler angle="radian"/><worldbody><body name="b" pos="0 0 1">
    <joint name="x" axis="1 0 0" damping="0.1"/><joint name="y" axis="0 1 0"/>
    <geom type="capsule" fromto="0 0 0 0.2 0 -1" size="0.05" mass="1"/></body></worldbody></mujoco>)";
  const Scene scene =
      parse(body, "m.xml", ", joints: {y: {position: 0.3, velocity: 1, spring: {stiffness: 7, rest: 1}}}");
  const Joint& joint = scene.model->joints()[0];
  EXPECT_EQ(joint.damping, Vec2(0.1, 0));
  EXPECT_EQ(joint.stiffness, Vec2(0, 7));
  EXPECT_EQ(joint.rest, Vec2(0, 1));
  EXPECT_EQ(scene.initial.q, Vec2(0, 0.3));
  EXPECT_EQ(scene.initial.v, Vec2(0, 1));
}

TEST_F(ModelJoints, BallsStartTurned) {
  const Scene scene = parse(arm("", "", "", "ball"), "ball.urdf",
                            ", joints: {knee: {position: {axis: [0, 0, 1], angle: 90 deg}, velocity: [1, 2, 3]}}");
  const double half = std::sqrt(0.5);
  EXPECT_LT((scene.initial.q.tail(4) - Eigen::Vector4d(half, 0, 0, half)).norm(), 1e-15);
  EXPECT_EQ(scene.initial.v.tail(3), Vec3(1, 2, 3));
}

TEST_F(ModelJoints, AFreeModelStartsAsFastAsItIsTold) {
  const std::string box = R"(<robot name="box"><link name="box"><inertial><mass value="1"/>
    <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link></robot>)";
  const Scene scene = parse(box, "box.urdf",
                            ", velocity: [1, 2, 3], angular_velocity: [0, 0, 4], orientation: {axis: [0, 0, 1], angle: "
                            "90 deg}");
  // State has them in the body's axes.
  EXPECT_LT((scene.initial.v.head(3) - Vec3(0, 0, 4)).norm(), 1e-15);
  EXPECT_LT((scene.initial.v.tail(3) - Vec3(2, -1, 3)).norm(), 1e-15);
  const Scene planar =
      parse(box, "box.urdf", ", base: planar, plane: xz, velocity: [1, 0, 3], angular_velocity: [0, -4, 0]");
  EXPECT_LT((planar.initial.v - Vec3(1, 3, 4)).norm(), 1e-15);
  const std::string leaves = ", base: planar, plane: xz, velocity: [1, 2, 3], angular_velocity: [1, 0, 0]";
  const std::string told = faults(box, "box.urdf", leaves);
  EXPECT_NE(told.find(": velocity leaves the plane"), std::string::npos) << told;
  EXPECT_NE(told.find("angular_velocity leaves the plane"), std::string::npos) << told;
  EXPECT_NE(faults(arm(), "arm.urdf", ", velocity: [0, 0, 1]").find("is tied to the world"), std::string::npos);
}

TEST_F(ModelJoints, FaultsAreTold) {
  const auto count = [](const std::string& text, const std::string& part) {
    int found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
  };
  const std::string misspelt = faults(arm(), "arm.urdf", ", joints: {\"*\": {dampng: 1}}");
  EXPECT_EQ(count(misspelt, "did you mean 'damping'"), 2) << misspelt;  // one for each joint that matches
  EXPECT_EQ(count(faults(arm(), "arm.urdf", ", joints: {\"*\": {damping: -1}}"), "damping"), 1);
  const std::string unknown = faults(arm(), "arm.urdf", ", joints: {nee: {damping: 1}}");
  EXPECT_NE(unknown.find("there is no joint 'nee'; did you mean 'knee'"), std::string::npos) << unknown;
}

}  // namespace
}  // namespace carom::model_joints_test
