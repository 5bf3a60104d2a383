#include "carom/complementarity/polyhedral/lemke_basis.h"

#include <gtest/gtest.h>
#include <Eigen/LU>

#include <cmath>
#include <vector>

#include "carom/complementarity/polyhedral/stewart_trinkle_matrix.h"
#include "testing/problems/problem_families.h"

namespace carom::lemke_basis_test {
namespace {

using families::Mechanics;
using families::Random;

/// Cones, frictionless contacts, limits and dry joints in any order.
Mechanics mixture(Random& random) {
  families::Assembly assembly;
  assembly.bodies.resize(4);
  for (auto& body : assembly.bodies) {
    body.mass = random.logarithmic(-1, 1);
    body.gyration = {random.uniform(0.2, 0.5), random.uniform(0.2, 0.5), random.uniform(0.2, 0.5)};
    body.linear = random.vector(1);
    body.angular = random.vector(1);
  }
  for (int i = 0; i < 6; ++i) {
    families::Touch touch;
    touch.a = random.integer(0, 3);
    touch.b = touch.a - 1;
    touch.normal = random.direction();
    touch.r_a = random.vector(0.5);
    touch.r_b = random.vector(0.5);
    if (i % 3 == 0) {
      Block& block = assembly.add_turning_row(touch.a, touch.b, touch.normal, BlockKind::bounded);
      block.lower = -random.uniform(0, 1);
      block.upper = random.uniform(0, 1);
      continue;
    }
    Block& block = assembly.add_contact(touch, BlockKind::cone);
    if (i % 3 == 1) block.friction = {random.uniform(0.1, 1), random.uniform(0.1, 1)};
    block.floor = random.chance(0.5) ? random.uniform(0, 1) : 0.0;
  }
  return assembly.finish();
}

/// The equilibrated R, written out from what it is over P, E and μ.
Eigen::MatrixXd written_out(const Mechanics& m, const StewartTrinkleLayout& layout, const StewartTrinkleMatrix& R) {
  const int n = layout.size();
  Eigen::MatrixXd P = Eigen::MatrixXd::Zero(m.u.size(), n), caps = Eigen::MatrixXd::Zero(n, n);
  for (std::size_t b = 0; b < layout.parts().size(); ++b) {
    const auto& part = layout.parts()[b];
    P(part.normal_row, b) = R.unit();
    if (part.beta < 0 && part.cap >= 0) {
      caps(b, part.cap) = 1;
      caps(part.cap, b) = -1;
    }
    for (int j = 0; part.beta >= 0 && j < layout.directions(); ++j) {
      P.col(part.beta + j).segment<2>(part.row) = R.unit() * layout.direction(part, j);
      caps(part.beta + j, part.cap) = 1;
      caps(part.cap, part.beta + j) = -1;
      caps(part.cap, b) = part.bound;
    }
  }
  Eigen::MatrixXd result = P.transpose() * m.A * P / R.unit() + caps;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) result(i, j) *= R.row_scale(i) * R.column_scale(j);
  }
  return result;
}

TEST(StewartTrinkleMatrix, MultipliesAsTheMatrixWrittenOut) {
  Random random(71);
  for (int trial = 0; trial < 60; ++trial) {
    const Mechanics m = mixture(random);
    const Eigen::SparseMatrix<double> sparse = m.A.sparseView();
    StewartTrinkleLayout layout;
    layout.build(m.blocks, 3 + trial % 6);
    StewartTrinkleMatrix R;
    if (trial % 2 == 0) {
      R.build(m.A, m.u, m.blocks, layout);
    } else {
      R.build(sparse, m.u, m.blocks, layout);
    }
    const int n = layout.size();
    const Eigen::MatrixXd full = written_out(m, layout, R);
    const double size = full.cwiseAbs().maxCoeff();
    EXPECT_LE(size, 4);  // equilibrated
    Eigen::VectorXd z(n), w = Eigen::VectorXd::Zero(n), of_w = Eigen::VectorXd::Zero(n);
    for (double& x : z) x = random.uniform(-1, 1);
    R.multiply_add(z.data(), w.data());
    EXPECT_LE((w - full * z).norm(), 1e-13 * size * n);
    R.multiply_transposed_add(z.data(), of_w.data());
    EXPECT_LE((of_w - full.transpose() * z).norm(), 1e-13 * size * n);
    std::vector<int> columns;
    for (int j = n; j >= 0; --j) columns.push_back(j);
    Eigen::VectorXd entries(n + 1), column(n);
    for (int i = 0; i < n; ++i) {
      R.row(i, columns, entries.data());
      EXPECT_EQ(entries(0), 0);
      EXPECT_LE((entries.tail(n).reverse() - full.row(i).transpose()).norm(), 1e-13 * size);
      column.setZero();
      R.add_column(i, -2, column.data());
      EXPECT_LE((column + 2 * full.col(i)).norm(), 1e-13 * size);
    }
    for (const auto& group : R.groups()) {
      EXPECT_TRUE(R.is_cap(group.cap));
      for (int j = 0; j < n; ++j) {
        const bool member = j >= group.first && j < group.first + group.count;
        EXPECT_EQ(full(j, group.cap), member ? 1 : 0);
        if (R.cap_group(j) >= 0 && R.groups()[R.cap_group(j)].cap == group.cap) {
          EXPECT_EQ(full(group.cap, j), R.cap_entry(j));
        } else {
          EXPECT_EQ(full(group.cap, j), 0);
        }
      }
    }
  }
}

