#include "carom/validation/square_drop_file.h"

#include "carom/error.h"
#include "carom/record/test/test_folder.h"
#include "drop_writer.h"

namespace carom::square_drop_file_test {
namespace {

using test::TossWriter;

class SquareDropFileTest : public test::FolderTest {
 protected:
  std::string file() const { return path("drops.h5"); }
  void expect_sentence_with(const std::vector<std::string>& parts) const {
    try {
      read_square_drops(file());
      ADD_FAILURE() << "read";
    } catch (const Error& error) {
      const std::string text = error.what();
      EXPECT_NE(text.find(file()), std::string::npos) << text;
      for (const std::string& part : parts) EXPECT_NE(text.find(part), std::string::npos) << part << " in: " << text;
    }
  }
  static SquareDrops two() {
    SquareDrops drops = test::square_of_drops();
    drops.floor_slope = 0.01;
    drops.floor_height = 0.002;
    for (int k = 0; k < 2; ++k) {
      SquareDrop drop{2 * k + 8, {}};
      for (int frame = 0; frame < 5; ++frame) drop.poses.emplace_back(0.1 * k - frame, 0.2 + frame, 2.0 * frame - k);
      drops.drops.push_back(drop);
    }
    return drops;
  }
};

TEST_F(SquareDropFileTest, ReadsMassCentreAndSidesWhereverTheMarkerIs) {
  const SquareDrops written = two();
  for (const test::Marker& marker : {test::Marker{}, test::Marker{-0.3, {0.01, -0.02}}}) {
    {
      const TossWriter writer(file());
      write_drops(writer, written, marker);
    }
    const SquareDrops read = read_square_drops(file());
    EXPECT_EQ(read.frame_rate, 250);
    EXPECT_EQ(read.gravity, 9.92);
    EXPECT_EQ(read.drag, 0.42);
    EXPECT_EQ(read.gyration_radius, 0.0204);
    EXPECT_EQ(read.half_width, 0.03);
    EXPECT_EQ(read.corner_radius, 0.00553);
    EXPECT_NEAR(read.floor_height, 0.002, 1e-15);
    EXPECT_EQ(read.floor_slope, 0.01);
    ASSERT_EQ(read.drops.size(), 2u);
    for (std::size_t k = 0; k < 2; ++k) {
      EXPECT_EQ(read.drops[k].number, written.drops[k].number);
      ASSERT_EQ(read.drops[k].poses.size(), 5u);
      for (std::size_t i = 0; i < 5; ++i) {
        EXPECT_LT((read.drops[k].poses[i] - written.drops[k].poses[i]).norm(), 1e-14);
      }
    }
  }
}

TEST_F(SquareDropFileTest, SaysWhatIsWrong) {
  { const TossWriter writer(file()); }
  expect_sentence_with({"frame_rate", "/square_drops"});
  SquareDrops drops = two();
  drops.gravity = -1;
  {
    const TossWriter writer(file());
    write_drops(writer, drops);
  }
  expect_sentence_with({"fall", "must be positive"});
  drops = two();
  drops.drops[1].poses[3][1] = std::nan("");
  {
    const TossWriter writer(file());
    write_drops(writer, drops);
  }
  expect_sentence_with({"/square_drops/pose", "row 8", "finite"});
  drops = two();
  for (SquareDrop& drop : drops.drops) drop.poses.resize(2);
  {
    const TossWriter writer(file());
    write_drops(writer, drops);
  }
  expect_sentence_with({"2 drops of 2 frames", "3 frames or more"});
  {
    const TossWriter writer(file());
    writer.group("/square");
    writer.group("/square_drops");
    for (const char* name : {"frame_rate", "fall", "drag"}) writer.attribute("/square_drops", name, 1.0);
    for (const char* name : {"gyration_radius", "side", "corner_radius", "floor_height", "floor_x", "floor_slope",
                             "tilt", "marker_offset"}) {
      writer.attribute("/square", name, 1.0);
    }
  }
  expect_sentence_with({"marker_offset", "not 2 numbers"});
}

}  // namespace
}  // namespace carom::square_drop_file_test
