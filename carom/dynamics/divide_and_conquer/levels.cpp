#include "carom/dynamics/divide_and_conquer/levels.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

namespace carom {

void work_on_range(int first, int last, void (*work)(void* context, int i), void* context) {
  constexpr int grain = 8;  // assemblies, of some microseconds each
  if (last - first <= grain) {
    for (int i = first; i < last; ++i) work(context, i);
    return;
  }
  tbb::parallel_for(tbb::blocked_range<int>(first, last, grain), [&](const tbb::blocked_range<int>& range) {
    for (int i = range.begin(); i < range.end(); ++i) work(context, i);
  });
}

}  // namespace carom
