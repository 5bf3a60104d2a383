// Share of active sets by pruning that have a longer impulse than the best of all: the table of
// docs/notes/plus.md, printed with CAROM_LONG.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

#include "carom/impact/plus.h"
#include "carom/impact/test/random_impacts.h"

namespace carom::plus_active_sets_test {
namespace {

using impacts::Impact;
using impacts::Random;

bool is_long() { return std::getenv("CAROM_LONG") != nullptr; }

/// The search among slow contacts tries up to 20000 labels, with Newton's method for each.
int trials(int contacts, bool slow) {
  if (!is_long()) return contacts > 3 ? 0 : 30;
  return !slow || contacts < 4 ? 2000 : contacts == 4 ? 500 : 200;
}

/// First intervals of random impacts, by pruning and by search.
struct Counts {
  int impacts = 0;
  int equal = 0;      ///< of equal norm, to 1e-6
  int longer = 0;     ///< the pruned impulse is the longer one
  int fruitless = 0;  ///< pruning ends with conditions violated which the search meets
  int hopeless = 0;   ///< both violate some
  int proven = 0;     ///< the bound shows that nothing is shorter than what was pruned
  int disproved = 0;  ///< … and the search found something shorter
  double worst = 0;   ///< excess of the norm, relative, among `longer`
};

void compare(const Impact& impact, const PlusOptions& options, Counts& counts) {
  Eigen::VectorXd p(impact.u.size()), u(impact.u.size());
  PlusLaw law;
  PlusTrace pruned, searched;
  PlusOptions judged = options, exhaustive = options;
  judged.interval_limit = exhaustive.interval_limit = 1;  // what follows is not looked at
  judged.round_budget = exhaustive.round_budget = 1;
  judged.judge_optimality = true;
  exhaustive.exhaustive = true;
  static_cast<void>(law.solve(impact.problem(), judged, p, u, &pruned));
  static_cast<void>(law.solve(impact.problem(), exhaustive, p, u, &searched));
  if (pruned.steps.empty() || searched.steps.empty()) return;      // nothing approaches
  if (pruned.steps[0].jammed || searched.steps[0].jammed) return;  // a tangential impact has no active set
  ++counts.impacts;
  const bool found = pruned.steps[0].status == LabelStatus::admissible;
  if (!found || searched.steps[0].status != LabelStatus::admissible) {
    ++(searched.steps[0].status == LabelStatus::admissible ? counts.fruitless : counts.hopeless);
    return;
  }
  // Intervals are shortened alike; what is compared is the impulse to the round's end.
  const double own = pruned.impulse_of(0).norm() / pruned.steps[0].alpha;
  const double best = searched.impulse_of(0).norm() / searched.steps[0].alpha;
  EXPECT_LE(best, own * (1 + 1e-6));
  const double excess = own / best - 1;
  const bool proven = pruned.steps[0].optimality == Optimality::optimal;
  counts.proven += proven ? 1 : 0;
  if (excess <= 1e-6) {
    ++counts.equal;
    return;
  }
  ++counts.longer;
  counts.disproved += proven ? 1 : 0;
  counts.worst = std::max(counts.worst, excess);
}

TEST(PlusActiveSets, PruningIsHeldAgainstAllActiveSets) {
  struct Kind {
    const char* name;
    bool friction;
    double transition_speed;  ///< m/s
  };
  if (is_long()) {
    std::printf("%-12s %8s %6s %7s %7s %9s %9s %8s %7s\n", "contacts", "number", "impacts", "equal", "longer",
                "fruitless", "hopeless", "worst", "proven");
  }
  for (const Kind& kind : {Kind{"frictionless", false, 1e-4}, Kind{"sliding", true, 1e-4}, Kind{"slow", true, 100}}) {
    for (int contacts = 2; contacts <= 5; ++contacts) {
      Random random(60 + contacts);
      PlusOptions options;
      options.intervals = PlusIntervals::direction_change;
      options.transition_speed = kind.transition_speed;
      impacts::RandomKind random_kind;
      random_kind.friction = kind.friction;
      Counts counts;
      const int count = trials(contacts, kind.transition_speed > 1);
      for (int trial = 0; trial < count; ++trial) {
        Impact impact = impacts::random_impact(random, contacts, random_kind);
        impact.hold();  // else the first interval is that of the joints alone
        compare(impact, options, counts);
      }
      EXPECT_EQ(counts.disproved, 0) << kind.name << " " << contacts;
      EXPECT_GE(2 * counts.impacts, count);
      EXPECT_GE(2 * counts.equal, counts.impacts) << kind.name << " " << contacts;
      if (!is_long()) continue;
      std::printf("%-12s %8d %6d %7d %7d %9d %9d %8.2g %7d\n", kind.name, contacts, counts.impacts, counts.equal,
                  counts.longer, counts.fruitless, counts.hopeless, counts.worst, counts.proven);
      std::fflush(stdout);
    }
  }
}

}  // namespace
}  // namespace carom::plus_active_sets_test
