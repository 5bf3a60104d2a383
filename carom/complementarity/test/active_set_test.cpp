#include "carom/complementarity/least_norm/active_set.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <Eigen/QR>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "carom/complementarity/least_norm/active_set_search.h"
#include "carom/complementarity/least_norm/labelled_system.h"
#include "carom/complementarity/least_norm/least_norm_bound.h"
#include "carom/complementarity/test/labelled_problems.h"
#include "carom/error.h"
#include "testing/allocation_count.h"

namespace carom::active_set_test {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;
using families::Mechanics;
using families::Random;
using labelled::count;
using labelled::labels_of;
using labelled::small_problem;
using labelled::without_friction;

BlockLabel random_label(Random& random) {
  constexpr NormalState normals[] = {NormalState::active, NormalState::active, NormalState::open, NormalState::given,
                                     NormalState::absent};
  constexpr TangentState tangents[] = {TangentState::rolling, TangentState::sliding, TangentState::slipping};
  BlockLabel label;
  label.normal = normals[random.integer(0, 4)];
  label.tangent = tangents[random.integer(0, 2)];
  label.slip = Vector2d(random.uniform(-1, 1), random.uniform(-1, 1)).normalized();
  label.given = random.uniform(0, 1);
  return label;
}

/// The system of table 1 as it stands there, every impulse an unknown and every condition a row.
VectorXd by_table(const Mechanics& m, const std::vector<BlockLabel>& labels, const VectorXd& stiffness) {
  const Eigen::Index k = m.u.size();
  MatrixXd B = MatrixXd::Identity(k, k);
  VectorXd w = VectorXd::Zero(k);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const Block& block = m.blocks[i];
    const int z = block.normal_row();
    if (labels[i].normal == NormalState::open || labels[i].normal == NormalState::absent) continue;
    if (labels[i].normal == NormalState::given) {
      w[z] = labels[i].given;
    } else {
      B.row(z) = m.A.row(z);
      w[z] = -m.u[z] - block.offset;
    }
    for (int axis = 0; axis < z - block.row; ++axis) {
      const int row = block.row + axis;
      if (labels[i].tangent == TangentState::rolling) {
        B.row(row) = m.A.row(row);
        w[row] = -m.u[row];
      } else {
        B(row, z) = block.friction[axis] * labels[i].slip[axis];
      }
    }
  }
  const VectorXd root = stiffness.cwiseSqrt();
  Eigen::CompleteOrthogonalDecomposition<MatrixXd> factors;
  factors.setThreshold(1e-11);
  factors.compute(B * root.asDiagonal());
  return root.cwiseProduct(factors.solve(w));
}

TEST(LabelledSystem, HasTheLeastNormSolutionOfTheWholeTable) {
  Random random(71);
  LabelledSystem system;
  int compared = 0;
  for (int trial = 0; trial < count(20000, 400); ++trial) {
    const Mechanics m = small_problem(random, random.integer(1, 5));
    std::vector<BlockLabel> labels(m.blocks.size());
    for (BlockLabel& label : labels) label = random_label(random);
    VectorXd stiffness = VectorXd::Ones(m.u.size());
    if (trial % 2 == 0) {
      for (double& k : stiffness) k = random.uniform(0.5, 2);
    }
    system.bind(m.A, m.u, m.blocks, {stiffness.data(), static_cast<std::size_t>(stiffness.size())});
    system.set_labels(labels);
    const LabelledSolution solution = system.solve();
    if (solution.residual > 1e-9) continue;  // the two would balance the contradiction differently
    const VectorXd table = by_table(m, labels, stiffness);
    if ((m.A * table).norm() > 1e6 * m.u.norm()) continue;
    ++compared;
    EXPECT_LE((system.impulse() - table).norm(), 1e-6 * (1e-3 + table.norm())) << trial;
    EXPECT_LE((system.velocity() - m.u - m.A * system.impulse()).norm(), 1e-11 * (m.u.norm() + table.norm())) << trial;
    EXPECT_NEAR(solution.norm, system.impulse().cwiseQuotient(stiffness.cwiseSqrt()).norm(), 1e-12 * solution.norm);
  }
  EXPECT_GT(compared, count(20000, 400) / 2);
}

