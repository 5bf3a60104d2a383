#include "carom/dynamics/discrete_momentum.h"

#include <gtest/gtest.h>

#include "carom/dynamics/joint_kinematics.h"
#include "carom/dynamics/multiply_mass.h"
#include "carom/dynamics/recursions.h"
#include "testing/models/random_tree.h"

namespace carom::discrete_momentum_test {
namespace {

double kinetic(const Model& model, const VectorX& q, const VectorX& v, DynamicsWorkspace& workspace) {
  forward_kinematics(model, q, workspace);
  forward_velocity(model, q, v, workspace);
  return kinetic_energy(model, workspace);
}

/// h L at the middle of the motion from q0 to q1: the definition, by difference, integrate and the energies.
double discrete_lagrangian(const Model& model, const VectorX& q0, const VectorX& q1, double h) {
  DynamicsWorkspace workspace(model);
  VectorX w, q, v;
  difference(model, q0, q1, w);
  w /= h;
  integrate(model, q0, w, 0.5 * h, q);
  transport_velocity(model, q0, q, w, v);
  const double T = kinetic(model, q, v, workspace);
  return h * (T - potential_energy(model, q, workspace));
}

/// Slope of f along every unit velocity at q, by Richardson's extrapolation of central differences.
template <typename F>
VectorX slope_along(const Model& model, const VectorX& q, F&& f) {
  VectorX slope(model.velocity_count()), moved;
  for (int k = 0; k < model.velocity_count(); ++k) {
    const VectorX unit = VectorX::Unit(model.velocity_count(), k);
    const auto central = [&](double d) {
      integrate(model, q, unit, d, moved);
      const double ahead = f(moved);
      integrate(model, q, unit, -d, moved);
      return (ahead - f(moved)) / (2 * d);
    };
    slope[k] = (4 * central(1e-3) - central(2e-3)) / 3;
  }
  return slope;
}

Model tree(Random& random) {
  TreeOptions options;
  options.bodies = 6;
  options.springs = 5;
  return random_tree(random, options);
}

TEST(DiscreteMomentum, IsTheSlopeOfTheKineticEnergy) {
  for (int seed = 0; seed < 40; ++seed) {
    Random random(seed);
    const Model model = tree(random);
    const VectorX q = random_position(model, random), v = random.vector(model.velocity_count(), 2);
    DynamicsWorkspace workspace(model);
    VectorX momentum, slope, expected;
    const double size = kinetic(model, q, v, workspace);
    kinetic_slopes(model, v, workspace, momentum, slope);
    multiply_mass(model, v, workspace, expected);
    EXPECT_LT((momentum - expected).norm(), 1e-12 * (1 + expected.norm())) << seed;
    const VectorX by_difference =
        slope_along(model, q, [&](const VectorX& moved) { return kinetic(model, moved, v, workspace); });
    EXPECT_LT((slope - by_difference).norm(), 1e-7 * (1 + size)) << seed;
  }
}

/// p⁺ = D₂ L_d and p⁻ = −D₁ L_d, for every type of joint. Turns in the step are up to a radian or two.
TEST(DiscreteMomentum, IsTheSlopeOfTheDiscreteLagrangian) {
  for (int seed = 0; seed < 40; ++seed) {
    Random random(seed);
    const Model model = tree(random);
    const double h = random.uniform(0.1, 0.7);
    const VectorX q0 = random_position(model, random), w = random.vector(model.velocity_count(), 2);
    VectorX q_m, q1, v, momentum, slope, force, gravity, p;
    integrate(model, q0, w, 0.5 * h, q_m);
    integrate(model, q0, w, h, q1);
    transport_velocity(model, q0, q_m, w, v);
    DynamicsWorkspace workspace(model);
    kinetic(model, q_m, v, workspace);
    kinetic_slopes(model, v, workspace, momentum, slope);
    spring_force(model, q_m, force);
    gravity_force(model, workspace, gravity);
    force += gravity;
    MidpointMomentum at_middle;
    midpoint_momentum(model, v, h, momentum, slope, force, at_middle);

    const VectorX by_end =
        slope_along(model, q1, [&](const VectorX& moved) { return discrete_lagrangian(model, q0, moved, h); });
    p = at_middle.mean + 0.5 * at_middle.impulse;
    transport_momentum(model, q_m, q1, p, p);
    EXPECT_LT((p - by_end).norm(), 1e-7 * (1 + p.norm())) << seed;

    const VectorX by_start =
        slope_along(model, q0, [&](const VectorX& moved) { return discrete_lagrangian(model, moved, q1, h); });
    p = at_middle.mean - 0.5 * at_middle.impulse;
    transport_momentum(model, q_m, q0, p, p);
    EXPECT_LT((p + by_start).norm(), 1e-7 * (1 + p.norm())) << seed;
  }
}

TEST(DiscreteMomentum, TransportKeepsThePairingWithVelocities) {
  for (int seed = 0; seed < 20; ++seed) {
    Random random(seed);
    const Model model = tree(random);
    const VectorX q = random_position(model, random), to = random_position(model, random);
    const VectorX v = random.vector(model.velocity_count(), 2), p = random.vector(model.velocity_count(), 2);
    VectorX v_to, p_to;
    transport_velocity(model, q, to, v, v_to);
    transport_momentum(model, q, to, p, p_to);
    EXPECT_NEAR(p_to.dot(v_to), p.dot(v), 1e-12 * (1 + p.norm() * v.norm())) << seed;
  }
}

}  // namespace
}  // namespace carom::discrete_momentum_test
