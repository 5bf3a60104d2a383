// The trace of an impact by law plus: its intervals add up to the impact, contact by contact.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "carom/stepper/test/mechanisms.h"

namespace carom::impact_trace_test {
namespace {

Method with(StepperKind stepper, LawKind law) {
  Method method;
  method.stepper = stepper;
  method.law = law;
  method.step = 0.01;
  return method;
}

/// Two stacks that know nothing of one another, each struck from above by a spinning ball.
test::SceneMaker two_stacks() {
  test::SceneMaker scene(0.3, 0.6);
  scene.add_static(HalfSpace{});
  for (const double x : {0.0, 1.0}) {
    scene.add(Box{Vec3(0.2, 0.2, 0.1)}, 2, Vec3(x, 0, 0.1));
    scene.add(Sphere{0.1}, 1, Vec3(x + 0.05, 0, 0.35), Vec3(0.5, 0, -2), Quaternion::Identity(), Vec3(0, 30, 0));
  }
  return scene;
}

/// Impulses of an impact's intervals by struck contact, and velocities at the end of the last of them.
struct Sum {
  std::vector<Vec3> impulse, velocity;
  std::vector<int> group;
};

Sum sum_of(const StepReport& report, const ImpactReport& impact) {
  Sum sum{std::vector<Vec3>(impact.contacts, Vec3::Zero()), std::vector<Vec3>(impact.contacts), {}};
  sum.group.assign(impact.contacts, -1);
  for (std::size_t i = 0; i < impact.intervals; ++i) {
    const ImpactInterval& interval = report.intervals.at(impact.first_interval + i);
    for (std::size_t k = 0; k < interval.contacts; ++k) {
      const IntervalContact& contact = report.interval_contacts.at(interval.first_contact + k);
      const std::size_t place = contact.contact - impact.first_contact;
      sum.impulse.at(place) += contact.impulse;
      sum.velocity.at(place) = contact.velocity;
      sum.group.at(place) = interval.group;
    }
  }
  return sum;
}

class ImpactTrace : public testing::TestWithParam<StepperKind> {};

TEST_P(ImpactTrace, IntervalsAddUpToTheImpact) {
  Simulation simulation = two_stacks().simulation(with(GetParam(), LawKind::plus));
  int impacts = 0, several = 0;
  for (int i = 0; i < 30; ++i) {
    const StepReport& report = simulation.step();
    for (const ImpactReport& impact : report.impacts) {
      EXPECT_EQ(impact.step, report.step);
      if (impact.intervals == 0) {  // flights that have come to their end are struck plastically
        EXPECT_EQ(GetParam(), StepperKind::event_driven);
        continue;
      }
      ++impacts;
      EXPECT_EQ(impact.intervals, static_cast<std::size_t>(impact.outcome.intervals));
      const Sum sum = sum_of(report, impact);
      double speed = 0, impulse = 0;
      for (std::size_t k = 0; k < impact.contacts; ++k) {
        const ImpactContact& struck = report.struck.at(impact.first_contact + k);
        speed = std::max({speed, struck.before.norm(), struck.after.norm()});
        impulse = std::max(impulse, struck.impulse.norm());
      }
      for (std::size_t k = 0; k < impact.contacts; ++k) {
        const ImpactContact& struck = report.struck.at(impact.first_contact + k);
        EXPECT_LE((sum.impulse[k] - struck.impulse).norm(), 1e-12 * impulse);
        EXPECT_LE((sum.velocity[k] - struck.after).norm(), 1e-10 * speed);
        several += sum.group[k] == 1 ? 1 : 0;
      }
    }
  }
  EXPECT_GT(impacts, 0);
  EXPECT_GT(several, 0) << "both stacks are struck at once, and are two groups";
}

/// Rounds count up within a group, and each ends with nothing left of it.
TEST_P(ImpactTrace, RoundsAreWalkedToTheirEnd) {
  Simulation simulation = two_stacks().simulation(with(GetParam(), LawKind::plus));
  for (int i = 0; i < 30; ++i) {
    const StepReport& report = simulation.step();
    for (const ImpactReport& impact : report.impacts) {
      for (std::size_t k = 0; k < impact.intervals; ++k) {
        const ImpactInterval& interval = report.intervals[impact.first_interval + k];
        EXPECT_GE(interval.alpha, 0);
        EXPECT_LE(interval.alpha, 1);
        const bool last = k + 1 == impact.intervals;
        const ImpactInterval& next = report.intervals[impact.first_interval + (last ? k : k + 1)];
        if (last || next.group != interval.group || next.round != interval.round) {
          EXPECT_EQ(interval.alpha, 1);
        }
        if (!last && next.group == interval.group) {
          EXPECT_TRUE(next.round == interval.round || next.round == interval.round + 1);
        }
      }
    }
  }
}

/// Two balls tied to one another fall, the lower one strikes: the tie takes part, and has no row among the intervals'
/// contacts.
TEST_P(ImpactTrace, ConstraintsAreLeftOut) {
  test::SceneMaker scene(0.3, 0.5);
  scene.add_static(HalfSpace{});
  for (const double z : {0.3, 0.6}) scene.add(Sphere{0.1}, 1, Vec3(0, 0, z));
  Constraint tie;
  tie.name = "tie";
  tie.kind = ConstraintKind::ball;
  tie.body_a = 0;
  tie.X_AF.p = Vec3(0, 0, 0.15);
  tie.body_b = 1;
  tie.X_BG.p = Vec3(0, 0, -0.15);
  scene.builder.add_constraint(tie);
  Simulation simulation = scene.simulation(with(GetParam(), LawKind::plus));
  int impacts = 0;
  for (int i = 0; i < 25; ++i) {
    const StepReport& report = simulation.step();
    for (const ImpactReport& impact : report.impacts) {
      ++impacts;
      const Sum sum = sum_of(report, impact);
      for (std::size_t k = 0; k < impact.contacts; ++k) {
        EXPECT_EQ(sum.group[k], 0);
        const Vec3& impulse = report.struck[impact.first_contact + k].impulse;
        EXPECT_GT(impulse.z(), 2.0 * std::sqrt(2 * 9.81 * 0.2)) << "of both balls";
        EXPECT_LE((sum.impulse[k] - impulse).norm(), 1e-12);
      }
    }
    for (const ImpactInterval& interval : report.intervals) {
      for (std::size_t k = 0; k < interval.contacts; ++k) {
        EXPECT_NE(report.interval_contacts[interval.first_contact + k].role, PlusRole::holding);
      }
    }
  }
  EXPECT_GT(impacts, 0);
}

TEST_P(ImpactTrace, OtherLawsTellNone) {
  for (const LawKind law : {LawKind::newton, LawKind::poisson, LawKind::plastic, LawKind::stronge, LawKind::lzb}) {
    Simulation simulation = two_stacks().simulation(with(GetParam(), law));
    std::size_t impacts = 0;
    for (int i = 0; i < 10; ++i) {
      const StepReport& report = simulation.step();
      impacts += report.impacts.size();
      EXPECT_TRUE(report.intervals.empty()) << law_name(law);
      EXPECT_TRUE(report.interval_contacts.empty()) << law_name(law);
    }
    EXPECT_GT(impacts, 0u) << law_name(law);
  }
}

INSTANTIATE_TEST_SUITE_P(steppers, ImpactTrace, testing::Values(StepperKind::semi_explicit, StepperKind::event_driven),
                         [](const testing::TestParamInfo<StepperKind>& info) {
                           return info.param == StepperKind::event_driven ? "event_driven" : "semi_explicit";
                         });

TEST(ImpactNames, EveryValueHasAName) {
  for (int i = 0; i <= static_cast<int>(PlusRole::holding); ++i) {
    EXPECT_FALSE(role_name(static_cast<PlusRole>(i)).empty());
  }
  for (int i = 0; i <= static_cast<int>(PlusMotion::sliding); ++i) {
    EXPECT_FALSE(motion_name(static_cast<PlusMotion>(i)).empty());
  }
  for (int i = 0; i <= static_cast<int>(ImpactStatus::inconsistent); ++i) {
    EXPECT_FALSE(impact_status_name(static_cast<ImpactStatus>(i)).empty());
  }
}

}  // namespace
}  // namespace carom::impact_trace_test
