#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "carom/geometry/contact_points.h"
#include "carom/spatial/rotation.h"

// Random shapes and poses, and what the tests know of a shape without asking the code under test.
namespace carom {

class RandomShapes {
 public:
  explicit RandomShapes(unsigned seed) : engine_(seed) {}

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
  Cone cone() {
    const double r = between(0.05, 0.4), h = between(0.05, 0.5), part = between(0.01, 0.9);
    return {r, h, part * r * r / (2 * h)};
  }
  Superquadric superquadric() {
    const Vec3 axes = {between(0.05, 0.5), between(0.05, 0.5), between(0.05, 0.5)};
    return {axes, Vec3{2 + between(0, 4), 2 + between(0, 4), 2 + between(0, 4)}};
  }
  RoundedPolytope rounded() {
    const double radius = between(0.01, 0.2);
    return {mesh().polyhedron, radius};
  }
  /// Shape of a kind that may move, by number: sphere, capsule, box, cylinder, ellipsoid, mesh, cone, superquadric,
  /// rounded.
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
      case 5:
        return mesh();
      case 6:
        return cone();
      case 7:
        return superquadric();
      default:
        return rounded();
    }
  }

 private:
  std::mt19937_64 engine_;
};

/// Name of the kind of that number, for the names of tests.
inline std::string shape_name(int kind) {
  const char* const names[] = {"sphere", "capsule", "box",          "cylinder", "ellipsoid",
                               "mesh",   "cone",    "superquadric", "rounded"};
  return names[kind];
}

/// Along the hyperbola r = τ sinh s, y = τ (cosh s − 1)/t from the tip down to the rim.
inline double cone_reach(const Cone& cone, const Vec3& n) {
  const double t = cone.tangent(), tau = cone.tip_radius / t, across = std::hypot(n.x(), n.y());
  double s = std::asinh(cone.radius / tau);
  if (across * t < n.z()) s = std::min(s, std::atanh(across * t / n.z()));
  return across * tau * std::sinh(s) + n.z() * (cone.height - tau * (std::cosh(s) - 1) / t);
}

/// Greatest n·x over the shape, m. For superquadrics by support_point, which smooth_solids_test.cpp proves.
inline double support(const Shape& shape, const Transform& X_WS, const Vec3& n) {
  const Vec3 n_S = X_WS.R.transpose() * n;
  const double origin = n.dot(X_WS.p);
  if (const auto* s = std::get_if<Sphere>(&shape)) return origin + s->radius;
  if (const auto* c = std::get_if<Capsule>(&shape)) return origin + c->radius + c->half_length * std::abs(n_S.z());
  if (const auto* c = std::get_if<Cylinder>(&shape)) {
    return origin + c->radius * std::hypot(n_S.x(), n_S.y()) + c->half_length * std::abs(n_S.z());
  }
  if (const auto* e = std::get_if<Ellipsoid>(&shape)) return origin + e->semi_axes.cwiseProduct(n_S).norm();
  if (const Polyhedron* solid = polyhedron_of(shape)) {
    double reach = -std::numeric_limits<double>::infinity();
    for (const Vec3& vertex : solid->vertices) reach = std::max(reach, n_S.dot(vertex));
    const auto* rounded = std::get_if<RoundedPolytope>(&shape);
    return origin + reach + (rounded ? rounded->radius : 0);
  }
  if (const auto* c = std::get_if<Cone>(&shape)) return origin + cone_reach(*c, n_S);
  if (const auto* q = std::get_if<Superquadric>(&shape)) return origin + n_S.dot(support_point(*q, n_S));
  return origin + std::get<Box>(shape).half_extents.dot(n_S.cwiseAbs());
}

/// For any unit vector n, n·a − n·b is at least this for all a in A, b in B. So it is a lower bound of the signed
/// distance. The signed distance itself, apart or overlapping, is the greatest such bound.
inline double separation_along(const Vec3& n, const Shape& a, const Transform& X_WA, const Shape& b,
                               const Transform& X_WB) {
  return -support(a, X_WA, -n) - support(b, X_WB, n);
}

/// Distance of a point outside the shape; 0 inside and on it. For ellipsoids and superquadrics an upper bound, for
/// meshes, cones and what is rounded a lower one.
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
  if (const Polyhedron* solid = polyhedron_of(shape)) {  // how far from the nearest face's plane: no more than it
    const auto* rounded = std::get_if<RoundedPolytope>(&shape);
    double above = 0;
    for (const Polyhedron::Face& face : solid->faces) {
      above = std::max(above, face.normal.dot(p) - face.offset - (rounded ? rounded->radius : 0));
    }
    return above;
  }
  if (const auto* c = std::get_if<Cone>(&shape)) {  // slope at most 1
    const double t = c->tangent(), tau = c->tip_radius / t, hypotenuse = std::hypot(1, t);
    const double side = std::sqrt(p.x() * p.x() + p.y() * p.y() + tau * tau) - tau + t * (p.z() - c->height);
    return std::max({0.0, -p.z(), side / hypotenuse});
  }
  if (const auto* q = std::get_if<Superquadric>(&shape)) {  // f(p/k) ≤ f(p)/k²: no less than the distance
    double f = 0;
    for (int i = 0; i < 3; ++i) f += std::pow(std::abs(p[i] / q->semi_axes[i]), q->exponents[i]);
    return f > 1 ? (1 - 1 / std::sqrt(f)) * p.norm() : 0;
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
