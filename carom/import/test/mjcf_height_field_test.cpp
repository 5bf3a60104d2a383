// Height fields of MJCF: scaled to their size, the first row at the greatest y but in MuJoCo's own files.

#include <gtest/gtest.h>

#include "carom/import/mjcf.h"
#include "written_heights.h"

#ifdef CAROM_WITH_MUJOCO
#include "testing/peers/mujoco.h"
#endif

namespace carom::mjcf_height_field_test {
namespace {

using test::TemporaryHeights;

std::string mjcf(const std::string& asset, const std::string& geom, const std::string& folder = ".") {
  return "<mujoco><compiler meshdir=\"" + folder + "\"/><asset>" + asset + "</asset><worldbody>" + geom +
         "<body><freejoint/><geom type=\"sphere\" size=\"0.1\"/></body></worldbody></mujoco>";
}

ImportedModel read(const std::string& asset, const std::string& geom, const std::string& folder = ".") {
  return parse_mjcf(mjcf(asset, geom, folder), "model.xml");
}

const std::string ground = "<geom type=\"hfield\" hfield=\"hills\"/>";

std::string asset_of_file(const std::string& more = "") {
  return "<hfield name=\"hills\" file=\"heights.png\" size=\"3 2 0.75 0.1\" " + more + "/>";
}

const HeightGrid& grid_of(const ImportedModel& model) { return *std::get<HeightField>(model.colliders[0].shape).grid; }

std::string faults_of(const std::string& asset, const std::string& folder) {
  try {
    static_cast<void>(read(asset, ground, folder));
  } catch (const ImportError& error) {
    return error.what();
  }
  return "";
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

TEST(MjcfHeightField, AnImageIsScaledFromItsDarkestToItsBrightest) {
  const TemporaryHeights file;
  file.write_image(3, 2, {50, 60, 70, 150, 100, 75});
  const ImportedModel model = read(asset_of_file(), ground, file.folder());
  const HeightGrid& grid = grid_of(model);
  EXPECT_EQ(grid.nx(), 3);
  EXPECT_EQ(grid.ny(), 2);
  EXPECT_EQ(grid.spacing(), Vec2(3, 4));
  const std::vector<double> expected{0.75, 0.375, 0.1875, 0, 0.075, 0.15};
  for (std::size_t k = 0; k < expected.size(); ++k) EXPECT_NEAR(grid.heights()[k], expected[k], 1e-15) << k;
}

TEST(MjcfHeightField, AFileWithoutANameNamesIt) {
  const TemporaryHeights file("hills.png");
  file.write_image(2, 2, {0, 0, 0, 255});
  const ImportedModel model = read(
      "<hfield file=\"hills.png\" content_type=\"image/png\" nrow=\"0\" size=\"3 2 0.5 0.1\"/>", ground, file.folder());
  EXPECT_EQ(grid_of(model).highest(), 0.5);
  for (const ImportNote& note : model.unused) EXPECT_EQ(note.text.find("content_type"), std::string::npos) << note.text;
}

TEST(MjcfHeightField, AFileSaysAllThatElevationWould) {
  const TemporaryHeights file;
  file.write_image(2, 2, {1, 2, 3, 4});
  EXPECT_NE(faults_of(asset_of_file("nrow=\"2\""), file.folder()).find("has a file and nrow"), std::string::npos);
  file.cut_off(20);
  EXPECT_NE(faults_of(asset_of_file(), file.folder()).find("PNG image"), std::string::npos);
  EXPECT_NE(faults_of(asset_of_file(), file.folder() + "/nowhere").find("the height field's file"), std::string::npos);
}

#ifdef CAROM_WITH_MUJOCO
/// Both kinds of files, whatever their name, with steep, level and negative heights.
TEST(MjcfHeightField, FilesAreReadAsMuJoCoReadsThem) {
  for (int kind = 0; kind < 4; ++kind) {
    const TemporaryHeights file(kind < 2 ? "heights.png" : "heights.bin");
    if (kind == 0) file.write_image(4, 3, {3, 7, 255, 0, 9, 9, 12, 200, 31, 5, 77, 128});
    if (kind == 1) file.write_image(2, 3, {300, 65535, 20000, 3, 257, 40000}, 16);
    if (kind == 2) file.write_numbers(3, 4, {-1, 0.5, 2, 7, 7, 3, -2.5, 1, 0, 4, 6, 8});
    if (kind == 3) file.write_numbers(2, 2, {5, 5, 5, 5});
    const std::string asset =
        kind < 2 ? asset_of_file() : "<hfield name=\"hills\" file=\"heights.bin\" size=\"3 2 0.75 0.1\"/>";
    const ImportedModel model = read(asset, ground, file.folder());
    const HeightGrid& grid = grid_of(model);
    const test::Mujoco theirs(mjcf(asset, ground, file.folder()));
    ASSERT_EQ(theirs.m->hfield_ncol[0], grid.nx()) << kind;
    ASSERT_EQ(theirs.m->hfield_nrow[0], grid.ny()) << kind;
    for (int k = 0; k < grid.sample_count(); ++k) {
      EXPECT_NEAR(grid.heights()[static_cast<std::size_t>(k)], 0.75 * theirs.m->hfield_data[k], 1e-7) << kind << k;
    }
  }
}
#endif

}  // namespace
}  // namespace carom::mjcf_height_field_test
