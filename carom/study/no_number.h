#pragma once

#include <limits>

namespace carom {

/// Shown in tables for a missing number; JSON has null for it.
inline constexpr double none = std::numeric_limits<double>::quiet_NaN();

}  // namespace carom
