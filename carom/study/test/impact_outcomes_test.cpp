// Outcomes of an impact as points of the kinetic metric.
#include "carom/study/impact_outcomes.h"

#include <gtest/gtest.h>

#include <cmath>

#include "carom/study/method_choice.h"

namespace carom::impact_outcomes_test {
namespace {

/// A ball that strikes two others at once: the order of the impacts is open.
ImpactAtHand broken_pair() {
  const char* const text = R"(carom: 1
gravity: [0, 0, 0]
materials: [{name: m, friction: 0, restitution: 1, youngs_modulus: 1.0e9}]
bodies:
  - {name: cue, mass: 0.2, shapes: [{type: sphere, radius: 0.03}], position: [0, 0, 0], velocity: [2, 0, 0]}
  - {name: left, mass: 0.3, shapes: [{type: sphere, radius: 0.03}], position: [0.048, 0.036, 0]}
  - {name: right, mass: 0.1, shapes: [{type: sphere, radius: 0.03}], position: [0.048, -0.036, 0]}
method: {stepper: event-driven, law: plus, step: 0.01}
duration: 0.1
)";
  const Scene scene = scene_with({text, "test.yaml", {}}, {StepperKind::event_driven, LawKind::plus});
  ImpactSearch found = find_impact(scene, parse_impact_moment("first", scene.duration));
  EXPECT_TRUE(found.found.has_value());
  return std::move(*found.found);
}

TEST(ImpactOutcomes, KeepEnergyAndLieWhereTheyAreSaidTo) {
  const ImpactAtHand hand = broken_pair();
  const KineticSpace space(hand);
  const ImpactOutcomes outcomes = impact_outcomes(hand, space, {});
  EXPECT_NEAR(outcomes.energy, 0.5 * 0.2 * 4, 1e-12);
  ASSERT_GE(outcomes.outcomes.size(), 2u) << "the order matters here";
  VectorX middle = VectorX::Zero(outcomes.before.size());
  for (std::size_t i = 0; i < outcomes.outcomes.size(); ++i) {
    const OutcomePoint& outcome = outcomes.outcomes[i];
    EXPECT_NEAR(space.energy(outcome.v), outcomes.energy, 1e-10) << "elastic, without friction";
    EXPECT_NEAR(outcome.energy_ratio, 1, 1e-9);
    const Placement placed = place(outcomes, space, outcome.v);
    EXPECT_EQ(placed.nearest, static_cast<int>(i));
    EXPECT_NEAR(placed.distance, 0, 1e-9);
    EXPECT_TRUE(placed.in_hull);
    middle += outcome.v / static_cast<double>(outcomes.outcomes.size());
  }
  EXPECT_TRUE(place(outcomes, space, middle).in_hull);
  const Placement before = place(outcomes, space, outcomes.before);
  EXPECT_FALSE(before.in_hull) << "no outcome is the velocity before";
  EXPECT_GT(before.hull_distance, 0.1);
}

TEST(KineticSpace, HasTheDistancesOfTheKineticMetric) {
  const ImpactAtHand hand = broken_pair();
  const KineticSpace space(hand);
  const ImpactOutcomes outcomes = impact_outcomes(hand, space, {});
  // Twice the energy of the difference of two velocities is their squared distance.
  const VectorX &a = outcomes.outcomes[0].v, &b = outcomes.outcomes[1].v;
  EXPECT_NEAR(space.distance(a, b), std::sqrt(2 * space.energy(a - b)), 1e-12);
  EXPECT_NEAR(space.distance(a, a), 0, 1e-15);
}

}  // namespace
}  // namespace carom::impact_outcomes_test
