#include "carom/model/coordinate_names.h"

#include <gtest/gtest.h>

#include <set>

namespace carom::coordinate_names_test {
namespace {

TEST(CoordinateNames, EveryCoordinateOfEveryTypeHasOne) {
  for (const JointType type : joint_types) {
    Joint joint;
    joint.type = type;
    if (type == JointType::twists) joint.twists = Eigen::MatrixXd::Identity(6, 2);
    const auto q = position_coordinates(joint), v = velocity_coordinates(joint);
    EXPECT_EQ(static_cast<int>(q.size()), position_size(joint)) << joint_name(type);
    EXPECT_EQ(static_cast<int>(v.size()), velocity_size(joint)) << joint_name(type);
    std::set<std::string> names;
    for (const auto& list : {q, v}) {
      for (const CoordinateName& each : list) {
        EXPECT_TRUE(names.insert(each.name).second) << joint_name(type) << " " << each.name;
        EXPECT_NE(each.unit, "");
      }
    }
    for (std::size_t k = 0; has_scalar_coordinates(type) && type != JointType::twists && k < q.size(); ++k) {
      EXPECT_EQ(v[k].unit, q[k].unit + "/s");
      EXPECT_EQ(is_angle(joint, static_cast<int>(k)), q[k].unit == "rad");
    }
  }
}

}  // namespace
}  // namespace carom::coordinate_names_test
