#include "carom/complementarity/least_norm/least_norm_bound.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "carom/complementarity/least_norm/active_set_search.h"
#include "carom/complementarity/test/labelled_problems.h"

namespace carom::least_norm_bound_test {
namespace {

using Eigen::VectorXd;
using labelled::count;
using labelled::labels_of;
using labelled::Mechanics;
using labelled::Random;
using labelled::small_problem;

std::vector<BlockLabel> with_free_tangents(std::vector<BlockLabel> labels) {
  for (BlockLabel& label : labels) {
    if (label.tangent == TangentState::rolling) label.tangent = TangentState::free;
  }
  return labels;
}

TEST(LeastNormBound, IsBelowTheSearchWhichIsBelowPruning) {
  Random random(81);
  LabelledSystem system;
  SlipRule rule;
  ActiveSetSearch search;
  LeastNormBound bound;
  NormDual dual;
  std::vector<std::vector<BlockLabel>> choices;
  int positive = 0;
  for (int trial = 0; trial < count(5000, 200); ++trial) {
    const Mechanics m = small_problem(random, random.integer(1, 4));
    std::vector<BlockLabel> labels = labels_of(m, random.uniform(0, 2));
    for (BlockLabel& label : labels) {
      if (label.normal != NormalState::active || random.integer(0, 4) > 0) continue;
      label.normal = NormalState::given;
      label.given = random.uniform(0, 1);
    }
    VectorXd stiffness = VectorXd::Ones(m.u.size());
    for (double& k : stiffness) k = trial % 2 == 0 ? 1 : random.uniform(0.2, 5);
    const std::span<const double> weights(stiffness.data(), static_cast<std::size_t>(stiffness.size()));
    system.bind(m.A, m.u, m.blocks, weights);
    system.set_labels(labels);
    const PruneResult pruned = prune_active_set(system, rule);
    list_choices(m.blocks, labels, system.labels(), 4, choices);
    const SearchResult best = search.search(system, rule, choices);
    const std::vector<BlockLabel> free = with_free_tangents(labels);
    const LeastNormProblem problem{m.A, m.u, m.blocks, free, weights};
    const NormBoundStatus status = bound.compute(problem, {}, dual);
    const double proven = proven_norm(problem, dual);
    EXPECT_GE(proven, (1 - 1e-6) * dual.bound) << trial;
    if (best.found) {
      positive += proven > 0;
      EXPECT_NE(status, NormBoundStatus::infeasible) << trial;
      EXPECT_LE(proven, best.solution.norm * (1 + 1e-8)) << trial;
      EXPECT_NE(optimality_gap(LabelStatus::admissible, best.solution.norm, proven).excess, -1);
    }
    if (pruned.status == LabelStatus::admissible) {
      ASSERT_TRUE(best.found) << trial;
      EXPECT_LE(best.solution.norm, pruned.solution.norm * (1 + 1e-8)) << trial;
    }
  }
  EXPECT_GT(positive, count(5000, 200) / 3);
}

TEST(LeastNormBound, HoldsForOneRollingContactInClosedForm) {
  // A ball's centre is its contact: A = 1 / m. Falling at 1 and crawling at 0.1, it stops: p = m (−0.1, 0, 1). Labels
  // that say that it rolls leave nothing else; with free tangents friction need only not push, so p_xy may vanish.
  const Eigen::MatrixXd A = 0.5 * Eigen::MatrixXd::Identity(3, 3);
  const Eigen::Vector3d u(0.1, 0, -1);
  std::vector<Block> blocks(1);
  blocks[0].kind = BlockKind::cone;
  blocks[0].friction.setConstant(0.5);
  std::vector<BlockLabel> labels(1);
  LeastNormBound bound;
  NormDual dual;
  const LeastNormProblem problem{A, u, blocks, labels, {}};
  EXPECT_EQ(bound.compute(problem, {}, dual), NormBoundStatus::bounded);
  EXPECT_NEAR(proven_norm(problem, dual), 2 * std::sqrt(1.01), 1e-6);
  labels[0].tangent = TangentState::free;
  EXPECT_EQ(bound.compute(problem, {}, dual), NormBoundStatus::bounded);
  EXPECT_NEAR(proven_norm(problem, dual), 2, 1e-6);
}

TEST(LeastNormBound, KnowsAnswersThatAreOptimalFromThoseItCannotJudge) {
  EXPECT_EQ(optimality_gap(LabelStatus::admissible, 1, 1 - 1e-8).optimality, Optimality::optimal);
  const OptimalityGap gap = optimality_gap(LabelStatus::admissible, 1, 0.8);
  EXPECT_EQ(gap.optimality, Optimality::within);
  EXPECT_NEAR(gap.excess, 0.25, 1e-15);
  EXPECT_EQ(optimality_gap(LabelStatus::admissible, 1, 0).optimality, Optimality::unknown);
  EXPECT_EQ(optimality_gap(LabelStatus::approaching, 1, 1).optimality, Optimality::unknown);
  EXPECT_EQ(optimality_gap(LabelStatus::admissible, 0, 0).optimality, Optimality::optimal);
}

TEST(LeastNormBound, ShowsThatNothingIsAdmissible) {
  // Painlevé: friction of the slide presses the contact in deeper the more it pushes.
  Eigen::MatrixXd A(3, 3);
  A << 4, 0, 1.5, 0, 4, 0, 1.5, 0, 1;
  const Eigen::Vector3d u(1, 0, -1);
  std::vector<Block> blocks(1);
  blocks[0].kind = BlockKind::cone;
  blocks[0].friction.setConstant(1);
  std::vector<BlockLabel> labels(1);
  labels[0].tangent = TangentState::sliding;
  labels[0].slip = {1, 0};
  LeastNormBound bound;
  NormDual dual;
  const LeastNormProblem jammed{A, u, blocks, labels, {}};
  EXPECT_EQ(bound.compute(jammed, {}, dual), NormBoundStatus::infeasible);
  EXPECT_GT(proven_norm(jammed, dual), 1e5);
  // Two rods that want different speeds of one mass.
  const Eigen::MatrixXd ones = Eigen::MatrixXd::Ones(2, 2);
  const Eigen::Vector2d speeds(1, 2);
  std::vector<Block> rods(2);
  rods[0].kind = rods[1].kind = BlockKind::bilateral;
  rods[1].row = 1;
  const std::vector<BlockLabel> held(2);
  const LeastNormProblem torn{ones, speeds, rods, held, {}};
  EXPECT_EQ(bound.compute(torn, {}, dual), NormBoundStatus::infeasible);
  EXPECT_GT(proven_norm(torn, dual), 1e5);
}

TEST(NormDual, RejectsMultipliersThatWereTamperedWith) {
  Random random(82);
  LeastNormBound bound;
  NormDual dual;
  int tampered = 0;
  for (int trial = 0; trial < 50; ++trial) {
    const Mechanics m = small_problem(random, random.integer(2, 4));
    std::vector<BlockLabel> labels = with_free_tangents(labels_of(m, 1));
    const LeastNormProblem problem{m.A, m.u, m.blocks, labels, {}};
    if (bound.compute(problem, {}, dual) != NormBoundStatus::bounded || dual.bound == 0) continue;
    ++tampered;
    const auto proven_with = [&](auto change) {
      NormDual other = dual;
      change(other);
      return proven_norm(problem, other);
    };
    // The multipliers are the best, so any other valid ones prove less than is claimed.
    for (const double factor : {0.5, 0.9, 1.1, 2.0}) {
      EXPECT_LT(proven_with([&](NormDual& d) { d.lambda *= factor; }), dual.bound * (1 - 1e-5)) << trial;
    }
    EXPECT_EQ(proven_with([](NormDual& d) { d.tau = -1; }), 0);
    EXPECT_EQ(proven_with([](NormDual& d) { d.lambda[0] = std::numeric_limits<double>::quiet_NaN(); }), 0);
    EXPECT_EQ(proven_with([](NormDual& d) { d.nu.conservativeResize(d.nu.size() - 1); }), 0);
    for (const Block& block : m.blocks) {
      const int z = block.normal_row();
      // A velocity of a free tangent is nobody's condition; normals may not stick, nor contacts pull.
      EXPECT_EQ(proven_with([&](NormDual& d) { d.lambda[z - 1] = 1; }), 0);
      EXPECT_EQ(proven_with([&](NormDual& d) { d.lambda[z] = -1; }), 0);
      EXPECT_EQ(proven_with([&](NormDual& d) { d.nu[z] = -1; }), 0);
      EXPECT_EQ(proven_with([&](NormDual& d) { d.nu[z - 2] = 2 * d.nu[z] / block.friction[0] + 1; }), 0);
    }
  }
  EXPECT_GT(tampered, 10);
}

TEST(LeastNormBound, DoesNotDependOnUnitsOrWhatCameBefore) {
  Random random(83);
  LeastNormBound bound, other;
  NormDual dual, scaled;
  for (int trial = 0; trial < 20; ++trial) {
    const Mechanics m = small_problem(random, random.integer(1, 5));
    const std::vector<BlockLabel> labels = labels_of(m, 1);
    const LeastNormProblem problem{m.A, m.u, m.blocks, labels, {}};
    const NormBoundStatus status = bound.compute(problem, {}, dual);
    LeastNormBound fresh;
    EXPECT_EQ(fresh.compute(problem, {}, scaled), status);
    EXPECT_EQ(scaled.bound, dual.bound);
    if (status != NormBoundStatus::bounded) continue;
    const Eigen::MatrixXd A = 1e6 * m.A;  // another unit of mass
    const LeastNormProblem light{A, m.u, m.blocks, labels, {}};
    EXPECT_EQ(other.compute(light, {}, scaled), status);
    EXPECT_NEAR(1e6 * scaled.bound, dual.bound, 1e-5 * dual.bound);
  }
}

}  // namespace
}  // namespace carom::least_norm_bound_test