TEST(LabelledSystem, AChangedLabelIsAsGoodAsANewSystem) {
  Random random(72);
  LabelledSystem edited, fresh;
  edited.set_update_from(0);
  fresh.set_update_from(1000000);
  for (int trial = 0; trial < count(5000, 100); ++trial) {
    const Mechanics m = small_problem(random, random.integer(2, 6));
    std::vector<BlockLabel> labels(m.blocks.size());
    for (BlockLabel& label : labels) label = random_label(random);
    edited.bind(m.A, m.u, m.blocks);
    fresh.bind(m.A, m.u, m.blocks);
    edited.set_labels(labels);
    for (int step = 0; step < 8; ++step) {
      const int block = random.integer(0, static_cast<int>(labels.size()) - 1);
      labels[block] = random_label(random);
      edited.solve();
      edited.relabel(block, labels[block]);
      fresh.set_labels(labels);
      const LabelledSolution a = edited.solve(), b = fresh.solve();
      EXPECT_EQ(a.rank, b.rank) << trial;
      EXPECT_NEAR(a.residual, b.residual, 1e-7);
      EXPECT_LE((edited.impulse() - fresh.impulse()).norm(), 1e-6 * (1e-3 + fresh.impulse().norm())) << trial;
    }
  }
}

TEST(LabelledSystem, TurningASlipHasTheDerivativeOfDifferences) {
  Random random(78);
  LabelledSystem system;
  int compared = 0, deficient = 0;
  for (int trial = 0; trial < count(5000, 300); ++trial) {
    const Mechanics m = small_problem(random, random.integer(1, 5));
    std::vector<BlockLabel> labels(m.blocks.size());
    for (BlockLabel& label : labels) label = random_label(random);
    const int block = random.integer(0, static_cast<int>(labels.size()) - 1);
    labels[block].tangent = TangentState::slipping;
    if (labels[block].normal != NormalState::given) labels[block].normal = NormalState::active;
    system.bind(m.A, m.u, m.blocks);
    system.set_labels(labels);
    const LabelledSolution solution = system.solve();
    if (solution.residual > 1e-9) continue;  // of contradicting rows the least residual moves too
    const Vector2d change(random.uniform(-1, 1), random.uniform(-1, 1));
    VectorXd impulse_rate(m.u.size()), velocity_rate(m.u.size());
    system.turn(block, change, impulse_rate, velocity_rate);
    constexpr double h = 1e-5;
    VectorXd differences = VectorXd::Zero(m.u.size());
    bool regular = true;
    for (const double side : {1.0, -1.0}) {
      labels[block].slip += side * h * change;
      system.set_labels(labels);
      const LabelledSolution moved = system.solve();
      regular = regular && moved.rank == solution.rank && moved.residual < 1e-9;
      differences += side / (2 * h) * system.impulse();
      labels[block].slip -= side * h * change;
    }
    // Near a singular system differences say nothing.
    if (!regular || impulse_rate.norm() > 1e3 * (1 + system.impulse().norm())) continue;
    ++compared;
    deficient += solution.rank < m.u.size() ? 1 : 0;
    EXPECT_LE((impulse_rate - differences).norm(), 1e-4 * (1e-2 + impulse_rate.norm())) << trial;
    EXPECT_LE((velocity_rate - m.A * impulse_rate).norm(), 1e-11 * (1 + m.A.norm() * impulse_rate.norm())) << trial;
  }
  EXPECT_GT(compared, count(5000, 300) / 3);
  EXPECT_GT(deficient, 0);
}

TEST(LabelledSystem, RefusesWhatItDoesNotKnow) {
  const MatrixXd A = MatrixXd::Identity(4, 4);
  const VectorXd u = VectorXd::Zero(4);
  std::vector<Block> blocks(1);
  blocks[0].kind = BlockKind::ellipsoid;
  LabelledSystem system;
  EXPECT_THROW(system.bind(A, u, blocks), Error);
  blocks[0].kind = BlockKind::cone;
  const std::vector<double> stiffness = {1, 1, 0};
  EXPECT_THROW(system.bind(A.topLeftCorner(3, 3), u.head(3), blocks, stiffness), Error);
  blocks[0].floor = 1;
  EXPECT_THROW(system.bind(A.topLeftCorner(3, 3), u.head(3), blocks), Error);
}

