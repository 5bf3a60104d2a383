// Bodies without moments of inertia: a mechanism of point masses moves as its equation says, under every stepper.

#include <gtest/gtest.h>

#include <cmath>

#include "carom/error.h"
#include "carom/stepper/test/experiment.h"
#include "carom/stepper/test/mechanisms.h"

namespace carom::point_masses_test {
namespace {

constexpr double g = 9.81, cart_mass = 2, bob_mass = 1, length = 0.7;

/// Cart (x) and pendulum (θ from the vertical), both points:
///   (M + m) ẍ + m L (θ̈ cos θ − θ̇² sin θ) = 0,   L θ̈ + ẍ cos θ + g sin θ = 0.
Eigen::Vector4d rate(const Eigen::Vector4d& y) {
  const double c = std::cos(y[1]), s = std::sin(y[1]);
  Mat2 M;
  M << cart_mass + bob_mass, bob_mass * length * c, c, length;
  const Vec2 acceleration = M.inverse() * Vec2(bob_mass * length * y[3] * y[3] * s, -g * s);
  return {y[2], y[3], acceleration[0], acceleration[1]};
}

Eigen::Vector4d reference(Eigen::Vector4d y, double time) {
  constexpr int steps = 2000;
  const double h = time / steps;
  for (int i = 0; i < steps; ++i) {
    const Eigen::Vector4d a = rate(y), b = rate(y + h / 2 * a), c = rate(y + h / 2 * b), d = rate(y + h * c);
    y += h / 6 * (a + 2 * b + 2 * c + d);
  }
  return y;
}

class PointMassesByStepper : public testing::TestWithParam<StepperKind> {};

TEST_P(PointMassesByStepper, CartAndPendulum) {
  ModelBuilder builder;
  builder.set_gravity({0, 0, -g});
  Material material{"surface", Vec2::Zero(), 0.0};
  material.youngs_modulus = 1e9;
  const int surface = builder.add_material(material);
  const int cart = builder.add_body("cart", {cart_mass, Vec3::Zero(), Mat3::Zero()});
  Joint slide;
  slide.type = JointType::prismatic;
  slide.X_PF.R = slide.X_BM.R = Quaternion::FromTwoVectors(Vec3::UnitZ(), Vec3::UnitX()).toRotationMatrix();
  builder.add_joint(cart, slide);
  const int bob = builder.add_body("bob", {bob_mass, Vec3(0, 0, -length), Mat3::Zero()});
  Joint hinge;
  hinge.type = JointType::revolute;
  hinge.parent = cart;
  hinge.X_PF.R = hinge.X_BM.R = Quaternion::FromTwoVectors(Vec3::UnitZ(), -Vec3::UnitY()).toRotationMatrix();
  builder.add_joint(bob, hinge);
  builder.add_collider({"tip", bob, Sphere{0}, {Mat3::Identity(), Vec3(0, 0, -length)}, surface});
  State state;
  state.q = Vec2(0, 1);
  state.v = Vec2::Zero();

  Method method;
  method.stepper = GetParam();
  if (has_impacts(method)) method.law = LawKind::plastic;
  const bool exact = GetParam() == StepperKind::event_driven || GetParam() == StepperKind::compliant;
  const bool second = GetParam() == StepperKind::variational;
  method.step = exact ? 0.01 : 0.0005;
  if (exact) method.tolerance = 1e-10;
  for (const DynamicsKind dynamics : {DynamicsKind::articulated, DynamicsKind::divide_and_conquer}) {
    method.dynamics = dynamics;
    Simulation simulation(std::make_shared<const Model>(builder.build()), method, state);
    constexpr double until = 0.5;
    test::run(simulation, until);
    const Eigen::Vector4d right = reference({0, 1, 0, 0}, until);
    const double error = exact ? 1e-7 : second ? 1e-5 : 5e-3;
    EXPECT_NEAR(simulation.state().q[0], right[0], error);
    EXPECT_NEAR(simulation.state().q[1], right[1], error);
    EXPECT_NEAR(simulation.state().v[1], right[3], 4 * error);
  }
}

/// The point of a free body has nothing that resists turning: no stepper can go on from there.
TEST_P(PointMassesByStepper, FreePointIsRefused) {
  ModelBuilder builder;
  builder.add_body("speck", {1, Vec3::Zero(), Mat3::Zero()});
  State state;
  state.q = VectorX::Zero(7);
  state.q[0] = 1;
  state.v = VectorX::Zero(6);
  Method method;
  method.stepper = GetParam();
  if (has_impacts(method)) method.law = LawKind::plastic;
  try {
    Simulation(std::make_shared<const Model>(builder.build()), method, state);
    ADD_FAILURE() << "a free point was taken";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("body 'speck' is a point mass"), std::string::npos) << error.what();
  }
}

INSTANTIATE_TEST_SUITE_P(PointMasses, PointMassesByStepper, testing::ValuesIn(all_steppers()),
                         [](const auto& kind) { return test::label(kind.param); });

}  // namespace
}  // namespace carom::point_masses_test
