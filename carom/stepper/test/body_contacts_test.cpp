#include "carom/stepper/body_contacts.h"

#include <gtest/gtest.h>

#include <tuple>

#include "experiment.h"
#include "mechanisms.h"

namespace carom::body_contacts_test {
namespace {

constexpr double g = 9.81, h = 0.01;

/// Two boxes on one another on a floor: each bears the weight above it, and forces of a pair are opposite.
TEST(BodyContacts, AStackBearsWhatStandsOnIt) {
  test::SceneMaker scene(0.5);
  scene.add_static(HalfSpace{});
  const int lower = scene.add(Box{Vec3(0.2, 0.2, 0.1)}, 3, Vec3(0, 0, 0.1));
  const int upper = scene.add(Box{Vec3(0.1, 0.1, 0.1)}, 2, Vec3(0, 0, 0.3));
  Simulation simulation = scene.simulation(test::with_step(h));
  simulation.run_until(0.2);
  const StepReport& report = simulation.step();
  const Model& model = simulation.model();
  const Vec3 up = h * g * Vec3::UnitZ();
  EXPECT_LT((contact_impulse(report, upper) - 2 * up).norm(), 1e-9);
  EXPECT_LT((contact_impulse(report, upper, lower) - 2 * up).norm(), 1e-9);
  EXPECT_LT((contact_impulse(report, lower, upper) + 2 * up).norm(), 1e-9);
  EXPECT_LT((contact_impulse(report, lower) - 3 * up).norm(), 1e-9);
  EXPECT_LT((contact_impulse(report, lower, -1) - 5 * up).norm(), 1e-9);
  EXPECT_LT((contact_impulse(report, -1) + 5 * up).norm(), 1e-9);
  EXPECT_TRUE(contacts_between(model, report, upper, -1).empty());

  for (const auto& [body, other, weight] : {std::tuple{upper, lower, 2.0}, std::tuple{lower, upper, -2.0}}) {
    Vec3 sum = Vec3::Zero(), moment = Vec3::Zero();
    for (const BodyContact& contact : contacts_between(model, report, body, other)) {
      EXPECT_EQ(contact.body, body);
      EXPECT_EQ(contact.other, other);
      EXPECT_EQ(contact.name, "body1 – body2");
      EXPECT_LT((contact.normal - Vec3(0, 0, weight / 2)).norm(), 1e-9);
      EXPECT_NEAR(contact.position.z(), 0.2, 1e-3);
      EXPECT_GE(contact.normal_impulse, 0);
      EXPECT_NE(contact.mode, ContactMode::sliding);
      sum += contact.impulse();
      moment += contact.position.cross(contact.impulse());
    }
    EXPECT_LT((sum - weight * up).norm(), 1e-9);
    EXPECT_LT(moment.norm(), 1e-9);  // the load stands over the middle
  }
}

/// A flat box slides, and friction is μ times the load, against its slip.
TEST(BodyContacts, WhatSlidesIsHeldBackByItsFriction) {
  const double friction = 0.3, mass = 2;
  test::SceneMaker scene(friction);
  scene.add_static(HalfSpace{});
  const int box = scene.add(Box{Vec3(0.3, 0.3, 0.05)}, mass, Vec3(0, 0, 0.05), Vec3(2, 0, 0));
  Simulation simulation = scene.simulation(test::with_step(h));
  simulation.run_until(0.1);
  const StepReport& report = simulation.step();
  double normal = 0;
  Vec3 held_back = Vec3::Zero();
  const auto contacts = contacts_of(simulation.model(), report, box);
  ASSERT_FALSE(contacts.empty());
  for (const BodyContact& contact : contacts) {
    if (contact.normal_impulse < 1e-9) continue;
    EXPECT_EQ(contact.mode, ContactMode::sliding);
    EXPECT_EQ(contact.other, -1);
    EXPECT_LT((contact.slip - test::velocity(simulation, box)).norm(), 1e-6);
    EXPECT_NEAR(contact.friction_impulse.dot(contact.normal), 0, 1e-12);
    normal += contact.normal_impulse;
    held_back += contact.friction_impulse;
  }
  EXPECT_NEAR(normal, mass * g * h, 1e-9);
  EXPECT_LT((held_back - Vec3(-friction * mass * g * h, 0, 0)).norm(), 1e-9);
  for (const BodyContact& contact : contacts_of(simulation.model(), report, -1)) {
    if (contact.normal_impulse < 1e-9) continue;
    EXPECT_GT(contact.friction_impulse.x(), 0);  // the floor is dragged along
    EXPECT_LT(contact.slip.x(), 0);
  }
}

/// The impulses of an impact are in those of its step: m (1 + e) v beside the weight.
TEST(BodyContacts, ImpactsAreAmongThem) {
  for (const StepperKind stepper : {StepperKind::stewart_trinkle, StepperKind::semi_explicit}) {
    test::SceneMaker scene(0, 0.5, Vec3::Zero());
    scene.add_static(HalfSpace{});
    const int ball = scene.add(Sphere{0.1}, 2, Vec3(0, 0, 0.15), Vec3(0, 0, -3));
    Simulation simulation = scene.simulation(test::with_step(h, stepper, LawKind::newton));
    Vec3 sum = Vec3::Zero();
    simulation.run_until(0.1, [&](const StepReport& report) { sum += contact_impulse(report, ball); });
    EXPECT_LT((sum - Vec3(0, 0, 2 * 1.5 * 3)).norm(), 1e-9) << stepper_name(stepper);
  }
}

}  // namespace
}  // namespace carom::body_contacts_test
