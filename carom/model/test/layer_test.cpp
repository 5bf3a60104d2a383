// Which layers can be: springs that store energy whatever their deflection, dampers that never give any.
#include "carom/model/layer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace carom::layer_test {
namespace {

Mat3 symmetric(std::mt19937& random) {
  std::uniform_real_distribution<double> entry(-1, 1);
  Mat3 matrix;
  for (int i = 0; i < 3; ++i) {
    for (int j = i; j < 3; ++j) matrix(i, j) = matrix(j, i) = entry(random);
  }
  return matrix;
}

/// By Sylvester's criterion: all leading minors are positive.
bool is_positive_definite(const Mat3& m) {
  return m(0, 0) > 0 && m.topLeftCorner<2, 2>().determinant() > 0 && m.determinant() > 0;
}

bool blames(const Layer& layer, const std::string& field) {
  const auto faults = layer_faults(layer);
  return std::any_of(faults.begin(), faults.end(), [&](const LayerFault& fault) { return fault.field == field; });
}

TEST(Layers, AreRefusedIfADeflectionWouldStoreNoEnergy) {
  std::mt19937 random(11);
  int accepted = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    Layer layer;
    layer.sideways = true;
    layer.stiffness = symmetric(random) + Mat3::Identity() * (trial % 3);
    EXPECT_EQ(blames(layer, "stiffness"), !is_positive_definite(layer.stiffness)) << layer.stiffness;
    accepted += blames(layer, "stiffness") ? 0 : 1;
  }
  EXPECT_GT(accepted, 100);
}

TEST(Layers, AreRefusedIfADamperCouldGiveEnergy) {
  std::mt19937 random(12);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 500; ++trial) {
    Layer layer;
    layer.sideways = true;
    layer.stiffness = Mat3::Identity();
    const Mat3 root = symmetric(random);
    layer.damping = root * root;
    if (trial % 2 == 0) layer.damping = root.col(0) * root.col(0).transpose();  // of rank 1
    EXPECT_TRUE(layer_faults(layer).empty()) << layer.damping;
    // The power d·C d along some direction d becomes negative.
    const Vec3 d = Vec3(normal(random), normal(random), normal(random)).normalized();
    layer.damping -= 1.01 * (d.dot(layer.damping * d) + 1e-3) * d * d.transpose();
    EXPECT_TRUE(blames(layer, "damping")) << layer.damping;
  }
}

TEST(Layers, ThatGiveWayAlongTheNormalAloneAreJudgedByItAlone) {
  Layer layer;
  layer.stiffness = Vec3(-1, -1, 2).asDiagonal();
  layer.damping = Vec3(-1, -1, 0).asDiagonal();
  EXPECT_TRUE(layer_faults(layer).empty());
  layer.sideways = true;
  EXPECT_TRUE(blames(layer, "stiffness"));
  EXPECT_TRUE(blames(layer, "damping"));
}

TEST(Layers, HaveBoundsThatAreTheirOwn) {
  Layer layer;
  layer.kind = LayerKind::hunt_crossley;
  layer.stiffness(2, 2) = 1;
  EXPECT_TRUE(layer_faults(layer).empty());
  EXPECT_EQ(layer.exponent, 1.5) << "Hertz's, of round surfaces";
  EXPECT_EQ(layer.thickness, std::numeric_limits<double>::infinity());
  const auto changed = [&](auto change) {
    Layer other = layer;
    change(other);
    const auto faults = layer_faults(other);
    return faults.size() == 1 ? faults[0].field : std::to_string(faults.size());
  };
  EXPECT_EQ(changed([](Layer& l) { l.exponent = 0.9; }), "exponent");
  EXPECT_EQ(changed([](Layer& l) { l.thickness = 0; }), "thickness");
  EXPECT_EQ(changed([](Layer& l) { l.dissipation = -1; }), "dissipation");
  EXPECT_EQ(changed([](Layer& l) { l.patch_spacing = -1; }), "patch");
  EXPECT_EQ(changed([](Layer& l) { l.stiffness(2, 2) = std::numeric_limits<double>::infinity(); }), "stiffness");
  EXPECT_EQ(changed([](Layer& l) { l.damping(2, 2) = 1; }), "damping");
}

TEST(Layers, AreNamedInTheOrderOfTheirKinds) {
  const auto& names = layer_kind_names();
  ASSERT_EQ(names.size(), 3u);
  EXPECT_EQ(names[static_cast<int>(LayerKind::kelvin_voigt)], "kelvin-voigt");
  EXPECT_EQ(names[static_cast<int>(LayerKind::hertz)], "hertz");
  EXPECT_EQ(names[static_cast<int>(LayerKind::hunt_crossley)], "hunt-crossley");
}

}  // namespace
}  // namespace carom::layer_test
