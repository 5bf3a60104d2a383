#include "carom/geometry/implicit/implicit_solid.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <sstream>
#include <utility>

#include "carom/error.h"
#include "carom/numerics/symmetric_spectrum.h"

namespace carom {
namespace {

constexpr double farthest = 1e3;  // m
constexpr int rays = 2000, drawn = 600;

/// The greatest of the inequalities along the ray, and its slope there.
struct Along {
  double value, slope;
};
Along greatest_along(const ImplicitBody& body, const Vec3& direction, double t) {
  Along greatest = {-std::numeric_limits<double>::infinity(), 0};
  for (const ImplicitSurface& surface : body.surfaces) {
    const SurfaceJet jet = evaluate(surface, body.inside + t * direction);
    if (!(jet.value > greatest.value)) continue;
    greatest = {jet.value, jet.gradient.dot(direction)};
  }
  return greatest;
}

/// Evenly spread over the sphere: a spiral with golden turns.
Vec3 spiral(int k, int count) {
  const double z = 1 - (2 * k + 1.0) / count, turn = k * std::numbers::pi * (3 - std::sqrt(5.0));
  const double across = std::sqrt(1 - z * z);
  return {across * std::cos(turn), across * std::sin(turn), z};
}

std::string place(const Vec3& x) {
  std::ostringstream text;
  text.precision(3);
  text << '(' << x.x() << ", " << x.y() << ", " << x.z() << ')';
  return text.str();
}

std::string ordinal(std::size_t i) { return "inequality " + std::to_string(i + 1) + " "; }

std::string endless(const Vec3& direction) {
  return "the body has no end along " + place(direction) + "; add inequalities that bound it";
}

/// That every inequality has a value and is convex, at points from well within the body to half its width outside.
void check_convexity(const ImplicitBody& body, const Vec3& direction, double length, double part) {
  const Vec3 x = body.inside + part * length * direction;
  for (std::size_t i = 0; i < body.surfaces.size(); ++i) {
    const SurfaceJet jet = evaluate(body.surfaces[i], x);
    if (!std::isfinite(jet.value) || !jet.gradient.allFinite() || !jet.hessian.allFinite()) {
      throw Error(ordinal(i) + "has no value or no derivative at " + place(x) +
                  ", within or near the body; write it so that it is smooth there");
    }
    const ThreeSpectrum bends = three_spectrum(jet.hessian);
    const double size = bends.values.cwiseAbs().maxCoeff() + jet.gradient.norm() / length;
    if (bends.values[0] >= -1e-9 * size) continue;
    throw Error(ordinal(i) + "is not convex: at " + place(x) + " it bends down along " + place(bends.vectors.col(0)) +
                ". Write a convex one with the same surface, or make the body of several shapes");
  }
}

/// Farthest point of the surface along `axis`: from the best of the rays, turned by less and less.
double reach(const ImplicitBody& body, const std::vector<Vec3>& points, const Vec3& axis) {
  const Vec3* start = &points.front();
  for (const Vec3& point : points) {
    if (point.dot(axis) > start->dot(axis)) start = &point;
  }
  Vec3 direction = (*start - body.inside).normalized();
  double best = start->dot(axis);
  for (double turn = 0.05; turn > 1e-5;) {
    bool risen = false;
    for (int k = 0; k < 8; ++k) {
      const Vec3 u = direction.unitOrthogonal(), v = direction.cross(u);
      const double angle = k * std::numbers::pi / 4;
      const Vec3 next = (direction + turn * (std::cos(angle) * u + std::sin(angle) * v)).normalized();
      const double length = ray_length(body, next);
      if (!std::isfinite(length)) throw Error(endless(next));
      const double value = (body.inside + length * next).dot(axis);
      if (!(value > best + 1e-9 * length)) continue;  // round-off lets a flat face rise for ever
      best = value;
      direction = next;
      risen = true;
    }
    if (!risen) turn *= 0.5;
  }
  return best;
}

void measure_reach(const std::vector<Vec3>& points, ImplicitSolid& solid) {
  for (int i = 0; i < 3; ++i) {
    solid.upper[i] = reach(solid.body, points, Vec3::Unit(i));
    solid.lower[i] = -reach(solid.body, points, -Vec3::Unit(i));
  }
  const Vec3 slack = Vec3::Constant(0.005 * (solid.upper - solid.lower).maxCoeff());
  solid.lower -= slack;
  solid.upper += slack;
  solid.radius = solid.lower.cwiseAbs().cwiseMax(solid.upper.cwiseAbs()).norm();
}

/// Scales the formulas, and finds the ball that every tangent plane leaves room for.
void scale(const std::vector<Vec3>& points, ImplicitSolid& solid) {
  solid.inner_radius = std::numeric_limits<double>::infinity();
  std::vector<double> sums(solid.body.surfaces.size(), 0), counts(sums);
  for (const Vec3& point : points) {
    std::size_t ending = 0;
    SurfaceJet greatest = evaluate(solid.body.surfaces[0], point);
    for (std::size_t i = 1; i < sums.size(); ++i) {
      const SurfaceJet jet = evaluate(solid.body.surfaces[i], point);
      if (!(jet.value / jet.gradient.norm() > greatest.value / greatest.gradient.norm())) continue;
      greatest = jet;
      ending = i;
    }
    const double slope = greatest.gradient.norm();
    if (!(slope > 1e-9 * greatest.hessian.norm() * (point - solid.body.inside).norm())) {
      throw Error(ordinal(ending) + "has no slope at " + place(point) +
                  " where it ends the body; take a root of it, or another form with the same surface");
    }
    solid.points.push_back(point);
    solid.ends.push_back(static_cast<int>(ending));
    sums[ending] += slope;
    counts[ending] += 1;
    solid.inner_radius = std::min(solid.inner_radius, greatest.gradient.dot(point - solid.body.inside) / slope);
  }
  for (std::size_t i = 0; i < sums.size(); ++i) {
    auto* formula = std::get_if<FormulaSurface>(&solid.body.surfaces[i]);
    if (counts[i] == 0) {
      throw Error(ordinal(i) + "ends the body nowhere that 2000 rays find; leave it out");
    }
    if (formula) formula->scale *= counts[i] / sums[i];
  }
  solid.inner_radius *= 0.99;
}

}  // namespace

double ray_length(const ImplicitBody& body, const Vec3& direction, double within) {
  double low = 0, high = within;
  while (high < farthest && greatest_along(body, direction, high).value < 0) {
    low = high;
    high *= 2;
  }
  if (high >= farthest) return std::numeric_limits<double>::infinity();
  // Newton's method from outside: convex along the ray, so that it never passes the end; bisection where it has no
  // value.
  double t = high;
  for (int step = 0; step < 200 && high - low > 1e-15 * high; ++step) {
    const Along at = greatest_along(body, direction, t);
    (at.value < 0 ? low : high) = t;
    const double next = t - at.value / at.slope;
    if (next == t) break;
    t = next > low && next < high ? next : 0.5 * (low + high);
  }
  return t;
}

ImplicitSolid implicit_solid(std::vector<ImplicitSurface> surfaces, const Vec3& inside) {
  ImplicitSolid solid;
  solid.body = {std::move(surfaces), inside};
  for (std::size_t i = 0; i < solid.body.surfaces.size(); ++i) {
    const double value = evaluate(solid.body.surfaces[i], inside).value;
    if (value < 0) continue;
    std::ostringstream number;
    number << value;
    throw Error(ordinal(i) + "is " + number.str() + " at the inner point " + place(inside) +
                "; inside the body every one is negative: give another point under 'inside'");
  }
  std::vector<Vec3> points;
  points.reserve(rays);
  for (int k = 0; k < rays; ++k) {
    const Vec3 direction = spiral(k, rays);
    const double length = ray_length(solid.body, direction);
    if (!std::isfinite(length)) throw Error(endless(direction));
    constexpr double parts[] = {0.2, 0.5, 0.8, 1.0, 1.2, 1.5};
    check_convexity(solid.body, direction, length, parts[k % 6]);
    points.emplace_back(inside + length * direction);
  }
  scale(points, solid);
  check(solid.body);
  measure_reach(points, solid);
  std::vector<Vec3> corners;
  corners.reserve(drawn);
  for (int k = 0; k < drawn; ++k) {
    const Vec3 direction = spiral(k, drawn);
    corners.emplace_back(inside + ray_length(solid.body, direction) * direction);
  }
  solid.hull = std::make_shared<const Polyhedron>(convex_hull(corners));
  return solid;
}

}  // namespace carom
