#include "carom/validation/drop_protocol.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/validation/plane_pose.h"

namespace carom {
namespace {

/// A record with what its frames say.
class TrackedDrop {
 public:
  TrackedDrop(const SquareDrop& drop, const SquareDrops& drops, const DropRules& rules)
      : q_(drop.poses), drops_(drops), rules_(rules) {
    const TossProtocol protocol = protocol_of(drops, rules);
    for (const Vec3& pose : q_) {
      poses_.push_back(plane_pose(pose));
      clearances_.push_back(clearance(poses_.back(), protocol));
    }
  }

  int frames() const { return static_cast<int>(q_.size()); }
  const std::vector<Pose>& poses() const { return poses_; }
  bool touches(int k) const { return clearances_[at(k)] <= 0; }
  bool is_near(int k) const { return clearances_[at(k)] <= rules_.high; }
  /// Nothing can touch the square about frame k.
  bool is_high(int k) const { return !is_near(k - 1) && !is_near(k) && !is_near(k + 1); }

  /// m_k, for 1 ≤ k < frames − 1.
  Vec3 misfit(int k) const {
    const Vec3 &before = q_[at(k - 1)], &here = q_[at(k)], &after = q_[at(k + 1)];
    const double f = drops_.frame_rate;
    const Vec3 rate = (after - before) * f / 2;
    return after - 2 * here + before + Vec3(drops_.drag * rate[0], drops_.gravity + drops_.drag * rate[1], 0) / (f * f);
  }
  bool flies(int k) const {
    const Vec3 m = misfit(k).cwiseAbs();
    return m[0] <= rules_.flight_misfit[0] && m[1] <= rules_.flight_misfit[1] && m[2] <= rules_.flight_misfit[2];
  }
  bool is_lost(int k) const {
    const Vec3 m = misfit(k);
    return std::hypot(m[0], m[1]) > rules_.lost_shift || std::abs(m[2]) > rules_.lost_turn;
  }
  /// Energy per mass of the motion from frame k − 1 to frame k, m²/s².
  double energy(int k) const {
    const Vec3 v = (q_[at(k)] - q_[at(k - 1)]) * drops_.frame_rate;
    const double height = (q_[at(k)][1] + q_[at(k - 1)][1]) / 2 - drops_.floor_height;
    const double turning = drops_.gyration_radius * v[2];
    return 0.5 * (v[0] * v[0] + v[1] * v[1] + turning * turning) + drops_.gravity * height;
  }

 private:
  static std::size_t at(int k) { return static_cast<std::size_t>(k); }

  const std::vector<Vec3>& q_;
  const SquareDrops& drops_;
  const DropRules& rules_;
  std::vector<Pose> poses_;
  std::vector<double> clearances_;
};

struct Flight {
  int first = 0, count = 0;
};

Flight first_flight(const TrackedDrop& tracked) {
  if (tracked.touches(0)) return {0, 0};
  int first = 0, k = 1;
  for (; k + 1 < tracked.frames() && !tracked.touches(k); ++k) {
    if (tracked.flies(k)) continue;
    if (!tracked.is_high(k)) break;
    first = k + 1;
  }
  // Frame k is the last before the impact, or the first that touches.
  const int end = k < tracked.frames() && !tracked.touches(k) ? k + 1 : k;
  return {first, std::max(0, end - first)};
}

DropFault fault_of(const TrackedDrop& tracked, const Flight& flight, int end, const DropRules& rules) {
  // A square that is held still flies as well, by the misfit of a flight. Rest then begins before its end.
  if (flight.count < rules.shortest_flight || end < flight.first + flight.count) return DropFault::short_flight;
  double energy = 0;
  for (int k = flight.first + 1; k < flight.first + flight.count; ++k) energy += tracked.energy(k) / (flight.count - 1);
  for (int k = flight.first + flight.count; k + 1 < end; ++k) {
    if (tracked.is_high(k) && tracked.is_lost(k)) return DropFault::broken_flight;
  }
  for (int k = flight.first + flight.count; k < end; ++k) {
    if (tracked.energy(k) > (1 + rules.energy_excess) * energy) return DropFault::energy;
  }
  return DropFault::none;
}

}  // namespace

std::string fault_text(DropFault fault, const DropRules& rules) {
  switch (fault) {
    case DropFault::short_flight:
      return fmt::format("first flight of fewer than {} frames", rules.shortest_flight);
    case DropFault::broken_flight:
      return "a frame lost or mistaken in a later flight";
    case DropFault::energy:
      return "a motion with more energy than the first flight";
    case DropFault::none:
      break;
  }
  return "judged";
}

TossProtocol protocol_of(const SquareDrops& drops, const DropRules& rules) {
  TossProtocol protocol;
  protocol.frame_rate = drops.frame_rate;
  protocol.gravity = drops.gravity;
  protocol.drag = drops.drag;
  protocol.half_width = drops.half_width;
  protocol.corner_radius = drops.corner_radius;
  protocol.floor_height = drops.floor_height;
  protocol.floor_slope = drops.floor_slope;
  protocol.still_speed = rules.still_speed;
  protocol.still_spin = rules.still_spin;
  protocol.still_frames = rules.still_frames;
  protocol.frames_of_rest = rules.frames_of_rest;
  return protocol;
}

JudgedDrop judge_drop(const SquareDrop& drop, const SquareDrops& drops, const DropRules& rules) {
  const TrackedDrop tracked(drop, drops, rules);
  const Flight flight = first_flight(tracked);
  const std::vector<Pose> cut = cut_after_rest(tracked.poses(), protocol_of(drops, rules));
  JudgedDrop judged;
  judged.first = flight.first;
  judged.toss.number = drop.number;
  judged.fault = fault_of(tracked, flight, static_cast<int>(cut.size()), rules);
  if (judged.fault != DropFault::none) return judged;
  judged.toss.poses.assign(cut.begin() + flight.first, cut.end());
  judged.toss.flight = flight.count;
  return judged;
}

}  // namespace carom
