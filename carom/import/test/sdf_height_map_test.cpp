// Height maps of SDFormat: ground by the brightness of an image.

#include <gtest/gtest.h>

#include "sdf_text.h"
#include "written_heights.h"

namespace carom::sdf_height_map_test {
namespace {

using test::TemporaryHeights;

std::string map_of(const TemporaryHeights& file, const std::string& rest) {
  return "<collision name='c'><geometry><heightmap><uri>" + file.path() + "</uri>" + rest +
         "</heightmap></geometry></collision>";
}

std::string ground(const TemporaryHeights& file, const std::string& rest) {
  return "<static>true</static><link name='l'>" + map_of(file, rest) + "</link>";
}

TEST(SdfHeightMap, TheBrightestSampleIsAtItsSize) {
  const TemporaryHeights file;
  file.write_image(3, 3, {0, 50, 100, 25, 200, 0, 0, 100, 50});
  const ImportedModel read = test::model(ground(file, "<size>6 4 0.5</size><pos>1 2 3</pos>"));
  ASSERT_EQ(read.colliders.size(), 1u);
  EXPECT_EQ(read.colliders[0].body, -1);
  EXPECT_EQ(read.colliders[0].X_BS.p, Vec3(1, 2, 3));
  const HeightGrid& grid = *std::get<HeightField>(read.colliders[0].shape).grid;
  EXPECT_EQ(grid.spacing(), Vec2(3, 2));
  EXPECT_EQ(grid.heights(), (std::vector<double>{0, 0.25, 0.125, 0.0625, 0.5, 0, 0, 0.125, 0.25}));
}

/// Gazebo takes so much from one metre.
TEST(SdfHeightMap, ANegativeHeightTurnsItOver) {
  const TemporaryHeights file;
  file.write_image(2, 2, {0, 65535, 0, 0}, 16);
  const ImportedModel read = test::model(ground(file, "<size>1 1 -2</size>"));
  const HeightGrid& grid = *std::get<HeightField>(read.colliders[0].shape).grid;
  EXPECT_EQ(grid.heights(), (std::vector<double>{1, 1, 1, -1}));
}

TEST(SdfHeightMap, SizeAndPlaceMayBeLeftOutAndABlackOneIsFlat) {
  const TemporaryHeights file;
  file.write_image(2, 2, {0, 0, 0, 0});
  const ImportedModel read = test::model(ground(file, ""));
  const HeightGrid& grid = *std::get<HeightField>(read.colliders[0].shape).grid;
  EXPECT_EQ(grid.spacing(), Vec2(1, 1));
  EXPECT_EQ(grid.highest(), 0);
  EXPECT_EQ(read.colliders[0].X_BS.p, Vec3::Zero());
}

TEST(SdfHeightMap, ThatIsOnlyToBeLookedAtIsListed) {
  const TemporaryHeights file;
  const ImportedModel read =
      test::model("<static>true</static><link name='l'><visual name='v'><geometry><heightmap><uri>" + file.path() +
                  "</uri></heightmap></geometry></visual></link>");
  EXPECT_TRUE(test::lists(read, 1, "<visual>: a <heightmap> is drawn only where it collides"));
  EXPECT_TRUE(read.visuals.empty());
}

TEST(SdfHeightMap, WhatIsNoGroundIsRefused) {
  const TemporaryHeights file;
  const auto faults = [&](const std::string& inside) { return test::faults_of(inside); };
  EXPECT_NE(faults(ground(file, "")).find("this height map is not found"), std::string::npos);
  file.write_image(2, 2, {1, 2, 3, 4});
  EXPECT_NE(faults(ground(file, "<size>1 0 1</size>")).find("two positive lengths"), std::string::npos);
  EXPECT_NE(faults(test::link("l", map_of(file, ""))).find("only links that do not move"), std::string::npos)
      << faults(test::link("l", map_of(file, "")));
  file.write_numbers(2, 2, {1, 2, 3, 4});
  EXPECT_NE(faults(ground(file, "")).find("is no PNG image"), std::string::npos);
}

}  // namespace
}  // namespace carom::sdf_height_map_test
