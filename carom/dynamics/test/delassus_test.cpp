#include "carom/dynamics/delassus.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <string>

#include "carom/dynamics/recursions.h"
#include "carom/dynamics/test/moving_tree.h"
#include "testing/allocation_count.h"

namespace carom::delassus_test {
namespace {

/// A base on the world that carries two arms of two links each, a free body beside it, and a table welded to the world:
///
///   world ── base ─┬─ left upper ── left lower          world ── ball          world ══ table
///                  └─ right upper ── right lower
struct Yard {
  enum Body { base, left_upper, left_lower, right_upper, right_lower, ball, table };

  Model model;
  VectorX q;
  DynamicsWorkspace workspace;
  VectorX extra;

  explicit Yard(Random& random) : model(build(random)), q(random_position(model, random)), workspace(model) {
    factor(VectorX());
  }

  void factor(const VectorX& added) {
    extra = added;
    forward_kinematics(model, q, workspace);
    factor_mass(model, extra, workspace);
  }

  static Model build(Random& random) {
    ModelBuilder builder;
    const auto add = [&](const std::string& name, int parent, JointType type) {
      const int body = builder.add_body(name, random.inertia());
      Joint joint;
      joint.type = type;
      joint.parent = parent;
      joint.X_PF = random.transform(1);
      joint.X_BM = random.transform(0.5);
      builder.add_joint(body, joint);
    };
    add("base", -1, JointType::planar);
    add("left upper", base, JointType::revolute);
    add("left lower", left_upper, JointType::prismatic);
    add("right upper", base, JointType::spherical);
    add("right lower", right_upper, JointType::revolute);
    add("ball", -1, JointType::free);
    add("table", -1, JointType::fixed);
    return builder.build();
  }
};

ConstraintRow between(int a, int b, Random& random) {
  ConstraintRow row;
  row.body_a = a;
  row.body_b = b;
  row.point_a = random.vector(2);
  row.point_b = random.vector(2);
  row.direction = random.rotation().col(0);
  return row;
}

ConstraintRow on_coordinate(int coordinate, double sign) {
  ConstraintRow row;
  row.coordinate = coordinate;
  row.coefficient = sign;
  return row;
}

MatrixX dense_jacobian(const Yard& yard, const std::vector<ConstraintRow>& rows) {
  const int n = yard.model.velocity_count();
  MatrixX J = MatrixX::Zero(rows.size(), n);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].coordinate >= 0) {
      J(i, rows[i].coordinate) = rows[i].coefficient;
      continue;
    }
    const MatrixX A = point_jacobian(yard.model, rows[i].body_a, rows[i].point_a, yard.workspace);
    const MatrixX B = point_jacobian(yard.model, rows[i].body_b, rows[i].point_b, yard.workspace);
    J.row(i) = rows[i].direction.transpose() * (A - B);
  }
  return J;
}

void expect_dense(Yard& yard, const std::vector<ConstraintRow>& rows, Random& random) {
  Delassus delassus;
  delassus.build(yard.model, rows, yard.workspace);
  ASSERT_EQ(delassus.row_count(), static_cast<int>(rows.size()));
  MatrixX M;
  mass_matrix(yard.model, yard.workspace, M);
  if (yard.extra.size() > 0) M.diagonal() += yard.extra;
  const MatrixX J = dense_jacobian(yard, rows);
  const MatrixX Y = M.ldlt().solve(J.transpose());
  const MatrixX A = J * Y;
  const double scale = 1 + A.cwiseAbs().maxCoeff();
  EXPECT_LT((delassus.jacobian() - J).cwiseAbs().maxCoeff(), 1e-13 * 10);
  EXPECT_LT((delassus.matrix() - A).cwiseAbs().maxCoeff(), 1e-12 * scale);
  EXPECT_EQ(MatrixX(delassus.matrix()), MatrixX(delassus.matrix().transpose()));
  const double lowest = Eigen::SelfAdjointEigenSolver<MatrixX>(delassus.matrix()).eigenvalues()[0];
  EXPECT_GT(lowest, -1e-12 * scale);

  MatrixX G = MatrixX::Zero(delassus.row_count(), yard.model.velocity_count());
  for (int i = 0; i < delassus.row_count(); ++i) {
    EXPECT_NEAR(delassus.diagonal(i), A(i, i), 1e-12 * scale);
    delassus.factor_row(i, [&](int body, int count, const double* values) {
      const TreeNode& node = yard.model.nodes()[body];
      ASSERT_EQ(count, node.velocity_size);
      for (int k = 0; k < count; ++k) G(i, node.v_index + k) = values[k];
    });
  }
  EXPECT_LT((G * G.transpose() - A).cwiseAbs().maxCoeff(), 1e-12 * scale);

  const VectorX v = random.vector(yard.model.velocity_count(), 1), p = random.vector(delassus.row_count(), 1);
  VectorX f = v;
  delassus.add_transposed(p, f);
  EXPECT_LT((f - v - J.transpose() * p).cwiseAbs().maxCoeff(), 1e-12 * (1 + (J.transpose() * p).cwiseAbs().maxCoeff()));
  VectorX y(delassus.row_count()), moved = v;
  delassus.apply(v, y);
  EXPECT_LT((y - J * v).cwiseAbs().maxCoeff(), 1e-12);
  delassus.add_response(p, moved);
  EXPECT_LT((moved - v - Y * p).cwiseAbs().maxCoeff(), 1e-12 * (1 + (Y * p).cwiseAbs().maxCoeff()));
}

