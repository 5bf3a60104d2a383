#include "carom/scene/named_formula.h"

#include <gtest/gtest.h>

#include <cmath>

#include "carom/error.h"
#include "carom/scene/outputs.h"
#include "carom/scene/scene.h"

namespace carom::named_formula_test {
namespace {

/// Names with numbers 10, 11, …
FormulaNames names() {
  FormulaNames names;
  int place = 0;
  for (const char* name :
       {"hip", "hip.rate", "world/floor.force.x", "world/floor.force.y", "world/floor.force.z", "floor", "a-b", "a",
        "b", "2nd", "box.q.w", "box.q.x", "box.q.y", "box.q.z", "left+right.2"}) {
    names.add(name, place++);
  }
  names.add_constant("gain", -3);
  return names;
}

double value(const std::string& text) {
  NamedFormula formula(text, names(), OneNumberExtreme::refused);
  std::vector<double> numbers;
  for (const int place : formula.reads()) numbers.push_back(10 + place);
  return formula.evaluate(numbers);
}

std::string fault(const std::string& text) {
  try {
    static_cast<void>(NamedFormula(text, names(), OneNumberExtreme::refused));
  } catch (const ExpressionFault& fault) {
    return fault.message;
  }
  return "";
}

TEST(NamedFormula, TakesNamesAsLongAsTheyCanBe) {
  EXPECT_EQ(value("hip"), 10);
  EXPECT_EQ(value("hip.rate - hip"), 1);
  EXPECT_EQ(value("world/floor.force.y"), 13);
  EXPECT_EQ(value("hip/floor"), 10.0 / 15);
  EXPECT_EQ(value("a-b"), 16);
  EXPECT_EQ(value("a - b"), -1);
  EXPECT_EQ(value("left+right.2*2"), 48);
  EXPECT_EQ(value("2nd+2"), 21);
  EXPECT_EQ(value("2*hip^2"), 200);
  EXPECT_EQ(value("hip*1.5e1"), 150);
  EXPECT_EQ(value("10/gain^2 + -gain"), 10.0 / 9 + 3);
  EXPECT_EQ(value("hip > floor ? 1 : gain"), -3);
  EXPECT_EQ(value("max(hip, floor)*sin(pi/2)"), 15);
  EXPECT_EQ(value("norm(world/floor.force)"), std::sqrt(12.0 * 12 + 13 * 13 + 14 * 14));
  EXPECT_EQ(value("norm(box.q)"), value("norm(box.q.w, box.q.x, box.q.y, box.q.z)"));
  EXPECT_EQ(value("norm(hip - 7, 4)"), 5);
  EXPECT_EQ(value("(hip)"), 10);
}

TEST(NamedFormula, SaysWhatIsWrong) {
  EXPECT_EQ(fault("hip.rte"), "there is no 'hip.rte' for the formula 'hip.rte'; the nearest name is 'hip.rate'");
  EXPECT_EQ(fault("2*world/flor.force.x"),
            "there is no 'world/flor.force.x' for the formula '2*world/flor.force.x'; the nearest name is "
            "'world/floor.force.x'");
  EXPECT_EQ(fault("hpi/2"), "there is no 'hpi' for the formula 'hpi/2'; the nearest name is 'hip'");
  EXPECT_NE(fault("abs(world/floor.force)").find("has several components"), std::string::npos);
  for (const char* text : {"", "hip hip", "2hip", "hip)", "(hip", "sin hip", "hip,", "max(", "max(hip", "norm(hip, 2",
                           "()", "norm()", "@", "\"hip\"", "hip = 3"}) {
    EXPECT_NE(fault(text), "") << text;
  }
  EXPECT_NE(fault(std::string(1500, '(') + "1" + std::string(1500, ')')).find("characters"), std::string::npos);
}

TEST(NamedFormula, RemembersWhatIsKept) {
  NamedFormula formula("max(hip) - min(2*min(hip.rate))", names(), OneNumberExtreme::of_all_so_far);
  ASSERT_EQ(formula.reads(), (std::vector<int>{0, 1}));
  EXPECT_EQ(formula.evaluate({3, 5}), 3 - 10);
  EXPECT_EQ(formula.evaluate({1, 7}), 1 - 14);  // the first was not kept
  formula.keep();
  EXPECT_EQ(formula.evaluate({0, 9}), 1 - 14);
  EXPECT_EQ(formula.evaluate({NAN, 2}), 1 - 4);
}

TEST(Outputs, AreAddedToTheTextOfAScene) {
  const std::string scene =
      "carom: 1\ngravity: [0, 0, 0]\nbodies: [{name: a, inertia: {mass: 1, moments: [1, 1, 1]}}]\n"
      "method: {step: 0.1}\nduration: 1\n";
  const auto parsed = [](const std::string& text) {
    std::string all;
    for (const SceneOutput& output : parse_scene(text, "s.yaml").outputs.list)
      all += output.name + "=" + output.formula + ";";
    return all;
  };
  EXPECT_EQ(parsed(with_outputs(scene, "s.yaml", {{"h", "max(a.z, \"2\")"}, {"k", "a.x"}})),
            "h=max(a.z, \"2\");k=a.x;");
  EXPECT_EQ(parsed(with_outputs(scene + "outputs:\n  old: a.y\n", "s.yaml", {{"h", "a.z"}, {"k", "a.x"}})),
            "h=a.z;k=a.x;old=a.y;");
  EXPECT_EQ(parsed(with_outputs(scene + "outputs: {old: a.y}\n", "s.yaml", {{"h", "a.z"}})), "h=a.z;old=a.y;");
  EXPECT_THROW(with_outputs(scene + "outputs: {h: a.y}\n", "s.yaml", {{"h", "a.z"}}), Error);
  EXPECT_THROW(with_outputs(scene, "s.yaml", {{"h", "a.z"}, {"h", "a.x"}}), Error);
  EXPECT_THROW(with_outputs(scene, "s.yaml", {{"no name", "a.z"}}), Error);
}

}  // namespace
}  // namespace carom::named_formula_test
