#include "carom/model/joint.h"

#include <gtest/gtest.h>

#include <set>

namespace carom::joint_test {
namespace {

TEST(Joints, HaveDifferentNamesAndSizesThatAgree) {
  std::set<std::string> names;
  for (const JointType type : joint_types) {
    Joint joint;
    joint.type = type;
    if (type == JointType::twists) joint.twists = Eigen::Matrix<double, 6, 2>::Identity();
    names.insert(joint_name(type));
    // A rotation has four numbers in q and three rates; every other coordinate has one of each.
    const bool turns = type == JointType::spherical || type == JointType::free;
    EXPECT_EQ(position_size(joint), velocity_size(joint) + (turns ? 1 : 0)) << joint_name(type);
    EXPECT_EQ(has_scalar_coordinates(type), !turns && type != JointType::fixed) << joint_name(type);
  }
  EXPECT_EQ(names.size(), std::size(joint_types));
  EXPECT_FALSE(names.contains(""));
}

}  // namespace
}  // namespace carom::joint_test
