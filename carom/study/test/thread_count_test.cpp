#include "carom/study/thread_count.h"

#include <gtest/gtest.h>
#include <tbb/info.h>
#include <tbb/task_arena.h>

namespace carom::thread_count_test {
namespace {

TEST(ThreadCount, IsWhatWasAskedForUpToWhatThereAre) {
  const int there = tbb::info::default_concurrency();
  EXPECT_EQ(thread_count(0), int{tbb::task_arena::automatic});
  for (int asked = 1; asked <= there; ++asked) EXPECT_EQ(thread_count(asked), asked);
  EXPECT_EQ(thread_count(there + 1), there);
  EXPECT_EQ(thread_count(1000 * there), there);
}

}  // namespace
}  // namespace carom::thread_count_test
