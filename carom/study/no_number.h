#pragma once

#include <limits>

namespace carom {

/// Stands in tables for a number that there is not; JSON has null for it.
inline constexpr double none = std::numeric_limits<double>::quiet_NaN();

}  // namespace carom
