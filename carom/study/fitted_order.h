#pragma once

#include <vector>

namespace carom {

/// Exponent p of values ≈ C x^p: the least squares slope of their logarithms, over those that are positive and finite;
/// NaN for fewer than two. Both lists of one length.
double fitted_order(const std::vector<double>& x, const std::vector<double>& values);

/// Exponent p of a method whose error at the step h is C h^p. It follows from the changes of its motion from each step
/// to the next, c_k = C (h_k^p − h_{k+1}^p). The result is the p, from −4 to 8, for which log c_k − log(h_k^p −
/// h_{k+1}^p) varies least over k. For steps halved this is the slope of log c. Exact for changes of that form,
/// whatever the steps. The list `steps` is falling and has one more than `changes`. NaN for fewer than two changes that
/// are positive and finite.
double order_of_changes(const std::vector<double>& steps, const std::vector<double>& changes);

}  // namespace carom
