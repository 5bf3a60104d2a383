#include "carom/validation/toss_predictions.h"

#include <algorithm>

#include "carom/error.h"
#include "carom/record/test/test_folder.h"
#include "made_tosses.h"
#include "toss_writer.h"

namespace carom::toss_predictions_test {
namespace {

using test::TossWriter;

class TossPredictionsTest : public test::FolderTest {
 protected:
  void expect_refused(const std::string& part) const {
    try {
      read_predictions(path("predictions.h5"));
      ADD_FAILURE() << "not refused: " << part;
    } catch (const Error& error) {
      const std::string text = error.what();
      EXPECT_NE(text.find("predictions.h5"), std::string::npos) << text;
      EXPECT_NE(text.find(part), std::string::npos) << text;
    }
  }
};

TossPredictions made() {
  std::mt19937 random(4);
  const TossProtocol protocol;
  TossPredictions predictions{"a simulator", {}};
  for (const int number : {7, 3, 12}) {
    predictions.tosses.push_back({number, test::flight(test::random_release(random), 5 + number, protocol)});
  }
  return predictions;
}

TEST_F(TossPredictionsTest, ComeBackAsTheyWereWritten) {
  const TossPredictions written = made();
  for (int time = 0; time < 2; ++time) {  // the second replaces the first
    write_predictions(written, path("predictions.h5"));
    const TossPredictions read = read_predictions(path("predictions.h5"));
    EXPECT_EQ(read.name, "a simulator");
    ASSERT_EQ(read.tosses.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(read.tosses[i].number, written.tosses[i].number);
      ASSERT_EQ(read.tosses[i].poses.size(), written.tosses[i].poses.size());
      for (std::size_t k = 0; k < read.tosses[i].poses.size(); ++k) {
        EXPECT_EQ(read.tosses[i].poses[k].position, written.tosses[i].poses[k].position);
        EXPECT_LT(
            (read.tosses[i].poses[k].orientation.coeffs() - written.tosses[i].poses[k].orientation.coeffs()).norm(),
            1e-15);
      }
    }
  }
}

TEST_F(TossPredictionsTest, AreFoundByTheTossesNumberAndCutToItsFrames) {
  const TossPredictions predictions = made();
  const Toss measured{.number = 12, .poses = std::vector<Pose>(9)};
  const std::vector<Pose> poses = predicted_poses(predictions, measured);
  ASSERT_EQ(poses.size(), 9u);
  EXPECT_EQ(poses[8].position, predictions.tosses[2].poses[8].position);
  for (const auto& [number, frames, found] : {std::tuple{12, 18, 17}, std::tuple{4, 2, 0}}) {
    try {
      predicted_poses(predictions, {.number = number, .poses = std::vector<Pose>(static_cast<std::size_t>(frames))});
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()), "the predictions of a simulator have " + std::to_string(found) +
                                               " frames of toss " + std::to_string(number) + "; it was measured for " +
                                               std::to_string(frames));
    }
  }
}

TEST_F(TossPredictionsTest, AnotherLayoutIsRefused) {
  expect_refused("there is no such file");
  { TossWriter(path("predictions.h5")).tosses(made().tosses); }  // measurements are no predictions
  expect_refused("there is no dataset /pose");
  {
    TossWriter writer(path("predictions.h5"));
    writer.reals("/pose", {2, 6}, std::vector<double>(12, 0.5));
    writer.integers("/offsets", {0, 2});
    writer.integers("/toss_id", {1});
  }
  expect_refused("/pose");
  {
    TossWriter writer(path("predictions.h5"));
    writer.reals("/pose", {2, 7}, std::vector<double>(14, 0.5));
    writer.integers("/offsets", {0, 2, 1});
    writer.integers("/toss_id", {1, 2});
  }
  expect_refused("/offsets must hold 3 ascending numbers from 0 to 2");
  {
    TossWriter writer(path("predictions.h5"));
    writer.reals("/pose", {1, 7}, {0, 0, 0, 1, 0, 0, 1});
    writer.integers("/offsets", {0, 1});
    writer.integers("/toss_id", {1});
  }
  // … and so on: the attribute that names the simulator is missing here as well.
  expect_refused("simulator");
}

}  // namespace
}  // namespace carom::toss_predictions_test