Eigen::Vector3d corner_of_box(int corner) { return {corner & 1 ? 0.5 : -0.5, corner & 2 ? 0.5 : -0.5, -0.25}; }

/// A box of mass and inertias 1 that falls at speed 1 on its four lower corners and turns at `spin` about the vertical.
Mechanics falling_box(double friction, double spin) {
  Mechanics m;
  m.J = MatrixXd::Zero(12, 6);  // of (angular, linear)
  for (int corner = 0; corner < 4; ++corner) {
    const Eigen::Vector3d r = corner_of_box(corner);
    for (int axis = 0; axis < 3; ++axis) {
      m.J.block<1, 3>(3 * corner + axis, 0) = r.cross(Eigen::Vector3d::Unit(axis)).transpose();
      m.J(3 * corner + axis, 3 + axis) = 1;
    }
    Block block;
    block.kind = BlockKind::cone;
    block.row = 3 * corner;
    block.friction.setConstant(friction);
    m.blocks.push_back(block);
  }
  m.v = (VectorXd(6) << 0, 0, spin, 0, 0, -1).finished();
  m.A = m.J * m.J.transpose();
  m.u = m.J * m.v;
  return m;
}

TEST(ActiveSet, FourCornersShareTheImpactEqually) {
  for (const double friction : {0.0, 0.5}) {
    const Mechanics m = falling_box(friction, 0);
    LabelledSystem system;
    SlipRule rule;
    system.bind(m.A, m.u, m.blocks);
    system.set_labels(labels_of(m, 0.1));
    const PruneResult result = prune_active_set(system, rule);
    EXPECT_EQ(result.status, LabelStatus::admissible);
    VectorXd expected = VectorXd::Zero(12);
    for (int corner = 0; corner < 4; ++corner) expected[3 * corner + 2] = 0.25;
    EXPECT_LE((system.impulse() - expected).norm(), 1e-14);
    // Twice as stiff corners on one side would turn the box if it shared by stiffness alone: it must stay level.
    std::vector<double> stiffness(12, 1.0);
    for (int i = 0; i < 6; ++i) stiffness[i] = 2;
    system.bind(m.A, m.u, m.blocks, stiffness);
    system.set_labels(labels_of(m, 0.1));
    system.solve();
    EXPECT_LE((system.impulse() - expected).norm(), 1e-14);
  }
}

TEST(ActiveSet, TiesGoTogetherSoThatMirrorImagesStayMirrorImages) {
  // The box falls and spins about its vertical axis, too fast for the friction to hold: all four corners begin to slip.
  const Mechanics m = falling_box(0.1, 1);
  LabelledSystem system;
  SlipRule rule;
  system.bind(m.A, m.u, m.blocks);
  system.set_labels(labels_of(m, 10));
  const PruneResult result = prune_active_set(system, rule);
  EXPECT_EQ(result.solves, 2);
  for (int corner = 0; corner < 4; ++corner) {
    EXPECT_EQ(system.labels()[corner].tangent, TangentState::slipping);
    EXPECT_NEAR(system.impulse()[3 * corner + 2], 0.25, 1e-14);
    EXPECT_NEAR(system.impulse().segment<2>(3 * corner).norm(), 0.025, 1e-14);
    // Opposite corners: opposite friction.
    EXPECT_LE((system.impulse().segment<2>(3 * corner) + system.impulse().segment<2>(9 - 3 * corner)).norm(), 1e-14);
  }
}

TEST(ActiveSet, PrunedAnswersObeyFrictionAndDoNotPull) {
  Random random(73);
  LabelledSystem system;
  SlipRule rule;
  for (int trial = 0; trial < count(20000, 500); ++trial) {
    const Mechanics m = small_problem(random, random.integer(1, 8));
    system.bind(m.A, m.u, m.blocks);
    system.set_labels(labels_of(m, random.uniform(0, 2)));
    const PruneResult result = prune_active_set(system, rule);
    EXPECT_LE(result.solves, 2 * static_cast<int>(m.blocks.size()) + 1);
    if (result.status == LabelStatus::inconsistent) continue;
    const double largest = system.impulse().cwiseAbs().maxCoeff();
    for (const Block& block : m.blocks) {
      const double normal = system.impulse()[block.normal_row()];
      EXPECT_GE(normal, -1e-9 * largest) << trial;
      EXPECT_LE(system.impulse().segment<2>(block.row).norm(), block.friction[0] * normal + 3e-9 * largest) << trial;
    }
  }
}

