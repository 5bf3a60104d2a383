#include "carom/geometry/box_pairs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "carom/geometry/sign.h"

namespace carom {
namespace {

/// A point of the core and one of the box, in the box's frame.
struct BoxPair {
  Vec3 core, box, normal;
  double distance;  ///< signed, along the normal from box to core
  double s = 0;     ///< where on the segment, m from its middle
};

struct BoxSegment {
  Vec3 center, axis;
  double half_length;
  Vec3 at(double s) const { return center + s * axis; }
};

BoxPair point_box(const Vec3& p, const Vec3& h) {
  const Vec3 clamped = p.cwiseMax(-h).cwiseMin(h);
  const Vec3 d = p - clamped;
  const double distance = d.norm();
  if (distance > 1e-150) return {p, clamped, d / distance, distance};
  int k = 0;
  for (int i = 1; i < 3; ++i) {
    if (h[i] - std::abs(p[i]) < h[k] - std::abs(p[k])) k = i;
  }
  BoxPair inside = {p, clamped, Vec3::Zero(), std::abs(p[k]) - h[k]};
  inside.normal[k] = sign(p[k]);
  inside.box[k] = sign(p[k]) * h[k];
  return inside;
}

/// Places where the segment crosses the planes of the faces −x, +x, −y, +y, −z, +z, strictly inside its length.
struct Crossings {
  std::array<bool, 6> present = {};
  std::array<double, 6> s = {};
};

Crossings face_crossings(const BoxSegment& segment, const Vec3& h) {
  Crossings crossings;
  for (int face = 0; face < 6; ++face) {
    const int i = face / 2;
    if (segment.axis[i] == 0) continue;
    crossings.s[face] = ((face % 2 ? h[i] : -h[i]) - segment.center[i]) / segment.axis[i];
    crossings.present[face] = std::abs(crossings.s[face]) < segment.half_length;
  }
  return crossings;
}

/// Half the derivative of the squared distance of p(s) from the box; grows with s, linear between crossings.
double slope(const BoxSegment& segment, const Vec3& h, double s) {
  const Vec3 p = segment.at(s);
  return segment.axis.dot(p - p.cwiseMax(-h).cwiseMin(h));
}

/// The s of least distance from the box; the least such s where there are many.
double nearest_parameter(const BoxSegment& segment, const Vec3& h, const Crossings& crossings) {
  double from = -segment.half_length, to = segment.half_length;
  double slope_from = slope(segment, h, from), slope_to = slope(segment, h, to);
  if (slope_from >= 0) return from;
  if (slope_to < 0) return to;
  for (int face = 0; face < 6; ++face) {
    if (!crossings.present[face]) continue;
    const double s = crossings.s[face], here = slope(segment, h, s);
    if (here < 0 && s > from) {
      from = s;
      slope_from = here;
    } else if (here >= 0 && s < to) {
      to = s;
      slope_to = here;
    }
  }
  return from + (to - from) * (-slope_from / (slope_to - slope_from));
}

/// Exact pair along the normal of the box's face k.
BoxPair face_exit(const BoxSegment& segment, const Vec3& h, int k) {
  const double side = sign(segment.center[k]);
  // The lowest end; or, where the segment is parallel to the face, the nearest place that lies over the face.
  double low = -segment.half_length, high = segment.half_length;
  for (int i = 0; i < 3; ++i) {
    if (i == k || segment.axis[i] == 0) continue;
    const double middle = -segment.center[i] / segment.axis[i], reach = h[i] / std::abs(segment.axis[i]);
    low = std::max(low, middle - reach);
    high = std::min(high, middle + reach);
  }
  double s = -side * sign(segment.axis[k]) * segment.half_length;
  if (low <= high) s = std::clamp(s, low, high);
  BoxPair pair = {segment.at(s), Vec3::Zero(), Vec3::Zero(), 0, s};
  pair.normal[k] = side;
  pair.distance = side * pair.core[k] - h[k];
  pair.box = pair.core.cwiseMax(-h).cwiseMin(h);
  pair.box[k] = side * h[k];
  return pair;
}

/// Exact pair along n = ±eₖ × u: the segment against the edge of the box that lies farthest along n.
BoxPair edge_exit(const BoxSegment& segment, const Vec3& h, int k, const Vec3& n) {
  Vec3 edge(sign(n.x()) * h.x(), sign(n.y()) * h.y(), sign(n.z()) * h.z());
  edge[k] = 0;
  const double distance = n.dot(segment.center - edge);
  const Vec3 across = n.cross(Vec3::Unit(k));
  const double s = std::clamp(across.dot(edge - segment.center) / across.dot(segment.axis), -segment.half_length,
                              segment.half_length);
  const Vec3 core = segment.at(s);
  edge[k] = std::clamp((core - distance * n)[k], -h[k], h[k]);
  return {core, edge, n, distance, s};
}

/// Shortest way out of the box of a segment that meets it.
BoxPair exit_pair(const BoxSegment& segment, const Vec3& h, double round_off) {
  int face = 0;
  Vec3 separation;
  for (int k = 0; k < 3; ++k) {
    separation[k] = std::abs(segment.center[k]) - segment.half_length * std::abs(segment.axis[k]) - h[k];
    if (separation[k] > separation[face]) face = k;
  }
  int edge = -1;
  double best = separation[face] + round_off;
  Vec3 normal;
  for (int k = 0; k < 3; ++k) {
    Vec3 n = Vec3::Unit(k).cross(segment.axis);
    const double sine = n.norm();
    if (sine < 1e-150) continue;
    n *= sign(n.dot(segment.center)) / sine;
    const double bound = n.dot(segment.center) - h.dot(n.cwiseAbs());
    if (!(bound > best)) continue;
    best = bound;
    edge = k;
    normal = n;
  }
  return edge < 0 ? face_exit(segment, h, face) : edge_exit(segment, h, edge, normal);
}

/// The face that a normal points to most.
int axis_of(const Vec3& normal) {
  int k = 0;
  normal.cwiseAbs().maxCoeff(&k);
  return k;
}

/// The ball at p(s) seen along the face that `exact` leaves by. False if it lies more than `same` beyond that face's
/// edges.
bool beside_exit(const BoxPair& exact, const Vec3& p, const Vec3& h, double same, BoxPair& pair) {
  const int k = axis_of(exact.normal);
  const double side = sign(exact.normal[k]);
  for (int i = 0; i < 3; ++i) {
    if (i != k && std::abs(p[i]) > h[i] + same) return false;
  }
  pair = {p, p.cwiseMax(-h).cwiseMin(h), Vec3::Zero(), side * p[k] - h[k]};
  pair.normal[k] = side;
  pair.box[k] = side * h[k];
  return true;
}

/// The pairs of capsule_box, in the box's frame, by feature number.
struct SegmentPairs {
  static constexpr int exact = 8;
  std::array<bool, 9> kept = {};
  std::array<BoxPair, 9> pairs;
};

/// Makes one of each group of pairs that are the same place, and leaves none that is nearer than the exact pair.
void join_same(double same, double round_off, SegmentPairs& found) {
  const BoxPair exact = found.pairs[SegmentPairs::exact];
  bool exact_joined = false, equalled = false;
  for (int i = 0; i < 9; ++i) {
    for (int j = 0; j < i && found.kept[i]; ++j) {
      const BoxPair &p = found.pairs[i], &q = found.pairs[j];
      if (!found.kept[j]) continue;
      if (std::abs(p.s - q.s) > same && (p.box - q.box).squaredNorm() > same * same) continue;
      if (i == SegmentPairs::exact || p.distance < q.distance) found.pairs[j] = p;
      found.kept[i] = false;
      exact_joined |= i == SegmentPairs::exact;
    }
  }
  for (int i = 0; i < SegmentPairs::exact; ++i) {
    // A ball under a face may be deeper than an exact pair that leaves by an edge.
    found.kept[i] = found.kept[i] && found.pairs[i].distance >= exact.distance - round_off;
    equalled |= found.kept[i] && found.pairs[i].distance <= exact.distance + round_off;
  }
  // On a segment parallel to a face the place of the exact pair is arbitrary; there the ends of the overlap are as
  // near.
  found.kept[SegmentPairs::exact] = !exact_joined && !equalled;
}

SegmentPairs segment_box(const BoxSegment& segment, const Vec3& h, double same) {
  const double round_off = 1e-14 * (segment.half_length + h.sum());
  const Crossings crossings = face_crossings(segment, h);
  SegmentPairs found;
  BoxPair& exact = found.pairs[SegmentPairs::exact];
  const double s_nearest = nearest_parameter(segment, h, crossings);
  exact = point_box(segment.at(s_nearest), h);
  exact.s = s_nearest;
  // Within round-off of the box the difference of the points has no direction, but the way out has.
  const bool inside = exact.distance <= round_off;
  if (inside) exact = exit_pair(segment, h, round_off);
  found.kept[SegmentPairs::exact] = true;

  for (int i = 0; i < SegmentPairs::exact; ++i) {
    const int face = i - 2;
    if (face >= 0 && !crossings.present[face]) continue;
    // Nothing ends where the axis passes the plane of the very face that it leaves by.
    if (face >= 0 && inside && face / 2 == axis_of(exact.normal)) continue;
    const double s = i == 0 ? -segment.half_length : i == 1 ? segment.half_length : crossings.s[face];
    Vec3 p = segment.at(s);
    if (face >= 0) p[face / 2] = face % 2 ? h[face / 2] : -h[face / 2];
    found.kept[i] = !inside || beside_exit(exact, p, h, same, found.pairs[i]);
    if (!inside) found.pairs[i] = point_box(p, h);
    found.pairs[i].s = s;
  }
  join_same(same, round_off, found);
  return found;
}

void append_pair(const BoxPair& pair, double radius, const Transform& X_WB, double margin, int feature,
                 std::vector<ContactPoint>& points) {
  const double gap = pair.distance - radius;
  if (!(gap <= margin)) return;
  points.push_back({X_WB * (pair.core - radius * pair.normal), X_WB * pair.box, X_WB.R * pair.normal, gap, feature});
}

}  // namespace

void sphere_box(const Sphere& a, const Transform& X_WA, const Box& b, const Transform& X_WB, double margin,
                std::vector<ContactPoint>& points) {
  append_pair(point_box(X_WB.R.transpose() * (X_WA.p - X_WB.p), b.half_extents), a.radius, X_WB, margin, 0, points);
}

void capsule_box(const Capsule& a, const Transform& X_WA, const Box& b, const Transform& X_WB, double margin,
                 std::vector<ContactPoint>& points) {
  const BoxSegment segment = {X_WB.R.transpose() * (X_WA.p - X_WB.p), X_WB.R.transpose() * X_WA.R.col(2),
                              a.half_length};
  const SegmentPairs found =
      segment_box(segment, b.half_extents, 1e-3 * a.radius + 1e-9 * (a.half_length + b.half_extents.sum()));
  for (int i = 0; i < 9; ++i) {
    if (found.kept[i]) append_pair(found.pairs[i], a.radius, X_WB, margin, i, points);
  }
}

}  // namespace carom
