// Formulas against the same numbers computed here, and scenes with parameters against scenes that have the numbers
// written out. Faults in them are tested by test/malformed.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <string>

#include "carom/scene/expression.h"
#include "carom/scene/scene.h"
#include "carom/scene/scene_text.h"

namespace carom::parameters_test {
namespace {

TEST(Expression, has_the_usual_meaning) {
  const std::map<std::string, double> values{{"a", 3}, {"b", -0.5}, {"r_1", 0.07}};
  const auto value = [&](const char* formula) { return evaluate(formula, values); };
  EXPECT_EQ(value("a + 2*b - r_1/a"), 3 + 2 * -0.5 - 0.07 / 3);
  EXPECT_EQ(value("-2^2"), -4);
  EXPECT_EQ(value("2^3^2"), 512);
  EXPECT_EQ(value("2*-a"), -6);
  EXPECT_EQ(value("(a - b)*(a + b)"), 8.75);
  EXPECT_EQ(value("sin(a)^2 + cos(a)^2"), std::pow(std::sin(3), 2) + std::pow(std::cos(3), 2));
  EXPECT_EQ(value("atan2(b, -a)"), std::atan2(-0.5, -3));
  EXPECT_EQ(value("log(exp(1))"), 1);
  EXPECT_EQ(value("30*deg"), 30 * (std::numbers::pi / 180));
  EXPECT_EQ(value("min(a, b, 7) + max(a, b, 7)"), 6.5);
  EXPECT_EQ(value("a > b ? 1 : 2"), 1);
  EXPECT_EQ(value("abs(b) * sqrt(4) * pi"), std::numbers::pi);
  EXPECT_EQ(value("1e-3"), 1e-3);
}

TEST(Expression, refuses_what_is_none) {
  for (const char* formula : {"", "a +", "a = 2", "a b", "1, 2", "foo(a)", "a(2)", "\"text\"", "1/0", "0/0", "log(-1)",
                              "a..2", ")", "sin()", "c", "pi = 3", "10^400"}) {
    EXPECT_THROW(static_cast<void>(evaluate(formula, {{"a", 3}})), ExpressionFault) << formula;
  }
  for (const int depth : {1900, 5000}) {
    EXPECT_THROW(static_cast<void>(names_in(std::string(depth, '('))), ExpressionFault);
  }
}

TEST(Expression, has_no_least_or_greatest_of_what_is_no_number) {
  for (const char* formula : {"min(1, sqrt(-1))", "min(sqrt(-1), 1)", "max(1, sqrt(-1))", "max(sqrt(-1), 1)",
                              "min(1, 0/0, 2)", "max(3, min(1, log(-1)))"}) {
    EXPECT_THROW(static_cast<void>(evaluate(formula, {})), ExpressionFault) << formula;
  }
  EXPECT_EQ(evaluate("min(1, 1/0)", {}), 1);  // infinity is a number
}

TEST(Expression, tells_where_the_unknown_name_stands) {
  const auto offset = [](const char* formula) {
    try {
      static_cast<void>(evaluate(formula, {{"max_x", 1}, {"x2", 1}}));
    } catch (const ExpressionFault& fault) {
      return fault.offset;
    }
    return -2;
  };
  EXPECT_EQ(offset("x + 1"), 0);
  EXPECT_EQ(offset("max(1, x)"), 7);
  EXPECT_EQ(offset("max_x + x2 + x"), 13);
  EXPECT_EQ(offset("1e3 + e"), 6);
}

TEST(Expression, numbers_come_back_to_the_bit) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 1000; ++i) {
    const double value =
        std::ldexp(std::uniform_real_distribution<double>(-1, 1)(random), static_cast<int>(random() % 600) - 300);
    EXPECT_EQ(std::stod(number_text(value)), value);
  }
}

std::string ball_scene(const std::string& parameters, const std::string& body) {
  return "carom: 1\n# kept\n" + parameters +
         "gravity: [0, 0, -9.81]\nmaterials: [{name: all, friction: 0.1}]\nbodies:\n" + "  - {name: ball, " + body +
         "}   # as it is\nmethod: {stepper: stewart-trinkle, step: 0.01}\nduration: 1\n";
}

std::string with_parameters(const std::string& parameters, const std::string& more) {
  return ball_scene("parameters: {" + parameters + "}\n", "mass: 1, shapes: [{type: sphere, radius: 1}], " + more);
}

