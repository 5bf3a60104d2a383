#include <gtest/gtest.h>

#include <limits>

#include "carom/geometry/broad_phase.h"
#include "carom/geometry/test/random_shapes.h"
#include "testing/allocation_count.h"

namespace carom::allocation_test {
namespace {

TEST(Allocation, NoneOnceBuffersAreGrown) {
  RandomShapes random(1);
  std::vector<Shape> shapes;
  std::vector<Transform> poses;
  for (int i = 0; i < 48; ++i) {
    shapes.push_back(random.shape(i % 9));
    poses.push_back(random.pose(0.5));
  }
  shapes.push_back(HalfSpace{});
  poses.push_back(Transform::identity());

  BroadPhase broad_phase;
  std::vector<Bounds> boxes(shapes.size());
  std::vector<ContactPoint> points;
  const auto find = [&] {
    for (std::size_t i = 0; i < shapes.size(); ++i) boxes[i] = bounds(shapes[i], poses[i], 0.01);
    points.clear();
    for (const auto& [i, j] : broad_phase.overlapping_pairs(boxes)) {
      if (!can_collide(shapes[i], shapes[j])) continue;
      contact_points(shapes[i], poses[i], shapes[j], poses[j], 0.01, points);
    }
  };
  const long before = allocation_count();
  find();
  EXPECT_GT(allocation_count(), before);
  EXPECT_GT(points.size(), 100u);
  const std::vector<ContactPoint> first = points;
  const long grown = allocation_count();
  find();
  EXPECT_EQ(allocation_count(), grown);
  // And the same answer to the bit.
  ASSERT_EQ(points.size(), first.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_EQ(points[i].gap, first[i].gap);
    EXPECT_EQ(points[i].normal, first[i].normal);
    EXPECT_EQ(points[i].feature, first[i].feature);
  }
}

}  // namespace
}  // namespace carom::allocation_test
