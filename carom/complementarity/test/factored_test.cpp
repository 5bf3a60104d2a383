#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <set>
#include <utility>
#include <vector>

#include "carom/complementarity/certificate.h"
#include "carom/complementarity/contact_operator.h"
#include "carom/complementarity/contact_solver.h"
#include "carom/complementarity/factored/block_factors.h"
#include "carom/complementarity/factored/block_pattern.h"
#include "carom/complementarity/factored/grouped_matrix.h"
#include "carom/complementarity/factored/impulse_set.h"
#include "carom/complementarity/islands.h"
#include "carom/complementarity/test/factored_problems.h"
#include "carom/error.h"
#include "testing/problems/problem_families.h"

namespace carom::factored_test {
namespace {

using families::Family;
using families::Mechanics;
using families::Random;

TEST(ContactFactors, AreTheMatrixThatTheyAreFactorsOf) {
  Random random(91);
  for (int trial = 0; trial < 60; ++trial) {
    const Mechanics m = families::make(families::solvable[trial % 8], 1 + trial % 12, random);
    const ContactFactors G = factors_of(m);
    const ContactProblem dense = m.problem(), factored{G, m.u, m.blocks};
    const double size = m.A.cwiseAbs().maxCoeff();
    Eigen::MatrixXd A(m.A.rows(), m.A.cols());
    factored.A.copy_to(A);
    EXPECT_LE((A - m.A).cwiseAbs().maxCoeff(), 1e-12 * size) << trial;
    Eigen::VectorXd p(m.u.size()), y(m.u.size());
    for (double& entry : p) entry = random.uniform(-1, 1);
    factored.A.multiply(p, y);
    EXPECT_LE((y - m.A * p).cwiseAbs().maxCoeff(), 1e-11 * size) << trial;
    check(factored);

    const SolveCertificate a = certify(dense, p, 0), b = certify(factored, p, 0);
    EXPECT_NEAR(a.natural_map, b.natural_map, 1e-10 * (1 + a.natural_map)) << trial;
    EXPECT_NEAR(a.contact_work, b.contact_work, 1e-10 * (1 + std::abs(a.contact_work))) << trial;
    EXPECT_NEAR(a.bilateral_residual, b.bilateral_residual, 1e-10 * (1 + a.bilateral_residual)) << trial;

    Islands of_dense, of_factors;
    of_dense.find(dense);
    of_factors.find(factored);
    // Blocks that touch one body may by chance not move one another; never the other way round.
    EXPECT_LE(of_factors.count(), of_dense.count());
    IslandProblem island;
    for (int i = 0; i < of_factors.count(); ++i) {
      island.copy(factored, of_factors, i);
      const std::span<const int> rows = of_factors.rows(i);
      Eigen::MatrixXd part(rows.size(), rows.size());
      island.problem().A.copy_to(part);
      for (std::size_t r = 0; r < rows.size(); ++r) {
        for (std::size_t c = 0; c < rows.size(); ++c) {
          EXPECT_NEAR(part(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(c)), m.A(rows[r], rows[c]),
                      1e-12 * size);
        }
      }
    }
  }
}

TEST(ContactFactors, RefusesWhatIsMalformed) {
  Random random(90);
  const Mechanics m = families::make(Family::full_rank, 3, random);
  ContactFactors G = factors_of(m);
  const double kept = G.value[5];
  G.value[5] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(check({G, m.u, m.blocks}), Error);
  G.value[5] = kept;
  G.group[0] = (G.group[0] + 1) % G.groups();
  EXPECT_THROW(check({G, m.u, m.blocks}), Error);
}

Block random_block(BlockKind kind, Random& random) {
  Block block;
  block.kind = kind;
  block.friction = {random.uniform(0.05, 1.5), random.uniform(0.05, 1.5)};
  if (kind == BlockKind::ellipsoid) block.torsion = random.uniform(0.01, 1);
  block.lower = -random.uniform(0, 2);
  block.upper = random.uniform(0, 2);
  const bool owed = kind == BlockKind::unilateral || kind == BlockKind::cone || kind == BlockKind::ellipsoid;
  if (owed && random.chance(0.4)) block.floor = random.uniform(0, 2);
  return block;
}

/// A point of the set, by its definition.
void point_of_set(const Block& block, int directions, Random& random, double* z) {
  const std::vector<PolygonCorner> polygon = polygon_of(directions);
  const ImpulseSet set(block, polygon);
  if (block.kind == BlockKind::bilateral) z[0] = random.uniform(-3, 3);
  if (block.kind == BlockKind::bounded) z[0] = random.uniform(block.lower, block.upper);
  if (block.kind == BlockKind::unilateral) z[0] = block.floor + random.uniform(0, 3);
  if (!block.is_contact()) return;
  const double normal = block.floor + random.uniform(0, 3);
  std::fill_n(z, set.size(), 0.0);
  z[2] = normal;
  if (directions == 0) {
    double square = 0;
    for (int i = 0; i < set.size(); ++i) {
      if (i == 2) continue;
      z[i] = random.uniform(-1, 1);
      square += z[i] * z[i];
    }
    const double size = set.mu() * normal * random.uniform(0, 1) / std::sqrt(square);
    for (int i = 0; i < set.size(); ++i) z[i] *= i == 2 ? 1 : size;
    return;
  }
  double left = 1;
  for (int j = 0; j < directions; ++j) {
    const double weight = random.uniform(0, left), angle = 2 * std::numbers::pi * j / directions;
    left -= weight;
    z[0] += set.mu() * normal * weight * std::cos(angle);
    z[1] += set.mu() * normal * weight * std::sin(angle);
  }
}

TEST(ImpulseSet, ProjectsToTheNearestPoint) {
  constexpr BlockKind kinds[] = {BlockKind::bilateral, BlockKind::bounded, BlockKind::unilateral, BlockKind::cone,
                                 BlockKind::ellipsoid};
  Random random(92);
  for (int trial = 0; trial < 4000; ++trial) {
    const Block block = random_block(kinds[trial % 5], random);
    const int directions = block.kind == BlockKind::cone && random.chance(0.6) ? random.integer(3, 12) : 0;
    const std::vector<PolygonCorner> polygon = polygon_of(directions);
    const ImpulseSet set(block, polygon);
    double x[4], nearest[4], derivative[16], z[4], again[4];
    for (double& entry : x) entry = random.uniform(-3, 3);
    set.project(x, nearest, derivative);
    set.project(nearest, again, nullptr);
    for (int i = 0; i < set.size(); ++i) EXPECT_NEAR(again[i], nearest[i], 1e-14) << trial;
    // (x − P) · (z − P) ≤ 0 for all z of the set says that P is the nearest.
    for (int probe = 0; probe < 30; ++probe) {
      point_of_set(block, directions, random, z);
      double product = 0;
      for (int i = 0; i < set.size(); ++i) product += (x[i] - nearest[i]) * (z[i] - nearest[i]);
      EXPECT_LE(product, 1e-12) << trial;
    }
    // The derivative, away from where the nearest face changes.
    for (int j = 0; j < set.size(); ++j) {
      double before[4], after[4], here[16], there[16];
      constexpr double step = 1e-6;
      std::copy_n(x, 4, z);
      z[j] = x[j] - step;
      set.project(z, before, here);
      z[j] = x[j] + step;
      set.project(z, after, there);
      for (int i = 0; i < set.size(); ++i) {
        if (std::abs(here[4 * i + j] - there[4 * i + j]) > 1e-4) continue;
        EXPECT_NEAR((after[i] - before[i]) / (2 * step), derivative[4 * i + j], 1e-4) << trial;
      }
    }
  }
}

TEST(ImpulseSet, LiftMakesCoulombsLawOneOfDualCones) {
  Random random(93);
  for (int trial = 0; trial < 1000; ++trial) {
    const Block block = random_block(trial % 2 == 0 ? BlockKind::cone : BlockKind::ellipsoid, random);
    const int directions = block.kind == BlockKind::cone && random.chance(0.5) ? random.integer(3, 9) : 0;
    const std::vector<PolygonCorner> polygon = polygon_of(directions);
    const ImpulseSet set(block, polygon);
    double w[4], gradient[4], z[4];
    for (double& entry : w) entry = random.uniform(-1, 1);
    w[2] = 0;
    const double lift = set.lift(w, gradient);
    // Every impulse of the set takes at most as much power from the slip as the lift gives it, and one takes all.
    for (int probe = 0; probe < 20; ++probe) {
      point_of_set(block, directions, random, z);
      double power = lift * z[2];
      for (int i = 0; i < set.size(); ++i) power += z[i] * w[i];
      EXPECT_GE(power, -1e-12);
    }
    for (int i = 0; i < set.size(); ++i) {
      const double kept = w[i];
      w[i] = kept + 1e-7;
      const double up = set.lift(w);
      w[i] = kept - 1e-7;
      const double down = set.lift(w);
      w[i] = kept;
      double at_up[4];
      set.lift(w, at_up);
      if (directions == 0 || std::abs(up + down - 2 * lift) < 1e-12) {
        EXPECT_NEAR((up - down) / 2e-7, gradient[i], 1e-5) << trial;
      }
    }
  }
}

TEST(GroupedMatrix, SolvesWhatItSays) {
  Random random(94);
  for (int trial = 0; trial < 60; ++trial) {
    const Mechanics m = families::make(families::solvable[trial % 8], 1 + trial % 15, random);
    const ContactFactors G = factors_of(m);
    const auto k = m.u.size(), n = static_cast<Eigen::Index>(G.columns());
    const bool symmetric = trial % 2 == 0;
    std::vector<double> D(m.blocks.size() * 16, 0.0);
    Eigen::MatrixXd whole = Eigen::MatrixXd::Zero(k, k);
    for (std::size_t b = 0; b < m.blocks.size(); ++b) {
      const int size = m.blocks[b].size();
      Eigen::MatrixXd part(size, size);
      for (double& entry : part.reshaped()) entry = random.uniform(-1, 1);
      part = (part * part.transpose()).eval();
      if (!symmetric) part(0, size - 1) += 0.3;
      for (int i = 0; i < size; ++i) {
        for (int j = 0; j < size; ++j) D[16 * b + 4 * i + j] = part(i, j);
      }
      whole.block(m.blocks[b].row, m.blocks[b].row, size, size) = part;
    }
    Eigen::MatrixXd dense(k, n);
    for (Eigen::Index j = 0; j < n; ++j) {
      const Eigen::VectorXd unit = Eigen::VectorXd::Unit(n, j);
      for (Eigen::Index i = 0; i < k; ++i) dense(i, j) = G.dot(static_cast<int>(i), unit.data());
    }
    const Eigen::MatrixXd H = Eigen::MatrixXd::Identity(n, n) + dense.transpose() * whole * dense;
    GroupedMatrix matrix;
    matrix.lay_out(G, m.blocks);
    const GroupedMatrix::Kind kind = symmetric ? GroupedMatrix::Kind::symmetric : GroupedMatrix::Kind::general;
    ASSERT_TRUE(matrix.factor(kind, G, m.blocks, D)) << trial;
    Eigen::VectorXd b(n), x(n);
    for (double& entry : b) entry = random.uniform(-1, 1);
    matrix.solve(b, x);
    EXPECT_LE((H * x - b).norm(), 1e-9 * H.norm() * x.norm()) << trial;
  }
}

TEST(AugmentedLagrangian, SolvesByTheCertificateOrSaysThatItDoesNot) {
  Random random(95);
  int solved = 0, count = 0;
  for (const Family family : families::solvable) {
    for (int trial = 0; trial < 40; ++trial) {
      const Mechanics m = families::make(family, 1 + trial, random);
      const int directions = trial % 2 == 0 ? 0 : 8;
      const auto known = [&](const Block& block) { return FactoredProblem::knows(block, directions); };
      if (!std::all_of(m.blocks.begin(), m.blocks.end(), known)) continue;
      const ContactFactors G = factors_of(m);
      const ContactProblem problem{G, m.u, m.blocks};
      Eigen::VectorXd p(m.u.size()), u(m.u.size());
      const ContactSolution solution = by_multipliers(problem, directions, {}, p, u);
      ++count;
      EXPECT_LE((u - m.u - m.A * p).norm(), 1e-11 * (m.u.norm() + (m.A.cwiseAbs() * p.cwiseAbs()).norm()));
      if (solution.status != SolveStatus::solved) continue;
      ++solved;
      EXPECT_LE(worst(certify(m.problem(), p, directions), directions), 1e-7) << families::name(family) << " " << trial;
    }
  }
  // ContactSolver hands the rest to the methods for matrices.
  EXPECT_GE(solved, 9 * count / 10) << "of " << count;
}

TEST(AugmentedLagrangian, StaysWhereItStartsAtASolution) {
  Random random(96);
  for (int trial = 0; trial < 40; ++trial) {
    const Mechanics m = families::make(trial % 2 == 0 ? Family::redundant : Family::stack, 4 + trial, random);
    const ContactFactors G = factors_of(m);
    const ContactProblem problem{G, m.u, m.blocks};
    Eigen::VectorXd p(m.u.size()), again(m.u.size()), u(m.u.size());
    if (by_multipliers(problem, 0, {}, p, u).status != SolveStatus::solved) continue;
    const std::span<const double> start(p.data(), static_cast<std::size_t>(p.size()));
    const ContactSolution solution = by_multipliers(problem, 0, start, again, u);
    EXPECT_EQ(solution.iterations, 0);
    EXPECT_LE((again - p).norm(), 1e-14 * p.norm());
  }
}

/// Contacts that know nothing of one another are found by sweeps alone: these count as well.
TEST(AugmentedLagrangian, CountsWhatMovedTheImpulses) {
  for (const double start : {0.0, 0.7, 3.0}) {
    constexpr int contacts = 5;
    ContactFactors G;
    std::vector<Block> blocks;
    for (int i = 0; i < contacts; ++i) {
      G.group_start.push_back(i + 1);
      G.group.push_back(i);
      G.value.push_back(0.5 + i);
      G.row_start.push_back(i + 1);
      G.value_start.push_back(i + 1);
      Block block;
      block.kind = BlockKind::unilateral;
      block.row = i;
      blocks.push_back(block);
    }
    const Eigen::VectorXd u = -Eigen::VectorXd::Ones(contacts);
    const std::vector<double> warm(contacts, start);
    Eigen::VectorXd p(contacts), u_plus(contacts);
    const ContactSolution solution = by_multipliers({G, u, blocks}, 0, warm, p, u_plus);
    EXPECT_EQ(solution.status, SolveStatus::solved);
    for (int i = 0; i < contacts; ++i) EXPECT_NEAR(p[i] * std::pow(0.5 + i, 2), 1, 1e-9);
    EXPECT_GT(solution.iterations, 0);
  }
}

/// Factors by themselves: random graphs of groups of one to six, both kinds.
struct RandomGraph {
  std::vector<int> group_start{0};
  std::vector<std::uint64_t> joined;
  Eigen::MatrixXd H;
  BlockPattern pattern;
  BlockFactors factors;

