#include "carom/study/impact_study.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "carom/error.h"
#include "carom/stepper/simulation.h"
#include "carom/study/method_choice.h"

namespace carom::impact_study_test {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double ball_radius = 0.03;

Scene event_driven(const std::string& text) {
  return scene_with({text, "test.yaml", {}}, {StepperKind::event_driven, LawKind::plus});
}

ImpactStudy report_of(const Scene& scene, const std::string& at = "first", const OutcomeSearch& search = {}) {
  ImpactSearch found = find_impact(scene, parse_impact_moment(at, scene.duration));
  if (!found.found) throw Error(found.none.sentence);
  return impact_study(scene, std::move(*found.found), laws_of_impacts(), search);
}

std::string vector_text(const Vec3& v) { return fmt::format("[{:.17g}, {:.17g}, {:.17g}]", v.x(), v.y(), v.z()); }

struct Ball {
  std::string name;
  Vec3 position, velocity;
};

/// Balls of one size in free space, frictionless, with e = 1; R turns all of it.
std::string balls(const std::vector<Ball>& list, const Mat3& R = Mat3::Identity()) {
  std::string text =
      "carom: 1\nname: balls\ngravity: [0, 0, 0]\nmaterials: [{name: m, friction: 0, restitution: 1, youngs_modulus: "
      "1e9}]\nbodies:\n";
  for (const Ball& ball : list) {
    text +=
        fmt::format("  - {{name: {}, mass: 0.2, shapes: [{{type: sphere, radius: {}}}], position: {}, velocity: {}}}\n",
                    ball.name, ball_radius, vector_text(R * ball.position), vector_text(R * ball.velocity));
  }
  return text + "method: {stepper: event-driven, law: plus, step: 0.01}\nduration: 0.1\n";
}

/// A ball that strikes two others at once, which are at the angle alpha seen from it.
std::vector<Ball> billiard_break(double alpha, double sideways = 0) {
  const Vec3 left(std::cos(alpha / 2), std::sin(alpha / 2), 0), right(std::cos(alpha / 2), -std::sin(alpha / 2), 0);
  return {{"cue", Vec3::Zero(), {2, sideways, 0}},
          {"left", 2 * ball_radius * left, Vec3::Zero()},
          {"right", 2 * ball_radius * right, Vec3::Zero()}};
}

std::vector<Ball> row(const std::vector<double>& speeds) {
  std::vector<Ball> list;
  for (std::size_t i = 0; i < speeds.size(); ++i) {
    const double x = 2 * ball_radius * static_cast<double>(i);
    list.push_back({fmt::format("b{}", i), {x, 0, 0}, {speeds[i], 0, 0}});
  }
  return list;
}

Vec3 velocity_of_ball(const VectorX& v, int ball) { return v.segment<3>(6 * ball + 3); }

const LawLanding& landing_of(const ImpactStudy& report, LawKind law) {
  return *std::find_if(report.landings.begin(), report.landings.end(),
                       [&](const LawLanding& landing) { return landing.law == law; });
}

TEST(ImpactStudy, ThreeEqualBallsHaveOneOutcomeTheSpeedsInOrder) {
  const ImpactStudy report = report_of(event_driven(balls(row({1, 0.25, -0.5}))));
  ASSERT_TRUE(report.outcomes);
  EXPECT_TRUE(report.hand.at_start);
  EXPECT_EQ(report.outcomes->verdict.unique, Unique::yes);
  EXPECT_EQ(report.outcomes->verdict.reason, UniqueReason::three_stage);
  ASSERT_EQ(report.outcomes->outcomes.size(), 1u);
  EXPECT_EQ(report.outcomes->all.sequences, 2);  // (1, 2, 1) and (2, 1, 2)
  EXPECT_EQ(report.outcomes->hull.dimension, 0);
  const VectorX& v = report.outcomes->outcomes.front().v;
  const double sorted[] = {-0.5, 0.25, 1};
  for (int i = 0; i < 3; ++i) EXPECT_NEAR((velocity_of_ball(v, i) - Vec3(sorted[i], 0, 0)).norm(), 0, 1e-12);
  EXPECT_NEAR(report.outcomes->outcomes.front().energy_ratio, 1, 1e-12);
}

/// ⟨n_1, n_2⟩ = ½ cos α (paper, eq. 31): 0 at 90° and no −cos(π/m) at the other angles, where both orders part.
TEST(ImpactStudy, BilliardBreakIsUniqueAtARightAngleAlone) {
  for (const double degrees : {62.0, 70.0, 80.0, 90.0, 100.0, 110.0}) {
    const double alpha = degrees * pi / 180;
    const ImpactStudy report = report_of(event_driven(balls(billiard_break(alpha))));
    ASSERT_TRUE(report.outcomes);
    const ImpactOutcomes& outcomes = *report.outcomes;
    EXPECT_NEAR(outcomes.impact.cosine(0, 1), std::cos(alpha) / 2, 1e-12);
    const bool right_angle = degrees == 90.0;
    EXPECT_EQ(outcomes.verdict.unique, right_angle ? Unique::yes : Unique::no) << degrees;
    EXPECT_EQ(outcomes.outcomes.size(), right_angle ? 1u : 2u) << degrees;
  }
}

/// Along the axis both contacts approach alike, w_1 = w_2 = w. With C = ⟨n_1, n_2⟩ > 0 each order is two resets. First
/// comes −2 w n_i, which leaves w (1 − 2 C) at the other contact. Then comes −2 w (1 − 2 C) n_j.
///
/// The two orders differ by 4 |w| C (n_i − n_j), of length 4 |w| C √(2 (1 − C)). Here w = u / ‖n‖, u = −V cos(α/2), ‖n‖
/// = √(2/m), 2 E = m V².
TEST(ImpactStudy, BilliardBreakPartsByItsClosedForm) {
  for (const double degrees : {65.0, 75.0, 85.0}) {
    const double alpha = degrees * pi / 180, C = std::cos(alpha) / 2;
    const ImpactStudy report = report_of(event_driven(balls(billiard_break(alpha))));
    ASSERT_TRUE(report.outcomes);
    const double relative_w = std::cos(alpha / 2) / std::sqrt(2);
    const double expected = 4 * relative_w * C * std::sqrt(2 * (1 - C));
    EXPECT_NEAR(report.outcomes->all.indeterminacy, expected, 1e-9) << degrees;
    EXPECT_EQ(report.outcomes->hull.dimension, 1);
    EXPECT_NEAR(report.outcomes->hull.size, report.outcomes->all.diameter, 1e-12);
    // Symmetric laws land in the middle of the two directions, equally far from both outcomes.
    const ImpactOutcomes& outcomes = *report.outcomes;
    const VectorX& v = landing_of(report, LawKind::newton).v;
    EXPECT_NEAR(report.space.distance(v, outcomes.outcomes[0].v), report.space.distance(v, outcomes.outcomes[1].v),
                1e-12);
  }
}

/// The outcomes of a scene as a sorted list of the velocities of its balls, turned back by R.
std::vector<std::vector<double>> sorted_outcomes(const ImpactStudy& report, const std::vector<int>& order,
                                                 const Mat3& R) {
  std::vector<std::vector<double>> list;
  for (const OutcomePoint& point : report.outcomes->outcomes) {
    std::vector<double> numbers;
    for (const int ball : order) {
      const Vec3 v = R.transpose() * velocity_of_ball(point.v, ball);
      for (const double x : v) numbers.push_back(std::round(x * 1e9) / 1e9 + 0.0);
    }
    list.push_back(numbers);
  }
  std::sort(list.begin(), list.end());
  return list;
}

void expect_same(const std::vector<std::vector<double>>& a, const std::vector<std::vector<double>>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t k = 0; k < a[i].size(); ++k) EXPECT_NEAR(a[i][k], b[i][k], 3e-9);
  }
}

