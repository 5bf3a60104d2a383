#include "carom/dynamics/divide_and_conquer/divide_and_conquer.h"

#include <gtest/gtest.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>

#include "carom/dynamics/divide_and_conquer/work_count.h"
#include "carom/dynamics/test/moving_tree.h"
#include "carom/error.h"
#include "testing/allocation_count.h"
#include "testing/models/reference_models.h"

namespace carom::divide_and_conquer_test {
namespace {

/// Bodies hung on one of the last few, so that there are long paths, with branches and, now and then, another root.
Model long_tree(Random& random, int bodies, int reach, JointType root_type) {
  ModelBuilder builder;
  builder.set_gravity(random.vector(10));
  for (int i = 0; i < bodies; ++i) {
    builder.add_body("", random.inertia());
    const bool root = i == 0 || random.index(30) == 0;
    Joint joint = random_joint(random, root ? root_type : joint_types[random.index(11)]);
    if (!root) joint.parent = std::max(0, i - 1 - random.index(reach));
    builder.add_joint(i, joint);
  }
  return builder.build();
}

struct Mechanism {
  MovingTree tree;
  AssemblyOptions options;
};

/// Trees of all joint types, fixed, free and jointed to the world, cut into runs of one body and more.
Mechanism random_mechanism(Random& random, int trial) {
  const JointType roots[] = {JointType::free, JointType::fixed, joint_types[random.index(11)]};
  Model model = trial % 4 == 0 ? random_tree(random, {.bodies = 1 + random.index(40)})
                               : long_tree(random, 1 + random.index(40), 1 + trial % 3, roots[trial % 3]);
  return {MovingTree(std::move(model), random), {.bodies_per_run = 1 + random.index(5)}};
}

template <typename Check>
void for_random_mechanisms(int seed, int count, Check&& check) {
  Random random(seed);
  for (int trial = 0; trial < count; ++trial) {
    Mechanism mechanism = random_mechanism(random, trial);
    SCOPED_TRACE("mechanism " + std::to_string(trial) + ", runs of " +
                 std::to_string(mechanism.options.bodies_per_run));
    check(mechanism.tree, mechanism.options, random);
  }
}

double relative_difference(const VectorX& a, const VectorX& b) {
  return a.size() == 0 ? 0 : largest(VectorX(a - b)) / (1e-300 + largest(b));
}

TEST(DivideAndConquer, AcceleratesAsTheArticulatedRecursion) {
  double worst = 0;
  for_random_mechanisms(301, 1000, [&](MovingTree& c, const AssemblyOptions& options, Random& random) {
    const VectorX tau = random.vector(c.model.velocity_count(), 5);
    const VectorX expected = acceleration(c.model, c.q, c.v, tau);
    DivideAndConquer dynamics(c.model, options);
    DynamicsWorkspace workspace(c.model);
    VectorX vdot;
    dynamics.forward_dynamics(c.model, c.q, c.v, tau, workspace, vdot);
    const double difference = relative_difference(vdot, expected);
    ASSERT_LT(difference, 1e-10);
    worst = std::max(worst, difference);
  });
  std::printf("worst relative difference %.2e\n", worst);
}

TEST(DivideAndConquer, SolvesAsTheArticulatedRecursionWithDampingInTheDiagonal) {
  for_random_mechanisms(302, 300, [&](MovingTree& c, const AssemblyOptions& options, Random& random) {
    const int n = c.model.velocity_count();
    const VectorX b = random.vector(n, 1), extra = random.vector(n, 1).cwiseAbs();
    DivideAndConquer dynamics(c.model, options);
    VectorX x, expected;
    dynamics.factor(c.model, extra, c.workspace);
    dynamics.solve(c.model, b, c.workspace, x);
    const std::vector<JointColumn> columns = c.workspace.columns;
    VectorX by_kept_factors;
    solve_mass(c.model, b, c.workspace, by_kept_factors);
    factor_mass(c.model, extra, c.workspace);
    solve_mass(c.model, b, c.workspace, expected);
    ASSERT_LT(relative_difference(x, expected), 1e-10);
    ASSERT_LT(relative_difference(by_kept_factors, expected), 1e-10);
    for (int k = 0; k < n; ++k) {
      if (c.model.nodes()[c.model.coordinate_body(k)].type == JointType::twists) continue;
      ASSERT_NEAR(columns[k].D_inverse / c.workspace.columns[k].D_inverse, 1, 1e-10);
    }
  });
}

TEST(DivideAndConquer, JointForcesAreThoseOfNewtonAndEulerForEveryBody) {
  for_random_mechanisms(303, 300, [&](MovingTree& c, const AssemblyOptions& options, Random& random) {
    const VectorX tau = random.vector(c.model.velocity_count(), 5);
    DivideAndConquer dynamics(c.model, options);
    VectorX vdot;
    dynamics.forward_dynamics(c.model, c.q, c.v, tau, c.workspace, vdot);
    std::vector<Force> forces;
    dynamics.joint_forces(c.workspace, forces);
    // RNEA sums what the bodies need from the leaves to the roots, with accelerations of its own.
    forward_kinematics(c.model, c.q, c.workspace);
    forward_velocity(c.model, c.q, c.v, c.workspace);
    VectorX back;
    inverse_dynamics(c.model, vdot, c.workspace, back);
    double size = 0;
    for (const NodeState& state : c.workspace.nodes) size = std::max(size, to_vector(state.f).norm());
    for (int i = 0; i < c.model.body_count(); ++i) {
      ASSERT_LT((to_vector(forces[i]) - to_vector(c.workspace.nodes[i].f)).norm(), 1e-10 * size);
    }
    // Along the joint's axes the force is what drives it, less what its rotor takes.
    for (int k = 0; k < c.model.velocity_count(); ++k) {
      const JointColumn& column = c.workspace.columns[k];
      const double along = dot(forces[c.model.coordinate_body(k)], column.S);
      ASSERT_NEAR(along, tau[k] - column.reflected_inertia * vdot[k], 1e-10 * size);
    }
  });
}

TEST(DivideAndConquer, JointImpulsesChangeTheMomentumOfEveryBody) {
  for_random_mechanisms(304, 200, [&](MovingTree& c, const AssemblyOptions& options, Random& random) {
    const VectorX b = random.vector(c.model.velocity_count(), 1);
    DivideAndConquer dynamics(c.model, options);
    VectorX dv;
    dynamics.factor(c.model, VectorX(), c.workspace);
    dynamics.solve(c.model, b, c.workspace, dv);
    std::vector<Force> impulses;
    dynamics.joint_forces(c.workspace, impulses);
    // The bodies' own changes of velocity, from the coordinates.
    DynamicsWorkspace moved(c.model);
    forward_kinematics(c.model, c.q, moved);
    forward_velocity(c.model, c.q, dv, moved);
    double size = 0;
    std::vector<Force> total(c.model.body_count());
    for (int i = 0; i < c.model.body_count(); ++i) {
      size = std::max(size, to_vector(impulses[i]).norm());
      total[i] += impulses[i];
      const int parent = c.model.nodes()[i].parent;
      const Force back = impulses[i].moved_back_by(moved.nodes[i].r);
      if (parent >= 0) total[parent] += {-back.moment, -back.force};
    }
    for (int i = 0; i < c.model.body_count(); ++i) {
      const Force momentum = moved.nodes[i].inertia * moved.nodes[i].V;
      ASSERT_LT((to_vector(total[i]) - to_vector(momentum)).norm(), 1e-10 * (1e-300 + size));
    }
  });
}

TEST(DivideAndConquer, DoesNotDependOnHowTheWorldIsTurned) {
  Random random(305);
  for (int trial = 0; trial < 20; ++trial) {
    const Model model = long_tree(random, 30, 2, JointType::revolute);
    const Transform X = random.transform(3);
    const Model turned = in_turned_world(model, X);
    const VectorX q = random_position(model, random), v = random.vector(model.velocity_count(), 1);
    const VectorX tau = random.vector(model.velocity_count(), 5);
    const AssemblyOptions options{.bodies_per_run = 3};
    VectorX here, there;
    DynamicsWorkspace workspace(model);
    DivideAndConquer(model, options).forward_dynamics(model, q, v, tau, workspace, here);
    DivideAndConquer(turned, options).forward_dynamics(turned, q, v, tau, workspace, there);
    EXPECT_LT(relative_difference(there, here), 1e-11);
  }
}

TEST(DivideAndConquer, GivesTheSameBitsOnAnyNumberOfThreads) {
  Random random(306);
  for (const int reach : {1, 3}) {
    MovingTree c(long_tree(random, 3000, reach, JointType::free), random);
    const VectorX tau = random.vector(c.model.velocity_count(), 5);
    DivideAndConquer dynamics(c.model, {.bodies_per_run = 4});
    VectorX first;
    std::vector<Force> first_forces;
    for (const int threads : {1, 2, 4}) {
      const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
      tbb::task_arena arena(threads);
      VectorX vdot;
      std::vector<Force> forces;
      arena.execute([&] {
        dynamics.forward_dynamics(c.model, c.q, c.v, tau, c.workspace, vdot);
        dynamics.joint_forces(c.workspace, forces);
      });
      if (threads == 1) first = vdot, first_forces = forces;
      EXPECT_EQ(vdot, first);
      for (std::size_t i = 0; i < forces.size(); ++i) ASSERT_EQ(to_vector(forces[i]), to_vector(first_forces[i]));
    }
  }
}

TEST(DivideAndConquer, AcceleratesLongChainsAsTheRecursion) {
  for (const int links : {100, 1000, 10000, 100000}) {
    Random random(312);
    MovingTree c(revolute_chain(links), random);
    const VectorX tau = random.vector(links, 1), slow = random.vector(links, 0.1);
    VectorX vdot;
    DivideAndConquer(c.model).forward_dynamics(c.model, c.q, slow, tau, c.workspace, vdot);
    EXPECT_LT(relative_difference(vdot, acceleration(c.model, c.q, slow, tau)), 1e-10) << links << " links";
  }
}

/// In gimbal lock M is singular, and the answer is by convention; free runs, which lock as the whole does, share it.
TEST(DivideAndConquer, AnswersAsTheRecursionInGimbalLock) {
  ModelBuilder builder;
  Random random(307);
  for (int i = 0; i < 12; ++i) {
    builder.add_body("", random.inertia());
    Joint joint;
    joint.type = JointType::twists;
    joint.parent = i - 1;
    joint.X_PF = random.transform(1);
    joint.twists = MatrixX::Identity(6, 3);
    builder.add_joint(i, joint);
  }
  const Model model = builder.build();
  VectorX q = random.vector(model.velocity_count(), 0.5);
  q[3 * 5 + 1] = M_PI / 2;  // the middle turn lines the outer ones up
  const VectorX v = random.vector(model.velocity_count(), 1);
  const VectorX tau = VectorX::Zero(model.velocity_count());
  DynamicsWorkspace workspace(model);
  VectorX vdot;
  DivideAndConquer(model, {.bodies_per_run = 2}).forward_dynamics(model, q, v, tau, workspace, vdot);
  EXPECT_LT(relative_difference(vdot, acceleration(model, q, v, tau)), 1e-9);
}

/// Links of next to no inertia make a run that gives way almost at once; and what is welded to the world needs none.
TEST(DivideAndConquer, TakesLinksOfNextToNoInertia) {
  Random random(308);
  for (const double part : {1e-3, 1e-6}) {
    ModelBuilder builder;
    for (int i = 0; i < 60; ++i) {
      SpatialInertia inertia = random.inertia();
      if (i % 2 == 0) inertia.mass *= part, inertia.central *= part;
      const bool welded = i < 3;
      builder.add_body("", welded ? SpatialInertia() : inertia);
      Joint joint = random_joint(random, welded ? JointType::fixed : JointType::revolute, {.reflected = 0});
      joint.parent = i - 1;
      builder.add_joint(i, joint);
    }
    MovingTree c(builder.build(), random);
    const VectorX tau = random.vector(c.model.velocity_count(), 5);
    const VectorX expected = acceleration(c.model, c.q, c.v, tau);
    for (const int length : {1, 2, 3, 16}) {
      VectorX vdot;
      DivideAndConquer dynamics(c.model, {.bodies_per_run = length});
      dynamics.forward_dynamics(c.model, c.q, c.v, tau, c.workspace, vdot);
      EXPECT_LT(relative_difference(vdot, expected), 1e-10) << "part " << part << ", runs of " << length;
    }
  }
}

TEST(DivideAndConquer, AllocatesNothingOnceBuilt) {
  Random random(309);
  MovingTree c(long_tree(random, 60, 2, JointType::free), random);
  const VectorX tau = random.vector(c.model.velocity_count(), 5);
  DivideAndConquer dynamics(c.model, {.bodies_per_run = 16});
  VectorX vdot, x;
  std::vector<Force> forces;
  const auto all = [&](const VectorX& extra) {
    dynamics.forward_dynamics(c.model, c.q, c.v, tau, c.workspace, vdot);
    dynamics.factor(c.model, extra, c.workspace);
    dynamics.solve(c.model, tau, c.workspace, x);
    dynamics.joint_forces(c.workspace, forces);
  };
  all(tau.cwiseAbs2());
  const VectorX none;
  EXPECT_EQ(fewest_allocations([&] { all(none); }), 0);
}

TEST(DivideAndConquer, AModelWithoutBodiesHasNothingToSolve) {
  const Model model = ModelBuilder().build();
  DynamicsWorkspace workspace(model);
  VectorX x;
  DivideAndConquer dynamics(model);
  dynamics.factor(model, VectorX(), workspace);
  dynamics.solve(model, VectorX(), workspace, x);
  EXPECT_EQ(x.size(), 0);
}

// ---- the assembly tree ----

void expect_sound(const AssemblyTree& tree, const Model& model) {
  std::vector<int> seen(model.body_count(), 0);
  for (int a = 0; a < tree.size(); ++a) {
    const Assembly& part = tree.assemblies[a];
    for (int k = part.first; k + 1 < part.last; ++k) {
      ASSERT_EQ(model.nodes()[tree.path_bodies[k + 1]].parent, tree.path_bodies[k]);
    }
    ASSERT_EQ(part.top, tree.path_bodies[part.first]);
    ASSERT_EQ(part.bottom, tree.path_bodies[part.last - 1]);
    if (!part.is_run()) {
      ASSERT_EQ(tree.assemblies[part.inboard].last, tree.assemblies[part.outboard].first);
      ASSERT_LT(tree.assemblies[part.inboard].level, part.level);
      ASSERT_LT(tree.assemblies[part.outboard].level, part.level);
      continue;
    }
    for (int k = part.first; k < part.last; ++k) {
      const int body = tree.path_bodies[k];
      ++seen[body];
      ASSERT_EQ(tree.run_of[body], a);
      for (int s = tree.side_start[body]; s < tree.side_start[body + 1]; ++s) {
        const Assembly& side = tree.assemblies[tree.side_paths[s]];
        ASSERT_EQ(side.parent, -1);
        ASSERT_EQ(model.nodes()[side.top].parent, body);
        ASSERT_LT(side.level, part.level);
      }
    }
  }
  for (const int times : seen) ASSERT_EQ(times, 1);
}

TEST(AssemblyTree, HoldsEveryBodyOnceAndWaitsForWhatItNeeds) {
  Random random(310);
  for (int trial = 0; trial < 50; ++trial) {
    const Model model = long_tree(random, 1 + random.index(200), 1 + trial % 4, JointType::free);
    expect_sound(AssemblyTree(model, {.bodies_per_run = 1 + trial % 7}), model);
  }
}

/// A ring of a walker's legs: each body carries two others. And a comb: a chain with a chain on each link.
Model branched(int bodies, int kind) {
  ModelBuilder builder;
  Random random(311);
  const int tooth = static_cast<int>(std::sqrt(bodies));
  for (int i = 0; i < bodies; ++i) {
    builder.add_body("", random.inertia());
    Joint joint;
    joint.type = JointType::revolute;
    joint.parent = kind == 0 ? i - 1 : kind == 1 ? (i + 1) / 2 - 1 : i % tooth == 0 ? i - tooth : i - 1;
    if (joint.parent < -1) joint.parent = -1;
    builder.add_joint(i, joint);
  }
  return builder.build();
}

TEST(AssemblyTree, HasADepthOfTheOrderOfTheLogarithm) {
  for (int kind = 0; kind < 3; ++kind) {
    for (const int n : {100, 1000, 10000, 100000}) {
      const AssemblyTree tree(branched(n, kind), {.bodies_per_run = 4});
      EXPECT_LE(tree.level_count(), 2 * std::log2(n) + 2) << "kind " << kind << ", " << n << " bodies";
      EXPECT_LE(tree.size(), 2 * n);
    }
  }
}

/// Additions and multiplications grow with the bodies to the power one, and are few times those of the recursion.
TEST(AssemblyTree, CostsAFewTimesTheRecursionHoweverManyBodies) {
  for (int kind = 0; kind < 3; ++kind) {
    std::vector<double> work;
    for (const int n : {1000, 10000, 100000}) {
      const Model model = branched(n, kind);
      const double count = divide_and_conquer_work(model, AssemblyTree(model)).total();
      EXPECT_LE(count, 6 * articulated_work(model).total()) << "kind " << kind << ", " << n << " bodies";
      work.push_back(std::log10(count));
    }
    if (kind > 0) continue;  // shorter paths cost less, and grow longer with the whole
    EXPECT_NEAR(work[1] - work[0], 1, 0.02);
    EXPECT_NEAR(work[2] - work[1], 1, 0.002);
  }
}

TEST(AssemblyTree, LeavesALogarithmToBeDoneInARow) {
  for (int kind = 0; kind < 3; ++kind) {
    for (const int n : {1000, 100000}) {
      const CriticalPath path = critical_path(AssemblyTree(branched(n, kind)));
      EXPECT_LE(path.bodies, 2 * 16 + 16 * std::log2(n)) << "kind " << kind << ", " << n << " bodies";
      EXPECT_LE(path.joins, 2 * std::log2(n)) << "kind " << kind << ", " << n << " bodies";
    }
  }
}

TEST(AssemblyTree, RefusesRunsOfNoBodies) {
  const Model model = ModelBuilder().build();
  EXPECT_THROW(AssemblyTree(model, {.bodies_per_run = 0}), Error);
}

}  // namespace
}  // namespace carom::divide_and_conquer_test
