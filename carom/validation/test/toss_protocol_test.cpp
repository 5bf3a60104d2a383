#include "carom/validation/toss_protocol.h"

#include <gtest/gtest.h>

#include <random>

#include "carom/error.h"
#include "carom/spatial/rotation.h"
#include "carom/validation/toss_run.h"
#include "made_tosses.h"

namespace carom::toss_protocol_test {
namespace {

using test::flight;
using test::random_release;
using test::random_rotation;
using test::random_vector;

const TossProtocol protocol;

TEST(TossProtocol, LowestCornerIsTheLowestOfEight) {
  std::mt19937 random(1);
  for (int i = 0; i < 200; ++i) {
    const Pose pose{random_vector(random), random_rotation(random)};
    double lowest = 1e300;
    for (int corner = 0; corner < 8; ++corner) {
      const Vec3 at((corner & 1) ? 1 : -1, (corner & 2) ? 1 : -1, (corner & 4) ? 1 : -1);
      lowest = std::min(lowest, (pose.position + pose.orientation * (0.05 * at)).z());
    }
    EXPECT_NEAR(lowest_corner(pose, 0.05), lowest, 1e-15);
  }
}

TEST(TossProtocol, ReleaseOfAFlightIsTheOneItWasMadeWith) {
  std::mt19937 random(2);
  for (int i = 0; i < 200; ++i) {
    const Release made = random_release(random);
    Toss toss{.number = i, .poses = flight(made, 100, protocol)};
    const int flying = frames_in_flight(toss.poses, protocol);
    ASSERT_GE(flying, 3);
    ASSERT_LT(flying, 100);
    // Frames after the first touch must not matter.
    for (std::size_t k = flying + 1; k < toss.poses.size(); ++k) toss.poses[k].position = random_vector(random);
    const Release found = fit_release(toss, protocol);
    EXPECT_EQ(found.frames, flying);
    EXPECT_LT((found.position - made.position).norm(), 1e-9);
    EXPECT_LT((found.velocity - made.velocity).norm(), 1e-9);
    EXPECT_LT((found.angular_velocity - made.angular_velocity).norm(), 1e-9);
    EXPECT_LT(logarithm(found.orientation * made.orientation.conjugate()).norm(), 1e-9);
    EXPECT_LT(found.position_noise, 1e-12);
    EXPECT_LT(found.rotation_noise, 1e-12);
  }
}

TEST(TossProtocol, ReleaseOfAFlightWithDragSolvesItsEquation) {
  // p̈ = −d ṗ − g ẑ by differences of the flight, and the release by the fit.
  TossProtocol slow;
  slow.drag = 0.7;
  std::mt19937 random(12);
  Release made = random_release(random);
  made.position.z() = 5;
  const double h = 1e-3;
  for (const double t : {0.0, 0.2, 0.9}) {
    const auto place = [&](double at) -> Vec3 {
      return made.position + made.velocity * flight_time(at, slow) - flight_fall(at, slow) * Vec3::UnitZ();
    };
    const Vec3 speed = (place(t + h) - place(t - h)) / (2 * h);
    const Vec3 acceleration = (place(t + h) - 2 * place(t) + place(t - h)) / (h * h);
    EXPECT_LT((acceleration + slow.drag * speed + slow.gravity * Vec3::UnitZ()).norm(), 1e-5);
    if (t == 0.0) {
      EXPECT_LT((speed - made.velocity).norm(), 1e-5);
    }
  }
  TossProtocol still = slow;
  still.drag = 1e-9;  // continuous at none
  EXPECT_NEAR(flight_time(0.5, still), flight_time(0.5, protocol), 1e-9);
  EXPECT_NEAR(flight_fall(0.5, still), flight_fall(0.5, protocol), 1e-5);
  Toss toss{.number = 0, .poses = fly_and_freeze(made, 60, slow), .flight = 40};
  for (std::size_t k = 40; k < 60; ++k) toss.poses[k].position = random_vector(random);
  const Release found = fit_release(toss, slow);
  EXPECT_EQ(found.frames, 40);
  EXPECT_LT((found.position - made.position).norm(), 1e-9);
  EXPECT_LT((found.velocity - made.velocity).norm(), 1e-9);
}

TEST(TossProtocol, ClearanceIsThatOfRoundedCornersOverASlopingBoard) {
  TossProtocol rounded;
  rounded.half_width = 0.03;
  rounded.corner_radius = 0.005;
  rounded.floor_height = 0.01;
  rounded.floor_slope = 0.1;
  std::mt19937 random(14);
  for (int i = 0; i < 50; ++i) {
    const Pose pose{random_vector(random), random_rotation(random)};
    double lowest = 1e300;
    for (int corner = 0; corner < 8; ++corner) {
      const Vec3 at((corner & 1) ? 1 : -1, (corner & 2) ? 1 : -1, (corner & 4) ? 1 : -1);
      lowest = std::min(lowest, (pose.position + pose.orientation * (0.025 * at)).z() - 0.005);
    }
    EXPECT_NEAR(clearance(pose, rounded), lowest - 0.01 - 0.1 * pose.position.x(), 1e-15);
  }
}

TEST(TossProtocol, NoiseThatNoMotionExplainsLeavesTheReleaseAloneAndIsMeasured) {
  std::mt19937 random(3);
  const Release made = random_release(random);
  Toss toss{.number = 0, .poses = flight(made, 100, protocol)};
  const int n = frames_in_flight(toss.poses, protocol);
  ASSERT_GE(n, 6);
  // 1, −3, 3, −1 is orthogonal to constants and to lines.
  const Vec3 shift(2e-5, -1e-5, 3e-5);
  const std::array<double, 4> pattern{1, -3, 3, -1};
  double squares = 0;
  for (int k = 0; k < 4; ++k) {
    toss.poses[k + 1].position += pattern[k] * shift;
    squares += pattern[k] * pattern[k] * shift.squaredNorm();
  }
  ASSERT_EQ(frames_in_flight(toss.poses, protocol), n);
  const Release found = fit_release(toss, protocol);
  EXPECT_LT((found.position - made.position).norm(), 1e-12);
  EXPECT_LT((found.velocity - made.velocity).norm(), 1e-11);
  EXPECT_NEAR(found.position_noise, std::sqrt(squares / (3 * (n - 2))), 1e-12);
}

TEST(TossProtocol, GravityOfTheFitIsTheProtocols) {
  TossProtocol moon;
  moon.gravity = 1.62;
  std::mt19937 random(4);
  const Release made = random_release(random);
  const Toss toss{.number = 0, .poses = flight(made, 200, moon)};
  EXPECT_LT((fit_release(toss, moon).velocity - made.velocity).norm(), 1e-9);
  EXPECT_GT((fit_release(toss, protocol).velocity - made.velocity).norm(), 1e-2);
}

TEST(TossProtocol, TheMassCentreFliesAndTheReleaseIsToldOfTheTrackedPoint) {
  const Vec3 centre(0.001, -0.002, 0.006);
  std::mt19937 random(14);
  for (int i = 0; i < 20; ++i) {
    const Release made = random_release(random);  // of the mass centre
    Toss toss{.number = 0, .poses = flight(made, 200, protocol)};
    for (Pose& pose : toss.poses) pose.position -= pose.orientation * centre;
    const Release found = fit_release(toss, protocol, centre);
    const Vec3 arm = made.orientation * centre;
    EXPECT_LT((found.position - (made.position - arm)).norm(), 1e-9);
    EXPECT_LT((found.velocity - (made.velocity - made.angular_velocity.cross(arm))).norm(), 1e-8);
    EXPECT_LT((found.angular_velocity - made.angular_velocity).norm(), 1e-7);
    EXPECT_LT(found.position_noise, 1e-10);
  }
}

TEST(TossProtocol, ATossWithoutFlightIsRefusedByItsNumber) {
  std::mt19937 random(5);
  Release low = random_release(random);
  for (const int frames : {0, 1, 2}) {
    Toss toss{.number = 77, .poses = flight(low, 3, protocol)};
    toss.poses[frames].position.z() = 0;
    try {
      fit_release(toss, protocol);
      ADD_FAILURE() << "fitted to " << frames << " frames";
    } catch (const Error& error) {
      const std::string text = error.what();
      EXPECT_NE(text.find("toss 77 has " + std::to_string(frames) + " frames"), std::string::npos) << text;
    }
  }
}

/// Moves by 1 mm a frame (0.148 m/s) until frame `moving`, then stands.
std::vector<Pose> slide(std::size_t frames, std::size_t moving) {
  std::vector<Pose> poses(frames);
  for (std::size_t k = 0; k < frames; ++k) poses[k].position.x() = 1e-3 * static_cast<double>(std::min(k, moving));
  return poses;
}

TEST(TossProtocol, RecordsAreCutAWhileAfterRestBegins) {
  for (const std::size_t moving : {0u, 1u, 37u, 60u}) {
    const std::vector<Pose> poses = slide(200, moving);
    const std::vector<Pose> cut = cut_after_rest(poses, protocol);
    ASSERT_EQ(cut.size(), moving + 24) << moving;
    for (std::size_t k = 0; k < cut.size(); ++k) EXPECT_EQ(cut[k].position, poses[k].position);
  }
  EXPECT_EQ(cut_after_rest(slide(50, 50), protocol).size(), 50u);  // never rests
  EXPECT_EQ(cut_after_rest(slide(40, 30), protocol).size(), 40u);  // rests, and ends before the while is over
  EXPECT_EQ(cut_after_rest(slide(37, 30), protocol).size(), 37u);  // six still motions are no rest
  EXPECT_EQ(cut_after_rest(slide(1, 0), protocol).size(), 1u);
}

TEST(TossProtocol, AMotionThatInterruptsStillnessPutsRestOff) {
  std::vector<Pose> poses = slide(200, 20);
  for (std::size_t k = 28; k < poses.size(); ++k) poses[k].position.y() = 1e-3;  // motions 20 to 26 still, 27 not
  EXPECT_EQ(cut_after_rest(poses, protocol).size(), 28u + 24u);
  poses = slide(200, 20);
  for (std::size_t k = 29; k < poses.size(); ++k) poses[k].position.y() = 1e-3;  // motions 20 to 27 still
  EXPECT_EQ(cut_after_rest(poses, protocol).size(), 20u + 24u);
}

TEST(TossProtocol, TurningInPlaceIsNoRest) {
  std::vector<Pose> poses(200);
  for (std::size_t k = 0; k < poses.size(); ++k) {
    const double angle =
        0.3 * 1.01 / 148 * static_cast<double>(std::min<std::size_t>(k, 50));  // a little above 0.3 rad/s
    poses[k].orientation = exponential(Vec3(0, angle, 0));
    if (k % 2 == 1) poses[k].orientation.coeffs() *= -1;  // the same rotation
  }
  EXPECT_EQ(cut_after_rest(poses, protocol).size(), 50u + 24u);
}

TEST(TossProtocol, CopiesTurnedAboutTheVerticalAndShiftedAreDropped) {
  std::mt19937 random(6);
  std::vector<Toss> tosses;
  const auto add = [&](const std::vector<Pose>& poses) { tosses.push_back({.number = 0, .poses = poses}); };
  const std::vector<Pose> original = flight(random_release(random), 80, protocol);
  add(original);
  add(flight(random_release(random), 80, protocol));
  std::vector<Pose> moved = original;
  const Quaternion yaw = exponential(Vec3(0, 0, 1.1));
  for (Pose& pose : moved) pose = {yaw * pose.position + Vec3(0.3, -0.2, 0), yaw * pose.orientation};
  add(moved);
  std::vector<Pose> lifted = moved, tilted = moved, shorter = moved;
  lifted[59].position.z() += 1e-5;
  add(lifted);
  tilted[30].orientation = exponential(Vec3(1e-4, 0, 0)) * tilted[30].orientation;
  add(tilted);
  lifted = moved;
  lifted[60].position.z() += 1;  // beyond what is compared
  add(lifted);
  shorter.resize(50);
  add(shorter);
  EXPECT_EQ(distinct_tosses(tosses, protocol), (std::vector<int>{0, 1, 3, 4, 6}));
}

TEST(TossProtocol, ChosenTossesAreEvenlySpaced) {
  EXPECT_EQ(evenly_spaced(5, 20), (std::vector<int>{0, 1, 2, 3, 4}));
  EXPECT_TRUE(evenly_spaced(0, 20).empty());
  for (const int n : {20, 21, 39, 40, 279, 285}) {
    const std::vector<int> chosen = evenly_spaced(n, 20);
    ASSERT_EQ(chosen.size(), 20u);
    EXPECT_EQ(chosen.front(), 0);
    EXPECT_LT(chosen.back(), n);
    for (std::size_t i = 1; i < chosen.size(); ++i) {
      const int gap = chosen[i] - chosen[i - 1];
      EXPECT_TRUE(gap == n / 20 || gap == (n + 19) / 20) << gap;
    }
  }
}

TEST(TossProtocol, ErrorIsDistanceInWidthsAndAngleInDegrees) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> angles(0, EIGEN_PI);
  for (int i = 0; i < 200; ++i) {
    const Pose pose{random_vector(random), random_rotation(random)};
    const PoseError none = pose_error(pose, pose, protocol);
    EXPECT_EQ(none.position, 0);
    EXPECT_LT(none.rotation, 1e-13);
    const double angle = angles(random);
    const Vec3 axis = random_vector(random).normalized(), shift = random_vector(random);
    const Pose other{pose.position + shift, exponential(Vec3(angle * axis)) * pose.orientation};
    const Pose negative{other.position, Quaternion(-other.orientation.coeffs())};
    const Quaternion common = random_rotation(random);
    const Pose a{common * pose.position, common * pose.orientation},
        b{common * other.position, common * other.orientation};
    for (const PoseError& error : {pose_error(other, pose, protocol), pose_error(pose, other, protocol),
                                   pose_error(negative, pose, protocol), pose_error(a, b, protocol)}) {
      EXPECT_NEAR(error.position, shift.norm() / 0.1048, 1e-12);
      EXPECT_NEAR(error.rotation, angle * 180 / EIGEN_PI, 1e-10);
    }
  }
}

TEST(TossProtocol, ErrorsOfATossAreMeanAndLast) {
  const int n = 11;
  std::vector<Pose> measured(n), simulated(n);
  for (int k = 0; k < n; ++k) {
    simulated[k].position.y() = 0.01048 * k;                                 // a tenth of a width a frame
    simulated[k].orientation = exponential(Vec3(0, 0, k * EIGEN_PI / 180));  // a degree a frame
  }
  TossError error = toss_error(simulated, measured, protocol);
  EXPECT_NEAR(error.mean.position, 0.5, 1e-12);
  EXPECT_NEAR(error.end.position, 1, 1e-12);
  EXPECT_NEAR(error.mean.rotation, 5, 1e-10);
  EXPECT_NEAR(error.end.rotation, 10, 1e-10);
  EXPECT_TRUE(error.right_face);  // a turn about the vertical
  error = toss_error(simulated, simulated, protocol);
  EXPECT_EQ(error.mean.position, 0);
  EXPECT_LT(error.mean.rotation, 1e-13);
  EXPECT_TRUE(error.right_face);
}

TEST(TossProtocol, RightFaceNeedsAxisAndSide) {
  const auto right = [](const Vec3& turn) {
    const std::vector<Pose> flat{Pose{}}, turned{Pose{Vec3::Zero(), exponential(turn)}};
    return toss_error(turned, flat, protocol).right_face;
  };
  EXPECT_TRUE(right(Vec3(0.7, 0, 0)));
  EXPECT_FALSE(right(Vec3(0.9, 0, 0)));
  EXPECT_FALSE(right(Vec3(0, EIGEN_PI, 0)));
  EXPECT_TRUE(right(Vec3(0, 0, 2)));
}

}  // namespace
}  // namespace carom::toss_protocol_test