TEST(Parameters, mean_the_numbers_that_they_stand_for) {
  const Scene written = parse_scene(
      ball_scene("", "mass: 2.5, shapes: [{type: sphere, radius: 0.25}], position: [0.25, 3, 1], velocity: [0, 0, -2]"),
      "written.yaml");
  const Scene computed = parse_scene(
      ball_scene("parameters:\n  m: =10*r   # before what it is made of\n  r: 0.25\n  top: \"=max(r, 3)\"\n",
                 "mass: =m, shapes: [{type: sphere, radius: =r}], position: [=r, =top, \"=max(1, r)\"], velocity: [0, "
                 "0, =-8*r]"),
      "computed.yaml");
  EXPECT_TRUE(identical(written.initial, computed.initial));
  const SpatialInertia &a = written.model->bodies()[0].inertia, &b = computed.model->bodies()[0].inertia;
  EXPECT_EQ(a.mass, b.mass);
  EXPECT_EQ(a.matrix(), b.matrix());
}

TEST(Parameters, may_follow_from_each_other_in_chains_of_any_length) {
  constexpr int links = 50000;
  const auto name = [](int i) {
    std::string digits = std::to_string(i);
    digits.insert(0, 5 - digits.size(), '0');
    return "a" + digits;  // in this order each needs all that follow
  };
  std::string parameters = "parameters:\n", circle = parameters;
  for (int i = 0; i < links; ++i) {
    const std::string line = "  " + name(i) + ": =" + name(i + 1) + " + 1\n";
    parameters += line;
    circle += line;
  }
  const std::string body = "mass: =a00000, shapes: [{type: sphere, radius: 1}]";
  const Scene scene = parse_scene(ball_scene(parameters + "  " + name(links) + ": 2\n", body), "chain.yaml");
  EXPECT_EQ(scene.model->bodies()[0].inertia.mass, links + 2);
  try {
    static_cast<void>(parse_scene(ball_scene(circle + "  " + name(links) + ": =a00000\n", body), "circle.yaml"));
    FAIL() << "a circle is no number";
  } catch (const SceneError& error) {
    ASSERT_EQ(error.diagnostics().size(), 1u);
    const std::string& message = error.diagnostics()[0].message;
    EXPECT_TRUE(message.starts_with("the parameters a00000 -> a00001 -> ")) << message.substr(0, 100);
    EXPECT_NE(message.find(" -> a50000 -> a00000 depend on each other in a circle"), std::string::npos);
    EXPECT_LT(message.size(), 1000u);
  }
}

TEST(SceneNumbers, changes_the_numbers_and_nothing_else) {
  const std::string text = ball_scene("parameters: {r: 0.25, h: =4*r}\n",
                                      "mass: 1, shapes: [{type: sphere, radius: =r}], position: [0, 30, =h], "
                                      "orientation: {axis: [0, 0, 1], angle: 30 deg}");
  const SceneText scene(text, "ball.yaml");
  EXPECT_EQ(scene.number("r"), 0.25);
  EXPECT_EQ(scene.number("bodies/ball/position/1"), 30);
  EXPECT_EQ(scene.number("bodies/0/orientation/angle"), 30 * (std::numbers::pi / 180));
  EXPECT_TRUE(scene.is_computed("bodies/ball/position/2"));
  EXPECT_EQ(scene.plain_parameters(), (std::map<std::string, double>{{"r", 0.25}}));
  std::string expected = text;
  const auto put = [&](const std::string& from, const std::string& to) {
    expected.replace(expected.find(from), from.size(), to);
  };
  put("r: 0.25", "r: 0.125");
  put("[0, 30, =h]", "[0, -1e-07, =h]");
  put("30 deg", "0.1");
  EXPECT_EQ(scene.with({{"r", 0.125}, {"bodies/ball/position/1", -1e-7}, {"bodies/ball/orientation/angle", 0.1}}),
            expected);
  EXPECT_EQ(parse_scene(expected, "b").initial.q[6], 0.5);
}

