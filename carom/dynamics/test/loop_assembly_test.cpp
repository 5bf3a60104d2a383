#include "carom/dynamics/divide_and_conquer/loop_assembly.h"

#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <list>

#include "carom/dynamics/constraint_equations.h"
#include "carom/dynamics/recursions.h"
#include "carom/dynamics/test/moving_tree.h"

namespace carom::loop_assembly_test {
namespace {

/// x and λ of the augmented system [M −Jᵀ; J C] [x; λ] = [b; d], of minimal norm, and rank of J M⁻¹ Jᵀ + C.
struct Augmented {
  VectorX x, force;  // force: Jᵀ λ, which is unique where λ is not
  MatrixX J, A;
  VectorX free_motion;  // J M⁻¹ b

  Augmented(MovingTree& c, const VectorX& extra, const VectorX& b, const std::vector<LoopRow>& rows) {
    std::vector<ConstraintRow> plain;
    VectorX target(rows.size());
    for (const LoopRow& row : rows)
      target[static_cast<Eigen::Index>(plain.size())] = row.target, plain.push_back(row.row);
    MatrixX M;
    factor_mass(c.model, extra, c.workspace);
    mass_matrix(c.model, c.workspace, M);
    if (extra.size() > 0) M.diagonal() += extra;
    Delassus delassus;
    delassus.build(c.model, plain, c.workspace);
    J = delassus.jacobian();
    A = delassus.matrix();
    const MatrixX inverse_M = M.ldlt().solve(MatrixX::Identity(M.rows(), M.cols()));
    free_motion = J * inverse_M * b;
    // Rows in units in which each moves the mechanism as much, and none if it moves nothing.
    VectorX scale = VectorX::Zero(A.rows());
    for (Eigen::Index i = 0; i < A.rows(); ++i) {
      if (A(i, i) > 1e-12 * A.diagonal().maxCoeff()) scale[i] = 1 / std::sqrt(A(i, i));
    }
    const MatrixX scaled = scale.asDiagonal() * A * scale.asDiagonal();
    Eigen::JacobiSVD<MatrixX> svd(scaled, Eigen::ComputeThinU | Eigen::ComputeThinV);
    svd.setThreshold(1e-10);
    const VectorX lambda = scale.cwiseProduct(svd.solve(scale.cwiseProduct(target - free_motion)));
    force = J.transpose() * lambda;
    x = inverse_M * (b + force);
  }
};

Model chain_with_branches(Random& random, int bodies, int reach, JointType root) {
  ModelBuilder builder;
  for (int i = 0; i < bodies; ++i) {
    builder.add_body("", random.inertia());
    const bool at_root = i == 0 || random.index(25) == 0;
    Joint joint = random_joint(random, at_root ? root : joint_types[random.index(11)]);
    if (!at_root) joint.parent = std::max(0, i - 1 - random.index(reach));
    builder.add_joint(i, joint);
  }
  return builder.build();
}

/// The three rows of a ball between two bodies, −1 the world.
void add_ball(std::vector<LoopRow>& rows, int a, int b, const Vec3& point, Random& random) {
  for (int axis = 0; axis < 3; ++axis) {
    LoopRow row;
    row.row.body_a = a;
    row.row.body_b = b;
    row.row.point_a = row.row.point_b = point;
    row.row.direction = Vec3::Unit(axis);
    row.target = random.uniform(-1, 1);
    rows.push_back(row);
  }
}

double relative(const VectorX& a, const VectorX& b) { return largest(VectorX(a - b)) / (1e-300 + largest(b)); }

void expect_same_motion(MovingTree& c, const std::vector<LoopRow>& rows, int bodies_per_run, const VectorX& extra,
                        Random& random, double tolerance) {
  const VectorX b = random.vector(c.model.velocity_count(), 1);
  const Augmented expected(c, extra, b, rows);
  LoopAssembly loops(c.model, {.bodies_per_run = bodies_per_run});
  VectorX x, lambda;
  loops.assemble(c.model, extra, b, rows, c.workspace);
  loops.disassemble(c.model, VectorX(), c.workspace, x, lambda);
  ASSERT_EQ(loops.redundant(), std::vector<int>());
  ASSERT_LT(relative(x, expected.x), tolerance);
  const VectorX force = expected.J.transpose() * lambda;
  ASSERT_LT(relative(force, expected.force), tolerance);
}

TEST(LoopAssembly, MovesAsTheAugmentedSystemOfRandomLoops) {
  Random random(340);
  int checked = 0;
  for (int trial = 0; checked < 300; ++trial) {
    const JointType roots[] = {JointType::free, JointType::revolute, JointType::spherical};
    MovingTree c(chain_with_branches(random, 2 + random.index(30), 1 + trial % 3, roots[trial % 3]), random);
    const VectorX extra = trial % 2 == 0 ? VectorX() : VectorX(random.vector(c.model.velocity_count(), 1).cwiseAbs());
    std::vector<LoopRow> rows;
    const int balls = random.index(3);
    for (int k = 0; k < balls; ++k) {
      add_ball(rows, random.index(c.model.body_count()), random.index(c.model.body_count() + 1) - 1, random.vector(1),
               random);
    }
    LoopRow coupler;
    if (c.model.velocity_count() == 0) continue;
    coupler.row.coordinate = random.index(c.model.velocity_count());
    static std::list<std::vector<RowTerm>> all;  // rows refer to them
    std::vector<RowTerm>& others = all.emplace_back();
    others.push_back({random.index(c.model.velocity_count()), -0.5});
    coupler.row.others = others;
    coupler.row.compliance = trial % 3 == 0 ? 0.1 : 0;
    coupler.target = 0.3;
    rows.push_back(coupler);
    // Only where all rows are independent, and well so: the rest has a test of its own.
    const VectorX b = VectorX::Zero(c.model.velocity_count());
    const Augmented system(c, extra, b, rows);
    const VectorX scale = system.A.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
    const MatrixX scaled = scale.asDiagonal() * system.A * scale.asDiagonal();
    const VectorX singular = Eigen::JacobiSVD<MatrixX>(scaled).singularValues();
    if (!(singular[singular.size() - 1] > 1e-4) || system.A.diagonal().minCoeff() < 1e-9) continue;
    ++checked;
    SCOPED_TRACE("mechanism " + std::to_string(trial));
    ASSERT_NO_FATAL_FAILURE(expect_same_motion(c, rows, 1 + random.index(5), extra, random, 1e-10));
  }
}

/// A ladder: two rails of links that begin at one body, with a rung between each pair of links.
struct Ladder {
  MovingTree tree;
  std::vector<LoopRow> rows;