TEST(ActiveSet, OrderOfContactsDoesNotMatter) {
  Random random(74);
  LabelledSystem system, other;
  SlipRule rule;
  for (int trial = 0; trial < count(2000, 200); ++trial) {
    const Mechanics m = small_problem(random, random.integer(2, 6));
    const auto labels = labels_of(m, random.uniform(0, 2));
    const auto n = static_cast<int>(m.blocks.size());
    std::vector<Block> blocks(m.blocks.rbegin(), m.blocks.rend());
    std::vector<BlockLabel> reversed(labels.rbegin(), labels.rend());
    Eigen::PermutationMatrix<Eigen::Dynamic> order(m.u.size());
    for (int i = 0; i < n; ++i) {
      for (int c = 0; c < 3; ++c) order.indices()[3 * i + c] = 3 * (n - 1 - i) + c;
      blocks[i].row = 3 * i;
    }
    system.bind(m.A, m.u, m.blocks);
    system.set_labels(labels);
    other.bind(order * m.A * order.transpose(), order * m.u, blocks);
    other.set_labels(reversed);
    const PruneResult a = prune_active_set(system, rule), b = prune_active_set(other, rule);
    EXPECT_EQ(a.solves, b.solves) << trial;
    if (a.status == LabelStatus::inconsistent) continue;
    EXPECT_LE((order * system.impulse() - other.impulse()).norm(), 1e-6 * (1e-3 + system.impulse().norm())) << trial;
  }
}

TEST(ActiveSetSearch, WithoutFrictionItIsTheShortestSolutionOfTheComplementarityProblem) {
  Random random(75);
  LabelledSystem system;
  SlipRule rule;
  ActiveSetSearch search;
  LeastNormBound bound;
  NormDual dual;
  int bounded = 0;
  std::vector<std::vector<BlockLabel>> choices;
  for (int trial = 0; trial < count(5000, 300); ++trial) {
    const Mechanics m = without_friction(small_problem(random, random.integer(1, 6)));
    const std::vector<BlockLabel> labels(m.blocks.size());
    system.bind(m.A, m.u, m.blocks);
    list_choices(m.blocks, labels, labels, 0, choices);
    const SearchResult result = search.search(system, rule, choices);
    ASSERT_EQ(result.status, SearchStatus::optimal) << trial;
    const VectorXd p = system.impulse(), w = m.u + m.A * p;
    for (const Block& block : m.blocks) {
      EXPECT_NEAR(std::min(p[block.row] / (1e-300 + p.norm()), (w[block.row] + block.offset) / m.u.norm()), 0, 1e-8);
    }
    const LeastNormProblem problem{m.A, m.u, m.blocks, labels, {}};
    const NormBoundStatus status = bound.compute(problem, {}, dual);
    EXPECT_NE(status, NormBoundStatus::infeasible) << trial;
    if (status == NormBoundStatus::bounded) {
      ++bounded;
      EXPECT_GE(proven_norm(problem, dual), (1 - 1e-6) * p.norm()) << trial;
    }
    EXPECT_LE(proven_norm(problem, dual), (1 + 1e-8) * p.norm()) << trial;
  }
  EXPECT_GT(bounded, count(5000, 300) * 9 / 10);
}

