#include "carom/impact/lzb.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <vector>

#include "carom/error.h"
#include "carom/impact/compliant_impact.h"
#include "carom/impact/test/layered_impacts.h"

namespace carom::lzb_test {
namespace {

using layered::Impact;

struct Result {
  ImpactOutcome outcome;
  Eigen::VectorXd p, after;
};

Result lzb(const Impact& impact, const LzbOptions& options = {}) {
  LzbLaw law;
  Result result{{}, Eigen::VectorXd(impact.u.size()), Eigen::VectorXd(impact.u.size())};
  result.outcome = law.solve(impact.problem(), options, result.p, result.after);
  return result;
}

Result compliant(const Impact& impact, double accuracy = 1e-9, double transition_speed = 0.01) {
  CompliantImpact law;
  CompliantOptions options;
  options.accuracy = accuracy;
  options.transition_speed = transition_speed;
  Result result{{}, Eigen::VectorXd(impact.u.size()), Eigen::VectorXd(impact.u.size())};
  result.outcome = law.solve(impact.problem(), options, result.p, result.after);
  return result;
}

TEST(Lzb, RowsOfBallsGoApartAsCompliantOnesDo) {
  layered::Random random(1);
  for (int balls = 2; balls <= 10; ++balls) {
    for (int trial = 0; trial < 4; ++trial) {
      std::vector<double> masses(balls, 1), stiffnesses(balls - 1, 1e9);
      if (trial % 2 == 1) {
        for (double& mass : masses) mass = layered::uniform(random, 0.3, 3);
      }
      if (trial / 2 == 1) {
        for (double& K : stiffnesses) K = 1e9 * std::pow(10.0, layered::uniform(random, -1, 1));
      }
      for (const double exponent : {1.0, 1.5}) {
        const Impact impact = layered::row_of_balls(masses, stiffnesses, 2, exponent);
        const Result ours = lzb(impact), theirs = compliant(impact);
        EXPECT_EQ(ours.outcome.status, ImpactStatus::resolved);
        EXPECT_EQ(theirs.outcome.status, ImpactStatus::resolved);
        EXPECT_LE((ours.after - theirs.after).cwiseAbs().maxCoeff(), 1e-4 * 2) << balls << " balls, trial " << trial;
        EXPECT_NEAR(ours.outcome.energy_change, 0, 1e-13 * impact.energy());
        layered::expect_lawful(impact, ours.p, ours.after);
      }
    }
  }
}

TEST(Lzb, OnlyRatiosOfStiffnessesMatter) {
  layered::Random random(2);
  for (int trial = 0; trial < 20; ++trial) {
    Impact impact = layered::random_impact(random, 1 + trial % 6);
    impact.set_restitution(layered::uniform(random, 0.2, 1));
    const Result before = lzb(impact);
    for (ImpactSurface& surface : impact.surfaces) surface.stiffness *= 1e7;
    EXPECT_LE((lzb(impact).after - before.after).cwiseAbs().maxCoeff(), 1e-7) << trial;
  }
}

/// A stiff contact passes an impact on before a soft one has begun; with the soft one first both share it.
TEST(Lzb, RatiosOfStiffnessesDoMatter) {
  const Impact soft_last = layered::row_of_balls({1, 1, 1}, {1e9, 1e3}, 1),
               soft_first = layered::row_of_balls({1, 1, 1}, {1e3, 1e9}, 1);
  // Soft last: two balls exchange their velocities, then the second meets the third: all goes to the last.
  const Eigen::VectorXd v = soft_last.v + soft_last.J.transpose() * lzb(soft_last).p;
  EXPECT_NEAR(v(2), 1, 1e-3);
  // Soft first: the second and third are one body of twice the mass, v₁ = −1/3 and 2/3 beyond.
  const Eigen::VectorXd w = soft_first.v + soft_first.J.transpose() * lzb(soft_first).p;
  EXPECT_NEAR(w(0), -1.0 / 3, 1e-3);
}

TEST(Lzb, ARowReturnsWhatItsRestitutionAllows) {
  // Energetic restitution: the loss lies between nothing and (1 − e²) of all energy in relative motion.
  for (const double e : {0.0, 0.3, 0.7, 0.95}) {
    for (const int balls : {3, 5, 8}) {
      Impact impact = layered::row_of_balls(std::vector<double>(balls, 1), std::vector<double>(balls - 1, 1), 1);
      impact.set_restitution(e);
      const Result result = lzb(impact);
      EXPECT_EQ(result.outcome.status, ImpactStatus::resolved);
      const double relative = impact.energy() * (1 - 1.0 / balls);  // less that of the centre of mass
      EXPECT_LE(result.outcome.energy_change, 0);
      EXPECT_GE(result.outcome.energy_change, -relative * (1 + 1e-9));
      EXPECT_GE(result.after.minCoeff(), -1e-9);
    }
  }
}

TEST(Lzb, EqualContactsGetEqualImpulses) {
  for (const double e : {0.0, 0.4, 1.0}) {
    Impact impact = layered::brick(Eigen::Matrix3d::Identity(), layered::brick_corners(), 0, {0, 0, -3}, {0, 0, 0});
    impact.set_restitution(e);
    LzbOptions options;
    options.accuracy = 1e-9;
    const Result result = lzb(impact, options);
    for (int i = 0; i < 4; ++i) {
      EXPECT_NEAR(result.p(3 * i + 2), (1 + e) * 3 / 4, 1e-7 * 3);
      EXPECT_NEAR(result.after(3 * i + 2), e * 3, 1e-7 * 3);
      EXPECT_NEAR(result.p(3 * i + 2), result.p(2), 1e-12);
    }
  }
}

Eigen::Matrix3d tilted() {
  return (Eigen::AngleAxisd(std::numbers::pi / 4, Eigen::Vector3d::UnitX()) *
          Eigen::AngleAxisd(std::numbers::pi / 6, Eigen::Vector3d::UnitY()))
      .toRotationMatrix();
}

Eigen::Vector3d lowest_vertex(const Eigen::Matrix3d& R) {
  Eigen::Vector3d lowest = Eigen::Vector3d::Zero();
  for (int i = 0; i < 8; ++i) {
    const Eigen::Vector3d vertex((i & 1) ? 0.4 : -0.4, (i & 2) ? 0.3 : -0.3, (i & 4) ? 0.2 : -0.2);
    if ((R * vertex).z() < (R * lowest).z()) lowest = vertex;
  }
  return lowest;
}

TEST(Lzb, ABrickOnItsVertexLeavesAsTheCompliantOneDoes) {
  const Eigen::Matrix3d R = tilted();
  for (const double friction : {0.0, 0.125, 0.225, 0.325}) {
    Impact impact = layered::brick(R, {lowest_vertex(R)}, friction, {2, 0.5, -3}, {0, 0, 0});
    impact.set_restitution(1);
    // Smooth friction differs from Coulomb's while the slip is below its transition speed.
    const double transition = 1e-4;
    const Result ours = lzb(impact), theirs = compliant(impact, 1e-8, transition);
    EXPECT_LE((ours.after - theirs.after).cwiseAbs().maxCoeff(), 3e-4) << friction;
    layered::expect_lawful(impact, ours.p, ours.after);
  }
}

TEST(Lzb, ABrickOnItsCornersLeavesAsTheCompliantOneDoes) {
  for (const double friction : {0.0, 0.05, 0.2, 0.6}) {
    Impact impact =
        layered::brick(Eigen::Matrix3d::Identity(), layered::brick_corners(), friction, {-2, 0, -8.84}, {0, 0, 0});
    impact.set_restitution(1);
    const Result ours = lzb(impact);
    // Smooth friction creeps while it sticks in proportion to its transition speed, and so does the difference.
    double last = 0;
    for (const double transition : {0.01, 0.001}) {
      const double difference = (ours.after - compliant(impact, 1e-7, transition).after).cwiseAbs().maxCoeff();
      EXPECT_LE(difference, 2 * transition) << friction;
      last = difference;
    }
    if (friction == 0) {
      EXPECT_LE(last, 1e-5);
    }
    layered::expect_lawful(impact, ours.p, ours.after);
  }
}

TEST(Lzb, ABilateralRowIsHeldAndItsErrorRemoved) {
  layered::Random random(3);
  Impact impact = layered::random_impact(random, 4);
  while (impact.blocks[0].kind != BlockKind::bilateral) impact = layered::random_impact(random, 4);
  impact.v.array() += 0.1;  // violates the bilateral rows
  impact.assemble();
  impact.set_restitution(0.7);
  ASSERT_GT(std::abs(impact.u(0)), 1e-3);
  const Result result = lzb(impact);
  EXPECT_LE(std::abs(result.after(0)), 1e-12);
  EXPECT_LE(result.outcome.residual, 1e-9);
}

TEST(Lzb, AContactThatNothingMovesIsInconsistent) {
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(1, 1);
  const Eigen::VectorXd u = Eigen::VectorXd::Constant(1, -1);
  const std::vector<Block> blocks(1);
  const std::vector<ImpactSurface> surfaces(1);
  LzbLaw law;
  Eigen::VectorXd p(1), after(1);
  EXPECT_EQ(law.solve({A, u, blocks, surfaces}, {}, p, after).status, ImpactStatus::inconsistent);
  EXPECT_NEAR(law.solve({A, u, blocks, surfaces}, {}, p, after).residual, 1, 1e-12);
}

TEST(Lzb, ASpentBudgetLeavesNothingApproaching) {
  Impact impact = layered::row_of_balls(std::vector<double>(6, 1), std::vector<double>(5, 1), 1);
  LzbOptions options;
  for (const int steps : {0, 5, 20, 50}) {
    options.max_steps = steps;
    const Result result = lzb(impact, options);
    EXPECT_EQ(result.outcome.status, ImpactStatus::budget);
    EXPECT_GE(result.after.minCoeff(), -1e-12);
    EXPECT_LE(result.outcome.energy_change, 1e-14);
    layered::expect_lawful(impact, result.p, result.after);
  }
}

TEST(Lzb, MalformedImpactsAreRefused) {
  Impact impact = layered::row_of_balls({1, 1, 1}, {1, 1}, 1);
  impact.surfaces[1].stiffness = 0;
  EXPECT_THROW(lzb(impact), Error);
  impact.surfaces[1].stiffness = 1;
  impact.surfaces[1].exponent = 0.5;
  EXPECT_THROW(lzb(impact), Error);
  impact.surfaces.pop_back();
  EXPECT_THROW(lzb(impact), Error);
}

}  // namespace
}  // namespace carom::lzb_test
