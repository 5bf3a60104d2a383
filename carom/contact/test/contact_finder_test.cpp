#include "carom/contact/contact_finder.h"

#include <gtest/gtest.h>

#include "carom/contact/contact.h"
#include "carom/contact/crossing.h"
#include "carom/dynamics/recursions.h"

namespace carom::contact_finder_test {
namespace {

SpatialInertia unit_ball() { return {1, Vec3::Zero(), 0.4 * Mat3::Identity()}; }

/// A floor (the first collider) and two free balls of radius 0.1.
struct Balls {
  Balls() {
    ModelBuilder builder;
    const int material = builder.add_material({"surface", Vec2(0.3, 0.3), 0});
    builder.add_collider({"floor", -1, HalfSpace{}, {}, material});
    for (const char* name : {"first", "second"}) {
      const int body = builder.add_body(name, unit_ball());
      builder.add_collider({name, body, Sphere{0.1}, {}, material});
    }
    model = std::make_shared<const Model>(builder.build());
    q = model->neutral_position();
  }
  void place(int ball, const Vec3& position) { q.segment<3>(7 * ball + 4) = position; }

  std::shared_ptr<const Model> model;
  VectorX q;
};

TEST(ContactFinder, PointsFromBTowardsAAndMovesA) {
  Balls balls;
  balls.place(0, Vec3(0, 0, 0.09));
  balls.place(1, Vec3(0.15, 0, 0.5));
  DynamicsWorkspace workspace(*balls.model);
  forward_kinematics(*balls.model, balls.q, workspace);
  ContactFinder finder(*balls.model);
  const auto& contacts = finder.find(*balls.model, balls.q, workspace.X_WB, 0);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_EQ(contacts[0].body_a, 0);  // the ball, though the floor is the first collider
  EXPECT_EQ(contacts[0].body_b, -1);
  EXPECT_NEAR(contacts[0].gap, -0.01, 1e-15);
  EXPECT_LT((contacts[0].R_WC.col(2) - Vec3::UnitZ()).norm(), 1e-15);
  EXPECT_LT((contacts[0].p_WA - Vec3(0, 0, -0.01)).norm(), 1e-15);
  EXPECT_LT((contacts[0].p_WB - Vec3(0, 0, 0)).norm(), 1e-15);
}

TEST(ContactFinder, FindsByNameWhatItFoundBySearch) {
  Balls balls;
  balls.place(0, Vec3(0, 0, 0.1));
  balls.place(1, Vec3(0.1, 0.1, 0.19));
  DynamicsWorkspace workspace(*balls.model);
  forward_kinematics(*balls.model, balls.q, workspace);
  ContactFinder finder(*balls.model);
  const std::vector<Contact> contacts = finder.find(*balls.model, balls.q, workspace.X_WB, 1);
  ASSERT_EQ(contacts.size(), 3u);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (i > 0) {
      EXPECT_LT(contacts[i - 1].id, contacts[i].id);
    }
    Contact named;
    ASSERT_TRUE(finder.evaluate(*balls.model, contacts[i].id, balls.q, workspace.X_WB, named));
    EXPECT_EQ(named.gap, contacts[i].gap);
    EXPECT_EQ(named.p_WA, contacts[i].p_WA);
    EXPECT_EQ(named.R_WC, contacts[i].R_WC);
  }
  Contact none;
  EXPECT_FALSE(finder.evaluate(*balls.model, {1, 2, 77}, balls.q, workspace.X_WB, none));
}

TEST(ContactFinder, ReportsClosedLimitsOnBothSides) {
  ModelBuilder builder;
  const int body = builder.add_body("arm", unit_ball());
  Joint joint;
  joint.name = "hinge";
  joint.type = JointType::revolute;
  joint.lower = VectorX::Constant(1, -0.5);
  joint.upper = VectorX::Constant(1, 0.5);
  builder.add_joint(body, joint);
  const Model model = builder.build();
  DynamicsWorkspace workspace(model);
  ContactFinder finder(model);
  for (const double angle : {-0.6, -0.5, 0.0, 0.5, 0.7}) {
    const VectorX q = VectorX::Constant(1, angle);
    forward_kinematics(model, q, workspace);
    const auto& contacts = finder.find(model, q, workspace.X_WB, 10);
    ASSERT_EQ(contacts.size(), std::abs(angle) < 0.5 ? 0u : 1u) << angle;
    if (contacts.empty()) continue;
    EXPECT_NEAR(contacts[0].gap, 0.5 - std::abs(angle), 1e-15);
    std::vector<ConstraintRow> rows;
    append_rows(contacts[0], rows);
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_EQ(rows[0].coefficient, angle < 0 ? 1 : -1);  // pushes back into the range
  }
}

TEST(ContactFinder, RatchetsAreAlwaysThereAndHoldTheirWay) {
  for (const Ratchet way : {Ratchet::forward, Ratchet::backward}) {
    ModelBuilder builder;
    const int body = builder.add_body("wheel", unit_ball());
    Joint joint;
    joint.type = JointType::revolute;
    joint.ratchet = {way};
    builder.add_joint(body, joint);
    const Model model = builder.build();
    DynamicsWorkspace workspace(model);
    ContactFinder finder(model);
    for (const double angle : {-3.0, 0.0, 3.0}) {
      const VectorX q = VectorX::Constant(1, angle);
      forward_kinematics(model, q, workspace);
      const auto& contacts = finder.find(model, q, workspace.X_WB, 0);
      ASSERT_EQ(contacts.size(), 1u);
      EXPECT_TRUE(contacts[0].id.is_ratchet());
      EXPECT_EQ(contacts[0].gap, 0);
      std::vector<ConstraintRow> rows;
      append_rows(contacts[0], rows);
      EXPECT_EQ(rows.at(0).coefficient, way == Ratchet::forward ? 1 : -1);
    }
  }
}

TEST(ContactFinder, TightRopesPullTheirEndsTogetherWhicheverComesFirst) {
  for (const bool swapped : {false, true}) {
    ModelBuilder builder;
    const int body = builder.add_body("load", unit_ball());
    Constraint rope;
    rope.kind = ConstraintKind::rope;
    rope.length = 1;
    rope.body_a = swapped ? -1 : body;
    rope.body_b = swapped ? body : -1;
    (swapped ? rope.X_BG : rope.X_AF).p = Vec3(0, 0, 0.1);
    builder.add_constraint(rope);
    const Model model = builder.build();
    DynamicsWorkspace workspace(model);
    ContactFinder finder(model);
    VectorX q = model.neutral_position();
    for (const double height : {-0.9, -1.1, -1.3}) {
      q[6] = height;
      forward_kinematics(model, q, workspace);
      const std::vector<Contact> contacts = finder.find(model, q, workspace.X_WB, 0);
      const double gap = 1 - std::abs(height + 0.1);
      ASSERT_EQ(contacts.size(), gap > 0 ? 0u : 1u) << height;
      Contact named;
      ASSERT_TRUE(finder.evaluate(model, {ContactId::of_rope, 0, 0}, q, workspace.X_WB, named));
      EXPECT_NEAR(named.gap, gap, 1e-15);
      EXPECT_EQ(named.body_a, body);
      std::vector<ConstraintRow> rows;
      append_rows(named, rows);
      ASSERT_EQ(rows.size(), 1u);
      EXPECT_LT((rows[0].direction - Vec3::UnitZ()).norm(), 1e-15);  // a positive impulse lifts the load
    }
  }
}

TEST(Crossings, MeetAtTheInstantOfTheClosedForm) {
  Balls balls;
  balls.place(0, Vec3(-1, 0, 5));
  balls.place(1, Vec3(1, 0.1, 5));
  VectorX v = VectorX::Zero(12);
  v[3] = 500;   // 5 m in the step
  v[9] = -100;  // and 1 m towards it
  constexpr double h = 0.01;
  DynamicsWorkspace start(*balls.model), end(*balls.model), scratch(*balls.model);
  VectorX q_end = balls.q, q_scratch = balls.q;
  forward_kinematics(*balls.model, balls.q, start);
  forward_velocity(*balls.model, balls.q, v, start);
  integrate(*balls.model, balls.q, v, h, q_end);
  forward_kinematics(*balls.model, q_end, end);
  ContactFinder finder(*balls.model);
  std::vector<Crossing> crossings;
  find_crossings(*balls.model, balls.q, v, h, start, end, finder, scratch, q_scratch, crossings);
  ASSERT_EQ(crossings.size(), 1u);
  // Centres 0.2 apart, 0.1 of it across: √0.03 along the motion of 600 m/s over the 2 m between them.
  // Found up to a hundredth of the thickness (0.2 m) late.
  const double late = 0.002;
  EXPECT_NEAR(crossings[0].fraction, (2 - std::sqrt(0.03)) / 600 / h, late / 600 / h);
  EXPECT_LT(crossings[0].contact.gap, 1e-5);
  const Vec3 normal = crossings[0].contact.R_WC.col(2);
  EXPECT_NEAR(normal.y(), -0.5, late / 0.2);
  EXPECT_LT(normal.x(), 0);
  EXPECT_TRUE(crossings[0].through);
  // They meet at the end of a shorter step, which takes them no way in.
  const double until = crossings[0].fraction * h * (1 + 1e-3);
  integrate(*balls.model, balls.q, v, until, q_end);
  forward_kinematics(*balls.model, q_end, end);
  crossings.clear();
  find_crossings(*balls.model, balls.q, v, until, start, end, finder, scratch, q_scratch, crossings);
  ASSERT_EQ(crossings.size(), 1u);
  EXPECT_FALSE(crossings[0].through);
}

TEST(Crossings, SlowBodiesAreLeftToTheEndOfTheStep) {
  Balls balls;
  balls.place(0, Vec3(0, 0, 1));
  balls.place(1, Vec3(0.25, 0, 1));
  VectorX v = VectorX::Zero(12);
  v[3] = 1;
  DynamicsWorkspace start(*balls.model), end(*balls.model), scratch(*balls.model);
  VectorX q_end = balls.q, q_scratch = balls.q;
  forward_kinematics(*balls.model, balls.q, start);
  forward_velocity(*balls.model, balls.q, v, start);
  integrate(*balls.model, balls.q, v, 0.01, q_end);
  forward_kinematics(*balls.model, q_end, end);
  ContactFinder finder(*balls.model);
  std::vector<Crossing> crossings;
  find_crossings(*balls.model, balls.q, v, 0.01, start, end, finder, scratch, q_scratch, crossings);
  EXPECT_TRUE(crossings.empty());
}

}  // namespace
}  // namespace carom::contact_finder_test
