// Steps that are implicit in the geometry: the paper's disc, and bodies that meet exactly at the end of a step.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "carom/complementarity/mixed/jacobian_check.h"
#include "carom/error.h"
#include "carom/geometry/test/random_shapes.h"
#include "carom/stepper/quasi_rigid/quasi_rigid_step.h"

namespace carom {
namespace {

const Vec3 gravity(0, 0, -9.81);

QuasiRigidBody moving(const Shape& shape, double mass, const Mat3& inertia) {
  return {mass, inertia, implicit_body(shape), true};
}
QuasiRigidBody ground() { return {0, Mat3::Zero(), implicit_body(HalfSpace{}), false}; }

/// The paper's unit disc of 1 kg, which falls from 1.5 m onto a layer of 1000 N/m. Without friction a ball does the
/// same.
struct Disc {
  static constexpr double h = 1e-4, stiffness = 1000, g = 9.81;
  QuasiRigidStepper stepper;

  Disc(double thickness, double damping)
      : stepper({moving(Sphere{1}, 1, 0.5 * Mat3::Identity()), ground()},
                {{0, 1, true, {stiffness, damping, thickness}, 0}}, gravity,
                {{{Mat3::Identity(), Vec3(0, 0, 1.5)}}, {}}) {}
  double height() const { return stepper.motions()[0].X_WC.p.z(); }
  double velocity() const { return stepper.motions()[0].velocity.z(); }
  const QuasiRigidContact& contact() const { return stepper.contacts()[0]; }
};

/// The same step worked out by hand: fall; or lie on the layer; or on the core, whichever holds.
struct HandStep {
  double thickness, damping;
  double y = 1.5, v = 0, deflection = 0, layer = 0, core = 0;

