// The verdict that opens a comparison: do the law and the step decide the motion?
#include "carom/study/comparison_verdict.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

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

// Made-up comparisons: sentences say no more than the runs do.

/// A run that settled, with the error of the scene's own step; of a method with error control NaN.
RefinedRun settled_run(const std::string& method, double scene_step_error) {
  RefinedRun refined;
  refined.choice = parse_method_choice(method);
  refined.run.method.stepper = refined.choice.stepper;
  refined.run.method.law = refined.choice.law;
  refined.run.times = {0, 1};
  refined.error = {0, 1e-6};
  refined.settled = true;
  refined.scene_step = 1e-3;
  refined.scene_step_error = scene_step_error;
  refined.trials = {{1e-3, std::nan(""), 0.1}, {5e-4, 1e-6, 0.1}};
  return refined;
}

/// One that still moved when its step was halved last.
RefinedRun moved_run(const std::string& method, double change) {
  RefinedRun refined = settled_run(method, change);
  refined.settled = false;
  refined.error = {0, change};
  refined.trials.back().change = change;
  return refined;
}

/// One that did not get to the end.
RefinedRun stuck_run(const std::string& method) {
  RefinedRun refined = settled_run(method, std::nan(""));
  refined.settled = false;
  refined.error.clear();
  refined.trials = {{1e-3, std::nan(""), 2}};
  refined.run.trouble = "the budget was spent";
  return refined;
}

/// All judged runs agree within `apart`.
Comparison made_up(std::vector<RefinedRun> runs, double apart) {
  Comparison comparison;
  comparison.scene = parse_scene(falling_ball(1, 0, "0.001"), "test.yaml");
  comparison.tolerance = 5e-3;
  comparison.runs = std::move(runs);
  for (std::size_t i = 0; i < comparison.runs.size(); ++i) {
    for (std::size_t j = i + 1; j < comparison.runs.size(); ++j) {
      Parting parting;
      parting.first = i;
      parting.second = j;
      parting.largest = apart;
      comparison.partings.push_back(parting);
    }
  }
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < comparison.runs.size(); ++i) {
    if (comparison.is_judged(i)) all.push_back(i);
  }
  if (!all.empty()) comparison.groups = {all};
  return comparison;
}

std::string headline(const Comparison& comparison) {
  std::string text;
  for (const std::string& sentence : verdict_of(comparison).words) text += (text.empty() ? "" : " ") + sentence;
  return text;
}

TEST(ComparisonHeadline, CountsTheMethodsThatCanTell) {
  std::vector<RefinedRun> runs{settled_run("event-driven/plus", std::nan("")), settled_run("semi-explicit/plus", 2e-4),
                               settled_run("semi-explicit/plastic", 2e-4)};
  const std::string whole = headline(made_up(runs, 1e-10));
  EXPECT_NE(whole.find("not matter here: all 3 methods are within 1.0e-10 m"), std::string::npos) << whole;
  EXPECT_NE(whole.find("The step does not either: at 0.001 s no time stepper is off by more than 0.2 mm."),
            std::string::npos)
      << whole;
  runs.push_back(stuck_run("stewart-trinkle"));
  runs.push_back(stuck_run("hybrid-dca"));
  const std::string part = headline(made_up(runs, 1e-10));
  EXPECT_EQ(part.find("all "), std::string::npos) << part;
  EXPECT_NE(part.find("as far as 3 of 5 methods can tell"), std::string::npos) << part;
  EXPECT_NE(part.find("as far as 2 of 4 time steppers can tell"), std::string::npos) << part;
}

TEST(ComparisonHeadline, NeverDeniesTheStepWhereAMethodMovedAsItWasHalved) {
  const std::vector<RefinedRun> runs{settled_run("event-driven/plus", std::nan("")),
                                     settled_run("semi-explicit/plus", 2e-4), moved_run("stewart-trinkle", 0.424),
                                     moved_run("hybrid-dca", 0.281), stuck_run("variational/plus")};
  const std::string text = headline(made_up(runs, 1e-10));
  EXPECT_NE(
      text.find("The step does: stewart-trinkle still moved by 424 mm when its step went down to 0.0005 s; 3 of 4 "
                "time steppers did not settle."),
      std::string::npos)
      << text;
  EXPECT_EQ(text.find("step does not"), std::string::npos) << text;
}

TEST(ComparisonHeadline, TellsNothingOfTheLawFromMethodsThatDidNotSettle) {
  const std::string text =
      headline(made_up({moved_run("stewart-trinkle", 0.424), moved_run("anitescu-potra", 0.3)}, 0.2));
  EXPECT_EQ(text.find("not matter"), std::string::npos) << text;
  EXPECT_NE(text.find("No method settled"), std::string::npos) << text;
  EXPECT_NE(text.find("The step matters: at 0.001 s stewart-trinkle is off by up to 424 mm"), std::string::npos)
      << text;
}

TEST(ComparisonHeadline, HasNoEitherAfterNothingWasSaid) {
  const std::string fine = headline(made_up({settled_run("stewart-trinkle", 1e-4)}, 0));
  EXPECT_EQ(fine.find("either"), std::string::npos) << fine;
  EXPECT_NE(fine.find("The step does not matter: at 0.001 s"), std::string::npos) << fine;
  const std::string coarse = headline(made_up({settled_run("stewart-trinkle", 0.1)}, 0));
  EXPECT_NE(coarse.find("The step matters: at 0.001 s"), std::string::npos) << coarse;
}

TEST(ComparisonHeadline, TellsThatTheExactConeIsNotTheScenes) {
  const auto mind = [](const std::string& cone, std::optional<FrictionCone> asked, const std::string& method) {
    std::string text = falling_ball(1, 0, "0.01");
    if (!cone.empty()) text.replace(text.find("step: "), 6, "cone: " + cone + ", step: ");
    text.replace(text.find("event-driven, law: newton"), 25, "stewart-trinkle, law: newton");
    ComparisonOptions options;
    options.methods = {parse_method_choice(method)};
    SceneSource source{text, "test.yaml", {}};
    source.overrides.cone = asked;
    return comparison_text(compare(source, options)).find("friction cone is polyhedral") != std::string::npos;
  };
  EXPECT_TRUE(mind("polyhedral", FrictionCone::exact, "stewart-trinkle"));
  EXPECT_FALSE(mind("exact", FrictionCone::exact, "stewart-trinkle"));
  EXPECT_FALSE(mind("polyhedral", FrictionCone::polyhedral, "stewart-trinkle"));
  EXPECT_FALSE(mind("polyhedral", {}, "stewart-trinkle"));
  EXPECT_FALSE(mind("polyhedral", FrictionCone::exact, "event-driven/newton")) << "it has no polyhedral cone";
}

}  // namespace
}  // namespace carom::comparison_verdict_test
