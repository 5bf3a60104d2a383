// A law by its name is that law.

#include "carom/impact/impact_law.h"

#include <gtest/gtest.h>

#include "carom/error.h"
#include "carom/impact/impact_problem.h"
#include "carom/impact/law_kind.h"
#include "carom/impact/test/impacts.h"

namespace carom::impact_law_test {
namespace {

using Eigen::Vector3d;

/// A ball that strikes without slip leaves with e times its speed under every law but the plastic one.
TEST(ImpactLaw, EveryKindGivesItsOwnRebound) {
  const impacts::Impact impact = impacts::point(Vector3d(0, 0, -2), 0.3, ConstantRestitution{0.5});
  PlusTrace trace;
  for (const LawKind kind : {LawKind::newton, LawKind::poisson, LawKind::plus, LawKind::plastic, LawKind::stronge,
                             LawKind::lzb, LawKind::propagative, LawKind::energy_blend}) {
    ImpactLaw law(kind);
    Eigen::VectorXd p(3), u(3);
    EXPECT_EQ(law.solve(impact.problem(), p, u, &trace).status, ImpactStatus::resolved);
    // Plastic and propagative impacts do not read e.
    const bool elastic = kind == LawKind::propagative;
    const double rebound = elastic ? 2 : (kind == LawKind::plastic ? 0 : 1);
    EXPECT_NEAR(u[2], rebound, 1e-6) << kind;
    // PLUS tells what it did, a round of compression and one of expansion, and propagative its one reset.
    const std::size_t steps = elastic ? 1 : (kind == LawKind::plus ? 2 : 0);
    EXPECT_EQ(trace.steps.size(), steps) << kind;
  }
}

TEST(ImpactLaw, NoneIsNoLawOfAnImpact) { EXPECT_THROW(ImpactLaw{LawKind::none}, Error); }

}  // namespace
}  // namespace carom::impact_law_test