// A walk through bases, good ones and odd ones: what the core gives must be what the basis written out gives, whichever
// groups are keyed.
TEST(LemkeBasis, GivesTheColumnsAndRowsOfTheBasisWrittenOut) {
  Random random(72);
  int keyed_smaller = 0;
  for (int trial = 0; trial < 12; ++trial) {
    const Mechanics m = mixture(random);
    StewartTrinkleLayout layout;
    layout.build(m.blocks, 4 + trial % 3);
    StewartTrinkleMatrix R;
    R.build(m.A, m.u, m.blocks, layout);
    const int n = layout.size();
    Eigen::MatrixXd all(n, 2 * n + 1);  // columns of w, z and z₀
    all << Eigen::MatrixXd::Identity(n, n), -written_out(m, layout, R), Eigen::VectorXd::Zero(n);
    LemkeBasis basis;
    basis.bind(R);
    for (int i = 0; i < n; ++i) {
      basis.covering()[i] = random.chance(0.5) ? random.uniform(0, 1) : 0.0;
      all(i, 2 * n) = -basis.covering()[i];
    }
    basis.start({});
    std::vector<int> variable_of(n);  // basic variable of each column of B
    for (int i = 0; i < n; ++i) variable_of[i] = i;
    BasisVector x, row;
    for (int step = 0; step < 150; ++step) {
      Eigen::MatrixXd B(n, n);
      int basic_z = 0;
      for (int i = 0; i < n; ++i) {
        B.col(i) = all.col(variable_of[i]);
        basic_z += variable_of[i] >= n ? 1 : 0;
      }
      const Eigen::MatrixXd inverse = B.partialPivLu().inverse();
      const double size = inverse.cwiseAbs().maxCoeff();
      keyed_smaller += basis.core() < basic_z ? 1 : 0;
      EXPECT_LE(basis.core(), basic_z);
      // Caps and members want to enter and leave more often than chance has it.
      int entering = random.integer(0, 2 * n);
      if (random.chance(0.5) && !R.groups().empty()) {
        const auto& group = R.groups()[random.integer(0, static_cast<int>(R.groups().size()) - 1)];
        const int pair = random.chance(0.5) ? group.cap : group.first + random.integer(0, group.count - 1);
        entering = random.chance(0.7) ? n + pair : pair;
      }
      if (basis.is_basic(entering)) continue;
      ASSERT_TRUE(basis.column(entering, x));
      const Eigen::VectorXd expected = inverse * all.col(entering);
      int leaving = -1;
      double most = 0;
      for (int i = 0; i < n; ++i) {
        EXPECT_NEAR(x[variable_of[i]], expected(i), 1e-9 * size * size) << trial << " " << step;
        const double share = std::abs(expected(i)) * random.uniform(0, 1);
        if (share <= most) continue;
        most = share;
        leaving = i;
      }
      if (most < 0.05 * expected.cwiseAbs().maxCoeff()) continue;
      const int looked_at = random.integer(0, n - 1);
      basis.begin_row(variable_of[looked_at], row);
      const std::vector<double> begun = row;
      basis.complete_row(variable_of[looked_at], row);
      const Eigen::RowVectorXd of_inverse = inverse.row(looked_at);
      const Eigen::RowVectorXd of_z = -of_inverse * all.middleCols(n, n);
      for (int i = 0; i < n; ++i) {
        EXPECT_NEAR(row[i], of_inverse(i), 1e-9 * size * size) << trial << " " << step << " " << i;
        EXPECT_TRUE(R.is_cap(i) || row[i] == begun[i]);
        EXPECT_NEAR(row[n + i], of_z(i), 1e-9 * size * size) << trial << " " << step << " " << i;
      }
      basis.pivot(entering, variable_of[leaving], x);
      EXPECT_TRUE(basis.is_basic(entering));
      EXPECT_FALSE(basis.is_basic(variable_of[leaving]));
      variable_of[leaving] = entering;
      ASSERT_TRUE(step % 40 != 39 || basis.refactorize());
    }
  }
  EXPECT_GT(keyed_smaller, 100);
}

TEST(LemkeBasis, StartsFromWhatIsIndependent) {
  // Four β of one cone and c: at most three β are independent.
  families::Random random(73);
  const Mechanics m = families::make(families::Family::full_rank, 3, random);
  StewartTrinkleLayout layout;
  layout.build(m.blocks, 6);
  StewartTrinkleMatrix R;
  R.build(m.A, m.u, m.blocks, layout);
  LemkeBasis basis;
  basis.bind(R);
  const int beta = layout.parts()[1].beta, cap = layout.parts()[1].cap, n = layout.size();
  const std::vector<int> wanted = {0, 1, 2, beta, beta + 1, beta + 2, beta + 3, cap};
  basis.start(wanted);
  int taken = 0;
  for (const int j : wanted) {
    EXPECT_NE(basis.is_basic(j), basis.is_basic(n + j));
    taken += basis.is_basic(n + j) ? 1 : 0;
  }
  EXPECT_EQ(taken, 7);  // λ and a β, the three c, and two directions more
  BasisVector x;
  const std::vector<double> ones(n, 1.0);
  EXPECT_TRUE(basis.solve(ones.data(), x));
}

}  // namespace
}  // namespace carom::lemke_basis_test
