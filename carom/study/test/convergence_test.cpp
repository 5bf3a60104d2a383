// Orders that are known: how motions settle as the step is halved.
#include "carom/study/convergence.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "carom/error.h"

namespace carom::convergence_test {
namespace {

/// A block of 1 kg that slides at 3 m/s on μ = 0.3 and comes to rest after 1 s.
SceneSource sliding_block() {
  return {
      "carom: 1\ngravity: [0, 0, -10]\nmaterials:\n  - {name: wood, friction: 0.3}\nworld:\n  shapes: [{type: "
      "half-space, material: "
      "wood}]\nbodies:\n  - {name: block, mass: 1, position: [0, 0, 0.1], velocity: [3, 0, 0], shapes: [{type: box, "
      "size: "
      "[0.4, 0.4, 0.2], material: wood}]}\nmethod: {stepper: stewart-trinkle, step: 0.02}\nduration: 0.8\n",
      "block.yaml",
      {}};
}

TEST(FittedOrder, OfPowerLaws) {
  const std::vector<double> steps{0.1, 0.05, 0.02, 0.001};
  for (const double order : {0.5, 1.0, 2.0, 3.7}) {
    std::vector<double> values;
    for (const double h : steps) values.push_back(4.2 * std::pow(h, order));
    EXPECT_NEAR(fitted_order(steps, values), order, 1e-12);
  }
  EXPECT_TRUE(std::isnan(fitted_order({0.1}, {1})));
  EXPECT_NEAR(fitted_order({0.4, 0.2, 0.1}, {0, 0.2, 0.1}), 1, 1e-12);  // what is 0 has no logarithm
}

// Changes of a power law, at steps of any ratios.
TEST(OrderOfChanges, OfPowerLaws) {
  for (const std::vector<double>& steps :
       {std::vector<double>{0.02, 0.01, 0.004}, std::vector<double>{0.02, 0.004, 0.002},
        std::vector<double>{0.02, 0.01, 0.001, 0.0003}}) {
    for (const double order : {0.5, 1.0, 2.0, 3.7}) {
      std::vector<double> changes;
      for (std::size_t k = 0; k + 1 < steps.size(); ++k) {
        changes.push_back(0.3 * (std::pow(steps[k], order) - std::pow(steps[k + 1], order)));
      }
      EXPECT_NEAR(order_of_changes(steps, changes), order, 1e-6);
    }
  }
  EXPECT_TRUE(std::isnan(order_of_changes({0.2, 0.1}, {1})));
}

// x(t) = 3 t − 1.5 t². The steppers put the velocity of the end of a step into the position, and are off by 1.5 h t.
TEST(Convergence, OfASlidingBlockIsOfFirstOrderAndItsEstimateIsTheError) {
  ConvergenceOptions options;
  options.methods = {parse_method_choice("stewart-trinkle"), parse_method_choice("anitescu-potra")};
  options.halvings = 5;
  options.budget = 60;
  const Convergence convergence = converge(sliding_block(), options);
  ASSERT_EQ(convergence.methods.size(), 2);
  for (const MethodConvergence& method : convergence.methods) {
    ASSERT_EQ(method.runs.size(), 6) << method.trouble;
    EXPECT_NEAR(method.order, 1, 1e-3) << method.choice.name();
    const double h = method.runs.back().step;
    EXPECT_NEAR(method.estimate, 1.5 * h * 0.8, 1e-3 * h);
    EXPECT_EQ(method.reference, "event-driven/plastic");
    EXPECT_NEAR(method.runs.back().error, 1.5 * h * 0.8, 1e-3 * h);
    for (std::size_t k = 0; k + 1 < method.runs.size(); ++k) {
      EXPECT_EQ(method.runs[k + 1].step, method.runs[k].step / 2);
      EXPECT_NEAR(method.runs[k].error_order, 1, 0.01);
    }
  }
  const auto json = nlohmann::json::parse(convergence_json(convergence));
  EXPECT_EQ(json["methods"][0]["runs"].size(), 6);
  EXPECT_TRUE(json["methods"][0]["runs"][5]["change"].is_null());
  EXPECT_NE(convergence_text(convergence).find("order 1.00"), std::string::npos);
}

// The same block: runs that choose their steps end within what was asked, with more contact problems for more accuracy.
TEST(Convergence, HoldsRunsByAccuracyBesideThoseOfFixedSteps) {
  ConvergenceOptions options;
  options.halvings = 5;
  options.budget = 60;
  options.accuracies = {1e-3, 1e-2};
  const Convergence convergence = converge(sliding_block(), options);
  const MethodConvergence& method = convergence.methods.at(0);
  ASSERT_EQ(method.accuracy_runs.size(), 2) << method.trouble;
  constexpr double way = 3 * 0.8 - 1.5 * 0.64;
  for (const AccuracyRun& run : method.accuracy_runs) {
    EXPECT_LT(run.error, 3 * run.accuracy * way);
    EXPECT_GT(run.trials, run.parts);  // parts are taken twice, to see how far off they are
  }
  EXPECT_EQ(method.accuracy_runs[0].accuracy, 1e-2);
  EXPECT_GT(method.accuracy_runs[1].trials, method.accuracy_runs[0].trials);
  for (std::size_t k = 0; k < method.runs.size(); ++k) {
    EXPECT_EQ(method.runs[k].trials, method.runs[k].steps);
    const double h = method.runs[k].step, last = k + 1 < method.runs.size() ? method.runs.back().step : 0;
    EXPECT_NEAR(method.runs[k].own_error, 1.5 * (h - last) * 0.8, 2e-3 * h);
  }
  const auto json = nlohmann::json::parse(convergence_json(convergence));
  EXPECT_EQ(json["methods"][0]["accuracy_runs"].size(), 2);
  options.accuracies = {1e-6, 1e-7};
  options.budget = 0.02;
  const MethodConvergence cut = converge(sliding_block(), options).methods.at(0);
  EXPECT_LT(cut.accuracy_runs.size(), 2);
  EXPECT_NE(cut.trouble.find("left out"), std::string::npos) << cut.trouble;
  options.budget = 60;
  options.accuracies.clear();
  EXPECT_TRUE(converge(sliding_block(), options).methods.at(0).accuracy_runs.empty());
}

// Steps that are no halves: orders by their own ratio.
TEST(Convergence, TakesStepsAsGiven) {
  ConvergenceOptions options;
  options.steps = {0.004, 0.02, 0.01};
  const Convergence convergence = converge(sliding_block(), options);
  const MethodConvergence& method = convergence.methods.at(0);
  ASSERT_EQ(method.runs.size(), 3);
  EXPECT_EQ(method.runs[0].step, 0.02);
  EXPECT_EQ(method.runs[2].step, 0.004);
  EXPECT_NEAR(method.runs[1].error_order, 1, 0.01);
  EXPECT_NEAR(method.order, 1, 0.01);
  EXPECT_NEAR(method.estimate, 1.5 * 0.004 * 0.8, 1e-4);
}

// Runs that the budget cuts short say so and leave no figures behind.
TEST(Convergence, LeavesOutWhatTheBudgetCuts) {
  ConvergenceOptions options;
  options.budget = 1e-4;
  const Convergence convergence = converge(sliding_block(), options);
  const MethodConvergence& method = convergence.methods.at(0);
  EXPECT_FALSE(method.trouble.empty());
  EXPECT_LT(method.runs.size(), 7);
  for (const StepRun& run : method.runs) EXPECT_EQ(run.steps, std::lround(0.8 / run.step));
}

TEST(Convergence, RefusesWhatTellsNothing) {
  const auto refusal = [](const ConvergenceOptions& options) -> std::string {
    try {
      (void)converge(sliding_block(), options);
    } catch (const Error& error) {
      return error.what();
    }
    return "none";
  };
  ConvergenceOptions options;
  options.steps = {0.01, 0.01};
  EXPECT_NE(refusal(options).find("at least two different steps"), std::string::npos);
  options.steps = {0.016, 0.00625};  // 50 and 128 steps
  EXPECT_NE(refusal(options).find("share 2 instants"), std::string::npos) << refusal(options);
  options.steps = {0.0033, 0.00165};
  EXPECT_NE(refusal(options).find("must be a whole number of steps"), std::string::npos) << refusal(options);
  options.steps = {5, 0.01, 0.005};
  EXPECT_NE(refusal(options).find("must be a whole number of steps"), std::string::npos) << refusal(options);
  options.steps = {};
  options.accuracies = {0.5};
  EXPECT_NE(refusal(options).find("--accuracies 0.5: an accuracy lies between"), std::string::npos) << refusal(options);
  options.accuracies = {};
  options.methods = {parse_method_choice("event-driven/plastic")};
  EXPECT_NE(refusal(options).find("error control"), std::string::npos);
}

}  // namespace
}  // namespace carom::convergence_test