  RandomGraph(int groups, bool general, Random& random) {
    for (int g = 0; g < groups; ++g)
      group_start.push_back(group_start.back() + 1 + static_cast<int>(random.uniform(0, 6)));
    std::set<std::pair<int, int>> pairs;
    for (int g = 1; g < groups; ++g) pairs.insert({g, static_cast<int>(random.uniform(0, g))});  // a tree, and more
    for (int k = 0; k < groups; ++k) {
      const int a = static_cast<int>(random.uniform(0, groups)), b = static_cast<int>(random.uniform(0, groups));
      if (a != b && k % 3 == 0) pairs.insert({std::max(a, b), std::min(a, b)});
    }
    H.setZero(group_start.back(), group_start.back());
    for (const auto& [a, b] : pairs) {
      joined.push_back(static_cast<std::uint64_t>(a) << 32 | static_cast<std::uint64_t>(b));
      for (int i = group_start[a]; i < group_start[a + 1]; ++i) {
        for (int j = group_start[b]; j < group_start[b + 1]; ++j) {
          H(i, j) = random.uniform(-1, 1);
          H(j, i) = general ? random.uniform(-1, 1) : H(i, j);
        }
      }
    }
    const Eigen::VectorXd sums = H.cwiseAbs().rowwise().sum() + H.cwiseAbs().colwise().sum().transpose();
    for (Eigen::Index i = 0; i < H.rows(); ++i) H(i, i) = 0.6 * sums[i] + 1;
    pattern.analyze(group_start, joined);
  }

