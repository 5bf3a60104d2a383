#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "carom/dynamics/place_body.h"
#include "carom/model/part_numbers.h"
#include "carom/record/record.h"
#include "carom/record/test/test_folder.h"
#include "carom/study/comparison.h"

namespace carom::built_comparison_test {
namespace {

/// A ball falls on a floor with restitution e from 0.2 m: no line of YAML.
Scene falling_ball(double restitution) {
  ModelBuilder builder;
  builder.set_gravity({0, 0, -9.81});
  const int rubber = builder.add_material({.name = "rubber", .friction = {0.4, 0.4}, .restitution = restitution});
  const int ball = builder.add_body("ball", shape_inertia(Sphere{0.1}, 500));
  builder.add_collider({.name = "skin", .body = ball, .shape = Sphere{0.1}, .material = rubber});
  builder.add_collider({.name = "floor", .shape = HalfSpace{}, .material = rubber});
  const auto model = std::make_shared<const Model>(builder.build());
  State state = state_at_rest(*model);
  set_pose(*model, ball, {.p = {0, 0, 0.3}}, state);
  Method method;
  method.stepper = StepperKind::semi_explicit;
  method.law = LawKind::newton;
  method.step = 2e-3;
  return built_scene("falling ball", model, method, state, 0.35);
}

class BuiltComparison : public test::FolderTest {};

TEST_F(BuiltComparison, under_five_laws_one_ball_does_what_its_restitution_says) {
  ComparisonOptions options;
  for (const char* law : {"newton", "poisson", "plus", "stronge", "plastic"}) {
    options.methods.push_back(parse_method_choice(std::string("semi-explicit/") + law));
  }
  options.records = path("records");
  std::filesystem::create_directories(options.records);
  const double e = 0.5;
  const Comparison comparison = compare(source_of(falling_ball(e)), options);
  ASSERT_EQ(comparison.runs.size(), 5u);
  // One frictionless direction: all laws with restitution agree, and the plastic one stays on the floor.
  const double fall = std::sqrt(2 * 0.2 / 9.81), up = 0.35 - fall, v = e * 9.81 * fall;
  const double height = 0.1 + v * up - 0.5 * 9.81 * up * up;
  for (const RefinedRun& refined : comparison.runs) {
    const Record record = read_record(refined.record);
    EXPECT_TRUE(record.scene.text.empty());
    EXPECT_TRUE(record.scene.method.law == refined.choice.law);
    const double end = record.frames.back().state.q[6];
    EXPECT_NEAR(end, refined.choice.law == LawKind::plastic ? 0.1 : height, 5e-3) << refined.choice.name();
  }
  EXPECT_EQ(comparison.groups.size(), 2u);
}

TEST_F(BuiltComparison, of_all_laws_those_that_make_no_sense_are_left_out_with_a_reason) {
  const MethodChoices choices = sensible_methods(source_of(falling_ball(0.5)));
  const auto reason = [&](const std::string& name) {
    const auto found = std::find_if(choices.left_out.begin(), choices.left_out.end(),
                                    [&](const LeftOut& left) { return left.choice.name() == name; });
    return found == choices.left_out.end() ? std::string() : found->reason;
  };
  EXPECT_NE(reason("stewart-trinkle").find("restitution"), std::string::npos) << reason("stewart-trinkle");
  EXPECT_NE(reason("quasi-rigid"), "");
  const MethodChoice plus = parse_method_choice("event-driven/plus");
  EXPECT_TRUE(std::find(choices.chosen.begin(), choices.chosen.end(), plus) != choices.chosen.end());
}

TEST_F(BuiltComparison, a_record_is_compared_as_the_model_that_it_holds) {
  const Scene scene = falling_ball(0.5);
  RecordWriter::create(path("run.h5"), scene).finish("done", 0);
  const SceneSource source = source_of(read_record(path("run.h5")).scene);
  const Scene again = scene_with(source, parse_method_choice("semi-explicit/poisson"));
  EXPECT_TRUE(identical(again.initial, scene.initial));
  EXPECT_TRUE(again.method.law == LawKind::poisson);
}

}  // namespace
}  // namespace carom::built_comparison_test
