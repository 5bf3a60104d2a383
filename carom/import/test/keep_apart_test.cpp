// Groups of colliders part the pairs that are named, and no other pair.

#include "carom/import/keep_apart.h"

#include <gtest/gtest.h>

#include <random>

#include "carom/error.h"

namespace carom::keep_apart_test {
namespace {

bool meet(const Collider& a, const Collider& b) {
  return (a.groups & b.collides_with) != 0 || (b.groups & a.collides_with) != 0;
}

TEST(KeepApart, PartsNamedPairsAlone) {
  std::mt19937 random(7);
  const auto bits = [&] { return std::uint32_t(1 + random() % 7); };
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<Collider> colliders(8);
    for (Collider& collider : colliders) {
      collider.groups = bits();
      collider.collides_with = random() % 2 == 0 ? 0xffffffff : bits();
    }
    std::set<std::pair<int, int>> pairs;
    for (int k = 0; k < 5; ++k) {
      const int a = static_cast<int>(random() % 8), b = static_cast<int>(random() % 8);
      if (a != b) pairs.insert(std::minmax({a, b}));
    }
    const std::vector<Collider> before = colliders;
    keep_apart(pairs, colliders);
    for (int a = 0; a < 8; ++a) {
      for (int b = a + 1; b < 8; ++b) {
        EXPECT_EQ(meet(colliders[a], colliders[b]), meet(before[a], before[b]) && !pairs.contains(std::pair(a, b)));
      }
      EXPECT_TRUE(meet(colliders[a], Collider())) << "a collider that is added later";
    }
  }
}

TEST(KeepApart, RefusesMoreThan32Groups) {
  std::vector<Collider> colliders(80);
  std::set<std::pair<int, int>> pairs;
  for (int k = 0; k < 40; ++k) pairs.emplace(2 * k, 2 * k + 1);
  EXPECT_THROW(keep_apart(pairs, colliders), Error);
}

}  // namespace
}  // namespace carom::keep_apart_test