  Ladder(int steps, Random& random) : tree(build(steps, random), random) {
    // Rails are bodies 0 … steps − 1 and steps … 2 steps − 1.
    // The first two hang on each other as it is.
    for (int i = 1; i < steps; ++i)
      add_ball(rows, i, steps + i, tree.workspace.nodes[i].p + random.vector(0.1), random);
  }
  static Model build(int steps, Random& random) {
    ModelBuilder builder;
    for (int rail = 0; rail < 2; ++rail) {
      for (int i = 0; i < steps; ++i) {
        builder.add_body("", random.inertia());
        Joint joint = random_joint(random, JointType::spherical, {.reflected = 0});
        joint.parent = rail == 1 && i == 0 ? 0 : rail * steps + i - 1;
        if (rail == 0 && i == 0) joint.parent = -1;
        builder.add_joint(rail * steps + i, joint);
      }
    }
    return builder.build();
  }
};

TEST(LoopAssembly, MovesLaddersAsTheAugmentedSystem) {
  Random random(341);
  for (const int steps : {2, 3, 5, 12}) {
    Ladder ladder(steps, random);
    ASSERT_NO_FATAL_FAILURE(expect_same_motion(ladder.tree, ladder.rows, 2, VectorX(), random, 1e-9));
  }
}

/// A chain whose links are tied to the ones after the next by loops that do not enclose one another.
TEST(LoopAssembly, KeepsFewColumnsWhereLoopsDoNotEncloseOneAnother) {
  Random random(342);
  for (const int bodies : {60, 600}) {
    ModelBuilder builder;
    for (int i = 0; i < bodies; ++i) {
      builder.add_body("", random.inertia());
      Joint joint = random_joint(random, JointType::spherical);
      joint.parent = i - 1;
      builder.add_joint(i, joint);
    }
    MovingTree c(builder.build(), random);
    std::vector<LoopRow> rows;
    for (int i = 0; i + 2 < bodies; i += 3)
      add_ball(rows, i, i + 2, c.workspace.nodes[i + 1].p + random.vector(0.1), random);
    LoopAssembly loops(c.model, {.bodies_per_run = 4});
    loops.assemble(c.model, VectorX(), VectorX::Ones(c.model.velocity_count()), rows, c.workspace);
    VectorX x, lambda;
    loops.disassemble(c.model, VectorX(), c.workspace, x, lambda);
    EXPECT_LE(loops.most_columns(), 16);  // of 60 and 600 rows
    std::vector<ConstraintRow> plain;
    plain.reserve(rows.size());
    for (const LoopRow& row : rows) plain.push_back(row.row);
    factor_mass(c.model, VectorX(), c.workspace);
    Delassus delassus;
    delassus.build(c.model, plain, c.workspace, Delassus::Form::product);
    VectorX reached(rows.size());
    delassus.apply(x, reached);
    for (std::size_t i = 0; i < rows.size(); ++i) ASSERT_NEAR(reached[i], rows[i].target, 1e-8 * (1 + largest(x)));
  }
}

/// Everything twice: the copies are redundant, the motion is that without them, and the sum of the forces too.
TEST(LoopAssembly, NamesRowsThatAreThereTwice) {
  Random random(343);
  for (int trial = 0; trial < 40; ++trial) {
    MovingTree c(chain_with_branches(random, 12, 2, JointType::free), random);
    std::vector<LoopRow> rows;
    add_ball(rows, c.model.body_count() - 1, -1, random.vector(1), random);
    const std::vector<LoopRow> once = rows;
    rows.insert(rows.end(), once.begin(), once.end());
    const VectorX b = random.vector(c.model.velocity_count(), 1);
    const Augmented expected(c, VectorX(), b, rows);
    const VectorX singular = Eigen::JacobiSVD<MatrixX>(Augmented(c, VectorX(), b, once).A).singularValues();
    if (singular[2] < 1e-4 * singular[0]) continue;
    LoopAssembly loops(c.model, {.bodies_per_run = 1 + trial % 4});
    VectorX x, lambda;
    loops.assemble(c.model, VectorX(), b, rows, c.workspace);
    loops.disassemble(c.model, VectorX(), c.workspace, x, lambda);
    ASSERT_EQ(loops.redundant().size(), 3u);
    std::vector<int> axes;
    for (const int row : loops.redundant()) axes.push_back(row % 3);
    std::sort(axes.begin(), axes.end());
    EXPECT_EQ(axes, (std::vector<int>{0, 1, 2}));
    EXPECT_LT(loops.inconsistency(), 1e-9 * (1 + largest(b)));
    EXPECT_LT(relative(x, expected.x), 1e-9);
    // A copy that demands something else is caught.
    rows[4].target += 1;
    loops.assemble(c.model, VectorX(), b, rows, c.workspace);
    EXPECT_NEAR(loops.inconsistency(), 1, 1e-8);
  }
}

/// A four-bar linkage whose axes are parallel: three of the six rows of a weld say nothing new (Grübler's count).
TEST(LoopAssembly, APlanarLoopHasThreeRedundantRows) {
  ModelBuilder builder;
  for (int i = 0; i < 4; ++i) {
    SpatialInertia inertia{1 + 0.2 * i, Vec3(0.3, 0.1, 0.05), Vec3(0.02, 0.03, 0.04).asDiagonal()};
    builder.add_body("", inertia);
    Joint joint;
    joint.type = JointType::revolute;
    joint.parent = i - 1;
    joint.X_PF.p = i == 0 ? Vec3::Zero() : Vec3(1, 0, 0);
    builder.add_joint(i, joint);
  }
  Random random(344);
  MovingTree c(builder.build(), random);
  std::vector<LoopRow> rows;
  for (int k = 0; k < 6; ++k) {
    LoopRow row;
    row.row.body_a = 3;
    row.row.point_a = row.row.point_b = Vec3(0.4, 0.2, 0.1);
    (k < 3 ? row.row.moment : row.row.direction) = Vec3::Unit(k % 3);
    rows.push_back(row);
  }
  for (const int length : {1, 2, 16}) {
    LoopAssembly loops(c.model, {.bodies_per_run = length});
    const VectorX b = random.vector(4, 1);
    loops.assemble(c.model, VectorX(), b, rows, c.workspace);
    EXPECT_EQ(loops.redundant(), (std::vector<int>{0, 1, 5})) << "runs of " << length;
    EXPECT_LT(loops.inconsistency(), 1e-12);
    VectorX x, lambda;
    loops.disassemble(c.model, VectorX(), c.workspace, x, lambda);
    const Augmented expected(c, VectorX(), b, rows);
    EXPECT_LT(relative(x, expected.x), 1e-10);
  }
}

/// An arm on a base. If `held`, a fixed joint hangs the base on the world, otherwise a free joint.
Model arm_on_base(bool held, const Vec3& gravity) {
  Random random(346);
  ModelBuilder builder;
  builder.set_gravity(gravity);
  for (int i = 0; i < 12; ++i) {
    builder.add_body("", random.inertia());
    const JointType type = i == 0 ? (held ? JointType::fixed : JointType::free) : JointType::revolute;
    Joint joint = random_joint(random, JointType::revolute);
    joint.type = type;
    joint.parent = i - 1;
    if (i == 0) {
      joint = Joint();
      joint.type = type;
    }
    builder.add_joint(i, joint);
  }
  return builder.build();
}

/// A base moved with the acceleration a acts on its arm like a fixed one where gravity is less by a.
TEST(LoopAssembly, AMovedBaseIsOneThatIsHeldInAnotherGravity) {
  Random random(347);
  const Vec3 gravity(0, 0, -9.81), a(3, -2, 1);
  const Model moved = arm_on_base(false, gravity), held = arm_on_base(true, gravity - a);
  const VectorX angles = random.vector(11, 1), drives = random.vector(11, 3);
  VectorX q = moved.neutral_position(), tau(17), of_gravity(17), expected;
  q.tail(11) = angles;
  DynamicsWorkspace workspace(moved);
  forward_kinematics(moved, q, workspace);
  gravity_force(moved, workspace, of_gravity);
  tau << VectorX::Zero(6), drives;
  std::vector<LoopRow> rows;
  for (int k = 0; k < 6; ++k) {
    LoopRow row;
    row.row.body_a = 0;
    row.row.point_a = row.row.point_b = workspace.nodes[0].p;
    (k < 3 ? row.row.moment : row.row.direction) = Vec3::Unit(k % 3);
    row.target = k < 3 ? 0 : a[k - 3];
    rows.push_back(row);
  }
  expected = acceleration(held, angles, VectorX::Zero(11), drives);
  for (const int length : {1, 3, 16}) {
    LoopAssembly loops(moved, {.bodies_per_run = length});
    VectorX x, lambda;
    loops.assemble(moved, VectorX(), tau + of_gravity, rows, workspace);
    loops.disassemble(moved, VectorX(), workspace, x, lambda);
    EXPECT_LT(relative(x.tail(11), expected), 1e-11) << "runs of " << length;
    EXPECT_LT((x.segment<3>(3) - a).norm(), 1e-11);
    EXPECT_LT(x.head<3>().norm(), 1e-11);
  }
}

/// The contacts of a mechanism with loops: A and y are the Schur complement of the bilateral rows.
TEST(LoopAssembly, LeavesContactsTheirProblemWithLoopsClosed) {
  Random random(345);
  int checked = 0;
  for (int trial = 0; checked < 100; ++trial) {
    MovingTree c(chain_with_branches(random, 3 + random.index(25), 1 + trial % 3, JointType::free), random);
    std::vector<LoopRow> rows;
    add_ball(rows, c.model.body_count() - 1, random.index(c.model.body_count()) - 1, random.vector(1), random);
    const std::size_t bilateral = rows.size();
    add_ball(rows, random.index(c.model.body_count()), -1, random.vector(1), random);
    for (std::size_t i = bilateral; i < rows.size(); ++i) rows[i].closes = false, rows[i].target = 7;
    std::rotate(rows.begin(), rows.begin() + trial % 4, rows.end());
    const VectorX b = random.vector(c.model.velocity_count(), 1);
    const Augmented system(c, VectorX(), b, rows);
    std::vector<int> closed, kept;
    VectorX residual = system.free_motion;
    for (int i = 0; i < 6; ++i) (rows[i].closes ? closed : kept).push_back(i);
    for (const int i : closed) residual[i] -= rows[i].target;
    const MatrixX A_cc = system.A(closed, closed), A_ck = system.A(closed, kept);
    const VectorX singular = Eigen::JacobiSVD<MatrixX>(A_cc).singularValues();
    if (!(singular[2] > 1e-3 * singular[0])) continue;
    ++checked;
    const MatrixX A = system.A(kept, kept) - A_ck.transpose() * A_cc.ldlt().solve(A_ck);
    const VectorX y = VectorX(residual(kept)) - A_ck.transpose() * A_cc.ldlt().solve(VectorX(residual(closed)));
    LoopAssembly loops(c.model, {.bodies_per_run = 1 + trial % 4});
    loops.assemble(c.model, VectorX(), b, rows, c.workspace);
    ASSERT_EQ(loops.contacts(), kept);
    const double scale = largest(system.A);
    ASSERT_LT(largest(loops.matrix() - A), 1e-10 * scale) << trial;
    ASSERT_LT(largest(VectorX(loops.free_motion() - y)), 1e-10 * (1 + largest(system.free_motion)));
    // With forces at the contacts, bilateral rows hold and contacts move as A and y say.
    const VectorX forces = random.vector(3, 1);
    VectorX x, lambda;
    loops.disassemble(c.model, forces, c.workspace, x, lambda);
    const VectorX moved = system.J * x;
    for (const int i : closed) ASSERT_NEAR(moved[i], rows[i].target, 1e-9 * (1 + largest(x)));
    for (int k = 0; k < 3; ++k) {
      ASSERT_NEAR(moved[kept[k]], (y + A * forces)[k], 1e-9 * (1 + largest(x)));
      ASSERT_EQ(lambda[kept[k]], forces[k]);
    }
  }
}

}  // namespace
}  // namespace carom::loop_assembly_test
