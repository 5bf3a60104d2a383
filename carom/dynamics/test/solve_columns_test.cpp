#include "carom/dynamics/solve_columns.h"

#include <gtest/gtest.h>

#include "carom/dynamics/test/moving_tree.h"
#include "testing/allocation_count.h"

namespace carom::solve_columns_test {
namespace {

/// As many columns as coordinates, of which some touch one tree alone and some nothing, and a few more and fewer.
TEST(SolveMassColumns, EqualsOneSolveAfterTheOther) {
  Random random(100);
  for (MovingTree& tree : trees_of_all_joint_types(100)) {
    const Model& model = tree.model;
    const int n = model.velocity_count();
    ColumnSolveScratch scratch(model);
    for (const int columns : {0, 1, 7, 8, 9, 30}) {
      MatrixX B = MatrixX::Zero(n, columns);
      for (int k = 0; k < columns; ++k) {
        if (k % 3 == 0) B.col(k) = random.vector(n, 1);
        if (k % 3 == 1 && n > 0) B(random.index(n), k) = 1;
      }
      const VectorX extra = columns % 2 ? VectorX(random.vector(n, 2).cwiseAbs()) : VectorX();
      factor_mass(model, extra, tree.workspace);
      MatrixX X = B;
      solve_mass_columns(model, tree.workspace, scratch, X);
      VectorX x;
      for (int k = 0; k < columns; ++k) {
        solve_mass(model, B.col(k), tree.workspace, x);
        EXPECT_LT(largest(X.col(k) - x), 1e-11 * (1 + largest(x)));
      }
    }
  }
}

TEST(SolveMassColumns, AnswersForcesOnOneTreeThereAlone) {
  Random random(101);
  TreeOptions options;
  options.bodies = 12;
  options.new_root = 0.4;
  MovingTree tree(random, options);
  const Model& model = tree.model;
  const int n = model.velocity_count();
  ColumnSolveScratch scratch(model);
  MatrixX X = MatrixX::Identity(n, n);
  factor_mass(model, VectorX(), tree.workspace);
  solve_mass_columns(model, tree.workspace, scratch, X);
  for (int k = 0; k < n; ++k) {
    EXPECT_GT(X(k, k), 0);
    for (int l = 0; l < n; ++l) {
      if (model.root(model.coordinate_body(k)) != model.root(model.coordinate_body(l))) {
        EXPECT_EQ(X(k, l), 0);
      }
    }
  }
}

TEST(SolveMassColumns, AllocatesNothing) {
  Random random(102);
  TreeOptions options;
  options.bodies = 20;
  MovingTree tree(random, options);
  const int n = tree.model.velocity_count();
  ColumnSolveScratch scratch(tree.model);
  MatrixX X = MatrixX::Identity(n, n);
  factor_mass(tree.model, VectorX(), tree.workspace);
  const long before = allocation_count();
  solve_mass_columns(tree.model, tree.workspace, scratch, X);
  EXPECT_EQ(allocation_count() - before, 0);
}

}  // namespace
}  // namespace carom::solve_columns_test