TEST(ImpactStudy, TurningTheSceneTurnsTheOutcomes) {
  const std::vector<Ball> list = billiard_break(1.2, 0.3);
  const ImpactStudy first = report_of(event_driven(balls(list)));
  const Mat3 R =
      (Eigen::AngleAxisd(0.7, Vec3(1, 2, -1).normalized()) * Eigen::AngleAxisd(-1.9, Vec3::UnitY())).matrix();
  const ImpactStudy turned = report_of(event_driven(balls(list, R)));
  expect_same(sorted_outcomes(first, {0, 1, 2}, Mat3::Identity()), sorted_outcomes(turned, {0, 1, 2}, R));
  EXPECT_NEAR(first.outcomes->all.indeterminacy, turned.outcomes->all.indeterminacy, 1e-9);
  for (std::size_t i = 0; i < first.landings.size(); ++i) {
    EXPECT_NEAR(first.placements[i].relative, turned.placements[i].relative, 1e-6) << law_name(first.landings[i].law);
    EXPECT_NEAR(first.placements[i].hull_distance, turned.placements[i].hull_distance, 1e-6);
  }
}

TEST(ImpactStudy, OrderOfBodiesAndMirrorChangeNothing) {
  std::vector<Ball> list = billiard_break(1.2, 0.3);
  const ImpactStudy first = report_of(event_driven(balls(list)));
  std::vector<Ball> other = {list[2], list[0], list[1]};
  const ImpactStudy moved = report_of(event_driven(balls(other)));
  expect_same(sorted_outcomes(first, {0, 1, 2}, Mat3::Identity()), sorted_outcomes(moved, {1, 2, 0}, Mat3::Identity()));
  for (Ball& ball : list) {
    ball.position.y() *= -1;
    ball.velocity.y() *= -1;
  }
  const Mat3 mirror = Vec3(1, -1, 1).asDiagonal();
  const ImpactStudy mirrored = report_of(event_driven(balls(list)));
  expect_same(sorted_outcomes(first, {0, 1, 2}, Mat3::Identity()), sorted_outcomes(mirrored, {0, 1, 2}, mirror));
}

