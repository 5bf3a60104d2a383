#include "carom/model/coordinate_share.h"

#include <gtest/gtest.h>

#include "carom/model/constraint.h"
#include "carom/model/drive.h"
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

TEST(Constraint, KindsSayWhatTheyActOn) {
  for (const ConstraintKind kind : {ConstraintKind::coupler, ConstraintKind::motion, ConstraintKind::tendon}) {
    EXPECT_TRUE(is_of_coordinates(kind)) << constraint_name(kind);
  }
  EXPECT_FALSE(is_of_coordinates(ConstraintKind::rope));
  for (const ConstraintKind kind : {ConstraintKind::rope, ConstraintKind::tendon}) {
    EXPECT_TRUE(is_unilateral(kind)) << constraint_name(kind);
    EXPECT_EQ(row_count(kind), 0) << constraint_name(kind);
  }
  EXPECT_FALSE(is_unilateral(ConstraintKind::coupler));
}

TEST(Constraint, CallsForTheBodiesThatItActsOn) {
  const auto bodies = [](ConstraintKind kind) {
    Constraint constraint;
    constraint.kind = kind;
    constraint.body_a = 3;
    if (is_of_coordinates(kind) && kind != ConstraintKind::motion) constraint.shares = {{5, 0, 1}, {7, 1, 2}};
    std::vector<int> found;
    constraint.for_each_body([&](int body) { found.push_back(body); });
    return found;
  };
  EXPECT_EQ(bodies(ConstraintKind::tendon), (std::vector{5, 7}));
  EXPECT_EQ(bodies(ConstraintKind::coupler), (std::vector{3, 5, 7}));
  EXPECT_EQ(bodies(ConstraintKind::motion), (std::vector{3}));
  EXPECT_EQ(bodies(ConstraintKind::ball), (std::vector{3, -1}));
}

TEST(Drive, ActsOnOneCoordinateUnlessToldOtherwise) {
  const Drive drive;
  EXPECT_EQ(drive.ratio, 1);
  EXPECT_TRUE(drive.others.empty());
}

}  // namespace
}  // namespace carom::coordinate_share_test
