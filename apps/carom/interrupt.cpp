#include "interrupt.h"

#include <atomic>
#include <csignal>
#include <future>
#include <system_error>
#include <thread>
#include <utility>

namespace carom {
namespace {

using std::chrono::milliseconds;

std::atomic<bool> asked_to_stop = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a handler of signals may write no other");
bool left = false;

void on_signal(int signal) {
  asked_to_stop = true;
  std::signal(signal, SIG_DFL);
}

}  // namespace

void catch_interrupts() {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
}

void release_interrupts() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

bool interrupted() { return asked_to_stop; }

std::optional<std::string> unless_left(std::function<std::string()> work, milliseconds patience) {
  constexpr milliseconds look = milliseconds(50);
  std::packaged_task<std::string()> task(work);
  std::future<std::string> result = task.get_future();
  std::thread worker;
  try {
    worker = std::thread(std::move(task));
  } catch (const std::system_error&) {
    return work();  // no thread is to be had: the work can't be left, but it can be done
  }
  // Waiting ends as soon as the work does, so looking for interrupts now and then costs no time.
  while (result.wait_for(look) == std::future_status::timeout) {
    if (!interrupted()) continue;
    if (result.wait_for(patience) == std::future_status::ready) break;
    left = true;
    worker.detach();
    return {};
  }
  worker.join();
  return result.get();
}

bool work_was_left() { return left; }

}  // namespace carom
