// Layers by the area of their patch: a Winkler foundation under boxes, prisms and cylinders, whatever their corners.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "carom/stepper/quasi_rigid/contact_patches.h"
#include "carom/stepper/quasi_rigid/quasi_rigid_data.h"
#include "carom/stepper/test/mechanisms.h"

namespace carom::contact_patch_test {
namespace {

constexpr double g = 9.81, k = 2e6;  // N/m³

Method quasi_rigid(double h) {
  Method method;
  method.stepper = StepperKind::quasi_rigid;
  method.step = h;
  method.quasi_rigid.slip = SlipKinematics::of_layers;
  return method;
}

Material soft(double spacing, double damping = 0, double friction = 0.5) {
  Material material{"soft", Vec2(friction, friction), 0.0};
  Layer layer;
  layer.stiffness = Vec3(k, k, k).asDiagonal();
  layer.damping = Vec3(damping, damping, damping).asDiagonal();
  layer.sideways = true;
  layer.patch_spacing = spacing;
  material.layer = layer;
  return material;
}

/// A body on a floor; the layer is the body's or the floor's.
struct OnFloor {
  ModelBuilder builder;
  State state;

  OnFloor(const Shape& shape, double mass, const Transform& pose, const Material& material, bool of_body) {
    builder.set_gravity({0, 0, -g});
    Material hard = material;
    hard.name = "hard";
    hard.layer.reset();
    const int yields = builder.add_material(material), stone = builder.add_material(hard);
    const int body = builder.add_body("body", test::solid(shape, mass));
    builder.add_collider({"shape", body, shape, {}, of_body ? yields : stone});
    builder.add_collider({"floor", -1, HalfSpace{}, {}, of_body ? stone : yields});
    const Quaternion turned(pose.R);
    state.q.resize(7);
    state.q << turned.w(), turned.x(), turned.y(), turned.z(), pose.p;
    state.v.setZero(6);
  }
  Simulation simulation(const Method& method) const {
    return {std::make_shared<const Model>(builder.build()), method, state};
  }
};

/// A prism about z on a regular polygon.
Shape prism(int corners, double radius, double half_height) {
  std::vector<Vec3> points;
  for (int i = 0; i < corners; ++i) {
    const double angle = 2 * std::numbers::pi * i / corners;
    for (const double z : {-half_height, half_height}) {
      points.emplace_back(radius * std::cos(angle), radius * std::sin(angle), z);
    }
  }
  return ConvexMesh{std::make_shared<const Polyhedron>(convex_hull(points))};
}
double polygon_area(int corners, double radius) {
  return 0.5 * corners * radius * radius * std::sin(2 * std::numbers::pi / corners);
}
/// ∫ y² dA of a regular polygon, the same about any axis through its centre.
double polygon_moment(int corners, double radius) {
  const double turn = 2 * std::numbers::pi / corners;
  return corners * std::pow(radius, 4) / 24 * std::sin(turn) * (2 + std::cos(turn));
}

struct Standing {
  std::string name;
  Shape shape;
  double area, moment, half_height;
};
std::vector<Standing> standing_bodies() {
  std::vector<Standing> bodies{
      {"box", Box{Vec3(0.2, 0.15, 0.1)}, 0.12, 0.4 * std::pow(0.3, 3) / 12, 0.1},
      {"cylinder", Cylinder{0.15, 0.1}, std::numbers::pi * 0.0225, std::numbers::pi * std::pow(0.15, 4) / 4, 0.1}};
  for (const int corners : {3, 5, 7, 12}) {
    bodies.push_back({"prism of " + std::to_string(corners), prism(corners, 0.2, 0.1), polygon_area(corners, 0.2),
                      polygon_moment(corners, 0.2), 0.1});
  }
  return bodies;
}

TEST(ContactPatch, RestsWhereThePressureBearsTheWeight) {
  const double mass = 30;
  for (const Standing& body : standing_bodies()) {
    const double sunk = mass * g / (k * body.area);
    for (const double spacing : {1.0, 0.06}) {
      for (const bool of_body : {true, false}) {
        const OnFloor scene(body.shape, mass, {Mat3::Identity(), Vec3(0, 0, body.half_height - sunk)}, soft(spacing),
                            of_body);
        Simulation simulation = scene.simulation(quasi_rigid(1e-3));
        for (int step = 0; step < 20; ++step) {
          const StepReport& report = simulation.step();
          ASSERT_EQ(report.status, SolveStatus::solved) << body.name;
          Vec3 sum = Vec3::Zero();
          for (const ContactReport& contact : report.contacts) sum += contact.R_WC * contact.impulse;
          ASSERT_NEAR(sum.z(), 1e-3 * mass * g, 1e-10) << body.name << ' ' << spacing;
          ASSERT_LT(sum.head<2>().norm(), 1e-10) << body.name;
        }
        EXPECT_NEAR(test::position(simulation, 0).z(), body.half_height - sunk, 1e-11) << body.name;
        EXPECT_LT(simulation.state().v.norm(), 1e-9) << body.name;
      }
    }
  }
}

TEST(ContactPatch, ResistsATiltByTheSecondMomentOfItsArea) {
  // The step is so short that the body hardly moves: forces are those of its initial pose.
  const double mass = 30, tilt = 1e-4, depth = 1e-3, h = 1e-7;
  for (const Standing& body : standing_bodies()) {
    for (const double spacing : {1.0, 0.05}) {
      for (const Vec3& axis : {Vec3(1, 0, 0), Vec3(0.6, 0.8, 0)}) {
        const bool is_box = body.name == "box";
        if (is_box && axis.y() != 0) continue;
        const Transform pose{Eigen::AngleAxisd(tilt, axis).toRotationMatrix(), Vec3(0, 0, body.half_height - depth)};
        const OnFloor scene(body.shape, mass, pose, soft(spacing, 0, 0), true);
        Simulation simulation = scene.simulation(quasi_rigid(h));
        const StepReport& report = simulation.step();
        ASSERT_EQ(report.status, SolveStatus::solved);
        Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
        const Vec3 center = pose * Vec3(0, 0, -body.half_height);
        for (const ContactReport& contact : report.contacts) {
          const Vec3 f = contact.R_WC * contact.impulse / h;
          force += f;
          moment += (contact.position - center).cross(f);
        }
        const double pressed = body.half_height * std::cos(tilt) - pose.p.z();
        EXPECT_NEAR(force.z(), k * body.area * pressed, 1e-6 * force.z()) << body.name;
        EXPECT_NEAR(moment.dot(axis), -k * tilt * body.moment, 1e-6 * k * tilt * body.moment)
            << body.name << ' ' << spacing;
        EXPECT_NEAR((moment - moment.dot(axis) * axis).norm(), 0, 1e-6 * k * tilt * body.moment) << body.name;
      }
    }
  }
}

TEST(ContactPatch, NodesKeepTheirNamesAndARunThatIsResumedItsBits) {
  const OnFloor scene(Box{Vec3(0.2, 0.15, 0.1)}, 30, {Mat3::Identity(), Vec3(0, 0, 0.1)}, soft(0.06, 2e3), false);
  Simulation simulation = scene.simulation(quasi_rigid(2e-3));
  std::set<int> names;
  State middle;
  for (int step = 0; step < 100; ++step) {
    simulation.step();
    if (step == 49) middle = simulation.state();
    if (step < 20) continue;
    std::set<int> here;
    for (const ContactMemory& memory : simulation.state().contacts) here.insert(memory.id.feature);
    if (names.empty()) names = here;
    EXPECT_EQ(here, names) << step;
  }
  EXPECT_EQ(names.size(), 8U * 6U);  // 4 cells of two nodes by 3
  Simulation again(std::make_shared<const Model>(scene.builder.build()), quasi_rigid(2e-3), middle);
  for (int step = 50; step < 100; ++step) again.step();
  EXPECT_TRUE(identical(again.state(), simulation.state()));
}

TEST(ContactPatch, ADroppedBoxComesToRestAtItsHeight) {
  const double mass = 30, area = 0.12;
  Material material = soft(0.08, 2e4, 0.4);
  material.layer->thickness = 0.02;
  const Mat3 R = Eigen::AngleAxisd(0.1, Vec3(1, 2, 0).normalized()).toRotationMatrix();
  const OnFloor scene(Box{Vec3(0.2, 0.15, 0.1)}, mass, {R, Vec3(0, 0, 0.17)}, material, true);
  Simulation simulation = scene.simulation(quasi_rigid(1e-3));
  double energy = test::energy(simulation.model(), simulation.state());
  for (int step = 0; step < 1500; ++step) {
    const StepReport& report = simulation.step();
    ASSERT_EQ(report.status, SolveStatus::solved) << step;
    ASSERT_LT(report.momentum_residual, 1e-9) << step;
    for (const ContactMemory& memory : simulation.state().contacts) {
      ASSERT_LE(memory.deflection[0].z(), 0.02 + 1e-12) << "the core";
    }
    const double now = report.energy.kinetic + report.energy.potential;
    ASSERT_LT(now, energy + 1e-9) << step;
    energy = now;
  }
  EXPECT_NEAR(test::position(simulation, 0).z(), 0.1 - mass * g / (k * area), 1e-6);
  EXPECT_LT(simulation.state().v.norm(), 1e-5);
}

TEST(ContactPatch, OnlyWhatLiesOverTheOthersFaceBears) {
  // Two boxes of one size, one over half of the other: half the area. And a small one within the face of a greater one:
  // all of it, whichever is on top.
  const double depth = 1e-3, h = 1e-6;
  struct Case {
    Vec3 lower, upper;
    double offset, area;
  };
  for (const Case& c :
       {Case{{0.2, 0.1, 0.1}, {0.2, 0.1, 0.1}, 0.2, 0.04}, Case{{0.5, 0.5, 0.1}, {0.2, 0.1, 0.1}, 0.1, 0.08},
        Case{{0.2, 0.1, 0.1}, {0.5, 0.5, 0.1}, 0.1, 0.08}}) {
    ModelBuilder builder;
    const int material = builder.add_material(soft(0.05));
    const int body = builder.add_body("upper", test::solid(Box{c.upper}, 1e3));
    builder.add_collider({"upper", body, Box{c.upper}, {}, material});
    builder.add_collider({"lower", -1, Box{c.lower}, {}, material});
    State state;
    state.q.resize(7);
    state.q << 1, 0, 0, 0, Vec3(c.offset, 0, c.lower.z() + c.upper.z() - depth);
    state.v.setZero(6);
    Simulation simulation(std::make_shared<const Model>(builder.build()), quasi_rigid(h), state);
    const StepReport& report = simulation.step();
    ASSERT_EQ(report.status, SolveStatus::solved);
    double force = 0;
    for (const ContactReport& contact : report.contacts) force += contact.impulse.z() / h;
    EXPECT_NEAR(force, k / 2 * c.area * depth, 1e-6 * force) << "two layers in series";
  }
}

TEST(ContactPatch, ATumblingBoxGainsNothing) {
  // Without dampers, on the plane of a floor: nodes alone, which no detector renames.
  Material material = soft(0.1, 0, 0.3);
  const Mat3 R = Eigen::AngleAxisd(0.4, Vec3(1, 1, 0).normalized()).toRotationMatrix();
  OnFloor scene(Box{Vec3(0.2, 0.15, 0.1)}, 30, {R, Vec3(0, 0, 0.3)}, material, false);
  scene.state.v << 3, 1, 0.5, 1, 0, 0;
  Simulation simulation = scene.simulation(quasi_rigid(1e-3));
  double energy = test::energy(simulation.model(), simulation.state());
  const double scale = energy;
  for (int step = 0; step < 600; ++step) {
    const StepReport& report = simulation.step();
    ASSERT_EQ(report.status, SolveStatus::solved) << step;
    ASSERT_LE(report.energy.contact_work, 1e-12 * scale) << step;
    const double now = report.energy.kinetic + report.energy.potential;
    ASSERT_LE(now, energy + 1e-9 * scale) << step;
    energy = now;
  }
}

TEST(ContactPatch, NodesThatComeInSidewaysBringNoEnergyAndTakeOverTheLoad) {
  // A long slab slides without friction over pads, off the ones and on to the next; columns of nodes come and go.
  const double mass = 500, h = 2e-4, width = 0.25, pad = 0.2, stiff = 3e7, speed = 4;
  Material soft_pad = soft(0.1, 0, 0);
  soft_pad.layer->stiffness = Vec3(stiff, stiff, stiff).asDiagonal();
  ModelBuilder builder;
  builder.set_gravity({0, 0, -g});
  const int yields = builder.add_material(soft_pad), steel = builder.add_material({"steel", Vec2::Zero(), 0.0});
  const Shape slab = Box{Vec3(1, width, 0.05)};
  builder.add_collider({"slab", builder.add_body("slab", test::solid(slab, mass)), slab, {}, steel});
  for (const double x : {-1.2, -0.4, 0.4, 1.2}) {
    builder.add_collider(
        {"pad at " + std::to_string(x), -1, Box{Vec3(pad, 0.3, 0.1)}, {Mat3::Identity(), Vec3(x, 0, -0.1)}, yields});
  }
  const double sag = mass * g / (stiff * 2 * (2 * pad) * (2 * width));  // on the two in the middle
  State state;
  state.q.resize(7);
  state.q << 1, 0, 0, 0, -0.15, 0, 0.05 - sag;
  state.v.resize(6);
  state.v << 0, 0, 0, speed, 0, 0;
  const auto model = std::make_shared<const Model>(builder.build());
  Simulation simulation(model, quasi_rigid(h), state);
  std::set<int> seen;
  State halfway;
  const int steps = 300, middle = 150;
  for (int step = 0; step < steps; ++step) {
    const StepReport& report = simulation.step();
    ASSERT_EQ(report.status, SolveStatus::solved) << step;
    ASSERT_LE(report.energy.contact_work, 0) << step;
    ASSERT_LT(0.05 - simulation.state().q[6], 2 * sag) << step << ": it sinks";
    for (const ContactReport& contact : report.contacts) seen.insert(contact.id.b);
    if (step == middle) halfway = simulation.state();
  }
  // A layer with slack is told by the state alone.
  Simulation resumed(model, quasi_rigid(h), halfway);
  for (int step = middle + 1; step < steps; ++step) static_cast<void>(resumed.step());
  EXPECT_EQ(resumed.state().q, simulation.state().q);
  EXPECT_EQ(resumed.state().v, simulation.state().v);
  EXPECT_EQ(seen.size(), 4) << "off the first and on to the last";
}

TEST(ContactPatch, AStateOfAnotherModelHasNodesOfNoArea) {
  const OnFloor fine(Box{Vec3(0.2, 0.15, 0.1)}, 30, {Mat3::Identity(), Vec3(0, 0, 0.099)}, soft(0.03), true);
  Simulation simulation = fine.simulation(quasi_rigid(1e-3));
  simulation.step();
  const State state = simulation.state();
  ASSERT_GT(state.contacts.size(), 50U);
  OnFloor coarse(Box{Vec3(0.2, 0.15, 0.1)}, 30, {}, soft(1), true);
  const Model model = coarse.builder.build();
  const ContactPatches patches(model, true);
  for (const ContactMemory& memory : state.contacts) {
    ASSERT_GE(memory.id.node(), 24);
    EXPECT_EQ(patches.share(memory.id), 0);
  }
  EXPECT_GT(patches.share({0, 1, ContactId::of_node(23)}), 0);
  coarse.state = state;
  EXPECT_EQ(coarse.simulation(quasi_rigid(1e-3)).step().status, SolveStatus::solved);
}

std::string first_fault(const Shape& shape, const Material& of_shape, const Material& of_floor) {
  ModelBuilder builder;
  const int body = builder.add_body("body", test::solid(Sphere{0.1}, 1));
  builder.add_collider({"thing", body, shape, {}, builder.add_material(of_shape)});
  builder.add_collider({"floor", -1, HalfSpace{}, {}, builder.add_material(of_floor)});
  const auto faults = quasi_rigid_data_faults(builder.build(), quasi_rigid(1e-3));
  return faults.empty() ? "" : faults.front();
}

TEST(ContactPatch, WhatHasNoPatchIsRefusedWithASentence) {
  Material stone{"stone", Vec2(0.5, 0.5), 0.0}, point = soft(0.1);
  point.layer->patch_spacing = 0;
  EXPECT_EQ(first_fault(Box{Vec3(0.1, 0.1, 0.1)}, stone, soft(0.1)), "");
  EXPECT_NE(first_fault(Sphere{0.1}, stone, soft(0.1)).find("'thing' (sphere)"), std::string::npos);
  EXPECT_NE(first_fault(Box{Vec3(0.1, 0.1, 0.1)}, point, soft(0.1)).find("give both a patch"), std::string::npos);
  for (const Shape& shape : {Shape(Box{Vec3(0.1, 0.1, 0.1)}), prism(5, 0.2, 0.1), Shape(Cylinder{0.15, 0.1})}) {
    EXPECT_EQ(first_fault(shape, stone, soft(0.01)), "") << shape_name(shape);
    for (const double spacing : {2e-3, 1e-6, 1e-12}) {
      EXPECT_NE(first_fault(shape, stone, soft(spacing)).find("greater spacing"), std::string::npos)
          << shape_name(shape) << ' ' << spacing;
    }
  }
}

}  // namespace
}  // namespace carom::contact_patch_test
