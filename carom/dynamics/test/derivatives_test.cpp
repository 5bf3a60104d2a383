#include "carom/dynamics/derivatives.h"

#include <gtest/gtest.h>

#include <cmath>

#include "automatic_differentiation.h"
#include "carom/dynamics/test/moving_tree.h"
#include "testing/allocation_count.h"

namespace carom::derivatives_test {
namespace {

constexpr double round_off = 1e-11;  // relative to the largest entry

void expect_near(const MatrixX& value, const MatrixX& expected, double tolerance, const char* what) {
  ASSERT_EQ(value.rows(), expected.rows()) << what;
  ASSERT_EQ(value.cols(), expected.cols()) << what;
  EXPECT_LT(largest(value - expected), tolerance * (1 + largest(expected))) << what;
}

VectorX zeros(const Model& model) { return VectorX::Zero(model.velocity_count()); }

InverseDynamicsDerivatives derivatives_of(MovingTree& tree, const VectorX& vdot) {
  DerivativeScratch scratch(tree.model);
  InverseDynamicsDerivatives derivatives;
  inverse_dynamics_derivatives(tree.model, tree.v, vdot, tree.workspace, scratch, derivatives);
  return derivatives;
}

TEST(ReferenceDynamics, IsTheDynamicsOfTheLibrary) {
  Random random(60);
  for (MovingTree& tree : trees_of_all_joint_types(60)) {
    const VectorX vdot = random.vector(tree.model.velocity_count(), 1);
    const reference::Tree<double> reference(tree.model, tree.q, zeros(tree.model), tree.v, vdot);
    VectorX tau;
    MatrixX M;
    inverse_dynamics(tree.model, vdot, tree.workspace, tau);
    mass_matrix(tree.model, tree.workspace, M);
    expect_near(reference.forces(), tau, 1e-12, "forces");
    expect_near(reference.mass_matrix(), M, 1e-12, "mass matrix");
  }
}

TEST(InverseDynamicsDerivatives, EqualAutomaticDifferentiationOfTheReference) {
  Random random(61);
  for (MovingTree& tree : trees_of_all_joint_types(61)) {
    const Model& model = tree.model;
    const VectorX vdot = random.vector(model.velocity_count(), 1);
    const DualVector v = tree.v.cast<Dual>(), a = vdot.cast<Dual>(), still = zeros(model).cast<Dual>();
    const MatrixX by_q = slopes(zeros(model), [&](const DualVector& turn) {
      return reference::Tree<Dual>(model, tree.q, turn, v, a).forces();
    });
    const MatrixX by_v = slopes(
        tree.v, [&](const DualVector& at) { return reference::Tree<Dual>(model, tree.q, still, at, a).forces(); });
    const MatrixX by_vdot =
        slopes(vdot, [&](const DualVector& at) { return reference::Tree<Dual>(model, tree.q, still, v, at).forces(); });
    const InverseDynamicsDerivatives derivatives = derivatives_of(tree, vdot);
    expect_near(derivatives.dtau_dq, by_q, round_off, "by q");
    expect_near(derivatives.dtau_dv, by_v, round_off, "by v");
    expect_near(derivatives.M, by_vdot, round_off, "by the acceleration");
  }
}

TEST(ForwardDynamicsDerivatives, EqualAutomaticDifferentiationOfTheReference) {
  Random random(62);
  for (MovingTree& tree : trees_of_all_joint_types(62)) {
    const Model& model = tree.model;
    const VectorX tau = random.vector(model.velocity_count(), 2);
    const DualVector v = tree.v.cast<Dual>(), t = tau.cast<Dual>(), still = zeros(model).cast<Dual>();
    const auto accelerations = [&](const DualVector& turn, const DualVector& at_v, const DualVector& at_tau) {
      const reference::Tree<Dual> reference(model, tree.q, turn, at_v, still);
      return reference::solve<Dual>(reference.mass_matrix(), at_tau - reference.forces());
    };
    DerivativeScratch scratch(model);
    ForwardDynamicsDerivatives derivatives;
    forward_dynamics_derivatives(model, tree.q, tree.v, tau, tree.workspace, scratch, derivatives);
    const MatrixX by_q = slopes(zeros(model), [&](const DualVector& turn) { return accelerations(turn, v, t); });
    const MatrixX by_v = slopes(tree.v, [&](const DualVector& at) { return accelerations(still, at, t); });
    const MatrixX by_tau = slopes(tau, [&](const DualVector& at) { return accelerations(still, v, at); });
    expect_near(derivatives.dvdot_dq, by_q, round_off, "by q");
    expect_near(derivatives.dvdot_dv, by_v, round_off, "by v");
    expect_near(derivatives.M_inverse, by_tau, round_off, "by the forces");
  }
}

/// The library's own recursions and its own steps of q, which turn free bodies about their centres of mass.
TEST(ForwardDynamicsDerivatives, AreTheSlopesAlongIntegrate) {
  Random random(63);
  for (MovingTree& tree : trees_of_all_joint_types(63)) {
    const Model& model = tree.model;
    const int n = model.velocity_count();
    const VectorX tau = random.vector(n, 2), dq = random.vector(n, 1), dv = random.vector(n, 1);
    const VectorX dtau = random.vector(n, 1);
    const auto accelerations = [&](double h) {
      VectorX q, vdot;
      integrate(model, tree.q, dq, h, q);
      forward_dynamics(model, q, tree.v + h * dv, tau + h * dtau, tree.workspace, vdot);
      return vdot;
    };
    DerivativeScratch scratch(model);
    ForwardDynamicsDerivatives derivatives;
    forward_dynamics_derivatives(model, tree.q, tree.v, tau, tree.workspace, scratch, derivatives);
    const VectorX slope = derivatives.dvdot_dq * dq + derivatives.dvdot_dv * dv + derivatives.M_inverse * dtau;
    const double h = 1e-3;
    // Two differences whose errors in h² cancel; left are h⁴ times fifth derivatives, and round-off over h.
    const VectorX once = (accelerations(h) - accelerations(-h)) / (2 * h);
    const VectorX twice = (accelerations(2 * h) - accelerations(-2 * h)) / (4 * h);
    EXPECT_LT(largest((4 * once - twice) / 3 - slope), 1e-6 * (1 + largest(slope) + largest(derivatives.vdot)));
  }
}

/// τ(q, v, v̇(q, v, τ)) = τ, differentiated by each.
TEST(ForwardDynamicsDerivatives, UndoThoseOfInverseDynamics) {
  Random random(71);
  for (MovingTree& tree : trees_of_all_joint_types(71)) {
    const Model& model = tree.model;
    const int n = model.velocity_count();
    DerivativeScratch scratch(model);
    ForwardDynamicsDerivatives forward;
    forward_dynamics_derivatives(model, tree.q, tree.v, random.vector(n, 2), tree.workspace, scratch, forward);
    const InverseDynamicsDerivatives inverse = derivatives_of(tree, forward.vdot);
    const double size = 1 + largest(inverse.M);
    EXPECT_LT(largest(inverse.dtau_dq + inverse.M * forward.dvdot_dq), 1e-12 * size * (1 + largest(forward.dvdot_dq)));
    EXPECT_LT(largest(inverse.dtau_dv + inverse.M * forward.dvdot_dv), 1e-12 * size * (1 + largest(forward.dvdot_dv)));
    EXPECT_LT(largest(inverse.M * forward.M_inverse - MatrixX::Identity(n, n)),
              1e-12 * size * (1 + largest(forward.M_inverse)));
  }
}

TEST(ForwardDynamicsDerivatives, LeaveWhatForwardDynamicsLeaves) {
  Random random(64);
  for (MovingTree& tree : trees_of_all_joint_types(64)) {
    const int n = tree.model.velocity_count();
    const VectorX tau = random.vector(n, 1), b = random.vector(n, 1);
    DynamicsWorkspace other(tree.model);
    DerivativeScratch scratch(tree.model);
    ForwardDynamicsDerivatives derivatives;
    VectorX vdot, x, y;
    forward_dynamics_derivatives(tree.model, tree.q, tree.v, tau, tree.workspace, scratch, derivatives);
    forward_dynamics(tree.model, tree.q, tree.v, tau, other, vdot);
    solve_mass(tree.model, b, tree.workspace, x);
    solve_mass(tree.model, b, other, y);
    EXPECT_EQ(derivatives.vdot, vdot);
    EXPECT_EQ(x, y);
  }
}

TEST(InverseDynamicsDerivatives, HoldTheMassMatrixAndForcesQuadraticInTheVelocity) {
  for (MovingTree& tree : trees_of_all_joint_types(65)) {
    const Model& model = tree.model;
    MatrixX M;
    VectorX tau, gravity;
    mass_matrix(model, tree.workspace, M);
    inverse_dynamics(model, zeros(model), tree.workspace, tau);
    gravity_force(model, tree.workspace, gravity);
    const InverseDynamicsDerivatives derivatives = derivatives_of(tree, zeros(model));
    EXPECT_EQ(derivatives.M, derivatives.M.transpose());
    expect_near(derivatives.M, M, 1e-13, "mass matrix");
    // Euler: a form of second degree has v · ∂c/∂v = 2 c.
    expect_near(derivatives.dtau_dv * tree.v, 2 * (tau + gravity), 1e-12, "velocity forces");
  }
}

/// A tree that floats, moved or turned as a whole, feels nothing but that gravity has turned in its axes.
TEST(InverseDynamicsDerivatives, OfAFloatingTreeKnowNothingOfItsPlace) {
  Random random(66);
  for (int trial = 0; trial < 20; ++trial) {
    for (const bool weightless : {false, true}) {
      const Vec3 gravity = random.vector(10);
      MovingTree tree(floating_tree(random, 8, weightless ? Vec3::Zero() : gravity), random);
      const VectorX vdot = random.vector(tree.model.velocity_count(), 1);
      const InverseDynamicsDerivatives derivatives = derivatives_of(tree, vdot);
      const double size = largest(derivatives.dtau_dq);
      EXPECT_LT(largest(derivatives.dtau_dq.middleCols(3, 3)), 1e-13 * (1 + size));
      const double by_turns = largest(derivatives.dtau_dq.leftCols(3));
      EXPECT_TRUE(weightless ? by_turns < 1e-12 * (1 + size) : by_turns > 0.01) << by_turns;
    }
  }
}

TEST(InverseDynamicsDerivatives, KeepTreesApart) {
  Random random(67);
  TreeOptions options;
  options.bodies = 12;
  options.new_root = 0.4;
  for (int trial = 0; trial < 10; ++trial) {
    MovingTree tree(random, options);
    const Model& model = tree.model;
    const VectorX tau = random.vector(model.velocity_count(), 1);
    DerivativeScratch scratch(model);
    ForwardDynamicsDerivatives derivatives;
    forward_dynamics_derivatives(model, tree.q, tree.v, tau, tree.workspace, scratch, derivatives);
    for (int k = 0; k < model.velocity_count(); ++k) {
      for (int l = 0; l < model.velocity_count(); ++l) {
        if (model.root(model.coordinate_body(k)) == model.root(model.coordinate_body(l))) continue;
        EXPECT_EQ(derivatives.dvdot_dq(k, l), 0);
        EXPECT_EQ(derivatives.dvdot_dv(k, l), 0);
        EXPECT_EQ(derivatives.M_inverse(k, l), 0);
      }
    }
  }
}

TEST(InverseDynamicsDerivatives, ReflectedInertiaStandsInTheMassMatrixAlone) {
  Random random(68);
  for (int trial = 0; trial < 20; ++trial) {
    const Model with = random_tree(random, {.bodies = 8});
    ModelBuilder builder;
    builder.set_gravity(with.gravity());
    for (int i = 0; i < with.body_count(); ++i) {
      builder.add_body("", with.bodies()[i].inertia);
      Joint joint = with.joints()[i];
      joint.reflected_inertia.setZero();
      builder.add_joint(i, joint);
    }
    Random same(trial), again(trial);
    MovingTree a(with, same), b(builder.build(), again);
    const VectorX vdot = random.vector(with.velocity_count(), 1);
    const InverseDynamicsDerivatives rotors = derivatives_of(a, vdot), bare = derivatives_of(b, vdot);
    EXPECT_EQ(rotors.dtau_dq, bare.dtau_dq);
    EXPECT_EQ(rotors.dtau_dv, bare.dtau_dv);
    MatrixX added = rotors.M - bare.M;
    for (const Joint& joint : with.joints()) {
      for (int k = 0; k < velocity_size(joint); ++k) {
        EXPECT_NEAR(added(joint.v_index + k, joint.v_index + k), joint.reflected_inertia[k],
                    1e-12 * (1 + largest(bare.M)));
      }
    }
    added.diagonal().setZero();
    EXPECT_EQ(largest(added), 0);
  }
}

TEST(ForwardDynamicsDerivatives, OfACompoundPendulum) {
  const double m = 1.3, l = 0.7, I = 0.2, g = 9.81;
  ModelBuilder builder;
  builder.set_gravity(Vec3(g, 0, 0));  // hangs along x, turns about z
  builder.add_body("bob", {m, Vec3(l, 0, 0), I * Mat3::Identity()});
  Joint joint;
  joint.type = JointType::revolute;
  builder.add_joint(0, joint);
  const Model model = builder.build();
  DynamicsWorkspace workspace(model);
  DerivativeScratch scratch(model);
  ForwardDynamicsDerivatives derivatives;
  for (double angle = -3; angle < 3; angle += 0.37) {
    forward_dynamics_derivatives(model, VectorX::Constant(1, angle), VectorX::Constant(1, 2.5), VectorX::Zero(1),
                                 workspace, scratch, derivatives);
    EXPECT_NEAR(derivatives.dvdot_dq(0, 0), -m * g * l * std::cos(angle) / (I + m * l * l), 1e-12);
    EXPECT_NEAR(derivatives.dvdot_dv(0, 0), 0, 1e-14);
    EXPECT_NEAR(derivatives.M_inverse(0, 0), 1 / (I + m * l * l), 1e-14);
  }
}

/// Euler's equations in the body's axes, about the centre of mass:
///
///   ω̇ = I⁻¹ (τ − ω × I ω),   v̇_o = R^T g − ω × v_o
TEST(ForwardDynamicsDerivatives, OfAFreeBody) {
  Random random(69);
  for (int trial = 0; trial < 20; ++trial) {
    SpatialInertia inertia = random.inertia();
    inertia.center.setZero();
    const Vec3 gravity = random.vector(10);
    ModelBuilder builder;
    builder.set_gravity(gravity);
    builder.add_body("body", inertia);
    MovingTree tree(builder.build(), random);
    const Vec3 w = tree.v.head<3>(), v = tree.v.tail<3>();
    const Mat3& J = inertia.central;
    MatrixX by_q = MatrixX::Zero(6, 6), by_v = by_q;
    by_q.bottomLeftCorner<3, 3>() = skew(tree.workspace.X_WB[0].R.transpose() * gravity);
    by_v.topLeftCorner<3, 3>() = J.inverse() * (skew(J * w) - skew(w) * J);
    by_v.bottomLeftCorner<3, 3>() = skew(v);
    by_v.bottomRightCorner<3, 3>() = -skew(w);
    DerivativeScratch scratch(tree.model);
    ForwardDynamicsDerivatives derivatives;
    forward_dynamics_derivatives(tree.model, tree.q, tree.v, random.vector(6, 1), tree.workspace, scratch, derivatives);
    expect_near(derivatives.dvdot_dq, by_q, 1e-13, "by q");
    expect_near(derivatives.dvdot_dv, by_v, 1e-13, "by v");
  }
}

TEST(Derivatives, OfModelsThatCannotMoveAreEmpty) {
  ModelBuilder none, table;
  table.add_body("table", Random(1).inertia());
  Joint weld;
  weld.type = JointType::fixed;
  table.add_joint(0, weld);
  for (const ModelBuilder* builder : {&none, &table}) {
    const Model model = builder->build();
    DynamicsWorkspace workspace(model);
    DerivativeScratch scratch(model);
    ForwardDynamicsDerivatives forward;
    forward_dynamics_derivatives(model, VectorX(), VectorX(), VectorX(), workspace, scratch, forward);
    EXPECT_EQ(forward.dvdot_dq.size(), 0);
    EXPECT_EQ(forward.dvdot_dv.size(), 0);
    EXPECT_EQ(forward.M_inverse.size(), 0);
    EXPECT_EQ(forward.vdot.size(), 0);
  }
}

TEST(Derivatives, AllocateNothingOnceOutputsHaveTheirSize) {
  Random random(70);
  TreeOptions options;
  options.bodies = 20;
  MovingTree tree(random, options);
  const VectorX tau = random.vector(tree.model.velocity_count(), 1);
  DerivativeScratch scratch(tree.model);
  ForwardDynamicsDerivatives derivatives;
  const auto everything = [&] {
    forward_dynamics_derivatives(tree.model, tree.q, tree.v, tau, tree.workspace, scratch, derivatives);
  };
  everything();
  const long before = allocation_count();
  everything();
  EXPECT_EQ(allocation_count() - before, 0);
}

}  // namespace
}  // namespace carom::derivatives_test
