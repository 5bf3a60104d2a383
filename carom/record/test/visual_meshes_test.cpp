#include "carom/record/visual_meshes.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <string>

#include "carom/record/fewer_triangles.h"
#include "carom/record/visuals.h"

namespace carom::visual_meshes_test {
namespace {

namespace fs = std::filesystem;

/// Six times the volume that a surface encloses, seen anticlockwise from outside.
double six_volumes(const TriangleMesh& mesh) {
  double sum = 0;
  for (std::size_t i = 0; i < mesh.triangles.size(); i += 3) {
    Mat3 corners;
    for (int k = 0; k < 3; ++k) corners.col(k) = mesh.vertices[mesh.triangles[i + static_cast<std::size_t>(k)]];
    sum += corners.determinant();
  }
  return sum;
}

/// A unit ball by meridians and parallels.
TriangleMesh ball(std::uint32_t around) {
  TriangleMesh mesh;
  const std::uint32_t up = around / 2;
  for (std::uint32_t j = 0; j <= up; ++j) {
    for (std::uint32_t i = 0; i < around; ++i) {
      const double a = 2 * std::numbers::pi * i / around, b = std::numbers::pi * j / up;
      mesh.vertices.emplace_back(std::sin(b) * std::cos(a), std::sin(b) * std::sin(a), -std::cos(b));
    }
  }
  for (std::uint32_t j = 0; j < up; ++j) {
    for (std::uint32_t i = 0; i < around; ++i) {
      const std::uint32_t s = j * around + i, t = j * around + (i + 1) % around;
      for (const std::uint32_t corner : {s, t, s + around, t, t + around, s + around}) mesh.triangles.push_back(corner);
    }
  }
  return mesh;
}

class VisualMeshes : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(testing::TempDir()) / ("carom_" + std::string(test->name()) + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string write(const std::string& name, const TriangleMesh& mesh) const {
    std::ofstream file(folder_ / name);
    file.precision(17);
    for (const Vec3& v : mesh.vertices) file << "v " << v.x() << ' ' << v.y() << ' ' << v.z() << '\n';
    for (std::size_t i = 0; i < mesh.triangles.size(); i += 3) {
      file << "f " << mesh.triangles[i] + 1 << ' ' << mesh.triangles[i + 1] + 1 << ' ' << mesh.triangles[i + 2] + 1
           << '\n';
    }
    return (folder_ / name).string();
  }
  static Visual shown(const std::string& path, const Vec3& scale = Vec3::Ones()) {
    VisualMesh mesh;
    mesh.file = path;
    mesh.M = scale.asDiagonal();
    return {"v", 0, {}, mesh};
  }
  static const TriangleMesh& surface(const Visual& visual) { return *std::get<VisualMesh>(visual.shape).surface; }
  fs::path folder_;
};

TEST_F(VisualMeshes, AreSharedScaledAndTurnedOutsideInAMirror) {
  const TriangleMesh round = ball(32);
  const std::string path = write("ball.obj", round);
  const Appearance drawn =
      with_surfaces({{shown(path), shown(path), shown(path, {2, 1, 1}), shown(path, {1, 1, -1})}, {}, {}});
  ASSERT_EQ(drawn.visuals.size(), 4u);
  EXPECT_TRUE(drawn.notes.empty());
  EXPECT_EQ(&surface(drawn.visuals[0]), &surface(drawn.visuals[1]));
  const double whole = six_volumes(round);
  ASSERT_GT(whole, 0.95 * 8 * std::numbers::pi);
  EXPECT_NEAR(six_volumes(surface(drawn.visuals[0])), whole, 1e-5);
  EXPECT_NEAR(six_volumes(surface(drawn.visuals[2])), 2 * whole, 1e-5);
  EXPECT_NEAR(six_volumes(surface(drawn.visuals[3])), whole, 1e-5) << "not inside out";
}

TEST_F(VisualMeshes, BecomeCoarserWhereTheyAreTooMany) {
  const TriangleMesh round = ball(128);
  const std::size_t count = round.triangles.size() / 3;
  const std::string a = write("a.obj", round), b = write("b.obj", round);
  const Appearance drawn = with_surfaces({{shown(a), shown(b)}, {}, {}}, count / 2);
  std::size_t left = 0;
  for (const Visual& visual : drawn.visuals) {
    left += surface(visual).triangles.size() / 3;
    EXPECT_NEAR(six_volumes(surface(visual)), 8 * std::numbers::pi, 0.02 * 8 * std::numbers::pi) << "still a ball";
    for (const Vec3& vertex : surface(visual).vertices) EXPECT_NEAR(vertex.norm(), 1, 1e-6) << "of the ball's own";
  }
  EXPECT_LE(left, count / 2 + count / 10);
  EXPECT_GT(left, count / 5);
  ASSERT_EQ(drawn.notes.size(), 1u);
  EXPECT_NE(drawn.notes[0].find(std::to_string(left)), std::string::npos) << drawn.notes[0];
  // Visuals that have their surfaces keep them.
  const Appearance again = with_surfaces(drawn, count / 2);
  EXPECT_EQ(&surface(again.visuals[0]), &surface(drawn.visuals[0]));
  EXPECT_EQ(again.notes, drawn.notes);
}

TEST_F(VisualMeshes, SmallOnesStayWholeBesideLargeOnes) {
  const TriangleMesh round = ball(128), small = ball(4);
  const std::size_t count = round.triangles.size() / 3, few = small.triangles.size() / 3;
  ASSERT_GT(count, 16000u);
  ASSERT_EQ(few, 16u);
  const std::string large = write("large.obj", round), wedge = write("wedge.obj", small);
  for (const std::size_t most : {std::size_t{10}, std::size_t{100}, count / 4}) {
    const Appearance drawn = with_surfaces({{shown(wedge), shown(large)}, {}, {}}, most);
    EXPECT_EQ(surface(drawn.visuals[0]).triangles.size() / 3, few);
    const std::size_t left = surface(drawn.visuals[1]).triangles.size() / 3;
    EXPECT_GT(left, 0u);
    EXPECT_LE(left, most + most / 5 + 20);
    EXPECT_TRUE(is_drawn(drawn.visuals[0]) && is_drawn(drawn.visuals[1]));
  }
  // Many that are small, but too many: each keeps an even part.
  std::vector<Visual> many;
  for (int i = 0; i < 40; ++i) many.push_back(shown(write(std::to_string(i) + ".obj", ball(20))));
  const Appearance drawn = with_surfaces({many, {}, {}}, 4000);
  for (const Visual& visual : drawn.visuals) {
    EXPECT_NEAR(static_cast<double>(surface(visual).triangles.size()) / 3, 100, 20);
  }
}

TEST_F(VisualMeshes, WithoutAreaAreNotDrawnAndAreTold) {
  const TriangleMesh line{{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, {0, 1, 2}};
  const Appearance drawn = with_surfaces({{shown(write("line.obj", line))}, {}, {}});
  ASSERT_EQ(drawn.visuals.size(), 1u);
  EXPECT_FALSE(is_drawn(drawn.visuals[0]));
  EXPECT_TRUE(shown_bodies(drawn).empty());
  ASSERT_EQ(drawn.notes.size(), 1u);
  EXPECT_EQ(drawn.notes[0].find("mesh \"line.obj\" has no triangle with an area"), 0u) << drawn.notes[0];
  // Surfaces that came with the model are judged alike.
  VisualMesh own;
  for (const TriangleMesh& mesh : {line, TriangleMesh{}}) {
    own.surface = std::make_shared<const TriangleMesh>(mesh);
    EXPECT_FALSE(is_drawn({"v", 0, {}, own}));
  }
  own.surface = std::make_shared<const TriangleMesh>(ball(8));
  EXPECT_TRUE(is_drawn({"v", 0, {}, own}));
}

TEST_F(VisualMeshes, ThatAreMissingAreTold) {
  const std::string gone = (folder_ / "gone.obj").string();
  const Appearance drawn = with_surfaces({{shown(gone), shown(gone)}, {}, {}});
  ASSERT_EQ(drawn.visuals.size(), 2u);
  EXPECT_EQ(std::get<VisualMesh>(drawn.visuals[0].shape).surface, nullptr);
  ASSERT_EQ(drawn.notes.size(), 1u);
  EXPECT_NE(drawn.notes[0].find("does not exist"), std::string::npos);
  EXPECT_NE(drawn.notes[0].find("\"gone.obj\""), std::string::npos);
  EXPECT_EQ(drawn.notes[0].find(folder_.string()), std::string::npos) << "pages name no folder of the machine";
  EXPECT_EQ(with_surfaces(drawn).notes.size(), 1u) << "told once, however often it is looked for";
}

TEST(FewerTriangles, OfManyLoosePartsAreFewToo) {
  // No two of these triangles share an edge, so no edge can collapse.
  TriangleMesh loose;
  for (std::uint32_t i = 0; i < 4000; ++i) {
    const Vec3 at(i % 20, (i / 20) % 20, static_cast<double>(i / 400));
    for (const Vec3& corner : {Vec3(0, 0, 0), Vec3(0.9, 0, 0), Vec3(0, 0.9, 0.1)})
      loose.vertices.emplace_back(at + corner);
    for (const std::uint32_t k : {0u, 1u, 2u}) loose.triangles.push_back(3 * i + k);
  }
  const TriangleMesh fewer = with_fewer_triangles(loose, 400);
  EXPECT_LE(fewer.triangles.size() / 3, 480u);
  for (const std::uint32_t vertex : fewer.triangles) EXPECT_LT(vertex, fewer.vertices.size());
}

TEST(FewerTriangles, NeverVanish) {
  // Loose parts that are small beside the whole are what clustering loses.
  TriangleMesh dust;
  for (std::uint32_t i = 0; i < 100; ++i) {
    const Vec3 at(i % 10, i / 10, 0);
    for (const Vec3& corner : {Vec3(0, 0, 0), Vec3(1e-3, 0, 0), Vec3(0, 1e-3, 0)})
      dust.vertices.emplace_back(at + corner);
    for (const std::uint32_t k : {0u, 1u, 2u}) dust.triangles.push_back(3 * i + k);
  }
  for (const TriangleMesh& mesh : {dust, ball(4), ball(16)}) {
    for (const std::size_t most : {0u, 1u, 2u, 10u, 40u}) EXPECT_TRUE(has_area(with_fewer_triangles(mesh, most)));
  }
}

}  // namespace
}  // namespace carom::visual_meshes_test
