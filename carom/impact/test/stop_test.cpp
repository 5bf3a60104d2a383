// Every law of an impact can be stopped on its way, and begins anew as if it had not been.

#include "carom/stop_signal.h"

#include <gtest/gtest.h>

#include "carom/impact/impact_law.h"
#include "carom/impact/test/impacts.h"

namespace carom::stop_test {
namespace {

class StoppedLaw : public testing::TestWithParam<LawKind> {};

TEST_P(StoppedLaw, LeavesAtOnceAndBeginsAnew) {
  const impacts::Impact impact = impacts::flat_box(2, impacts::Vector3d(0.4, 0.3, 0.2), impacts::Vector3d(0.5, 0.2, -1),
                                                   impacts::Vector3d(0.3, -0.7, 0.2), 0.3, 0.5);
  const auto k = impact.u.size();
  impacts::VectorXd p(k), u(k), again(k);
  ImpactLaw whole(GetParam()), stopped(GetParam());
  long asked = 0;
  const StopSignal counts([&] { return ++asked < 0; });
  ImpactProblem problem = impact.problem();
  problem.stop = &counts;
  ASSERT_EQ(whole.solve(problem, p, u).status, ImpactStatus::resolved);
  ASSERT_GT(asked, 0);
  for (const long at : {1L, (asked + 1) / 2, asked}) {
    long left = at;
    const StopSignal stops([&] { return --left <= 0; });
    problem.stop = &stops;
    EXPECT_THROW(static_cast<void>(stopped.solve(problem, again, u)), Stopped) << at;
    problem.stop = nullptr;
    static_cast<void>(stopped.solve(problem, again, u));
    EXPECT_EQ(p, again) << at;
  }
}

INSTANTIATE_TEST_SUITE_P(Laws, StoppedLaw,
                         testing::Values(LawKind::newton, LawKind::poisson, LawKind::plus, LawKind::plastic,
                                         LawKind::stronge, LawKind::lzb, LawKind::propagative, LawKind::energy_blend));

}  // namespace
}  // namespace carom::stop_test
