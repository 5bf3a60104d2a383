#include "carom/geometry/face_contact.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "carom/geometry/core.h"
#include "carom/geometry/feature.h"

namespace carom {
namespace {

constexpr double least_cosine = 0.95;     // between the reference's normal and the contact's
constexpr double equal_cosines = 5e-5;    // faces within 0.01 rad of each other: the larger is the reference
constexpr double equal_areas = 1 - 1e-9;  // and of equal ones B's, whatever the round-off of their corners
constexpr double deepest_lift = 1e-4;     // of the shapes' size: how far a corner's gap is raised to the pair's
constexpr double least_sine = 0.1;        // edges at a smaller angle lie side by side

/// A polygon on its way through the planes. Each side remembers its origin: i ≥ 0 is a side of the incident feature,
/// −1 − j the cut over side j of the reference.
struct Clipped {
  static constexpr int most = 2 * Feature::most_corners;
  int count = 0;
  std::array<Vec3, most> corners;
  std::array<int, most> numbers;
  std::array<int, most> sides;  ///< from corner k to the next

  void add(const Vec3& corner, int number, int side) {
    if (count == most) return;
    corners[count] = corner;
    numbers[count] = number;
    sides[count++] = side;
  }
};

int crossing_number(int side, int cut) {
  if (side >= 0) return (1 << 16) * (1 + side) + cut;
  return (1 << 24) + 64 * (-1 - side) + cut;
}

/// The part below the plane normal · x ≤ offset, to within `round_off`.
void cut(const Clipped& from, const Vec3& normal, double offset, int number, double round_off, Clipped& to) {
  to.count = 0;
  const bool open = from.count == 2;  // a segment: one side alone
  for (int k = 0; k < from.count; ++k) {
    const int next = (k + 1) % from.count;
    const Vec3 &p = from.corners[k], &q = from.corners[next];
    const double here = normal.dot(p) - offset, there = normal.dot(q) - offset;
    const bool in = here <= round_off, next_in = there <= round_off;
    const bool leaves = in && !next_in, enters = !in && next_in;
    if (in) to.add(p, from.numbers[k], from.sides[k]);
    if (open && k == 1) break;
    if (!leaves && !enters) continue;
    const Vec3 crossing = p + here / (here - there) * (q - p);
    to.add(crossing, crossing_number(from.sides[k], number), leaves && !open ? -1 - number : from.sides[k]);
  }
}

/// The part of `incident` that stands over the face `reference` as seen against the unit vector `outwards`.
Clipped clip(const Feature& reference, const Feature& incident, const Vec3& outwards, double round_off) {
  Clipped now, next;
  for (int i = 0; i < incident.count; ++i) now.add(incident.corners[i], 1 + i, i);
  for (int j = 0; j < reference.count && now.count > 0; ++j) {
    const Vec3& p = reference.corners[j];
    const Vec3 edge = reference.corners[(j + 1) % reference.count] - p;
    const Vec3 aside = edge.cross(outwards).normalized();
    cut(now, aside, aside.dot(p), j, round_off, next);
    std::swap(now, next);
  }
  return now;
}

/// The part of the edge `incident` that lies beside the edge `reference`, which points along `axis`.
Clipped clip_to_edge(const Feature& reference, const Feature& incident, const Vec3& axis, double round_off) {
  Clipped now, next;
  for (int i = 0; i < 2; ++i) now.add(incident.corners[i], 1 + i, i);
  cut(now, -axis, -axis.dot(reference.corners[0]), 0, round_off, next);
  cut(next, axis, axis.dot(reference.corners[1]), 1, round_off, now);
  return now;
}

/// Appends the contact point of a corner of the incident feature over the reference.
struct Appender {
  const ConvexDistance& pair;
  double radius_reference, radius_incident, margin, size;
  bool reference_is_b;
  std::vector<ContactPoint>& points;

