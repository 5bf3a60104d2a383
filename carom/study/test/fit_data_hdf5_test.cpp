// Measurements in HDF5, laid out as h5py, MATLAB and C programs do it.
#include "carom/study/fit_data_hdf5.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "carom/error.h"
#include "carom/record/array_file.h"
#include "carom/record/hdf5_file.h"

namespace carom::fit_data_hdf5_test {
namespace {

namespace fs = std::filesystem;

class FitDataHdf5 : public ::testing::Test {
 protected:
  void TearDown() override { fs::remove(path_); }

  std::string path_ = (fs::temp_directory_path() / ("carom_fit_data_" + std::to_string(::getpid()) + ".h5")).string();
};

void expect_same(const FitData& a, const FitData& b) {
  EXPECT_EQ(a.columns, b.columns);
  ASSERT_EQ(a.motions.size(), b.motions.size());
  for (std::size_t e = 0; e < a.motions.size(); ++e) {
    EXPECT_EQ(a.motions[e].name, b.motions[e].name);
    EXPECT_EQ(a.motions[e].times, b.motions[e].times);
    ASSERT_EQ(a.motions[e].values.size(), b.motions[e].values.size());
    for (std::size_t c = 0; c < a.motions[e].values.size(); ++c) {
      ASSERT_EQ(a.motions[e].values[c].size(), b.motions[e].values[c].size());
      for (std::size_t i = 0; i < a.motions[e].times.size(); ++i) {
        const double x = a.motions[e].values[c][i], y = b.motions[e].values[c][i];
        EXPECT_TRUE(x == y || (std::isnan(x) && std::isnan(y))) << x << " is not " << y;
      }
    }
  }
}

void write(ArrayFile& file, const std::string& dataset, const std::vector<int>& extent, const std::vector<double>& x) {
  file.write_reals(dataset, extent, x.data());
}

std::string fault_of(const std::string& path) {
  try {
    read_fit_hdf5(path);
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

TEST_F(FitDataHdf5, ATableIsTheSameAsInCsv) {
  const std::string csv = path_ + ".csv";
  std::ofstream(csv) << "time,experiment,markers/0,markers/1,z\n"
                     << "0,1,1,10,7\n0.1,1,2,20,\n0,2,3,30,9\n";
  const FitData expected = read_fit_data(csv);
  fs::remove(csv);
  const std::vector<int> experiment{1, 1, 2};
  for (const std::vector<int>& vector : {std::vector{3}, std::vector{3, 1}, std::vector{1, 3}}) {
    ArrayFile file = ArrayFile::create(path_);
    write(file, "/time", vector, {0, 0.1, 0});
    write(file, "/markers", {3, 2}, {1, 10, 2, 20, 3, 30});
    write(file, "/z", vector, {7, NAN, 9});
    file.write_integers("/experiment", vector, experiment.data());
    file.finish();
    const FitData data = read_fit_data(path_);
    EXPECT_EQ(data.file, path_);
    EXPECT_TRUE(data.left_aside.empty());
    expect_same(data, expected);
  }
}

TEST_F(FitDataHdf5, NotesAreLeftAsideWithTheReason) {
  ArrayFile file = ArrayFile::create(path_);
  file.make_group("/camera");
  write(file, "/time", {2}, {0, 0.1});
  write(file, "/z", {2}, {1, 2});
  write(file, "/rate", {1}, {240});
  write(file, "/camera/matrix", {3, 3}, std::vector<double>(9));
  write(file, "/film", {2, 2, 3}, std::vector<double>(12));
  file.write_text("/note", "filmed on stone");
  file.finish();
  const FitData data = read_fit_hdf5(path_);
  EXPECT_EQ(data.columns, (std::vector<std::string>{"z"}));
  ASSERT_EQ(data.left_aside.size(), 4u);
  EXPECT_EQ(data.left_aside[0].first, "camera/matrix");
  EXPECT_NE(data.left_aside[0].second.find("(3, 3), but there are 2 instants"), std::string::npos);
  EXPECT_EQ(data.left_aside[1].first, "film");
  EXPECT_EQ(data.left_aside[2], (std::pair<std::string, std::string>{"note", "holds no numbers"}));
  EXPECT_EQ(data.left_aside[3].first, "rate");
}

TEST_F(FitDataHdf5, OneInstantMayHaveSingleNumbers) {
  ArrayFile file = ArrayFile::create(path_);
  write(file, "/time", {1}, {0.5});
  write(file, "/head", {1, 3}, {1, 2, 3});
  write(file, "/z", {1}, {4});
  file.finish();
  const FitData data = read_fit_hdf5(path_);
  EXPECT_EQ(data.columns, (std::vector<std::string>{"head/0", "head/1", "head/2", "z"}));
  EXPECT_EQ(data.motions[0].values[2], (std::vector<double>{3}));
}

TEST_F(FitDataHdf5, ExperimentsMayBeNamedByTexts) {
  {
    Hdf5File file = Hdf5File::create(path_);
    file.write_numbers("/time", {0, 0.1, 0});
    file.write_numbers("/z", {1, 2, 3});
    file.write_texts("/experiment", {"slow", "slow", "fast"});
    file.close();
  }
  const FitData data = read_fit_hdf5(path_);
  ASSERT_EQ(data.motions.size(), 2u);
  EXPECT_EQ(data.motions[0].name, "slow");
  EXPECT_EQ(data.motions[1].name, "fast");
  EXPECT_EQ(data.motions[0].values[0], (std::vector<double>{1, 2}));
}

TEST_F(FitDataHdf5, EachGroupIsAnExperimentAndMayLackColumns) {
  ArrayFile file = ArrayFile::create(path_);
  for (const char* group : {"/first", "/second", "/second/markers"}) file.make_group(group);
  write(file, "/first/time", {2}, {0, 0.1});
  write(file, "/first/z", {2}, {5, 6});
  write(file, "/second/time", {1}, {0.5});
  write(file, "/second/markers/head", {1, 2}, {8, 9});
  file.finish();
  const FitData data = read_fit_hdf5(path_);
  EXPECT_EQ(data.columns, (std::vector<std::string>{"z", "markers/head/0", "markers/head/1"}));
  ASSERT_EQ(data.motions.size(), 2u);
  EXPECT_EQ(data.motions[0].name, "first");
  EXPECT_EQ(data.motions[0].values[0], (std::vector<double>{5, 6}));
  EXPECT_EQ(data.motions[0].values[1].size(), 2u);
  EXPECT_TRUE(std::isnan(data.motions[0].values[1][1]));
  EXPECT_EQ(data.motions[1].name, "second");
  EXPECT_TRUE(std::isnan(data.motions[1].values[0][0]));
  EXPECT_EQ(data.motions[1].values[2], (std::vector<double>{9}));
}

TEST_F(FitDataHdf5, AsManyColumnsAsInstantsAreReadRowByRow) {
  ArrayFile file = ArrayFile::create(path_);
  write(file, "/time", {2}, {0, 0.1});
  write(file, "/p", {2, 2}, {1, 2, 3, 4});
  file.finish();
  const FitData data = read_fit_hdf5(path_);
  EXPECT_EQ(data.motions[0].values[0], (std::vector<double>{1, 3}));
}

/// A fault by its file: what is written, and words of the sentence.
struct Fault {
  const char* name;
  void (*write)(ArrayFile& file);
  std::vector<std::string> words;
};

class FaultsOfMeasurements : public FitDataHdf5, public ::testing::WithParamInterface<Fault> {};

TEST_P(FaultsOfMeasurements, AreToldWithFileAndDataset) {
  ArrayFile file = ArrayFile::create(path_);
  GetParam().write(file);
  file.finish();
  const std::string fault = fault_of(path_);
  EXPECT_NE(fault.find(path_), std::string::npos) << fault;
  for (const std::string& word : GetParam().words) EXPECT_NE(fault.find(word), std::string::npos) << fault;
}

const Fault faults[] = {
    {"NoTime",
     [](ArrayFile& file) {
       write(file, "/z", {2}, {1, 2});
     },
     {"no dataset 'time'", "there are z"}},
    {"GroupWithoutTime", [](ArrayFile& file) { file.make_group("/throw"); }, {"group /throw has no dataset 'time'"}},
    {"TimeIsText", [](ArrayFile& file) { file.write_text("/time", "now"); }, {"/time must hold numbers"}},
    {"TimeIsAGroup", [](ArrayFile& file) { file.make_group("/time"); }, {"/time is a group"}},
    {"TimeIsATable",
     [](ArrayFile& file) {
       write(file, "/time", {2, 2}, {0, 1, 2, 3});
     },
     {"/time has the shape (2, 2)"}},
    {"ColumnsFirst",
     [](ArrayFile& file) {
       write(file, "/time", {3}, {0, 1, 2});
       write(file, "/z", {2, 3}, std::vector<double>(6));
     },
     {"no measurements beside it", "/z has the shape (2, 3), but there are 3 instants"}},
    {"NoColumn",
     [](ArrayFile& file) {
       write(file, "/time", {2}, {0, 1});
     },
     {"/time has no measurements beside it"}},
    {"TimeFalls",
     [](ArrayFile& file) {
       file.make_group("/throw");
       write(file, "/throw/time", {2}, {1, 0});
       write(file, "/throw/z", {2}, {1, 2});
     },
     {"/throw, entry 1", "the time does not grow", "in experiment 'throw'"}},
    {"TwoTimes",
     [](ArrayFile& file) {
       file.make_group("/throw");
       write(file, "/time", {1}, {0});
       write(file, "/throw/time", {1}, {0});
     },
     {"/throw/time is a second time"}},
    {"ExperimentsByReals",
     [](ArrayFile& file) {
       write(file, "/time", {1}, {0});
       write(file, "/z", {1}, {0});
       write(file, "/experiment", {1}, {1.5});
     },
     {"/experiment must hold whole numbers or texts, but holds 1.5"}},
    {"FewExperiments",
     [](ArrayFile& file) {
       const int one = 1;
       write(file, "/time", {2}, {0, 1});
       write(file, "/z", {2}, {0, 1});
       file.write_integers("/experiment", {1}, &one);
     },
     {"/experiment has the shape (1), but there are 2 instants"}},
    {"ExperimentInAnExperiment",
     [](ArrayFile& file) {
       const int one = 1;
       file.make_group("/throw");
       write(file, "/throw/time", {1}, {0});
       write(file, "/throw/z", {1}, {0});
       file.write_integers("/throw/experiment", {1}, &one);
     },
     {"/throw/experiment is one name too many"}},
    {"TooDeep",
     [](ArrayFile& file) {
       write(file, "/time", {1}, {0});
       std::string group;
       for (int depth = 0; depth < 9; ++depth) file.make_group(group += "/in");
     },
     {"/in/in/in/in/in/in/in/in/in/ lies more than 8 groups deep"}},
    {"NameOfAnExperiment",
     [](ArrayFile& file) {
       write(file, "/time", {1}, {0});
       write(file, "/z", {1}, {0});
       file.write_text("/experiment", "\xFCnter");
     },
     {"/experiment is a single"}},
    {"ARecord",
     [](ArrayFile& file) {
       write(file, "/time", {1}, {0});
       file.make_group("/scene");
       file.make_group("/bodies");
     },
     {"record of a run", "carom export"}},
};

INSTANTIATE_TEST_SUITE_P(All, FaultsOfMeasurements, ::testing::ValuesIn(faults),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace carom::fit_data_hdf5_test
