#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

namespace carom::layered {

/// One contact in a plane, followed along its normal impulse by straight pieces (Darboux, Keller, Stronge). Velocities
/// are v = (v_t, v_n), A is 2 × 2. An implementation of its own, by closed forms, with which tests compare the laws.
struct PlanarStronge {
  Eigen::Vector2d v, p = Eigen::Vector2d::Zero();
  double compression = 0, expansion = 0;  // works of the normal impulse
  bool reversed = false, stuck = false, jammed = false, recompressed = false;

  PlanarStronge(const Eigen::Matrix2d& A, Eigen::Vector2d start, double mu, double e) : v(std::move(start)) {
    double slope = friction(A, mu);
    bool expanding = false;
    for (int piece = 0; piece < 10; ++piece) {
      const double at = A(0, 1) + A(0, 0) * slope, an = A(1, 1) + A(0, 1) * slope;
      double step = 1e300;
      bool slip_ends = false;
      if (!expanding && an > 0) step = -v(1) / an;
      if (!expanding && an <= 0) jammed = true;
      if (expanding) {
        const double owed = e * e * -compression - expansion;
        const double root = v(1) * v(1) + 2 * an * owed;
        if (root < 0) recompressed = true;
        step = 2 * owed / (v(1) + std::sqrt(std::max(0.0, root)));
      }
      if (v(0) != 0 && -v(0) / at > 0 && -v(0) / at < step) {
        step = -v(0) / at;
        slip_ends = true;
      }
      (expanding ? expansion : compression) += step * (v(1) + 0.5 * an * step);
      p += step * Eigen::Vector2d(slope, 1);
      v += step * Eigen::Vector2d(at, an);
      if (slip_ends) {
        v(0) = 0;
        const double before = slope;
        slope = friction(A, mu);
        reversed = reversed || slope == -before;
        stuck = stuck || std::abs(slope) < mu;
        continue;
      }
      if (expanding || e == 0) return;
      v(1) = 0;
      expanding = true;
    }
  }

 private:
  double friction(const Eigen::Matrix2d& A, double mu) const {
    if (v(0) != 0) return v(0) > 0 ? -mu : mu;
    return std::clamp(-A(0, 1) / A(0, 0), -mu, mu);
  }
};

}  // namespace carom::layered