struct Topology {
  std::string name;
  std::vector<std::pair<int, int>> pairs;
};

const std::vector<Topology> topologies = {
    {"one body against the world", {{Yard::ball, -1}}},
    {"the world against one body", {{-1, Yard::left_lower}}},
    {"three rows of one contact", {{Yard::ball, -1}, {Yard::ball, -1}, {Yard::ball, -1}}},
    {"a body and its ancestor", {{Yard::left_lower, Yard::base}}},
    {"two arms with a common ancestor", {{Yard::left_lower, Yard::right_lower}, {Yard::right_upper, Yard::left_upper}}},
    {"two trees", {{Yard::left_lower, Yard::ball}, {Yard::ball, Yard::right_lower}}},
    {"rows of trees that share nothing", {{Yard::left_lower, -1}, {Yard::ball, -1}}},
    {"a body against a static one", {{Yard::ball, Yard::table}, {Yard::table, Yard::right_lower}}},
    {"a body against itself", {{Yard::right_lower, Yard::right_lower}}},
    {"everything at once",
     {{Yard::ball, -1},
      {Yard::left_lower, Yard::right_lower},
      {Yard::table, Yard::base},
      {Yard::ball, Yard::left_upper},
      {Yard::right_lower, Yard::ball},
      {-1, Yard::right_upper},
      {Yard::left_lower, Yard::left_upper}}},
};

TEST(Delassus, EqualsDenseAlgebraOnEveryTopology) {
  Random random(51);
  for (const Topology& topology : topologies) {
    SCOPED_TRACE(topology.name);
    for (int trial = 0; trial < 20; ++trial) {
      Yard yard(random);
      std::vector<ConstraintRow> rows;
      for (const auto& [a, b] : topology.pairs) rows.push_back(between(a, b, random));
      expect_dense(yard, rows, random);
    }
  }
}

TEST(Delassus, TakesRowsOnCoordinatesAndRepeatedRows) {
  Random random(52);
  for (int trial = 0; trial < 20; ++trial) {
    Yard yard(random);
    std::vector<ConstraintRow> rows;
    rows.reserve(yard.model.velocity_count());
    for (int k = 0; k < yard.model.velocity_count(); ++k) rows.push_back(on_coordinate(k, k % 2 == 0 ? 1 : -1));
    rows.push_back(between(Yard::ball, Yard::left_lower, random));
    rows.push_back(rows.back());
    rows.push_back(rows[3]);
    expect_dense(yard, rows, random);
  }
}

TEST(Delassus, MultipliesAsItsMatrixDoes) {
  Random random(59);
  for (int trial = 0; trial < 20; ++trial) {
    Yard yard(random);
    std::vector<ConstraintRow> rows{between(Yard::left_lower, Yard::right_lower, random),
                                    between(Yard::ball, Yard::base, random), on_coordinate(2, 1)};
    rows.push_back(rows[0]);
    for (ConstraintRow& row : rows) row.compliance = random.uniform(0, 1);
    Delassus matrix, product;
    matrix.build(yard.model, rows, yard.workspace);
    product.build(yard.model, rows, yard.workspace, Delassus::Form::product);
    const VectorX p = random.vector(4, 1);
    VectorX y(4);
    product.multiply(p, y);
    EXPECT_LE((y - matrix.matrix() * p).norm(), 1e-12 * (1 + matrix.matrix().norm()));
  }
}

TEST(Delassus, UsesTheExtraInertiaOfTheFactors) {
  Random random(53);
  for (int trial = 0; trial < 20; ++trial) {
    Yard yard(random);
    yard.factor(random.vector(yard.model.velocity_count(), 3).cwiseAbs());
    expect_dense(yard, {between(Yard::left_lower, Yard::right_lower, random), between(Yard::ball, Yard::base, random)},
                 random);
  }
}

TEST(Delassus, EqualsDenseAlgebraOnRandomTrees) {
  Random random(54);
  for (int trial = 0; trial < 40; ++trial) {
    const Model model = random_tree(random, {.bodies = 1 + trial});
    const VectorX q = random_position(model, random);
    DynamicsWorkspace workspace(model);
    forward_kinematics(model, q, workspace);
    factor_mass(model, VectorX(), workspace);
    std::vector<ConstraintRow> rows;
    for (int i = 0; i < 12; ++i) {
      const int a = random.index(model.body_count() + 1) - 1, b = random.index(model.body_count() + 1) - 1;
      rows.push_back(between(a, b, random));
    }
    Delassus delassus;
    delassus.build(model, rows, workspace);
    MatrixX M;
    mass_matrix(model, workspace, M);
    const MatrixX J = delassus.jacobian();
    const MatrixX A = M.size() > 0 ? MatrixX(J * M.ldlt().solve(J.transpose())) : MatrixX(MatrixX::Zero(12, 12));
    EXPECT_LT((delassus.matrix() - A).cwiseAbs().maxCoeff(), 1e-11 * (1 + A.cwiseAbs().maxCoeff()));
  }
}

