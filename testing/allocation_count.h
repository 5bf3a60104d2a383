#pragma once

#include <algorithm>
#include <limits>

namespace carom {

/// Calls of malloc, calloc, realloc and aligned allocation in this program so far, Eigen's and operator new's included.
long allocation_count();

/// The fewest times that a call asks for memory, out of five calls. Threads of oneTBB ask for some of their own when
/// they start, which may be in any of the first.
template <class Call>
long fewest_allocations(const Call& call) {
  long fewest = std::numeric_limits<long>::max();
  for (int i = 0; i < 5; ++i) {
    const long before = allocation_count();
    call();
    fewest = std::min(fewest, allocation_count() - before);
  }
  return fewest;
}

}  // namespace carom
