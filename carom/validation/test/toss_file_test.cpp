#include "carom/validation/toss_file.h"

#include <fstream>
#include <limits>

#include "carom/error.h"
#include "carom/record/test/test_folder.h"
#include "toss_writer.h"

namespace carom::toss_file_test {
namespace {

using test::TossWriter;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

class TossFileTest : public test::FolderTest {
 protected:
  std::string file() const { return path("tosses.h5"); }

  /// Sentence on the file; empty if there is none.
  std::string sentence() const {
    try {
      read_tosses(file());
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  }

  void expect_sentence_with(const std::vector<std::string>& parts) const {
    const std::string text = sentence();
    EXPECT_NE(text.find(file()), std::string::npos) << text;
    for (const std::string& part : parts) EXPECT_NE(text.find(part), std::string::npos) << part << " in: " << text;
  }

  /// Three frames in which the cube stands still, as /state.
  static std::vector<double> still() {
    std::vector<double> state;
    for (int k = 0; k < 3; ++k) state.insert(state.end(), {0, 0, 0.05, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0});
    return state;
  }

  void write(const std::vector<double>& state, const std::vector<std::int64_t>& offsets,
             const std::vector<std::int64_t>& numbers) const {
    TossWriter writer(file());
    writer.reals("/state", {state.size() / 13, 13}, state);
    writer.integers("/offsets", offsets);
    writer.integers("/toss_id", numbers);
  }
};

TEST_F(TossFileTest, ReadsBackEveryPose) {
  std::vector<Toss> written(3);
  for (int k = 0; k < 3; ++k) {
    written[k].number = 10 + k;
    for (int i = 0; i <= 2 * k; ++i) {
      written[k].poses.push_back({Vec3(k, i, 0.5), Quaternion(Eigen::AngleAxisd(0.1 * i + k, Vec3::UnitY()))});
    }
  }
  { TossWriter(file()).tosses(written); }
  const std::vector<Toss> read = read_tosses(file());
  ASSERT_EQ(read.size(), written.size());
  for (std::size_t k = 0; k < read.size(); ++k) {
    EXPECT_EQ(read[k].number, written[k].number);
    ASSERT_EQ(read[k].poses.size(), written[k].poses.size());
    for (std::size_t i = 0; i < read[k].poses.size(); ++i) {
      EXPECT_EQ(read[k].poses[i].position, written[k].poses[i].position);
      EXPECT_TRUE(read[k].poses[i].orientation.isApprox(written[k].poses[i].orientation, 1e-15));
    }
  }
}

TEST_F(TossFileTest, ReadsOtherTypesAndMakesQuaternionsExact) {
  std::vector<double> state = still();
  state[3] = 1 + 5e-7;
  {
    TossWriter writer(file());
    writer.reals("/state", {3, 13}, state);
    writer.integers("/offsets", {0, 2, 3}, H5T_STD_U16BE);
    writer.integers("/toss_id", {4, -1}, H5T_STD_I8LE);
  }
  const std::vector<Toss> tosses = read_tosses(file());
  ASSERT_EQ(tosses.size(), 2u);
  EXPECT_EQ(tosses[0].poses.size(), 2u);
  EXPECT_EQ(tosses[1].number, -1);
  EXPECT_EQ(tosses[0].poses[0].orientation.norm(), 1);
}

TEST_F(TossFileTest, RefusesWhatIsNoSuchFile) {
  expect_sentence_with({"no such file"});
  std::ofstream(file()) << "time,x,y,z\n";
  expect_sentence_with({"HDF5"});
}

/// A damaged file may claim more than fits in any memory.
TEST_F(TossFileTest, RefusesSizesThatTheFileDoesNotHold) {
  for (const hsize_t rows : {hsize_t{1} << 40, hsize_t{1} << 60}) {
    { TossWriter(file()).claim("/state", {rows, 13}); }
    expect_sentence_with({"/state", "the file holds no such number of elements"});
  }
}

TEST_F(TossFileTest, RefusesMissingDatasets) {
  { const TossWriter empty(file()); }
  expect_sentence_with({"no dataset /state", "(frames, 13)"});
  { TossWriter(file()).reals("/state", {3, 13}, still()); }
  expect_sentence_with({"no dataset /offsets", "(tosses + 1)"});
  {
    TossWriter writer(file());
    writer.reals("/state", {3, 13}, still());
    writer.integers("/offsets", {0, 3});
  }
  expect_sentence_with({"no dataset /toss_id", "each of the 1 tosses"});
}

TEST_F(TossFileTest, RefusesWrongShapesAndTypes) {
  { TossWriter(file()).reals("/state", {13, 3}, still()); }
  expect_sentence_with({"/state", "(13, 3)", "(frames, 13)"});
  { TossWriter(file()).reals("/state", {39}, still()); }
  expect_sentence_with({"/state", "(39)", "(frames, 13)"});
  { TossWriter(file()).integers("/state", {1, 2, 3}); }
  expect_sentence_with({"/state", "(3)"});
  {
    TossWriter writer(file());
    writer.reals("/state", {3, 13}, still());
    writer.reals("/offsets", {2}, {0, 3});
  }
  expect_sentence_with({"/offsets", "another type", "integers"});
  write(still(), {0, 3}, {1, 2});
  expect_sentence_with({"/toss_id", "(2)", "each of the 1 tosses"});
}

TEST_F(TossFileTest, RefusesOffsetsThatDoNotDivideTheFrames) {
  write(still(), {0}, {});
  expect_sentence_with({"/offsets", "at least two"});
  write(still(), {0, 2}, {1});
  expect_sentence_with({"/offsets", "from 0 to 2", "from 0 to 3"});
  write(still(), {1, 3}, {1});
  expect_sentence_with({"/offsets", "from 1 to 3"});
  write(still(), {0, 2, 1, 3}, {1, 2, 3});
  expect_sentence_with({"/offsets", "2 and then 1 at index 2", "ascend"});
  write(still(), {0, 3, 3}, {1, 2});
  expect_sentence_with({"/offsets", "3 and then 3 at index 2"});
}

TEST_F(TossFileTest, RefusesPosesThatAreNone) {
  for (const double bad : {nan, std::numeric_limits<double>::infinity()}) {
    std::vector<double> state = still();
    state[13 + 2] = bad;
    write(state, {0, 3}, {1});
    expect_sentence_with({"/state", "row 1", "column 2", "finite"});
  }
  std::vector<double> state = still();
  state[26 + 4] = 0.01;
  write(state, {0, 3}, {1});
  expect_sentence_with({"/state", "row 2", "length 1.00005", "it must be 1"});
  state = still();
  state[3] = 0;
  write(state, {0, 3}, {1});
  expect_sentence_with({"row 0", "length 0"});
}

TEST_F(TossFileTest, LeavesVelocitiesAlone) {
  std::vector<double> state = still();
  state[7] = nan;
  write(state, {0, 3}, {1});
  EXPECT_EQ(read_tosses(file()).size(), 1u);
}

}  // namespace
}  // namespace carom::toss_file_test
