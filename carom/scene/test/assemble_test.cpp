#include "carom/scene/assemble.h"

#include <gtest/gtest.h>

#include "carom/dynamics/recursions.h"

namespace carom::assemble_test {
namespace {

/// A block at rest and a ball that flies, both free.
SceneParts block_and_ball(Diagnostics& diagnostics) {
  SceneParts parts;
  parts.gravity = Vec3(0, 0, -9.81);
  for (const char* name : {"block", "ball"}) {
    SceneBody body;
    body.name = name;
    body.place = {static_cast<int>(parts.bodies.bodies.size()) + 5, 3};
    body.inertia = SpatialInertia{.mass = 2, .center = Vec3::Zero(), .central = Mat3::Identity()};
    parts.bodies.index[name] = static_cast<int>(parts.bodies.bodies.size());
    parts.bodies.bodies.push_back(body);
  }
  parts.joints.of_body = {-1, -1};
  SceneBody& ball = parts.bodies.bodies[1];
  ball.position = Vec3(1, 2, 3);
  ball.velocity = Vec3(0.4, 0, -0.2);
  ball.angular_velocity = Vec3(0, 0, 1.5);
  EXPECT_TRUE(diagnostics.empty());
  return parts;
}

TEST(Assemble, PutsFreeBodiesWhereTheSceneSaysInTheWorld) {
  Diagnostics diagnostics("parts.yaml", "");
  const auto start = assemble(block_and_ball(diagnostics), diagnostics);
  diagnostics.throw_if_any();
  ASSERT_TRUE(start);
  const Model& model = *start->model;
  EXPECT_EQ(model.body_count(), 2);
  EXPECT_EQ(model.gravity(), Vec3(0, 0, -9.81));
  DynamicsWorkspace workspace(model);
  forward_kinematics(model, start->initial.q, workspace);
  forward_velocity(model, start->initial.q, start->initial.v, workspace);
  EXPECT_EQ(workspace.X_WB[1].p, Vec3(1, 2, 3));
  // ½ m v² + ½ ω² I of the ball; the block rests.
  EXPECT_NEAR(kinetic_energy(model, workspace), 0.5 * 2 * 0.2 + 0.5 * 1.5 * 1.5, 1e-14);
}

TEST(Assemble, TellsAFaultAtThePartThatItNamesFirst) {
  Diagnostics diagnostics("parts.yaml", "");
  const SceneParts parts = block_and_ball(diagnostics);
  EXPECT_EQ(place_of_fault(parts, "Body \"ball\" is too light beside body \"block\"").line, 6);
  EXPECT_EQ(place_of_fault(parts, "Body \"block\" and body \"ball\" are one").line, 5);
  EXPECT_EQ(place_of_fault(parts, "something is wrong").line, 0);
}

}  // namespace
}  // namespace carom::assemble_test
