#pragma once

namespace carom {

/// The larger of two residuals; what is no number is worse than any, and stays. std::max drops it, by the order of its
/// arguments.
inline double worse_of(double a, double b) { return a != a || a > b ? a : b; }

}  // namespace carom
