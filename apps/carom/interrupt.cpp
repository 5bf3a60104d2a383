#include "interrupt.h"

#include <pthread.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstring>
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

/// A file or folder that goes on a signal, in memory that a handler may read at any instant.
struct Going {
  std::array<char, PATH_MAX> path, to;  ///< `to` is empty for what is removed
  std::atomic<bool> taken, ready;
};
std::array<Going, 8> going;

/// Calls nothing but what a handler of signals may (POSIX: unlink, rmdir, rename, signal, raise).
void end_at_once(int signal) {
  for (std::size_t i = going.size(); i-- > 0;) {
    const Going& each = going[i];
    if (!each.ready) continue;
    if (each.to[0] != '\0') {
      static_cast<void>(std::rename(each.path.data(), each.to.data()));
    } else if (::unlink(each.path.data()) != 0) {
      static_cast<void>(::rmdir(each.path.data()));
    }
  }
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void on_signal(int signal) {
  asked_to_stop = true;
  std::signal(signal, end_at_once);
}

int take_place(const std::string& path, const std::string& to) {
  if (path.size() >= PATH_MAX || to.size() >= PATH_MAX) return -1;
  for (std::size_t i = 0; i < going.size(); ++i) {
    Going& place = going[i];
    if (place.taken.exchange(true)) continue;
    std::strcpy(place.path.data(), path.c_str());
    std::strcpy(place.to.data(), to.c_str());
    place.ready = true;
    return static_cast<int>(i);
  }
  return -1;
}

}  // namespace

void catch_interrupts() {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
}

void release_interrupts() {
  for (const int signal : {SIGINT, SIGTERM}) {
    // A program that was started to ignore it, as in the background of a script, goes on ignoring it.
    if (std::signal(signal, end_at_once) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
}

GoneOnSignal::GoneOnSignal(const std::string& path) : GoneOnSignal(path, "") {}

GoneOnSignal::GoneOnSignal(const std::string& path, const std::string& to) : place_(take_place(path, to)) {}

GoneOnSignal::~GoneOnSignal() {
  if (place_ < 0) return;
  Going& place = going[static_cast<std::size_t>(place_)];
  place.ready = false;
  place.taken = false;
}

void without_signals(const std::function<void()>& work) {
  sigset_t both, before;
  sigemptyset(&both);
  sigaddset(&both, SIGINT);
  sigaddset(&both, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &both, &before);
  try {
    work();
  } catch (...) {
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    throw;
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

bool interrupted() { return asked_to_stop; }

std::optional<std::string> unless_left(const std::function<std::string()>& work, milliseconds patience) {
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