/// The handler of the steppers makes the same of the same impact, reached by a run.
TEST(ImpactStudy, LawsLandWhereARunOfThemGoes) {
  const Scene scene = event_driven(balls(billiard_break(1.25, 0.2)));
  const ImpactStudy report = report_of(scene);
  for (const LawLanding& landing : report.landings) {
    if (!landing.refusal.empty()) continue;
    Method method = scene.method;
    method.law = landing.law;
    Simulation simulation(scene.model, method, scene.initial);
    simulation.step();
    EXPECT_NEAR((simulation.state().v - landing.v).norm(), 0, 1e-9) << law_name(landing.law);
    EXPECT_TRUE(landing.impact.certificate.holds(1e-6)) << law_name(landing.law);
  }
}

TEST(ImpactStudy, LawsThatWouldIgnoreATangentialSpringAreRefused) {
  const std::string text =
      "carom: 1\nname: ball\ngravity: [0, 0, -9.81]\nmaterials: [{name: m, friction: 0.3, restitution: 0.8}]\n"
      "pairs: [{materials: [m, m], friction: 0.3, restitution: 0.8, tangential_spring: {stiffness: 0.8}}]\n"
      "bodies:\n  - {name: ball, mass: 1, shapes: [{type: sphere, radius: 0.1}], position: [0, 0, 0.2], velocity: [1, "
      "0, "
      "0]}\nworld: {shapes: [{type: half-space}]}\nmethod: {stepper: event-driven, law: lzb, step: 0.01}\nduration: "
      "1\n";
  const ImpactStudy report = report_of(scene_with({text, "test.yaml", {}}, {StepperKind::event_driven, LawKind::lzb}));
  for (const LawLanding& landing : report.landings) {
    const bool ignores = landing.refusal.find("a tangential_spring") != std::string::npos;
    EXPECT_EQ(ignores, landing.law != LawKind::lzb) << law_name(landing.law);
  }
}

