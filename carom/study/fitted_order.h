#pragma once

#include <vector>

namespace carom {

/// Exponent p of values ≈ C x^p: the least squares slope of their logarithms, over those that are positive and finite;
/// NaN for fewer than two. Both lists of one length.
double fitted_order(const std::vector<double>& x, const std::vector<double>& values);

}  // namespace carom
