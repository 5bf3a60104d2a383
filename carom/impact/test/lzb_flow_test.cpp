// The flow inside lzb: its rates, and what turns the state of a contact.
#include "carom/impact/lzb_flow.h"

#include <gtest/gtest.h>

#include <cmath>

#include "carom/impact/test/random_impacts.h"

namespace carom::lzb_flow_test {
namespace {

using Eigen::Vector2d;
using Eigen::VectorXd;

/// A point of 1 kg, K = 4 N/m^1.5.
impacts::Impact point(const Eigen::Vector3d& velocity, double friction, double e) {
  impacts::Impact impact = impacts::point(velocity, friction, ConstantRestitution{e});
  impact.surfaces[0].stiffness = 4;
  return impact;
}

TEST(LzbFlow, HasTheRatesOfAnElasticLayer) {
  const impacts::Impact impact = point({3, 4, -2}, 0.5, 0.5);
  const ImpactProblem problem = impact.problem();
  LzbFlow flow;
  flow.begin(problem, 1e-5);
  ASSERT_EQ(flow.n(), 1);
  ASSERT_EQ(flow.m(), 3);
  EXPECT_FALSE(flow.conserves());
  EXPECT_EQ(flow.contacts()[0].phase, LzbFlow::Phase::compressing);
  double state[] = {0.25, 0.1, 0, 0};  // z, P_n, P_t
  double rate[4];
  flow.aim(state);
  flow.derivative(state, rate);
  const double force = 4 * std::pow(0.25, 1.5);
  EXPECT_NEAR(rate[0], 1.9, 1e-14);  // z′ = −u_n
  EXPECT_NEAR(rate[1], force, 1e-14);
  EXPECT_LE((Vector2d(rate[2], rate[3]) + force * Vector2d(0.6, 0.8)).norm(), 1e-14);
  // Expanding it gives back e² of what it stored: dE = −(u_n / e²) dP, so z′ is as much faster.
  flow.contacts()[0].phase = LzbFlow::Phase::expanding;
  flow.contacts()[0].release = 4;
  flow.derivative(state, rate);
  EXPECT_NEAR(rate[0], 4 * 1.9, 1e-14);
}

/// A contact that separates while compressed begins to expand, and parts when it has no compression left.
TEST(LzbFlow, TurnsFromCompressionToExpansionToNone) {
  const impacts::Impact impact = point({0, 0, -2}, 0, 0.5);
  const ImpactProblem problem = impact.problem();
  LzbFlow flow;
  flow.begin(problem, 1e-5);
  double state[] = {0.25, 2.5}, rate[2];  // u_n = 0.5
  flow.derivative(state, rate);
  EXPECT_GT(flow.passed(state, rate), 1);
  EXPECT_TRUE(flow.turn(state, rate, false));
  EXPECT_EQ(flow.contacts()[0].phase, LzbFlow::Phase::expanding);
  EXPECT_NEAR(flow.contacts()[0].release, 4, 1e-14);
  EXPECT_LE(flow.passed(state, rate), 0);
  state[0] = 0;
  flow.derivative(state, rate);
  EXPECT_TRUE(flow.turn(state, rate, false));
  EXPECT_EQ(flow.contacts()[0].phase, LzbFlow::Phase::open);
  LzbFlow::strike(flow.contacts()[0], 1.5);
  EXPECT_EQ(flow.contacts()[0].phase, LzbFlow::Phase::compressing);
  EXPECT_EQ(flow.contacts()[0].fastest, 1.5);
}

/// At zero slip friction holds what lies within its cone, and takes its rim against what does not.
TEST(LzbFlow, DecidesWhetherAContactWithoutSlipSticks) {
  for (const double lean : {0.2, 0.8}) {  // tangent over normal acceleration of the impulse's own making
    Eigen::MatrixXd A = Eigen::MatrixXd::Identity(3, 3);
    A(0, 2) = A(2, 0) = lean;
    const VectorXd u = Eigen::Vector3d(0, 0, -1);
    std::vector<Block> blocks(1);
    blocks[0].kind = BlockKind::cone;
    blocks[0].friction = {0.5, 0.5};
    const std::vector<ImpactSurface> surfaces(1);
    const ImpactProblem problem{A, u, blocks, surfaces};
    LzbFlow flow;
    flow.begin(problem, 1e-5);
    double state[] = {0.1, 0, 0, 0}, rate[4];
    flow.settle(state, rate);
    flow.derivative(state, rate);
    const bool holds = lean < 0.5;
    EXPECT_EQ(flow.contacts()[0].slip, holds ? LzbFlow::Slip::sticking : LzbFlow::Slip::starting) << lean;
    // Holding takes friction of `lean` per normal force, in units of μ.
    EXPECT_NEAR(rate[2], -rate[1] * (holds ? lean / 0.5 : 1), 1e-6 * rate[1]) << lean;
    EXPECT_NEAR(rate[3], 0, 1e-12) << lean;
  }
}

TEST(LzbFlow, ConservesWhereNothingIsLost) {
  const impacts::Impact row = impacts::row_of_balls({1, 1, 1}, 2, 1);
  const ImpactProblem problem = row.problem();
  LzbFlow flow;
  flow.begin(problem, 1e-5);
  EXPECT_TRUE(flow.conserves());
  // ½ (u + u⁻) P + Σ E, E = K z^2.5 / 2.5: its rate vanishes in every state.
  const double state[] = {0.3, 0.2, 0.5, 0.25};
  double rate[4];
  flow.derivative(state, rate);
  double power = 0;
  for (int i = 0; i < 2; ++i) power += flow.velocity()[i] * rate[2 + i] + std::pow(state[i], 1.5) * rate[i];
  EXPECT_NEAR(power, 0, 1e-14);
}

}  // namespace
}  // namespace carom::lzb_flow_test
