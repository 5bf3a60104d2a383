// The points of a face share its load.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "carom/stepper/test/mechanisms.h"

namespace carom::load_sharing_test {
namespace {

using test::SceneMaker;

Method with_cone(FrictionCone cone) {
  Method method;
  method.cone = cone;
  method.step = 0.005;
  return method;
}

TEST(LoadSharing, CornersOfABoxOnAFloorCarryAQuarterEach) {
  for (const FrictionCone cone : {FrictionCone::exact, FrictionCone::polyhedral}) {
    SceneMaker scene(0.5);
    scene.add_static(HalfSpace{});
    scene.add(Box{{0.3, 0.2, 0.1}}, 3, {0, 0, 0.1});
    Simulation simulation = scene.simulation(with_cone(cone));
    for (int step = 0; step < 10; ++step) {
      const StepReport& report = simulation.step();
      ASSERT_EQ(report.contacts.size(), 4u);
      for (const ContactReport& contact : report.contacts) {
        EXPECT_NEAR(contact.impulse[2], 3 * 9.81 * 0.005 / 4, 1e-10);
        EXPECT_LE(contact.impulse.head<2>().norm(), 1e-10);
      }
    }
  }
}

TEST(LoadSharing, OnASlopeTheNormNoLongerFalls) {
  // A box that sticks on a slope: impulses of the same resultant and torque cannot be shorter.
  constexpr double slope = 0.3;
  SceneMaker scene(0.8, 0, Vec3(9.81 * std::sin(slope), 0, -9.81 * std::cos(slope)));
  scene.add_static(HalfSpace{});
  scene.add(Box{{0.3, 0.2, 0.1}}, 3, {0, 0, 0.1});
  Simulation simulation = scene.simulation(with_cone(FrictionCone::exact));
  for (int step = 0; step < 10; ++step) {
    const StepReport& report = simulation.step();
    ASSERT_EQ(report.contacts.size(), 4u);
    Vec3 sum = Vec3::Zero();
    MatrixX W(6, 12);
    VectorX p(12);
    for (int k = 0; k < 4; ++k) {
      const ContactReport& contact = report.contacts[k];
      const Vec3 arm = contact.position - Vec3(0, 0, 0.1);
      for (int i = 0; i < 3; ++i) {
        const Vec3 direction = contact.R_WC.col(i);
        W.col(3 * k + i) << direction, arm.cross(direction);
        p[3 * k + i] = contact.impulse[i];
        sum += contact.impulse[i] * direction;
      }
    }
    EXPECT_LE((sum + 3 * 0.005 * Vec3(9.81 * std::sin(slope), 0, -9.81 * std::cos(slope))).norm(), 1e-10);
    // The least norm has no part in the null space of W.
    const MatrixX null = Eigen::FullPivLU<MatrixX>(W).kernel();
    EXPECT_LE((null.transpose() * p).cwiseAbs().maxCoeff(), 1e-9 * p.norm());
  }
}

TEST(LoadSharing, WhereTheShortestWouldPullTheSolversAnswerStays) {
  // A box half over an edge of a table: its outer corners hang in the air, the shared ones must not pull.
  SceneMaker scene(0.5);
  scene.add_static(Box{{0.5, 0.5, 0.5}}, {Mat3::Identity(), Vec3(0, 0, -0.5)});
  scene.add(Box{{0.3, 0.2, 0.1}}, 3, {0.45, 0, 0.1});
  Simulation simulation = scene.simulation(with_cone(FrictionCone::exact));
  for (int step = 0; step < 20; ++step) {
    const StepReport& report = simulation.step();
    EXPECT_EQ(report.status, SolveStatus::solved);
    double sum = 0;
    for (const ContactReport& contact : report.contacts) {
      EXPECT_GE(contact.impulse[2], 0);
      sum += contact.impulse[2];
    }
    EXPECT_NEAR(sum, 3 * 9.81 * 0.005, 1e-9);
    EXPECT_LE(simulation.state().v.cwiseAbs().maxCoeff(), 1e-9);
  }
}

}  // namespace
}  // namespace carom::load_sharing_test
