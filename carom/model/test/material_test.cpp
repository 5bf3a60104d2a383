#include "carom/model/material.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "carom/error.h"
#include "carom/model/model.h"
#include "testing/allocation_count.h"

namespace carom::material_test {
namespace {

Material made_of(const std::string& name, double friction, const Restitution& restitution = 0.0) {
  return {name, Vec2(friction, friction), restitution};
}

ContactMaterial together(const Material& a, const Material& b, Combination rule = Combination::average) {
  const auto table = contact_materials({a, b}, {}, rule, rule);
  EXPECT_EQ(table.size(), 4u);
  EXPECT_EQ(table[1].friction, table[2].friction);
  EXPECT_EQ(table[1].modulus, table[2].modulus);
  EXPECT_EQ(table[1].dissipation, table[2].dissipation);
  return table[1];
}

Layer soft(double stiffness) {
  Layer layer;
  layer.stiffness(2, 2) = stiffness;
  return layer;
}

TEST(Layer, MustNotGiveEnergyForNothing) {
  Layer layer = soft(3);
  layer.sideways = true;
  layer.stiffness << 2, 0, 1, 0, 2, 0, 1, 0, 3;
  layer.damping << 1, 1, 0, 1, 1, 0, 0, 0, 0;  // singular
  EXPECT_TRUE(layer_faults(layer).empty());
  Layer skew = layer, weak = layer, driving = layer, mixed = layer;
  skew.stiffness(0, 2) = -1;
  weak.stiffness(0, 2) = weak.stiffness(2, 0) = 3;
  driving.damping(0, 1) = driving.damping(1, 0) = 2;
  mixed.kind = LayerKind::hertz;
  for (const auto& [bad, field] : {std::pair(skew, "stiffness"), std::pair(weak, "stiffness"),
                                   std::pair(driving, "damping"), std::pair(mixed, "stiffness")}) {
    const std::vector<LayerFault> faults = layer_faults(bad);
    ASSERT_EQ(faults.size(), 1u);
    EXPECT_EQ(faults[0].field, field);
  }
}

TEST(Layer, HasNoConstantsOfAnotherKind) {
  Layer linear = soft(3), hertz = soft(3), hunt = soft(3);
  hertz.kind = LayerKind::hertz;
  hunt.kind = LayerKind::hunt_crossley;
  linear.dissipation = hertz.dissipation = hunt.dissipation = 0.2;
  EXPECT_TRUE(layer_faults(hunt).empty());
  Layer power = soft(3);
  power.exponent = 2;
  for (const auto& [bad, field] :
       {std::pair(linear, "dissipation"), std::pair(hertz, "dissipation"), std::pair(power, "exponent")}) {
    const std::vector<LayerFault> faults = layer_faults(bad);
    ASSERT_EQ(faults.size(), 1u);
    EXPECT_EQ(faults[0].field, field);
  }
}

TEST(TorsionalFriction, IsCombinedByTheRuleOfFrictionUnlessThePairIsNamed) {
  Material a = made_of("a", 0.3), b = made_of("b", 0.5);
  a.torsional_friction = 0.02;
  b.torsional_friction = 0.04;
  for (const Combination rule : {Combination::minimum, Combination::maximum, Combination::average,
                                 Combination::geometric_mean, Combination::product}) {
    EXPECT_EQ(together(a, b, rule).torsional_friction, combine(rule, 0.02, 0.04));
  }
  NamedPair named;
  named.torsional_friction = 0.1;
  const auto table = contact_materials({a, b}, {{0, 1, named}}, Combination::average, Combination::average);
  EXPECT_EQ(table[1].torsional_friction, 0.1);
  EXPECT_EQ(table[2].torsional_friction, 0.1);
  EXPECT_EQ(table[3].torsional_friction, 0.04);
}

TEST(PairRestitution, IsCombinedAtEachSpeed) {
  const CaptureRestitution capture{0.1, 2, 0.4};
  const TableRestitution table{{{0, 0.8}, {4, 0.4}}};
  for (const Combination rule : {Combination::minimum, Combination::maximum, Combination::average,
                                 Combination::geometric_mean, Combination::product}) {
    const PairRestitution pair(rule, capture, table);
    EXPECT_FALSE(pair.is_constant());
    EXPECT_EQ(pair.at(0.05), combine(rule, 0, 0.8 - 0.1 * 0.05));
    EXPECT_NEAR(pair.at(1), combine(rule, 1 - 0.6 / 2, 0.7), 1e-15);
    EXPECT_NEAR(pair.at(3), combine(rule, 0.4, 0.5), 1e-15);
    EXPECT_EQ(PairRestitution(rule, 0.5, 0.25).at(7), combine(rule, 0.5, 0.25));
    EXPECT_TRUE(PairRestitution(rule, 0.5, 0.25).is_constant());
  }
}

TEST(PairRestitution, IsComparedByWhatItSays) {
  const TableRestitution table{{{0, 0.8}, {4, 0.4}}}, same{{{0, 0.8}, {4, 0.4}}}, other{{{0, 0.8}, {4, 0.5}}};
  EXPECT_EQ(PairRestitution(table), PairRestitution(same));
  EXPECT_NE(PairRestitution(table), PairRestitution(other));
  EXPECT_NE(PairRestitution(table), PairRestitution(0.8));
  EXPECT_EQ(PairRestitution(0.5), PairRestitution(Combination::average, 0.25, 0.75));
  EXPECT_NE(PairRestitution(0.5), PairRestitution());
}

TEST(PairRestitution, BouncesUnlessItNeverCould) {
  const TableRestitution none{{{1, 0}, {2, 0}}}, some{{{1, 0}, {2, 0.1}}};
  EXPECT_FALSE(PairRestitution().may_bounce());
  EXPECT_TRUE(PairRestitution(0.1).may_bounce());
  EXPECT_FALSE(PairRestitution(none).may_bounce());
  EXPECT_TRUE(PairRestitution(some).may_bounce());
  EXPECT_TRUE(PairRestitution(LineRestitution{5}).may_bounce());
  EXPECT_TRUE(PairRestitution(CaptureRestitution{0.1, 1, 0}).may_bounce());
  EXPECT_FALSE(PairRestitution(CaptureRestitution{1, 1, 0}).may_bounce());
  EXPECT_FALSE(PairRestitution(Combination::minimum, some, 0.0).may_bounce());
  EXPECT_TRUE(PairRestitution(Combination::maximum, some, 0.0).may_bounce());
}

TEST(PairRestitution, IsCopiedWithoutAllocating) {
  const PairRestitution table(TableRestitution{{{0, 0.8}, {4, 0.4}}});
  const long before = allocation_count();
  PairRestitution copy, constant;
  copy = table;
  constant = 0.3;
  EXPECT_EQ(allocation_count(), before);
  EXPECT_EQ(copy, table);
  EXPECT_EQ(constant.at(1), 0.3);
}

TEST(ContactMaterial, OfEqualMaterialsHasHalfThePlaneStrainModulus) {
  Material steel = made_of("steel", 0.3);
  steel.youngs_modulus = 2e11;
  steel.poisson_ratio = 0.3;
  steel.dissipation = 0.2;
  const ContactMaterial equal = together(steel, steel);
  EXPECT_NEAR(equal.modulus, 2e11 / (2 * (1 - 0.09)), 1e-4);
  EXPECT_NEAR(equal.dissipation, 0.2, 1e-16);
}

TEST(ContactMaterial, WithoutModulusCountsAsRigid) {
  Material rubber = made_of("rubber", 0.8), rigid = made_of("rigid", 0.3);
  rubber.youngs_modulus = 1e7;
  rubber.poisson_ratio = 0.4;
  rubber.dissipation = 0.5;
  rigid.dissipation = 0.1;
  EXPECT_NEAR(together(rubber, rigid).modulus, 1e7 / (1 - 0.16), 1e-8);
  EXPECT_EQ(together(rubber, rigid).dissipation, 0.5) << "only what gives way dissipates";
  EXPECT_EQ(together(rigid, rigid).modulus, 0);
  EXPECT_EQ(together(rigid, made_of("other", 0.2)).dissipation, 0.05);
}

TEST(ContactMaterial, DissipatesByTheSharesOfTheCompliance) {
  // The same ν: compliances are as 1 : 4, so the softer takes four fifths of the compression.
  Material hard = made_of("hard", 0.3), soft = made_of("soft", 0.3);
  hard.youngs_modulus = 4e9;
  soft.youngs_modulus = 1e9;
  hard.dissipation = 0.1;
  soft.dissipation = 0.6;
  EXPECT_NEAR(together(hard, soft).dissipation, 0.2 * 0.1 + 0.8 * 0.6, 1e-15);
  EXPECT_NEAR(together(hard, soft).modulus, 0.8e9 / (1 - 0.09), 1e-6);
}

TEST(ContactMaterial, CombinesEveryFrictionByItsRule) {
  Material plain = made_of("plain", 0.4), sticky = made_of("sticky", 0.2);
  sticky.static_friction = Vec2(0.6, 0.8);
  sticky.viscous_friction = 0.3;
  const ContactMaterial average = together(plain, sticky);
  EXPECT_TRUE(average.static_friction.isApprox(Vec2(0.5, 0.6), 1e-15)) << "that of the first is its friction";
  EXPECT_NEAR(average.viscous_friction, 0.15, 1e-16);
  EXPECT_EQ(together(plain, sticky, Combination::product).viscous_friction, 0);
  EXPECT_EQ(together(plain, plain).static_friction, together(plain, plain).friction);
}

TEST(ContactMaterial, HasFrictionOfImpactsWhereEitherMaterialHas) {
  Material plain = made_of("plain", 0.4), other = made_of("other", 0.2);
  EXPECT_FALSE(together(plain, other).impact_friction);
  other.impact_friction = Vec2(0.1, 0.6);  // below and above its friction
  const ContactMaterial average = together(plain, other);
  ASSERT_TRUE(average.impact_friction);
  EXPECT_TRUE(average.impact_friction->isApprox(Vec2(0.25, 0.5), 1e-15)) << "that of the first is its friction";
  NamedPair named{Vec2(0.3, 0.3), 0.0};
  named.impact_friction = Vec2(0.05, 0.06);
  const auto pair = contact_materials({other}, {{0, 0, named}}, Combination::average, Combination::average).front();
  EXPECT_EQ(*pair.impact_friction, Vec2(0.05, 0.06));
  const NamedPair silent{Vec2(0.3, 0.3), 0.0};
  EXPECT_FALSE(
      contact_materials({other}, {{0, 0, silent}}, Combination::average, Combination::average).front().impact_friction);
}

TEST(ContactMaterial, OfANamedPairHasItsOwnFrictionAndTheElasticityOfTheTwo) {
  Material steel = made_of("steel", 0.3, 0.5);
  steel.youngs_modulus = 2e11;
  steel.dissipation = 0.2;
  steel.static_friction = Vec2(0.9, 0.9);
  NamedPair oiled{Vec2(0.05, 0.06), LineRestitution{0.1}};
  for (const bool given : {false, true}) {
    if (given) oiled.static_friction = Vec2(0.07, 0.08);
    if (given) oiled.viscous_friction = 0.4;
    const ContactMaterial pair =
        contact_materials({steel}, {{0, 0, oiled}}, Combination::average, Combination::average).front();
    EXPECT_EQ(pair.friction, Vec2(0.05, 0.06));
    EXPECT_EQ(pair.static_friction, given ? Vec2(0.07, 0.08) : pair.friction);
    EXPECT_EQ(pair.viscous_friction, given ? 0.4 : 0);
    EXPECT_EQ(pair.restitution, PairRestitution(LineRestitution{0.1}));
    EXPECT_EQ(pair.modulus, together(steel, steel).modulus);
    EXPECT_EQ(pair.dissipation, together(steel, steel).dissipation);
  }
}

std::string faults(const Material& material) {
  ModelBuilder builder;
  builder.add_material(material);
  try {
    builder.build();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(MaterialFaults, Restitutions) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const struct {
    Restitution law;
    const char* sentence;
  } cases[] = {
      {nan, "has restitution nan; it must lie between 0 and 1."},
      {CaptureRestitution{0.1, 0.5, 0.2}, ""},
      {CaptureRestitution{-0.1, 0.5, 0.2},
       "has capture speed -0.1 m/s of its restitution; it must be finite and not negative."},
      {CaptureRestitution{0, 0, 0.2}, "has plastic speed 0 m/s of its restitution; it must be finite and positive."},
      {CaptureRestitution{0.6, 0.5, 0.2},
       "has plastic speed 0.5 m/s of its restitution below the capture speed 0.6 m/s; it must not be less."},
      {CaptureRestitution{0.1, 0.5, 1.2}, "has minimum 1.2 of its restitution; it must lie between 0 and 1."},
      {LineRestitution{0.3}, ""},
      {LineRestitution{-0.3}, "has slope -0.3 s/m of its restitution; it must be finite and not negative."},
      {TableRestitution{{{0, 0.5}}}, ""},
      {TableRestitution{}, "has a table of restitution without points; give at least one."},
      {TableRestitution{{{1, 0.5}, {1, 0.4}}},
       "has the speed 1 m/s after 1 m/s in its table of restitution; speeds must rise."},
      {TableRestitution{{{-1, 0.5}}},
       "has the speed -1 m/s in its table of restitution; it must be finite and not negative."},
      {TableRestitution{{{1, 1.5}}}, "has restitution 1.5 at 1 m/s in its table; it must lie between 0 and 1."},
  };
  for (const auto& each : cases) {
    const std::string sentence = each.sentence;
    EXPECT_EQ(faults(made_of("tar", 0.3, each.law)), sentence.empty() ? "" : "Material \"tar\" " + sentence);
  }
}

TEST(MaterialFaults, FrictionAndElasticity) {
  const double infinity = std::numeric_limits<double>::infinity();
  const struct {
    void (*spoil)(Material&, double);
    double value;
    const char* sentence;
  } cases[] = {
      {[](Material& m, double x) { m.static_friction = Vec2(x, 0.4); }, 0.3, ""},
      {[](Material& m, double x) { m.static_friction = Vec2(0.4, x); }, 0.2,
       "has static friction (0.4, 0.2) beside friction (0.3, 0.3); what sticks must hold at least as much as what "
       "slides, and be finite."},
      {[](Material& m, double x) { m.static_friction = Vec2(x, 0.4); }, infinity,
       "has static friction (inf, 0.4) beside friction (0.3, 0.3); what sticks must hold at least as much as what "
       "slides, and be finite."},
      {[](Material& m, double x) { m.impact_friction = Vec2(x, 0.1); }, 0, ""},
      {[](Material& m, double x) { m.impact_friction = Vec2(0.1, x); }, -0.2,
       "has impact friction (0.1, -0.2); both coefficients must be finite and not negative."},
      {[](Material& m, double x) { m.viscous_friction = x; }, -1,
       "has viscous friction -1 s/m; it must be finite and not negative."},
      {[](Material& m, double x) { m.youngs_modulus = x; }, infinity,
       "has Young's modulus inf Pa; it must be finite and positive, or 0 if not given."},
      {[](Material& m, double x) { m.poisson_ratio = x; }, 0.5,
       "has Poisson's ratio 0.5; it must lie between -1 and 0.5 and be neither."},
      {[](Material& m, double x) { m.poisson_ratio = x; }, -1,
       "has Poisson's ratio -1; it must lie between -1 and 0.5 and be neither."},
      {[](Material& m, double x) { m.dissipation = x; }, -0.1,
       "has dissipation -0.1 s/m; it must be finite and not negative."},
      {[](Material& m, double x) { m.contact_radius = x; }, 0,
       "has contact radius 0 m; it must be finite and positive."},
      {[](Material& m, double x) { m.torsional_friction = x; }, -0.1,
       "has torsional friction -0.1 m; it must be finite and not negative."},
      {[](Material& m, double x) { m.layer = soft(x); }, 10, ""},
      {[](Material& m, double x) { m.layer = soft(x); }, 0, "has a layer whose stiffness must be positive."},
      {[](Material& m, double x) { m.layer = soft(x); }, infinity, "has a layer whose stiffness must be finite."},
      {[](Material& m, double x) { (m.layer = soft(1))->thickness = x; }, 0,
       "has a layer whose thickness must be positive; without a layer a body is rigid."},
      {[](Material& m, double x) { (m.layer = soft(1))->dissipation = x; }, -1,
       "has a layer whose dissipation must be finite and not negative."},
      {[](Material& m, double x) { (m.layer = soft(1))->exponent = x; }, 0.5,
       "has a layer whose exponent must be finite and at least 1."},
  };
  for (const auto& each : cases) {
    Material material = made_of("tar", 0.3);
    each.spoil(material, each.value);
    const std::string sentence = each.sentence;
    EXPECT_EQ(faults(material), sentence.empty() ? "" : "Material \"tar\" " + sentence);
  }
}

}  // namespace
}  // namespace carom::material_test
