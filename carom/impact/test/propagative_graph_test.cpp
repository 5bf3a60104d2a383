// Parts of the outcome set: an impact in the kinetic metric, index and graph of momenta, counts of paths, sequences
// minimal to the letter.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "carom/error.h"
#include "carom/impact/propagative/minimal_sequences.h"
#include "carom/impact/propagative/momentum_graph.h"
#include "carom/impact/propagative/normal_impact.h"
#include "carom/impact/test/propagative_mechanics.h"

namespace carom::propagative_graph_test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using propagative::Mechanics;
using propagative::Random;

/// Unit normals in the plane at an angle, approached at the speeds given.
NormalImpact wedge(double angle, double first, double second) {
  MatrixXd A(2, 2);
  A << 1, std::cos(angle), std::cos(angle), 1;
  return normal_impact(A, Eigen::Vector2d(first, second));
}

TEST(NormalImpact, IsTheImpactInTheKineticMetric) {
  Random random(3);
  for (int trial = 0; trial < 200; ++trial) {
    const Mechanics mechanics = propagative::random_opening(random, 4, 6, 0.05);
    const NormalImpact impact = mechanics.impact();
    const MatrixXd inverse = mechanics.M.inverse();
    for (Eigen::Index i = 0; i < 4; ++i) {
      const VectorXd n = mechanics.J.row(i);
      EXPECT_NEAR(impact.length(i), std::sqrt(n.dot(inverse * n)), 1e-12 * impact.length(i));
      EXPECT_NEAR(impact.approach(i) * impact.length(i), n.dot(mechanics.v), 1e-12 * impact.scale() * impact.length(i));
      for (Eigen::Index j = 0; j < 4; ++j) {
        const VectorXd m = mechanics.J.row(j);
        const double cosine = n.dot(inverse * m) / std::sqrt(n.dot(inverse * n) * m.dot(inverse * m));
        EXPECT_NEAR(impact.cosine(i, j), cosine, 1e-12);
      }
    }
    EXPECT_EQ(impact.rank(), 4);
    EXPECT_TRUE(impact.independent());
    EXPECT_LE((impact.factor * impact.factor.transpose() - impact.cosine).norm(), 1e-12);
    // The energy that contacts can reach: what is left when the velocity's part that no normal sees is taken away.
    const VectorXd pi = mechanics.A().ldlt().solve(mechanics.J * mechanics.v);
    const VectorXd seen = inverse * mechanics.J.transpose() * pi;
    EXPECT_NEAR(impact.reachable_energy(), mechanics.energy(seen), 1e-9 * mechanics.energy(seen));
    EXPECT_LE(impact.outside, 1e-9);
  }
}

TEST(NormalImpact, RowsOfOtherLengthsAreTheSameImpact) {
  Random random(4);
  Mechanics mechanics = propagative::random_opening(random, 3, 5, 0.05);
  const NormalImpact impact = mechanics.impact();
  mechanics.J.row(1) *= 1e3;
  const NormalImpact scaled = mechanics.impact();
  EXPECT_LE((impact.cosine - scaled.cosine).norm(), 1e-12);
  EXPECT_LE((impact.approach - scaled.approach).norm(), 1e-12 * impact.scale());
}

TEST(NormalImpact, TellsRedundantAndDrivenContacts) {
  const MatrixXd rows = (MatrixXd(3, 2) << 1, 0, 0, 1, 1, 1).finished();
  const MatrixXd A = rows * rows.transpose();
  const NormalImpact impact = normal_impact(A, rows * Eigen::Vector2d(-1, -2));
  EXPECT_EQ(impact.rank(), 2);
  EXPECT_FALSE(impact.independent());
  EXPECT_LE(impact.outside, 1e-12);
  EXPECT_GT(normal_impact(A, Eigen::Vector3d(-1, -2, 3)).outside, 0.1);  // the third is not the sum of the first two
}

