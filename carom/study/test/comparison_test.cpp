// One scene under several methods: what is measured of a run, how far runs are apart, where they part and why.
#include "carom/study/comparison.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <random>

#include "carom/error.h"
#include "carom/study/comparison_page.h"
#include "carom/study/comparison_text.h"

namespace carom::comparison_test {
namespace {

/// Balls of radius 0.1 m on a line along x in weightlessness. The first comes at 1 m/s from a distance of `gap`; the
/// other two touch.
std::string row_of_balls(double restitution, double gap) {
  std::string text = "carom: 1\ngravity: [0, 0, 0]\nmaterials:\n  - {name: steel, friction: 0, restitution: " +
                     std::to_string(restitution) + ", youngs_modulus: 2e11, poisson_ratio: 0.3}\nbodies:\n";
  for (int i = 0; i < 3; ++i) {
    const double x = 0.2 * i - (i == 0 ? gap : 0);
    text += "  - {name: ball " + std::to_string(i + 1) + ", mass: 1, position: [" + std::to_string(x) +
            ", 0, 0], velocity: [" + (i == 0 ? "1" : "0") +
            ", 0, 0], shapes: [{type: sphere, radius: 0.1, material: steel}]}\n";
  }
  return text + "method: {stepper: event-driven, law: plus, step: 0.01}\nduration: 0.5\n";
}

/// A ball that falls from its lowest point at height h.
std::string falling_ball(double height, double restitution, double friction = 0.3) {
  return "carom: 1\ngravity: [0, 0, -10]\nmaterials:\n  - {name: rubber, friction: " + std::to_string(friction) +
         ", restitution: " + std::to_string(restitution) +
         "}\nworld:\n  shapes: [{type: half-space, material: rubber}]\nbodies:\n  - {name: ball, mass: 2, position: "
         "[0, 0, " +
         std::to_string(height + 0.1) +
         "], shapes: [{type: sphere, radius: 0.1, material: rubber}]}\n"
         "method: {stepper: event-driven, law: newton, step: 0.01}\nduration: 1\n";
}

SceneSource source_of(const std::string& text) { return {text, "test.yaml", {}}; }

ComparisonOptions options_of(const std::vector<std::string>& methods, double tolerance) {
  ComparisonOptions options;
  for (const std::string& method : methods) options.methods.push_back(parse_method_choice(method));
  options.tolerance = tolerance;
  options.budget = 60;
  return options;
}

// The distance is that of the points of mass themselves, summed one by one.
TEST(RunDifference, IsTheMeanSquareDistanceOfTheBodysPoints) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  const auto vec = [&] { return Vec3(normal(random), normal(random), normal(random)); };
  const auto motion = [&] {
    return BodyMotion{vec(), Quaternion(normal(random), normal(random), normal(random), normal(random)).normalized(),
                      vec(), vec()};
  };
  for (int trial = 0; trial < 100; ++trial) {
    std::vector<std::pair<double, Vec3>> points;
    SpatialInertia inertia;
    for (int i = 0; i < 6; ++i) {
      const auto& [mass, r] = points.emplace_back(std::exp(normal(random)), vec());
      inertia = inertia + SpatialInertia{mass, r, 1e-300 * Mat3::Identity()};
    }
    const Body body{"cloud", inertia};
    const BodyMotion a = motion(), b = motion();
    double place = 0, rate = 0, mass = 0;
    for (const auto& [m, r] : points) {
      const Vec3 ra = a.orientation * r, rb = b.orientation * r;
      place += m * (a.position + ra - b.position - rb).squaredNorm();
      rate += m * (a.velocity + a.angular_velocity.cross(ra) - b.velocity - b.angular_velocity.cross(rb)).squaredNorm();
      mass += m;
    }
    EXPECT_NEAR(body_distance(body, a, b), std::sqrt(place / mass), 1e-12 * std::sqrt(place / mass));
    EXPECT_NEAR(body_speed_difference(body, a, b), std::sqrt(rate / mass), 1e-12 * std::sqrt(rate / mass));
    EXPECT_NEAR(body_distance(body, a, a), 0, 1e-14);
  }
}

// Impulses of contacts are what gravity does not explain of the change of momentum, whatever the method.
TEST(SampledRun, ImpulsesAreTheChangeOfMomentum) {
  const SceneSource source = source_of(falling_ball(0.2, 0.5));
  for (const MethodChoice& choice : sensible_methods(source).chosen) {
    const Scene scene = scene_with(source, choice);
    const SampledRun run = sample_run(scene, {.every = 7, .budget = 60, .record = nullptr});
    ASSERT_EQ(run.trouble, "") << choice.name();
    ASSERT_EQ(run.times.size(), 1 + 14 + 1);  // the start, every seventh of a hundred steps, the last
    ASSERT_EQ(run.impulses.size(), 1);
    const auto& [pair, impulse] = *run.impulses.begin();
    EXPECT_EQ(pair, (BodyPair{-1, 0}));
    ASSERT_EQ(impulse.world.size(), run.times.size());
    for (std::size_t k = 0; k < run.times.size(); ++k) {
      const double momentum = 2 * run.bodies[k][0].velocity.z() + 2 * 10 * run.times[k];
      EXPECT_NEAR(impulse.world[k].z(), momentum, 1e-9) << choice.name() << " at " << run.times[k];
      EXPECT_NEAR(impulse.normal[k], momentum, 1e-9);
    }
    ASSERT_FALSE(run.strikes.empty()) << choice.name();
    EXPECT_NEAR(run.strikes.front().time, 0.2, 0.011) << choice.name();
    EXPECT_NEAR(run.energy.front(), 2 * 10 * 0.3, 1e-12);
  }
}

// Steps are halved until the motion is known to the tolerance. The estimate covers the error against the closed form, a
// ball that falls.
TEST(RefinedRun, ErrorIsWhatItSays) {
  const SceneSource source = source_of(falling_ball(100, 0));
  for (const double tolerance : {3e-2, 3e-3, 3e-4}) {
    Refinement refinement;
    refinement.tolerance = tolerance;
    refinement.budget = 60;
    const RefinedRun refined = refine_run(source, {StepperKind::stewart_trinkle, LawKind::none}, refinement);
    ASSERT_TRUE(refined.settled);
    double error = 0;
    for (std::size_t k = 0; k < refined.run.times.size(); ++k) {
      const double t = refined.run.times[k];
      error = std::max(error, std::abs(refined.run.bodies[k][0].position.z() - (100.1 - 5 * t * t)));
    }
    EXPECT_LE(error, largest_error(refined) * (1 + 1e-6));
    EXPECT_LE(largest_error(refined), tolerance);
    EXPECT_GE(error, 0.1 * largest_error(refined)) << "an estimate that is far too large is no estimate";
    for (std::size_t k = 1; k < refined.trials.size(); ++k) {
      EXPECT_EQ(refined.trials[k].accuracy, refined.trials[k - 1].accuracy / 2);
    }
  }
}

TEST(MethodChoice, SaysWhatIsLeftOutAndWhy) {
  const auto names = [](const MethodChoices& choices) {
    std::vector<std::string> list;
    for (const MethodChoice& choice : choices.chosen) list.push_back(choice.name());
    return list;
  };
  const auto has = [](const std::vector<std::string>& list, const std::string& name) {
    return std::find(list.begin(), list.end(), name) != list.end();
  };
  const MethodChoices elastic = sensible_methods(source_of(falling_ball(1, 0.5)));
  const std::vector<std::string> with = names(elastic);
  for (const char* name :
       {"stewart-trinkle/newton", "anitescu-potra/poisson", "semi-explicit/plus", "event-driven/lzb"}) {
    EXPECT_TRUE(has(with, name)) << name;
  }
  EXPECT_FALSE(has(with, "stewart-trinkle"));  // would ignore the restitution
  EXPECT_FALSE(has(with, "semi-explicit/plastic"));
  const std::vector<std::string> without = names(sensible_methods(source_of(falling_ball(1, 0))));
  EXPECT_TRUE(has(without, "stewart-trinkle"));
  EXPECT_TRUE(has(without, "event-driven/plastic"));
  EXPECT_FALSE(has(without, "event-driven/newton"));
  EXPECT_TRUE(has(without, "event-driven/stronge"));     // its slip may turn within an impact all the same
  EXPECT_FALSE(has(with, "event-driven/energy-blend"));  // is without friction
  const std::vector<std::string> smooth = names(sensible_methods(source_of(falling_ball(1, 0.5, 0))));
  EXPECT_TRUE(has(smooth, "event-driven/energy-blend"));
  EXPECT_FALSE(has(smooth, "event-driven/propagative"));  // is elastic
  const std::vector<std::string> kept = names(sensible_methods(source_of(falling_ball(1, 1, 0))));
  EXPECT_TRUE(has(kept, "event-driven/propagative"));
  EXPECT_FALSE(has(kept, "event-driven/energy-blend"));  // at restitution 1 the same law
  for (const LeftOut& left : elastic.left_out) EXPECT_GT(left.reason.size(), 20) << left.choice.name();
  // A stepper and a law that never go together are no method that was left out.
  for (const LeftOut& left : elastic.left_out) EXPECT_TRUE(go_together(left.choice.stepper, left.choice.law));
  EXPECT_THROW(parse_method_choice("semi-explicit/pluss"), Error);
  EXPECT_EQ(parse_method_choice("stewart-trinkle"), (MethodChoice{StepperKind::stewart_trinkle, LawKind::none}));
}

// Three equal elastic balls, the last two touching. An impact that runs through them in rounds leaves only the last one
// moving, Newton's law all of them. Ball 1 reaches ball 2 at a time that is known.
TEST(Comparison, PartsAtTheImpactThatDidIt) {
  const double gap = 0.1503;
  const Comparison comparison = compare(
      source_of(row_of_balls(1, gap)),
      options_of({"event-driven/plus", "event-driven/newton", "semi-explicit/plus", "semi-explicit/newton"}, 1e-4));
  ASSERT_EQ(comparison.runs.size(), 4);
  for (const RefinedRun& run : comparison.runs) EXPECT_TRUE(run.settled) << run.choice.name();
  EXPECT_EQ(comparison.groups, (std::vector<std::vector<std::size_t>>{{0, 2}, {1, 3}}));
  const std::vector<Split> found = splits(comparison);
  ASSERT_EQ(found.size(), 1);
  const Parting& parting = found.front().parting;
  EXPECT_LT(parting.from, gap);
  EXPECT_GT(parting.to, gap);
  EXPECT_GT(parting.time, gap);
  EXPECT_LT(parting.time, gap + 0.01);
  EXPECT_TRUE(parting.has_cause);
  EXPECT_TRUE(parting.strikes);
  // PLUS passes all of the momentum on to ball 3. With impulses p and q in units of m v, Newton's law requires 2 p − q
  // = 2 of balls 1 and 2. For balls 2 and 3 it requires 2 q − p = 0. So q = 2/3, and the velocities are −1/3, 2/3, 2/3.
  EXPECT_EQ(parting.pair, (BodyPair{1, 2}));
  EXPECT_NEAR(std::max(parting.first_impulse, parting.second_impulse), 1, 1e-6);
  EXPECT_NEAR(std::min(parting.first_impulse, parting.second_impulse), 2.0 / 3, 1e-6);
  EXPECT_NEAR(parting.largest, (0.5 - gap) * 2 / 3, 1e-6);  // of ball 2
  const std::vector<std::string> words = comparison_words(comparison);
  EXPECT_NE(words[0].find("2 different motions"), std::string::npos) << words[0];
  EXPECT_NE(words[1].find("ball 3 – ball 2"), std::string::npos) << words[1];
}

// A single ball gives laws nothing to differ in.
TEST(Comparison, LawsAgreeOnASingleContact) {
  const Comparison comparison = compare(source_of(falling_ball(0.2, 0.5)), options_of({}, 2e-3));
  EXPECT_GE(comparison.runs.size(), 12);
  EXPECT_EQ(comparison.groups.size(), 1) << comparison_text(comparison);
  EXPECT_TRUE(splits(comparison).empty());
  for (const Parting& parting : comparison.partings) EXPECT_FALSE(parting.parted());
}

// The table of pairs is one for each, found in either order.
TEST(Comparison, EveryPairHasItsParting) {
  Comparison comparison;
  comparison.runs.resize(5);
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::size_t j = i + 1; j < 5; ++j) {
      comparison.partings.emplace_back();
      comparison.partings.back().first = i;
      comparison.partings.back().second = j;
    }
  }
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::size_t j = 0; j < 5; ++j) {
      if (i == j) continue;
      EXPECT_EQ(comparison.parting(i, j).first, std::min(i, j));
      EXPECT_EQ(comparison.parting(i, j).second, std::max(i, j));
    }
  }
}

