#include "carom/validation/first_impact.h"

#include <gtest/gtest.h>

#include "made_tosses.h"

namespace carom::first_impact_test {
namespace {

constexpr double rest_height = 0.0513;

/// A fall onto the board that leaves it with the velocities asked for, as frames.
Toss bounce(const Vec3& velocity, const Vec3& spin, const TossProtocol& protocol) {
  Release fall;
  fall.position.z() = 0.2;
  fall.orientation = exponential(Vec3(0.4, 0.3, 0.2));
  fall.angular_velocity = Vec3(1, 2, 0);
  std::vector<Pose> poses = test::flight(fall, 40, protocol);
  poses.resize(static_cast<std::size_t>(frames_in_flight(poses, protocol)) + 1);
  Release rise;
  rise.position = poses.back().position + Vec3(0, 0, 0.004);
  rise.orientation = poses.back().orientation;
  rise.velocity = velocity;
  rise.angular_velocity = spin;
  const std::vector<Pose> after = test::flight(rise, 25, protocol);
  poses.insert(poses.end(), after.begin(), after.end());
  return {.number = 0, .poses = poses};
}

TEST(FirstImpactTest, TellsTheDifferenceOfTwoRebounds) {
  const TossProtocol protocol;
  const Vec3 spin(-1, 4, 0.5);
  const Toss measured = bounce({0.5, 0.1, 0.6}, spin, protocol);
  const auto rebound = first_rebound(measured, rest_height, Vec3::Zero(), protocol);
  ASSERT_TRUE(rebound);
  EXPECT_GE(rebound->count, 4);
  EXPECT_LT((rebound->flight.angular_velocity - spin).norm(), 1e-9);
  const Toss predicted = bounce({0.3, 0.1, 0.55}, {-1, 4.5, 0.5}, protocol);
  ASSERT_EQ(predicted.poses.size(), measured.poses.size());
  const ReboundMiss none = rebound_miss(measured.poses, *rebound, Vec3::Zero(), protocol);
  EXPECT_LT(none.velocity + none.spin, 1e-9);
  const ReboundMiss miss = rebound_miss(predicted.poses, *rebound, Vec3::Zero(), protocol);
  EXPECT_NEAR(miss.velocity, std::hypot(0.2, 0.05), 1e-9);
  EXPECT_NEAR(miss.rise, -0.05, 1e-9);
  EXPECT_NEAR(miss.spin, 0.5, 1e-9);
}

TEST(FirstImpactTest, ACubeThatDoesNotReboundHasNone) {
  const TossProtocol protocol;
  Release fall;
  fall.position.z() = 0.2;
  std::vector<Pose> poses = test::flight(fall, 40, protocol);
  poses.resize(static_cast<std::size_t>(frames_in_flight(poses, protocol)) + 1);
  poses.back().position.z() = rest_height - 0.0001;
  poses.resize(60, poses.back());
  EXPECT_FALSE(first_rebound({.number = 0, .poses = poses}, rest_height, Vec3::Zero(), protocol));
}

TEST(FirstImpactTest, AMassCentreBesideTheTrackedPointIsFollowed) {
  // The mass centre flies, and the tracked point circles it. Fitted with the wrong centre, the spinning tracked point
  // seems to have another velocity than its mass centre's.
  const TossProtocol protocol;
  const Vec3 centre(0, 0, 0.006), velocity(0.4, 0, 0.7), spin(0, 6, 0);
  Toss measured = bounce(velocity, spin, protocol);
  for (Pose& pose : measured.poses) pose.position -= pose.orientation * centre;
  const auto rebound = first_rebound(measured, rest_height, centre, protocol);
  ASSERT_TRUE(rebound);
  const Release& flight = rebound->flight;
  const Vec3 of_centre = flight.velocity + flight.angular_velocity.cross(flight.orientation * centre);
  const double later = (rebound->first - frames_in_flight(measured.poses, protocol)) / protocol.frame_rate;
  EXPECT_NEAR(of_centre.x(), velocity.x(), 1e-9);
  EXPECT_LT(std::abs(of_centre.z() - velocity.z()), protocol.gravity * (later + 0.02));
  EXPECT_LT(flight.position_noise, 1e-9);
  EXPECT_GT(first_rebound(measured, rest_height, Vec3::Zero(), protocol)->flight.position_noise, 1e-5);
}

}  // namespace
}  // namespace carom::first_impact_test