TEST(Delassus, RowsOnWhatCannotMoveAreZero) {
  Random random(55);
  Yard yard(random);
  const std::vector<ConstraintRow> rows = {between(Yard::table, -1, random), between(-1, -1, random),
                                           between(Yard::ball, -1, random)};
  Delassus delassus;
  delassus.build(yard.model, rows, yard.workspace);
  EXPECT_EQ(MatrixX(delassus.matrix().topRows(2)), MatrixX(MatrixX::Zero(2, 3)));
  EXPECT_EQ(MatrixX(delassus.jacobian().topRows(2)), MatrixX(MatrixX::Zero(2, yard.model.velocity_count())));
}

TEST(Delassus, RowsOfTreesThatShareNothingAreUncoupledToTheBit) {
  Random random(56);
  Yard yard(random);
  Delassus delassus;
  delassus.build(yard.model, {between(Yard::left_lower, -1, random), between(Yard::ball, -1, random)}, yard.workspace);
  EXPECT_EQ(delassus.matrix()(0, 1), 0);
}

TEST(Delassus, OfABallOnTheWorldHasTheClosedForm) {
  // A unit push n at r from the centre of a free body: n·n/m + (r × n)·I⁻¹ (r × n).
  Random random(57);
  for (int trial = 0; trial < 20; ++trial) {
    Yard yard(random);
    const ConstraintRow row = between(Yard::ball, -1, random);
    Delassus delassus;
    delassus.build(yard.model, {row}, yard.workspace);
    const SpatialInertia inertia = yard.model.bodies()[Yard::ball].inertia.in(yard.workspace.X_WB[Yard::ball]);
    const Vec3 moment = (row.point_a - inertia.center).cross(row.direction);
    const double expected = 1 / inertia.mass + moment.dot(inertia.central.ldlt().solve(moment));
    EXPECT_NEAR(delassus.matrix()(0, 0), expected, 1e-12 * expected);
  }
}

TEST(Delassus, MayBeEmptyAndMayShrink) {
  Random random(58);
  Yard yard(random);
  Delassus delassus;
  delassus.build(yard.model, {}, yard.workspace);
  EXPECT_EQ(delassus.matrix().size(), 0);
  std::vector<ConstraintRow> rows;
  rows.reserve(9);
  for (int i = 0; i < 9; ++i) rows.push_back(between(Yard::ball, Yard::left_lower, random));
  delassus.build(yard.model, rows, yard.workspace);
  rows.resize(2);
  Delassus fresh;
  delassus.build(yard.model, rows, yard.workspace);
  fresh.build(yard.model, rows, yard.workspace);
  EXPECT_EQ(MatrixX(delassus.matrix()), MatrixX(fresh.matrix()));
  EXPECT_EQ(MatrixX(delassus.jacobian()), MatrixX(fresh.jacobian()));
}

TEST(Allocation, TheRecursionsAndDelassusNeedNoneAfterTheFirstCall) {
  Random random(59);
  const Model model = random_tree(random, {.bodies = 25, .springs = 10});
  const int n = model.velocity_count();
  DynamicsWorkspace workspace(model);
  Delassus delassus;
  std::vector<ConstraintRow> rows;
  for (int i = 0; i < 20; ++i) {
    const int a = random.index(25), b = random.index(26) - 1;
    rows.push_back(between(a, b, random));
  }
  VectorX q = random_position(model, random), v = random.vector(n, 1), tau = random.vector(n, 1);
  VectorX vdot, x, moved, extra = VectorX::Ones(n), p = VectorX::Ones(20), y(20);
  MatrixX M, J(6, n);
  double energy = 0;
  const auto everything = [&] {
    forward_dynamics(model, q, v, tau, workspace, vdot);
    inverse_dynamics(model, vdot, workspace, x);
    momentum_bias(model, v, workspace, x);
    gravity_force(model, workspace, x);
    spring_force(model, q, x);
    mass_matrix(model, workspace, M);
    factor_mass(model, extra, workspace);
    solve_mass(model, tau, workspace, x);
    solve_mass_tree(model, model.root(3), tau, workspace, x);
    frame_jacobian(model, 20, Vec3::Zero(), workspace, J);
    energy += kinetic_energy(model, workspace) + potential_energy(model, q, workspace);
    delassus.build(model, rows, workspace);
    delassus.apply(v, y);
    delassus.add_response(p, x);
    integrate(model, q, v, 0.1, moved);
    transport_velocity(model, q, moved, v, x);
    difference(model, q, moved, x);
    normalize(model, moved);
  };
  everything();
  const long before = allocation_count();
  everything();
  EXPECT_EQ(allocation_count() - before, 0);
  const long first = allocation_count();
  VectorX grows(n + 1);
  EXPECT_GT(allocation_count(), first);  // the counter counts
}

}  // namespace
}  // namespace carom::delassus_test
