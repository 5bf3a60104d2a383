#include "carom/model/time_function.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace carom::time_function_test {
namespace {

TEST(TimeFunction, AddsUpItsParts) {
  TimeFunction f;
  f.polynomial = {1, -2, 0.5};
  f.sinusoids = {{2, 0.25, std::numbers::pi / 2}, {1, 1, 0}};
  f.times = {0, 10};
  f.values = {3, 3};
  EXPECT_NEAR(f.at(1), (1 - 2 + 0.5) + 2 * std::sin(std::numbers::pi) + std::sin(2 * std::numbers::pi) + 3, 1e-14);
  EXPECT_EQ(TimeFunction().at(4), 0);
  EXPECT_EQ(TimeFunction::constant(7).at(-3), 7);
}

TEST(TimeFunction, RatesAreThoseOfItsValues) {
  TimeFunction f;
  f.polynomial = {1, -2, 0.5, 0.3};
  f.sinusoids = {{2, 0.25, 0.4}};
  f.times = {0, 0.5, 0.7, 2, 3.5};
  f.values = {0, 1, 4, 4.5, -1};
  for (double t = -1; t < 5; t += 0.0317) {
    const double h = 1e-6;
    EXPECT_NEAR(f.rate(t), (f.at(t + h) - f.at(t - h)) / (2 * h), 1e-5) << t;
  }
}

TEST(TimeFunction, TablesPassThroughTheirPointsAndOvershootNone) {
  TimeFunction f;
  f.times = {0, 1, 1.1, 4, 5};
  f.values = {0, 0, 2, 2, 5};
  for (std::size_t i = 0; i < f.times.size(); ++i) EXPECT_NEAR(f.at(f.times[i]), f.values[i], 1e-14);
  double last = 0;
  for (double t = 0; t <= 5; t += 0.001) {
    EXPECT_GE(f.at(t), last - 1e-14) << t;
    last = f.at(t);
  }
  EXPECT_EQ(f.at(-2), 0);
  EXPECT_EQ(f.at(9), 5);
  EXPECT_EQ(f.rate(9), 0);
}

TEST(TimeFunction, ALineInATableStaysALineInside) {
  TimeFunction f;
  f.times = {0, 1, 2.5, 3, 4};
  for (const double t : f.times) f.values.push_back(2 * t - 1);
  for (double t = 1; t < 3; t += 0.1) EXPECT_NEAR(f.at(t), 2 * t - 1, 1e-14);
}

TEST(TimeFunction, FaultsAreNamed) {
  const auto fault = [](std::vector<double> times, std::vector<double> values) {
    TimeFunction f;
    f.times = std::move(times);
    f.values = std::move(values);
    return time_function_fault(f);
  };
  EXPECT_EQ(fault({0, 1}, {2, 3}), "");
  EXPECT_NE(fault({0, 1, 2}, {2, 3}).find("3 times and 2 values"), std::string::npos);
  EXPECT_NE(fault({0, 1, 1}, {2, 3, 4}).find("from 1 to 1"), std::string::npos);
  EXPECT_NE(fault({0, std::numeric_limits<double>::infinity()}, {2, 3}).find("not finite"), std::string::npos);
}

}  // namespace
}  // namespace carom::time_function_test
