#include "carom/complementarity/contact_solver.h"

#include <gtest/gtest.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "carom/complementarity/certificate.h"
#include "carom/complementarity/infeasibility.h"
#include "carom/complementarity/island_certificate.h"
#include "carom/error.h"
#include "testing/allocation_count.h"
#include "testing/problems/problem_families.h"

namespace carom::contact_solver_test {
namespace {

using families::Family;
using families::Mechanics;
using families::Random;

constexpr FrictionCone cones[] = {FrictionCone::polyhedral, FrictionCone::exact};

/// Problems side by side in one, their blocks in random order.
Mechanics side_by_side(const std::vector<Mechanics>& parts, Random& random) {
  struct Origin {
    int part, block;
  };
  std::vector<Origin> order;
  for (int p = 0; p < static_cast<int>(parts.size()); ++p) {
    for (int b = 0; b < static_cast<int>(parts[p].blocks.size()); ++b) order.push_back({p, b});
  }
  for (int i = static_cast<int>(order.size()) - 1; i > 0; --i) std::swap(order[i], order[random.integer(0, i)]);
  Eigen::Index rows = 0;
  for (const Mechanics& part : parts) rows += part.u.size();
  Mechanics whole;
  whole.A = Eigen::MatrixXd::Zero(rows, rows);
  whole.u.resize(rows);
  std::vector<std::pair<int, int>> origin_of_row;  // part, row there
  for (const Origin& origin : order) {
    Block block = parts[origin.part].blocks[origin.block];
    const int first = block.row;
    block.row = static_cast<int>(origin_of_row.size());
    for (int i = 0; i < block.size(); ++i) origin_of_row.emplace_back(origin.part, first + i);
    whole.blocks.push_back(block);
  }
  for (Eigen::Index i = 0; i < rows; ++i) {
    whole.u(i) = parts[origin_of_row[i].first].u(origin_of_row[i].second);
    for (Eigen::Index j = 0; j < rows; ++j) {
      if (origin_of_row[i].first != origin_of_row[j].first) continue;
      whole.A(i, j) = parts[origin_of_row[i].first].A(origin_of_row[i].second, origin_of_row[j].second);
    }
  }
  return whole;
}

std::vector<Mechanics> parts_of(int count, int contacts, Random& random) {
  std::vector<Mechanics> parts;
  parts.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) parts.push_back(families::make(families::all[i % 4], contacts, random));
  return parts;
}

/// Which blocks reach one another, by the transitive closure of "A has an entry between them".
Eigen::MatrixXi reached(const Mechanics& m) {
  const int count = static_cast<int>(m.blocks.size());
  Eigen::MatrixXi reach = Eigen::MatrixXi::Identity(count, count);
  for (int a = 0; a < count; ++a) {
    for (int b = 0; b < count; ++b) {
      const auto part = m.A.block(m.blocks[a].row, m.blocks[b].row, m.blocks[a].size(), m.blocks[b].size());
      if ((part.array() != 0).any()) reach(a, b) = 1;
    }
  }
  for (int through = 0; through < count; ++through) {
    for (int a = 0; a < count; ++a) {
      if (reach(a, through) != 0) reach.row(a) = reach.row(a).cwiseMax(reach.row(through));
    }
  }
  return reach;
}

/// Knows of A only what it does to a vector.
class ByProduct : public ContactProduct {
 public:
  explicit ByProduct(const Eigen::MatrixXd& A) : A_(A) {}
  Eigen::Index rows() const override { return A_.rows(); }
  void multiply(const Eigen::Ref<const Eigen::VectorXd>& p, Eigen::Ref<Eigen::VectorXd> y) const override {
    y.noalias() = A_ * p;
  }

