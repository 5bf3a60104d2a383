#include "carom/stepper/constraint_projection.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "carom/dynamics/recursions.h"
#include "carom/stepper/test/experiment.h"

namespace carom::constraint_projection_test {
namespace {

Model four_bar(double length) {
  ModelBuilder builder;
  test::add_four_bar(builder, 1, length);
  return builder.build();
}

VectorX closed() {
  const double rise = std::acos(1.0 / 3);
  return Vec3(0, -rise, rise - M_PI);
}

struct Projected {
  VectorX q;
  double left;
};

Projected project(const Model& model, VectorX q, bool by_halves = false) {
  MassOperator mass(model, DynamicsKind::articulated);
  ConstraintProjection projection(model, mass, by_halves);
  DynamicsWorkspace workspace(model);
  const double left = projection.project_position(model, 0, q, workspace, mass);
  return {q, left};
}

/// Twice the kinetic energy of a displacement, at q.
double square(const Model& model, const VectorX& q, const VectorX& way) {
  DynamicsWorkspace workspace(model);
  forward_kinematics(model, q, workspace);
  forward_velocity(model, q, way, workspace);
  return 2 * kinetic_energy(model, workspace);
}

/// A linkage that was pulled apart closes to the digits of its places, whatever its size, and then stays.
TEST(ConstraintProjection, ClosesWatchesAndBridges) {
  for (const double length : {1e-6, 1e-3, 1.0, 1e3, 1e6}) {
    const Model model = four_bar(length);
    const Projected once = project(model, closed() + Vec3(0.02, -0.01, 0.03));
    EXPECT_LE(once.left, 1e-12 * length) << length;
    const Projected again = project(model, once.q);
    EXPECT_EQ(again.q, once.q) << length;
    EXPECT_GT((once.q - closed()).norm(), 1e-3);
    // By halves the same way is found, to the second order that one Gauss–Newton step leaves open.
    EXPECT_LT((project(model, closed() + Vec3(0.02, -0.01, 0.03), true).q - once.q).norm(), 1e-9) << length;
  }
}

/// No way from there onto the constraints is shorter in the kinetic metric.
TEST(ConstraintProjection, TakesTheShortestWay) {
  const Model model = four_bar(1);
  std::mt19937 random(7);
  std::uniform_real_distribution<double> aside(-0.01, 0.01);
  for (int trial = 0; trial < 20; ++trial) {
    const VectorX start = closed() + Vec3(aside(random), aside(random), aside(random));
    const VectorX way = project(model, start).q - start;
    for (int other = 0; other < 10; ++other) {
      const VectorX beside = start + 0.1 * Vec3(aside(random), aside(random), aside(random));
      const VectorX longer = project(model, beside).q - start;
      EXPECT_GE(square(model, start, longer), (1 - 1e-2) * square(model, start, way));
    }
  }
}

/// A velocity keeps its energy except for the part that the constraints take, and obeys them afterwards.
TEST(ConstraintProjection, TakesEnergyOfVelocitiesAlone) {
  const Model model = four_bar(1);
  MassOperator mass(model, DynamicsKind::articulated);
  ConstraintProjection projection(model, mass);
  DynamicsWorkspace workspace(model);
  forward_kinematics(model, closed(), workspace);
  VectorX v = Vec3(1, -2, 0.5);
  const VectorX before = v;
  projection.project_velocity(model, 0, closed(), v, workspace, mass);
  const double kept = square(model, closed(), v), taken = square(model, closed(), before - v);
  EXPECT_NEAR(kept + taken, square(model, closed(), before), 1e-12) << "Carnot's theorem";
  EXPECT_GT(taken, 1e-3);
  const VectorX once = v;
  projection.project_velocity(model, 0, closed(), v, workspace, mass);
  EXPECT_LT((v - once).norm(), 1e-13);
}

}  // namespace
}  // namespace carom::constraint_projection_test
