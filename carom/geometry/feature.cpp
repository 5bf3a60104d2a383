#include "carom/geometry/feature.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "carom/geometry/core.h"
#include "carom/geometry/sign.h"

namespace carom {
namespace {

Feature box_face(const Box& box, const Vec3& d) {
  int k = 0;
  d.cwiseAbs().maxCoeff(&k);
  const int i = (k + 1) % 3, j = (k + 2) % 3;
  const double side = sign(d[k]);
  Feature face;
  face.count = 4;
  face.normal = side * Vec3::Unit(k);
  for (int corner = 0; corner < 4; ++corner) {
    Vec3& p = face.corners[corner];
    p[k] = side * box.half_extents[k];
    p[i] = (corner == 1 || corner == 2 ? side : -side) * box.half_extents[i];
    p[j] = (corner >= 2 ? 1 : -1) * box.half_extents[j];
  }
  return face;
}

Feature mesh_face(const Polyhedron& solid, const Vec3& d) {
  const Polyhedron::Face* best = &solid.flats.front();
  for (const Polyhedron::Face& face : solid.flats) {
    if (face.normal.dot(d) > best->normal.dot(d)) best = &face;
  }
  const int size = static_cast<int>(best->vertices.size());
  Feature feature;
  feature.count = std::min(size, Feature::most_corners);
  feature.normal = best->normal;
  for (int i = 0; i < feature.count; ++i) {
    feature.corners[i] = solid.vertices[best->vertices[i * size / feature.count]];
  }
  return feature;
}

/// The disc of radius r in the plane z = height, seen from the side that is given.
Feature disc(double radius, double height, double side) {
  Feature cap;
  cap.count = 8;
  cap.normal = side * Vec3::UnitZ();
  for (int i = 0; i < 8; ++i) {
    const double angle = side * i * std::numbers::pi / 4;
    cap.corners[i] = Vec3(radius * std::cos(angle), radius * std::sin(angle), height);
  }
  return cap;
}

Feature segment(const Vec3& middle, double half_length) {
  Feature ends;
  ends.count = 2;
  ends.corners[0] = middle - half_length * Vec3::UnitZ();
  ends.corners[1] = middle + half_length * Vec3::UnitZ();
  return ends;
}

Feature local_feature(const Shape& shape, const Vec3& d) {
  if (const auto* box = std::get_if<Box>(&shape)) return box_face(*box, d);
  if (const Polyhedron* solid = polyhedron_of(shape)) return mesh_face(*solid, d);
  if (const auto* capsule = std::get_if<Capsule>(&shape)) return segment(Vec3::Zero(), capsule->half_length);
  if (const auto* cylinder = std::get_if<Cylinder>(&shape)) {
    const double across = std::hypot(d.x(), d.y());
    if (std::abs(d.z()) > across) return disc(cylinder->radius, sign(d.z()) * cylinder->half_length, sign(d.z()));
    return segment(cylinder->radius / across * Vec3(d.x(), d.y(), 0), cylinder->half_length);
  }
  if (const auto* cone = std::get_if<Cone>(&shape)) {
    if (-d.z() > std::hypot(d.x(), d.y())) return disc(cone->radius, 0, -1);
  }
  return {};
}

/// Radius of the shape's disc that looks along the unit vector d to within `tie`, 0 if there is none.
double disc_towards(const Shape& shape, const Vec3& d, double tie) {
  const double across = std::hypot(d.x(), d.y());
  const auto* cylinder = std::get_if<Cylinder>(&shape);
  if (cylinder) return cylinder->radius * across <= tie ? cylinder->radius : 0;
  const auto* cone = std::get_if<Cone>(&shape);
  return cone && d.z() < 0 && cone->radius * across <= tie ? cone->radius : 0;
}

/// The convex polygon, edge or corner that these points are as seen along d, anticlockwise from where d points. Returns
/// the number of its corners, which are then the first of `points`. Andrew's monotone chains (1979).
int outline(const Vec3& d, Vec3* points, int count) {
  int k = 0;
  d.cwiseAbs().minCoeff(&k);
  const Vec3 u = d.cross(Vec3::Unit(k)).normalized(), v = d.cross(u);
  std::sort(points, points + count, [&](const Vec3& p, const Vec3& q) {
    return std::pair(u.dot(p), v.dot(p)) < std::pair(u.dot(q), v.dot(q));
  });
  std::array<Vec3, 2 * Feature::most_corners> chain;
  int size = 0;
  const auto add = [&](const Vec3& p, int from) {
    while (size >= from + 2 && d.dot((chain[size - 1] - chain[size - 2]).cross(p - chain[size - 2])) <= 0) --size;
    chain[size++] = p;
  };
  for (int i = 0; i < count; ++i) add(points[i], 0);
  const int lower = size - 1;
  for (int i = count - 2; i >= 0; --i) add(points[i], lower);
  size = std::max(size - 1, 1);  // the last is the first again
  std::copy(chain.begin(), chain.begin() + size, points);
  return size;
}

/// The polygon, edge or corner of the vertices that reach so far along d; count 0 if they are too many for it.
Feature tied_corners(const Polyhedron& solid, const Vec3& d, double reach) {
  Feature tied;
  for (const Vec3& vertex : solid.vertices) {
    if (d.dot(vertex) < reach) continue;
    if (tied.count == Feature::most_corners) return {};
    tied.corners[tied.count++] = vertex;
  }
  if (tied.count <= 2) return tied;
  tied.count = outline(d, tied.corners.data(), tied.count);
  for (int i = 0; i < tied.count; ++i) {
    const Vec3 &p = tied.corners[i], &q = tied.corners[(i + 1) % tied.count];
    tied.normal += (p - tied.corners[0]).cross(q - tied.corners[0]);
  }
  tied.normal = tied.count > 2 ? Vec3(tied.normal.normalized()) : d;
  return tied;
}

Vec3 nearest_on_segment(const Vec3& a, const Vec3& b, const Vec3& p) {
  const Vec3 edge = b - a;
  const double length2 = edge.squaredNorm();
  return length2 > 0 ? Vec3(a + std::clamp(edge.dot(p - a) / length2, 0.0, 1.0) * edge) : a;
}

/// The place where the edge of A comes nearest to the edge of B moved by `apart`.
Vec3 crossing_of_edges(const SupportSet& a, const SupportSet& b, const Vec3& apart, const Vec3& guess_A) {
  const Vec3 u = a.corner(1) - a.corner(0), v = b.corner(1) - b.corner(0);
  const Vec3 w = b.corner(0) + apart - a.corner(0);
  const double uu = u.squaredNorm(), uv = u.dot(v), vv = v.squaredNorm();
  const double determinant = uu * vv - uv * uv;
  if (determinant > 1e-12 * uu * vv) {
    const double s = (vv * u.dot(w) - uv * v.dot(w)) / determinant;
    return a.corner(0) + std::clamp(s, 0.0, 1.0) * u;
  }
  return a.nearest(b.nearest(guess_A - apart) + apart);
}

}  // namespace

Feature feature_towards(const Shape& shape, const Transform& X_WS, const Vec3& direction) {
  Feature feature = local_feature(shape, X_WS.R.transpose() * direction);
  for (int i = 0; i < feature.count; ++i) feature.corners[i] = X_WS * feature.corners[i];
  feature.normal = X_WS.R * feature.normal;
  return feature;
}

SupportSet::SupportSet(const Shape& shape, const Transform& X_WS, const Vec3& d) {
  const Vec3 direction = X_WS.R.transpose() * d;
  const double tie = 1e-9 * bounding_radius(shape);
  const Vec3 farthest = core_support(shape, direction).point;
  const double reach = direction.dot(farthest);
  const bool has_rims = std::holds_alternative<Cylinder>(shape) || std::holds_alternative<Cone>(shape);
  disc_radius_ = disc_towards(shape, direction, tie);
  if (disc_radius_ > 0) {
    normal_ = d;
    count_ = 3;
    corners_[0] = X_WS * Vec3(0, 0, farthest.z());
    return;
  }
  Feature feature = local_feature(shape, direction);
  if (const Polyhedron* solid = polyhedron_of(shape)) {
    // Corners that look along d need not be of the face that looks there most, nor be that face as it was drawn.
    const Feature tied = tied_corners(*solid, direction, reach - tie);
    if (tied.count > 0) feature = tied;
  }
  for (int i = 0; i < feature.count; ++i) {
    if (reach - direction.dot(feature.corners[i]) <= tie) corners_[count_++] = X_WS * feature.corners[i];
  }
  if (count_ == 0 || (has_rims && feature.is_face())) {  // a point of a rim, or of a smooth surface
    count_ = 1;
    corners_[0] = X_WS * farthest;
  }
  normal_ = X_WS.R * feature.normal;
}

Vec3 SupportSet::nearest_in_polygon(const Vec3& p) const {
  const Vec3 flat = p - normal_ * normal_.dot(p - corners_[0]);
  Vec3 best = flat;
  double least = std::numeric_limits<double>::infinity();
  bool inside = true;
  for (int i = 0; i < count_; ++i) {
    const Vec3 &a = corners_[i], &b = corners_[(i + 1) % count_];
    inside = inside && normal_.cross(b - a).dot(flat - a) >= 0;
    const Vec3 near = nearest_on_segment(a, b, flat);
    if ((near - flat).squaredNorm() >= least) continue;
    least = (near - flat).squaredNorm();
    best = near;
  }
  return inside ? flat : best;
}

Vec3 SupportSet::nearest(const Vec3& p) const {
  if (disc_radius_ > 0) {
    const Vec3 arm = p - corners_[0] - normal_ * normal_.dot(p - corners_[0]);
    return corners_[0] + arm * std::min(1.0, disc_radius_ / std::max(arm.norm(), 1e-300));
  }
  if (count_ == 1) return corners_[0];
  return count_ == 2 ? nearest_on_segment(corners_[0], corners_[1], p) : nearest_in_polygon(p);
}

Vec3 meeting_point(const SupportSet& a, const SupportSet& b, const Vec3& apart, const Vec3& guess_A) {
  if (a.is_point()) return a.corner(0);
  if (b.is_point()) return a.nearest(b.corner(0) + apart);
  if (a.is_edge() && b.is_edge()) return crossing_of_edges(a, b, apart, guess_A);
  Vec3 p = a.nearest(guess_A);
  for (int step = 0; step < 100; ++step) {
    const Vec3 next = a.nearest(b.nearest(p - apart) + apart);
    const bool settled = next == p;
    p = next;
    if (settled) break;
  }
  return p;
}

}  // namespace carom