TEST(ImpactStudy, FirstImpactOfAFallIsPosedWithItsClosedForm) {
  const std::string text =
      "carom: 1\nname: fall\ngravity: [0, 0, -10]\nmaterials: [{name: m, friction: 0, restitution: 0.6, "
      "youngs_modulus: "
      "1e9}]\nworld: {shapes: [{type: half-space}]}\nbodies:\n  - {name: ball, mass: 2, shapes: [{type: sphere, "
      "radius: "
      "0.1}], position: [0, 0, 1.35], velocity: [0.5, 0, 0]}\nmethod: {stepper: event-driven, law: newton, step: "
      "0.01}\nduration: 2\n";
  const Scene scene = event_driven(text);
  const ImpactStudy report = report_of(scene);
  EXPECT_FALSE(report.hand.at_start);
  EXPECT_NEAR(report.hand.time, 0.5, 1e-9);  // 1.25 = ½ 10 t²
  EXPECT_NEAR(report.hand.v(5), -5, 1e-8);
  EXPECT_NEAR(report.hand.contacts.front().gap, 0, 1e-9);
  // One contact: elastic, and blends lie between it and rest, where Newton's law puts them.
  const ImpactOutcomes& outcomes = *report.outcomes;
  ASSERT_EQ(outcomes.outcomes.size(), 1u);
  EXPECT_NEAR(outcomes.outcomes.front().v(5), 5, 1e-8);
  ASSERT_TRUE(outcomes.restitution);
  EXPECT_EQ(*outcomes.restitution, 0.6);
  for (const OutcomePoint& blend : outcomes.blends) EXPECT_NEAR(blend.v(5), 3, 1e-8);
  const auto newton = std::find_if(report.landings.begin(), report.landings.end(),
                                   [](const LawLanding& landing) { return landing.law == LawKind::newton; });
  EXPECT_NEAR(newton->v(5), 3, 1e-8);
  EXPECT_NEAR(newton->energy_ratio, (2 * 0.25 / 2 + 9.0) / (2 * 0.25 / 2 + 25.0), 1e-9);  // v_x stays: ½ m = 1
  EXPECT_LT(report.placements[static_cast<std::size_t>(newton - report.landings.begin())].closest_relative, 1e-8);
  // The second impact: after 2 · 3/10 s of flight more.
  EXPECT_NEAR(report_of(scene, "0.7").hand.time, 1.1, 1e-8);
  EXPECT_EQ(report_of(scene, "0.7").hand.impacts, 1);
}

TEST(ImpactStudy, WhatDoesNotStrikeIsToldSo) {
  const Scene apart = event_driven(balls(row({-1, 0, 1})));  // closed at the start, and separating
  const ImpactSearch none = find_impact(apart, parse_impact_moment("first", apart.duration));
  EXPECT_FALSE(none.found);
  EXPECT_NE(none.none.sentence.find("2 contacts are closed and none approaches"), std::string::npos);
  const Scene far = event_driven(balls({{"a", Vec3::Zero(), Vec3::Zero()}, {"b", Vec3(1, 0, 0), Vec3(-20, 0, 0)}}));
  EXPECT_FALSE(find_impact(far, parse_impact_moment("start", far.duration)).found);
  EXPECT_TRUE(find_impact(far, parse_impact_moment("first", far.duration)).found);
  EXPECT_THROW(parse_impact_moment("soon", 1), Error);
  EXPECT_THROW(parse_impact_moment("-1", 1), Error);
  EXPECT_THROW(parse_impact_moment("", 1), Error);
}

TEST(ImpactStudy, LawsAndSearchesAreThoseAskedFor) {
  EXPECT_EQ(parse_laws_of_impacts({}), laws_of_impacts());
  EXPECT_EQ(parse_laws_of_impacts({"plus", "newton", "plus"}), (std::vector<LawKind>{LawKind::plus, LawKind::newton}));
  EXPECT_THROW(parse_laws_of_impacts({"none"}), Error);
  EXPECT_THROW(parse_laws_of_impacts({"newtons"}), Error);
  EXPECT_THROW(check(OutcomeSearch{.max_momenta = 0, .restitution = {}}), Error);
  EXPECT_THROW(check(OutcomeSearch{.max_momenta = 1, .restitution = 1.5}), Error);
  check(OutcomeSearch{.max_momenta = 1, .restitution = 1.0});
}

// A law of impacts stays; none, which is no law of theirs, becomes plus.
TEST(ImpactStudy, MovesUnderTheScenesOwnLawWhereItIsOneOfImpacts) {
  const std::string text =
      "carom: 1\ngravity: [0, 0, -9.81]\nmaterials:\n  - {name: rubber, friction: 0.5}\nbodies:\n"
      "  - {name: ball, shapes: [{type: sphere, radius: 0.1}], mass: 1}\n"
      "method: {stepper: semi-explicit, law: newton, step: 0.01}\nduration: 1\n";
  const auto law = [&](std::optional<StepperKind> stepper, std::optional<LawKind> own) {
    SceneSource source{text, "test.yaml", {}};
    source.overrides.stepper = stepper;
    source.overrides.law = own;
    const Scene scene = moving_scene(source);
    EXPECT_EQ(scene.method.stepper, StepperKind::event_driven);
    return scene.method.law;
  };
  EXPECT_EQ(law(StepperKind::semi_explicit, LawKind::newton), LawKind::newton);
  EXPECT_EQ(law(StepperKind::stewart_trinkle, LawKind::none), LawKind::plus);
}

