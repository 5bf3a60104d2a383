#pragma once

namespace carom {

/// Calls of malloc, calloc, realloc and aligned allocation in this program so far, Eigen's and operator new's included.
long allocation_count();

/// False in builds whose sanitizer replaces malloc; the count then stays zero.
bool allocations_are_counted();

}  // namespace carom
