#include "carom/dynamics/divide_and_conquer/wrench_columns.h"

#include <gtest/gtest.h>

#include <cmath>
#include <list>

#include "carom/dynamics/recursions.h"
#include "carom/dynamics/test/moving_tree.h"
#include "testing/allocation_count.h"
#include "testing/models/reference_models.h"

namespace carom::wrench_columns_test {
namespace {

Model branched_chain(Random& random, int bodies, int reach) {
  ModelBuilder builder;
  for (int i = 0; i < bodies; ++i) {
    builder.add_body("", random.inertia());
    const bool root = i == 0 || random.index(25) == 0;
    Joint joint = random_joint(random, joint_types[random.index(11)]);
    if (!root) joint.parent = std::max(0, i - 1 - random.index(reach));
    builder.add_joint(i, joint);
  }
  return builder.build();
}

ConstraintRow random_row(const Model& model, Random& random) {
  ConstraintRow row;
  if (model.velocity_count() > 0 && random.index(4) == 0) {
    row.coordinate = random.index(model.velocity_count());
    row.coefficient = random.uniform(-2, 2);
    static std::list<std::vector<RowTerm>> all;  // rows refer to them
    std::vector<RowTerm>& others = all.emplace_back();
    for (int i = random.index(4); i > 0; --i) {
      others.push_back({random.index(model.velocity_count()), random.uniform(-2, 2)});
    }
    row.others = others;
  } else {
    row.body_a = random.index(model.body_count() + 1) - 1;
    row.body_b = random.index(model.body_count() + 1) - 1;
    row.point_a = random.vector(2);
    row.point_b = random.vector(2);
    row.direction = random.vector(1);
    if (random.index(3) == 0) row.moment = random.vector(1);
  }
  if (random.index(3) == 0) row.compliance = random.uniform(0, 1);
  return row;
}

std::vector<ConstraintRow> random_rows(const Model& model, int count, Random& random) {
  std::vector<ConstraintRow> rows;
  rows.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) rows.push_back(random_row(model, random));
  return rows;
}

TEST(WrenchColumns, EqualTheDelassusMatrixOfThePaths) {
  Random random(320);
  double worst = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    MovingTree c(branched_chain(random, 1 + random.index(40), 1 + trial % 3), random);
    const int n = c.model.velocity_count();
    const VectorX extra = trial % 2 == 0 ? VectorX() : VectorX(random.vector(n, 1).cwiseAbs());
    const std::vector<ConstraintRow> rows = random_rows(c.model, random.index(12), random);
    DivideAndConquer dynamics(c.model, {.bodies_per_run = 1 + random.index(5)});
    dynamics.factor(c.model, extra, c.workspace);
    WrenchColumns columns;
    columns.build(c.model, rows, dynamics, c.workspace);
    factor_mass(c.model, extra, c.workspace);
    Delassus delassus;
    delassus.build(c.model, rows, c.workspace);
    const MatrixX A = columns.matrix(), expected = delassus.matrix();
    ASSERT_EQ(A, A.transpose());
    ASSERT_LE(largest(A - expected), 1e-10 * largest(expected)) << "mechanism " << trial;
    if (largest(expected) > 0) worst = std::max(worst, largest(A - expected) / largest(expected));
  }
  std::printf("worst relative difference %.2e\n", worst);
}

/// Between two bodies of one row, what they share of the way to the root pushes nothing.
TEST(WrenchColumns, ARowBetweenBodiesOfOneLinkIsZero) {
  Random random(321);
  ModelBuilder builder;
  for (int i = 0; i < 20; ++i) {
    builder.add_body("", random.inertia());
    Joint joint = random_joint(random, i % 2 == 0 ? JointType::revolute : JointType::fixed);
    joint.parent = i - 1;
    builder.add_joint(i, joint);
  }
  MovingTree c(builder.build(), random);
  DivideAndConquer dynamics(c.model, {.bodies_per_run = 1});
  dynamics.factor(c.model, VectorX(), c.workspace);
  ConstraintRow welded;
  welded.body_a = 18;
  welded.body_b = 19;
  welded.point_a = welded.point_b = Vec3(1, 2, 3);
  welded.direction = Vec3::UnitX();
  ConstraintRow single = welded;
  single.body_b = -1;
  WrenchColumns columns;
  columns.build(c.model, {welded, single}, dynamics, c.workspace);
  EXPECT_GT(columns.matrix()(1, 1), 0);
  EXPECT_NEAR(columns.matrix()(0, 0), 0, 1e-13 * columns.matrix()(1, 1));
}

TEST(WrenchColumns, TravelALogarithmOfTheChain) {
  Random random(322);
  for (const int k : {1, 4, 16}) {
    for (const int n : {100, 1000, 10000}) {
      const Model model = revolute_chain(n);
      MovingTree c(model, random);
      DivideAndConquer dynamics(c.model);
      dynamics.factor(c.model, VectorX(), c.workspace);
      std::vector<ConstraintRow> rows(k);
      for (int i = 0; i < k; ++i) {
        rows[i].body_a = random.index(n);
        rows[i].point_a = c.workspace.nodes[rows[i].body_a].p + random.vector(0.1);
        rows[i].direction = Vec3::UnitZ();
      }
      WrenchColumns columns;
      columns.build(c.model, rows, dynamics, c.workspace);
      EXPECT_LE(columns.joins(), k * std::ceil(std::log2(n / 16.0) + 2));
    }
  }
}

TEST(WrenchColumns, AllocateNothingForRowsSeenBefore) {
  Random random(323);
  MovingTree c(branched_chain(random, 80, 2), random);
  DivideAndConquer dynamics(c.model, {.bodies_per_run = 4});
  dynamics.factor(c.model, VectorX(), c.workspace);
  const std::vector<ConstraintRow> rows = random_rows(c.model, 20, random);
  WrenchColumns columns;
  columns.build(c.model, rows, dynamics, c.workspace);
  EXPECT_EQ(fewest_allocations([&] { columns.build(c.model, rows, dynamics, c.workspace); }), 0);
}

TEST(WrenchColumns, NoRowsGiveAnEmptyMatrix) {
  Random random(324);
  MovingTree c(branched_chain(random, 5, 1), random);
  DivideAndConquer dynamics(c.model);
  dynamics.factor(c.model, VectorX(), c.workspace);
  WrenchColumns columns;
  columns.build(c.model, {}, dynamics, c.workspace);
  EXPECT_EQ(columns.row_count(), 0);
}

}  // namespace
}  // namespace carom::wrench_columns_test
