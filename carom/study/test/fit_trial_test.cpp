// The scene of a fit as a function of its unknowns: a ball in free fall, by its closed form.
#include "carom/study/fit_trial.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "carom/study/fit_ranking.h"
#include "carom/study/method_fit.h"

namespace carom::fit_trial_test {
namespace {

namespace fs = std::filesystem;

class FitTrialTest : public testing::Test {
 protected:
  FitTrialTest() {
    fs::create_directories(folder_);
    std::ofstream(folder_ / "scene.yaml")
        << "carom: 1\ngravity: [0, 0, -10]\nparameters: {height: 20, mass: 2, speed: 0}\n"
           "materials: [{name: m, friction: 0.1, restitution: 0}]\nworld: {shapes: [{type: half-space, material: m}]}\n"
           "bodies:\n  - {name: ball, mass: =mass, position: [0, 0, =height], velocity: [0, 0, =speed], shapes: "
           "[{type: sphere, radius: 0.1, material: m}]}\n"
           "method: {stepper: event-driven, law: plastic, step: 0.01}\nduration: 1\n";
    data_.file = "made.csv";
    data_.columns = {"z"};
    for (const char* name : {"a", "b"}) {
      data_.motions.push_back({name, {0, 0.25, 0.5, 1}, {{20, 19, 18, 17}}});
    }
  }
  ~FitTrialTest() override { fs::remove_all(folder_); }

  FitStudy study(const std::string& unknowns, const std::string& more = "") const {
    return parse_fit_study(
        "scene: scene.yaml\ndata: none.csv\ncolumns: {z: {formula: ball.position.z, noise: 0.1}}\n"
        "unknowns: {" +
            unknowns + "}\n" + more,
        (folder_ / "study.yaml").string());
  }

  FitData data_;

 private:
  fs::path folder_ = fs::temp_directory_path() / ("carom_fit_trial_" + std::to_string(::getpid()));
};

TEST_F(FitTrialTest, UnknownsArePartsOfTheirRanges) {
  const FitStudy asked = study(
      "height: {bounds: [10, 30]}, mass: {bounds: [0.5, 8], scale: log}, speed: {bounds: [1, 3], per: experiment}");
  const FitTrial trial(asked, data_, std::nullopt, {});
  ASSERT_EQ(trial.coordinates().size(), 4u) << "two that are shared, and a speed for each experiment";
  EXPECT_EQ(trial.coordinates()[1].experiment, -1);
  EXPECT_EQ(trial.coordinates()[2].experiment, 0);
  EXPECT_EQ(trial.coordinates()[3].experiment, 1);
  EXPECT_NEAR(trial.start()[0], 0.5, 1e-15);
  EXPECT_NEAR(trial.start()[1], 0.5, 1e-15) << "2 is the geometric middle of 0.5 and 8";
  EXPECT_NEAR(trial.start()[2], 0.5, 1e-15) << "the scene's speed, 0, is out of bounds: the middle";
  EXPECT_NEAR(trial.value(0, 0.25), 15, 1e-12);
  EXPECT_NEAR(trial.value(1, 0.25), 1, 1e-12);
}

TEST_F(FitTrialTest, RunsEachExperimentWithItsOwnNumbers) {
  const FitStudy asked = study("height: {bounds: [10, 30]}, speed: {bounds: [0, 4], per: experiment}",
                               "experiments: {b: {gravity/2: -5}}\n");
  const FitTrial trial(asked, data_, std::nullopt, {});
  const Eigen::Vector3d u(0.6, 0.5, 0.25);  // 22 m; 2 and 1 m/s upwards
  for (const int experiment : {0, 1}) {
    const double speed = experiment == 0 ? 2 : 1, gravity = experiment == 0 ? 10 : 5;
    const FitRun run = trial.run(experiment, u);
    for (std::size_t i = 0; i < data_.motions[0].times.size(); ++i) {
      const double t = data_.motions[0].times[i];
      EXPECT_NEAR(run.values[0][i], 22 + speed * t - gravity * t * t / 2, 1e-8) << experiment << " at " << t;
    }
    EXPECT_TRUE(std::isinf(run.first_impact));
  }
  EXPECT_EQ(trial.runs(), 2);
  EXPECT_NE(trial.text(0, u).find("height: 22"), std::string::npos) << trial.text(0, u);
}

TEST_F(FitTrialTest, KnowsTheFirstImpactAndWhatIsImpossible) {
  const FitStudy asked = study("height: {bounds: [1, 3]}", "experiments: {b: {mass: -0.6}}\n");
  const FitTrial trial(asked, data_, std::nullopt, {});
  const Eigen::VectorXd middle = Eigen::VectorXd::Constant(1, 0.5);
  // A fall of 1.9 m.
  EXPECT_NEAR(trial.run(0, middle).first_impact, std::sqrt(2 * 1.9 / 10), 1e-6);
  EXPECT_FALSE(trial.try_run(1, middle).has_value()) << "no body has a mass of -0.6 kg";
  EXPECT_THROW(trial.run(1, middle), Error);
  const FitStudy impossible = study("mass: {bounds: [-1, 3]}");
  EXPECT_THROW(FitTrial(impossible, data_, std::nullopt, {}), SceneError) << "at a bound";
}

// Two fits of one method differ by nothing, so they stay as the study has them, with no difference between them.
TEST_F(FitTrialTest, MethodsThatAreTheSameAreRankedAsTheStudyHasThem) {
  for (MeasuredMotion& motion : data_.motions) {
    for (std::size_t i = 0; i < motion.times.size(); ++i) {
      motion.values[0][i] = 21 - 5 * motion.times[i] * motion.times[i] + (i % 2 == 0 ? 0.1 : -0.1);
    }
  }
  const FitStudy asked = study("height: {bounds: [10, 30]}", "folds: 2\n");
  std::vector<TriedMethod> tried;
  for (const char* name : {"first", "second"}) {
    tried.push_back({name, std::make_unique<MethodFit>(asked, data_, std::nullopt, std::function<bool()>()), ""});
  }
  tried.push_back({"third", nullptr, "it can't run this scene"});
  std::vector<std::size_t> order;
  const std::vector<RankedMethod> all = ranked(tried, asked, order);
  EXPECT_EQ(order, (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(all[0].name, "first");
  EXPECT_NEAR(all[0].misfit, 1, 1e-6) << "deviations of one noise each";
  EXPECT_NEAR(all[0].held_out, 1, 1e-6) << "both experiments are alike";
  EXPECT_EQ(all[1].low, 0);
  EXPECT_EQ(all[1].high, 0);
  EXPECT_TRUE(std::isnan(all[2].misfit));
  EXPECT_EQ(all[2].left_out, "it can't run this scene");
}

}  // namespace
}  // namespace carom::fit_trial_test