TEST(ActiveSetSearch, IsNeverWorseThanPruning) {
  Random random(76);
  LabelledSystem system;
  SlipRule rule;
  ActiveSetSearch search;
  std::vector<std::vector<BlockLabel>> choices;
  int admissible = 0;
  for (int trial = 0; trial < count(20000, 400); ++trial) {
    const Mechanics m = small_problem(random, random.integer(1, 4));
    const auto labels = labels_of(m, random.uniform(0, 2));
    system.bind(m.A, m.u, m.blocks);
    system.set_labels(labels);
    const PruneResult pruned = prune_active_set(system, rule);
    list_choices(m.blocks, labels, system.labels(), 4, choices);
    const SearchResult result = search.search(system, rule, choices);
    ASSERT_NE(result.status, SearchStatus::cut);
    EXPECT_EQ(result.found, result.status == SearchStatus::optimal);
    if (result.found) {
      EXPECT_EQ(judge(system.violation(), {}), LabelStatus::admissible) << trial;
      EXPECT_NEAR(system.impulse().norm(), result.solution.norm, 1e-12 * result.solution.norm);
    }
    if (pruned.status != LabelStatus::admissible) continue;
    ++admissible;
    ASSERT_TRUE(result.found) << trial;
    EXPECT_LE(result.solution.norm, pruned.solution.norm * (1 + 1e-8)) << trial;
  }
  EXPECT_GT(admissible, 0);
}

TEST(ActiveSetSearch, SaysSoWhenNothingIsAdmissible) {
  // Painlevé: A_zz − μ A_zx < 0, so that the friction of the slide presses the contact in deeper the more it pushes.
  MatrixXd A(3, 3);
  A << 4, 0, 1.5, 0, 4, 0, 1.5, 0, 1;
  const VectorXd u = (VectorXd(3) << 1, 0, -1).finished();
  Mechanics m;
  m.A = A;
  m.u = u;
  m.blocks.resize(1);
  m.blocks[0].kind = BlockKind::cone;
  m.blocks[0].friction.setConstant(1);
  const auto labels = labels_of(m, 0.1);
  LabelledSystem system;
  SlipRule rule;
  system.bind(m.A, m.u, m.blocks);
  system.set_labels(labels);
  EXPECT_EQ(prune_active_set(system, rule).status, LabelStatus::approaching);
  std::vector<std::vector<BlockLabel>> choices;
  list_choices(m.blocks, labels, labels, 0, choices);
  ActiveSetSearch search;
  EXPECT_EQ(search.search(system, rule, choices).status, SearchStatus::none);
  EXPECT_EQ(search.search(system, rule, choices, {.tolerance = {}, .node_limit = 1}).status, SearchStatus::cut);
}

TEST(ActiveSet, ContradictingBilateralRowsAreInconsistent) {
  // One mass on two rods that want different speeds.
  const MatrixXd A = MatrixXd::Ones(2, 2);
  const VectorXd u = (VectorXd(2) << 1, 2).finished();
  std::vector<Block> blocks(2);
  blocks[0].kind = blocks[1].kind = BlockKind::bilateral;
  blocks[1].row = 1;
  LabelledSystem system;
  SlipRule rule;
  system.bind(A, u, blocks);
  const std::vector<BlockLabel> labels(2);
  system.set_labels(labels);
  EXPECT_EQ(prune_active_set(system, rule).status, LabelStatus::inconsistent);
  // The one that lets both speeds differ least, halved between the rods.
  EXPECT_NEAR(system.impulse()[0], -0.75, 1e-15);
  EXPECT_NEAR(system.impulse()[1], -0.75, 1e-15);
}

TEST(ActiveSet, AllocatesNothingTheSecondTime) {
  Random random(77);
  std::vector<Mechanics> problems;
  std::vector<std::vector<BlockLabel>> labels;
  for (int i = 0; i < 30; ++i) {
    problems.push_back(small_problem(random, 1 + i % 7));
    labels.push_back(labels_of(problems.back(), 1));
  }
  LabelledSystem system;
  SlipRule rule;
  double sum[2] = {0, 0};
  long before = 0;
  for (double& total : sum) {
    before = allocation_count();
    for (std::size_t i = 0; i < problems.size(); ++i) {
      const Mechanics& m = problems[i];
      system.bind(m.A, m.u, m.blocks);
      system.set_labels(labels[i]);
      total += prune_active_set(system, rule).solution.norm;
    }
  }
  EXPECT_EQ(allocation_count(), before);
  EXPECT_EQ(sum[0], sum[1]);  // and the same bits
}

}  // namespace
}  // namespace carom::active_set_test