  void write(bool general) {
    factors.reset(pattern, general);
    const int groups = static_cast<int>(group_start.size()) - 1;
    for (int a = 0; a < groups; ++a) {
      for (int b = 0; b <= a; ++b) {
        const auto part = [&](int row, int column) {
          return H.block(group_start[row], group_start[column], group_start[row + 1] - group_start[row],
                         group_start[column + 1] - group_start[column]);
        };
        if (part(a, b).isZero(0) && part(b, a).isZero(0)) continue;
        const bool b_later = pattern.place_of(b) > pattern.place_of(a);
        const int row = b_later ? b : a, column = b_later ? a : b;
        const BlockPattern::Slot slot = pattern.slot(row, column);
        const auto add = [&](double* to, const Eigen::MatrixXd& block) {
          for (Eigen::Index j = 0; j < block.cols(); ++j) {
            for (Eigen::Index i = 0; i < block.rows(); ++i) to[slot.first + j * slot.stride + i] += block(i, j);
          }
        };
        add(factors.values(), part(row, column));
        if (general) add(factors.upper(), part(column, row).transpose());
      }
    }
  }
};

/// Rows of one direction on one body, of which the first asks for the most. It bears all in the end, however little
/// less the others ask for. From a start that shares the load, the load has to be handed on.
TEST(AugmentedLagrangian, HandsOnTheLoadOfContactsThatContradictOneAnother) {
  constexpr int count = 4;
  for (const double apart : {3e-9, 1e-8, 1e-7, 1e-5}) {
    const EqualRows rows(count, apart);
    const std::vector<double> start(count, 1.01 / count);
    const ContactProblem problem = rows.problem();
    Eigen::VectorXd p(count), w(count);
    const ContactSolution solution = by_multipliers(problem, 0, start, p, w);
    ASSERT_EQ(solution.status, SolveStatus::solved) << apart;
    EXPECT_LE(certify(problem, p, 0).natural_map, 1e-9);
    EXPECT_NEAR(p.sum(), 1, 1e-8);
    EXPECT_LE(p.tail(count - 1).maxCoeff(), 1e-9) << apart;
    // By ρ = 1e6 a round, those 3e-9 apart would take some 80 rounds.
    EXPECT_LE(solution.iterations, 60) << apart;
  }
}

/// Places are a permutation of the groups; the panels tile the columns; blocks that H has do not share an entry.
TEST(BlockPattern, HasAPlaceOfItsOwnForEveryBlock) {
  Random random(97);
  for (int trial = 0; trial < 20; ++trial) {
    RandomGraph graph(50 + 5 * trial, false, random);
    const BlockPattern& pattern = graph.pattern;
    const int groups = static_cast<int>(graph.group_start.size()) - 1;
    ASSERT_EQ(pattern.places(), groups);
    ASSERT_EQ(pattern.columns(), graph.H.rows());
    for (int g = 0; g < groups; ++g) {
      EXPECT_EQ(pattern.group_at(pattern.place_of(g)), g);
      EXPECT_EQ(pattern.place_size(pattern.place_of(g)), graph.group_start[g + 1] - graph.group_start[g]);
    }
    int column = 0;
    for (const BlockPattern::Panel& panel : pattern.panels()) {
      EXPECT_EQ(panel.first_column, column);
      EXPECT_GE(panel.height, panel.width);
      column += panel.width;
    }
    EXPECT_EQ(column, pattern.columns());
    std::set<int> taken;
    std::size_t entries = 0;
    for (const std::uint64_t pair : graph.joined) {
      int row = static_cast<int>(pair >> 32), other = static_cast<int>(pair & 0xffffffff);
      if (pattern.place_of(other) > pattern.place_of(row)) std::swap(row, other);
      const BlockPattern::Slot slot = pattern.slot(row, other);
      const int height = graph.group_start[row + 1] - graph.group_start[row];
      const int width = graph.group_start[other + 1] - graph.group_start[other];
      entries += static_cast<std::size_t>(height) * static_cast<std::size_t>(width);
      for (int j = 0; j < width; ++j) {
        for (int i = 0; i < height; ++i) taken.insert(slot.first + j * slot.stride + i);
      }
    }
    EXPECT_EQ(taken.size(), entries);
    EXPECT_GE(*taken.begin(), 0);
    EXPECT_LT(*taken.rbegin(), pattern.values());
  }
}

TEST(BlockFactors, SolveRandomGraphsOfGroups) {
  Random random(101);
  for (int trial = 0; trial < 12; ++trial) {
    const bool general = trial % 2 == 1;
    RandomGraph graph(50 + 12 * trial, general, random);
    graph.write(general);
    ASSERT_TRUE(graph.factors.factor()) << trial;
    Eigen::VectorXd b(graph.H.rows()), x(graph.H.rows());
    for (double& entry : b) entry = random.uniform(-1, 1);
    graph.factors.solve(b, x);
    EXPECT_LE((graph.H * x - b).norm(), 1e-12 * graph.H.norm() * x.norm()) << trial;
  }
}

TEST(BlockFactors, SayWhereTheyDoNotExist) {
  Random random(102);
  for (int trial = 0; trial < 8; ++trial) {
    const bool general = trial % 2 == 1;
    RandomGraph graph(50, general, random);
    const Eigen::Index at = 3 + 5 * trial;
    if (general) {
      graph.H.row(at).setZero();
    } else {
      graph.H(at, at) = -1;
    }
    graph.write(general);
    EXPECT_FALSE(graph.factors.factor()) << trial;
  }
}

TEST(ContactSolver, SolvesFactorsAsItSolvesMatrices) {
  Random random(97);
  for (const Family family : {Family::full_rank, Family::redundant, Family::stack, Family::torsion}) {
    for (int trial = 0; trial < 12; ++trial) {
      const Mechanics m = families::make(family, 30 + 2 * trial, random);
      ContactOptions options;
      options.cone = trial % 2 == 0 || family == Family::torsion ? FrictionCone::exact : FrictionCone::polyhedral;
      const ContactFactors G = factors_of(m);
      ContactSolver solver;
      Eigen::VectorXd p(m.u.size()), u(m.u.size());
      const ContactSolution solution = solver.solve({G, m.u, m.blocks}, options, {}, p, u);
      ASSERT_EQ(solution.status, SolveStatus::solved) << families::name(family) << " " << trial;
      EXPECT_LE(worst(certify(m.problem(), p, generators(options)), generators(options)), 1e-7);
    }
  }
}

TEST(ContactSolver, AnIslandInFactorsIsSolvedAlikeAloneAndBesideAnother) {
  Random random(98);
  for (const int contacts : {6, 12, 20, 30, 45}) {
    const Mechanics m = families::make(contacts % 4 == 0 ? Family::redundant : Family::full_rank, contacts, random);
    const ContactFactors alone = factors_of(m);
    // The same once more, of other bodies.
    ContactFactors both = alone;
    const auto shifted = [&](const std::vector<int>& starts, std::vector<int>& to) {
      for (std::size_t i = 1; i < starts.size(); ++i) to.push_back(starts.back() + starts[i]);
    };
    shifted(alone.group_start, both.group_start);
    shifted(alone.row_start, both.row_start);
    shifted(alone.value_start, both.value_start);
    for (const int group : alone.group) both.group.push_back(group + alone.groups());
    both.value.insert(both.value.end(), alone.value.begin(), alone.value.end());
    const Eigen::Index k = m.u.size();
    std::vector<Block> blocks = m.blocks;
    for (Block block : m.blocks) {
      block.row += static_cast<int>(k);
      blocks.push_back(block);
    }
    Eigen::VectorXd u(2 * k), p(2 * k), w(2 * k), p_alone(k), w_alone(k);
    u << m.u, m.u;
    ContactOptions options;
    options.cone = FrictionCone::exact;
    ContactSolver solver;
    const ContactSolution one = solver.solve({alone, m.u, m.blocks}, options, {}, p_alone, w_alone);
    const ContactSolution two = solver.solve({both, u, blocks}, options, {}, p, w);
    EXPECT_EQ(one.status, two.status) << contacts;
    EXPECT_EQ(one.solver, two.solver) << contacts;
    EXPECT_EQ(p.head(k), p_alone) << contacts;
    EXPECT_EQ(p.tail(k), p_alone) << contacts;
  }
}

}  // namespace
}  // namespace carom::factored_test