// Random histories of splitting are found again from the times at which pairs part.
TEST(Comparison, SplitsAreTheHistoryOfTheGroups) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 200; ++trial) {
    const std::size_t n = 2 + random() % 7;
    // Runs start as one set; at each time one set splits in two.
    std::vector<std::vector<std::size_t>> sets{{}};
    for (std::size_t i = 0; i < n; ++i) sets[0].push_back(i);
    Comparison comparison;
    comparison.runs.resize(n);
    for (RefinedRun& run : comparison.runs) run.settled = true;
    std::vector<std::vector<double>> time(n, std::vector<double>(n, std::numeric_limits<double>::infinity()));
    int count = 0;
    for (int t = 1; t <= 4; ++t) {
      std::vector<std::size_t>& set = sets[random() % sets.size()];
      if (set.size() < 2) continue;
      const std::size_t cut = 1 + random() % (set.size() - 1);
      const std::vector<std::size_t> right(set.begin() + static_cast<std::ptrdiff_t>(cut), set.end());
      set.resize(cut);
      for (const std::size_t a : set) {
        for (const std::size_t b : right) time[a][b] = time[b][a] = t;
      }
      sets.push_back(right);
      ++count;
    }
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = i + 1; j < n; ++j) {
        Parting parting;
        parting.first = i;
        parting.second = j;
        parting.time = time[i][j];
        comparison.partings.push_back(parting);
      }
    }
    const std::vector<Split> found = splits(comparison);
    ASSERT_EQ(found.size(), count);
    for (std::size_t k = 0; k < found.size(); ++k) {
      if (k > 0) {
        EXPECT_GE(found[k].parting.time, found[k - 1].parting.time);
      }
      for (const std::size_t a : found[k].first) {
        for (const std::size_t b : found[k].second) EXPECT_EQ(time[a][b], found[k].parting.time);
      }
    }
  }
}

