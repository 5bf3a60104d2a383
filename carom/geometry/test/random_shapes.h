#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <vector>

#include "carom/geometry/contact_points.h"
#include "carom/spatial/rotation.h"

// Random shapes and poses, and what the tests know of a shape without asking the code under test.
namespace carom {

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}

  double between(double low, double high) {
    return low + (high - low) * std::ldexp(static_cast<double>(engine_() >> 11), -53);
  }
  int below(int n) { return static_cast<int>(engine_() % static_cast<unsigned>(n)); }
  /// Whole numbers from 0 to below n.
  Vec3 cell(int n) {
    const int x = below(n), y = below(n), z = below(n);
    return Vec3(x, y, z);
  }
  Vec3 in_cube(double half) {
    const double x = between(-half, half), y = between(-half, half), z = between(-half, half);
    return {x, y, z};
  }
  Vec3 direction() {
    for (;;) {
      const Vec3 v = in_cube(1);
      if (v.norm() > 0.1 && v.norm() < 1) return v.normalized();
    }
  }
  Mat3 rotation() {
    const double angle = between(0, 3.14);
    return exponential(angle * direction()).toRotationMatrix();
  }
  Transform pose(double half) {
    const Mat3 R = rotation();
    return {R, in_cube(half)};
  }
  Sphere sphere() { return {between(0.05, 0.4)}; }
  Box box() { return {Vec3{between(0.05, 0.5), between(0.05, 0.5), between(0.05, 0.5)}}; }
  Capsule capsule() {
    const double r = between(0.02, 0.3);
    return {r, between(0.05, 0.6)};
  }
  Cylinder cylinder() {
    const double r = between(0.05, 0.4);
    return {r, between(0.05, 0.5)};
  }
  Ellipsoid ellipsoid() { return {Vec3{between(0.05, 0.5), between(0.05, 0.5), between(0.05, 0.5)}}; }
  ConvexMesh mesh() {
    std::vector<Vec3> points;
    const Vec3 middle = in_cube(0.1);
    for (int k = 6 + below(30); k > 0; --k) points.push_back(middle + in_cube(0.4));
    return {std::make_shared<const Polyhedron>(convex_hull(points))};
  }
  /// Of the shapes that may move, by number: sphere, capsule, box, cylinder, ellipsoid, mesh.
  Shape shape(int kind) {
    switch (kind) {
      case 0:
        return sphere();
      case 1:
        return capsule();
      case 2:
        return box();
      case 3:
        return cylinder();
      case 4:
        return ellipsoid();
      default:
        return mesh();
    }
  }

 private:
  std::mt19937_64 engine_;
};

/// Greatest n·x over the shape, m.
inline double support(const Shape& shape, const Transform& X_WS, const Vec3& n) {
  const Vec3 n_S = X_WS.R.transpose() * n;
  const double origin = n.dot(X_WS.p);
  if (const auto* s = std::get_if<Sphere>(&shape)) return origin + s->radius;
  if (const auto* c = std::get_if<Capsule>(&shape)) return origin + c->radius + c->half_length * std::abs(n_S.z());
  if (const auto* c = std::get_if<Cylinder>(&shape)) {
    return origin + c->radius * std::hypot(n_S.x(), n_S.y()) + c->half_length * std::abs(n_S.z());
  }
  if (const auto* e = std::get_if<Ellipsoid>(&shape)) return origin + e->semi_axes.cwiseProduct(n_S).norm();
  if (const auto* m = std::get_if<ConvexMesh>(&shape)) {
    double reach = -std::numeric_limits<double>::infinity();
    for (const Vec3& vertex : m->polyhedron->vertices) reach = std::max(reach, n_S.dot(vertex));
    return origin + reach;
  }
  return origin + std::get<Box>(shape).half_extents.dot(n_S.cwiseAbs());
}

/// n·a − n·b is at least this for all a in A, b in B: a lower bound of the signed distance, whatever the unit vector n.
/// The signed distance itself, apart or overlapping, is the greatest such bound.
inline double separation_along(const Vec3& n, const Shape& a, const Transform& X_WA, const Shape& b,
                               const Transform& X_WB) {
  return -support(a, X_WA, -n) - support(b, X_WB, n);
}

/// How far a point lies outside the shape; 0 inside and on it. Of ellipsoids an upper bound, of meshes a lower one.
inline double outside(const Shape& shape, const Transform& X_WS, const Vec3& p_W) {
  const Vec3 p = X_WS.R.transpose() * (p_W - X_WS.p);
  if (const auto* s = std::get_if<Sphere>(&shape)) return std::max(0.0, p.norm() - s->radius);
  if (const auto* c = std::get_if<Capsule>(&shape)) {
    const double beyond = std::max(0.0, std::abs(p.z()) - c->half_length);
    return std::max(0.0, std::sqrt(p.x() * p.x() + p.y() * p.y() + beyond * beyond) - c->radius);
  }
  if (const auto* b = std::get_if<Box>(&shape)) return (p.cwiseAbs() - b->half_extents).cwiseMax(0.0).norm();
  if (const auto* c = std::get_if<Cylinder>(&shape)) {
    const double beside = std::max(0.0, std::hypot(p.x(), p.y()) - c->radius);
    return std::hypot(beside, std::max(0.0, std::abs(p.z()) - c->half_length));
  }
  if (const auto* e = std::get_if<Ellipsoid>(&shape)) {  // no less than the distance, from the ellipsoid scaled to p
    return std::max(0.0, p.cwiseQuotient(e->semi_axes).norm() - 1) * e->semi_axes.maxCoeff();
  }
  if (const auto* m = std::get_if<ConvexMesh>(&shape)) {  // how far from the nearest face's plane: no more than it
    double above = 0;
    for (const Polyhedron::Face& face : m->polyhedron->faces) {
      above = std::max(above, face.normal.dot(p) - face.offset);
    }
    return above;
  }
  return std::max(0.0, p.z());
}

inline std::vector<ContactPoint> points_of(const Shape& a, const Transform& X_WA, const Shape& b, const Transform& X_WB,
                                           double margin) {
  std::vector<ContactPoint> points;
  contact_points(a, X_WA, b, X_WB, margin, points);
  return points;
}

inline const ContactPoint& nearest(const std::vector<ContactPoint>& points) {
  return *std::min_element(points.begin(), points.end(),
                           [](const ContactPoint& p, const ContactPoint& q) { return p.gap < q.gap; });
}

}  // namespace carom