/// The sentence of the Error that changing this number throws.
std::string refusal(const SceneText& scene, const std::vector<std::pair<std::string, double>>& values) {
  try {
    static_cast<void>(scene.with(values));
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

TEST(SceneNumbers, replaces_formulas_with_their_quotes) {
  const SceneText scene("parameters: {a: \"=max(1, 2)\", b: '=3', c: =a + 1}  # end\n", "s.yaml");
  EXPECT_EQ(scene.with({{"a", 1.5}, {"b", 2}}), "parameters: {a: 1.5, b: 2, c: =a + 1}  # end\n");
}

TEST(SceneNumbers, keeps_the_use_of_a_parameter_whose_only_one_is_replaced) {
  const std::string text = with_parameters("r: 0.25, h: =2*r", "position: [=h, =r, 0]");
  const SceneText scene(text, "ball.yaml");
  const Scene changed = parse_scene(scene.with({{"bodies/ball/position/0", -3}}), "b");
  EXPECT_EQ(changed.initial.q[4], -3);
  const Scene both = parse_scene(scene.with({{"bodies/ball/position/0", 3}, {"bodies/ball/position/1", 4}}), "b");
  EXPECT_EQ(both.initial.q[4], 3);
  EXPECT_EQ(both.initial.q[5], 4);
}

TEST(SceneNumbers, adds_what_the_file_leaves_at_its_default) {
  const SceneText flow(with_parameters("r: 0.25", "position: [=r, 0, 0]"), "ball.yaml");
  const auto q = [](const std::string& text) { return parse_scene(text, "b").initial; };
  EXPECT_EQ(q(flow.with({{"bodies/ball/velocity/2", 3}, {"bodies/ball/velocity/0", 1}})).v.tail<3>(), Vec3(1, 0, 3));
  EXPECT_EQ(parse_scene(flow.with({{"record/every", 5}}), "b").record.every, 5);

  const std::string block = R"(carom: 1
gravity: [0, 0, -9.81]
materials:
  - name: steel
    friction: 0.3
bodies:
  - name: ball
    shapes: [{type: sphere, radius: 0.1}]
    mass: 1
joints:
  - name: slide
    type: prismatic
    parent: world
    child: ball
method: {}
duration: 1
)";
  const SceneText scene(block, "b");
  const Scene changed = parse_scene(scene.with({{"joints/slide/position", 0.5},
                                                {"joints/slide/limits/lower", -2},
                                                {"joints/slide/limits/upper", 2},
                                                {"materials/steel/restitution", 0},
                                                {"method/step", 0.25}}),
                                    "b");
  EXPECT_EQ(changed.initial.q[0], 0.5);
  EXPECT_EQ(changed.model->joints()[0].lower[0], -2);
  EXPECT_EQ(changed.model->joints()[0].upper[0], 2);
  EXPECT_EQ(changed.method.step, 0.25);
  EXPECT_EQ(scene.with({{"joints/0/position", 0.5}}).find("  - position: 0.5\n    name: slide\n") == std::string::npos,
            false);
  try {
    static_cast<void>(parse_scene(scene.with({{"bodies/ball/mas", 1}}), "b"));
    ADD_FAILURE() << "nothing thrown";
  } catch (const SceneError& error) {
    EXPECT_NE(std::string(error.what()).find("unknown key 'mas' in a body; did you mean 'mass'?"), std::string::npos)
        << error.what();
  }
  EXPECT_EQ(refusal(scene, {{"joints/slide/position", 1}, {"joints/slide/position/0", 1}}),
            "b: 'joints/slide/position/0' is given two values; give it one");
  EXPECT_EQ(refusal(scene, {{"bodies/ball/inertia/1", 1}}).find("b: there is no 'inertia' in 'bodies/ball'"), 0U);
}

TEST(SceneNumbers, finds_the_scenes_own_keys_and_the_floors_point) {
  const std::string text =
      "carom: 1\ngravity: [0, 0, -9.81]\nmaterials: [{name: m, friction: 1}]\n"
      "world: {shapes: [{type: half-space, material: m}]}\nmethod: {step: 0.01}\n"
      "bodies: [{name: b, mass: 1, shapes: [{type: sphere, radius: 1, material: m}]}]\n";
  for (const std::string& whole : {text, text + "duration: 3\n"}) {
    const SceneText scene(whole, "b");
    const Scene changed = parse_scene(scene.with({{"duration", 2}, {"world/shapes/0/point/2", -0.5}}), "b");
    EXPECT_EQ(changed.duration, 2);
    for (const Collider& collider : changed.model->colliders()) {
      if (collider.body < 0) {
        EXPECT_EQ(collider.X_BS.p, Vec3(0, 0, -0.5));
      }
    }
    EXPECT_EQ(refusal(scene, {{"durration", 2}}), "b: there is no parameter 'durration'; it has no map 'parameters'");
  }
  // A parameter of that name is what is meant.
  const SceneText named(with_parameters("duration: 1", "position: [=duration, 0, 0]"), "b");
  EXPECT_EQ(parse_scene(named.with({{"duration", 2}}), "b").initial.q[4], 2);
}

TEST(SceneNumbers, may_be_written_in_degrees) {
  const SceneText scene(with_parameters("tilt: 0.1, h: 2, k: =2*h", "position: [=tilt, =k, 1]"), "b");
  const double degree = std::numbers::pi / 180;
  for (const char* written : {"20deg", "20 deg"}) {
    EXPECT_EQ(parse_scene(scene.with_written({{"tilt", written}}), "b").initial.q[4], 20 * degree);
  }
  EXPECT_EQ(parse_scene(scene.with_written({{"bodies/ball/position/1", "20 deg"}}), "b").initial.q[5], 20 * degree);
  EXPECT_THROW(static_cast<void>(parse_scene(scene.with_written({{"bodies/ball/position/2", "20 deg"}}), "b")),
               SceneError);
  EXPECT_THROW(static_cast<void>(scene.with_written({{"tilt", "20 degrees"}})), Error);
}

TEST(SceneNumbers, give_way_to_words_where_words_stand) {
  const SceneText scene(with_parameters("r: 1", "position: [=r, 0, 0]"), "b");
  const Scene changed = parse_scene(
      scene.with_written({{"method/stepper", "stewart-trinkle-nonlinear"}, {"method/overlap", "push"}}), "b");
  EXPECT_EQ(changed.method.stepper, StepperKind::stewart_trinkle_nonlinear);
  EXPECT_EQ(changed.method.overlap, OverlapRemedy::push);
  const auto refused = [&](const std::string& path, const std::string& value) {
    try {
      static_cast<void>(scene.with_written({{path, value}}));
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(refused("r", "push"), "b: 'r' is a number, '1', and can't become 'push'");
  EXPECT_EQ(refused("bodies/ball/position/0", "push"),
            "b: 'bodies/ball/position/0' is a number, '=r', and can't become 'push'");
  EXPECT_EQ(refused("r", "{a: 1}"), "b: 'r' can't become '{a: 1}', which is neither a number nor a word");
}

TEST(SceneNumbers, may_be_of_a_direction_left_at_its_default) {
  const SceneText scene(with_parameters("r: 1", "position: [=r, 0, 0]") + "\nworld: {shapes: [{type: half-space}]}\n",
                        "b");
  const Scene tilted = parse_scene(scene.with_written({{"world/shapes/0/normal/0", "1"}}), "b");
  const Vec3 normal = tilted.model->colliders()[0].X_BS.R.col(2);
  EXPECT_NEAR((normal - Vec3(1, 0, 1).normalized()).norm(), 0, 1e-15);
}

TEST(Parameters, take_degrees) {
  const double quarter = parse_scene(with_parameters("a: 90 deg", "position: [=a, 0, 0]"), "b").initial.q[4];
  EXPECT_EQ(quarter, 90 * (std::numbers::pi / 180));
  EXPECT_EQ(parse_scene(with_parameters("w: 90 deg/s", "angular_velocity: [=2*w, 0, 0]"), "b").initial.v[0],
            2 * quarter);
}

TEST(SceneNumbers, says_which_path_leads_nowhere) {
  const SceneText scene(
      "parameters: {r: 1}\nbodies:\n  - {name: left arm, position: &p [1, 2, 3], mass: 1}\n  - {position: *p}\nlong: "
      "one\n"
      "  two\n",
      "s.yaml");
  EXPECT_EQ(refusal(scene, {{"R2", 1}}), "s.yaml: there is no parameter 'R2'; there are: r");
  EXPECT_EQ(refusal(scene, {{"bodies/left harm/mass", 1}}),
            "s.yaml: there is no 'left harm' in 'bodies'; did you mean 'left arm'?");
  EXPECT_EQ(refusal(scene, {{"bodies/left arm", 1}}),
            "s.yaml: 'bodies/left arm' is a map, not a number; go on with '/' and a key, a name or a number from 0");
  EXPECT_EQ(refusal(scene, {{"bodies/left arm/mass/2", 1}}),
            "s.yaml: there is no '2' in 'bodies/left arm/mass'; that is a single value");
  EXPECT_EQ(
      refusal(scene, {{"bodies/1/position/0", 1}}),
      "s.yaml: line 3: aliases (*) share the value of 'bodies/1/position/0'; make it a parameter, and write its name "
      "with '=' where it stands");
  EXPECT_EQ(refusal(scene, {{"r", 1}, {"parameters/r", 2}}), "s.yaml: 'parameters/r' is given two values; give it one");
  EXPECT_EQ(refusal(scene, {{"r", std::numeric_limits<double>::infinity()}}),
            "s.yaml: 'r' can't become a number that is not finite");
  EXPECT_THROW(static_cast<void>(scene.number("bodies/left arm/name")), SceneError);
}

}  // namespace
}  // namespace carom::parameters_test
