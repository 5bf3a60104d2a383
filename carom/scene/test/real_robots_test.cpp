// Robots of others fall on a ground: no unsolved step, hardly any overlap, and with CAROM_LONG set they come to rest.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "carom/scene/model_scene.h"
#include "carom/scene/scene.h"
#include "carom/stepper/simulation.h"
#include "testing/folders.h"

namespace carom::real_robots_test {
namespace {

namespace fs = std::filesystem;

fs::path model(const std::string& name) { return data_folder() / "models" / name; }

void expect_fall(const fs::path& path, const ModelPlacement& placement, double rest_after) {
  const Scene scene = parse_scene(scene_of_model(path.string(), placement), path.string());
  Simulation simulation(scene.model, scene.method, scene.initial);
  const bool all = std::getenv("CAROM_LONG") != nullptr;
  const int steps = static_cast<int>((all ? rest_after : 0.6) / scene.method.step);
  double deepest = 0;
  std::size_t contacts = 0;
  for (int i = 0; i < steps; ++i) {
    const StepReport& report = simulation.step();
    ASSERT_EQ(report.status, SolveStatus::solved) << "step " << i;
    deepest = std::max(deepest, report.penetration);
    contacts = std::max(contacts, report.contacts.size());
  }
  EXPECT_LT(deepest, 1e-4);
  EXPECT_GT(contacts, 3u);
  if (all) {
    EXPECT_LT(simulation.state().v.norm(), 1e-3);
  }
}

TEST(RealRobots, TheA1ComesToRest) {
  const fs::path path = model("dojo/a1.urdf");
  if (!fs::exists(path)) GTEST_SKIP() << "no model: " << path << " (CAROM_DATA names the folder of data)";
  ModelPlacement placement;
  placement.drop = 0.4;
  for (const char* leg : {"FR", "FL", "RR", "RL"}) {
    placement.joints.emplace_back(std::string(leg) + "_thigh_joint", 0.8);
    placement.joints.emplace_back(std::string(leg) + "_calf_joint", -1.6);
  }
  expect_fall(path, placement, 3);
}

TEST(RealRobots, TheHumanoidFallsOverAndComesToRest) {
  const fs::path path = model("mujoco/humanoid.xml");
  if (!fs::exists(path)) GTEST_SKIP() << "no model: " << path << " (CAROM_DATA names the folder of data)";
  ModelPlacement placement;
  placement.drop = 0.3;
  placement.ground = false;  // it brings its own
  expect_fall(path, placement, 14);
}

}  // namespace
}  // namespace carom::real_robots_test
