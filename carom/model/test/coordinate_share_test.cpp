#include "carom/model/coordinate_share.h"

#include <gtest/gtest.h>

#include "carom/model/model.h"

namespace carom::coordinate_share_test {
namespace {

/// Three bodies added in another order than they hang, the last with two coordinates.
Model chain() {
  ModelBuilder builder;
  const SpatialInertia solid{1, Vec3::Zero(), Mat3::Identity()};
  const int tip = builder.add_body("tip", solid), base = builder.add_body("base", solid);
  Joint joint;
  joint.type = JointType::cylindrical;
  joint.parent = base;
  builder.add_joint(tip, joint);
  joint.type = JointType::revolute;
  joint.parent = -1;
  builder.add_joint(base, joint);
  Constraint tendon;
  tendon.name = "tendon";
  tendon.kind = ConstraintKind::tendon;
  tendon.shares = {{tip, 1, 3}, {base, 0, -2}};
  tendon.upper = 1;
  builder.add_constraint(tendon);
  Constraint coupler;
  coupler.name = "coupler";
  coupler.kind = ConstraintKind::coupler;
  coupler.body_a = base;
  coupler.shares = {{tip, 0, 0.5}};
  builder.add_constraint(coupler);
  Drive drive;
  drive.name = "drive";
  drive.body = tip;
  drive.coordinate = 1;
  drive.ratio = 0.1;
  drive.others = {{base, 0, 7}};
  builder.add_drive(drive);
  return builder.build();
}

TEST(CoordinateShare, SumsFollowTheOrderOfTheModel) {
  const Model model = chain();
  const Vec3 q(0.3, -1, 2);  // base, then the two of tip
  EXPECT_DOUBLE_EQ(sum_of_shares(model, model.constraints()[0].shares, q), 3 * 2 - 2 * 0.3);
  EXPECT_DOUBLE_EQ(driven_position(model, model.drives()[0], q), 0.1 * 2 + 7 * 0.3);
  EXPECT_EQ(sum_of_shares(model, {}, q), 0);
}

TEST(CoordinateShare, TermsAreTheSlopesOfTheSums) {
  const Model model = chain();
  const auto slope = [&](std::span<const RowTerm> terms) {
    Vec3 sum = Vec3::Zero();
    for (const RowTerm& term : terms) sum[term.coordinate] += term.coefficient;
    return sum;
  };
  EXPECT_EQ(slope(model.constraint_terms(0)), Vec3(-2, 0, 3));
  EXPECT_EQ(slope(model.constraint_terms(1)), Vec3(1, -0.5, 0));
  EXPECT_EQ(slope(model.drive_terms(0)), Vec3(7, 0, 0.1));
}

}  // namespace
}  // namespace carom::coordinate_share_test
