#include "carom/impact/zero_slip.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

constexpr int max_sweeps = 200;
constexpr double unchanged = 1e-10;  // of the largest radius

/// The minimum of ½ gᵀ H g + cᵀ g on the disc of radius r, H = [a b; b d] positive semidefinite. It solves (H + σ I) g
/// = −c with the smallest σ ≥ 0 for which ‖g‖ ≤ r. Newton's method finds σ, on 1/‖g(σ)‖, which is nearly linear.
void disc_minimum(double a, double b, double d, const double* c, double r, double* g) {
  const double mean = 0.5 * (a + d), half = std::hypot(0.5 * (a - d), b);
  const double size = mean + half;
  if (!(r > 0) || !(size > 0)) {
    const double length = std::hypot(c[0], c[1]);
    const double share = length > 0 && r > 0 ? -r / length : 0;
    g[0] = share * c[0];
    g[1] = share * c[1];
    return;
  }
  double sigma = mean - half > 1e-12 * size ? 0 : 1e-12 * size;  // a singular H: the shortest g
  for (int step = 0; step < 100; ++step) {
    const double p = a + sigma, q = d + sigma, determinant = p * q - b * b;
    g[0] = (-q * c[0] + b * c[1]) / determinant;
    g[1] = (b * c[0] - p * c[1]) / determinant;
    const double length = std::hypot(g[0], g[1]);
    if (length <= r * (1 + 1e-14)) break;
    // d‖g‖/dσ = −gᵀ (H + σ)⁻¹ g / ‖g‖
    const double x = (q * g[0] - b * g[1]) / determinant, y = (p * g[1] - b * g[0]) / determinant;
    const double slope = (g[0] * x + g[1] * y) / (length * length);
    const double next = sigma + (length / r - 1) / slope;
    if (!(next > sigma)) break;
    sigma = next;
  }
  const double length = std::hypot(g[0], g[1]);
  if (length > r) {
    g[0] *= r / length;
    g[1] *= r / length;
  }
}

}  // namespace

void ZeroSlip::resize(int count) {
  count_ = count;
  H_.resize(static_cast<std::size_t>(4) * count * count);
  for (auto* v : {&b_, &g_, &h_}) v->resize(2 * static_cast<std::size_t>(count));
  r_.resize(count);
}

void ZeroSlip::solve() {
  const int size = 2 * count_;
  std::copy(b_.begin(), b_.begin() + size, h_.begin());
  for (int j = 0; j < size; ++j) {
    double* g = g_.data() + j - j % 2;
    const double length = j % 2 == 0 ? std::hypot(g[0], g[1]) : 0;
    if (length > r_[j / 2]) {
      g[0] *= r_[j / 2] / length;
      g[1] *= r_[j / 2] / length;
    }
    const double* own = H_.data() + static_cast<std::ptrdiff_t>(j) * size;
    for (int i = 0; i < size; ++i) h_[i] += own[i] * g_[j];
  }
  const double largest = count_ > 0 ? *std::max_element(r_.begin(), r_.begin() + count_) : 0;
  double change = largest;
  for (int sweep = 0; sweep < max_sweeps && change > unchanged * largest; ++sweep) {
    change = 0;
    for (int j = 0; j < count_; ++j) {
      const double* first = H_.data() + static_cast<std::ptrdiff_t>(2 * j) * size;
      const double* second = first + size;
      const double a = first[2 * j], b = first[2 * j + 1], d = second[2 * j + 1];
      double* g = g_.data() + 2 * j;
      const double c[2] = {h_[2 * j] - a * g[0] - b * g[1], h_[2 * j + 1] - b * g[0] - d * g[1]};
      double next[2];
      disc_minimum(a, b, d, c, r_[j], next);
      const double dx = next[0] - g[0], dy = next[1] - g[1];
      for (int i = 0; i < size; ++i) h_[i] += first[i] * dx + second[i] * dy;
      g[0] = next[0];
      g[1] = next[1];
      change = std::max(change, std::hypot(dx, dy));
    }
  }
}

}  // namespace carom
