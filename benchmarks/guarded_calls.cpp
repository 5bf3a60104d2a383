#include "benchmarks/guarded_calls.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <new>
#include <thread>

namespace carom::bench {

namespace {

/// The memory that the two processes share.
struct alignas(Outcome) Shared {
  std::atomic<int> at{0};  // the call under way
  Outcome* outcomes() { return reinterpret_cast<Outcome*>(this + 1); }
};

[[noreturn]] void work(Shared& shared, int count, const std::function<Outcome(int)>& call) {
  const int nowhere = open("/dev/null", O_WRONLY);
  if (nowhere >= 0) {
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
  }
  for (int i = shared.at; i < count; shared.at = ++i) {
    shared.outcomes()[i] = call(i);
    shared.outcomes()[i].returned = true;
  }
  std::_Exit(0);
}

/// Waits until the worker ends or stays at one call for too long.
void watch(pid_t worker, const Shared& shared, double limit) {
  int at = shared.at;
  auto since = std::chrono::steady_clock::now();
  while (waitpid(worker, nullptr, WNOHANG) == 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const auto now = std::chrono::steady_clock::now();
    if (shared.at != at) {
      at = shared.at;
      since = now;
    } else if (std::chrono::duration<double>(now - since).count() > limit) {
      kill(worker, SIGKILL);
      waitpid(worker, nullptr, 0);
      return;
    }
  }
}

}  // namespace

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double median_seconds(const std::function<void()>& call) {
  std::vector<double> times;
  double sum = 0;
  while (times.size() < 3 || (sum < 5e-3 && times.size() < 1000)) {
    const double start = processor_seconds();
    call();
    times.push_back(processor_seconds() - start);
    sum += times.back();
    if (times.size() == 1 && sum > 0.2) break;
  }
  std::nth_element(times.begin(), times.begin() + static_cast<long>(times.size() / 2), times.end());
  return times[times.size() / 2];
}

std::vector<Outcome> guarded_calls(int count, double limit, const std::function<Outcome(int)>& call) {
  const std::size_t size = sizeof(Shared) + static_cast<std::size_t>(count) * sizeof(Outcome);
  void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    std::perror("guarded_calls: mmap");
    std::exit(1);
  }
  Shared& shared = *new (memory) Shared;
  for (int i = 0; i < count; ++i) new (shared.outcomes() + i) Outcome;
  while (shared.at < count) {
    std::fflush(nullptr);
    const pid_t worker = fork();
    if (worker < 0) {
      std::perror("guarded_calls: fork");
      std::exit(1);
    }
    if (worker == 0) work(shared, count, call);
    watch(worker, shared, limit);
    if (shared.at < count) ++shared.at;  // what it died of
  }
  std::vector<Outcome> outcomes(shared.outcomes(), shared.outcomes() + count);
  munmap(memory, size);
  return outcomes;
}

}  // namespace carom::bench
