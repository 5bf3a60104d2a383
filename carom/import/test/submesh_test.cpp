// Parts of mesh files by their names, and SDFormat's <submesh>.

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include "carom/import/mesh_file.h"
#include "carom/import/test/sdf_text.h"

namespace carom::submesh_test {
namespace {

namespace fs = std::filesystem;

/// Boxes of a file, by their names: a lower corner and sizes.
struct Block {
  std::string name;
  Vec3 lower, size;
};
const Block plate{"plate", {1, 2, 3}, {2, 1, 0.5}}, knob{"knob", {-1, 0, 0}, {0.25, 0.5, 1}};

Vec3 corner(const Block& block, int i) {
  return block.lower + Vec3(i & 1, (i >> 1) & 1, (i >> 2) & 1).cwiseProduct(block.size);
}

constexpr int faces[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                              {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};

std::string numbers(const Vec3& p) {
  return std::to_string(p.x()) + " " + std::to_string(p.y()) + " " + std::to_string(p.z());
}

std::string obj(const std::vector<Block>& blocks) {
  std::string text;
  int first = 1;
  for (const Block& block : blocks) {
    text += "o " + block.name + "\n";
    for (int i = 0; i < 8; ++i) text += "v " + numbers(corner(block, i)) + "\n";
    for (const auto& face : faces) {
      text += "f";
      for (const int k : face) text += " " + std::to_string(first + k);
      text += "\n";
    }
    first += 8;
  }
  return text;
}

/// A unit cube that nodes of these names put into place, in half metres; the second hangs on the first.
std::string collada(const Block& outer, const Block& inner) {
  std::string positions, triangles;
  for (int i = 0; i < 8; ++i) positions += numbers(corner({"", Vec3::Zero(), Vec3::Ones()}, i)) + " ";
  for (const auto& face : faces) {
    for (const int k : face) triangles += std::to_string(k) + " ";
  }
  const auto node = [](const Block& block, const Vec3& from, const std::string& inside) {
    return "<node name=\"" + block.name + "\"><translate>" + numbers(2 * (block.lower - from)) +
           "</translate><instance_geometry url=\"#g\"/>" + inside + "</node>";
  };
  return "<?xml version=\"1.0\"?><COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" "
         "version=\"1.4.1\"><asset>"
         "<unit name=\"u\" meter=\"0.5\"/><up_axis>Z_UP</up_axis></asset><library_geometries><geometry id=\"g\" "
         "name=\"cube\"><mesh><source id=\"p\"><float_array id=\"f\" count=\"24\">" +
         positions +
         "</float_array><technique_common><accessor source=\"#f\" count=\"8\" stride=\"3\"><param name=\"X\" "
         "type=\"double\"/><param name=\"Y\" type=\"double\"/><param name=\"Z\" type=\"double\"/></accessor>"
         "</technique_common></source><vertices id=\"v\"><input semantic=\"POSITION\" source=\"#p\"/></vertices>"
         "<triangles count=\"12\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><p>" +
         triangles +
         "</p></triangles></mesh></geometry></library_geometries><library_visual_scenes><visual_scene id=\"s\">" +
         node(outer, Vec3::Zero(), node(inner, outer.lower, "")) +
         "</visual_scene></library_visual_scenes><scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>";
}

/// Lower and upper corner of all points.
std::pair<Vec3, Vec3> box_of(const std::vector<Vec3>& points) {
  Vec3 lower = points.at(0), upper = points.at(0);
  for (const Vec3& p : points) {
    lower = lower.cwiseMin(p);
    upper = upper.cwiseMax(p);
  }
  return {lower, upper};
}

void expect_box(const std::vector<Vec3>& points, const Vec3& lower, const Vec3& size) {
  const auto [from, to] = box_of(points);
  EXPECT_LT((from - lower).norm(), 1e-6);
  EXPECT_LT((to - lower - size).norm(), 1e-6);
}

class Submesh : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ =
        fs::path(testing::TempDir()) / ("carom_submesh_" + std::string(test->name()) + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return (folder_ / name).string();
  }
  fs::path folder_;
};

TEST_F(Submesh, PartsOfObjAreItsObjects) {
  const std::string path = write("both.obj", obj({plate, knob}));
  for (const Block& block : {plate, knob}) {
    expect_box(mesh_vertices(path, {block.name, false}), block.lower, block.size);
    expect_box(mesh_vertices(path, {block.name, true}), -0.5 * block.size, block.size);
    const std::vector<MeshPart> parts = mesh_parts(path, {block.name, true});
    ASSERT_EQ(parts.size(), 1u);
    EXPECT_EQ(parts[0].surface.triangles.size(), 36u);
    expect_box(parts[0].surface.vertices, -0.5 * block.size, block.size);
  }
  EXPECT_EQ(mesh_vertices(path).size(), mesh_vertices(path, {"plate", false}).size() * 2);
}

/// A node's part is what it holds itself, where the nodes above it put it, in metres.
TEST_F(Submesh, PartsOfColladaAreItsNodes) {
  const Block outer{"outer", {1, 2, 3}, Vec3::Constant(0.5)}, inner{"inner", {-1, 0, 5}, Vec3::Constant(0.5)};
  const std::string path = write("nested.dae", collada(outer, inner));
  for (const Block& block : {outer, inner}) {
    expect_box(mesh_vertices(path, {block.name, false}), block.lower, block.size);
    expect_box(mesh_parts(path, {block.name, false}).at(0).surface.vertices, block.lower, block.size);
  }
}

TEST_F(Submesh, APartThatIsNotThereIsToldWithThoseThatAre) {
  const std::string path = write("both.obj", obj({plate, knob}));
  for (const bool surface : {false, true}) {
    try {
      if (surface) {
        static_cast<void>(mesh_parts(path, {"lid", false}));
      } else {
        static_cast<void>(mesh_vertices(path, {"lid", false}));
      }
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_STREQ(error.what(), "has no part called \"lid\"; its parts are \"knob\", \"plate\"");
    }
  }
}

/// The middle goes to the origin before the scale, which then makes the part larger about it.
TEST_F(Submesh, SdformatTakesThePartThatCollidesAndIsDrawn) {
  write("both.obj", obj({plate, knob}));
  for (const bool centered : {false, true}) {
    const std::string mesh = "<geometry><mesh><uri>both.obj</uri><scale>1 2 3</scale><submesh><name>plate</name>" +
                             std::string(centered ? "<center>true</center>" : "") + "</submesh></mesh></geometry>";
    const std::string path = write(
        "m.sdf",
        "<sdf version='1.9'><model name='m'>" +
            test::link("a", "<collision name='c'>" + mesh + "</collision><visual name='v'>" + mesh + "</visual>") +
            "</model></sdf>");
    const ImportedModel model = read_sdformat(path, {});
    const Vec3 size = plate.size.cwiseProduct(Vec3(1, 2, 3));
    const Vec3 lower = centered ? Vec3(-0.5 * size) : plate.lower.cwiseProduct(Vec3(1, 2, 3));
    ASSERT_EQ(model.colliders.size(), 1u);
    const auto* hull = std::get_if<ConvexMesh>(&model.colliders[0].shape);
    ASSERT_NE(hull, nullptr);
    std::vector<Vec3> corners;
    for (const Vec3& vertex : hull->polyhedron->vertices) corners.push_back(model.colliders[0].X_BS * vertex);
    expect_box(corners, lower, size);
    ASSERT_EQ(model.visuals.size(), 1u);
    const auto* drawn = std::get_if<VisualMesh>(&model.visuals[0].shape);
    ASSERT_TRUE(drawn && drawn->surface);
    expect_box(drawn->surface->vertices, lower, size);
    EXPECT_TRUE(model.unused.empty());
  }
}

TEST_F(Submesh, SdformatTellsAPartWithoutAName) {
  EXPECT_NE(test::faults_of(test::link("a",
                                       "<collision name='c'><geometry><mesh><uri>x.obj</uri><submesh/></mesh>"
                                       "</geometry></collision>"))
                .find("<submesh> has no <name>; it must name a part of the mesh"),
            std::string::npos);
}

}  // namespace
}  // namespace carom::submesh_test
