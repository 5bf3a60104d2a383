#pragma once

namespace carom {

/// Calls of malloc, calloc, realloc and aligned allocation in this program so far, Eigen's and operator new's included.
long allocation_count();

}  // namespace carom