TEST(NormalImpact, RefusesWhatIsNoImpact) {
  const auto refusal = [](const MatrixXd& A, const VectorXd& u) -> std::string {
    try {
      (void)normal_impact(A, u);
    } catch (const Error& error) {
      return error.what();
    }
    return "none";
  };
  const MatrixXd one = MatrixXd::Identity(2, 2);
  EXPECT_NE(refusal(MatrixXd::Zero(2, 3), VectorXd::Zero(2)).find("square"), std::string::npos);
  EXPECT_NE(refusal(one, VectorXd::Zero(3)).find("one per contact"), std::string::npos);
  EXPECT_NE(refusal(MatrixXd::Zero(2, 2), VectorXd::Zero(2)).find("no impulse moves contact 0"), std::string::npos);
  EXPECT_NE(refusal((MatrixXd(2, 2) << 1, 0.5, 0.1, 1).finished(), VectorXd::Zero(2)).find("not symmetric"),
            std::string::npos);
  EXPECT_NE(refusal((MatrixXd(2, 2) << 1, 2, 2, 1).finished(), VectorXd::Zero(2)), "none");  // indefinite
  EXPECT_NE(refusal(one, Eigen::Vector2d(0, std::nan(""))).find("not finite"), std::string::npos);
}

TEST(MomentumIndex, FindsWhatIsEqualAndNothingElse) {
  Random random(5);
  constexpr double tolerance = 1e-6;
  MomentumIndex index(3, tolerance);
  std::vector<VectorXd> momenta;
  for (int i = 0; i < 2000; ++i) {
    // On a grid, so that many have nearly the same weighted sum.
    VectorXd w(3);
    for (int k = 0; k < 3; ++k) w(k) = 0.1 * random.integer(-10, 10);
    const auto same = [&](const VectorXd& other) { return (other - w).cwiseAbs().maxCoeff() < tolerance; };
    const auto known = std::find_if(momenta.begin(), momenta.end(), same);
    const int number = index.find(momenta, w + 0.3 * tolerance * propagative::random_vector(random, 3));
    ASSERT_EQ(number, known == momenta.end() ? -1 : static_cast<int>(known - momenta.begin()));
    if (number >= 0) continue;
    index.insert(w, static_cast<int>(momenta.size()));
    momenta.push_back(w);
  }
  EXPECT_GT(momenta.size(), 1000u);
}

// Two normals at π − π/m, both violated: each way round makes m resets, and both end at one momentum. 2 m momenta.
TEST(MomentumGraph, OfAWedgeIsTwoWaysToOneEnd) {
  for (int m = 2; m <= 7; ++m) {
    const NormalImpact impact = wedge(std::numbers::pi - std::numbers::pi / m, -0.3, -0.2);
    const MomentumGraph graph = momentum_graph(impact, 1e-9, 1e-9, 1000);
    EXPECT_FALSE(graph.cut);
    EXPECT_EQ(graph.momenta.size(), static_cast<std::size_t>(2 * m));
    EXPECT_EQ(*std::max_element(graph.level.begin(), graph.level.end()), m);
    const PathCount paths = count_paths(graph);
    EXPECT_FALSE(paths.cyclic);
    for (std::size_t i = 0; i < graph.momenta.size(); ++i) {
      const bool end = graph.feasible(static_cast<int>(i));
      EXPECT_EQ(end, graph.level[i] == m);
      EXPECT_EQ(paths.paths[i], end ? 2 : 1);
      EXPECT_EQ(paths.longest[i], graph.level[i]);
    }
  }
}

// Every edge is a reflection about a violated normal, parents are one level up, and what is feasible has none.
TEST(MomentumGraph, EdgesAreResets) {
  Random random(6);
  for (int trial = 0; trial < 50; ++trial) {
    const NormalImpact impact = propagative::random_opening(random, 4, 4, 0.2).impact();
    const double tolerance = 1e-9 * impact.scale();
    const MomentumGraph graph = momentum_graph(impact, tolerance, tolerance, 20000);
    if (graph.cut) continue;
    for (std::size_t at = 0; at < graph.momenta.size(); ++at) {
      const VectorXd& w = graph.momenta[at];
      EXPECT_EQ(graph.next[at].empty(), (w.array() >= -tolerance).all());
      for (std::size_t i = 0; i < graph.next[at].size(); ++i) {
        const auto contact = static_cast<Eigen::Index>(i);
        EXPECT_EQ(graph.next[at][i] == MomentumGraph::none, w(contact) >= -tolerance);
        if (graph.next[at][i] < 0) continue;
        const auto to = static_cast<std::size_t>(graph.next[at][i]);
        const VectorXd reset = w - 2 * w(contact) * impact.cosine.col(contact);
        EXPECT_LE((graph.momenta[to] - reset).norm(), 10 * tolerance);
        EXPECT_LE(graph.level[to], graph.level[at] + 1);
      }
      if (at == 0) continue;
      const auto parent = static_cast<std::size_t>(graph.parent[at]);
      EXPECT_EQ(graph.level[parent] + 1, graph.level[at]);
      EXPECT_EQ(graph.next[parent][static_cast<std::size_t>(graph.by[at])], static_cast<int>(at));
    }
  }
}

