#include "carom/model/collider_pairs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "carom/error.h"
#include "carom/model/model.h"

namespace carom::collider_pairs_test {
namespace {

NamedPair rubs(double friction) { return {Vec2(friction, friction), 0.0}; }

/// Friction of two colliders, by the table that everything reads.
double friction_between(const Model& model, int a, int b) {
  return model
      .contact_material(model.colliders()[static_cast<std::size_t>(a)].material,
                        model.colliders()[static_cast<std::size_t>(b)].material)
      .friction.x();
}

/// Random materials, pairs of them and pairs of colliders; what holds for two colliders is looked up by hand.
TEST(ColliderPairs, HoldForTheCollidersThatTheyNameAndForNoOthers) {
  std::mt19937 random(7);
  const auto number = [&](int below) { return static_cast<int>(random() % static_cast<unsigned>(below)); };
  for (int trial = 0; trial < 200; ++trial) {
    ModelBuilder builder;
    const int materials = 1 + number(3), colliders = 2 + number(6);
    for (int i = 0; i < materials; ++i) {
      builder.add_material({"m" + std::to_string(i), Vec2::Constant(0.1 * (i + 1)), 0.0});
    }
    builder.set_combination(Combination::maximum, Combination::maximum);
    const bool named = number(2) == 0;
    if (named) builder.set_pair(0, materials - 1, rubs(0.9));
    std::vector<int> material;
    for (int i = 0; i < colliders; ++i) {
      material.push_back(number(materials));
      const int body = builder.add_body("b" + std::to_string(i), SpatialInertia{1, Vec3::Zero(), Mat3::Identity()});
      builder.add_collider({"c" + std::to_string(i), body, Sphere{0.1}, {}, material.back()});
    }
    std::vector<ColliderPair> entries;
    for (int i = number(4); i > 0; --i) {
      ColliderPair entry;
      for (int k = 1 + number(3); k > 0; --k) entry.a.push_back(number(colliders));
      for (int k = 1 + number(3); k > 0; --k) entry.b.push_back(number(colliders));
      entry.together = rubs(static_cast<double>(entries.size()) + 2);
      entries.push_back(entry);
      builder.set_pair_of_colliders(entry);
    }
    const Model model = builder.build();
    const auto names = [](const std::vector<int>& list, int one) {
      return std::find(list.begin(), list.end(), one) != list.end();
    };
    for (int a = 0; a < colliders; ++a) {
      for (int b = 0; b < colliders; ++b) {
        const std::pair<int, int> both =
            std::minmax(material[static_cast<std::size_t>(a)], material[static_cast<std::size_t>(b)]);
        double expected = 0.1 * (both.second + 1);
        if (named && both == std::pair(0, materials - 1)) expected = 0.9;
        for (const ColliderPair& entry : entries) {
          const bool meant = (names(entry.a, a) && names(entry.b, b)) || (names(entry.a, b) && names(entry.b, a));
          if (meant) expected = entry.together.friction.x();
        }
        EXPECT_EQ(friction_between(model, a, b), expected) << trial << " " << a << " " << b;
      }
    }
    EXPECT_LE(model.materials().size(), static_cast<std::size_t>(materials + colliders));
  }
}

TEST(ColliderPairs, OfCollidersThatThereAreNotAreRefused) {
  ModelBuilder builder;
  builder.add_material({"m", Vec2::Zero(), 0.0});
  builder.add_collider({"floor", -1, HalfSpace{}, {}, 0});
  builder.set_pair_of_colliders({{0}, {3}, rubs(-1)});
  try {
    static_cast<void>(builder.build());
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()),
              "Pair 0 of colliders names number 3, but the model has 1 collider, numbered from 0.\n"
              "Pair 0 of colliders has friction (-1, -1); both coefficients must be finite and not negative.");
  }
}

}  // namespace
}  // namespace carom::collider_pairs_test
