// Designs whose solution is known: billiard breaks, rods on two feet, sliding legs. Also bounds and conditions that
// can't be met, and faults of a study.
#include "carom/study/design.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numbers>
#include <random>

#include "carom/scene/expression.h"
#include "carom/scene/scene_text.h"
#include "testing/folders.h"

namespace carom::design_test {
namespace {

namespace fs = std::filesystem;
constexpr double pi = std::numbers::pi;

class Design : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  /// The design of a scene, the study in one text.
  DesignResult run(const std::string& scene, const std::string& study) {
    std::ofstream(folder_ / "scene.yaml") << scene;
    return design(parse_design_study("scene: scene.yaml\n" + study, (folder_ / "study.yaml").string()));
  }
  std::string refusal(const std::string& scene, const std::string& study) {
    try {
      static_cast<void>(run(scene, study));
    } catch (const SceneError& error) {
      const Diagnostic& first = error.diagnostics().front();
      return std::to_string(first.line) + ":" + std::to_string(first.column) + ": " + first.message;
    } catch (const Error& error) {
      return error.what();
    }
    return "none";
  }
  double random(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }

  fs::path folder_ = fs::path(testing::TempDir()) /
                     ("carom_design_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
  std::mt19937_64 random_{11};
};

const char* const ending = "method: {stepper: stewart-trinkle, step: 0.01}\nduration: 1\n";

/// Paper PROP, figure 4: a cue ball between two others that it touches, the angle between their centres as seen from
/// it.
std::string billiards(const double (&radius)[3], const double (&mass)[3], double angle, double direction) {
  const auto n = number_text;
  return "carom: 1\nparameters:\n  angle: " + n(angle) + "\n  one: " + n(radius[0] + radius[1]) +
         "\n  two: " + n(radius[0] + radius[2]) +
         "\ngravity: [0, 0, 0]\nmaterials: [{name: all, friction: 0}]\nbodies:\n"
         "  - {name: cue, mass: " +
         n(mass[0]) + ", shapes: [{type: sphere, radius: " + n(radius[0]) + "}], velocity: [" + n(std::cos(direction)) +
         ", " + n(std::sin(direction)) +
         ", 0]}\n"
         "  - {name: one, mass: " +
         n(mass[1]) + ", shapes: [{type: sphere, radius: " + n(radius[1]) +
         "}], position: [=one*cos(angle/2), =one*sin(angle/2), 0]}\n"
         "  - {name: two, mass: " +
         n(mass[2]) + ", shapes: [{type: sphere, radius: " + n(radius[2]) +
         "}], position: [=two*cos(angle/2), =-two*sin(angle/2), 0]}\n" + ending;
}
const std::string billiard_contacts = "contacts: {one: [cue, one], two: [cue, two]}\n";

TEST_F(Design, breaks_billiards_at_a_right_angle_whatever_masses_and_radii) {
  for (int i = 0; i < 10; ++i) {
    const double radius[3] = {random(0.02, 0.05), random(0.02, 0.05), random(0.02, 0.05)};
    const double mass[3] = {random(0.1, 1), random(0.1, 1), random(0.1, 1)};
    const DesignResult result =
        run(billiards(radius, mass, random(70, 130) * pi / 180, random(-0.3, 0.3)),
            "unknowns: {angle: }\n" + billiard_contacts + "conditions: [{normals: [one, two], are: orthogonal}]\n");
    ASSERT_TRUE(result.met) << result.why;
    EXPECT_NEAR(result.unknowns[0].after, pi / 2, 1e-11) << i;
    EXPECT_EQ(result.verdict_before.here, Unique::no);
    EXPECT_GT(result.verdict_before.indeterminacy, 1e-4);
    EXPECT_EQ(result.verdict_after.here, Unique::yes);
    EXPECT_EQ(result.verdict_after.always, Unique::yes);
    EXPECT_EQ(result.verdict_after.outcomes, 1u);
  }
}

TEST_F(Design, breaks_billiards_at_other_whole_ratios) {
  // cos α = −cos(π/m) √((1 + c/a) (1 + c/b)) with the masses c of the cue, a, b of the others.
  for (const int m : {3, 4, 5}) {
    const double radius[3] = {0.03, 0.02, 0.02}, mass[3] = {0.05, 0.6, 0.8};
    const DesignResult result = run(billiards(radius, mass, 2.2, 0.1),
                                    "unknowns: {angle: {bounds: [90 deg, 180 deg]}}\n" + billiard_contacts +
                                        "conditions: [{normals: [one, two], are: pi/" + std::to_string(m) + "}]\n");
    ASSERT_TRUE(result.met) << result.why;
    const double cosine = -std::cos(pi / m) * std::sqrt((1 + 0.05 / 0.6) * (1 + 0.05 / 0.8));
    EXPECT_NEAR(result.unknowns[0].after, std::acos(cosine), 1e-10) << m;
    EXPECT_EQ(result.verdict_after.always, Unique::yes);
  }
}

/// Two equal thin legs (mass m, length l, moment m l²/12), hinged at the top. A rod keeps their feet apart.
std::string ladder(double mass, double length, double rod, double tilt) {
  const auto n = number_text;
  const std::string inertia = "inertia: {mass: " + n(mass) + ", center: [0, 0, " + n(-length / 2) + "], moments: [" +
                              n(mass * length * length / 12) + ", " + n(mass * length * length / 12) + ", 0]}";
  const std::string foot = "shapes: [{type: sphere, radius: 0.01, position: [0, 0, " + n(-length) + "]}]";
  const double angle = std::asin(rod / 2 / length);
  const std::string end = "{position: [0, 0, " + n(-length) + "]}";
  return "carom: 1\nparameters: {rod: " + n(rod) + ", height: " + n(length) + ", pitch: " + n(angle + tilt) +
         "}\ngravity: [0, 0, 0]\nmaterials: [{name: all, friction: 0}]\n" +
         "world: {shapes: [{type: half-space, name: ground}]}\nbodies:\n  - {name: left, " + inertia + ", " + foot +
         "}\n  - {name: right, " + inertia + ", " + foot +
         "}\njoints:\n"
         "  - {name: plane, type: planar, parent: world, child: left, on_parent: {orientation: [0.7071067811865476, "
         "0.7071067811865476, 0, 0]}, on_child: {orientation: [0.7071067811865476, 0.7071067811865476, 0, 0]}, "
         "position: [0, =height, =pitch], velocity: [0.1, -1, 0]}\n" +
         "  - {name: top, type: revolute, parent: left, child: right, axis: [0, 1, 0], position: " + n(2 * angle) +
         "}\nconstraints:\n  - {name: spreader, type: rod, a: left, b: right, on_a: " + end + ", on_b: " + end +
         ", length: =rod}\ncollisions: {with_parent: [left]}\n" + ending;
}

TEST_F(Design, spreads_a_ladder_whose_rod_closes_a_loop) {
  // One rigid body with two feet. Its normals are orthogonal if a² = I/M, with a half the rod and I = 2 (m l²/12 + m
  // a²/4).
  for (const double length : {0.6, 1.3}) {
    const double mass = random(0.5, 3);
    const DesignResult result =
        run(ladder(mass, length, random(0.4, 0.9) * length, random(-0.1, 0.1)),
            "unknowns: {rod: {bounds: [0.1, 2]}, height: , pitch: }\n"
            "contacts: {left: [left, ground], right: [right, ground]}\n"
            "conditions: [{closed: left}, {closed: right}, {normals: [left, right], are: orthogonal}]\n");
    ASSERT_TRUE(result.met) << result.why;
    const double a = length / 3;
    EXPECT_NEAR(result.unknowns[0].after, 2 * a, 1e-9) << length;
    EXPECT_NEAR(result.impact_after.A(0, 0), 1 / mass, 1e-9 / mass);  // 1/M + a²/I = 2/M
  }
}

TEST_F(Design, takes_a_weld_for_what_it_is) {
  const auto text = [](bool loop) {
    const std::string part =
        ", mass: 2, shapes: [{type: box, size: [0.4, 0.1, 0.1]}, {type: sphere, radius: 0.02, name: foot, "
        "position: [0.1, 0, -0.1]}]";
    return "carom: 1\ngravity: [0, 0, 0]\nmaterials: [{name: all, friction: 0}]\nworld: {shapes: [{type: half-space, "
           "name: ground}]}\n"
           "bodies:\n  - {name: a" +
           part +
           ", position: [0, 0, 0.2], velocity: [0, 0, -1], angular_velocity: [0, 2, 0]}\n"
           "  - {name: b" +
           part + (loop ? ", position: [0.5, 0, 0.2], velocity: [0, 0, -2], angular_velocity: [0, 2, 0]" : "") + "}\n" +
           (loop ? "constraints: [{name: w, type: weld, a: a, b: b, on_a: {position: [0.5, 0, 0]}}]\n"
                 : "joints: [{name: w, type: fixed, parent: a, child: b, on_parent: {position: [0.5, 0, 0]}}]\n") +
           ending;
  };
  const std::vector<DesignContact> contacts{{"one", "a/foot", "ground", {}}, {"two", "b/foot", "ground", {}}};
  const auto impact = [&](bool loop) { return design_impact(parse_scene(text(loop), "scene.yaml"), contacts); };
  const DesignImpact tied = impact(true), fixed = impact(false);
  EXPECT_LT((tied.A - fixed.A).norm(), 1e-12 * fixed.A.norm());
  EXPECT_LT((tied.u - fixed.u).norm(), 1e-12);
  EXPECT_NEAR(tied.kinetic_energy, fixed.kinetic_energy, 1e-12);
}

TEST_F(Design, finds_the_least_indeterminacy) {
  const double radius[3] = {0.03, 0.03, 0.03}, mass[3] = {0.2, 0.2, 0.2};
  const DesignResult result = run(billiards(radius, mass, 1.4, 0.1),
                                  "unknowns: {angle: {bounds: [1.2, 1.8]}}\n" + billiard_contacts +
                                      "conditions: [{gap: one, at_least: -1e-9}]\nminimise: indeterminacy\n");
  ASSERT_TRUE(result.met) << result.why;
  EXPECT_NEAR(result.unknowns[0].after, pi / 2, 1e-4);  // where it has a corner, and is zero
  EXPECT_GT(result.verdict_before.indeterminacy, 0.05);
  EXPECT_LT(result.verdict_after.indeterminacy, 1e-3);
}

TEST_F(Design, does_not_take_the_absence_of_an_impact_for_a_predictable_one) {
  // With another velocity the cue would strike one ball alone, or none: nothing left open, and nothing designed.
  const double radius[3] = {0.03, 0.03, 0.03}, mass[3] = {0.2, 0.2, 0.2};
  for (const double direction : {0.1, 0.5, 0.7}) {
    const DesignResult result =
        run(billiards(radius, mass, 1.4, direction),
            "unknowns: {speed: {at: bodies/cue/velocity/0, bounds: [-1, 1]}}\n" + billiard_contacts +
                "conditions: [{gap: one, at_least: -1e-9}]\nminimise: indeterminacy\n");
    ASSERT_TRUE(result.met) << result.why;
    ASSERT_TRUE((result.impact_before.u.array() < 0).all());
    EXPECT_TRUE((result.impact_after.u.array() < 0).all()) << direction << ": " << result.impact_after.u.transpose();
    EXPECT_LE(result.verdict_after.indeterminacy, result.verdict_before.indeterminacy);
  }
}

TEST_F(Design, does_not_count_outcomes_that_it_has_not_seen) {
  // With three momenta no enumeration ends, so nothing is known to be better than the start.
  const double radius[3] = {0.03, 0.03, 0.03}, mass[3] = {0.2, 0.2, 0.2};
  std::ofstream(folder_ / "scene.yaml") << billiards(radius, mass, 1.4, 0.1);
  DesignOptions options;
  options.max_momenta = 3;
  const DesignResult result =
      design(parse_design_study("scene: scene.yaml\nunknowns: {angle: {bounds: [1.2, 1.8]}}\n" + billiard_contacts +
                                    "conditions: [{gap: one, at_least: -1e-9}]\nminimise: indeterminacy\n",
                                (folder_ / "study.yaml").string()),
             options);
  ASSERT_TRUE(result.met) << result.why;
  EXPECT_TRUE(result.verdict_before.cut);
  EXPECT_NEAR(result.unknowns[0].after, 1.4, 1e-3);
}

/// A rod that comes down flat on two feet, a behind and b before its centre.
std::string rod(double mass, double J, double a, double b, double height = 0) {
  const auto n = number_text;
  return "carom: 1\nparameters: {a: " + n(a) + ", b: " + n(b) + ", J: " + n(J) + ", height: " + n(height) +
         "}\ngravity: [0, 0, -9.81]\nmaterials: [{name: all, friction: 0}]\n"
         "world: {shapes: [{type: half-space, name: floor}]}\nbodies:\n"
         "  - name: rod\n    inertia: {mass: " +
         n(mass) +
         ", moments: [=J, =J, =J]}\n    shapes:\n"
         "      - {type: sphere, name: rear, radius: 0.01, position: [=-a, 0, 0]}\n"
         "      - {type: sphere, name: front, radius: 0.01, position: [=b, 0, 0]}\n"
         "    position: [0, 0, =height + 0.01]\n    velocity: [0, 0, -1]\n" +
         ending;
}
const std::string feet = "contacts: {rear: [rod/rear, floor], front: [rod/front, floor]}\n";
const std::string orthogonal_feet = feet + "conditions: [{normals: [rear, front], are: orthogonal}]\n";

TEST_F(Design, gives_a_rod_the_inertia_of_its_feet) {
  for (int i = 0; i < 10; ++i) {
    const double m = random(1, 5), a = random(0.1, 0.5), b = random(0.1, 0.5);
    const DesignResult result =
        run(rod(m, random(0.6, 1.5) * m * a * b, a, b), "unknowns: {J: {bounds: [0, 10]}}\n" + orthogonal_feet);
    ASSERT_TRUE(result.met) << result.why;
    EXPECT_NEAR(result.unknowns[0].after, m * a * b, 1e-10 * m * a * b);
  }
}

TEST_F(Design, moves_both_feet_no_more_than_it_must) {
  // min (a − a₀)² + (b − b₀)² with a b = J/m: (a − a₀) a = (b − b₀) b.
  for (int i = 0; i < 10; ++i) {
    const double m = random(1, 3), a = random(0.2, 0.5), b = random(0.2, 0.5), J = random(0.8, 1.25) * m * a * b;
    const DesignResult result =
        run(rod(m, J, a, b), "unknowns: {a: {scale: 0.1}, b: {scale: 0.1}}\n" + orthogonal_feet);
    ASSERT_TRUE(result.met) << result.why;
    const double a1 = result.unknowns[0].after, b1 = result.unknowns[1].after;
    EXPECT_NEAR(m * a1 * b1, J, 1e-11 * J);
    EXPECT_NEAR((a1 - a) * a1, (b1 - b) * b1, 1e-7 * (a * a + b * b)) << i;
    EXPECT_NEAR(result.unknowns[0].share + result.unknowns[1].share, 1, 1e-12);
    EXPECT_NEAR(result.change, std::hypot(a1 - a, b1 - b) / 0.1, 1e-12);
  }
}

TEST_F(Design, weighs_changes_by_their_scales) {
  // The rod stands `height` above the floor; closing one gap by height and floor alone: Σ of shares by scale².
  std::string scene = rod(1, 0.05, 0.2, 0.3, 0.1);
  const std::string floor = "{type: half-space, name: floor}";
  scene.replace(scene.find(floor), floor.size(), "{type: half-space, name: floor, point: [0, 0, 0.0]}");
  const DesignResult result =
      run(scene, "unknowns:\n  height: {scale: 0.01}\n  up: {at: world/shapes/floor/point/2, scale: 0.02}\n" + feet +
                     "conditions: [{closed: rear}, {closed: front}]\n");
  ASSERT_TRUE(result.met) << result.why;
  // min (x/0.01)² + (y/0.02)² with y − x = 0.1: x = −0.1 · 1/5, y = 0.1 · 4/5.
  EXPECT_NEAR(result.unknowns[0].after, 0.08, 1e-10);
  EXPECT_NEAR(result.unknowns[1].after, 0.08, 1e-10);
  EXPECT_NEAR(result.unknowns[1].share, 0.8, 1e-8);
}

TEST_F(Design, tells_the_bound_that_is_in_its_way) {
  const DesignResult result = run(rod(2, 0.1, 0.3, 0.4), "unknowns: {J: {bounds: [0.05, 0.2]}}\n" + orthogonal_feet);
  EXPECT_FALSE(result.met);
  EXPECT_EQ(result.unknowns[0].after, 0.2);
  EXPECT_EQ(result.unknowns[0].at_bound, 1);
  EXPECT_NE(result.why.find("In its way: J at its upper bound 0.2."), std::string::npos) << result.why;
  // A₁₂ = 1/m − a b/J, A₁₁ = 1/m + a²/J, A₂₂ = 1/m + b²/J
  const double cosine = (0.5 - 0.6) / std::sqrt((0.5 + 0.45) * (0.5 + 0.8));
  EXPECT_NEAR(result.conditions[0].after, cosine, 1e-12);
  EXPECT_NEAR(result.conditions[0].miss, -cosine, 1e-12);
  EXPECT_NE(result.why.find("cosine of rear and front = 0 can't be met"), std::string::npos);
}

TEST_F(Design, tells_that_conditions_contradict_each_other) {
  const DesignResult result =
      run(rod(2, 0.1, 0.3, 0.4),
          "unknowns: {height: {scale: 1}}\n" + feet + "conditions: [{closed: rear}, {gap: front, equals: 0.1}]\n");
  EXPECT_FALSE(result.met);
  EXPECT_NE(result.why.find("contradict"), std::string::npos) << result.why;
  EXPECT_NEAR(result.conditions[0].after, 0.05, 1e-6);
}

TEST_F(Design, keeps_inequalities_and_formulas) {
  // The cheapest pair of feet with a b = J/m within a + b ≤ 0.68: on that line.
  const double J = 2 * 0.115;
  const DesignResult result = run(
      rod(2, J, 0.3, 0.4), "unknowns: {a: , b: }\n" + feet +
                               "conditions: [{normals: [rear, front], are: orthogonal}, {value: a + b, at_most: 0.68}, "
                               "{normals: [rear, front], are: independent}]\n");
  ASSERT_TRUE(result.met) << result.why;
  const double a = result.unknowns[0].after, b = result.unknowns[1].after;
  EXPECT_NEAR(a * b, J / 2, 1e-12);
  EXPECT_LE(a + b, 0.68 + 1e-12);
  EXPECT_NEAR(a + b, 0.68, 1e-9);  // the nearest solution without it has 0.685: both grow by one factor
  for (const char* cost : {"a + 2*b", "1e6*(a + 2*b)", "1e-9*(a + 2*b)"}) {
    const DesignResult least = run(rod(2, J, 0.3, 0.4), "unknowns: {a: {bounds: [0.1, 1]}, b: {bounds: [0.1, 1]}}\n" +
                                                            orthogonal_feet + "minimise: =" + cost + "\n");
    ASSERT_TRUE(least.met) << least.why;
    EXPECT_NEAR(least.unknowns[0].after, std::sqrt(2 * 0.115), 1e-6) << cost;  // a b = 0.115, a = 2 b
    EXPECT_NEAR(least.unknowns[1].after, std::sqrt(0.115 / 2), 1e-6) << cost;
    EXPECT_EQ(design_text(least).find("this is a solution, but"), std::string::npos) << cost;
  }
}

TEST_F(Design, tells_of_a_way_down_that_broke_off) {
  // The cost has no value where the conditions are met first: a = 0.2 is asked for, and it is one above 0.25 only.
  const DesignResult result =
      run(rod(2, 0.2, 0.3, 0.4),
          "unknowns: {a: , b: }\n" + feet + "conditions: [{value: a, equals: 0.2}]\nminimise: =sqrt(a - 0.25) + b\n");
  ASSERT_TRUE(result.met) << result.why;
  EXPECT_NE(design_text(result).find("broke off"), std::string::npos) << design_text(result);
  EXPECT_TRUE(nlohmann::json::parse(design_json(result))["stationarity"].is_null());
}

TEST_F(Design, puts_in_what_depends_on_the_unknowns) {
  std::string scene = rod(2, 0.2, 0.3, 0.4);
  const DesignResult result =
      run(scene, "unknowns: {a: }\ndependent: {bodies/rod/inertia/mass: =2*a/0.3, b: =a + 0.1}\n" + orthogonal_feet);
  ASSERT_TRUE(result.met) << result.why;
  const double a = result.unknowns[0].after;
  EXPECT_NEAR(2 * a / 0.3 * a * (a + 0.1), 0.2, 1e-11);
  const SceneText designed(result.text_after, "designed.yaml");
  EXPECT_EQ(designed.number("a"), a);
  EXPECT_EQ(designed.number("b"), a + 0.1);
  EXPECT_EQ(designed.number("bodies/rod/inertia/mass"), 2 * a / 0.3);
}

TEST_F(Design, knows_what_depends_on_the_unknowns_in_every_formula) {
  const std::string scene = rod(2, 0.2, 0.3, 0.4);
  const DesignResult result =
      run(scene, "unknowns: {a: }\ndependent: {b: =a + 0.1}\n" + feet + "conditions: [{value: a + b, at_most: 0.6}]\n");
  ASSERT_TRUE(result.met) << result.why;
  EXPECT_NEAR(result.unknowns[0].after, 0.25, 1e-8);
  EXPECT_NEAR(result.conditions[0].before, 0.7, 1e-15);
  EXPECT_LE(result.conditions[0].after, 0.6 + 1e-12);
  // Dependents of dependents, in any order; a cost of them; an unknown by a name that is not its parameter's.
  const DesignResult chain = run(scene,
                                 "unknowns: {x: {at: a, bounds: [0.1, 1]}}\n"
                                 "dependent: {bodies/rod/inertia/mass: =20*J, J: =b^2, b: =a + 0.1}\n" +
                                     feet + "conditions: [{value: x, at_least: 0.2}]\nminimise: =J + b\n");
  ASSERT_TRUE(chain.met) << chain.why;
  EXPECT_NEAR(chain.unknowns[0].after, 0.2, 1e-8);
  const SceneText designed(chain.text_after, "designed.yaml");
  const double b = chain.unknowns[0].after + 0.1;
  EXPECT_EQ(designed.number("b"), b);
  EXPECT_EQ(designed.number("J"), std::pow(b, 2));
  EXPECT_EQ(designed.number("bodies/rod/inertia/mass"), 20 * designed.number("J"));
}

TEST_F(Design, holds_for_the_scene_that_it_writes) {
  const std::string study =
      "unknowns: {a: , b: , height: {scale: 0.1}}\n" + feet +
      "conditions: [{normals: [rear, front], are: orthogonal}, {closed: rear}, {velocity: front, equals: -1}]\n";
  const DesignResult first = run(rod(2, 0.2, 0.3, 0.4, 0.05), study);
  ASSERT_TRUE(first.met) << first.why;
  const DesignResult second = run(first.text_after, study);
  EXPECT_TRUE(second.conditions[0].met_before && second.conditions[1].met_before && second.conditions[2].met_before);
  EXPECT_LT(second.change, 1e-10);
  const nlohmann::json json = nlohmann::json::parse(design_json(first));
  EXPECT_TRUE(json["met"]);
  EXPECT_EQ(json["unknowns"].size(), 3u);
  EXPECT_EQ(json["after"]["unique"], "yes");
  EXPECT_EQ(json["before"]["unique"], "no");
  EXPECT_NE(design_text(first).find("unique: the normals are orthogonal"), std::string::npos);
}

TEST_F(Design, tells_what_is_wrong_with_a_study) {
  const std::string scene = rod(2, 0.2, 0.3, 0.4);
  EXPECT_EQ(refusal(scene, "unknowns: {c: }\n" + orthogonal_feet),
            "2:12: " + (folder_ / "scene.yaml").string() + ": there is no parameter 'c'; did you mean 'a'?");
  EXPECT_EQ(refusal(scene, "unknowns: {a: {bounds: [0.4, 1]}}\n" + orthogonal_feet),
            "2:12: a is 0.3 in the scene, outside its bounds 0.4 to 1; widen them, or begin elsewhere");
  EXPECT_EQ(refusal(scene, "unknowns: {a: {bounds: [2, 1]}}\n" + orthogonal_feet),
            "2:24: the lower bound of a must be below the upper one");
  EXPECT_EQ(refusal(scene, "unknowns: {a: }\n" + feet + "conditions: [{closed: reer}]\n"),
            "4:23: there is no contact 'reer'; did you mean 'rear'?");
  EXPECT_EQ(refusal(scene, "unknowns: {a: }\n" + feet + "conditions: [{normals: [rear, front], are: pi/1}]\n"),
            "4:44: normals are orthogonal, independent, or pi/m apart with a whole number m from 2 to 1000, as in "
            "pi/3, but not 'pi/1'");
  EXPECT_EQ(refusal(scene, "unknowns: {a: }\n" + feet + "conditions: [{gap: rear}]\n"),
            "4:14: a condition lacks the key 'equals': the number that it is to be; or at_least, at_most");
  EXPECT_EQ(refusal(scene, "unknowns: {a: }\n" + feet + "conditions: [{gap: rear, cosine: [rear, front]}]\n"),
            "4:26: a condition is about one thing; this one is about gap and cosine");
  EXPECT_EQ(refusal(scene, "unknowns: {a: }\n" + feet + "conditions: [{closed: rear, equals: 1}]\n"),
            "4:29: 'equals' says nothing of 'closed'; remove it");
  EXPECT_EQ(refusal(scene, "unknowns: {a: }\n" + feet + "conditions: []\n"),
            "4:13: conditions is an empty list; write what the design is to meet, as in [{closed: foot}]");
  EXPECT_EQ(refusal(scene, "unknowns: {a: }\ndependent: {b: =2*q}\n" + orthogonal_feet),
            "3:13: unknown name 'q' in the formula '2*q'; did you mean 'J'?");
  EXPECT_EQ(refusal(scene, "unknowns: {a: }\ndependent: {b: =2*a, J: =b*q}\n" + orthogonal_feet),
            "3:22: unknown name 'q' in the formula 'b*q'; did you mean 'J'?");
  EXPECT_EQ(refusal(scene, "unknowns: {a: }\ndependent: {b: =J + a, J: =2*b}\n" + orthogonal_feet),
            "3:13: the dependents b -> J -> b depend on each other in a circle; write one of them by unknowns alone");
  EXPECT_EQ(refusal(scene, "unknowns: {a: }\ndependent: {b: =b + a}\n" + orthogonal_feet),
            "3:13: the dependents b -> b depend on each other in a circle; write one of them by unknowns alone");
  EXPECT_EQ(refusal(scene, "unknowns: {a: }\ndependent: {a: =2*b}\n" + orthogonal_feet),
            "3:13: 'a' is an unknown already; take it out of one of the two");
  EXPECT_EQ(
      refusal(scene, "unknowns: {a: }\n" + orthogonal_feet + "minimise: =a + q\n"),
      (folder_ / "study.yaml").string() + ": minimise: unknown name 'q' in the formula 'a + q'; did you mean 'J'?");
  EXPECT_EQ(refusal(scene, "unknowns: {a: }\ncontacts: {rear: [rod, floor]}\nconditions: [{closed: rear}]\n"),
            "contact rear: there are several shapes on 'rod'; the shapes of " + (folder_ / "scene.yaml").string() +
                " are: world, rod/rear, rod/front");
  EXPECT_EQ(refusal(scene, "unknowns: {a: }\ncontacts: {rear: [rod/rear, rod/front]}\nconditions: [{closed: rear}]\n")
                .find("contact rear: rod/rear and rod/front are never tested"),
            0u);
  EXPECT_EQ(refusal(scene, "unknowns: {a: }\n" + orthogonal_feet + "minimise: indeterminacy\n"),
            "2:12: minimise: indeterminacy searches between bounds; give a two finite ones");
}

TEST_F(Design, tells_of_files_whose_names_are_no_text) {
  DesignResult result = run(rod(2, 0.2, 0.3, 0.4), "unknowns: {a: }\n" + orthogonal_feet);
  result.study.file = "caf\xe9.yaml";
  const nlohmann::json json = nlohmann::json::parse(design_json(result));
  EXPECT_EQ(json["study"], "caf\xef\xbf\xbd.yaml");  // U+FFFD in its place
}

TEST_F(Design, keeps_columns_with_long_names) {
  const std::string long_name(60, 'n');
  const DesignResult result =
      run(rod(2, 0.2, 0.3, 0.4), "unknowns: {a: , " + long_name + ": {at: b}}\n" + "contacts: {" + long_name +
                                     ": [rod/rear, floor], front: [rod/front, floor]}\n"
                                     "conditions: [{closed: " +
                                     long_name + "}, {closed: front}]\n");
  const std::string text = design_text(result);
  // A column of numbers ends at the same place in every line of its table.
  std::vector<std::string> lines;
  for (std::size_t at = 0, end = 0; (end = text.find('\n', at)) != std::string::npos; at = end + 1)
    lines.push_back(text.substr(at, end - at));
  int tables = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::size_t head = lines[i].find("before");
    if (head == std::string::npos || lines[i].find("after") == std::string::npos) continue;
    ++tables;
    for (std::size_t k = i + 1; k < lines.size() && !lines[k].empty(); ++k) {
      if (lines[k].starts_with("before:")) break;
      ASSERT_GT(lines[k].size(), head + 5);
      EXPECT_NE(lines[k][head + 5], ' ') << lines[k];
      EXPECT_TRUE(lines[k].size() == head + 6 || lines[k][head + 6] == ' ') << lines[k];
    }
  }
  EXPECT_EQ(tables, 3);
}

TEST_F(Design, warns_of_what_overlaps_elsewhere) {
  std::string scene = rod(2, 0.2, 0.3, 0.4);
  const std::string post =
      "world: {shapes: [{type: half-space, name: floor}, {type: sphere, name: post, radius: 0.05, position: [0.45, 0, "
      "0.01]}]}";
  const std::string world = "world: {shapes: [{type: half-space, name: floor}]}";
  scene.replace(scene.find(world), world.size(), post);
  const DesignResult result = run(scene, "unknowns: {a: }\n" + orthogonal_feet);
  ASSERT_EQ(result.overlaps.size(), 1u);
  EXPECT_NE(result.overlaps[0].find("by 0.01 m"), std::string::npos) << result.overlaps[0];
}

TEST(DesignStudies, that_ship_with_carom_are_met_and_make_impacts_unique) {
  int count = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(source_folder()) / "scenes/studies")) {
    const DesignResult result = design(load_design_study(entry.path().string()));
    EXPECT_TRUE(result.met) << result.why;
    EXPECT_EQ(result.verdict_before.here, Unique::no) << entry.path();
    EXPECT_EQ(result.verdict_after.always, Unique::yes) << entry.path();
    EXPECT_LT(result.verdict_after.indeterminacy, 1e-5 * result.verdict_before.indeterminacy);
    EXPECT_LT(result.stationarity, 1e-6 * (1 + result.change)) << entry.path();
    ++count;
  }
  EXPECT_GE(count, 2);
}

}  // namespace
}  // namespace carom::design_test
