// The verdict that opens a comparison: do the law and the step decide the motion?
#include "carom/study/comparison_verdict.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "carom/study/comparison_page.h"
#include "carom/study/comparison_text.h"

namespace carom::comparison_verdict_test {
namespace {

/// A ball that falls from its lowest point at height h with g = 10 m/s².
std::string falling_ball(double height, double restitution, const std::string& step) {
  return "carom: 1\ngravity: [0, 0, -10]\nmaterials:\n  - {name: rubber, friction: 0.3, restitution: " +
         std::to_string(restitution) +
         "}\nworld:\n  shapes: [{type: half-space, material: rubber}]\nbodies:\n  - {name: ball, mass: 2, position: "
         "[0, 0, " +
         std::to_string(height + 0.1) +
         "], shapes: [{type: sphere, radius: 0.1, material: rubber}]}\n"
         "method: {stepper: event-driven, law: newton, step: " +
         step + "}\nduration: 1\n";
}

/// Three equal balls on a line in weightlessness: the first comes at 1 m/s, the others touch. Newton's law gives both
/// contacts one equation each, so the momentum is shared; the others let a wave run through, and the last flies off.
std::string touching_row(double restitution) {
  std::string text = "carom: 1\ngravity: [0, 0, 0]\nmaterials:\n  - {name: steel, friction: 0, restitution: " +
                     std::to_string(restitution) + ", youngs_modulus: 2e11, poisson_ratio: 0.3}\nbodies:\n";
  const double x[] = {-0.25, 0, 0.2};
  for (int i = 0; i < 3; ++i) {
    text += "  - {name: ball " + std::to_string(i + 1) + ", mass: 1, position: [" + std::to_string(x[i]) +
            ", 0, 0], velocity: [" + (i == 0 ? "1" : "0") +
            ", 0, 0], shapes: [{type: sphere, radius: 0.1, material: steel}]}\n";
  }
  return text + "method: {stepper: event-driven, law: plus, step: 0.001}\nduration: 0.5\n";
}

Comparison compared(const std::string& text, const std::vector<std::string>& methods, double tolerance) {
  ComparisonOptions options;
  for (const std::string& method : methods) options.methods.push_back(parse_method_choice(method));
  options.tolerance = tolerance;
  options.budget = 60;
  return compare({text, "test.yaml", {}}, options);
}

TEST(ComparisonVerdict, SaysThatTheLawMatters) {
  const Comparison comparison =
      compared(touching_row(0.5),
               {"event-driven/newton", "event-driven/plus", "semi-explicit/newton", "semi-explicit/plus"}, 1e-3);
  const ComparisonVerdict verdict = verdict_of(comparison);
  EXPECT_EQ(verdict.decisive, Decisive::law) << verdict.words.front();
  EXPECT_EQ(verdict.words.front().find("The law matters here"), 0u) << verdict.words.front();
  EXPECT_NE(comparison.runs[verdict.first].choice.law, comparison.runs[verdict.second].choice.law);
  EXPECT_NE(verdict.words.front().find("newton and plus are up to"), std::string::npos) << verdict.words.front();
  EXPECT_NEAR(verdict.parted_at, 0.05, 0.01) << "the first ball has a gap of 5 cm to cross at 1 m/s";
  EXPECT_GT(verdict.between_methods, comparison.tolerance);
  const std::string text = comparison_text(comparison);
  ASSERT_NE(text.find("The law matters here"), std::string::npos);
  EXPECT_LT(text.find("The law matters here"), text.find("all 4 methods agree")) << "the verdict comes before all else";

  const ComparisonTable table = group_table(comparison);
  ASSERT_EQ(table.columns.size(), 3u);
  ASSERT_EQ(table.rows.size(), 2u);
  for (const auto& row : table.rows) EXPECT_NE(row[1], row[2]) << row[0];
  for (std::size_t column : {1, 2}) EXPECT_EQ(table.rows[0][column], table.rows[1][column]);
}

// In a fall from rest the first-order rule with step h is ½ g h t ahead of the closed form at time t.
TEST(ComparisonVerdict, StepErrorIsThatOfTheScenesOwnStep) {
  for (const std::string step : {"0.02", "0.002"}) {
    const Comparison comparison = compared(falling_ball(100, 0, step), {"stewart-trinkle", "anitescu-potra"}, 1e-3);
    const ComparisonVerdict verdict = verdict_of(comparison);
    EXPECT_EQ(verdict.decisive, Decisive::none);
    EXPECT_NEAR(verdict.step_error, 5 * std::stod(step), 1e-3) << step;
    ASSERT_EQ(verdict.words.size(), 2u);
    EXPECT_EQ(verdict.words[0].find("The stepper does not matter here: both methods are within"), 0u)
        << verdict.words[0];
    EXPECT_EQ(verdict.words[1].find("The step does: at " + step), 0u) << verdict.words[1];
    const auto json = nlohmann::json::parse(comparison_json(comparison, ""));
    EXPECT_EQ(json["verdict"]["decided_by"], "none");
    EXPECT_EQ(json["verdict"]["step_error"], verdict.step_error);
  }
  const Comparison fine = compared(falling_ball(100, 0, "0.002"), {"stewart-trinkle", "anitescu-potra"}, 0.1);
  EXPECT_EQ(verdict_of(fine).words.back().find("The step does not either: at 0.002 s"), 0u)
      << verdict_of(fine).words.back();
}

TEST(ComparisonVerdict, OneMethodAloneTellsNothingOfTheLaw) {
  const ComparisonVerdict verdict = verdict_of(compared(falling_ball(1, 0.5, "0.01"), {"event-driven/newton"}, 1e-3));
  EXPECT_EQ(verdict.decisive, Decisive::unknown);
  EXPECT_TRUE(std::isnan(verdict.step_error)) << "its step is an interval of reports";
}

TEST(Comparison, LawsAreNotComparedWhereNothingTouches) {
  const Comparison falls = compared(falling_ball(100, 0.5, "0.01"), {}, 1e-2);
  for (std::size_t i = 0; i < falls.runs.size(); ++i) {
    for (std::size_t j = i + 1; j < falls.runs.size(); ++j) {
      EXPECT_NE(falls.runs[i].choice.stepper, falls.runs[j].choice.stepper);
    }
  }
  const auto idle = [](const LeftOut& left) { return left.reason.find("nothing touches") != std::string::npos; };
  EXPECT_TRUE(std::any_of(falls.left_out.begin(), falls.left_out.end(), idle));
  const Comparison strikes = compared(falling_ball(0.5, 0.5, "0.01"), {}, 1e-2);
  EXPECT_FALSE(std::any_of(strikes.left_out.begin(), strikes.left_out.end(), idle));
  EXPECT_GT(strikes.runs.size(), falls.runs.size());
}

}  // namespace
}  // namespace carom::comparison_verdict_test
