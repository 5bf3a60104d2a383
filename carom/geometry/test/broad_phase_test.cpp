#include "carom/geometry/broad_phase.h"

#include <gtest/gtest.h>

#include <limits>

#include "carom/geometry/test/random_shapes.h"

namespace carom::broad_phase_test {
namespace {

using Pairs = std::vector<std::pair<int, int>>;
constexpr double infinity = std::numeric_limits<double>::infinity();

Pairs every_overlap(const std::vector<Bounds>& boxes) {
  Pairs pairs;
  for (int i = 0; i < static_cast<int>(boxes.size()); ++i) {
    for (int j = i + 1; j < static_cast<int>(boxes.size()); ++j) {
      bool apart = false;
      for (int k = 0; k < 3; ++k) {
        apart |= boxes[i].upper[k] < boxes[j].lower[k] || boxes[j].upper[k] < boxes[i].lower[k];
      }
      if (!apart) pairs.emplace_back(i, j);
    }
  }
  return pairs;
}

Bounds random_bounds(RandomShapes& random, double spread, double size) {
  const Vec3 p = random.in_cube(spread), q{random.between(0, size), random.between(0, size), random.between(0, size)};
  return {p, p + q};
}

TEST(BroadPhase, FindsWhatAllPairsFind) {
  RandomShapes random(1);
  BroadPhase broad_phase;
  std::size_t total = 0;
  for (int trial = 0; trial < 500; ++trial) {
    std::vector<Bounds> boxes;
    const int n = random.below(60);
    for (int i = 0; i < n; ++i) {
      Bounds box = random_bounds(random, 1, trial % 2 ? 0.3 : 2);
      const int axis = random.below(3);
      switch (random.below(12)) {
        case 0:
          box = {Vec3::Constant(-infinity), Vec3::Constant(infinity)};
          break;
        case 1:
          box.lower[axis] = -infinity;
          break;
        case 2:
          box.upper[axis] = infinity;
          break;
        case 3:
          box.upper = box.lower;
          break;
        default:
          break;
      }
      boxes.push_back(box);
    }
    const Pairs expected = every_overlap(boxes);
    total += expected.size();
    EXPECT_EQ(broad_phase.overlapping_pairs(boxes), expected) << "trial " << trial;
  }
  EXPECT_GT(total, 10000u);
}

TEST(BroadPhase, TouchingAndEqualBoxesOverlap) {
  // On a grid of whole numbers boxes share faces, edges, corners, or everything.
  RandomShapes random(2);
  BroadPhase broad_phase;
  for (int trial = 0; trial < 500; ++trial) {
    std::vector<Bounds> boxes;
    for (int i = 0; i < 30; ++i) {
      const Vec3 p = random.cell(4);
      boxes.push_back({p, p + random.cell(2)});
    }
    EXPECT_EQ(broad_phase.overlapping_pairs(boxes), every_overlap(boxes)) << "trial " << trial;
  }
}

TEST(BroadPhase, HasNoPairsOfNothing) {
  BroadPhase broad_phase;
  EXPECT_TRUE(broad_phase.overlapping_pairs({}).empty());
  EXPECT_TRUE(broad_phase.overlapping_pairs({{Vec3::Zero(), Vec3::Ones()}}).empty());
  const Bounds all = {Vec3::Constant(-infinity), Vec3::Constant(infinity)};
  EXPECT_EQ(broad_phase.overlapping_pairs({all, all, all}), (Pairs{{0, 1}, {0, 2}, {1, 2}}));
}

TEST(BroadPhase, BoxesThatAreNotNumbersOverlapNothing) {
  RandomShapes random(3);
  BroadPhase broad_phase;
  std::vector<Bounds> boxes(50, {Vec3::Zero(), Vec3::Ones()});
  Pairs expected;
  for (int i = 0; i < 50; ++i) {
    if (i % 3 == 0) boxes[i].lower[i % 2] = std::numeric_limits<double>::quiet_NaN();
    for (int j = i + 1; i % 3 && j < 50; ++j) {
      if (j % 3) expected.emplace_back(i, j);
    }
  }
  EXPECT_EQ(broad_phase.overlapping_pairs(boxes), expected);
}

TEST(Bounds, AreTheSupportAlongTheAxes) {
  RandomShapes random(4);
  for (int trial = 0; trial < 1000; ++trial) {
    const Transform X = random.pose(2);
    const Shape shapes[] = {random.sphere(), random.box(), random.capsule()};
    const double margin = random.between(0, 0.2);
    for (const Shape& shape : shapes) {
      const Bounds box = bounds(shape, X, margin);
      for (int k = 0; k < 3; ++k) {
        EXPECT_NEAR(box.upper[k], support(shape, X, Vec3::Unit(k)) + margin, 1e-14);
        EXPECT_NEAR(box.lower[k], -support(shape, X, -Vec3::Unit(k)) - margin, 1e-14);
      }
    }
  }
  const Bounds all = bounds(HalfSpace{}, random.pose(1), 0);
  EXPECT_EQ(all.lower, Vec3::Constant(-infinity));
  EXPECT_EQ(all.upper, Vec3::Constant(infinity));
}

TEST(Bounds, OverlapWhereverThereIsContact) {
  RandomShapes random(5);
  BroadPhase broad_phase;
  int contacts = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    const Shape a = trial % 2 ? Shape(random.sphere()) : Shape(random.capsule());
    const Shape b = trial % 3 ? Shape(random.box()) : Shape(random.capsule());
    const Transform X_WA = random.pose(0.6), X_WB = random.pose(0.6);
    const double margin = 0.02;
    if (points_of(a, X_WA, b, X_WB, margin).empty()) continue;
    ++contacts;
    EXPECT_EQ(broad_phase.overlapping_pairs({bounds(a, X_WA, margin / 2 + 1e-12), bounds(b, X_WB, margin / 2)}).size(),
              1u);
  }
  EXPECT_GT(contacts, 500);
}

}  // namespace
}  // namespace carom::broad_phase_test