TEST(MomentumGraph, EndsAtItsBudget) {
  const NormalImpact impact = wedge(std::numbers::pi - std::numbers::pi / 9, -0.3, -0.2);
  const MomentumGraph graph = momentum_graph(impact, 1e-9, 1e-9, 5);
  EXPECT_TRUE(graph.cut);
  EXPECT_LE(graph.momenta.size(), 5u);
}

// 0 → 1, 2 → 3 → 4, and 2 → 4: three ways to 4, the longest of three steps. With a way back from 3 to 1 they never end.
TEST(PathCount, OfAGraphThatWasDrawn) {
  MomentumGraph graph;
  graph.momenta.resize(5);
  graph.next = {{1, 2}, {3, MomentumGraph::none}, {3, 4}, {4, MomentumGraph::none}, {}};
  const PathCount paths = count_paths(graph);
  EXPECT_FALSE(paths.cyclic);
  EXPECT_EQ(paths.paths, (std::vector<double>{1, 1, 1, 2, 3}));
  EXPECT_EQ(paths.longest, (std::vector<double>{0, 1, 1, 2, 3}));
  graph.next[3][1] = 1;
  const PathCount endless = count_paths(graph);
  EXPECT_TRUE(endless.cyclic);
  EXPECT_TRUE(std::isinf(endless.paths[4]));
}

// Orthogonal normals do not disturb one another: each is reset once, in every order.
TEST(MinimalSequences, OfOrthogonalContactsAreTheirOrders) {
  for (int k = 1; k <= 5; ++k) {
    const NormalImpact impact = normal_impact(MatrixXd::Identity(k, k), VectorXd::Constant(k, -1));
    const MinimalSequences minimal = minimal_sequences(impact, 1e-9, 1e-9, 100000);
    EXPECT_FALSE(minimal.cut);
    int orders = 1;
    for (int i = 2; i <= k; ++i) orders *= i;
    ASSERT_EQ(minimal.sequences.size(), static_cast<std::size_t>(orders));
    for (std::vector<int> sequence : minimal.sequences) {
      std::sort(sequence.begin(), sequence.end());
      for (int i = 0; i < k; ++i) EXPECT_EQ(sequence[static_cast<std::size_t>(i)], i);
    }
  }
}

// A wedge of π − π/m has two, m resets in turn from either side; what is feasible already, the empty one.
TEST(MinimalSequences, OfAWedgeGoInTurn) {
  for (int m = 2; m <= 6; ++m) {
    const double angle = std::numbers::pi - std::numbers::pi / m;
    const MinimalSequences minimal = minimal_sequences(wedge(angle, -0.3, -0.2), 1e-9, 1e-9, 100000);
    ASSERT_EQ(minimal.sequences.size(), 2u) << m;
    for (const std::vector<int>& sequence : minimal.sequences) {
      ASSERT_EQ(sequence.size(), static_cast<std::size_t>(m));
      for (std::size_t i = 1; i < sequence.size(); ++i) EXPECT_NE(sequence[i], sequence[i - 1]);
    }
    EXPECT_NE(minimal.sequences[0][0], minimal.sequences[1][0]);
    const MinimalSequences none = minimal_sequences(wedge(angle, 0.3, 0), 1e-9, 1e-9, 100000);
    EXPECT_EQ(none.sequences, std::vector<std::vector<int>>{{}});
  }
  EXPECT_TRUE(minimal_sequences(wedge(std::numbers::pi - std::numbers::pi / 9, -0.3, -0.2), 1e-9, 1e-9, 3).cut);
}

}  // namespace
}  // namespace carom::propagative_graph_test
