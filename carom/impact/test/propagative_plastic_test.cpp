// The two plastic projections and the energetic blend.
#include <gtest/gtest.h>

#include <cmath>

#include "carom/error.h"
#include "carom/impact/propagative/elastic_sequence.h"
#include "carom/impact/propagative/energetic_blend.h"
#include "carom/impact/propagative/plastic_projection.h"
#include "carom/impact/test/propagative_mechanics.h"

namespace carom::propagative_plastic_test {
namespace {

using Eigen::VectorXd;
using propagative::Mechanics;

/// Tangent to all contacts, and the nearest such: what is lost is orthogonal to every tangent velocity.
TEST(PropagativePlastic, SpanIsTheOrthogonalProjection) {
  propagative::Random random(31);
  for (int trial = 0; trial < 300; ++trial) {
    const int k = random.integer(1, 7);
    const Mechanics mechanics = propagative::random_opening(random, k, random.integer(2, 7), 0.05);
    const PlasticProjection plastic = plastic_span(mechanics.impact());
    const VectorXd after = mechanics.after(plastic.impulse);
    EXPECT_LE((mechanics.J * after).norm(), 1e-9) << trial;
    EXPECT_LE(plastic.velocity.norm(), 1e-9);
    EXPECT_NEAR(mechanics.energy(mechanics.v), mechanics.energy(after) + mechanics.energy(mechanics.v - after), 1e-9);
  }
}

/// Feasible, pushing, complementary: the three conditions that make it the nearest feasible momentum; none of a
/// thousand others is nearer.
TEST(PropagativePlastic, ConeIsTheNearestFeasibleMomentum) {
  propagative::Random random(32);
  for (int trial = 0; trial < 300; ++trial) {
    const int k = random.integer(1, 7);
    const Mechanics mechanics = propagative::random_opening(random, k, random.integer(2, 7), 0.05);
    const PlasticProjection plastic = plastic_cone(mechanics.impact());
    ASSERT_EQ(plastic.status, SolveStatus::solved);
    const VectorXd after = mechanics.after(plastic.impulse);
    const VectorXd u = mechanics.J * after;
    EXPECT_GE(plastic.impulse.minCoeff(), 0);
    EXPECT_GE(u.minCoeff(), -1e-9);
    EXPECT_NEAR(u.dot(plastic.impulse), 0, 1e-9);
    const double distance = mechanics.distance(after, mechanics.v);
    for (int probe = 0; probe < 30; ++probe) {
      const VectorXd other =
          after + std::pow(10, -random.uniform(0, 3)) * propagative::random_vector(random, after.size());
      if ((mechanics.J * other).minCoeff() < 0) continue;
      EXPECT_GE(mechanics.distance(other, mechanics.v), distance - 1e-9);
    }
    // No less energy is left than by the span, in which no contact may separate.
    EXPECT_GE(mechanics.energy(after),
              mechanics.energy(mechanics.after(plastic_span(mechanics.impact()).impulse)) - 1e-9);
  }
}

/// The blend loses the share of energy that the restitution says, for both projections and both readings, by
/// velocities. For the span s = e. The blend is feasible, and its ends are the two outcomes.
TEST(PropagativePlastic, BlendLosesTheShareThatItSays) {
  propagative::Random random(33);
  for (int trial = 0; trial < 300; ++trial) {
    const int k = random.integer(1, 6);
    const Mechanics mechanics = propagative::random_opening(random, k, random.integer(2, 7), 0.1);
    const NormalImpact impact = mechanics.impact();
    if (impact.approach.minCoeff() >= 0) continue;
    const ElasticOutcome elastic = elastic_impact(impact);
    const double before = mechanics.energy(mechanics.v);
    const double e = trial % 10 == 0 ? (trial % 20 == 0 ? 0.0 : 1.0) : random.uniform(0, 1);
    for (const bool span : {true, false}) {
      const PlasticProjection plastic = span ? plastic_span(impact) : plastic_cone(impact);
      const double most = before - mechanics.energy(mechanics.after(plastic.impulse));
      for (const EnergyReading reading : {EnergyReading::speeds, EnergyReading::energies}) {
        const EnergeticBlend blend = energetic_blend(elastic, plastic, e, reading);
        const VectorXd after = mechanics.after(blend.impulse);
        const double share = reading == EnergyReading::speeds ? 1 - e * e : 1 - e;
        EXPECT_NEAR(before - mechanics.energy(after), share * most, 1e-9) << trial << ' ' << span;
        EXPECT_NEAR(blend.lost_energy, share * most, 1e-9);
        EXPECT_LE((mechanics.J * after - blend.velocity).norm(), 1e-9);
        EXPECT_GE((mechanics.J * after).minCoeff(), -1e-8);
        const double root = reading == EnergyReading::speeds ? e : std::sqrt(e);
        EXPECT_TRUE(!span || std::abs(blend.weight - root) <= 1e-7) << blend.weight << ' ' << root;
        EXPECT_GE(blend.weight, 0);
        EXPECT_LE(blend.weight, 1);
      }
    }
  }
}

/// One contact: Newton's restitution, whatever the projection.
TEST(PropagativePlastic, BlendIsNewtonsLawAtOneContact) {
  const NormalImpact impact = normal_impact(Eigen::MatrixXd::Constant(1, 1, 0.5), VectorXd::Constant(1, -3));
  const ElasticOutcome elastic = elastic_impact(impact);
  EXPECT_NEAR(elastic.impulse(0), 12, 1e-14);  // 2 · 3 · 2 kg
  for (const double e : {0.0, 0.3, 1.0}) {
    EXPECT_NEAR(energetic_blend(elastic, plastic_span(impact), e).velocity(0), 3 * e, 1e-14);
    EXPECT_NEAR(energetic_blend(elastic, plastic_cone(impact), e).velocity(0), 3 * e, 1e-14);
    EXPECT_NEAR(energetic_blend(elastic, plastic_span(impact), e, EnergyReading::energies).velocity(0),
                3 * std::sqrt(e), 1e-14);
  }
  EXPECT_THROW(energetic_blend(elastic, elastic, 1.1), Error);
  EXPECT_THROW(energetic_blend(elastic, elastic, std::nan("")), Error);
}

/// One of two independent contacts approaches, the other opens: the cone lets it open, the span glues it.
TEST(PropagativePlastic, ProjectionsPartWhereAContactOpens) {
  const NormalImpact impact = normal_impact(Eigen::Matrix2d::Identity(), Eigen::Vector2d(-1, 2));
  EXPECT_LE((plastic_cone(impact).velocity - Eigen::Vector2d(0, 2)).norm(), 1e-15);
  EXPECT_LE(plastic_span(impact).velocity.norm(), 1e-15);
  EXPECT_NEAR(plastic_span(impact).impulse(1), -2, 1e-15);  // it pulls
}

}  // namespace
}  // namespace carom::propagative_plastic_test
