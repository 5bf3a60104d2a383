#include "carom/geometry/surface_point.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/geometry/sign.h"

namespace carom {
namespace {

SurfacePoint from_normal(const Vec3& point, const Vec3& normal, const Vec3& p) {
  return {point, normal, normal.dot(p - point)};
}

/// The function whose root is sought, in terms of τ = t + min e². This leaves no difference of large numbers near
/// τ = 0.
struct Secular {
  Vec3 ey;      ///< eᵢ |pᵢ|
  Vec3 excess;  ///< eᵢ² − min e²

  double term(int i, double tau) const { return ey[i] == 0 ? 0 : ey[i] / (tau + excess[i]); }
  double sum(double tau) const {
    double total = 0;
    for (int i = 0; i < 3; ++i) total += term(i, tau) * term(i, tau);
    return total;
  }
  /// Slope of 1/√sum − 1: it rises, and is straight for a ball.
  double slope(double tau, double sum) const {
    double rate = 0;
    for (int i = 0; i < 3; ++i) rate += term(i, tau) * term(i, tau) / (tau + excess[i]);
    return rate / (sum * std::sqrt(sum));
  }
};

double secular_root(const Secular& f) {
  // Each term alone is at most 1 at the root, and all together are 1.
  double low = std::max(0.0, (f.ey - f.excess).maxCoeff()), high = f.ey.norm();
  double tau = low;
  for (int step = 0; step < 200 && high > low; ++step) {
    const double sum = f.sum(tau);
    const double value = 1 / std::sqrt(sum) - 1;
    if (value == 0) break;
    (value < 0 ? low : high) = tau;
    const double next = tau - value / f.slope(tau, sum);
    const double middle = 0.5 * (low + high);
    const double last = tau;
    tau = next > low && next < high ? next : middle;
    if (std::abs(tau - last) <= 1e-16 * tau || middle == low || middle == high) break;
  }
  return tau;
}

/// Nearest point of a convex polygon to a point of its plane.
Vec3 nearest_in_face(const Polyhedron& solid, const Polyhedron::Face& face, const Vec3& p) {
  Vec3 best = p;
  double least = std::numeric_limits<double>::infinity();
  bool inside = true;
  for (std::size_t k = 0; k < face.vertices.size(); ++k) {
    const Vec3& a = solid.vertices[face.vertices[k]];
    const Vec3 edge = solid.vertices[face.vertices[(k + 1) % face.vertices.size()]] - a;
    inside = inside && face.normal.cross(edge).dot(p - a) >= 0;
    const Vec3 near = a + std::clamp(edge.dot(p - a) / edge.squaredNorm(), 0.0, 1.0) * edge;
    const double distance = (p - near).squaredNorm();
    if (distance < least) {
      least = distance;
      best = near;
    }
  }
  return inside ? p : best;
}

}  // namespace

SurfacePoint nearest_on(const Cylinder& cylinder, const Vec3& p) {
  const double r = cylinder.radius, h = cylinder.half_length;
  const double rho = std::hypot(p.x(), p.y());
  const Vec3 out = rho > 0 ? Vec3(p.x() / rho, p.y() / rho, 0) : Vec3::UnitX();
  const Vec3 up(0, 0, sign(p.z()));
  const double beside = rho - r, above = std::abs(p.z()) - h;
  if (beside > 0 && above > 0) {
    const Vec3 rim = r * out + h * up;
    return from_normal(rim, (beside * out + above * up).normalized(), p);
  }
  const Vec3 along = std::clamp(p.z(), -h, h) * Vec3::UnitZ();
  if (above >= beside) return from_normal(std::min(rho, r) * out + h * up, up, p);
  return from_normal(r * out + along, out, p);
}

SurfacePoint nearest_on(const Ellipsoid& ellipsoid, const Vec3& p) {
  const Vec3& e = ellipsoid.semi_axes;
  int shortest = 0;
  const double least = e.minCoeff(&shortest);
  const Vec3 y = p.cwiseAbs();
  Secular f;
  f.ey = e.cwiseProduct(y);
  for (int i = 0; i < 3; ++i) f.excess[i] = (e[i] - least) * (e[i] + least);
  Vec3 x;
  if (f.ey[shortest] == 0 && f.sum(0) <= 1) {
    // Inside, on the middle plane: the point across the shortest axis is as near on both sides.
    for (int i = 0; i < 3; ++i) x[i] = e[i] * f.term(i, 0);
    x[shortest] = e[shortest] * std::sqrt(std::max(0.0, 1 - f.sum(0)));
  } else {
    const double tau = secular_root(f);
    for (int i = 0; i < 3; ++i) x[i] = e[i] * f.term(i, tau);
  }
  for (int i = 0; i < 3; ++i) x[i] *= sign(p[i]);
  x /= x.cwiseQuotient(e).norm();
  return from_normal(x, x.cwiseQuotient(e.cwiseAbs2()).normalized(), p);
}

SurfacePoint nearest_on(const Polyhedron& solid, const Vec3& p) {
  int deepest = 0;
  double distance = -std::numeric_limits<double>::infinity(), least = std::numeric_limits<double>::infinity();
  Vec3 best = p;
  for (std::size_t i = 0; i < solid.faces.size(); ++i) {
    const Polyhedron::Face& face = solid.faces[i];
    const double above = face.normal.dot(p) - face.offset;
    if (above > distance) {
      distance = above;
      deepest = static_cast<int>(i);
    }
    if (!(above > 0)) continue;
    const Vec3 near = nearest_in_face(solid, face, p - above * face.normal);
    if ((p - near).squaredNorm() < least) {
      least = (p - near).squaredNorm();
      best = near;
    }
  }
  const Vec3& normal = solid.faces[deepest].normal;
  // Within round-off of a face the difference of the points has no direction, but the face has.
  if (distance <= 1e-14 * solid.radius) return {p - distance * normal, normal, distance};
  return from_normal(best, (p - best).normalized(), p);
}

}  // namespace carom
