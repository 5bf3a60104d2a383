#include "carom/geometry/round_pairs.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace carom {
namespace {

struct Segment {
  Vec3 center, axis;
  double half_length;

  Vec3 at(double s) const { return center + s * axis; }
  double nearest_parameter(const Vec3& point) const {
    return std::clamp(axis.dot(point - center), -half_length, half_length);
  }
};

/// A point of A's core and one of B's.
struct CorePair {
  Vec3 on_a, on_b, normal;
  double distance;
  int other_end = -1;  ///< which of the four ends `end_pairs` starts from this pair ends on, −1 if on none
};

/// Distance and direction from `on_b` to `on_a`. Nearer than `same_point` the difference has no direction that can be
/// told from round-off, and `normal_if_one` stands for it.
CorePair core_pair(const Vec3& on_a, const Vec3& on_b, double same_point, const Vec3& normal_if_one) {
  const Vec3 d = on_a - on_b;
  const double distance = d.norm();
  if (distance <= same_point) return {on_a, on_b, normal_if_one, normal_if_one.dot(d)};
  return {on_a, on_b, d / distance, distance};
}

double round_off(double lengths, const Vec3& between) { return 1e-14 * (lengths + between.norm()); }

void append(const CorePair& pair, double radius_a, double radius_b, double margin, int feature,
            std::vector<ContactPoint>& points) {
  const double gap = pair.distance - radius_a - radius_b;
  if (!(gap <= margin)) return;
  points.push_back({pair.on_a - radius_a * pair.normal, pair.on_b + radius_b * pair.normal, pair.normal, gap, feature});
}

/// Ends of A (0, 1) and of B (2, 3), each with its nearest point on the other.
std::array<CorePair, 4> end_pairs(const Segment& a, const Segment& b, double same_point, const Vec3& normal_if_one) {
  const std::array<Vec3, 4> ends = {a.at(-a.half_length), a.at(a.half_length), b.at(-b.half_length),
                                    b.at(b.half_length)};
  std::array<CorePair, 4> pairs;
  for (int i = 0; i < 4; ++i) {
    const bool from_a = i < 2;
    const Segment& other = from_a ? b : a;
    const double s = other.nearest_parameter(ends[i]);
    const int first = from_a ? 2 : 0;
    const int other_end = s <= -other.half_length ? first : s >= other.half_length ? first + 1 : -1;
    const Vec3 foot = other_end < 0 ? other.at(s) : ends[other_end];
    pairs[i] = from_a ? core_pair(ends[i], foot, same_point, normal_if_one)
                      : core_pair(foot, ends[i], same_point, normal_if_one);
    pairs[i].other_end = other_end;
  }
  return pairs;
}

/// The common perpendicular of the axes. False if parallel to round-off or a foot lies outside its segment.
bool common_perpendicular(const Segment& a, const Segment& b, CorePair& pair) {
  const Vec3 cross = a.axis.cross(b.axis);
  const double sine_squared = cross.squaredNorm();
  if (sine_squared < 1e-30) return false;
  const Vec3 w = b.center - a.center;
  const double s = w.cross(b.axis).dot(cross) / sine_squared;
  const double t = w.cross(a.axis).dot(cross) / sine_squared;
  if (!(std::abs(s) < a.half_length && std::abs(t) < b.half_length)) return false;
  // Its direction is known from the axes and from its feet: take whichever loses fewer digits.
  const double sine = std::sqrt(sine_squared);
  const double side = cross.dot(w) > 0 ? -1 : 1;
  pair = core_pair(a.at(s), b.at(t), 0, side / sine * cross);
  if (pair.distance < sine * (a.half_length + b.half_length)) {
    pair.normal = side / sine * cross;
    pair.distance = std::abs(cross.dot(w)) / sine;
  }
  pair.other_end = -1;
  return true;
}

bool same_place(const CorePair& p, const CorePair& q, double tolerance) {
  return (p.on_a - q.on_a).squaredNorm() <= tolerance * tolerance &&
         (p.on_b - q.on_b).squaredNorm() <= tolerance * tolerance;
}

}  // namespace

void sphere_sphere(const Sphere& a, const Transform& X_WA, const Sphere& b, const Transform& X_WB, double margin,
                   std::vector<ContactPoint>& points) {
  append(core_pair(X_WA.p, X_WB.p, 1e-150, Vec3::UnitZ()), a.radius, b.radius, margin, 0, points);
}

void sphere_capsule(const Sphere& a, const Transform& X_WA, const Capsule& b, const Transform& X_WB, double margin,
                    std::vector<ContactPoint>& points) {
  const Segment axis = {X_WB.p, X_WB.R.col(2), b.half_length};
  const Vec3 foot = axis.at(axis.nearest_parameter(X_WA.p));
  const double same_point = round_off(b.half_length, X_WA.p - X_WB.p);
  append(core_pair(X_WA.p, foot, same_point, X_WB.R.col(0)), a.radius, b.radius, margin, 0, points);
}

void capsule_capsule(const Capsule& a, const Transform& X_WA, const Capsule& b, const Transform& X_WB, double margin,
                     std::vector<ContactPoint>& points) {
  const Segment axis_a = {X_WA.p, X_WA.R.col(2), a.half_length}, axis_b = {X_WB.p, X_WB.R.col(2), b.half_length};
  const Vec3 cross = axis_a.axis.cross(axis_b.axis);
  const double sine = cross.norm();
  const double lengths = a.half_length + b.half_length;
  const double error = round_off(lengths, X_WA.p - X_WB.p);
  const std::array<CorePair, 4> ends =
      end_pairs(axis_a, axis_b, error, sine > 1e-8 ? Vec3(cross / sine) : Vec3(X_WB.R.col(0)));
  const double same = 1e-3 * (a.radius + b.radius) + 1e-9 * lengths;

  std::array<CorePair, 5> pairs;
  std::array<bool, 5> kept = {true, true, true, true, false};
  std::copy(ends.begin(), ends.end(), pairs.begin());
  kept[4] = common_perpendicular(axis_a, axis_b, pairs[4]);
  for (int i = 1; i < 5; ++i) {
    for (int j = 0; j < i && kept[i]; ++j) {
      if (!kept[j] || !same_place(pairs[i], pairs[j], same)) continue;
      // At equal distance the common perpendicular has the better normal.
      if (pairs[i].distance < pairs[j].distance + (i == 4 ? error : 0)) pairs[j] = pairs[i];
      kept[i] = false;
    }
  }
  // For axes parallel to round-off the perpendicular's place is noise, and it is no nearer than the ends are.
  for (const CorePair& end : ends) kept[4] = kept[4] && pairs[4].distance < end.distance - error;
  for (int i = 0; i < 5; ++i) {
    if (!kept[i]) continue;
    const int end = pairs[i].other_end;
    if (end >= 0 && ends[end].distance < pairs[i].distance) continue;
    append(pairs[i], a.radius, b.radius, margin, i, points);
  }
}

}  // namespace carom
