// Measurements as files have them. Faults of files are tested in fit_test.cpp, where a fit reads them.
#include "carom/study/fit_data.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

namespace carom::fit_data_test {
namespace {

namespace fs = std::filesystem;

FitData read(const std::string& text) {
  const fs::path path = fs::temp_directory_path() / ("carom_fit_data_" + std::to_string(::getpid()) + ".csv");
  std::ofstream(path) << text;
  FitData data = read_fit_data(path.string());
  EXPECT_EQ(data.file, path.string());
  fs::remove(path);
  return data;
}

TEST(FitData, PassesOverNotesBlankLinesAndTheMarkOfUtf8) {
  const FitData data =
      read("\xEF\xBB\xBF# from a film\n\ntime, \"x\" ,angle\r\n0,1,30 deg\r\n# lost\n0.5,,90 deg\r\n\n");
  EXPECT_EQ(data.columns, (std::vector<std::string>{"x", "angle"}));
  ASSERT_EQ(data.motions.size(), 1u);
  const MeasuredMotion& motion = data.motions.front();
  EXPECT_EQ(motion.name, "");
  EXPECT_EQ(motion.times, (std::vector<double>{0, 0.5}));
  EXPECT_EQ(motion.values[0][0], 1);
  EXPECT_TRUE(std::isnan(motion.values[0][1])) << "an empty cell is no measurement";
  EXPECT_NEAR(motion.values[1][0], std::numbers::pi / 6, 1e-15);
  EXPECT_NEAR(motion.values[1][1], std::numbers::pi / 2, 1e-15);
}

TEST(FitData, KnowsTheFirstCellOfEachColumnThatIsWrittenInDegrees) {
  const FitData data = read("time,z,angle\n0,1,1\n0.5,2,30 deg\n1,3,40 deg\n");
  ASSERT_EQ(data.degrees.size(), 2u);
  EXPECT_EQ(data.degrees[0].line, 0);
  EXPECT_EQ(data.degrees[1].line, 3);
  EXPECT_EQ(data.degrees[1].text, "30 deg");
}

TEST(FitData, IsTheSameFromMemory) {
  const FitData file = read("time,experiment,z\n0,a,1\n0,b,5\n0.1,a,2\n0.2,b,\n");
  const FitData memory =
      fit_data_of({{"time", {0, 0, 0.1, 0.2}}, {"z", {1, 5, 2, NAN}}}, {"a", "b", "a", "b"}, "the data");
  EXPECT_EQ(memory.columns, file.columns);
  ASSERT_EQ(memory.motions.size(), file.motions.size());
  for (std::size_t e = 0; e < file.motions.size(); ++e) {
    EXPECT_EQ(memory.motions[e].name, file.motions[e].name);
    EXPECT_EQ(memory.motions[e].times, file.motions[e].times);
    EXPECT_EQ(memory.motions[e].values[0][0], file.motions[e].values[0][0]);
  }
  EXPECT_TRUE(std::isnan(memory.motions[1].values[0][1]));
}

TEST(FitData, SortsLinesByExperimentInTheOrderInWhichTheyBegin) {
  const FitData data = read("time,experiment,z\n0,second,1\n0,first,5\n0.1,second,2\n0.2,first,6\n0.3,second,3\n");
  ASSERT_EQ(data.motions.size(), 2u);
  EXPECT_EQ(data.motions[0].name, "second");
  EXPECT_EQ(data.motions[0].times, (std::vector<double>{0, 0.1, 0.3}));
  EXPECT_EQ(data.motions[0].values[0], (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(data.motions[1].name, "first");
  EXPECT_EQ(data.motions[1].values[0], (std::vector<double>{5, 6}));
}

}  // namespace
}  // namespace carom::fit_data_test
