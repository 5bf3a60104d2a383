#include "carom/model/part_numbers.h"

#include <gtest/gtest.h>

#include <functional>

#include "carom/error.h"
#include "carom/model/contact_name.h"

namespace carom::part_numbers_test {
namespace {

const SpatialInertia unit{1, Vec3::Zero(), Mat3::Identity()};

/// A trunk that moves freely, with an arm on a hinge; the arm is added first, so that the model orders the two anew.
ModelBuilder trunk_and_arm() {
  ModelBuilder builder;
  const int material = builder.add_material({.name = "steel", .friction = {0.5, 0.5}, .restitution = 0});
  const int arm = builder.add_body("arm", unit);
  const int trunk = builder.add_body("trunk", unit);
  Joint hinge;
  hinge.name = "shoulder";
  hinge.type = JointType::revolute;
  hinge.parent = trunk;
  builder.add_joint(arm, hinge);
  builder.add_collider({.name = "palm", .body = arm, .shape = Sphere{0.1}, .X_BS = {}, .material = material});
  builder.add_collider({.name = "floor", .body = -1, .shape = HalfSpace{}, .X_BS = {}, .material = material});
  builder.add_frame({.name = "tool", .body = arm, .X_BF = {}});
  builder.add_drive({.name = "motor", .kind = DriveKind::force, .body = arm, .value = TimeFunction::constant(1)});
  return builder;
}

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(PartNumbers, AreThoseOfTheModelsLists) {
  const ModelBuilder builder = trunk_and_arm();
  const Model model = builder.build();
  EXPECT_EQ(body_number(model, "arm"), builder.body_order()[0]);
  EXPECT_EQ(body_number(model, "trunk"), builder.body_order()[1]);
  EXPECT_EQ(body_number(model, "world"), -1);
  EXPECT_EQ(joint_number(model, "shoulder"), body_number(model, "arm"));
  EXPECT_EQ(joint_number(model, "trunk"), body_number(model, "trunk"));  // a free joint's name is its body's
  EXPECT_EQ(model.frames()[static_cast<std::size_t>(frame_number(model, "tool"))].body, body_number(model, "arm"));
  EXPECT_EQ(collider_number(model, "floor"), 1);
  EXPECT_EQ(drive_number(model, "motor"), 0);
}

TEST(PartNumbers, WhatIsNotThereIsRefusedWithWhatIs) {
  const Model model = trunk_and_arm().build();
  EXPECT_EQ(message_of([&] { body_number(model, "amr"); }), "there is no body called 'amr'; there are 'trunk', 'arm'");
  EXPECT_EQ(message_of([&] { constraint_number(model, "pin"); }),
            "there is no constraint called 'pin'; there are none");
  ModelBuilder many;
  for (int i = 0; i < 30; ++i) many.add_body("link" + std::to_string(i), unit);
  EXPECT_EQ(message_of([&, built = many.build()] { body_number(built, "lnik17"); }),
            "there is no body called 'lnik17'; there are 30 others, the nearest name being 'link17'");
}

TEST(PartNumbers, AmbiguousNamesAndABodyCalledWorld) {
  ModelBuilder builder;
  builder.add_body("world", unit);
  builder.add_body("twin", unit);
  builder.add_body("twin", unit);
  const Model model = builder.build();
  EXPECT_EQ(body_number(model, "world"), 0);
  EXPECT_NE(message_of([&] { body_number(model, "twin"); }).find("use their numbers"), std::string::npos);
}

TEST(PartNumbers, JointsCoordinatesAreReadAndWritten) {
  const Model model = trunk_and_arm().build();
  const int arm = joint_number(model, "shoulder"), trunk = joint_number(model, "trunk");
  State state = state_at_rest(model);
  EXPECT_EQ(state.q, model.neutral_position());
  EXPECT_EQ(state.v, VectorX::Zero(7));
  joint_position(model, arm, state)[0] = 0.3;
  joint_velocity(model, trunk, state).tail<3>() = Vec3(1, 2, 3);
  EXPECT_EQ(state.q[model.joints()[static_cast<std::size_t>(arm)].q_index], 0.3);
  EXPECT_EQ(state.v.segment<3>(model.joints()[static_cast<std::size_t>(trunk)].v_index + 3), Vec3(1, 2, 3));
  const State& seen = state;
  EXPECT_EQ(joint_position(model, arm, seen)[0], 0.3);
  EXPECT_EQ(joint_velocity(model, arm, seen).size(), 1);
  EXPECT_EQ(message_of([&] { joint_position(model, 2, state); }), "there is no joint 2; the model has joints 0 to 1");
}

TEST(ContactName, SaysWhoTouchesWhom) {
  const Model model = trunk_and_arm().build();
  EXPECT_EQ(contact_name(model, {0, 1, 0}, body_number(model, "arm"), -1), "arm – world");
  EXPECT_EQ(contact_name(model, {ContactId::of_joint, 6, ContactId::upper}, body_number(model, "arm"), 0),
            "arm, upper limit");
}

}  // namespace
}  // namespace carom::part_numbers_test