  /// `outwards` is the reference's normal, `height` the corner's above it.
  void operator()(const Vec3& corner, const Vec3& outwards, double height, int number) const {
    const double own = height - radius_reference - radius_incident, gap = std::max(own, pair.gap);
    // A corner much deeper than the pair leaves by another way than this face.
    if (!(gap <= margin) || pair.gap - own > deepest_lift * size) return;
    const Vec3 incident = corner - radius_incident * outwards, reference = incident - gap * outwards;
    if (reference_is_b) {
      points.push_back({incident, reference, outwards, gap, number});
    } else {
      points.push_back({reference, incident, -outwards, gap, number});
    }
  }
};

/// Points along `outwards`, the reference's normal or a unit vector near it.
void against_face(const Feature& reference, const Feature& incident, const Vec3& outwards, double round_off,
                  const Appender& append) {
  const Clipped found = clip(reference, incident, outwards, round_off);
  const double cosine = reference.normal.dot(outwards);
  for (int k = 0; k < found.count; ++k) {
    const double height = reference.normal.dot(found.corners[k] - reference.corners[0]) / cosine;
    append(found.corners[k], outwards, height, found.numbers[k]);
  }
}

/// Ends of the part of the line `incident`, on the surface of one shape, that lies beside the axis of the other. The
/// other's surface lies `radius` around the axis (of a cylinder; `append` subtracts a capsule's).
void side_by_side(const Feature& reference, const Transform& X_reference, double radius, const Feature& incident,
                  double round_off, const Appender& append) {
  const Vec3 axis = X_reference.R.col(2);
  const Vec3 other = incident.corners[1] - incident.corners[0];
  if (axis.cross(other).norm() > least_sine * other.norm()) return;
  const Clipped found = clip_to_edge(reference, incident, axis, round_off);
  for (int k = 0; k < found.count; ++k) {
    const Vec3 arm = found.corners[k] - X_reference.p;
    const Vec3 out = arm - axis * axis.dot(arm);
    const double distance = out.norm();
    // Beyond the axis there is no telling which side it left by.
    if (distance > 1e-3 * append.size) append(found.corners[k], out / distance, distance - radius, found.numbers[k]);
  }
}

/// The edge of the core that is farthest along `direction`, the ends in an order of the shape's own frame.
Feature edge_towards(const Shape& shape, const Transform& X_WS, const Vec3& direction) {
  Feature edge;
  const SupportSet farthest(shape, X_WS, direction);
  if (!farthest.is_edge()) return edge;
  edge.count = 2;
  edge.corners[0] = farthest.corner(0);
  edge.corners[1] = farthest.corner(1);
  const Vec3 along = X_WS.R.transpose() * (edge.corners[1] - edge.corners[0]);
  const double least = 1e-6 * along.norm();
  const int leading = std::abs(along.x()) > least ? 0 : std::abs(along.y()) > least ? 1 : 2;
  if (along[leading] < 0) std::swap(edge.corners[0], edge.corners[1]);
  return edge;
}

/// Ends of the common part of two edges that lie on one another along `outwards`, the exact pair's normal. Edges that
/// cross have none, since they meet in the exact pair alone.
void along_an_edge(const Feature& reference, const Feature& incident, const Vec3& outwards, double round_off,
                   const Appender& append) {
  if (reference.count != 2 || incident.count != 2) return;
  const Vec3 axis = (reference.corners[1] - reference.corners[0]).normalized();
  if (axis.cross(incident.corners[1] - incident.corners[0]).norm() > round_off) return;
  const Clipped found = clip_to_edge(reference, incident, axis, round_off);
  for (int k = 0; k < found.count; ++k) {
    append(found.corners[k], outwards, outwards.dot(found.corners[k] - reference.corners[0]), found.numbers[k]);
  }
}

/// Area of a face; the length of an edge.
double area(const Feature& feature) {
  if (!feature.is_face()) return (feature.corners[1] - feature.corners[0]).norm();
  Vec3 sum = Vec3::Zero();
  for (int i = 1; i + 1 < feature.count; ++i) {
    sum += 0.5 * (feature.corners[i] - feature.corners[0]).cross(feature.corners[i + 1] - feature.corners[0]);
  }
  return sum.norm();
}

double side_radius(const Shape& shape) {
  const auto* cylinder = std::get_if<Cylinder>(&shape);
  return cylinder ? cylinder->radius : 0;
}

}  // namespace

void face_contact(const Shape& a, const Transform& X_WA, const Shape& b, const Transform& X_WB,
                  const ConvexDistance& pair, double margin, std::vector<ContactPoint>& points) {
  const Vec3& n = pair.normal;
  const Feature of_a = feature_towards(a, X_WA, -n), of_b = feature_towards(b, X_WB, n);
  if (of_a.count < 2 || of_b.count < 2) return;
  const double size = bounding_radius(a) + bounding_radius(b), round_off = 1e-9 * size;
  const double cosine_a = of_a.is_face() ? -n.dot(of_a.normal) : 0, cosine_b = of_b.is_face() ? n.dot(of_b.normal) : 0;
  bool reference_is_b = of_b.is_face();
  if (of_a.is_face() == of_b.is_face()) {
    // Whatever tilts a little keeps its reference, and so its points their numbers.
    const bool parallel = std::abs(cosine_a - cosine_b) <= equal_cosines;
    reference_is_b = parallel ? area(of_b) >= equal_areas * area(of_a) : cosine_b > cosine_a;
  }
  const Feature& reference = reference_is_b ? of_b : of_a;
  const Appender append = {
      pair,  core_radius(reference_is_b ? b : a), core_radius(reference_is_b ? a : b), margin, size, reference_is_b,
      points};
  const std::size_t first = points.size();
  if (!reference.is_face()) {
    side_by_side(reference, reference_is_b ? X_WB : X_WA, side_radius(reference_is_b ? b : a),
                 reference_is_b ? of_a : of_b, round_off, append);
  } else if (std::max(cosine_a, cosine_b) >= least_cosine) {
    const bool along_pair = (reference_is_b ? cosine_b : cosine_a) >= 1 - equal_cosines;
    const Vec3 outwards = along_pair ? Vec3(reference_is_b ? n : -n) : reference.normal;
    against_face(reference, reference_is_b ? of_a : of_b, outwards, round_off, append);
  } else {
    const Feature edge_a = edge_towards(a, X_WA, -n), edge_b = edge_towards(b, X_WB, n);
    along_an_edge(reference_is_b ? edge_b : edge_a, reference_is_b ? edge_a : edge_b, reference_is_b ? n : Vec3(-n),
                  round_off, append);
  }
  std::sort(points.begin() + static_cast<std::ptrdiff_t>(first), points.end(),
            [](const ContactPoint& p, const ContactPoint& q) { return p.feature < q.feature; });
}

}  // namespace carom
