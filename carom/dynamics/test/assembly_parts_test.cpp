// The parts of divide and conquer by themselves: order of joins, algebra of handles, elimination of joints and runs.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <atomic>
#include <cmath>
#include <vector>

#include "carom/dynamics/divide_and_conquer/assembly_tree.h"
#include "carom/dynamics/divide_and_conquer/handle_algebra.h"
#include "carom/dynamics/divide_and_conquer/levels.h"
#include "carom/dynamics/divide_and_conquer/run_elimination.h"
#include "carom/dynamics/joint_elimination.h"
#include "carom/dynamics/recursions.h"
#include "carom/dynamics/test/moving_tree.h"
#include "testing/models/reference_models.h"

namespace carom::assembly_parts_test {
namespace {

Mat6 random_semidefinite(Random& random, int rank) {
  Mat6 G = Mat6::Zero();
  for (int i = 0; i < rank; ++i) {
    Vec6 column;
    column << random.vector(1), random.vector(1);
    G += column * column.transpose();
  }
  return G;
}

TEST(AssemblyTree, HoldsEveryBodyOnceAndJoinsUpwards) {
  Random random(901);
  for (int trial = 0; trial < 60; ++trial) {
    const Model model = random_tree(random, {.bodies = 1 + random.index(60)});
    const AssemblyTree tree(model, {.bodies_per_run = 1 + random.index(6)});
    std::vector<int> seen(static_cast<std::size_t>(model.body_count()), 0);
    for (int a = 0; a < tree.size(); ++a) {
      const Assembly& part = tree.assemblies[a];
      if (part.is_run()) {
        for (int k = part.first; k < part.last; ++k) ++seen[tree.path_bodies[k]];
      } else {
        EXPECT_LT(tree.assemblies[part.inboard].level, part.level);
        EXPECT_LT(tree.assemblies[part.outboard].level, part.level);
      }
      EXPECT_GE(a, tree.level_start[part.level]);
      EXPECT_LT(a, tree.level_start[part.level + 1]);
    }
    for (const int times : seen) EXPECT_EQ(times, 1);
  }
}

/// Runs of 16, then halves: a chain of n links has 1 + ⌈log₂ ⌈n/16⌉⌉ levels, give or take one.
TEST(AssemblyTree, OfAChainIsAsDeepAsALogarithm) {
  for (const int links : {1, 16, 100, 1000, 10000}) {
    const AssemblyTree tree(revolute_chain(links));
    EXPECT_LE(tree.level_count(), 2 + std::ceil(std::log2(std::ceil(links / 16.0)))) << links;
  }
}

TEST(WorkOnLevel, DoesEachOnceWhateverTheirNumber) {
  for (const int count : {0, 1, 7, 5000}) {
    std::vector<std::atomic<int>> times(static_cast<std::size_t>(count) + 3);
    auto work = [&](int i) { ++times[static_cast<std::size_t>(i)]; };
    work_on_level(3, count + 3, work);
    for (int i = 0; i < count + 3; ++i) EXPECT_EQ(times[static_cast<std::size_t>(i)], i < 3 ? 0 : 1);
  }
}

TEST(HandleAlgebra, RootsAndCouplingsAreWhatTheySay) {
  Random random(902);
  for (int trial = 0; trial < 300; ++trial) {
    const Mat6 G = random_semidefinite(random, trial % 7), P = random_semidefinite(random, random.index(7));
    const Mat6 F = semidefinite_root(G);
    EXPECT_LT((F * F.transpose() - G).norm(), 1e-13 * (1 + G.norm()));
    const Coupling coupling(F, P);
    const Mat6 inverse = (Mat6::Identity() + G * P).partialPivLu().inverse();
    const double size = 1 + G.norm() * P.norm();
    EXPECT_LT((coupling.K * coupling.K.transpose() - inverse * G).norm(), 1e-11 * size);
    EXPECT_LT((Mat6::Identity() - coupling.K * coupling.N.transpose() - inverse).norm(), 1e-11 * size);
    EXPECT_LT((P - coupling.N * coupling.N.transpose() - P * inverse).norm(), 1e-11 * size * (1 + P.norm()));
  }
}

/// Power does not depend on the point about which motion and force are expressed.
TEST(HandleAlgebra, MovingThePointKeepsPower) {
  Random random(903);
  for (int trial = 0; trial < 50; ++trial) {
    const Vec3 r = random.vector(1);
    Vec6 a, f;
    a << random.vector(1), random.vector(1);
    f << random.vector(1), random.vector(1);
    EXPECT_NEAR(moved_motion(r, a).dot(f), a.dot(moved_back_force(r, f)), 1e-13);
    const Mat6 P = random_semidefinite(random, 6);
    EXPECT_NEAR(moved_motion(r, a).dot(P * moved_motion(r, a)), a.dot(shifted_inertia(r, P) * a), 1e-11);
  }
}

/// The force that a joint passes on does not resist its free modes.
TEST(EliminateJoint, LeavesNoInertiaAlongItsFreeModes) {
  Random random(904);
  for (const JointType type : joint_types) {
    ModelBuilder builder;
    builder.add_body("", random.inertia());
    Joint joint = random_joint(random, type);
    joint.reflected_inertia.setZero();  // a rotor's inertia would stay along the modes
    builder.add_joint(0, joint);
    const Model model = builder.build();
    const VectorX q = random_position(model, random);
    DynamicsWorkspace workspace(model);
    forward_kinematics(model, q, workspace);
    ArticulatedInertia I(workspace.nodes[0].inertia);
    Mat6 twists_inverse = Mat6::Zero();
    eliminate_joint(model.nodes()[0], nullptr, true, workspace.columns.data(), &twists_inverse, I);
    for (int k = 0; k < model.velocity_count(); ++k) {
      const Vec6 felt = to_matrix(I) * to_vector(workspace.columns[static_cast<std::size_t>(k)].S);
      EXPECT_LT(felt.norm(), 1e-11) << "joint type " << static_cast<int>(type) << ", column " << k;
    }
  }
}

/// U and D⁻¹ of one joint, by hand.
TEST(EliminateJoint, ProjectsTheInertiaOnItsColumn) {
  Random random(905);
  const Model model = revolute_chain(1);
  DynamicsWorkspace workspace(model);
  forward_kinematics(model, VectorX::Constant(1, 0.3), workspace);
  ArticulatedInertia I(workspace.nodes[0].inertia);
  const Mat6 before = to_matrix(I);
  JointColumn column = workspace.columns[0];
  const double extra = 0.7;
  Mat6 twists_inverse;
  eliminate_joint(model.nodes()[0], &extra, true, &column, &twists_inverse, I);
  const Vec6 S = to_vector(column.S), U = before * S;
  const double D = S.dot(U) + column.reflected_inertia + extra;
  EXPECT_LT((to_vector(column.U) - U).norm(), 1e-13);
  EXPECT_NEAR(column.D_inverse, 1 / D, 1e-12);
  EXPECT_LT((to_matrix(I) - (before - U * U.transpose() / D)).norm(), 1e-12);
}

/// A chain short enough to be one run is eliminated as the articulated recursion does it.
TEST(EliminateRun, OfAWholeChainIsTheArticulatedRecursion) {
  Random random(907);
  const Model model = revolute_chain(5);
  const VectorX q = random_position(model, random), extra = VectorX::Constant(model.velocity_count(), 0.3);
  DynamicsWorkspace by_run(model), by_recursion(model);
  forward_kinematics(model, q, by_run);
  forward_kinematics(model, q, by_recursion);
  const AssemblyTree tree(model);
  ASSERT_EQ(tree.size(), 1);
  const Assembly& run = tree.assemblies[0];
  load_bodies(
      tree, run, [](int) -> Mat6 { return Mat6::Zero(); }, by_run);
  eliminate_run(model, tree, run, extra, ArticulatedInertia(), true, by_run);
  factor_mass(model, extra, by_recursion);
  for (int i = 0; i < model.velocity_count(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    EXPECT_NEAR(by_run.columns[k].D_inverse / by_recursion.columns[k].D_inverse, 1, 1e-13);
    const Vec6 U = to_vector(by_recursion.columns[k].U);
    EXPECT_LT((to_vector(by_run.columns[k].U) - U).norm(), 1e-13 * (1 + U.norm()));
  }
}

}  // namespace
}  // namespace carom::assembly_parts_test
