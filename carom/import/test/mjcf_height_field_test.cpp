// Height fields of MJCF: scaled to their size, the first row at the greatest y.

#include <gtest/gtest.h>

#include "carom/import/mjcf.h"

namespace carom::mjcf_height_field_test {
namespace {

ImportedModel read(const std::string& asset, const std::string& geom) {
  return parse_mjcf("<mujoco><asset>" + asset + "</asset><worldbody>" + geom +
                        "<body><freejoint/><geom type=\"sphere\" size=\"0.1\"/></body></worldbody></mujoco>",
                    "model.xml");
}

TEST(MjcfHeightField, IsScaledToItsSize) {
  const ImportedModel model =
      read("<hfield name=\"hills\" nrow=\"2\" ncol=\"3\" elevation=\"1 2 3 3 5 3\" size=\"2 1 0.5 0.1\"/>",
           "<geom type=\"hfield\" hfield=\"hills\" pos=\"0 0 3\" contype=\"2\" conaffinity=\"4\"/>");
  ASSERT_EQ(model.colliders.size(), 2u);
  const Collider& ground = model.colliders[0];
  EXPECT_EQ(ground.body, -1);
  EXPECT_EQ(ground.X_BS.p, Vec3(0, 0, 3));
  EXPECT_EQ(ground.groups, 2u);
  const HeightGrid& grid = *std::get<HeightField>(ground.shape).grid;
  EXPECT_EQ(grid.nx(), 3);
  EXPECT_EQ(grid.ny(), 2);
  EXPECT_EQ(grid.spacing(), Vec2(2, 2));
  // 1 … 5 become 0 … 0.5 m.
  EXPECT_EQ(grid.heights(), (std::vector<double>{0.25, 0.5, 0.25, 0, 0.125, 0.25}));
  EXPECT_EQ(grid.point(1), Vec3(0, -1, 0.5));
}

TEST(MjcfHeightField, IsFlatWithoutElevation) {
  const ImportedModel model = read("<hfield name=\"plain\" nrow=\"2\" ncol=\"2\" size=\"2 1 0.5 0.1\"/>",
                                   "<geom type=\"hfield\" hfield=\"plain\"/>");
  const HeightGrid& grid = *std::get<HeightField>(model.colliders[0].shape).grid;
  EXPECT_EQ(grid.lowest(), 0);
  EXPECT_EQ(grid.highest(), 0);
}

TEST(MjcfHeightField, OnlyToBeLookedAtMayBeMissing) {
  const ImportedModel model = read("", "<geom type=\"hfield\" hfield=\"nowhere\" contype=\"0\" conaffinity=\"0\"/>");
  EXPECT_EQ(model.colliders.size(), 1u);
}

}  // namespace
}  // namespace carom::mjcf_height_field_test
