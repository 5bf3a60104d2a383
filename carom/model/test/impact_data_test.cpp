// Data of materials and shapes for impacts alone: springs along the surface, friction by speed, restitution by place.
#include <gtest/gtest.h>

#include "carom/model/material.h"
#include "carom/model/restitution_change.h"

namespace carom::impact_data_test {
namespace {

Material material(double modulus, const std::optional<TangentialSpring>& spring) {
  Material made;
  made.friction = Vec2(0.4, 0.2);
  made.youngs_modulus = modulus;
  made.tangential_spring = spring;
  return made;
}

ContactMaterial together(const Material& a, const Material& b) {
  return contact_materials({a, b}, {}, Combination::average, Combination::maximum)[1];
}

TEST(ImpactData, TwoTangentialSpringsAreInSeries) {
  const double nu = Material{}.poisson_ratio, E_a = 2e9, E_b = 5e8;
  const TangentialSpring a{0.9, 0.8}, b{0.6, 0.3};
  const ContactMaterial pair = together(material(E_a, a), material(E_b, b));
  ASSERT_TRUE(pair.tangential_spring);
  // Normal stiffnesses per unit area of contact, and the displacements of either side under a unit force.
  const double K_a = E_a / (1 - nu * nu), K_b = E_b / (1 - nu * nu), K = 1 / (1 / K_a + 1 / K_b);
  const double of_a = 1 / (a.stiffness * K_a), of_b = 1 / (b.stiffness * K_b);
  EXPECT_NEAR(pair.tangential_spring->stiffness, 1 / (of_a + of_b) / K, 1e-14);
  const double stored = 0.5 * (of_a + of_b), back = 0.5 * (0.64 * of_a + 0.09 * of_b);
  EXPECT_NEAR(pair.tangential_spring->restitution * pair.tangential_spring->restitution, back / stored, 1e-14);
}

TEST(ImpactData, EqualSpringsKeepTheirRatioAndNoneIsRigid) {
  const TangentialSpring spring{0.82, 0.5};
  for (const double modulus : {0.0, 1e9}) {
    const ContactMaterial both = together(material(modulus, spring), material(modulus, spring));
    EXPECT_NEAR(both.tangential_spring->stiffness, 0.82, 1e-15);
    EXPECT_NEAR(both.tangential_spring->restitution, 0.5, 1e-15);
    const ContactMaterial one = together(material(modulus, spring), material(modulus, {}));
    EXPECT_NEAR(one.tangential_spring->stiffness, 2 * 0.82, 1e-15) << "half of the compliance is rigid along it";
    EXPECT_FALSE(together(material(modulus, {}), material(modulus, {})).tangential_spring);
  }
}

TEST(ImpactData, APairThatIsNamedHasItsOwn) {
  NamedPair named;
  named.friction = Vec2(0.5, 0.5);
  named.impact_friction_slope = -0.1;
  named.tangential_spring = TangentialSpring{0.7, 0.9};
  const Material one = material(1e9, TangentialSpring{2, 1});
  const ContactMaterial pair =
      contact_materials({one, one}, {{0, 1, named}}, Combination::average, Combination::maximum)[1];
  EXPECT_EQ(pair.tangential_spring, named.tangential_spring);
  EXPECT_EQ(pair.friction_of_impact(1), Vec2(0.4, 0.4));
}

TEST(ImpactData, FrictionOfImpactsChangesWithTheApproachAndIsNeverNegative) {
  Material one = material(0, {}), other = one;
  one.impact_friction_slope = -0.1;
  const ContactMaterial pair = together(one, other);
  EXPECT_EQ(pair.impact_friction_slope, -0.05) << "the mean";
  EXPECT_TRUE(pair.friction_of_impact(2).isApprox(Vec2(0.3, 0.1), 1e-14));
  EXPECT_TRUE(pair.friction_of_impact(6).isApprox(Vec2(0.1, 0), 1e-14));
  one.impact_friction = Vec2(0.2, 0.2);
  EXPECT_TRUE(together(one, other).friction_of_impact(0).isApprox(Vec2(0.3, 0.2), 1e-14));
}

TEST(ImpactData, ThePlaceAddsToTheRestitutionBetweenZeroAndOne) {
  const RestitutionChange change{Vec3(0, 0.6, 0.8), {{-1, -0.4}, {1, 0.2}, {2, 0.9}}};
  const auto at = [&](double x) { return change.at(x * change.along + Vec3(7, 0, 0)); };
  EXPECT_NEAR(at(-3), -0.4, 1e-14);
  EXPECT_NEAR(at(0), -0.1, 1e-14);
  EXPECT_NEAR(at(1.5), 0.55, 1e-14);
  EXPECT_NEAR(at(9), 0.9, 1e-14);
  const PairRestitution line(LineRestitution{0.25}), none(0.0);
  EXPECT_NEAR(line.changed_by(at(0)).at(1), 0.65, 1e-14);
  EXPECT_EQ(line.changed_by(0.9).at(1), 1);
  EXPECT_EQ(line.changed_by(-0.9).at(1), 0);
  EXPECT_TRUE(none.changed_by(0.1).may_bounce());
  EXPECT_FALSE(none.changed_by(-0.1).may_bounce());
  EXPECT_FALSE(none == none.changed_by(0.1));
}

}  // namespace
}  // namespace carom::impact_data_test
