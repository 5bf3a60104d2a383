#include "carom/study/fit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <random>

#include "carom/study/test/fit_cases.h"

namespace carom::fit_test {
namespace {

TEST_F(Fit, OfASpringAndItsDampingIsSmoothAndFindsBoth) {
  write("scene.yaml", oscillator);
  const FitResult result = fit(study(oscillator_study), oscillations(1));
  EXPECT_TRUE(result.smooth);
  EXPECT_TRUE(is_near(result, "stiffness", 41));
  EXPECT_TRUE(is_near(result, "damping", 0.7));
  EXPECT_NEAR(number(result, "stiffness").value, 41, 1);
  // The covariance of a linear model holds near enough: the interval is ±2 deviations.
  for (const FittedNumber& one : result.numbers) {
    EXPECT_NEAR(one.high - one.low, 4 * one.deviation, 0.2 * (one.high - one.low)) << one.name;
    EXPECT_TRUE(one.determined());
  }
  EXPECT_NEAR(result.columns[0].noise, 0.01, 0.003);
  EXPECT_TRUE(result.directions.empty());
  EXPECT_TRUE(result.sentences.empty()) << all_sentences(result);
}

TEST_F(Fit, OfMassAndStiffnessFindsTheDirectionThatNothingTells) {
  write("scene.yaml", oscillator);
  const FitStudy asked = study(R"(scene: scene.yaml
data: none.csv
columns: {x: rail}
unknowns:
  mass: {bounds: [0.5, 8], scale: log}
  stiffness: {bounds: [5, 200], scale: log}
  damping: {bounds: [0, 3]}
)");
  const FitResult result = fit(asked, oscillations(2));
  ASSERT_EQ(result.directions.size(), 1U) << all_sentences(result);
  // All three forces grow alike: only their ratios act.
  EXPECT_EQ(result.directions[0].parts.size(), 3U);
  EXPECT_NE(all_sentences(result).find("can't be told apart"), std::string::npos) << all_sentences(result);
  EXPECT_FALSE(number(result, "mass").determined());
  EXPECT_NEAR(number(result, "stiffness").value / number(result, "mass").value, 20.5, 0.7);
}

TEST_F(Fit, OfABouncingBallFindsItsRestitutionAndSaysThatFrictionIsOpen) {
  write("scene.yaml", ball);
  const Throw truth;
  const FitData data = made({[&](double t) { return flown(truth, t).x; }, [&](double t) { return flown(truth, t).z; }},
                            {"x", "z"}, 1.1, 55, 0.003, 3);
  const std::string text = R"(scene: scene.yaml
data: none.csv
columns: {x: ball.position.x, z: ball.position.z}
unknowns:
  restitution: {bounds: [0.3, 0.95]}
  friction: {bounds: [0.01, 0.8]}
  height: {bounds: [0.7, 1.2]}
  speed: {bounds: [0, 4]}
)";
  const FitResult result = fit(study(text), data);
  for (const auto& [name, value] : {std::pair{"restitution", 0.75}, {"height", 0.9}, {"speed", 2.0}}) {
    EXPECT_TRUE(is_near(result, name, value))
        << name << " " << number(result, name).low << " " << number(result, name).high;
    EXPECT_TRUE(number(result, name).determined());
  }
  // The slip, 2 m/s, ends in the first impact for any friction from 2/7 · 2 / (1.75 · 4.13) = 0.079 on.
  const FittedNumber& friction = number(result, "friction");
  EXPECT_TRUE(friction.open_high);
  EXPECT_FALSE(friction.open_low);
  EXPECT_GT(friction.low, 0.06);
  EXPECT_LT(friction.low, 0.085);
  EXPECT_NE(all_sentences(result).find("friction is not determined: every value from 0.0"), std::string::npos)
      << all_sentences(result);
}

TEST_F(Fit, OfAThrowWithMoreSlipDeterminesFriction) {
  write("scene.yaml", ball);
  const Throw truth{.height = 0.4, .speed = 2, .spin = -200};
  const FitData data = made({[&](double t) { return flown(truth, t).x; }, [&](double t) { return flown(truth, t).z; }},
                            {"x", "z"}, 0.9, 45, 0.003, 4);
  const FitResult result = fit(study(R"(scene: scene.yaml
data: none.csv
columns: {x: ball.position.x, z: {formula: ball.position.z, noise: 0.003}}
unknowns:
  friction: {bounds: [0.01, 0.8]}
  restitution: {bounds: [0.3, 0.95]}
  height: {bounds: [0.2, 0.8]}
  spin: {bounds: [-200.001, -199.999]}
)"),
                               data);
  EXPECT_TRUE(is_near(result, "friction", 0.35));
  EXPECT_TRUE(is_near(result, "restitution", 0.75));
  EXPECT_TRUE(number(result, "friction").determined()) << all_sentences(result);
  EXPECT_LT(number(result, "friction").high - number(result, "friction").low, 0.05);
  // The spin is known so well that its own range is all within the noise.
  EXPECT_FALSE(number(result, "spin").determined());
}

TEST_F(Fit, OfStepsThatJumpGoesWithoutDerivativesAndSaysWhereAndWhy) {
  std::string scene = ball;
  scene.replace(scene.find("method:"), std::string::npos,
                "method: {stepper: stewart-trinkle, law: newton, step: 0.01}\nduration: 1\n");
  write("scene.yaml", scene);
  const Throw truth;
  const FitData data = made({[&](double t) { return flown(truth, t).z; }}, {"z"}, 1.1, 55, 0.01, 5);
  const FitResult result = fit(study(R"(scene: scene.yaml
data: none.csv
columns: {z: ball.position.z}
unknowns: {restitution: {bounds: [0.3, 0.95]}, height: {bounds: [0.7, 1.2]}}
)"),
                               data);
  EXPECT_FALSE(result.smooth);
  EXPECT_NE(fit_text(result).find("BOBYQA"), std::string::npos);
  EXPECT_NE(result.why_not_smooth.find("z by "), std::string::npos);
  // With steps of 10 ms the impact comes up to 10 ms late: near the truth, no more.
  EXPECT_NEAR(number(result, "restitution").value, 0.75, 0.03);
}

TEST_F(Fit, HasInitialStatesOfEachExperimentAndMethodsRankedByFolds) {
  write("scene.yaml", ball);
  FitData data{"made.csv", {"z"}, {}};
  for (int e = 0; e < 3; ++e) {
    const Throw truth{.height = 0.6 + 0.07 * e};
    data.motions.push_back(
        made({[&](double t) { return flown(truth, t).z; }}, {"z"}, 1, 50, 0.003, 20 + e, "throw " + std::to_string(e))
            .motions.front());
  }
  const FitResult result = fit(study(R"(scene: scene.yaml
data: none.csv
columns: {z: ball.position.z}
unknowns:
  restitution: {bounds: [0.3, 0.95]}
  height: {bounds: [0.3, 1.5], per: experiment}
methods: [event-driven/plastic, event-driven/newton]
folds: 3
starts: 1
)"),
                               data);
  ASSERT_EQ(result.numbers.size(), 4U);
  for (int e = 0; e < 3; ++e) {
    const FittedNumber& height = result.numbers[static_cast<std::size_t>(e) + 1];
    EXPECT_EQ(height.experiment, "throw " + std::to_string(e));
    EXPECT_NEAR(height.value, 0.6 + 0.07 * e, 0.004);
  }
  EXPECT_NEAR(number(result, "restitution").value, 0.75, 0.005);
  ASSERT_EQ(result.ranking.size(), 2U);
  EXPECT_EQ(result.ranking[0].name, "event-driven/newton");
  EXPECT_NEAR(result.ranking[0].held_out, 1, 0.2);  // the noise
  // A ball that stays on the ground misses by decimetres, or the law is refused as it leaves a restitution without use.
  const RankedMethod& plastic = result.ranking[1];
  EXPECT_TRUE(!plastic.left_out.empty() || (plastic.held_out > 10 && plastic.low > 0)) << plastic.held_out;
}

TEST_F(Fit, NamesTheBiasOfASceneThatLacksSomething) {
  write("scene.yaml", ball);
  // The camera sees the ball 2 cm higher from its first impact on, at sqrt(2 · 0.77 / 9.81) = 0.396 s.
  const Throw truth{.height = 0.8};
  const FitData data =
      made({[&](double t) { return flown(truth, t).z + (t > 0.36 ? 0.02 : 0); }}, {"z"}, 0.74, 37, 0.003, 6);
  const FitResult result = fit(study(R"(scene: scene.yaml
data: none.csv
columns: {z: {formula: ball.position.z, noise: 0.003}}
unknowns: {restitution: {bounds: [0.74, 0.76]}}
)"),
                               data);
  EXPECT_NE(all_sentences(result).find("z is 0.0"), std::string::npos) << all_sentences(result);
  EXPECT_NE(all_sentences(result).find("after the first impact"), std::string::npos) << all_sentences(result);
  EXPECT_NE(all_sentences(result).find("times the noise"), std::string::npos) << all_sentences(result);
  for (const FitBias& bias : result.biases) {
    EXPECT_EQ(bias.significant(), bias.phase != "before the first impact") << bias.phase;
  }
}

TEST_F(Fit, IsTheSameToTheBitOnAnyNumberOfThreads) {
  write("scene.yaml", oscillator);
  std::vector<std::string> told;
  for (const int threads : {1, 2, 3}) {
    FitStudy asked = study(std::string(oscillator_study) + "bootstrap: 20\n");
    FitOptions options;
    options.threads = threads;
    told.push_back(fit_json(fit(asked, oscillations(7), options), "", ""));
  }
  EXPECT_EQ(told[0], told[1]);
  EXPECT_EQ(told[0], told[2]);
}

TEST_F(Fit, ABootstrapHasIntervalsLikeThoseOfTheProfile) {
  write("scene.yaml", oscillator);
  for (const char* loss : {"squares", "soft_l1"}) {
    const FitResult result =
        fit(study(std::string(oscillator_study) + "bootstrap: 80\nloss: " + loss + "\n"), oscillations(8));
    for (const FittedNumber& one : result.numbers) {
      const double ratio = (one.bootstrap_high - one.bootstrap_low) / (one.high - one.low);
      EXPECT_GT(ratio, 0.6) << one.name << loss;
      EXPECT_LT(ratio, 1.5) << one.name << loss;
    }
  }
}

TEST_F(Fit, OfARobustLossBearsOutliers) {
  write("scene.yaml", oscillator);
  FitData data = oscillations(9);
  for (const int i : {10, 31, 47}) data.motions[0].values[0][static_cast<std::size_t>(i)] += 0.4;
  const FitResult plain = fit(study(oscillator_study), data);
  const FitResult robust = fit(study(std::string(oscillator_study) + "loss: soft_l1\n"), data);
  EXPECT_TRUE(is_near(robust, "stiffness", 41) && is_near(robust, "damping", 0.7));
  EXPECT_NEAR(robust.columns[0].noise, 0.01, 0.004);
  EXPECT_LT(number(robust, "stiffness").high - number(robust, "stiffness").low,
            0.5 * (number(plain, "stiffness").high - number(plain, "stiffness").low));
  EXPECT_NE(all_sentences(robust).find("3 of 60 values of x lie farther off"), std::string::npos)
      << all_sentences(robust);
}

// The second film ends before the ball strikes, so it says nothing of restitution: what it predicts of the first is the
// scene's own number.
TEST_F(Fit, AFoldKnowsNothingOfTheExperimentsThatItHoldsOut) {
  write("scene.yaml", ball);
  const Throw truth{.height = 0.8};
  const auto height = [&](double t) { return flown(truth, t).z; };
  FitData data = made({height}, {"z"}, 1, 50, 0.003, 11, "whole");
  data.motions.push_back(made({height}, {"z"}, 0.3, 15, 0.003, 12, "start").motions.front());
  const FitResult result = fit(study(R"(scene: scene.yaml
data: none.csv
columns: {z: {formula: ball.position.z, noise: 0.003}}
unknowns: {restitution: {bounds: [0.3, 0.95]}}
folds: 2
)"),
                               data);
  EXPECT_TRUE(is_near(result, "restitution", 0.75));
  EXPECT_NEAR(result.ranking[0].misfit, 1, 0.2);
  EXPECT_GT(result.ranking[0].held_out, 10);
}

TEST_F(Fit, WritesTheNumbersIntoTheScenesOwnText) {
  write("scene.yaml", std::string("# a cart\n") + oscillator);
  const FitResult result = fit(study(oscillator_study), oscillations(10));
  EXPECT_TRUE(result.text.starts_with("# a cart\ncarom: 1\n"));
  const double value = number(result, "stiffness").value;
  EXPECT_NO_THROW(parse_scene(result.text, path("scene.yaml")));
  EXPECT_NE(result.text.find("stiffness: " + nlohmann::json(value).dump()), std::string::npos) << result.text;
  write_fit_page(result, path("page.html"));
  EXPECT_GT(fs::file_size(path("page.html")), 10000U);
}

TEST_F(Fit, SaysWhatIsWrongAndWhere) {
  write("scene.yaml", ball);
  write("good.csv", "time,z\n0,0.8\n0.1,0.75\n0.2,0.6\n");
  const auto with = [](const std::string& columns, const std::string& unknowns, const std::string& more = "") {
    return "scene: scene.yaml\ndata: good.csv\ncolumns: {" + columns + "}\nunknowns: {" + unknowns + "}\n" + more;
  };
  const std::string z = "z: ball.position.z", e = "restitution: {bounds: [0.1, 0.9]}";
  EXPECT_EQ(faults(with(z, e)), "");
  const auto says = [&](const std::string& text, const std::string& sentence) {
    EXPECT_NE(faults(text).find(sentence), std::string::npos) << faults(text) << "\ninstead of " << sentence;
  };
  says("", "it needs scene, data, columns and unknowns");
  says(with("y: ball.position.z", e), "study.yaml:3:11: " + path("good.csv") + " has no column 'y'");
  says(with("z: ball.position", e), "study.yaml:3:11: column 'z': ball.position is a vector");
  says(with("z: bal.position.z", e), "study.yaml:3:11: column 'z': ");
  says(with(z, "restitutio: {bounds: [0.1, 0.9]}"), "study.yaml:4:12: unknown 'restitutio': ");
  says(with(z, "restitution: {bounds: [0.9, 0.1]}"), "study.yaml:4:34: the lower bound of restitution must be below");
  says(with(z, "restitution: {bounds: 0.9}"), "study.yaml:4:34: bounds must be [LEAST, GREATEST]");
  says(with(z, "restitution: {}"), "bounds");
  says(with(z, "friction: {bounds: [0, 1], scale: log}"), "on a log scale must be above 0");
  says(with(z, e, "folds: 2\n"), "folds: each of the 2 folds holds out an experiment or more, but");
  says(with(z, e, "experiments: {2: {height: 1}}\n"), "study.yaml:5:1: " + path("good.csv") + " has no experiment '2'");
  says(with(z, e, "experiments: {2: {restitution: 1}}\n"), "is an unknown, and known for experiment 2");
  says(with(z, e, "loss: cubes\n"), "loss");
  says(with(z, e, "resample: experiments\n"), "resample says what a bootstrap draws");
  says(with(z, e + ", height: {bounds: [0, 1]}, speed: {bounds: [0, 1]}"),
       "3 measurements in the columns of the study can't determine 3 unknowns");
  const auto refuses = [&](const std::string& csv, const std::string& sentence) {
    write("bad.csv", csv);
    std::string text = with(z, e);
    text.replace(text.find("good"), 4, "bad");
    says(text, path("bad.csv") + sentence);
  };
  refuses("", ": no measurements can be read here");
  refuses("t,z\n0,1\n", ":1: the first column must be 'time' (s since the scene's start), but is 't'");
  refuses("time\n0\n", ":1: there is no column of measurements beside the time");
  refuses("time,z,z\n0,1,1\n", ":1: there are two columns 'z'");
  refuses("time,z\n", ": there is no line of measurements below the names");
  refuses("# a note\ntime,z\n0,1\n0.1\n", ":4: there are 1 cells, but 2 columns have names");
  refuses("time,z\n0,one\n", ":2: 'one' in column 'z' is no number");
  refuses("time,z\n0.1,1\n0.1,1\n", ":3: the time does not grow");
  refuses("time,z\n1764000000,1\n1764000001,1\n", ": the last instant, 1764000001 s, is ");
  refuses("time,z,experiment\n0,1,a\n9e9,1,b\n", ": the last instant of experiment 'b', 9e+09 s, is ");
  refuses("time,z\n-0.1,1\n", ":2: the time is negative");
  refuses("time,z\n,1\n", ":2: the time is missing");
  refuses("time,z\n1 deg,1\n", ":2: '1 deg' in column 'time' is an angle");
  refuses("time,z\n0,1\n0.1,30 deg\n",
          ":3: '30 deg' in column 'z' is in rad, but the study says that this is ball.position.z, in m");
  says(with(z, "step: {at: method/step, bounds: [0.001, 0.1]}"),
       "study.yaml:4:12: unknown 'step': method/step says how the scene is computed");
  says(with(z, "until: {at: duration, bounds: [1, 2]}"), "duration says how the scene is computed");
  says(with(z, "restitution: {bounds: [0.1, 1.5]}"),
       "study.yaml:4:12: unknown 'restitution': the scene is refused at its upper bound, 1.5: ");
}

/// A family of problems: truth, number by number as the fit has them, and measurements of it by a seed.
struct Problem {
  std::string scene, study;
  std::vector<std::pair<std::string, double>> truth;
  std::function<FitData(std::uint64_t)> data;
};

/// Five kinds, with 2, 1, 3, 6 and 3 unknowns; `variant` moves their truths.
std::vector<Problem> problems(int variant) {
  const double v = 0.1 * variant;
  std::vector<Problem> all;
  all.push_back({oscillator, oscillator_study, {{"stiffness", 41 + 20 * v}, {"damping", 0.7 + v}}, [v](auto seed) {
                   return made({[v](double t) { return oscillation(2, 41 + 20 * v, 0.7 + v, t); }}, {"x"}, 3, 60, 0.01,
                               seed);
                 }});
  const Throw bounce{.restitution = 0.7 + 0.3 * v, .height = 0.85 + 0.2 * v};
  all.push_back({ball,
                 "scene: scene.yaml\ndata: none.csv\ncolumns: {z: {formula: ball.position.z, noise: 0.004}}\nunknowns: "
                 "{restitution: {bounds: [0.3, 0.95]}}\nexperiments: {a: {height: " +
                     std::to_string(bounce.height) + "}}\n",
                 {{"restitution", bounce.restitution}},
                 [bounce](auto seed) {
                   return made({[&](double t) { return flown(bounce, t).z; }}, {"z"}, 1, 50, 0.004, seed, "a");
                 }});
  const Throw slip{.restitution = 0.7, .friction = 0.25 + 0.2 * v, .height = 0.4, .spin = -130};
  all.push_back({ball,
                 "scene: scene.yaml\ndata: none.csv\ncolumns: {x: ball.position.x, z: ball.position.z}\nunknowns: "
                 "{restitution: {bounds: [0.3, 0.95]}, friction: {bounds: [0.01, 0.8]}, speed: {bounds: [0, 4]}}\n"
                 "experiments: {a: {height: 0.4, spin: -130}}\n",
                 {{"restitution", 0.7}, {"friction", slip.friction}, {"speed", 2}},
                 [slip](auto seed) {
                   return made({[&](double t) { return flown(slip, t).x; }, [&](double t) { return flown(slip, t).z; }},
                               {"x", "z"}, 0.7, 35, 0.004, seed, "a");
                 }});
  all.push_back(
      {ball,
       "scene: scene.yaml\ndata: none.csv\ncolumns: {x: ball.position.x, z: ball.position.z}\nunknowns: "
       "{g: {at: gravity/2, bounds: [-15, -5]}, speed: {bounds: [0, 4], per: experiment}}\n",
       {{"g", -gravity}, {"speed", 1 + v}, {"speed", 2 + v}, {"speed", 3 + v}, {"speed", 0.5 + v}, {"speed", 1.5 + v}},
       [v](auto seed) {
         FitData data{"made.csv", {"x", "z"}, {}};
         const std::array<double, 5> speeds{1, 2, 3, 0.5, 1.5};
         for (std::size_t e = 0; e < speeds.size(); ++e) {
           const double speed = speeds[e] + v;
           data.motions.push_back(
               made({[=](double t) { return speed * t; }, [](double t) { return 0.8 - 0.5 * gravity * t * t; }},
                    {"x", "z"}, 0.38, 19, 0.005, speeds.size() * seed + e, std::string(1, static_cast<char>('a' + e)))
                   .motions.front());
         }
         return data;
       }});
  all.push_back({oscillator,
                 "scene: scene.yaml\ndata: none.csv\ncolumns: {x: rail}\nloss: soft_l1\nunknowns: {stiffness: {bounds: "
                 "[5, 200], scale: log}, damping: {bounds: [0, 3]}, at: {bounds: [0.1, 0.5]}}\n",
                 {{"stiffness", 60 - 10 * v}, {"damping", 0.5 + v}, {"at", 0.3}},
                 [v](auto seed) {
                   return made({[v](double t) { return oscillation(2, 60 - 10 * v, 0.5 + v, t); }}, {"x"}, 2, 40, 0.01,
                               seed);
                 }});
  return all;
}

TEST_F(Fit, HasIntervalsThatCoverTheTruthAsOftenAsTheySay) {
  const bool is_long = std::getenv("CAROM_LONG") != nullptr;
  const int variants = is_long ? 4 : 1, draws = is_long ? 50 : 4;
  int covered = 0, count = 0;
  for (int variant = 0; variant < variants; ++variant) {
    for (const Problem& problem : problems(variant)) {
      write("scene.yaml", problem.scene);
      FitStudy asked = study(problem.study);
      asked.starts = 1;
      int own = 0, own_count = 0;
      for (int draw = 0; draw < draws; ++draw) {
        asked.bootstrap = is_long && draw == 0 ? 40 : 0;
        const FitResult result = fit(asked, problem.data(1000 + static_cast<std::uint64_t>(100 * variant + draw)));
        ASSERT_EQ(result.numbers.size(), problem.truth.size());
        for (std::size_t i = 0; i < problem.truth.size(); ++i) {
          const auto& [name, value] = problem.truth[i];
          ASSERT_EQ(result.numbers[i].name, name);
          own += covers(result.numbers[i], value) ? 1 : 0;
          ++own_count;
          if (asked.bootstrap == 0) continue;
          // Ends that are quantiles of 40 draws scatter by a third of a deviation; twice the width would be a fault.
          const FittedNumber& one = result.numbers[i];
          const double width = one.bootstrap_high - one.bootstrap_low;
          EXPECT_LT(width, 2 * (one.high - one.low)) << problem.truth.front().first << " " << name;
          EXPECT_GT(width, 0.5 * (one.high - one.low)) << problem.truth.front().first << " " << name;
        }
      }
      RecordProperty(problem.truth.front().first + std::to_string(count), std::to_string(own));
      covered += own;
      count += own_count;
    }
  }
  const double share = static_cast<double>(covered) / count;
  std::printf("intervals of 95 %% hold the truth in %d of %d\n", covered, count);
  // A few draws: what chance leaves at three deviations of their count.
  EXPECT_GT(share, is_long ? 0.90 : 0.95 - 3 * std::sqrt(0.95 * 0.05 / count));
  if (is_long) {
    EXPECT_LT(share, 0.99);
  }
}

}  // namespace
}  // namespace carom::fit_test