/// A sphere on a body that a constraint welds to another moves as if it were that body's. Constraints are taken out of
/// the metric, and outcomes satisfy them.
TEST(ImpactStudy, ConstraintsAreTakenOutOfTheMetric) {
  const auto scene = [](bool welded) {
    const std::string ball = "shapes: [{type: sphere, radius: 0.1}]";
    std::string text =
        "carom: 1\nname: weld\ngravity: [0, 0, 0]\nmaterials: [{name: m, friction: 0, restitution: 1, youngs_modulus: "
        "1e9}]\nworld: {shapes: [{type: half-space}]}\nbodies:\n";
    if (welded) {
      text +=
          "  - {name: a, inertia: {mass: 1, moments: [0.01, 0.01, 0.01]}, " + ball +
          ", position: [-0.5, 0, 0.1], velocity: [0, 0, -1]}\n  - {name: b, inertia: {mass: 3, moments: [0.02, 0.02, "
          "0.02]}, " +
          ball +
          ", position: [0.5, 0, 0.1], velocity: [0, 0, -1]}\nconstraints: [{name: w, type: weld, "
          "a: a, b: b, on_a: {position: [0.5, 0, 0]}, on_b: {position: [-0.5, 0, 0]}}]\n";
    } else {
      // The same two as one body: mass 4, centre 0.25 from the middle, about which 1 · 0.75² + 3 · 0.25² = 0.75.
      text +=
          "  - {name: a, inertia: {mass: 4, center: [0.25, 0, 0], moments: [0.03, 0.78, 0.78]}, shapes: [{type: "
          "sphere, radius: 0.1, position: [-0.5, 0, 0]}, {type: sphere, radius: 0.1, position: [0.5, 0, 0]}], "
          "position: [0, 0, 0.1], velocity: [0, 0, -1]}\n";
    }
    return event_driven(text + "method: {stepper: event-driven, law: plus, step: 0.01}\nduration: 0.1\n");
  };
  const ImpactStudy one = report_of(scene(false)), two = report_of(scene(true));
  ASSERT_TRUE(one.outcomes);
  ASSERT_TRUE(two.outcomes);
  EXPECT_NEAR((one.outcomes->impact.cosine - two.outcomes->impact.cosine).norm(), 0, 1e-9);
  EXPECT_NEAR((one.outcomes->impact.length - two.outcomes->impact.length).norm(), 0, 1e-9);
  EXPECT_NEAR(one.outcomes->energy, two.outcomes->energy, 1e-9);
  EXPECT_NEAR(one.outcomes->all.indeterminacy, two.outcomes->all.indeterminacy, 1e-9);
  ASSERT_EQ(one.outcomes->outcomes.size(), two.outcomes->outcomes.size());
  for (std::size_t i = 0; i < one.outcomes->outcomes.size(); ++i) {
    EXPECT_NEAR((one.outcomes->outcomes[i].contact_velocity - two.outcomes->outcomes[i].contact_velocity).norm(), 0,
                1e-9);
    EXPECT_NEAR(two.outcomes->outcomes[i].energy_ratio, 1, 1e-9);
  }
}

TEST(ImpactStudy, WallsWithoutAWayOutAreToldAsUnknown) {
  const std::string text =
      "carom: 1\nname: gap\ngravity: [0, 0, 0]\nmaterials: [{name: m, friction: 0, restitution: 1, youngs_modulus: "
      "1e9}]\nworld: {shapes: [{type: half-space, name: l, point: [-0.1, 0, 0], normal: [1, 0, 0]}, {type: half-space, "
      "name: r, point: [0.1, 0, 0], normal: [-1, 0, 0]}]}\nbodies: [{name: ball, mass: 1, velocity: [1, 0, 0], shapes: "
      "[{type: sphere, radius: 0.1}]}]\nmethod: {stepper: event-driven, law: plus, step: 0.01}\nduration: 0.1\n";
  const ImpactStudy report = report_of(event_driven(text));
  ASSERT_TRUE(report.outcomes);
  EXPECT_EQ(report.outcomes->verdict.unique, Unique::unknown);
  EXPECT_FALSE(report.outcomes->verdict.ends);
  EXPECT_TRUE(report.outcomes->all.outcomes.empty());
  EXPECT_EQ(report.placements.front().nearest, -1);
  EXPECT_FALSE(impact_text(report).empty());
}

