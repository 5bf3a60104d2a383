// Bodies that are not convex, as unions of convex pieces, with steps that are implicit in the geometry.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "carom/geometry/implicit/implicit_solid.h"
#include "carom/geometry/test/random_shapes.h"
#include "carom/stepper/test/mechanisms.h"

namespace carom::quasi_rigid_unions_test {
namespace {

constexpr double g = 9.81;

struct Piece {
  Shape shape;
  Transform X_BS;
};

/// An L of two boxes, its corner at the origin, that share an edge's face and do not overlap.
std::vector<Piece> angle_iron() {
  return {{Box{Vec3(0.2, 0.1, 0.05)}, {Mat3::Identity(), Vec3(0.2, 0, 0.05)}},
          {Box{Vec3(0.05, 0.1, 0.15)}, {Mat3::Identity(), Vec3(0.05, 0, 0.25)}}};
}
/// Two balls on a bar.
std::vector<Piece> dumbbell() {
  const Mat3 R = Eigen::AngleAxisd(std::acos(0.0), Vec3::UnitY()).toRotationMatrix();
  return {{Sphere{0.1}, {Mat3::Identity(), Vec3(0.25, 0, 0)}},
          {Sphere{0.1}, {Mat3::Identity(), Vec3(-0.25, 0, 0)}},
          {Capsule{0.03, 0.25}, {R, Vec3::Zero()}}};
}
/// Three bodies by inequalities, around a hollow.
std::vector<Piece> implicit_pieces() {
  const auto solid = [](const Vec3& axes) {
    return ImplicitShape{std::make_shared<const ImplicitSolid>(implicit_solid({EllipsoidSurface{axes}}, Vec3::Zero()))};
  };
  std::vector<Piece> pieces;
  for (int i = 0; i < 3; ++i) {
    const Mat3 R = Eigen::AngleAxisd(2 * i * std::acos(-1.0) / 3, Vec3::UnitZ()).toRotationMatrix();
    pieces.push_back({solid(Vec3(0.12, 0.07, 0.09)), {R, R * Vec3(0.2, 0, 0)}});
  }
  return pieces;
}

struct Union {
  ModelBuilder builder;
  State state;
  SpatialInertia inertia;

