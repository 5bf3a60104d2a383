#include "carom/impact/elastic_layer.h"

#include <gtest/gtest.h>

#include <cmath>

namespace carom::elastic_layer_test {
namespace {

TEST(ElasticLayer, ForceIsTheDerivativeOfTheEnergy) {
  for (const double exponent : {1.0, 1.25, 1.5, 2.0, 3.0}) {
    const ElasticLayer layer{1e4, exponent};
    for (const double z : {1e-3, 0.02, 0.7}) {
      const double step = 1e-4 * z;
      const double slope = (layer.energy(z + step) - layer.energy(z - step)) / (2 * step);
      EXPECT_NEAR(slope, layer.force(z), 1e-7 * layer.force(z)) << exponent;
      EXPECT_NEAR(layer.force(z), 1e4 * std::pow(z, exponent), 1e-12 * layer.force(z)) << exponent;
    }
  }
}

TEST(ElasticLayer, PullsNever) {
  const ElasticLayer layer{1e4, 1.5};
  for (const double z : {0.0, -1e-12, -3.0}) {
    EXPECT_EQ(layer.force(z), 0);
    EXPECT_EQ(layer.energy(z), 0);
  }
}

TEST(ElasticLayer, StoresAllOfWhatComesToRestInIt) {
  for (const double exponent : {1.0, 1.5, 2.2}) {
    const ElasticLayer layer{3e5, exponent};
    for (const double mass : {0.1, 2.0}) {
      const double speed = 3, z = layer.depth(1 / mass, speed);
      EXPECT_NEAR(layer.energy(z), 0.5 * mass * speed * speed, 1e-12 * mass * speed * speed) << exponent;
    }
  }
}

}  // namespace
}  // namespace carom::elastic_layer_test
