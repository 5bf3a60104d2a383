// Heights in PNG images and in MuJoCo's own files: which sample lies where, and what is refused.

#include "carom/import/height_samples.h"

#include <gtest/gtest.h>
#include <lodepng.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "carom/error.h"
#include "written_heights.h"

namespace carom::height_samples_test {
namespace {

using test::TemporaryHeights;

std::string fault_of(const std::function<void()>& reading) {
  try {
    reading();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(HeightSamples, TheTopRowOfAnImageHasTheGreatestY) {
  const TemporaryHeights file;
  file.write_image(3, 2, {10, 20, 30, 40, 50, 60});
  ASSERT_TRUE(is_png(file.path()));
  const HeightSamples samples = read_height_image(file.path(), ImageDepth::eight_bits);
  EXPECT_EQ(samples.columns, 3);
  EXPECT_EQ(samples.rows, 2);
  EXPECT_EQ(samples.values, (std::vector<double>{40, 50, 60, 10, 20, 30}));
}

TEST(HeightSamples, SixteenBitsKeepAllDigitsOfBothDepths) {
  const TemporaryHeights file;
  file.write_image(2, 2, {0, 1, 256, 65535}, 16);
  EXPECT_EQ(read_height_image(file.path(), ImageDepth::sixteen_bits).values, (std::vector<double>{256, 65535, 0, 1}));
  EXPECT_EQ(read_height_image(file.path(), ImageDepth::eight_bits).values, (std::vector<double>{1, 255, 0, 0}));
  file.write_image(2, 2, {0, 1, 128, 255});
  const std::vector<double> wide = read_height_image(file.path(), ImageDepth::sixteen_bits).values;
  EXPECT_EQ(wide, (std::vector<double>{257 * 128, 65535, 0, 257}));
}

TEST(HeightSamples, ColoursHaveTheBrightnessOfRed) {
  const TemporaryHeights file;
  const std::vector<unsigned char> colors{9, 200, 1, 8, 0, 2, 7, 3, 3, 6, 5, 4};
  ASSERT_EQ(lodepng::encode(file.path(), colors, 2, 2, LCT_RGB, 8), 0u);
  EXPECT_EQ(read_height_image(file.path(), ImageDepth::eight_bits).values, (std::vector<double>{7, 6, 9, 8}));
}

TEST(HeightSamples, MuJoCosFilesBeginWithTheLeastY) {
  const TemporaryHeights file;
  file.write_numbers(2, 3, {1, 2, 3, 4, 5, 6});
  EXPECT_FALSE(is_png(file.path()));
  const HeightSamples samples = read_mujoco_heights(file.path());
  EXPECT_EQ(samples.columns, 3);
  EXPECT_EQ(samples.rows, 2);
  EXPECT_EQ(samples.values, (std::vector<double>{1, 2, 3, 4, 5, 6}));
}

TEST(HeightSamples, FilesThatHoldNoGroundAreRefused) {
  const TemporaryHeights file;
  const auto image = [&] { read_height_image(file.path(), ImageDepth::eight_bits); };
  const auto numbers = [&] { read_mujoco_heights(file.path()); };
  EXPECT_EQ(fault_of(image), "is no regular file");
  file.write_image(1, 5, {1, 2, 3, 4, 5});
  EXPECT_EQ(fault_of(image), "has 1 × 5 samples; a height field has 2 × 2 or more, and at most 4 million");
  file.write_image(2, 2, {1, 2, 3, 4});
  file.cut_off(12);
  EXPECT_EQ(fault_of(image).find("is no PNG image: "), 0u);
  file.write_image(2, 2, {1, 2, 3, 4});
  file.cut_off(50);
  EXPECT_EQ(fault_of(image).find("is a damaged PNG image: "), 0u) << fault_of(image);
  file.write_numbers(2, 3, {1, 2, 3, 4, 5});
  EXPECT_EQ(fault_of(numbers),
            "is no height field: its first numbers say 2 rows of 3 samples, but 20 bytes follow in place of 24");
  EXPECT_NE(fault_of(image).find("is no PNG image"), std::string::npos);
  file.write_numbers(-2, 3, {});
  EXPECT_NE(fault_of(numbers).find("has 3 × -2 samples"), std::string::npos);
  file.write_numbers(1 << 30, 1 << 30, {});
  EXPECT_NE(fault_of(numbers).find("at most 4 million"), std::string::npos);
  file.write_numbers(2, 2, {1, 2, std::numeric_limits<float>::infinity(), 4});
  EXPECT_EQ(fault_of(numbers), "has a height that is not finite");
  file.cut_off(3);
  EXPECT_NE(fault_of(numbers).find("no room"), std::string::npos);
}

/// Nothing packs as well as sixteen million zeros, and its header says that it has four samples.
TEST(HeightSamples, AnImageThatUnpacksToMoreThanItSaysIsRefusedInTime) {
  constexpr unsigned side = 4000;
  std::vector<unsigned char> large, small;
  ASSERT_EQ(lodepng::encode(large, std::vector<unsigned char>(std::size_t{side} * side), side, side, LCT_GREY, 8), 0u);
  ASSERT_EQ(lodepng::encode(small, std::vector<unsigned char>(4), 2, 2, LCT_GREY, 8), 0u);
  constexpr std::size_t header = 33;  // the signature, and the chunk with the sizes
  std::copy_n(small.begin(), header, large.begin());
  const TemporaryHeights file;
  ASSERT_EQ(lodepng::save_file(large, file.path()), 0u);
  const std::string fault = fault_of([&] { read_height_image(file.path(), ImageDepth::eight_bits); });
  EXPECT_NE(fault.find(lodepng_error_text(109)), std::string::npos) << fault;  // larger than was allowed
}

}  // namespace
}  // namespace carom::height_samples_test