TEST(ImpactStudy, BudgetCutsAndSaysAtLeast) {
  OutcomeSearch search;
  search.max_momenta = 3;
  const ImpactStudy report = report_of(event_driven(balls(billiard_break(1.2, 0.3))), "first", search);
  ASSERT_TRUE(report.outcomes);
  EXPECT_TRUE(report.outcomes->all.cut);
  EXPECT_NE(impact_words(report)[1].find("at least"), std::string::npos);
}

TEST(ImpactStudy, JsonHoldsWhatTheReportDoes) {
  const ImpactStudy report = report_of(event_driven(balls(billiard_break(1.2, 0.3))));
  const nlohmann::json object = nlohmann::json::parse(impact_study_json(report, "page.html"));
  EXPECT_EQ(object["contacts"].size(), 2u);
  EXPECT_EQ(object["laws"].size(), laws_of_impacts().size());
  EXPECT_EQ(object["outcomes"].size(), report.outcomes->outcomes.size());
  EXPECT_EQ(object["unique"], "no");
  EXPECT_NEAR(object["readings"]["stops_when_feasible"]["indeterminacy"].get<double>(),
              report.outcomes->all.indeterminacy, 1e-15);
  for (const auto& law : object["laws"]) {
    if (!law["refused"].is_null()) continue;
    EXPECT_EQ(law["velocity"].size(), 18u);
    EXPECT_EQ(law["impulse"].size(), 2u);
  }
}

/// An outcome lies in the hull, so does what is between two, and what is beyond does not.
TEST(ImpactStudy, PlacementsTellInsideFromOutside) {
  const ImpactStudy report = report_of(event_driven(balls(billiard_break(1.2, 0.3))));
  const ImpactOutcomes& outcomes = *report.outcomes;
  ASSERT_EQ(outcomes.outcomes.size(), 2u);
  const VectorX &a = outcomes.outcomes[0].v, &b = outcomes.outcomes[1].v;
  const double scale = std::sqrt(2 * outcomes.energy), apart = report.space.distance(a, b) / scale;
  EXPECT_TRUE(place(outcomes, report.space, a).in_hull);
  EXPECT_EQ(place(outcomes, report.space, b).nearest, 1);
  const Placement between = place(outcomes, report.space, 0.75 * a + 0.25 * b);
  EXPECT_TRUE(between.in_hull);
  EXPECT_EQ(between.nearest, 0);
  EXPECT_NEAR(between.relative, 0.25 * apart, 1e-12);
  const Placement beyond = place(outcomes, report.space, 1.5 * a - 0.5 * b);
  EXPECT_FALSE(beyond.in_hull);
  EXPECT_NEAR(beyond.hull_distance, 0.5 * apart, 1e-9);
}

TEST(ImpactStudy, WhoGivesTheEnergyThatIsMoreThanThereWas) {
  const auto words = [](const std::string& target) {
    const ImpactStudy report = report_of(event_driven(
        "carom: 1\ngravity: [0, 0, 0]\nmaterials: [{name: m, friction: 0, restitution: 0.5}]\nbodies:\n"
        "  - {name: bat, mass: 1, shapes: [{type: box, size: [0.1, 0.1, 0.1]}]}\n"
        "  - {name: ball, mass: 0.25, position: [0.15, 0, 0], velocity: [-1, 0, 0], shapes: [{type: sphere, radius: "
        "0.05}]}\n"
        "joints: [{name: rail, type: prismatic, parent: world, child: bat, axis: [1, 0, 0], position: 0.05}]\n" +
        target + "method: {stepper: event-driven, law: plus, step: 0.001}\nduration: 0.05\n"));
    std::string all;
    for (const std::string& paragraph : impact_words(report)) all += paragraph + "\n";
    return all;
  };
  // Elastic: the ball leaves the bat with 5 m/s, and the bat goes on at 2 m/s. The impulse is 0.25 · 6 N s, the work 2
  // m/s times that.
  const std::string told =
      words("drives: [{name: pusher, type: motion, joint: rail, target: {polynomial: [0.05, 2]}}]\n");
  EXPECT_NE(told.find("Prescribed motion pusher goes on through the impact and gives it energy, under law propagative "
                      "3 J: more is kept than there was."),
            std::string::npos)
      << told;
  EXPECT_EQ(words("").find("Prescribed"), std::string::npos);
}

}  // namespace
}  // namespace carom::impact_study_test
