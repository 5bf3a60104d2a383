// Named groups of shapes in scenes: who falls through what, and which pairs are tested at all.

#include <gtest/gtest.h>

#include <filesystem>

#include "carom/scene/scene.h"
#include "carom/stepper/simulation.h"
#include "testing/folders.h"

namespace carom::collision_groups_test {
namespace {

/// Balls that fall 0.2 m onto a floor, and what is to be added of keys.
std::string two_balls(const std::string& floor, const std::string& left, const std::string& right,
                      const std::string& groups = "[feet, hands, ground]") {
  return "carom: 1\ngravity: [0, 0, -9.81]\nmaterials: [{name: rubber, friction: 0.5}]\n"
         "world: {shapes: [{type: half-space" +
         floor +
         "}]}\nbodies:\n  - {name: left, mass: 1, position: [0, 0, 0.3], shapes: [{type: sphere, radius: 0.1}]" + left +
         "}\n  - {name: right, mass: 1, position: [1, 0, 0.3], shapes: [{type: sphere, radius: 0.1" + right +
         "}]}\ncollisions: {groups: " + groups + "}\nmethod: {step: 0.001}\nduration: 0.5\n";
}

/// Heights of the balls after 0.5 s: 0.1 m if the floor carries them, else 0.3 m − g t²/2.
std::pair<double, double> heights(const std::string& text) {
  const Scene scene = parse_scene(text, "groups.yaml");
  Simulation simulation(scene.model, scene.method, scene.initial);
  for (std::int64_t i = 0; i < scene.steps(); ++i) simulation.step();
  return {simulation.state().q[6], simulation.state().q[13]};
}

constexpr double held = 0.1;
const double fallen = 0.3 - 0.5 * 9.81 * 0.25;

void expect_heights(const std::string& text, double left, double right) {
  const auto [z_left, z_right] = heights(text);
  EXPECT_NEAR(z_left, left, 5e-3) << text;  // steps of 1 ms at 5 m/s
  EXPECT_NEAR(z_right, right, 5e-3) << text;
}

TEST(CollisionGroups, AreSilentWhereNoShapeNamesThem) { expect_heights(two_balls("", "", ""), held, held); }

TEST(CollisionGroups, BothMustAgree) {
  expect_heights(two_balls(", groups: [ground], collides_with: [feet]", ", groups: [feet]", ", groups: [hands]"), held,
                 fallen);
  expect_heights(two_balls(", groups: [ground]", ", collides_with: [ground]", ", collides_with: [feet]"), held, fallen);
  expect_heights(
      two_balls(", groups: [ground], collides_with: [feet]", ", groups: [feet, hands], collides_with: [hands]",
                ", groups: [feet, hands], collides_with: [hands, ground]"),
      fallen, held);
}

TEST(CollisionGroups, DefaultIsTheGroupOfTheOthers) {
  expect_heights(two_balls("", ", collides_with: [default]", ", collides_with: [ground]"), held, fallen);
  expect_heights(two_balls(", collides_with: [default]", ", groups: [feet]", ""), fallen, held);
  expect_heights(two_balls("", ", collides_with: []", ""), fallen, held);
}

TEST(CollisionGroups, AShapesOwnKeysReplaceThoseOfItsBody) {
  const std::string text =
      "carom: 1\ngravity: [0, 0, -9.81]\nmaterials: [{name: rubber, friction: 0.5}]\n"
      "world: {groups: [ground], shapes: [{type: half-space}, {type: half-space, name: other, groups: [hands]}]}\n"
      "bodies:\n  - {name: a, mass: 1, groups: [feet], collides_with: [ground], shapes: [{type: sphere, radius: 0.1},"
      " {type: sphere, radius: 0.1, name: b, groups: [hands]}, {type: sphere, radius: 0.1, name: c, collides_with:"
      " [hands]}]}\ncollisions: {groups: [feet, hands, ground]}\nmethod: {step: 0.001}\nduration: 0.5\n";
  const Scene scene = parse_scene(text, "groups.yaml");
  const Model& model = *scene.model;
  const std::uint32_t feet = 2, hands = 4, ground = 8;
  const auto masks = [&](int collider) {
    const Collider& shape = model.colliders()[collider];
    return std::pair(shape.named_groups, shape.named_partners);
  };
  EXPECT_EQ(masks(0), std::pair(ground, 0xffffffffu));
  EXPECT_EQ(masks(1), std::pair(hands, 0xffffffffu));
  EXPECT_EQ(masks(2), std::pair(feet, ground));
  EXPECT_EQ(masks(3), std::pair(hands, ground));
  EXPECT_EQ(masks(4), std::pair(feet, hands));
  for (int shape : {2, 3, 4}) {
    EXPECT_EQ(model.may_collide(shape, 0), shape != 4);
    EXPECT_EQ(model.may_collide(1, shape), shape == 4);
  }
}

TEST(CollisionGroups, ThirtyOneNamesFit) {
  std::string names;
  for (int i = 0; i < 31; ++i) names += (i > 0 ? ", g" : "g") + std::to_string(i);
  expect_heights(two_balls(", groups: [g30]", ", collides_with: [g30]", ", collides_with: [g29]", "[" + names + "]"),
                 held, fallen);
}

/// A model file's own masks and a scene's groups: a pair must pass both.
TEST(CollisionGroups, HoldForModelFilesAsWell) {
  const std::string robots = (std::filesystem::path(source_folder()) / "scenes" / "robots" / "x.yaml").string();
  const auto tested = [&](const std::string& keys) {
    const std::string text =
        "carom: 1\ngravity: [0, 0, -9.81]\nmaterials: [{name: rubber, friction: 0.5}]\n"
        "world: {shapes: [{type: half-space, groups: [ground]}]}\nmodels:\n  - {file: quadruped.urdf, drop: 0" +
        keys + "}\ncollisions: {groups: [feet, ground]}\nmethod: {step: 0.001}\nduration: 0.5\n";
    const Scene scene = parse_scene(text, robots);
    const Model& model = *scene.model;
    int count = 0;
    for (std::size_t i = 1; i < model.colliders().size(); ++i) count += model.may_collide(0, static_cast<int>(i));
    return count;
  };
  EXPECT_GT(tested(""), 4);
  EXPECT_EQ(tested(""), tested(", groups: [feet], collides_with: [ground]"));
  EXPECT_EQ(tested(", collides_with: [feet, default]"), 0);
}

}  // namespace
}  // namespace carom::collision_groups_test
