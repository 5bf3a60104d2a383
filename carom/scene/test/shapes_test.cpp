// Shapes as scenes list them: one solid however it is written, names, materials, and what is at fault left out. Solids
// are compared by their support functions: h(d) = max_{x ∈ S} d·x over the shape S in its body's frame.
#include "carom/scene/shapes.h"

#include <gtest/gtest.h>

#include <random>

#include "carom/scene/yaml.h"

namespace carom::shapes_test {
namespace {

struct Read {
  std::vector<SceneShape> shapes;
  bool complete = true;
  std::string faults;
};

Read read(const std::string& list, int material_count = 1) {
  Diagnostics diagnostics("test.yaml", list);
  const auto root = parse_yaml(list, diagnostics);
  SceneMaterials materials;
  for (const std::string name : {"steel", "rubber"}) {
    if (static_cast<int>(materials.materials.size()) == material_count) break;
    materials.index[name] = static_cast<int>(materials.materials.size());
    materials.materials.push_back({name, Vec2(0.5, 0.5), 0});
  }
  Read result;
  if (root) result.shapes = read_shapes(*root, "owner", materials, {}, {}, result.complete, diagnostics);
  try {
    diagnostics.throw_if_any();
  } catch (const SceneError& error) {
    result.faults = error.what();
  }
  return result;
}

double support(const SceneShape& shape, const Vec3& d) {
  return d.dot(shape.X_BS * support_point(shape.shape, shape.X_BS.R.transpose() * d));
}

/// The shapes of a list are one and the same solid.
void expect_same(const std::string& list) {
  const Read all = read(list);
  ASSERT_EQ(all.faults, "");
  ASSERT_GE(all.shapes.size(), 2u);
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 50; ++trial) {
    const Vec3 d = Vec3(normal(random), normal(random), normal(random)).normalized();
    for (const SceneShape& shape : all.shapes) {
      EXPECT_NEAR(support(shape, d), support(all.shapes.front(), d), 1e-9) << shape.name << " along " << d.transpose();
    }
  }
}

TEST(SceneShapes, AreTheSameBySizesAndByHalves) {
  expect_same("[{type: box, size: [1, 2, 3]}, {type: box, half_extents: [0.5, 1, 1.5]}]");
  expect_same("[{type: capsule, radius: 0.2, length: 1}, {type: capsule, radius: 0.2, half_length: 0.5}]");
  expect_same("[{type: cylinder, radius: 0.2, length: 1}, {type: cylinder, radius: 0.2, half_length: 0.5}]");
}

TEST(SceneShapes, AreTheSameByDifferentTypes) {
  expect_same("[{type: sphere, radius: 0.3}, {type: ellipsoid, semi_axes: [0.3, 0.3, 0.3]}]");
  expect_same(
      "[{type: box, size: [2, 2, 2]}, {type: mesh, vertices: [[1, 1, 1], [1, 1, -1], [1, -1, 1], [1, -1, -1], [-1, 1, "
      "1], "
      "[-1, 1, -1], [-1, -1, 1], [-1, -1, -1]]}, {type: mesh, scale: 2, vertices: [[0.5, 0.5, 0.5], [0.5, 0.5, -0.5], "
      "[0.5, -0.5, 0.5], [0.5, -0.5, -0.5], [-0.5, 0.5, 0.5], [-0.5, 0.5, -0.5], [-0.5, -0.5, 0.5], [-0.5, -0.5, "
      "-0.5]]}]");
}

TEST(SceneShapes, AreTheSameHoweverTheirTurnIsWritten) {
  expect_same(
      "[{type: box, size: [1, 2, 3], position: [1, 0, 0], orientation: {axis: [0, 0, 1], angle: 90 deg}}, "
      "{type: box, size: [1, 2, 3], position: [1, 0, 0], orientation: {roll_pitch_yaw: [0, 0, 90 deg]}}, "
      "{type: box, size: [2, 1, 3], position: [1, 0, 0]}]");
}

TEST(SceneShapes, AHalfSpaceHasTheNormalAndThePointThatAreGiven) {
  const Read one = read("[{type: half-space, normal: [0, 3, 4], point: [1, 2, 3]}]");
  ASSERT_EQ(one.faults, "");
  const Transform& X = one.shapes.at(0).X_BS;
  EXPECT_LE((X.R.col(2) - Vec3(0, 0.6, 0.8)).norm(), 1e-15);
  EXPECT_NEAR((X.p - Vec3(1, 2, 3)).dot(X.R.col(2)), 0, 1e-15);
  EXPECT_NEAR(X.R.determinant(), 1, 1e-15);
}

TEST(SceneShapes, HaveNamesThatNoOtherOfTheirOwnerHas) {
  const Read three = read(
      "[{type: sphere, radius: 1}, {type: sphere, radius: 1, name: sphere-1}, {type: sphere, radius: 1}, "
      "{type: box, size: [1, 1, 1]}, {type: box, size: [1, 1, 1], name: lid}]");
  ASSERT_EQ(three.faults, "");
  std::vector<std::string> names;
  for (const SceneShape& shape : three.shapes) names.push_back(shape.name);
  EXPECT_EQ(names,
            (std::vector<std::string>{"owner/sphere-2", "owner/sphere-1", "owner/sphere-3", "owner/box", "owner/lid"}));
  EXPECT_NE(read("[{type: sphere, radius: 1, name: a}, {type: sphere, radius: 1, name: a}]").faults, "");
}

TEST(SceneShapes, TakeTheOnlyMaterialAndMustChooseAmongSeveral) {
  EXPECT_EQ(read("[{type: sphere, radius: 1}]", 1).shapes.at(0).material, 0);
  EXPECT_EQ(read("[{type: sphere, radius: 1, material: rubber}]", 2).shapes.at(0).material, 1);
  EXPECT_NE(read("[{type: sphere, radius: 1}]", 2).faults, "");
  EXPECT_NE(read("[{type: sphere, radius: 1, material: rubbr}]", 2).faults.find("did you mean 'rubber'?"),
            std::string::npos);
}

TEST(SceneShapes, OneAtFaultIsLeftOutAndTheOthersAreRead) {
  const Read some = read("[{type: sphere, radius: -1}, {type: sphere, radius: 1, name: whole}, {type: spher}]");
  EXPECT_FALSE(some.complete);
  ASSERT_EQ(some.shapes.size(), 1u);
  EXPECT_EQ(some.shapes[0].name, "owner/whole");
  EXPECT_TRUE(read("[{type: sphere, radius: 1}]").complete);
  EXPECT_FALSE(read("{type: sphere, radius: 1}").complete);
}

}  // namespace
}  // namespace carom::shapes_test
