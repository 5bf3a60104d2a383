#include "carom/validation/drop_protocol.h"

#include <gtest/gtest.h>
#include <algorithm>

#include <cmath>

#include "carom/validation/plane_pose.h"
#include "carom/validation/toss_run.h"
#include "drop_writer.h"
#include "testing/folders.h"

namespace carom::drop_protocol_test {
namespace {

const SquareDrops square = test::square_of_drops();
const TossProtocol protocol = protocol_of(square);

/// A drop by a scene, until it has long come to rest, as exact measurements would show it.
SquareDrop made_drop(double angle = 0.5, double spin = 3) {
  Scene scene = load_scene(source_folder() + "/scenes/square_drops/square.yaml");
  Release release;
  release.position = {-0.3, 0, 0.15};
  release.orientation = plane_pose({0, 0, angle}).orientation;
  release.velocity = {-0.5, 0, -1.8};
  release.angular_velocity = {0, -spin, 0};
  SquareDrop drop{4, {}};
  double turned = angle;
  for (const Pose& pose : throw_cube(scene, release, 500, protocol).poses) {
    const double now = plane_angle(pose.orientation);
    turned += std::remainder(now - turned, 2 * EIGEN_PI);
    drop.poses.emplace_back(pose.position.x(), pose.position.z(), turned);
  }
  return drop;
}

/// Frames of the drop that precede every touch, by the lowest point alone; all of them where it is above in each.
int frames_above(const SquareDrop& drop) {
  const auto touch = std::find_if(drop.poses.begin(), drop.poses.end(),
                                  [](const Vec3& pose) { return clearance(plane_pose(pose), protocol) <= 0; });
  return static_cast<int>(touch - drop.poses.begin());
}

TEST(DropProtocol, TakesTheFlightBeforeTheFirstImpactAndEndsAfterRest) {
  for (const double angle : {0.1, 0.5, 0.9, 1.4}) {
    const SquareDrop drop = made_drop(angle);
    const JudgedDrop judged = judge_drop(drop, square);
    ASSERT_EQ(judged.fault, DropFault::none) << fault_text(judged.fault);
    EXPECT_EQ(judged.first, 0);
    EXPECT_EQ(judged.toss.number, 4);
    // The impact lies between the last frame of the flight and the next.
    const Release release = fit_release(judged.toss, protocol);
    const std::vector<Pose> flown = fly_and_freeze(release, judged.toss.poses.size(), protocol);
    const auto n = static_cast<std::size_t>(judged.toss.flight);
    EXPECT_LT((flown[n - 1].position - judged.toss.poses[n - 1].position).norm(), 2e-4);
    EXPECT_LE(judged.toss.flight, frames_above(drop) + 1);
    EXPECT_LE(clearance(fly_and_freeze(release, n + 1, protocol)[n], protocol), 1e-4);
    const Pose &end = judged.toss.poses.back(), &before = judged.toss.poses[judged.toss.poses.size() - 10];
    EXPECT_LT((end.position - before.position).norm(), 10 * protocol.still_speed / protocol.frame_rate);
    EXPECT_LT(judged.toss.poses.size(), drop.poses.size());
  }
}

TEST(DropProtocol, AFrameLostBeforeTheFirstImpactShortensTheFlightAlone) {
  SquareDrop drop = made_drop();
  const JudgedDrop whole = judge_drop(drop, square);
  ASSERT_GE(whole.toss.flight, 9);
  drop.poses.erase(drop.poses.begin() + 3);
  const JudgedDrop shorter = judge_drop(drop, square);
  ASSERT_EQ(shorter.fault, DropFault::none);
  EXPECT_EQ(shorter.first, 4);  // frames 2 and 3 have the gap beside them
  EXPECT_EQ(shorter.toss.flight, whole.toss.flight - 5);
  const Release one = fit_release(shorter.toss, protocol), other = fit_release(whole.toss, protocol);
  EXPECT_LT(std::abs(one.velocity.x() - other.velocity.x()), 1e-2);
}

TEST(DropProtocol, LeavesOutDropsWithFaults) {
  const SquareDrop good = made_drop();
  const int landed = judge_drop(good, square).toss.flight;
  SquareDrop late = good;
  late.poses.erase(late.poses.begin(), late.poses.begin() + landed - 3);
  EXPECT_EQ(judge_drop(late, square).fault, DropFault::short_flight);

  int high = landed + 3;  // well up after the first impact
  while (clearance(plane_pose(good.poses[static_cast<std::size_t>(high)]), protocol) < 0.012) ++high;
  SquareDrop lost = good;
  lost.poses.erase(lost.poses.begin() + high + 2);
  EXPECT_EQ(judge_drop(lost, square).fault, DropFault::broken_flight);
  SquareDrop mistaken = good;
  mistaken.poses[static_cast<std::size_t>(high) + 2][2] += 0.1;
  EXPECT_EQ(judge_drop(mistaken, square).fault, DropFault::broken_flight);

  SquareDrop quarter = good;  // the tracker takes one side for the next when the square has just landed
  for (std::size_t k = static_cast<std::size_t>(landed) + 1; k < quarter.poses.size(); ++k) {
    quarter.poses[k][2] += EIGEN_PI / 2;
  }
  EXPECT_EQ(judge_drop(quarter, square).fault, DropFault::energy);
  EXPECT_TRUE(judge_drop(quarter, square).toss.poses.empty());
}

TEST(DropProtocol, ASquareThatIsHeldStillBeforeItFallsIsNoFlight) {
  SquareDrop held = made_drop();
  held.poses.insert(held.poses.begin(), 40, held.poses.front());
  EXPECT_EQ(judge_drop(held, square).fault, DropFault::short_flight);
  EXPECT_TRUE(judge_drop(held, square).toss.poses.empty());
  SquareDrop one = made_drop();
  one.poses.resize(1);
  EXPECT_EQ(judge_drop(one, square).fault, DropFault::short_flight);
}

TEST(DropProtocol, NoiseOfTheMeasurementsMakesNoFault) {
  SquareDrop drop = made_drop();
  const JudgedDrop exact = judge_drop(drop, square);
  for (std::size_t k = 0; k < drop.poses.size(); ++k) {
    const double sign = k % 2 == 0 ? 1 : -1;  // its second differences are four times as large
    drop.poses[k] += sign * Vec3(2e-5, 4e-5, 8e-4);
  }
  const JudgedDrop noisy = judge_drop(drop, square);
  EXPECT_EQ(noisy.fault, DropFault::none);
  EXPECT_EQ(noisy.toss.flight, exact.toss.flight);
  EXPECT_NEAR(static_cast<double>(noisy.toss.poses.size()), static_cast<double>(exact.toss.poses.size()), 3);
}

}  // namespace
}  // namespace carom::drop_protocol_test
