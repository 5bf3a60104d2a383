#pragma once

#include <string>
#include <vector>

namespace carom {

/// amplitude · sin(2π frequency t + phase), frequency in Hz, phase in rad.
struct Sinusoid {
  double amplitude = 0, frequency = 0, phase = 0;
};

/// A scalar that is prescribed over time t (s): the sum of
///
///   Σ polynomial[k] tᵏ   +   Σ sinusoids   +   a table (times, values),
///
/// of which any may be missing. Between the table's times the value follows the monotone cubic of Fritsch and Carlson
/// (SIAM J. Numer. Anal. 17(2), 1980) with Brodlie's slopes: it passes through all points, has a continuous rate and
/// overshoots none. Before the first time and after the last it stays as it is there.
struct TimeFunction {
  std::vector<double> polynomial = {};
  std::vector<Sinusoid> sinusoids = {};
  std::vector<double> times = {};   ///< s, ascending
  std::vector<double> values = {};  ///< as many

  static TimeFunction constant(double value) { return {{value}, {}, {}, {}}; }

  double at(double t) const;
  double rate(double t) const;  ///< d/dt; at the table's ends the one from outside, 0
};

/// Fault of a function, as the rest of a sentence about it ("has 3 times and 2 values; …"); empty if there is none.
std::string time_function_fault(const TimeFunction& function);

}  // namespace carom
