#include "carom/dynamics/recursions.h"
#include "carom/dynamics/tree_mass.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <limits>

#include "carom/dynamics/multiply_mass.h"
#include "carom/dynamics/test/moving_tree.h"

namespace carom::recursions_test {
namespace {

using Case = MovingTree;

std::vector<Case> random_cases(int seed, double springs = 0) {
  Random random(seed);
  std::vector<Case> cases;
  for (const int bodies : {1, 2, 3, 5, 8, 13, 20, 30}) {
    for (int trial = 0; trial < 8; ++trial) {
      TreeOptions options;
      options.bodies = bodies;
      options.springs = springs;
      options.new_root = 0.25 * (trial % 3);
      cases.emplace_back(random, options);
    }
  }
  return cases;
}

/// Angular velocity of a body in the world per unit of each coordinate, from the velocities of four of its points.
MatrixX angular_jacobian(const Case& c, int body) {
  MatrixX J = MatrixX::Zero(3, c.model.velocity_count());
  const Vec3 p = c.workspace.X_WB[body].p;
  const MatrixX here = point_jacobian(c.model, body, p, c.workspace);
  for (int axis = 0; axis < 3; ++axis) {
    // ω = ½ Σ e × (ω × e)
    const MatrixX there = point_jacobian(c.model, body, p + Vec3::Unit(axis), c.workspace);
    J += 0.5 * skew(Vec3::Unit(axis)) * (there - here);
  }
  return J;
}

MatrixX center_jacobian(const Case& c, int body) {
  const Vec3 center = c.workspace.X_WB[body] * c.model.bodies()[body].inertia.center;
  return point_jacobian(c.model, body, center, c.workspace);
}

MatrixX world_inertia(const Case& c, int body) {
  const Mat3& R = c.workspace.X_WB[body].R;
  return R * c.model.bodies()[body].inertia.central * R.transpose();
}

VectorX reflected_inertia(const Model& model) {
  VectorX reflected(model.velocity_count());
  for (const Joint& joint : model.joints()) {
    reflected.segment(joint.v_index, velocity_size(joint)) = joint.reflected_inertia;
  }
  return reflected;
}

/// M = Σ m J_cᵀ J_c + J_ωᵀ I J_ω over the bodies, and the rotors.
MatrixX mass_matrix_by_bodies(const Case& c) {
  MatrixX M = MatrixX::Zero(c.model.velocity_count(), c.model.velocity_count());
  for (int i = 0; i < c.model.body_count(); ++i) {
    const MatrixX Jc = center_jacobian(c, i), Jw = angular_jacobian(c, i);
    M += c.model.bodies()[i].inertia.mass * Jc.transpose() * Jc + Jw.transpose() * world_inertia(c, i) * Jw;
  }
  M.diagonal() += reflected_inertia(c.model);
  return M;
}

/// τ from Newton and Euler for each body. The rates of its momenta are central differences along a motion that has the
/// velocity v and the acceleration vdot.
VectorX inverse_dynamics_by_differences(const Case& c, const VectorX& vdot) {
  const double e = 1e-5;
  const auto momenta = [&](double t) {
    VectorX q;
    integrate(c.model, c.q, c.v, t, q);
    const VectorX v = c.v + t * vdot;
    DynamicsWorkspace workspace(c.model);
    forward_kinematics(c.model, q, workspace);
    forward_velocity(c.model, q, v, workspace);
    std::vector<Vec6> h;
    for (int i = 0; i < c.model.body_count(); ++i) {
      const SpatialInertia& inertia = c.model.bodies()[i].inertia;
      const Mat3& R = workspace.X_WB[i].R;
      Vec6 momentum;
      momentum << R * inertia.central * workspace.V[i].head<3>(),
          inertia.mass * point_velocity(i, workspace.X_WB[i] * inertia.center, workspace);
      h.push_back(momentum);
    }
    return h;
  };
  const std::vector<Vec6> next = momenta(e), last = momenta(-e);
  VectorX tau = reflected_inertia(c.model).cwiseProduct(vdot);
  for (int i = 0; i < c.model.body_count(); ++i) {
    const Vec6 rate = (next[i] - last[i]) / (2 * e);
    const Vec3 force = rate.tail<3>() - c.model.bodies()[i].inertia.mass * c.model.gravity();
    tau += center_jacobian(c, i).transpose() * force + angular_jacobian(c, i).transpose() * rate.head<3>();
  }
  return tau;
}

TEST(Kinematics, JacobianTimesVelocityIsTheVelocityOfThePoint) {
  Random random(21);
  for (Case& c : random_cases(21)) {
    const double e = 1e-5;
    VectorX next, last;
    integrate(c.model, c.q, c.v, e, next);
    integrate(c.model, c.q, c.v, -e, last);
    DynamicsWorkspace after(c.model), before(c.model);
    forward_kinematics(c.model, next, after);
    forward_kinematics(c.model, last, before);
    for (int i = 0; i < c.model.body_count(); ++i) {
      const Vec3 point_B = random.vector(1);
      const Vec3 point_W = c.workspace.X_WB[i] * point_B;
      const Vec3 difference = (after.X_WB[i] * point_B - before.X_WB[i] * point_B) / (2 * e);
      const Vec3 velocity = point_jacobian(c.model, i, point_W, c.workspace) * c.v;
      // Third derivatives of a chain of up to 30 bodies, times e², and round-off over e.
      EXPECT_LT((velocity - difference).norm(), 1e-6 * (1 + velocity.norm()));
      EXPECT_LT((velocity - point_velocity(i, point_W, c.workspace)).norm(), 1e-12 * (1 + velocity.norm()));
    }
  }
}

TEST(Kinematics, TheWorldDoesNotMove) {
  Random random(22);
  Case c(random, {});
  EXPECT_EQ(largest(point_jacobian(c.model, -1, Vec3(1, 2, 3), c.workspace)), 0);
  EXPECT_EQ(point_velocity(-1, Vec3(1, 2, 3), c.workspace), Vec3::Zero());
}

TEST(MassMatrix, IsTheSumOverBodies) {
  for (Case& c : random_cases(23)) {
    MatrixX M;
    mass_matrix(c.model, c.workspace, M);
    EXPECT_EQ(M, M.transpose());
    EXPECT_LT(largest(MatrixX(M - mass_matrix_by_bodies(c))), 1e-12 * (1 + largest(M)));
  }
}

TEST(MassMatrix, OfOneTreeIsThatOfAllOnItsDiagonal) {
  for (Case& c : random_cases(25)) {
    MatrixX M, own;
    mass_matrix(c.model, c.workspace, M);
    MatrixX rest = M;
    for (int body = 0; body < c.model.body_count(); ++body) {
      if (c.model.root(body) != body) continue;
      std::vector<int> coordinates;
      for (const auto& [first, count] : c.model.tree(body).coordinates) {
        for (int k = first; k < first + count; ++k) coordinates.push_back(k);
      }
      tree_mass_matrix(c.model, c.model.tree(body), c.workspace, own);
      EXPECT_EQ(own, M(coordinates, coordinates)) << body;
      rest(coordinates, coordinates).setZero();
    }
    EXPECT_EQ(largest(rest), 0);
  }
}

TEST(MassMatrix, GivesTheKineticEnergy) {
  for (Case& c : random_cases(24)) {
    MatrixX M;
    mass_matrix(c.model, c.workspace, M);
    const double energy = 0.5 * c.v.dot(M * c.v);
    EXPECT_NEAR(kinetic_energy(c.model, c.workspace), energy, 1e-13 * (1 + energy) * 10);
  }
}

TEST(MultiplyMass, EqualsTheDenseProductAndUndoesTheSolve) {
  Random random(38);
  for (Case& c : random_cases(38)) {
    const VectorX x = random.vector(c.model.velocity_count(), 1);
    MatrixX M;
    VectorX y(x.size()), back;
    mass_matrix(c.model, c.workspace, M);
    multiply_mass(c.model, x, c.workspace, y);
    EXPECT_LT(largest(VectorX(y - M * x)), 1e-12 * (1 + largest(y)));
    factor_mass(c.model, VectorX(), c.workspace);
    solve_mass(c.model, y, c.workspace, back);
    EXPECT_LT(largest(VectorX(back - x)), 1e-10 * (1 + largest(x)));
  }
}

TEST(InverseDynamics, IsNewtonAndEulerForEveryBody) {
  Random random(25);
  for (Case& c : random_cases(25)) {
    const VectorX vdot = random.vector(c.model.velocity_count(), 1);
    VectorX tau;
    inverse_dynamics(c.model, vdot, c.workspace, tau);
    const VectorX expected = inverse_dynamics_by_differences(c, vdot);
    EXPECT_LT(largest(VectorX(tau - expected)), 1e-6 * (1 + largest(tau)));
  }
}

TEST(InverseDynamics, IsLinearInTheAccelerationWithTheMassMatrixAsSlope) {
  Random random(26);
  for (Case& c : random_cases(26)) {
    const VectorX vdot = random.vector(c.model.velocity_count(), 1);
    MatrixX M;
    VectorX tau, bias;
    mass_matrix(c.model, c.workspace, M);
    inverse_dynamics(c.model, VectorX::Zero(c.model.velocity_count()), c.workspace, bias);
    inverse_dynamics(c.model, vdot, c.workspace, tau);
    EXPECT_LT(largest(VectorX(tau - bias - M * vdot)), 1e-12 * (1 + largest(tau)));
  }
}

TEST(ForwardDynamics, UndoesInverseDynamics) {
  Random random(27);
  for (Case& c : random_cases(27)) {
    const VectorX tau = random.vector(c.model.velocity_count(), 5);
    VectorX vdot, back;
    forward_dynamics(c.model, c.q, c.v, tau, c.workspace, vdot);
    inverse_dynamics(c.model, vdot, c.workspace, back);
    EXPECT_LT(largest(VectorX(back - tau)), 1e-11 * (1 + largest(tau) + largest(vdot)));
  }
}

TEST(ForwardDynamics, EqualsTheDenseSolution) {
  Random random(28);
  for (Case& c : random_cases(28)) {
    const VectorX tau = random.vector(c.model.velocity_count(), 5);
    MatrixX M;
    VectorX bias, vdot;
    mass_matrix(c.model, c.workspace, M);
    inverse_dynamics(c.model, VectorX::Zero(c.model.velocity_count()), c.workspace, bias);
    forward_dynamics(c.model, c.q, c.v, tau, c.workspace, vdot);
    const VectorX expected = M.ldlt().solve(tau - bias);
    EXPECT_LT(largest(VectorX(vdot - expected)), 1e-9 * (1 + largest(expected)));
  }
}

TEST(ForwardDynamics, DoesNotDependOnHowTheWorldIsTurned) {
  Random random(29);
  for (int trial = 0; trial < 20; ++trial) {
    const Model model = random_tree(random, {.bodies = 12});
    const Transform X = random.transform(3);
    const Model turned = in_turned_world(model, X);
    const VectorX q = random_position(model, random), v = random.vector(model.velocity_count(), 1);
    const VectorX tau = random.vector(model.velocity_count(), 1);
    DynamicsWorkspace a(model), b(turned);
    VectorX vdot_a, vdot_b;
    forward_dynamics(model, q, v, tau, a, vdot_a);
    forward_dynamics(turned, q, v, tau, b, vdot_b);
    EXPECT_LT(largest(VectorX(vdot_a - vdot_b)), 1e-11 * (1 + largest(vdot_a)));
  }
}

TEST(ForwardDynamics, WeldedBodiesMoveAsOneBodyOfTheirJointInertia) {
  Random random(30);
  for (int trial = 0; trial < 20; ++trial) {
    const SpatialInertia first = random.inertia(), second = random.inertia();
    Joint weld;
    weld.type = JointType::fixed;
    weld.parent = 0;
    weld.X_PF = random.transform(1);
    weld.X_BM = random.transform(1);
    ModelBuilder apart, together;
    apart.set_gravity(Vec3(1, 2, -9));
    together.set_gravity(Vec3(1, 2, -9));
    apart.add_body("first", first);
    apart.add_body("second", second);
    apart.add_joint(1, weld);
    together.add_body("both", first + second.in(weld.X_PF * weld.X_BM.inverse()));
    const Model two = apart.build(), one = together.build();
    const VectorX q = random_position(one, random), v = random.vector(6, 2), tau = random.vector(6, 2);
    DynamicsWorkspace a(two), b(one);
    VectorX vdot_two, vdot_one;
    forward_dynamics(two, q, v, tau, a, vdot_two);
    forward_dynamics(one, q, v, tau, b, vdot_one);
    EXPECT_LT(largest(VectorX(vdot_two - vdot_one)), 1e-11 * (1 + largest(vdot_one)));
  }
}

TEST(SolveMass, EqualsTheDenseSolutionWithAndWithoutExtraInertia) {
  Random random(31);
  for (Case& c : random_cases(31)) {
    const int n = c.model.velocity_count();
    MatrixX M;
    mass_matrix(c.model, c.workspace, M);
    for (const bool extended : {false, true}) {
      const VectorX extra = extended ? VectorX(random.vector(n, 2).cwiseAbs()) : VectorX();
      if (extended) M.diagonal() += extra;
      const VectorX b = random.vector(n, 1), expected = M.ldlt().solve(b);
      VectorX x, in_place = b;
      factor_mass(c.model, extra, c.workspace);
      solve_mass(c.model, b, c.workspace, x);
      solve_mass(c.model, in_place, c.workspace, in_place);
      EXPECT_LT(largest(VectorX(x - expected)), 1e-10 * (1 + largest(expected)));
      EXPECT_EQ(x, in_place);
    }
  }
}

TEST(SolveMass, RestrictedToATreeTouchesNothingElse) {
  Random random(32);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (Case& c : random_cases(32)) {
    const int n = c.model.velocity_count();
    const VectorX b = random.vector(n, 1);
    VectorX x;
    factor_mass(c.model, VectorX(), c.workspace);
    solve_mass(c.model, b, c.workspace, x);
    for (int root = 0; root < c.model.body_count(); ++root) {
      if (c.model.root(root) != root) continue;
      VectorX b_tree = VectorX::Constant(n, nan), x_tree = VectorX::Constant(n, 7);
      for (int k = 0; k < n; ++k) {
        if (c.model.root(c.model.coordinate_body(k)) == root) b_tree[k] = b[k];
      }
      solve_mass_tree(c.model, root, b_tree, c.workspace, x_tree);
      for (int k = 0; k < n; ++k) {
        const bool inside = c.model.root(c.model.coordinate_body(k)) == root;
        EXPECT_EQ(x_tree[k], inside ? x[k] : 7);
      }
    }
  }
}

TEST(SolveMass, KeepsItsFactorsWhileOtherRecursionsRun) {
  Random random(33);
  Case c(random, {.bodies = 20});
  const VectorX b = random.vector(c.model.velocity_count(), 1);
  VectorX x, again, tau;
  MatrixX M;
  factor_mass(c.model, VectorX(), c.workspace);
  solve_mass(c.model, b, c.workspace, x);
  mass_matrix(c.model, c.workspace, M);
  gravity_force(c.model, c.workspace, tau);
  inverse_dynamics(c.model, b, c.workspace, tau);
  momentum_bias(c.model, c.v, c.workspace, tau);
  solve_mass(c.model, b, c.workspace, again);
  EXPECT_EQ(x, again);
}

TEST(Potential, ItsSlopeIsMinusGravityAndSprings) {
  for (Case& c : random_cases(34, 20)) {
    VectorX gravity, springs, q;
    gravity_force(c.model, c.workspace, gravity);
    spring_force(c.model, c.q, springs);
    const auto potential = [&](double t) {
      integrate(c.model, c.q, c.v, t, q);
      DynamicsWorkspace workspace(c.model);
      forward_kinematics(c.model, q, workspace);
      return potential_energy(c.model, q, workspace);
    };
    const double e = 1e-5;
    const double slope = (potential(e) - potential(-e)) / (2 * e);
    const double power = (gravity + springs).dot(c.v);
    EXPECT_NEAR(slope, -power, 1e-6 * (1 + std::abs(power) + std::abs(potential(0))));
  }
}

TEST(Potential, GravityForceIsMinusTheStaticInverseDynamics) {
  for (Case& c : random_cases(35)) {
    const VectorX still = VectorX::Zero(c.model.velocity_count());
    VectorX gravity, tau;
    gravity_force(c.model, c.workspace, gravity);
    forward_velocity(c.model, c.q, still, c.workspace);
    inverse_dynamics(c.model, still, c.workspace, tau);
    EXPECT_LT(largest(VectorX(gravity + tau)), 1e-12 * (1 + largest(tau)));
  }
}

/// Inverse dynamics without gravity, for the acceleration that transported velocities have in the body's axes.
TEST(MomentumBias, IsTheForceOfTheMotionThatTransportTellsAsStraight) {
  Random random(36);
  for (Case& c : random_cases(36)) {
    const double e = 1e-5;
    VectorX q, next, last, bias, tau, gravity;
    integrate(c.model, c.q, c.v, e, q);
    transport_velocity(c.model, c.q, q, c.v, next);
    integrate(c.model, c.q, c.v, -e, q);
    transport_velocity(c.model, c.q, q, c.v, last);
    momentum_bias(c.model, c.v, c.workspace, bias);
    inverse_dynamics(c.model, VectorX((next - last) / (2 * e)), c.workspace, tau);
    gravity_force(c.model, c.workspace, gravity);
    EXPECT_LT(largest(VectorX(bias - (tau + gravity))), 1e-7 * (1 + largest(bias)));
  }
}

TEST(MomentumBias, OfAFreeBodyIsGyroscopicAboutItsCentreOfMassAlone) {
  Random random(37);
  for (int trial = 0; trial < 50; ++trial) {
    TreeOptions options;
    options.bodies = 1;
    options.types = {JointType::free};
    Case c(random, options);
    const SpatialInertia in_M = c.model.bodies()[0].inertia.in(c.model.joints()[0].X_BM.inverse());
    const Vec3 w = c.v.head<3>();
    VectorX bias;
    momentum_bias(c.model, c.v, c.workspace, bias);
    EXPECT_LT((bias.head<3>() - w.cross(in_M.central * w)).norm(), 1e-14 * 10);
    EXPECT_LT(bias.tail<3>().norm(), 1e-14 * 10);
  }
}

}  // namespace
}  // namespace carom::recursions_test