 private:
  const Eigen::MatrixXd& A_;
};

TEST(Islands, AreTheBlocksThatReachOneAnother) {
  Random random(1);
  Islands islands, sparse_islands;
  for (int trial = 0; trial < 40; ++trial) {
    const Mechanics m = side_by_side(parts_of(1 + trial % 5, 1 + trial % 7, random), random);
    const Eigen::MatrixXi reach = reached(m);
    islands.find(m.problem());
    Eigen::SparseMatrix<double> sparse = m.A.sparseView(0, 0);
    sparse_islands.find({sparse, m.u, m.blocks});
    ASSERT_EQ(islands.count(), sparse_islands.count());
    const int count = static_cast<int>(m.blocks.size());
    std::vector<int> rows;
    for (int a = 0; a < count; ++a) {
      EXPECT_EQ(islands.island_of(a), sparse_islands.island_of(a));
      for (int b = 0; b < count; ++b) {
        EXPECT_EQ(islands.island_of(a) == islands.island_of(b), reach(a, b) != 0) << trial;
      }
    }
    for (int i = 0; i < islands.count(); ++i) {
      EXPECT_TRUE(i == 0 || islands.blocks(i - 1)[0] < islands.blocks(i)[0]);
      EXPECT_TRUE(std::is_sorted(islands.rows(i).begin(), islands.rows(i).end()));
      rows.insert(rows.end(), islands.rows(i).begin(), islands.rows(i).end());
    }
    std::sort(rows.begin(), rows.end());
    std::vector<int> all(m.u.size());
    std::iota(all.begin(), all.end(), 0);
    EXPECT_EQ(rows, all);
    const ByProduct product(m.A);
    islands.find({product, m.u, m.blocks});
    EXPECT_EQ(islands.count(), 1);
  }
}

TEST(ContactSolver, SolvesIslandsAsIfTheyWereAlone) {
  Random random(2);
  ContactSolver solver;
  ContactOptions options;
  for (int trial = 0; trial < 12; ++trial) {
    const Mechanics m = side_by_side(parts_of(2 + trial % 3, 2 + trial % 6, random), random);
    const Eigen::SparseMatrix<double> sparse = m.A.sparseView(0, 0);
    for (const FrictionCone cone : cones) {
      options.cone = cone;
      Eigen::VectorXd p(m.u.size()), velocity(m.u.size()), p_sparse(m.u.size()), velocity_sparse(m.u.size());
      const ContactSolution whole = solver.solve(m.problem(), options, {}, p, velocity);
      EXPECT_EQ(whole.status, SolveStatus::solved);
      EXPECT_EQ(solver.solve({sparse, m.u, m.blocks}, options, {}, p_sparse, velocity_sparse).status, whole.status);
      EXPECT_EQ(p, p_sparse);
      int iterations = 0;
      Islands islands;
      islands.find(m.problem());
      for (int i = 0; i < islands.count(); ++i) {
        const std::vector<int> rows(islands.rows(i).begin(), islands.rows(i).end());
        Mechanics alone;
        alone.A = m.A(rows, rows);
        alone.u = m.u(rows);
        for (const int b : islands.blocks(i)) {
          alone.blocks.push_back(m.blocks[b]);
          const auto place = std::find(rows.begin(), rows.end(), m.blocks[b].row);
          alone.blocks.back().row = static_cast<int>(place - rows.begin());
        }
        ContactSolver fresh;
        Eigen::VectorXd q(alone.u.size()), v(alone.u.size());
        iterations += fresh.solve(alone.problem(), options, {}, q, v).iterations;
        EXPECT_EQ(Eigen::VectorXd(p(rows)), q) << trial;
        EXPECT_EQ(Eigen::VectorXd(velocity(rows)), v) << trial;
      }
      EXPECT_EQ(whole.iterations, iterations);
    }
  }
}

TEST(ContactSolver, GivesTheSameBitsOnAnyNumberOfThreads) {
  Random random(3);
  // Islands that are worth several threads: eight stacks and faces of twelve contacts.
  const Mechanics m = side_by_side(parts_of(8, 12, random), random);
  for (const FrictionCone cone : cones) {
    ContactOptions options;
    options.cone = cone;
    Eigen::VectorXd first(m.u.size()), p(m.u.size()), velocity(m.u.size());
    for (const int threads : {1, 2, 8}) {
      const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
      tbb::task_arena arena(threads);
      arena.execute([&] {
        for (int repeat = 0; repeat < 3; ++repeat) {
          ContactSolver solver;
          EXPECT_EQ(solver.solve(m.problem(), options, {}, p, velocity).status, SolveStatus::solved);
          if (threads == 1 && repeat == 0) first = p;
          EXPECT_EQ(p, first) << threads << " threads";
        }
      });
    }
  }
}

/// Two balls that fall on the ground with 1 m/s each, and slide.
Mechanics two_balls(double mass_1, double mass_2) {
  Mechanics m;
  m.A = Eigen::MatrixXd::Zero(6, 6);
  m.A.diagonal() << 1 / mass_1, 1 / mass_1, 1 / mass_1, 1 / mass_2, 1 / mass_2, 1 / mass_2;
  m.u.resize(6);
  m.u << 3, 4, -1, -4, 3, -1;
  for (int i = 0; i < 2; ++i) {
    Block block;
    block.kind = BlockKind::cone;
    block.row = 3 * i;
    block.friction.setConstant(0.5);
    m.blocks.push_back(block);
  }
  return m;
}

TEST(ContactSolver, SolvesAndJudgesASmallBodyBesideALargeOne) {
  const double masses[] = {1, 1e12};
  const Mechanics m = two_balls(masses[0], masses[1]);
  ContactOptions options;
  options.cone = FrictionCone::exact;
  ContactSolver solver;
  Eigen::VectorXd p(6), velocity(6);
  EXPECT_EQ(solver.solve(m.problem(), options, {}, p, velocity).status, SolveStatus::solved);
  for (int i = 0; i < 2; ++i) {  // normal impulse m · 1 m/s, friction half of that against a slip of 5 m/s
    const Eigen::Vector3d expected = masses[i] * Eigen::Vector3d(-0.5 * m.u(3 * i) / 5, -0.5 * m.u(3 * i + 1) / 5, 1);
    EXPECT_LT((p.segment<3>(3 * i) - expected).norm(), 1e-8 * masses[i]);
  }
  IslandCertifier certifier;
  EXPECT_LT(certifier.certify(m.problem(), p, 0).natural_map, 1e-8);
  p.head<3>() *= 1.5;
  EXPECT_LT(certify(m.problem(), p, 0).natural_map, 1e-9);  // lost beside 1e12 kg
  EXPECT_GT(certifier.certify(m.problem(), p, 0).natural_map, 0.1);
}

TEST(ContactSolver, ShowsWhichIslandIsInfeasible) {
  // A body between two walls that are both to push it, and a ball that lands beside.
  Mechanics m;
  m.A.resize(3, 3);
  m.A << 1, 0, -1, 0, 0.5, 0, -1, 0, 1;
  m.u = Eigen::Vector3d(0, -2, 0);
  for (int row = 0; row < 3; ++row) {
    Block block;
    block.row = row;
    block.offset = row == 1 ? 0 : -0.3;
    m.blocks.push_back(block);
  }
  for (const FrictionCone cone : cones) {
    ContactOptions options;
    options.cone = cone;
    options.exact.max_iterations = 200;
    ContactSolver solver;
    Eigen::VectorXd p(3), velocity(3);
    EXPECT_EQ(solver.solve(m.problem(), options, {}, p, velocity).status, SolveStatus::infeasible);
    EXPECT_EQ(solver.status(0), SolveStatus::infeasible);
    EXPECT_EQ(solver.status(1), SolveStatus::solved);
    EXPECT_NEAR(p(1), 4, 1e-12);
    const Eigen::Map<const Eigen::VectorXd> y(solver.infeasibility().data(), 3);
    EXPECT_TRUE(proves_infeasible(m.problem(), y));
    EXPECT_EQ(y(1), 0);
    m.blocks[0].offset = 0.4;  // now the first wall leaves room
    EXPECT_EQ(solver.solve(m.problem(), options, {}, p, velocity).status, SolveStatus::solved);
    EXPECT_EQ(Eigen::Map<const Eigen::VectorXd>(solver.infeasibility().data(), 3), Eigen::Vector3d::Zero());
    m.blocks[0].offset = -0.3;
  }
}

TEST(ContactSolver, AWarmStartFromTheSolutionSavesMostOfTheWork) {
  Random random(4);
  for (const FrictionCone cone : cones) {
    ContactOptions options;
    options.cone = cone;
    ContactSolver solver;
    long cold = 0, warm = 0;
    for (int trial = 0; trial < 40; ++trial) {
      const Mechanics m = families::make(families::all[trial % 4], 6, random);
      Eigen::VectorXd p(m.u.size()), velocity(m.u.size());
      const ContactSolution first = solver.solve(m.problem(), options, {}, p, velocity);
      const std::vector<double> known(p.data(), p.data() + p.size());
      const ContactSolution second = solver.solve(m.problem(), options, known, p, velocity);
      EXPECT_EQ(first.status, SolveStatus::solved);
      EXPECT_EQ(second.status, SolveStatus::solved);
      cold += first.iterations;
      warm += second.iterations;
    }
    EXPECT_LE(2 * warm, cold) << (cone == FrictionCone::exact ? "exact" : "polyhedral");
  }
}

TEST(ContactSolver, RefusesSizesThatDisagree) {
  const Mechanics m = two_balls(1, 1);
  ContactSolver solver;
  Eigen::VectorXd p(6), velocity(6), short_one(5);
  EXPECT_THROW((void)solver.solve(m.problem(), {}, {}, short_one, velocity), Error);
  EXPECT_THROW((void)solver.solve(m.problem(), {}, std::vector<double>(3, 0.0), p, velocity), Error);
  EXPECT_THROW((void)solver.solve({m.A, m.u, std::span(m.blocks).first(1)}, {}, {}, p, velocity), Error);
}

TEST(ContactSolver, AllocatesNothingInSolvesThatAreNotLargerThanAnyBefore) {
  Random random(5);
  std::vector<Mechanics> problems;
  std::vector<Eigen::SparseMatrix<double>> sparse;
  problems.reserve(6);
  sparse.reserve(6);
  for (int i = 0; i < 6; ++i) problems.push_back(side_by_side(parts_of(1 + i % 3, 2 + i % 2, random), random));
  for (const Mechanics& m : problems) sparse.emplace_back(m.A.sparseView(0, 0));
  for (const FrictionCone cone : cones) {
    ContactOptions options;
    options.cone = cone;
    ContactSolver solver;
    Eigen::VectorXd p(64), velocity(64);
    const auto solve_all = [&] {
      int unsolved = 0;
      for (std::size_t i = 0; i < problems.size(); ++i) {
        const Mechanics& m = problems[i];
        const auto k = m.u.size();
        unsolved += solver.solve(m.problem(), options, {}, p.head(k), velocity.head(k)).status != SolveStatus::solved;
        unsolved += solver.solve({sparse[i], m.u, m.blocks}, options, {}, p.head(k), velocity.head(k)).status !=
                    SolveStatus::solved;
      }
      return unsolved;
    };
    EXPECT_EQ(solve_all(), 0);
    const long before = allocation_count();
    EXPECT_EQ(solve_all(), 0);
    EXPECT_EQ(allocation_count(), before);
  }
}

}  // namespace
}  // namespace carom::contact_solver_test
