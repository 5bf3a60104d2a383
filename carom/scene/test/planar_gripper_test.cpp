// Drake's planar gripper and its brick. Three fingers hold a brick, which can slide and turn in their plane, against
// its weight. Drake fixes their bases in code; here the scene fixes them.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <numbers>
#include <sstream>

#include "carom/dynamics/recursions.h"
#include "carom/scene/scene.h"
#include "carom/stepper/simulation.h"
#include "testing/folders.h"

namespace carom::planar_gripper_test {
namespace {

namespace fs = std::filesystem;

fs::path drake_models() { return data_folder() / "models" / "drake"; }

constexpr double base_distance = 0.19;                                // of the bases from the brick's middle, m
constexpr double upper = 0.085, lower = 0.045 + 0.0263, tip = 0.015;  // a finger's two parts and the ball at its end, m
constexpr double half_brick = 0.05;

/// A finger whose base stands turned by `roll` about x, and the point of the brick's plane that its ball should reach.
struct Finger {
  double roll;
  Vec2 target;     ///< y, z, m
  int elbow_side;  ///< to which side it bends, ±1

  /// Base and middle joint, rad: two sides of a triangle and the line between its ends.
  Vec2 angles() const {
    const Vec2 base = base_distance * Vec2(-std::sin(roll), std::cos(roll));
    const Vec2 reach = target - base;
    const double d = reach.norm();
    const double elbow = std::acos((upper * upper + lower * lower - d * d) / (2 * upper * lower));
    const double shoulder = std::acos((upper * upper + d * d - lower * lower) / (2 * upper * d));
    // The finger at zero points along −z of its base: a turn by θ about x points it along (sin θ, −cos θ).
    const double along = std::atan2(reach.x(), -reach.y());
    return {std::remainder(along - elbow_side * shoulder - roll, 2 * std::numbers::pi),
            elbow_side * (std::numbers::pi - elbow)};
  }
};

/// Fingers at the left, below and at the right. The elbows at the sides mirror each other. `depth`: how far within the
/// brick their balls would be, m.
std::array<Finger, 3> fingers(double depth, double depth_below) {
  const double away = half_brick + tip - depth, below = half_brick + tip - depth_below, third = std::numbers::pi / 3;
  return {Finger{third, {-away, 0.005}, 1}, Finger{3 * third, {0, -below}, 1}, Finger{5 * third, {away, 0.005}, -1}};
}

std::string scene_text(bool held) {
  std::ostringstream bases, joints, servos;
  for (auto* text : {&bases, &joints, &servos}) text->precision(17);
  const auto start = fingers(0, 0), pressed = fingers(0.004, 0);
  for (int i = 0; i < 3; ++i) {
    const std::string name = "finger" + std::to_string(i + 1);
    const double roll = start[i].roll;
    bases << (i ? ", " : "") << name << "_base: {position: [0, " << -base_distance * std::sin(roll) << ", "
          << base_distance * std::cos(roll) << "], orientation: {roll_pitch_yaw: [" << roll << ", 0, 0]}}";
    for (int k = 0; k < 2; ++k) {
      const std::string joint = name + (k == 0 ? "_BaseJoint" : "_MidJoint");
      joints << (i + k ? ", " : "") << joint << ": " << start[i].angles()[k];
      servos << "  - {name: " << joint << "_servo, type: servo, joint: " << joint
             << ", target: " << (held ? pressed : fingers(-0.05, -0.05))[i].angles()[k]
             << ", stiffness: 20, damping: 1, limit: 75}\n";
    }
  }
  return "carom: 1\ngravity: [0, 0, -9.81]\nmaterials: [{name: rubber, friction: 0.8}]\nmodels:\n"
         "  - {file: planar_gripper.sdf, base: {" +
         bases.str() + "}, joints: {" + joints.str() +
         "}, material: rubber}\n  - {file: planar_brick.sdf, base: fixed, material: rubber}\ndrives:\n" + servos.str() +
         "method: {stepper: stewart-trinkle, step: 0.001}\nduration: 2\n";
}

struct Outcome {
  Vec3 brick;                ///< y, z and angle at the end
  double speed = 0;          ///< of all coordinates of the brick at the end
  std::size_t contacts = 0;  ///< with impulse in the last step
};

Outcome run(bool held) {
  const Scene scene = parse_scene(scene_text(held), (drake_models() / "scene.yaml").string());
  Simulation simulation(scene.model, scene.method, scene.initial);
  Outcome outcome;
  for (std::int64_t i = 0; i < scene.steps(); ++i) {
    const StepReport& report = simulation.step();
    EXPECT_EQ(report.status, SolveStatus::solved) << "step " << i;
    outcome.contacts = 0;
    for (const ContactReport& contact : report.contacts) outcome.contacts += contact.impulse.z() > 0;
  }
  int row = 0;
  for (const Joint& joint : scene.model->joints()) {
    if (!joint.name.starts_with("brick_")) continue;
    outcome.brick[row++] = simulation.state().q[joint.q_index];
    outcome.speed = std::max(outcome.speed, std::abs(simulation.state().v[joint.v_index]));
  }
  EXPECT_EQ(row, 3);
  return outcome;
}

class PlanarGripper : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* file : {"planar_gripper.sdf", "planar_brick.sdf"}) {
      const fs::path path = drake_models() / file;
      if (!fs::exists(path)) GTEST_SKIP() << "no model: " << path << " (CAROM_DATA names the folder of data)";
    }
  }
};

TEST_F(PlanarGripper, FingersReachWhereTheyShould) {
  const Scene scene = parse_scene(scene_text(true), (drake_models() / "scene.yaml").string());
  DynamicsWorkspace workspace(*scene.model);
  forward_kinematics(*scene.model, scene.initial.q, workspace);
  const auto wanted = fingers(0, 0);
  for (const Collider& collider : scene.model->colliders()) {
    if (collider.name.find("tip_sphere") == std::string::npos) continue;
    const std::string& body = scene.model->bodies()[collider.body].name;
    const int finger = body[std::string("finger").size()] - '1';
    const Vec3 at = workspace.X_WB[collider.body] * collider.X_BS.p;
    EXPECT_LT((at - Vec3(0, wanted[finger].target.x(), wanted[finger].target.y())).norm(), 1e-9) << body;
  }
}

TEST_F(PlanarGripper, HoldsItsBrick) {
  const Outcome outcome = run(true);
  EXPECT_LT(outcome.brick.head<2>().norm(), 0.005);
  EXPECT_LT(std::abs(outcome.brick[2]), 0.1);
  EXPECT_LT(outcome.speed, 1e-3);
  EXPECT_EQ(outcome.contacts, 3u);
}

/// Fingers that draw back by 5 cm let it fall onto the one below.
TEST_F(PlanarGripper, LetsItGo) { EXPECT_LT(run(false).brick[1], -0.03); }

}  // namespace
}  // namespace carom::planar_gripper_test
