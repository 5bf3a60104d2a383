// Studies of fits as their files and the command line have them.
#include "carom/study/fit_study.h"

#include <gtest/gtest.h>

#include "carom/error.h"

namespace carom::fit_study_test {
namespace {

TEST(FitStudy, HasWhatItsFileSays) {
  const FitStudy study = parse_fit_study(R"(scene: throw.yaml
data: films/ball.csv
columns: {x: ball.position.x, z: {formula: ball.position.z, noise: 0.002}}
unknowns:
  friction: {bounds: [0.01, 0.8], scale: log}
  speed: {at: bodies/ball/velocity/0, bounds: [0, 4], per: experiment}
experiments: {a: {bodies/ball/position/2: 1.5}}
methods: [event-driven/newton, semi-explicit/plus]
loss: huber
folds: 3
starts: 2
seed: 7
runs: 900
smooth: no
intervals: none
)",
                                         "studies/ball.yaml");
  EXPECT_EQ(study.scene, "studies/throw.yaml");
  EXPECT_EQ(study.data, "studies/films/ball.csv");
  ASSERT_EQ(study.columns.size(), 2u);
  EXPECT_EQ(study.columns[0].formula, "ball.position.x");
  EXPECT_EQ(study.columns[0].noise, 0) << "estimated";
  EXPECT_NEAR(study.columns[1].noise, 0.002, 1e-18);
  ASSERT_EQ(study.unknowns.size(), 2u);
  EXPECT_TRUE(study.unknowns[0].log);
  EXPECT_FALSE(study.unknowns[0].per_experiment);
  EXPECT_EQ(study.unknowns[1].path, "bodies/ball/velocity/0");
  EXPECT_TRUE(study.unknowns[1].per_experiment);
  EXPECT_EQ(study.experiments.at("a").front(), (std::pair<std::string, double>{"bodies/ball/position/2", 1.5}));
  EXPECT_EQ(study.methods.size(), 2u);
  EXPECT_EQ(study.loss, Loss::huber);
  EXPECT_EQ(study.folds, 3);
  EXPECT_EQ(study.starts, 2);
  EXPECT_EQ(study.seed, 7u);
  EXPECT_EQ(study.runs, 900);
  ASSERT_TRUE(study.smooth);
  EXPECT_FALSE(*study.smooth);
  EXPECT_EQ(study.intervals, IntervalSource::none);
}

TEST(FitStudy, TestsSmoothnessAndTakesProfilesWhereItsFileSaysNothing) {
  const std::string least = "scene: a.yaml\ndata: a.csv\ncolumns: {x: a.x}\nunknowns: {a: {bounds: [0, 1]}}\n";
  const FitStudy study = parse_fit_study(least, "study.yaml");
  EXPECT_FALSE(study.smooth);
  EXPECT_EQ(study.runs, 0);
  EXPECT_EQ(study.intervals, IntervalSource::profile);
  for (const auto& [line, fault] :
       {std::pair{"smooth: perhaps", "smooth"}, std::pair{"runs: 0", "runs must be 1 or more"},
        std::pair{"intervals: wide", "intervals"}}) {
    try {
      parse_fit_study(least + line + "\n", "study.yaml");
      ADD_FAILURE() << line;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(fault), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find("study.yaml:5"), std::string::npos) << error.what();
    }
  }
}

std::string refusal(const std::string& unknown) {
  try {
    parse_fit_unknown(unknown);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(FitStudy, ReadsUnknownsAndColumnsOfTheCommandLine) {
  const FitUnknown unknown = parse_fit_unknown("bodies/ball/velocity/2=-1:2.5");
  EXPECT_EQ(unknown.path, "bodies/ball/velocity/2");
  EXPECT_EQ(unknown.lower, -1);
  EXPECT_EQ(unknown.upper, 2.5);
  const FitColumn column = parse_fit_column("z=ball.position.z - 0.1");
  EXPECT_EQ(column.name, "z");
  EXPECT_EQ(column.formula, "ball.position.z - 0.1");
  EXPECT_THROW(parse_fit_column("z"), Error);
  for (const char* text : {"friction", "friction=0.1", "friction=a:b"}) {
    EXPECT_NE(refusal(text).find("write NAME=LOW:HIGH"), std::string::npos) << text;
  }
  for (const char* text : {"friction=0.9:0.1", "friction=0.5:0.5"}) {
    EXPECT_NE(refusal(text).find("the first bound must be below the second"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace carom::fit_study_test
