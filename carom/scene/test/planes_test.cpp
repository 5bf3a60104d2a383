#include "carom/scene/planes.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "carom/scene/model_starts.h"
#include "carom/scene/scene.h"
#include "carom/stepper/simulation.h"

namespace carom::planes_test {
namespace {

constexpr const char* method = "method: {stepper: event-driven, law: plastic, step: 0.01}\nduration: 0.2\n";

TEST(Planes, AJointInTheSagittalPlaneMovesThereAlone) {
  const Scene scene = parse_scene(std::string(R"(carom: 1
gravity: [0, 0, -10]
bodies: [{name: trunk, inertia: {mass: 2, moments: [0.3, 0.5, 0.3]}}]
joints: [{name: base, type: planar, parent: world, child: trunk, plane: xz, position: [0.2, 1, 0], velocity: [0.3, 0, 0]}]
wrenches: [{name: push, body: trunk, force: [4, 6, 0], torque: [1, 0.5, 1]}]
)") + method,
                                  "plane.yaml");
  EXPECT_NEAR((scene.model->joints()[0].X_PF.R.col(2) + Vec3::UnitY()).norm(), 0, 0);
  Simulation simulation(scene.model, scene.method, scene.initial);
  for (int i = 0; i < 20; ++i) simulation.step();
  // x forward, z up, the angle about −y: nose up is positive.
  const State& state = simulation.state();
  const double t = 0.2;
  EXPECT_NEAR(state.q[0], 0.2 + 0.3 * t + 0.5 * 2 * t * t, 1e-9);
  EXPECT_NEAR(state.q[1], 1 - 0.5 * 10 * t * t, 1e-9);
  EXPECT_NEAR(state.q[2], -0.5 * (0.5 / 0.5) * t * t, 1e-9);
}

class ModelOnSlope : public ::testing::Test {
 protected:
  /// A trunk with a leg that hangs from a hip, both spheres.
  void SetUp() override {
    std::filesystem::create_directories(folder_);
    std::ofstream(path("hopper.urdf")) << R"(<robot name="hopper">
  <link name="trunk"><inertial><origin xyz="0.02 0.05 0"/><mass value="2"/><inertia ixx="0.02" iyy="0.03" izz="0.02" ixy="0.002" ixz="0" iyz="0.001"/></inertial>
    <collision><geometry><sphere radius="0.1"/></geometry></collision></link>
  <link name="foot"><inertial><mass value="0.5"/><inertia ixx="0.001" iyy="0.001" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><sphere radius="0.05"/></geometry></collision></link>
  <joint name="left_knee" type="prismatic"><parent link="trunk"/><child link="foot"/><origin xyz="0.1 0 -0.3"/><axis xyz="0 0 -1"/><limit lower="0" upper="0.2" effort="5" velocity="1"/></joint>
</robot>)";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  Scene scene(const std::string& model, const std::string& ground = "{type: half-space}") const {
    return parse_scene("carom: 1\ngravity: [0, 0, -10]\nmaterials: [{name: m, friction: 0.5}]\nworld: {shapes: [" +
                           ground + "]}\nmodels:\n  - {file: hopper.urdf, " + model + "}\n" + method,
                       path("scene.yaml"));
  }
  std::string fault_of(const std::string& model) const {
    try {
      static_cast<void>(scene(model));
    } catch (const SceneError& error) {
      return error.what();
    }
    return "";
  }

 private:
  std::filesystem::path folder_ =
      std::filesystem::path(::testing::TempDir()) / ("carom-planes-" + std::to_string(::getpid()));
};

TEST_F(ModelOnSlope, FallsInItsPlaneThoughItsMassLiesBesideIt) {
  const Scene planar = scene("base: planar, plane: xz, drop: 0.5");
  ASSERT_EQ(planar.model->velocity_count(), 4);
  const Joint& base = planar.model->joints()[0];
  EXPECT_EQ(base.type, JointType::planar);
  EXPECT_EQ(base.name, "trunk");
  Simulation simulation(planar.model, planar.method, planar.initial);
  const double start = base.X_PF.p.z();
  EXPECT_NEAR(start, 0.5 + 0.3 + 0.05, 1e-12);
  for (int i = 0; i < 20; ++i) simulation.step();
  // Free fall without turning: the joint bears what would turn it out of the plane.
  EXPECT_NEAR(simulation.state().q[0], 0, 1e-9);
  EXPECT_NEAR(simulation.state().q[1], -0.5 * 10 * 0.04, 1e-9);
  EXPECT_NEAR(simulation.state().q[2], 0, 1e-9);
}

TEST_F(ModelOnSlope, IsDroppedStraightAboveTheGroundThatIsThere) {
  for (const double slope : {0.0, 0.4, -0.3}) {
    const Vec3 normal(-std::sin(slope), 0, std::cos(slope)), point(0.3, 0, 0.2);
    std::ostringstream ground;
    ground.precision(17);
    ground << "{type: half-space, name: wall, normal: [1, 0, 0], point: [-5, 0, 0]}, {type: half-space, normal: ["
           << normal.x() << ", 0, " << normal.z() << "], point: [0.3, 0, 0.2]}";
    const Scene dropped = scene("drop: 0.07, position: [0.5, 0, 0]", ground.str());
    const Vec3 trunk = dropped.initial.q.segment<3>(4), foot = trunk + Vec3(0.1, 0, -0.3);
    const double of_trunk = (normal.dot(trunk - point) - 0.1) / normal.z(),
                 of_foot = (normal.dot(foot - point) - 0.05) / normal.z();
    EXPECT_NEAR(std::min(of_trunk, of_foot), 0.07, 1e-12) << slope;
  }
}

TEST_F(ModelOnSlope, JointsStartByPatterns) {
  EXPECT_NEAR(scene("joints: {\"*_knee\": 0.1}").initial.q[7], 0.1, 0);
  EXPECT_NEAR(scene("joints: {left_knee: 0.15, \"*\": 0.1}").initial.q[7], 0.15, 0);
  EXPECT_NE(fault_of("joints: {\"*_kne\": 0.1}")
                .find("no joint of one coordinate matches '*_kne'; the nearest name is 'left_knee'"),
            std::string::npos);
}

TEST_F(ModelOnSlope, FaultsOfPlanesAreSentences) {
  EXPECT_NE(fault_of("base: planar").find("lacks the key 'plane'"), std::string::npos) << fault_of("base: planar");
  EXPECT_NE(fault_of("plane: xz").find("give base: planar too"), std::string::npos);
  EXPECT_NE(fault_of("base: planar, plane: xw").find("xw"), std::string::npos);
}

}  // namespace
}  // namespace carom::planes_test
