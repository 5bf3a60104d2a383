#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

/// The slip of a contact along an interval, w + τ Δ for τ from 0 to 1, seen from the origin (rest). With friction axes
/// M = diag(μ_x, μ_y), w = M u_xy / max(μ); that is the slip itself if friction is isotropic. Friction is −p_z M ŵ.
namespace carom::slip_path {

using Eigen::Vector2d;

/// τ of the point closest to rest, not bounded. Uchida, Sherman and Delp 2015, eq. 2.13.
inline double closest(const Vector2d& w, const Vector2d& change) {
  const double square = change.squaredNorm();
  return square > 0 ? -w.dot(change) / square : 0;
}

/// The smallest τ > 0 at which the direction has turned by `angle` (0 to π); infinite if it never does. Ibid.,
/// eq. 2.14, solved for τ by the law of sines instead of the quadratic, whose roots cancel for small angles.
inline double turned_by(double angle, const Vector2d& w, const Vector2d& change) {
  const double length = w.norm();
  const double along = w.dot(change), across = std::abs(w[0] * change[1] - w[1] * change[0]);
  const double closing = across * std::cos(angle) - along * std::sin(angle);
  return closing > 0 ? length * length * std::sin(angle) / closing : INFINITY;
}

/// The mean of ŵ over the path, ∫ (w + τ Δ) / ‖w + τ Δ‖ dτ: of length 1 or less. Let t be along Δ and h the distance of
/// the line from rest. Then ∫ (t, h) / √(t² + h²) dt = (√(t² + h²), h arsinh(t / h)). Zero for w = Δ = 0.
inline Vector2d mean_direction(const Vector2d& w, const Vector2d& change) {
  const double length = change.norm();
  double start = w.norm(), end = (w + change).norm();
  if (length <= 1e-12 * start) return start > 0 ? Vector2d(w / start) : Vector2d::Zero().eval();
  const Vector2d along = change / length;
  Vector2d across(-along[1], along[0]);
  double h = across.dot(w);
  if (h < 0) {
    h = -h;
    across = -across;
  }
  // No point of the line is nearer to rest than h: where it ends at rest but for round-off, all three are that.
  start = std::max(start, h);
  end = std::max(end, h);
  const double a = along.dot(w), b = a + length;
  const double rise = (a + b) / (start + end);  // (‖end‖ − ‖start‖) / length, without its cancellation
  double arc = 0;                               // arsinh(b / h) − arsinh(a / h), per length and times h
  if (h > 1e-30 * length) {                     // below, it is nothing, and its square underflows
    // The one of two mirror-image forms whose denominator does not cancel.
    arc = a + b >= 0 ? std::log1p(length * (1 + rise) / (a >= 0 ? a + start : h * h / (start - a)))
                     : std::log1p(length * (1 - rise) / (b <= 0 ? end - b : h * h / (end + b)));
    arc *= h / length;
  }
  return rise * along + arc * across;
}

}  // namespace carom::slip_path
