#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <functional>
#include <future>
#include <mutex>
#include <string>

#include "carom/stop_signal.h"
#include "interrupt.h"

namespace carom::python {

/// The line between Python and long work on another thread. Its functions are for that thread, and for those that
/// it uses, without the interpreter's lock.
class Watch {
 public:
  /// progress: a function of (share in [0, 1], what is being done), called by the thread that waits; None: nobody.
  explicit Watch(const pybind11::object& progress) : progress_(progress) {}

  std::function<bool()> stop() {
    return [this] { return stopped_.load(); };
  }
  /// Throws Stopped if the work is to end.
  void check() const {
    if (stopped_) throw Stopped();
  }
  void tell(const std::string& what, double share);
  void tell(double share);

  /// Waits, with the interpreter's lock at its beginning and end, until the work is `ready`, which is asked every 20
  /// ms. Ctrl-C, or a fault of `progress`, stops the work.
  void look_after(const std::function<bool()>& ready);
  /// Raises what stopped the work.
  void rethrow() {
    if (interrupt_.is_raised()) interrupt_.rethrow();
  }

 private:
  void call_progress();

  pybind11::object progress_;
  std::atomic<bool> stopped_ = false;
  Interrupt interrupt_;
  std::mutex telling_;
  std::string what_;
  double share_ = 0;
  bool news_ = false;
};

/// Does work(watch) on a thread of its own, while the caller's, which has the interpreter's lock, looks after signals
/// and `progress`. Returns what it returns, and throws what it throws.
template <class Work>
auto aside(const pybind11::object& progress, Work&& work) {
  Watch watch(progress);
  auto result = std::async(std::launch::async, [&] { return work(watch); });
  watch.look_after([&] { return result.wait_for(std::chrono::milliseconds(20)) == std::future_status::ready; });
  try {
    if constexpr (std::is_void_v<decltype(work(watch))>) {
      result.get();
      watch.rethrow();
    } else {
      auto value = result.get();
      watch.rethrow();
      return value;
    }
  } catch (const Stopped&) {
    watch.rethrow();
    throw;
  }
}

}  // namespace carom::python