  Union(const std::vector<Piece>& pieces, double density, double friction) {
    builder.set_gravity({0, 0, -g});
    const int material = builder.add_material({"stone", Vec2(friction, friction), 0.0});
    builder.add_collider({"floor", -1, HalfSpace{}, {}, material});
    add(pieces, density, material);
  }
  int add(const std::vector<Piece>& pieces, double density, int material) {
    inertia = {};
    for (const Piece& piece : pieces) inertia = inertia + shape_inertia(piece.shape, density).in(piece.X_BS);
    const int body = builder.add_body("body" + std::to_string(state.q.size()), inertia);
    for (const Piece& piece : pieces) builder.add_collider({"piece", body, piece.shape, piece.X_BS, material});
    state.q.conservativeResize(state.q.size() + 7);
    state.v.conservativeResize(state.v.size() + 6);
    place(Transform{});
    state.v.tail<6>().setZero();
    return body;
  }
  void place(const Transform& X) {
    const Quaternion turned(X.R);
    state.q.tail<7>() << turned.w(), turned.x(), turned.y(), turned.z(), X.p;
  }
  Simulation simulation(double h) const {
    Method method;
    method.stepper = StepperKind::implicit_geometry;
    method.step = h;
    return {std::make_shared<const Model>(builder.build()), method, state};
  }
};

void expect_sound(const StepReport& report) {
  ASSERT_EQ(report.status, SolveStatus::solved) << "step " << report.step;
  ASSERT_LT(report.penetration, 1e-9) << "step " << report.step;
  ASSERT_LT(report.momentum_residual, 1e-9) << "step " << report.step;
  ASSERT_LT(report.contact_certificate.cone_violation, 1e-9) << "step " << report.step;
}

TEST(QuasiRigidUnions, AnAngleIronRestsOnItsLongSide) {
  // At rest on its long side: on the corners of that side alone, and the weight where its centre of mass is.
  Union scene(angle_iron(), 1000, 0.5);
  Simulation simulation = scene.simulation(2e-3);
  for (int step = 0; step < 100; ++step) {
    const StepReport& report = simulation.step();
    expect_sound(report);
    Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
    for (const ContactReport& contact : report.contacts) {
      const Vec3 p = contact.R_WC * contact.impulse;
      force += p;
      moment += contact.position.cross(p);
    }
    const double weight = 2e-3 * scene.inertia.mass * g;
    EXPECT_NEAR(force.z(), weight, 1e-9 * weight);
    EXPECT_NEAR(-moment.y() / weight, scene.inertia.center.x(), 1e-9);
  }
  EXPECT_LT(simulation.state().v.norm(), 1e-10);
}

TEST(QuasiRigidUnions, ACornerThatTwoPiecesShareBearsOnce) {
  // On its side both boxes lie on the floor with four corners each, one of which is the same. Turned by a right angle
  // these lie on one plane to round-off alone.
  Union scene(angle_iron(), 1000, 0.5);
  scene.place({Eigen::AngleAxisd(std::acos(0.0), Vec3::UnitX()).toRotationMatrix(), Vec3(0, 0, 0.1)});
  scene.state.v << 0, 0.1, 0, 0, 0, 0;
  Simulation simulation = scene.simulation(2e-3);
  for (int step = 0; step < 100; ++step) {
    const StepReport& report = simulation.step();
    expect_sound(report);
    if (testing::Test::HasFatalFailure()) return;
    std::vector<Vec3> places;
    for (const ContactReport& contact : report.contacts) {
      for (const Vec3& place : places) EXPECT_GT((place - contact.position).norm(), 0.01);
      places.push_back(contact.position);
    }
    EXPECT_LE(places.size(), 7U);
  }
  EXPECT_LT(simulation.state().v.norm(), 1e-9);
}

TEST(QuasiRigidUnions, TheTwoEndsOfADumbbellBearHalfEach) {
  Union scene(dumbbell(), 1000, 0.5);
  scene.place({Mat3::Identity(), Vec3(0, 0, 0.1)});
  Simulation simulation = scene.simulation(2e-3);
  for (int step = 0; step < 50; ++step) {
    const StepReport& report = simulation.step();
    expect_sound(report);
    ASSERT_EQ(report.contacts.size(), 2U);
    for (const ContactReport& contact : report.contacts) {
      EXPECT_NEAR(contact.impulse.z(), 1e-3 * scene.inertia.mass * g, 1e-9);
    }
  }
}

TEST(QuasiRigidUnions, ADumbbellHangsOnAPegByItsBar) {
  // The space that the hull of the body would cover is free: the bar lies on the peg, the balls hang beside it.
  Union scene(dumbbell(), 1000, 0.8);
  const Mat3 lying = Eigen::AngleAxisd(std::acos(0.0), Vec3::UnitX()).toRotationMatrix();
  scene.builder.add_collider({"peg", -1, Cylinder{0.05, 0.5}, {lying, Vec3(0, 0, 1)}, 0});
  scene.place({Mat3::Identity(), Vec3(0, 0, 1.08)});
  Simulation simulation = scene.simulation(2e-3);
  for (int step = 0; step < 100; ++step) expect_sound(simulation.step());
  EXPECT_NEAR(simulation.state().q[6], 1.08, 1e-9);
}

class Tumbling : public testing::TestWithParam<int> {};

/// Energy that contacts may give in a step. The rate of a gap at the step's end, where it closes, differs from the
/// chord's by at most h ω² r/2. Here r is the greatest distance or radius of curvature. The impulse works at the former
/// rate.
double of_first_order(const StepReport& report, double h, double spin) {
  constexpr double r = 0.5;
  double impulse = 0;
  for (const ContactReport& contact : report.contacts) impulse += contact.impulse.z();
  return impulse * h * spin * spin * r / 2;
}

TEST_P(Tumbling, LosesEnergyAndIsSolvedInEveryStep) {
  const int kind = GetParam();
  const auto pieces = kind == 0 ? angle_iron() : kind == 1 ? dumbbell() : implicit_pieces();
  RandomShapes random(static_cast<unsigned>(20 + kind));
  for (int trial = 0; trial < 3; ++trial) {
    Union scene(pieces, 1000, 0.2 * (trial + 1));
    scene.place({random.rotation(), Vec3(0, 0, 0.7)});
    scene.state.v << 3 * random.direction(), random.direction();
    Simulation simulation = scene.simulation(2e-3);
    double energy = test::energy(simulation.model(), simulation.state());
    for (int step = 0; step < 400; ++step) {
      const double spin = simulation.state().v.head<3>().norm();
      const StepReport& report = simulation.step();
      expect_sound(report);
      if (HasFatalFailure()) return;
      ASSERT_LE(report.energy.contact_work, 1e-12 * (1 + report.energy.kinetic))
          << "trial " << trial << ", step " << step;
      const double now = test::energy(simulation.model(), simulation.state());
      const double most = of_first_order(report, 2e-3, std::max(spin, simulation.state().v.head<3>().norm()));
      ASSERT_LT(now, energy + most + 1e-10 * std::abs(energy)) << "trial " << trial << ", step " << step;
      energy = now;
    }
  }
}

std::string kind_of(const testing::TestParamInfo<int>& tested) {
  constexpr const char* names[] = {"AngleIron", "Dumbbell", "ImplicitPieces"};
  return names[tested.param];
}
INSTANTIATE_TEST_SUITE_P(QuasiRigidUnions, Tumbling, testing::Values(0, 1, 2), kind_of);

TEST(QuasiRigidUnions, OneFallsOverAnother) {
  // Dumbbells in a heap: balls and bars of one meet those of the others, between whose balls there is room.
  RandomShapes random(31);
  Union scene(dumbbell(), 1000, 0.4);
  scene.place({random.rotation(), Vec3(0, 0, 0.4)});
  for (int k = 1; k < 3; ++k) {
    scene.add(dumbbell(), 1000, 0);
    scene.place({random.rotation(), Vec3(0.03 * k, 0.02, 0.4 + 0.5 * k)});
  }
  Simulation simulation = scene.simulation(2e-3);
  for (int step = 0; step < 500; ++step) {
    const StepReport& report = simulation.step();
    expect_sound(report);
    if (testing::Test::HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace carom::quasi_rigid_unions_test
