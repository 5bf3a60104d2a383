#pragma once

#include <functional>
#include <limits>
#include <vector>

namespace carom::bench {

/// The outcome of solving one problem.
struct Outcome {
  bool returned = false;  ///< false: crashed, or out of time
  double seconds = 0;     ///< of the processor, median over repetitions
  double residual = std::numeric_limits<double>::infinity();
  int iterations = 0;
  long allocations = 0;  ///< in a repeated solve
};

/// Processor time of this process, s. Unlike the time of day it does not count what other programs do, and it counts
/// all threads.
double processor_seconds();

/// Median processor time of a call, over as many repetitions as take 5 ms, between 3 and 1000 (one, if that takes 0.2
/// s).
double median_seconds(const std::function<void()>& call);

/// Runs call(0), …, call(count − 1) in a process of its own. A solver that crashes, hangs or prints thus costs its own
/// outcome only. After `limit` seconds (or a crash) the rest goes on in a new process.
std::vector<Outcome> guarded_calls(int count, double limit, const std::function<Outcome(int)>& call);

}  // namespace carom::bench
