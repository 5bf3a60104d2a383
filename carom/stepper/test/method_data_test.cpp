#include "carom/stepper/method_data.h"

#include <gtest/gtest.h>

#include "mechanisms.h"

namespace carom::method_data_test {
namespace {

using Pairs = std::vector<std::pair<int, int>>;

/// A ball of one material above a floor of another, and a third that nothing is made of.
ModelBuilder ball_and_floor(double ball, double floor, double unused) {
  ModelBuilder builder;
  builder.set_combination(Combination::maximum, Combination::maximum);
  builder.add_material({"unused", Vec2::Zero(), unused});
  const int of_ball = builder.add_material({"rubber", Vec2::Zero(), ball});
  const int of_floor = builder.add_material({"steel", Vec2::Zero(), floor});
  const int body = builder.add_body("ball", test::solid(Sphere{0.1}, 1));
  builder.add_collider({"ball", body, Sphere{0.1}, {}, of_ball});
  builder.add_collider({"floor", -1, HalfSpace{}, {}, of_floor});
  return builder;
}

TEST(MethodData, MaterialsMeetWhereCollidersMay) {
  const Model model = ball_and_floor(0, 0, 0).build();
  EXPECT_EQ(meeting_materials(model), (Pairs{{1, 2}}));
  EXPECT_EQ(material_names(model, {1, 2}), "materials 'rubber' and 'steel'");
  EXPECT_EQ(material_names(model, {1, 1}), "material 'rubber'");
}

TEST(MethodData, AModelMayReboundWhateverPartOfItDoes) {
  EXPECT_FALSE(may_rebound(ball_and_floor(0, 0, 0).build()));
  EXPECT_TRUE(may_rebound(ball_and_floor(0, 0, 0.2).build()));
  EXPECT_TRUE(may_rebound(ball_and_floor(0.2, 0, 0).build()));
  ModelBuilder with_limit = ball_and_floor(0, 0, 0);
  const int arm = with_limit.add_body("arm", test::solid(Sphere{0.1}, 1));
  Joint hinge;
  hinge.name = "hinge";
  hinge.type = JointType::revolute;
  hinge.lower = VectorX::Constant(1, -1);
  hinge.limit_restitution = VectorX::Constant(1, 0.3);
  with_limit.add_joint(arm, hinge);
  EXPECT_TRUE(may_rebound(with_limit.build()));
}

TEST(MethodData, ImpactsAreElasticIfAllThatMayStrikeIs) {
  EXPECT_TRUE(impacts_are_elastic(ball_and_floor(1, 1, 0).build()));
  EXPECT_TRUE(impacts_are_elastic(ball_and_floor(1, 0, 0).build())) << "the larger of both counts here";
  EXPECT_FALSE(impacts_are_elastic(ball_and_floor(0.9, 0.9, 1).build()));
}

/// Stepper compliant can't go without a stiffness; a proximity of the size of the ball is none.
TEST(MethodData, FaultsAreThoseOfMethodAndModelTogether) {
  const Model model = ball_and_floor(0, 0, 0).build();
  Method method;
  EXPECT_TRUE(method_data_faults(model, method).empty());
  method.proximity = 1;
  method.stepper = StepperKind::semi_explicit;
  method.law = LawKind::plastic;
  EXPECT_EQ(method_data_faults(model, method).size(), 1u);
  method.proximity = 1e-5;
  method.stepper = StepperKind::compliant;
  method.law = LawKind::none;
  EXPECT_FALSE(method_data_faults(model, method).empty());
}

}  // namespace
}  // namespace carom::method_data_test
