// Flights and elastic impacts in a given order, against closed forms.
#include "carom/validation/ordered_motion.h"

#include <gtest/gtest.h>

#include <cmath>

#include "carom/error.h"
#include "testing/folders.h"

namespace carom::ordered_motion_test {
namespace {

const std::string scenes = source_folder() + "/scenes";

/// Balls on vertical slides above each other's side, so that each falls for itself.
Scene falling_balls(const std::string& more = "") {
  return parse_scene(
      std::string("carom: 1\n") +
          "gravity: [0, 0, -10]\nmaterials: [{name: all, friction: 0, restitution: 1}]\n"
          "world: {shapes: [{type: half-space, name: floor}]}\n"
          "bodies:\n"
          "  - {name: a, mass: 1, shapes: [{type: sphere, radius: 0.1}]}\n"
          "  - {name: b, mass: 2, shapes: [{type: sphere, radius: 0.1}]}\n"
          "joints:\n"
          "  - {name: slide a, type: prismatic, parent: world, child: a, axis: [0, 0, 1], position: 0.3}\n"
          "  - {name: slide b, type: prismatic, parent: world, child: b, axis: [0, 0, 1], on_parent: {position: [1, 0, "
          "0]}, position: 0.55}\n"
          "collisions: {with_parent: [a, b]}\n" +
          more + "method: {stepper: event-driven, law: newton, step: 0.01}\nduration: 1\n",
      "falling_balls.yaml");
}

TEST(OrderedMotion, bounces_when_it_should) {
  const Scene scene = falling_balls();
  OrderedMotion motion(scene, {{"a", "a", "floor", {}}, {"b", "b", "floor", {}}}, {1, 0});
  // From the height h above the floor the first touch is at T = √(2h/g), the next ones each 2T later.
  const auto height = [](double h, double t) {
    const double T = std::sqrt(2 * h / 10);
    const double since = std::fmod(t + T, 2 * T);  // since the last touch
    return 0.1 + std::sqrt(2 * 10 * h) * since - 5 * since * since;
  };
  for (const double time : {0.999, 1.001}) {
    motion.advance(time);
    EXPECT_NEAR(motion.q()[0], height(0.2, time), 1e-9);
    EXPECT_NEAR(motion.q()[1], height(0.45, time), 1e-9);
    EXPECT_EQ(motion.impacts(), (time < 1 ? 2 : 3) + 2) << time;  // 0.2, 0.6, 1 s; 0.3, 0.9 s
  }
}

TEST(OrderedMotion, keeps_the_energy_of_springs_and_impacts) {
  const Scene damped = load_scene(scenes + "/seghete2014/trex.yaml");
  std::string text = damped.text;
  for (const std::string name : {"hip_damping: 0.005", "damping: 0.002"}) {
    const std::size_t at = text.find("  " + name);
    ASSERT_NE(at, std::string::npos);
    text.replace(at + 2, name.size(), name.substr(0, name.find(' ')) + " 0");
  }
  const Scene scene = parse_scene(text, damped.file);
  OrderedMotion motion(
      scene,
      {{"tail", "tail/tip", "floor", {}}, {"leg", "shank a/foot", "floor", {}}, {"other", "shank b/foot", "floor", {}}},
      {0, 1, 2});
  const double before = motion.energy();
  motion.advance(0.05);
  EXPECT_GT(motion.impacts(), 3);
  EXPECT_NEAR(motion.energy(), before, 1e-8 * before);
}

TEST(OrderedMotion, needs_an_order_and_a_mechanism_that_it_can_follow) {
  const Scene scene = falling_balls();
  const std::vector<DesignContact> contacts{{"a", "a", "floor", {}}, {"b", "b", "floor", {}}};
  EXPECT_THROW(OrderedMotion(scene, contacts, {0}), Error);
  EXPECT_THROW(OrderedMotion(scene, contacts, {0, 0}), Error);
  const Scene driven = falling_balls("drives: [{name: push, type: force, joint: slide a, force: 1}]\n");
  EXPECT_THROW(OrderedMotion(driven, contacts, {0, 1}), Error);
}

}  // namespace
}  // namespace carom::ordered_motion_test
