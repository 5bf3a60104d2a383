#include "carom/validation/plane_pose.h"

#include <gtest/gtest.h>

#include <cmath>

#include "carom/scene/scene.h"
#include "testing/folders.h"

namespace carom::plane_pose_test {
namespace {

TEST(PlanePose, AnglesTurnXTowardsZ) {
  for (const double angle : {-3.1, -1.2, 0.0, 0.4, 2.5, 3.1}) {
    const Pose pose = plane_pose({0.3, 0.7, angle});
    EXPECT_EQ(pose.position, Vec3(0.3, 0, 0.7));
    EXPECT_LT((pose.orientation * Vec3::UnitX() - Vec3(std::cos(angle), 0, std::sin(angle))).norm(), 1e-15);
    EXPECT_NEAR(plane_angle(pose.orientation), angle, 1e-14);
    const Vec3 turned(0.3, 0.7, angle + 2 * EIGEN_PI);
    EXPECT_LT((plane_pose(turned).orientation * Vec3::UnitX() - pose.orientation * Vec3::UnitX()).norm(), 1e-14);
  }
}

TEST(PlanePose, KnowsABodyThatMovesInThePlaneByItsMassCentre) {
  const std::string scenes = source_folder() + "/scenes";
  EXPECT_TRUE(moves_in_xz_plane(*load_scene(scenes + "/square_drops/square.yaml").model));
  EXPECT_TRUE(moves_in_xz_plane(*load_scene(scenes + "/planar_impacts/ellipse.yaml").model));
  EXPECT_FALSE(moves_in_xz_plane(*load_scene(scenes + "/measured_toss.yaml").model));
  EXPECT_FALSE(moves_in_xz_plane(*load_scene(scenes + "/double_pendulum_wall.yaml").model));
}

}  // namespace
}  // namespace carom::plane_pose_test
