#include "carom/geometry/superquadric.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

namespace carom {
namespace {

constexpr double least_exponent = 2, greatest_exponent = 10;
constexpr double least_curvature = 1e-10;  // of |xᵢ/eᵢ|^(pᵢ − 2), in the Hessian alone

/// log of ∫ over the octant of Π uᵢ^(aᵢ − 1).
double log_dirichlet(const Vec3& exponents, const Vec3& a) {
  double sum = 0, log = 0;
  for (int i = 0; i < 3; ++i) {
    log += std::lgamma(a[i] / exponents[i]) - std::log(exponents[i]);
    sum += a[i] / exponents[i];
  }
  return log - std::lgamma(1 + sum);
}

/// log λ from Σ exp(qᵢ (cᵢ − log λ)) = 1; cᵢ = −∞ where the direction has no part.
double log_multiplier(const Vec3& c, const Vec3& q) {
  double ell = c.maxCoeff();
  for (int step = 0; step < 50; ++step) {
    double sum = 0, slope = 0;
    for (int i = 0; i < 3; ++i) {
      const double term = std::exp(q[i] * (c[i] - ell));
      sum += term;
      slope += q[i] * term;
    }
    const double change = sum / slope * std::log(sum);
    ell += change;
    if (std::abs(change) <= 1e-16 * (1 + std::abs(ell))) break;
  }
  return ell;
}

}  // namespace

std::string exponents_fault(const Superquadric& solid) {
  constexpr const char* axes[] = {"x", "y", "z"};
  for (int i = 0; i < 3; ++i) {
    const double p = solid.exponents[i];
    if (p >= least_exponent && p <= greatest_exponent) continue;
    std::ostringstream fault;
    fault << "has exponent " << axes[i] << ' ' << p << "; it must be from " << least_exponent
          << ", below which the surface is not smooth, to " << greatest_exponent
          << ", above which it is all but a box: use one, rounded or not";
    return fault.str();
  }
  return {};
}

SpatialInertia superquadric_inertia(const Superquadric& solid, double density) {
  const Vec3 &e = solid.semi_axes, &p = solid.exponents;
  const double log_volume = log_dirichlet(p, Vec3::Ones());
  const double mass = density * 8 * e.prod() * std::exp(log_volume);
  Vec3 squares;  // ∫ xᵢ² dm
  for (int i = 0; i < 3; ++i) {
    const Vec3 a = Vec3::Ones() + 2 * Vec3::Unit(i);
    squares[i] = mass * e[i] * e[i] * std::exp(log_dirichlet(p, a) - log_volume);
  }
  return {mass, Vec3::Zero(), (Vec3::Constant(squares.sum()) - squares).asDiagonal()};
}

Support superquadric_support(const Superquadric& solid, const Vec3& direction) {
  const Vec3 &e = solid.semi_axes, &p = solid.exponents;
  Vec3 c, q;
  for (int i = 0; i < 3; ++i) {
    c[i] = std::log(e[i] * std::abs(direction[i]) / p[i]);
    q[i] = p[i] / (p[i] - 1);
  }
  const double ell = log_multiplier(c, q), lambda = std::exp(ell);
  Support support;
  Vec3 inverse, gradient;  // of F's diagonal; g
  for (int i = 0; i < 3; ++i) {
    const double u = std::exp((c[i] - ell) / (p[i] - 1));
    const double bend = std::max(least_curvature, std::pow(u, p[i] - 2));
    support.point[i] = std::copysign(e[i] * u, direction[i]);
    inverse[i] = e[i] * e[i] / (p[i] * (p[i] - 1) * bend);
    gradient[i] = direction[i] / lambda;
  }
  const Vec3 turned = inverse.cwiseProduct(gradient);
  support.hessian = Mat3(inverse.asDiagonal()) - turned * turned.transpose() / gradient.dot(turned);
  support.hessian /= lambda;
  return support;
}

double superquadric_radius(const Superquadric& solid) {
  // Farthest from the origin: maximise Σ eᵢ² wᵢ^(2/pᵢ) over Σ wᵢ = 1, w = u^p ≥ 0, a concave sum; by its multiplier.
  const Vec3 &e = solid.semi_axes, &p = solid.exponents;
  if (p.maxCoeff() == 2) return e.maxCoeff();
  // d/dw: (2/p) e² w^(2/p − 1) = μ. Axes with p = 2 have a constant slope e²; they take what is left.
  double flat = 0;
  for (int i = 0; i < 3; ++i) flat = p[i] == 2 ? std::max(flat, e[i] * e[i]) : flat;
  const auto taken = [&](double mu) {
    double sum = 0;
    for (int i = 0; i < 3; ++i) {
      if (p[i] > 2) sum += std::pow(2 * e[i] * e[i] / (p[i] * mu), p[i] / (p[i] - 2));
    }
    return sum;
  };
  double low = flat > 0 ? flat : 1e-12 * e.squaredNorm(), high = e.squaredNorm();
  if (taken(low) > 1) {
    while (taken(high) > 1) high *= 2;
    for (int step = 0; step < 200 && high - low > 1e-15 * high; ++step) {
      const double middle = std::sqrt(low * high);
      (taken(middle) > 1 ? low : high) = middle;
    }
  }
  // Dual value at any μ ≥ the slopes left over bounds the maximum from above.
  const double mu = taken(low) > 1 ? high : low;
  double square = mu;
  for (int i = 0; i < 3; ++i) {
    if (p[i] == 2) continue;
    const double w = std::pow(2 * e[i] * e[i] / (p[i] * mu), p[i] / (p[i] - 2));
    square += e[i] * e[i] * std::pow(w, 2 / p[i]) - mu * w;
  }
  return std::sqrt(square);
}

}  // namespace carom
