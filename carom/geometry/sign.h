#pragma once

namespace carom {

/// −1 for negative numbers, else 1.
inline double sign(double x) { return x < 0 ? -1 : 1; }

}  // namespace carom
