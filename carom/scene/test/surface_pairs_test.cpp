#include "carom/scene/surface_pairs.h"

#include <gtest/gtest.h>

#include "carom/scene/scene.h"
#include "carom/scene/surfaces.h"
#include "carom/stepper/simulation.h"

namespace carom::surface_pairs_test {
namespace {

constexpr double g = 9.81;

/// Three blocks pushed along a floor at 2 m/s, the last on two balls.
std::string blocks(const std::string& pairs) {
  return "carom: 1\ngravity: [0, 0, -9.81]\nmaterials: [{name: m, friction: 0.1}]\npairs:\n" + pairs +
         R"(world: {shapes: [{type: half-space, name: floor}]}
bodies:
  - {name: left, mass: 1, position: [0, 0, 0.1], velocity: [2, 0, 0], shapes: [{type: box, name: sole, size: [0.4, 0.4, 0.2]}]}
  - {name: right, mass: 1, position: [0, 1, 0.1], velocity: [2, 0, 0], shapes: [{type: box, name: sole, size: [0.4, 0.4, 0.2]}]}
  - name: table
    inertia: {mass: 1, moments: [0.05, 0.05, 0.05]}
    position: [0, 2, 0.1]
    velocity: [2, 0, 0]
    shapes:
      - {type: sphere, name: fore, radius: 0.1, position: [0.5, 0, 0]}
      - {type: sphere, name: hind, radius: 0.1, position: [-0.5, 0, 0]}
method: {stepper: stewart-trinkle, step: 0.005}
duration: 0.2
)";
}

/// Speeds lost by friction, over g times the duration: coefficients of friction.
Vec3 coefficients(const std::string& pairs) {
  const Scene scene = parse_scene(blocks(pairs), "blocks.yaml");
  Simulation simulation(scene.model, scene.method, scene.initial);
  for (std::int64_t i = 0; i < scene.steps(); ++i) EXPECT_EQ(simulation.step().status, SolveStatus::solved);
  Vec3 lost;
  for (int body = 0; body < 3; ++body) {
    lost[body] = (2 - simulation.state().v[scene.model->joints()[static_cast<std::size_t>(body)].v_index + 3]) /
                 (g * scene.duration);
  }
  return lost;
}

std::string faults(const std::string& pairs) {
  try {
    parse_scene(blocks(pairs), "blocks.yaml");
  } catch (const SceneError& error) {
    return error.what();
  }
  return "";
}

TEST(SurfacePairs, RubAsTheySayAndOthersAsTheirMaterials) {
  EXPECT_NEAR((coefficients("  - {bodies: [left, world], friction: 0.5}\n") - Vec3(0.5, 0.1, 0.1)).norm(), 0, 1e-9);
  EXPECT_NEAR((coefficients("  - {bodies: [world, \"*t\"], friction: 0.4}\n") - Vec3(0.4, 0.4, 0.1)).norm(), 0, 1e-9);
  EXPECT_NEAR(
      (coefficients("  - {materials: [m, m], friction: 0.2}\n  - {shapes: [right/sole, world/floor], friction: 0}\n") -
       Vec3(0.2, 0, 0.2))
          .norm(),
      0, 1e-9);
}

/// Shapes go before bodies, and both before materials, whatever their order in the file. Both feet of the table then
/// rub with coefficients a and b. The normal forces meet N_f + N_h = m g. The mass centre is 0.1 m above the floor and
/// 0.5 m from either foot. There is no moment about it: 0.5 (N_f − N_h) = 0.1 (a N_f + b N_h).
TEST(SurfacePairs, OfShapesHoldBeforeThoseOfBodies) {
  const double fore = 0.3, hind = 0.6;
  const double share = (0.5 + 0.1 * hind) / (1 - 0.1 * fore + 0.1 * hind);  // N_f / (m g)
  const Vec3 found = coefficients(
      "  - {shapes: [\"table/h*\", world/floor], friction: 0.6}\n  - {bodies: [table, world], friction: 0.3}\n");
  EXPECT_NEAR(found[2], fore * share + hind * (1 - share), 1e-3);
  EXPECT_NEAR(found[0], 0.1, 1e-9);
}

TEST(SurfacePairs, FaultsSayWhatThereIs) {
  EXPECT_EQ(faults("  - {bodies: [lift, world], friction: 0.5}\n"),
            "blocks.yaml:5:15: there is no body with shapes 'lift'; the nearest names are 'left', 'right', 'table'");
  EXPECT_EQ(faults("  - {shapes: [left/sohle, world/floor], friction: 0.5}\n"),
            "blocks.yaml:5:15: there is no shape 'left/sohle'; the nearest names are 'left/sole', 'right/sole', "
            "'table/fore'");
  EXPECT_EQ(faults("  - {bodies: [left, world], friction: 0.5}\n  - {bodies: [\"l*\", world], friction: 0.6}\n"),
            "blocks.yaml:6:14: what 'world/floor' and 'left/sole' do together is given already by another pair of "
            "bodies; keep one");
  EXPECT_EQ(faults("  - {bodies: [left, world], materials: [m, m], friction: 0.5}\n"),
            "blocks.yaml:5:6: a pair has both 'materials' and 'bodies'; a pair is of materials, of bodies or of "
            "shapes; keep one");
  EXPECT_EQ(faults("  - {bodies: left, friction: 0.5}\n"),
            "blocks.yaml:5:14: bodies of a pair must be two names of bodies (or world), as in [finger, mug]");
  EXPECT_EQ(faults("  - {bodies: [left, world], friction: 0.5, restitution: 0.5}\n"),
            "blocks.yaml:5:57: the restitution of this pair is above 0, but law none would ignore it; set law (under "
            "method) to one that reads it, such as newton, or the restitution to 0");
}

}  // namespace
}  // namespace carom::surface_pairs_test
