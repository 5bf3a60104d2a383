// Orders of the method and of its continuous extension, and its error estimate, on a motion that is known.

#include "carom/dormand_prince.h"

#include <gtest/gtest.h>

#include <cmath>

namespace carom::dormand_prince_test {
namespace {

/// y = (cos t, sin t) by one step of length h; errors at its end, halfway (extension), and estimated.
struct Errors {
  double end = 0, middle = 0, estimate = 0;
};

Errors turn(double h) {
  DormandPrince method;
  method.resize(2);
  const auto rate = [](double, int, const double* y, double* f) {
    f[0] = -y[1];
    f[1] = y[0];
  };
  const double start[] = {1, 0}, weight[] = {1, 1};
  double end[2], at[2];
  rate(0, 0, start, method.rate(0));
  Errors errors;
  errors.estimate = method.step(start, h, weight, end, rate);
  method.interpolate(start, end, h, 0.5, at);
  errors.end = std::hypot(end[0] - std::cos(h), end[1] - std::sin(h));
  errors.middle = std::hypot(at[0] - std::cos(h / 2), at[1] - std::sin(h / 2));
  return errors;
}

TEST(DormandPrince, OneStepIsOfItsOrders) {
  const Errors coarse = turn(0.2), fine = turn(0.1);
  EXPECT_NEAR(std::log2(coarse.end / fine.end), 6, 0.3);        // order 5: h⁶ in a step
  EXPECT_NEAR(std::log2(coarse.middle / fine.middle), 5, 0.5);  // order 4
  EXPECT_NEAR(std::log2(coarse.estimate / fine.estimate), 5, 0.3);
  EXPECT_GT(coarse.estimate, coarse.end);
}

TEST(DormandPrince, TheExtensionMeetsBothEndsAndTheWeightsTheStep) {
  DormandPrince method;
  method.resize(1);
  const auto rate = [](double place, int, const double*, double* f) { f[0] = 5 * std::pow(2 * place, 4); };
  const double start = 3, weight = 1, h = 2;  // y = 3 + t⁵: a polynomial that the method knows
  double end = 0, at = 0, sum = 0;
  rate(0, 0, &start, method.rate(0));
  method.step(&start, h, &weight, &end, rate);
  EXPECT_NEAR(end, 3 + 32, 1e-12);
  method.interpolate(&start, &end, h, 0, &at);
  EXPECT_EQ(at, start);
  method.interpolate(&start, &end, h, 1, &at);
  EXPECT_NEAR(at, end, 1e-12);
  for (int stage = 0; stage < DormandPrince::stages; ++stage) {
    sum += h * DormandPrince::weights[static_cast<std::size_t>(stage)] * method.rate(stage)[0];
  }
  EXPECT_NEAR(sum, 32, 1e-12);
}

/// A step out of where the rate is defined is never taken for a good one.
TEST(DormandPrince, AnErrorThatIsNoNumberIsTooLarge) {
  DormandPrince method;
  method.resize(2);
  const auto rate = [](double, int, const double* y, double* f) {
    f[0] = -std::sqrt(y[0]);
    f[1] = 1;
  };
  const double start[] = {0.01, 0}, weight[] = {1, 1};
  double end[2];
  rate(0, 0, start, method.rate(0));
  EXPECT_GT(method.step(start, 1, weight, end, rate), 1);  // y₀ is used up at 0.2
  EXPECT_LE(method.step(start, 0.01, weight, end, rate), 1);
}

}  // namespace
}  // namespace carom::dormand_prince_test
