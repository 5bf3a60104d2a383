#include "carom/dynamics/centroidal.h"

#include <gtest/gtest.h>

#include <numeric>

#include "automatic_differentiation.h"
#include "carom/dynamics/frame_jacobian.h"
#include "carom/dynamics/test/moving_tree.h"
#include "testing/allocation_count.h"

namespace carom::centroidal_test {
namespace {

/// Mass, centre and momentum of bodies from each body's own pose and velocity.
CentroidalState by_bodies(const MovingTree& tree, const std::vector<int>& bodies) {
  CentroidalState sum;
  Vec3 moment = Vec3::Zero();
  const auto center_of = [&](int i) { return tree.workspace.X_WB[i] * tree.model.bodies()[i].inertia.center; };
  for (const int i : bodies) {
    if (tree.model.is_static(i)) continue;
    const double mass = tree.model.bodies()[i].inertia.mass;
    sum.mass += mass;
    moment += mass * center_of(i);
    sum.linear_momentum += mass * point_velocity(i, center_of(i), tree.workspace);
  }
  if (sum.mass == 0) return sum;
  sum.center = moment / sum.mass;
  sum.velocity = sum.linear_momentum / sum.mass;
  for (const int i : bodies) {
    if (tree.model.is_static(i)) continue;
    const SpatialInertia& inertia = tree.model.bodies()[i].inertia;
    const Mat3& R = tree.workspace.X_WB[i].R;
    const Vec3 arm = center_of(i) - sum.center;
    const Mat3 central = R * inertia.central * R.transpose();
    sum.inertia += central + inertia.mass * skew(arm) * skew(arm).transpose();
    sum.angular_momentum += central * R * tree.workspace.V[i].head<3>() +
                            inertia.mass * arm.cross(point_velocity(i, center_of(i), tree.workspace));
  }
  return sum;
}

std::vector<int> all_bodies(const Model& model) {
  std::vector<int> bodies(model.body_count());
  std::iota(bodies.begin(), bodies.end(), 0);
  return bodies;
}

std::vector<int> roots(const Model& model) {
  std::vector<int> roots;
  for (int i = 0; i < model.body_count(); ++i) {
    if (model.root(i) == i) roots.push_back(i);
  }
  return roots;
}

void expect_equal(const CentroidalState& a, const CentroidalState& b) {
  EXPECT_NEAR(a.mass, b.mass, 1e-13 * (1 + b.mass));
  EXPECT_LT((a.center - b.center).norm(), 1e-12 * (1 + b.center.norm()));
  EXPECT_LT((a.velocity - b.velocity).norm(), 1e-12 * (1 + b.velocity.norm()));
  EXPECT_LT((a.linear_momentum - b.linear_momentum).norm(), 1e-12 * (1 + b.linear_momentum.norm()));
  EXPECT_LT((a.angular_momentum - b.angular_momentum).norm(), 1e-12 * (1 + b.angular_momentum.norm()));
  EXPECT_LT((a.inertia - b.inertia).norm(), 1e-12 * (1 + b.inertia.norm()));
}

Vec6 momentum_of(const CentroidalState& state) {
  Vec6 h;
  h << state.angular_momentum, state.linear_momentum;
  return h;
}

TEST(Centroidal, StateIsTheSumOverBodiesThatMove) {
  for (MovingTree& tree : trees_of_all_joint_types(90)) {
    expect_equal(centroidal_state(tree.model, tree.workspace), by_bodies(tree, all_bodies(tree.model)));
    for (const int root : roots(tree.model)) {
      const std::vector<int>& bodies = tree.model.tree(root).bodies;
      expect_equal(centroidal_state(tree.model, bodies, tree.workspace), by_bodies(tree, bodies));
    }
  }
}

TEST(Centroidal, MatrixTimesVelocityIsTheMomentum) {
  for (MovingTree& tree : trees_of_all_joint_types(91)) {
    const int n = tree.model.velocity_count();
    MatrixX A(6, n);
    centroidal_momentum_matrix(tree.model, tree.workspace, A);
    const Vec6 momentum = momentum_of(centroidal_state(tree.model, tree.workspace));
    EXPECT_LT((A * tree.v - momentum).norm(), 1e-12 * (1 + momentum.norm()));
    for (const int root : roots(tree.model)) {
      centroidal_momentum_matrix_tree(tree.model, root, tree.workspace, A);
      const Vec6 own = momentum_of(centroidal_state(tree.model, tree.model.tree(root).bodies, tree.workspace));
      EXPECT_LT((A * tree.v - own).norm(), 1e-12 * (1 + own.norm()));
      for (int k = 0; k < n; ++k) {
        if (tree.model.root(tree.model.coordinate_body(k)) == root) continue;
        EXPECT_EQ(A.col(k), Vec6::Zero());
      }
    }
  }
}

TEST(Centroidal, MatrixAndItsRateEqualAutomaticDifferentiationOfTheReference) {
  for (MovingTree& tree : trees_of_all_joint_types(92)) {
    const Model& model = tree.model;
    const int n = model.velocity_count();
    if (n == 0) continue;
    const DualVector v = tree.v.cast<Dual>(), zero = VectorX::Zero(n).cast<Dual>();
    const reference::Tree<Dual> moving(model, tree.q, moving_along(tree.v), v, zero);
    const DualMatrix reference = reference::centroidal_momentum_matrix(model, moving);
    const Vec6 expected = rate_of(reference) * tree.v;
    MatrixX A(6, n);
    centroidal_momentum_matrix(model, tree.workspace, A);
    const Vec6 bias = centroidal_momentum_bias(model, tree.workspace);
    EXPECT_LT(largest(A - value_of(reference)), 1e-12 * (1 + largest(A)));
    EXPECT_LT((bias - expected).norm(), 1e-11 * (1 + expected.norm()));
  }
}

/// The trees' rates differ from those of all bodies together by what the trees' centres do against each other.
TEST(Centroidal, BiasOfTheWholeIsThatOfItsTreesAboutOneCentre) {
  for (MovingTree& tree : trees_of_all_joint_types(93)) {
    const Vec6 whole = centroidal_momentum_bias(tree.model, tree.workspace);
    const Vec3 center = centroidal_state(tree.model, tree.workspace).center;
    Vec6 sum = Vec6::Zero();
    for (const int root : roots(tree.model)) {
      const Vec6 own = centroidal_momentum_bias_tree(tree.model, root, tree.workspace);
      const Vec3 c = centroidal_state(tree.model, tree.model.tree(root).bodies, tree.workspace).center;
      const Vec3 force = own.tail<3>();
      sum += own;
      sum.head<3>() += (c - center).cross(force);
    }
    EXPECT_LT((whole - sum).norm(), 1e-12 * (1 + whole.norm()));
  }
}

/// However the joints push: inside forces change no momentum.
TEST(Centroidal, MomentumOfAFloatingTreeChangesByItsWeightAlone) {
  Random random(94);
  for (int trial = 0; trial < 30; ++trial) {
    ModelBuilder builder;
    builder.set_gravity(random.vector(10));
    TreeOptions options;
    options.reflected = trial % 2;
    for (int i = 0; i < 8; ++i) {
      builder.add_body("", random.inertia());
      Joint joint = random_joint(random, i == 0 ? JointType::free : joint_types[random.index(11)], options);
      if (i > 0) joint.parent = random.index(i);
      builder.add_joint(i, joint);
    }
    MovingTree tree(builder.build(), random);
    const int n = tree.model.velocity_count();
    VectorX tau = random.vector(n, 5), vdot;
    tau.head<6>().setZero();  // the free joint's
    forward_dynamics(tree.model, tree.q, tree.v, tau, tree.workspace, vdot);
    forward_kinematics(tree.model, tree.q, tree.workspace);
    forward_velocity(tree.model, tree.q, tree.v, tree.workspace);
    MatrixX A(6, n);
    centroidal_momentum_matrix(tree.model, tree.workspace, A);
    const Vec6 rate = A * vdot + centroidal_momentum_bias(tree.model, tree.workspace);
    Vec6 weight = Vec6::Zero();
    weight.tail<3>() = centroidal_state(tree.model, tree.workspace).mass * tree.model.gravity();
    EXPECT_LT((rate - weight).norm(), 1e-10 * (1 + weight.norm() + largest(A) * largest(vdot)));
  }
}

/// Moves as one: the free root's columns are those of the locked inertia, its own moment about the centre and mass.
TEST(Centroidal, InertiaIsThatOfTheTreeWithItsJointsLocked) {
  Random random(95);
  for (int trial = 0; trial < 20; ++trial) {
    MovingTree tree(floating_tree(random, 6), random);
    tree.v.tail(tree.v.size() - 6).setZero();
    forward_velocity(tree.model, tree.q, tree.v, tree.workspace);
    const CentroidalState state = centroidal_state(tree.model, tree.workspace);
    const Vec3 turn = tree.workspace.X_WB[0].R * tree.workspace.V[0].head<3>();
    EXPECT_LT((state.inertia * turn - state.angular_momentum).norm(), 1e-12 * (1 + state.angular_momentum.norm()));
    EXPECT_LT((state.velocity - point_velocity(0, state.center, tree.workspace)).norm(), 1e-13 * 100);
    const double energy = 0.5 * (turn.dot(state.inertia * turn) + state.mass * state.velocity.squaredNorm());
    EXPECT_NEAR(energy, kinetic_energy(tree.model, tree.workspace), 1e-12 * (1 + energy));
  }
}

TEST(Centroidal, TurnsWithTheWorldAndDoesNotKnowWhereItIs) {
  Random random(96);
  for (int trial = 0; trial < 20; ++trial) {
    const Model model = random_tree(random, {.bodies = 10});
    const Transform X{random.rotation(), trial % 2 ? random.vector(1e6) : Vec3(random.vector(3))};
    ModelBuilder builder;
    for (int i = 0; i < model.body_count(); ++i) {
      builder.add_body("", model.bodies()[i].inertia);
      Joint joint = model.joints()[i];
      if (joint.parent < 0) joint.X_PF = X * joint.X_PF;
      builder.add_joint(i, joint);
    }
    Random same(trial), again(trial);
    MovingTree here(model, same), there(builder.build(), again);
    const CentroidalState a = centroidal_state(here.model, here.workspace),
                          b = centroidal_state(there.model, there.workspace);
    // Round-off of the distances of trees whose positions are relative to the world's origin.
    const double tolerance = 1e-12 * (1 + a.inertia.norm()) + 1e-15 * X.p.norm() * (a.mass + a.inertia.norm());
    EXPECT_LT((b.center - X * a.center).norm(), tolerance);
    EXPECT_LT((b.linear_momentum - X.R * a.linear_momentum).norm(), 1e-12 * (1 + a.linear_momentum.norm()));
    EXPECT_LT((b.angular_momentum - X.R * a.angular_momentum).norm(), tolerance * (1 + a.linear_momentum.norm()));
    EXPECT_LT((b.inertia - X.R * a.inertia * X.R.transpose()).norm(), tolerance);
  }
}

TEST(Centroidal, IsZeroWhereNothingMoves) {
  ModelBuilder none, table;
  table.add_body("table", Random(1).inertia());
  Joint weld;
  weld.type = JointType::fixed;
  table.add_joint(0, weld);
  for (const ModelBuilder* builder : {&none, &table}) {
    Random random(2);
    MovingTree tree(builder->build(), random);
    MatrixX A(6, 0);
    centroidal_momentum_matrix(tree.model, tree.workspace, A);
    expect_equal(centroidal_state(tree.model, tree.workspace), CentroidalState());
    EXPECT_EQ(centroidal_momentum_bias(tree.model, tree.workspace), Vec6::Zero());
  }
}

TEST(Centroidal, AllocatesNothing) {
  Random random(97);
  TreeOptions options;
  options.bodies = 20;
  MovingTree tree(random, options);
  const int root = tree.model.root(19);
  MatrixX A(6, tree.model.velocity_count());
  Vec6 sum = Vec6::Zero();
  const long before = allocation_count();
  sum += momentum_of(centroidal_state(tree.model, tree.workspace));
  sum += momentum_of(centroidal_state(tree.model, tree.model.tree(root).bodies, tree.workspace));
  centroidal_momentum_matrix(tree.model, tree.workspace, A);
  centroidal_momentum_matrix_tree(tree.model, root, tree.workspace, A);
  sum += centroidal_momentum_bias(tree.model, tree.workspace);
  sum += centroidal_momentum_bias_tree(tree.model, root, tree.workspace);
  EXPECT_EQ(allocation_count() - before, 0);
  EXPECT_GT(sum.norm(), 0);
}

}  // namespace
}  // namespace carom::centroidal_test
