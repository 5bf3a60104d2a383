#include "carom/study/thread_count.h"

#include <tbb/info.h>
#include <tbb/task_arena.h>

#include <algorithm>

namespace carom {

int thread_count(int asked) {
  return asked > 0 ? std::min(asked, tbb::info::default_concurrency()) : tbb::task_arena::automatic;
}

}  // namespace carom