  void step() {
    constexpr double h = Disc::h, k = Disc::stiffness, g = Disc::g;
    const double falling = v - h * g;
    // On the layer: v⁺ = falling + h k δ + c (δ − δ₀) and δ = 1 − y − h v⁺.
    double delta = (1 - y - h * falling + h * damping * deflection) / (1 + h * (h * k + damping));
    layer = h * k * delta + damping * (delta - deflection);
    core = 0;
    if (layer < 0) {
      layer = 0;
      delta = damping * deflection / (h * k + damping);
    }
    double after = falling + layer;
    if (delta > thickness) {
      delta = thickness;
      layer = h * k * delta + damping * (delta - deflection);
      after = (1 - delta - y) / h;
      core = after - falling - layer;
    }
    deflection = delta;
    v = after;
    y += h * v;
  }
};

TEST(QuasiRigid, DiscTakesTheStepsWorkedOutByHand) {
  for (const double thickness : {0.05, 1.0}) {
    for (const double damping : {0.0, 8.0}) {
      Disc disc(thickness, damping);
      HandStep hand{thickness, damping};
      int cores = 0;
      for (int k = 0; k < 5500; ++k) {
        ASSERT_EQ(disc.stepper.step(Disc::h).status, NcpStatus::solved) << k;
        hand.step();
        ASSERT_NEAR(disc.height(), hand.y, 1e-8) << "step " << k << ", thickness " << thickness;
        ASSERT_NEAR(disc.velocity(), hand.v, 1e-6) << "step " << k;
        ASSERT_NEAR(disc.contact().layer_impulse, hand.layer, 1e-7) << "step " << k;
        ASSERT_NEAR(disc.contact().rigid_impulse, hand.core, 1e-6) << "step " << k;
        cores += hand.core > 0;
      }
      EXPECT_EQ(cores > 0, thickness < 0.1);
    }
  }
}

TEST(QuasiRigid, DiscOfFigure4TouchesLayerAndCoreWhenItMust) {
  constexpr double g = Disc::g, thickness = 0.05, fall = 0.5;
  const double touch = std::sqrt(2 * fall / g), speed = g * touch, omega = std::sqrt(Disc::stiffness);
  // On the layer x″ = g − ω² x from x = 0 with that speed; by bisection, when x = δ°.
  const auto depth = [&](double t) {
    return g / (omega * omega) * (1 - std::cos(omega * t)) + speed / omega * std::sin(omega * t);
  };
  double early = 0, late = 0.5 / omega * 2;
  while (late - early > 1e-12) (depth((early + late) / 2) < thickness ? early : late) = (early + late) / 2;
  const double core = touch + late;
  ASSERT_NEAR(touch, 0.3193, 1e-4);
  ASSERT_NEAR(core, 0.3355, 1e-4);

  Disc disc(thickness, 0);
  double first_layer = 0, first_core = 0, before = 0, after = 0;
  int core_steps = 0;
  while (disc.stepper.time() < 0.34) {
    before = core_steps == 0 ? disc.stepper.energy() : before;
    ASSERT_EQ(disc.stepper.step(Disc::h).status, NcpStatus::solved);
    if (first_layer == 0 && disc.contact().layer_impulse > 1e-9) first_layer = disc.stepper.time();
    if (disc.contact().rigid_impulse > 1e-6) {
      if (first_core == 0) first_core = disc.stepper.time();
      ++core_steps;
      after = disc.stepper.energy();
    }
  }
  EXPECT_NEAR(first_layer, touch, 2 * Disc::h);
  EXPECT_NEAR(first_core, core, 2 * Disc::h);
  EXPECT_EQ(core_steps, 2);  // the first lands on the core, the second stops the disc there
  // The core takes all of the kinetic energy, ½ v² at depth δ°, to the order of a step.
  const double speed_squared = speed * speed + 2 * g * thickness - Disc::stiffness * thickness * thickness;
  EXPECT_NEAR(before - after, speed_squared / 2, 0.01 * speed_squared);
}

TEST(QuasiRigid, DiscOfFigure5KeepsItsEnergyAndComesBack) {
  Disc disc(1.0, 0);
  double highest = 0, loss = 0;
  int on_layer = 0;
  for (int k = 0; k < 8000; ++k) {
    const double energy = disc.stepper.energy(), velocity = disc.velocity(), deflection = disc.contact().deflection;
    ASSERT_EQ(disc.stepper.step(Disc::h).status, NcpStatus::solved) << k;
    ASSERT_EQ(disc.contact().rigid_impulse, 0);
    // Backward Euler loses ½ m (Δv)² + ½ k (Δδ)² in a step, exactly, and nothing else is lost but where contact begins
    // or ends within a step.
    const double change = disc.velocity() - velocity, bend = disc.contact().deflection - deflection;
    const double lost = energy - disc.stepper.energy();
    const double known = 0.5 * change * change + 0.5 * Disc::stiffness * bend * bend;
    const bool begins_or_ends = (deflection > 1e-9) != (disc.contact().deflection > 1e-9);
    if (begins_or_ends) {
      ASSERT_GT(lost, -1e-9) << k;
    } else {
      ASSERT_NEAR(lost, known, 1e-8) << k;
    }
    on_layer += deflection > 1e-9;
    loss += lost;
    if (disc.stepper.time() > 0.5) highest = std::max(highest, disc.height());
  }
  EXPECT_GT(on_layer, 900);      // of a contact that lasts about π/ω = 0.1 s
  EXPECT_LT(loss / 8000, 2e-5);  // the paper: of the order of 1e-5 J in a step
  EXPECT_NEAR(highest, 1.5, 0.02);
}

TEST(QuasiRigid, RigidBodiesEndStepsInContactExactly) {
  // Two ellipsoids collide: the gap at the end of every step is that of contact_points, which knows no inequality.
  Random random(7);
  int struck = 0;
  for (int trial = 0; trial < 20; ++trial) {
    const Ellipsoid a = random.ellipsoid(), b = random.ellipsoid();
    const Vec3 apart = 1.2 * random.direction();
    const Mat3 R_WA = random.rotation(), R_WB = random.rotation();
    QuasiRigidStepper stepper(
        {moving(a, 2, shape_inertia(a, 2 / shape_inertia(a, 1).mass).central),
         moving(b, 3, shape_inertia(b, 3 / shape_inertia(b, 1).mass).central)},
        {{0, 1}}, Vec3::Zero(),
        {{{R_WA, apart}, -4 * apart, random.direction()}, {{R_WB, Vec3::Zero()}, Vec3::Zero(), random.direction()}});
    const auto momentum = [&] { return Vec3(2 * stepper.motions()[0].velocity + 3 * stepper.motions()[1].velocity); };
    const Vec3 before = momentum();
    const double energy = stepper.energy();
    bool met = false;
    for (int k = 0; k < 250; ++k) {
      ASSERT_EQ(stepper.step(1e-3).status, NcpStatus::solved) << trial << ", " << k;
      const QuasiRigidContact& contact = stepper.contacts()[0];
      const double gap = nearest(points_of(a, stepper.motions()[0].X_WC, b, stepper.motions()[1].X_WC,
                                           std::numeric_limits<double>::infinity()))
                             .gap;
      ASSERT_NEAR(contact.gap, gap, 1e-8) << trial << ", " << k;
      ASSERT_GE(gap, -1e-8);
      if (contact.rigid_impulse > 1e-6) {
        met = true;
        ASSERT_NEAR(gap, 0, 1e-8);
      }
    }
    struck += met;
    // Inelastic. In flight the explicit gyroscopic term makes energy of the order of h, of spins of some 0.1 J.
    if (met) {
      EXPECT_LT(stepper.energy(), energy) << trial;
    }
    EXPECT_LT((momentum() - before).norm(), 1e-8);
  }
  EXPECT_GT(struck, 15);
}

/// An ellipsoid of 1 kg, semi-axes 0.3, 0.2, 0.1 m, rocks about y on a frictionless floor: by Lagrange's equation for
/// its angle alone, as its centre is at the height H(θ) = √(a² sin² θ + c² cos² θ) and has no reason to move sideways.
struct Rocking {
  static constexpr double a = 0.3, c = 0.1, start = 0.1, inertia = (a * a + c * c) / 5;

