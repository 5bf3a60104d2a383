#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace carom {

/// Dormand and Prince's pair of Runge–Kutta methods of orders 5 and 4 (J. Comput. Appl. Math. 6, 1980) for y′ = f(y),
/// where y has `size` numbers. It has an error estimate and a continuous extension of order 4 that costs no evaluation.
/// For these see Hairer, Nørsett and Wanner, Solving Ordinary Differential Equations I, 1993, section II.6. The caller
/// keeps the time if f needs it: f gets the stage's place in the step, 0 to 1.
///
/// This class takes one step at a time; the caller chooses step lengths and decides when to end. Nothing is allocated
/// after resize().
class DormandPrince {
 public:
  static constexpr int stages = 7;
  /// Places of the stages in the step.
  static constexpr std::array<double, stages> places = {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1};
  /// Weights of the stages' rates in the step, for a quadrature along it.
  static constexpr std::array<double, stages> weights = {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784,
                                                         11.0 / 84,  0};

  void resize(int size) {
    size_ = size;
    for (auto& rate : rates_) rate.resize(static_cast<std::size_t>(size));
    stage_.resize(static_cast<std::size_t>(size));
  }

  double* rate(int stage) { return rates_[static_cast<std::size_t>(stage)].data(); }
  const double* rate(int stage) const { return rates_[static_cast<std::size_t>(stage)].data(); }

  /// Takes the step of length h from y; rate(0) must hold the rate at y. Calls f(place, stage, y, rate) for the other
  /// six stages, the last at `end`. Returns the largest |error_i| weight_i, infinity if one is not finite.
  template <class F>
  double step(const double* y, double h, const double* weight, double* end, F&& f) {
    static constexpr double a[6][6] = {{1.0 / 5},
                                       {3.0 / 40, 9.0 / 40},
                                       {44.0 / 45, -56.0 / 15, 32.0 / 9},
                                       {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
                                       {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
                                       {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
    for (int stage = 1; stage < stages; ++stage) {
      double* place = stage + 1 < stages ? stage_.data() : end;
      for (int i = 0; i < size_; ++i) {
        double sum = 0;
        for (int j = 0; j < stage; ++j) sum += a[stage - 1][j] * rate(j)[i];
        place[i] = y[i] + h * sum;
      }
      f(places[static_cast<std::size_t>(stage)], stage, place, rate(stage));
    }
    static constexpr double e[stages] = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                                         -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
    double worst = 0;
    for (int i = 0; i < size_; ++i) {
      double error = 0;
      for (int j = 0; j < stages; ++j) error += e[j] * rate(j)[i];
      const double weighed = std::abs(h * error) * weight[i];
      if (!std::isfinite(weighed)) return std::numeric_limits<double>::infinity();
      worst = std::max(worst, weighed);
    }
    return worst;
  }

  /// The rate at the end becomes that of the next step's start.
  void pass_on() { std::swap(rates_.front(), rates_.back()); }

  /// y at a place 0 ≤ x ≤ 1 of the last step, which went from y to end in h.
  void interpolate(const double* y, const double* end, double h, double x, double* at) const {
    static constexpr double d[stages] = {-12715105075.0 / 11282082432.0,  0,
                                         87487479700.0 / 32700410799.0,   -10690763975.0 / 1880347072.0,
                                         701980252875.0 / 199316789632.0, -1453857185.0 / 822651844.0,
                                         69997945.0 / 29380423.0};
    const double left = 1 - x;
    for (int i = 0; i < size_; ++i) {
      const double change = end[i] - y[i], bend = h * rate(0)[i] - change;
      double fourth = 0;
      for (int j = 0; j < stages; ++j) fourth += d[j] * rate(j)[i];
      at[i] = y[i] + x * (change + left * (bend + x * (change - h * rate(6)[i] - bend + left * h * fourth)));
    }
  }

  /// Factor on the step length after a step with this error, of which 1 is allowed.
  static double growth(double error) { return error > 0 ? std::clamp(0.9 * std::pow(error, -0.2), 0.2, 5.0) : 5.0; }

 private:
  int size_ = 0;
  std::array<std::vector<double>, stages> rates_;
  std::vector<double> stage_;
};

}  // namespace carom