TEST(Comparison, TellsWhatItCannotRun) {
  // A method that was asked for by name and makes no sense is a fault; of all methods it is one that is left out.
  EXPECT_THROW((void)compare(source_of(falling_ball(1, 0.5)), options_of({"stewart-trinkle"}, 1e-3)), SceneError);
  EXPECT_THROW((void)compare(source_of("carom: 1\n"), options_of({}, 1e-3)), SceneError);
  // A budget that is too small is reported, and not called agreement.
  ComparisonOptions options = options_of({"stewart-trinkle/newton", "event-driven/newton"}, 1e-12);
  options.budget = 1e-7;
  const Comparison comparison = compare(source_of(falling_ball(0.2, 0.5)), options);
  const std::vector<std::string> words = comparison_words(comparison);
  EXPECT_NE(words[0].find("No method got to the end"), std::string::npos) << words[0];
  EXPECT_NE(words[1].find("stewart-trinkle/newton did not get to the end"), std::string::npos) << words[1];
  EXPECT_TRUE(comparison.groups.empty());
  EXPECT_TRUE(splits(comparison).empty());
  for (const Parting& parting : comparison.partings) EXPECT_FALSE(parting.parted());
}

// Whole runs are kept where a shorter step would take too long: their error is reported, and they have not settled.
TEST(RefinedRun, KeepsTheLastWholeRun) {
  const SceneSource source = source_of(falling_ball(100, 0));
  for (const double budget : {1e-3, 3e-3, 1e-2}) {
    Refinement refinement;
    refinement.tolerance = 1e-12;
    refinement.budget = budget;
    const RefinedRun refined = refine_run(source, {StepperKind::stewart_trinkle, LawKind::none}, refinement);
    EXPECT_FALSE(refined.settled);
    if (refined.trials.size() > 1) {
      EXPECT_EQ(refined.run.times.back(), 1);
      EXPECT_EQ(refined.run.trouble, "");
      EXPECT_EQ(refined.error.size(), refined.run.times.size());
    } else {
      EXPECT_EQ(largest_error(refined), std::numeric_limits<double>::infinity());
    }
  }
}

TEST(Comparison, JsonAndRecordsHoldIt) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("carom_comparison_test_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  ComparisonOptions options = options_of({"event-driven/plus", "event-driven/newton"}, 1e-4);
  options.records = folder.string();
  const Comparison comparison = compare(source_of(row_of_balls(1, 0.1503)), options);
  const auto json = nlohmann::json::parse(comparison_json(comparison, "page.html"));
  EXPECT_EQ(json["groups"].size(), 2);
  EXPECT_EQ(json["runs"].size(), 2);
  EXPECT_EQ(json["runs"][1]["distance"].size(), json["times"].size());
  EXPECT_EQ(json["partings"][0]["cause"]["bodies"], "ball 3 – ball 2");
  for (const RefinedRun& refined : comparison.runs) {
    const Record record = read_record(refined.record);
    EXPECT_EQ(record.end, "done");
    EXPECT_EQ(record.scene.method.law, refined.choice.law);
    const std::vector<BodyMotion> end = body_motions(*record.scene.model, record.frames.back().state);
    for (std::size_t i = 0; i < end.size(); ++i) EXPECT_EQ(end[i].position, refined.run.bodies.back()[i].position);
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace carom::comparison_test
