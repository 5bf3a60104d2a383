#include "carom/stepper/free_spin.h"

#include <cmath>

#include "carom/numerics/solve_three.h"
#include "carom/spatial/rotation.h"

namespace carom {
namespace {

/// A root of f between 0, where it is positive, and `high`, where it is not, to the last digit. By bisection: where
/// turns of many radians make f leap, faster methods stick.
template <class F>
double root_below(double high, F&& f) {
  double low = 0;
  for (;;) {
    const double middle = 0.5 * (low + high);
    if (!(middle > low && middle < high)) return high;
    (f(middle) > 0 ? low : high) = middle;
  }
}

/// u = (1 − θ) ω + θ exp(h u) a.
Vec3 iterated_spin(const Vec3& spin, const Vec3& after, double h, double theta) {
  Vec3 carried = after;
  for (int iteration = 0; iteration < 100; ++iteration) {
    const Vec3 last = carried;
    carried = exponential(h * ((1 - theta) * spin + theta * last)) * after;
    if ((carried - last).norm() <= 4e-16 * after.norm()) break;
  }
  return carried;
}

}  // namespace

Vec3 torque_free_spin(const Mat3& inertia, const Vec3& spin, double h) {
  Vec3 next = spin;
  for (int iteration = 0; iteration < 50; ++iteration) {
    const Vec3 mean = 0.5 * (spin + next);
    const Vec3 momentum = inertia * mean;
    const Vec3 residual = inertia * (next - spin) + h * mean.cross(momentum);
    const Mat3 slope = inertia + 0.5 * h * (skew(mean) * inertia - skew(momentum));
    const Vec3 change = solve_three(slope, residual);
    next -= change;
    if (change.norm() <= 1e-15 * next.norm()) break;
  }
  return next;
}

Vec3 carried_spin(const Vec3& spin, const Vec3& after, double h, double theta) {
  if (theta != 0.5) return iterated_spin(spin, after, h, theta);
  const Vec3 s = 0.5 * (spin + after), d = 0.5 * (after - spin);
  const double size = s.norm(), square = d.squaredNorm();
  if (size == 0 || square == 0) return after;
  const Vec3 along = d * (d.dot(s) / square), across = s - along;
  const auto over = [h](double mu) { return mu > 0 ? std::tan(0.5 * h * mu) / mu : 0.5 * h; };  // τ/μ
  // μ² (|n|² − 1), positive at 0 and not at |s|
  const auto excess = [&](double mu) {
    const double t = over(mu);
    return along.squaredNorm() + across.squaredNorm() / (1 + t * t * square) - mu * mu;
  };
  const double mu = root_below(size, excess);
  const double t = over(mu);
  const Vec3 u = along + (across - t * d.cross(across)) / (1 + t * t * square);
  return exponential(h * u) * after;
}

}  // namespace carom
