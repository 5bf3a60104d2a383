#pragma once

#include <Eigen/Core>
#include <array>
#include <cmath>

#include "carom/tangential_spring.h"

namespace carom::test {

/// A planar impact integrated with small steps of Runge and Kutta's. The ends of sticking, sliding and compression are
/// found by halving. The x axis is along the surface; f and λ are in newtons, nothing is scaled.
class SprungPlane {
 public:
  SprungPlane(const Eigen::Matrix2d& A, const Eigen::Vector2d& u, double friction, double e, double exponent,
              const TangentialSpring& spring)
      : A_(A), u_(u), mu_(friction), e_(e), eta_(exponent), spring_(spring) {}

  Eigen::Vector2d after() {
    const double depth = std::pow(0.5 * (eta_ + 1) * u_[1] * u_[1] / A_(1, 1), 1 / (eta_ + 1));
    const double whole = depth / -u_[1] / 16000;
    State y{0, 0, 0, 0};
    slides_ = spring_.stiffness * eta_ * std::abs(u_[0]) > mu_ * -u_[1];
    sign_ = u_[0] > 0 ? -1 : 1;
    for (int i = 0; i < 1000000; ++i) {
      State next = step(y, whole);
      if (!passes(next)) {
        y = next;
        continue;
      }
      double low = 0, high = whole;
      for (int j = 0; j < 60; ++j) {
        const double middle = 0.5 * (low + high);
        (passes(step(y, middle)) ? high : low) = middle;
      }
      y = step(y, high);
      if (y[0] <= 0) break;
      turn(y);
    }
    return velocity(y);
  }

 private:
  using State = std::array<double, 4>;  // z, f, P_t, P_n

  Eigen::Vector2d velocity(const State& y) const { return u_ + A_ * Eigen::Vector2d(y[2], y[3]); }
  double force(const State& y) const { return y[0] > 0 ? std::pow(y[0], eta_) : 0; }
  double compression_rate(const State& y) const {
    const double v = velocity(y)[1];
    return expands_ ? -v / (e_ * e_) : -v;
  }
  /// The spring alone.
  double free_rate(const State& y) const {
    const double v = velocity(y)[0], f = friction(y), zr = compression_rate(y);
    const double k = spring_.stiffness * (y[0] > 0 ? eta_ * std::pow(y[0], eta_ - 1) : eta_ == 1 ? 1.0 : 0.0);
    const double release = f * v > 0 ? 1 / (spring_.restitution * spring_.restitution) : 1;
    return -k * release * v + (y[0] > 0 ? f * (eta_ - 1) * zr / y[0] : 0);
  }
  double friction(const State& y) const { return slides_ ? sign_ * mu_ * force(y) : y[1]; }
  double cone_rate(const State& y) const {
    return mu_ * (y[0] > 0 ? eta_ * std::pow(y[0], eta_ - 1) : 0) * compression_rate(y);
  }
  State rate(const State& y) const {
    return {compression_rate(y), slides_ ? sign_ * cone_rate(y) : free_rate(y), friction(y), force(y)};
  }
  State step(const State& y, double h) const {
    const auto moved = [&](const State& k, double by) {
      State m = y;
      for (int i = 0; i < 4; ++i) m[i] += by * k[i];
      return m;
    };
    const State a = rate(y), b = rate(moved(a, h / 2)), c = rate(moved(b, h / 2)), d = rate(moved(c, h));
    State end = y;
    for (int i = 0; i < 4; ++i) end[i] += h / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
    return end;
  }
  bool passes(const State& y) const {
    const double v = velocity(y)[1];
    if (y[0] <= 0 || (expands_ ? v < 0 : v > 0)) return true;
    if (slides_) return sign_ * free_rate(y) < cone_rate(y);
    if (std::abs(y[1]) > mu_ * force(y)) return true;
    return winding_ != (y[1] * velocity(y)[0] <= 0);
  }
  void turn(State& y) {
    const double v = velocity(y)[1];
    if (expands_ ? v < 0 : v > 0) {
      expands_ = !expands_;
    } else if (slides_) {
      slides_ = false;
      y[1] = sign_ * mu_ * force(y);
    } else if (std::abs(y[1]) > mu_ * force(y)) {
      slides_ = true;
      sign_ = y[1] > 0 ? 1 : -1;
    }
    winding_ = y[1] * velocity(y)[0] <= 0;
  }

  Eigen::Matrix2d A_;
  Eigen::Vector2d u_;
  double mu_, e_, eta_, sign_ = 1;
  TangentialSpring spring_;
  bool expands_ = false, slides_ = false, winding_ = true;
};

}  // namespace carom::test