  static double height(double t) {
    return std::sqrt(a * a * std::pow(std::sin(t), 2) + c * c * std::pow(std::cos(t), 2));
  }
  static double slope(double t) { return (a * a - c * c) * std::sin(2 * t) / (2 * height(t)); }
  static double bend(double t) { return ((a * a - c * c) * std::cos(2 * t) - slope(t) * slope(t)) / height(t); }
  static double acceleration(double t, double rate) {
    return -slope(t) * (bend(t) * rate * rate + Disc::g) / (inertia + slope(t) * slope(t));
  }
  /// θ after a time, by the classical method of Runge and Kutta.
  static double angle(double time) {
    constexpr int steps = 3000;
    const double h = time / steps;
    double t = start, w = 0;
    for (int k = 0; k < steps; ++k) {
      const double w1 = w, a1 = acceleration(t, w1);
      const double w2 = w + h / 2 * a1, a2 = acceleration(t + h / 2 * w1, w2);
      const double w3 = w + h / 2 * a2, a3 = acceleration(t + h / 2 * w2, w3);
      const double w4 = w + h * a3, a4 = acceleration(t + h * w3, w4);
      t += h / 6 * (w1 + 2 * w2 + 2 * w3 + w4);
      w += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
    return t;
  }
  /// The same by steps of length h.
  static double stepped(double time, double h) {
    const Ellipsoid shape{Vec3(a, 0.2, c)};
    QuasiRigidStepper stepper(
        {moving(shape, 1, shape_inertia(shape, 1 / shape_inertia(shape, 1).mass).central), ground()}, {{0, 1}}, gravity,
        {{{exponential(start * Vec3::UnitY()).toRotationMatrix(), Vec3(0, 0, height(start))}}, {}});
    for (int k = static_cast<int>(std::lround(time / h)); k > 0; --k) {
      EXPECT_EQ(stepper.step(h).status, NcpStatus::solved);
      EXPECT_GT(stepper.contacts()[0].rigid_impulse, 0);
      EXPECT_NEAR(stepper.contacts()[0].gap, 0, 1e-9);
    }
    const Transform& X = stepper.motions()[0].X_WC;
    const double angle = std::atan2(X.R(0, 2), X.R(0, 0));
    EXPECT_NEAR(X.p.z(), height(angle), 1e-9);
    EXPECT_LT(X.p.head<2>().norm(), 1e-9);
    return angle;
  }
};

TEST(QuasiRigid, EllipsoidRocksAsLagrangesEquationSaysToFirstOrder) {
  const double time = 0.3, exact = Rocking::angle(time);
  const double coarse = Rocking::stepped(time, 1e-3) - exact, fine = Rocking::stepped(time, 5e-4) - exact;
  EXPECT_LT(std::abs(fine), 0.01);
  EXPECT_NEAR(coarse / fine, 2, 0.2);
}

TEST(QuasiRigid, JacobianIsThatOfDifferences) {
  Random random(8);
  for (int trial = 0; trial < 20; ++trial) {
    const std::vector<QuasiRigidBody> bodies = {
        {2, Vec3(0.1, 0.2, 0.25).asDiagonal(), implicit_body(random.ellipsoid()), true},
        {1, Vec3(0.3, 0.2, 0.15).asDiagonal(), superquadric(Vec3(0.3, 0.2, 0.4), Vec3(4, 2, 3)), true},
        ground()};
    const QuasiRigidProblem problem(bodies, {{0, 1, true, {1000, 5, 0.02}, 0.01}, {1, 2}}, gravity);
    std::vector<QuasiRigidMotion> start(3), scratch;
    for (int i = 0; i < 2; ++i) start[i] = {random.pose(0.5), random.direction(), 3 * random.direction()};
    const int n = problem.size();
    VectorX z(n);
    for (int i = 0; i < n; ++i) z[i] = random.between(0.1, 0.9);
    const VectorX lower = problem.lower(), upper = VectorX::Constant(n, std::numeric_limits<double>::infinity());
    constexpr double h = 0.05;
    const MixedNcp ncp{.lower = lower,
                       .upper = upper,
                       .function =
                           [&](const MixedNcp::Input& x, Eigen::Ref<VectorX> F) {
                             problem.residual(start, h, x, scratch, F);
                             return true;
                           },
                       .dense_jacobian =
                           [&](const MixedNcp::Input& x, Eigen::Ref<MatrixX> J) {
                             problem.jacobian(start, h, x, scratch, J);
                             return true;
                           },
                       .sparse_jacobian = {}};
    const JacobianReport report = check_jacobian(ncp, z);
    EXPECT_TRUE(report.agrees) << report.sentence;
  }
}

TEST(QuasiRigid, RefusesWhatMakesNoSense) {
  const std::vector<QuasiRigidBody> bodies = {moving(Sphere{1}, 1, Mat3::Identity()), ground()};
  const auto complaint = [&](const QuasiRigidPair& pair) -> std::string {
    try {
      const QuasiRigidProblem problem(bodies, {pair}, gravity);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(complaint({0, 0}).find("two different bodies"), std::string::npos);
  EXPECT_NE(complaint({0, 2}).find("numbered from 0 to 1"), std::string::npos);
  EXPECT_NE(complaint({0, 1, true, {0, 0, 1}}).find("stiffness"), std::string::npos);
  EXPECT_NE(complaint({0, 1, true, {1, -1, 1}}).find("damping"), std::string::npos);
  EXPECT_NE(complaint({0, 1, true, {1, 0, 0}}).find("thickness"), std::string::npos);
}

}  // namespace
}  // namespace carom
