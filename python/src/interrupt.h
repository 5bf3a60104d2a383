#pragma once

#include <pybind11/pybind11.h>

#include <chrono>
#include <optional>

namespace carom::python {

/// The one place that asks Python, now and then, whether a signal has come (Ctrl-C in the main thread). It keeps what
/// was raised then, or by a function of the user's, until the work has ended. Steps ask it themselves. If the work has
/// threads of its own, the thread that waits asks (aside.h).
class Interrupt {
 public:
  /// To be called without the interpreter's lock, as often as one likes: it is taken every 20 ms at most.
  bool asked() {
    const auto now = std::chrono::steady_clock::now();
    if (raised_) return true;
    if (now - last_ < std::chrono::milliseconds(20)) return false;
    last_ = now;
    const pybind11::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) raised_.emplace();
    return raised_.has_value();
  }
  /// With the interpreter's lock: calls a function of the user's, and keeps what it raises.
  template <class Call>
  void guard(Call&& call) {
    try {
      call();
    } catch (const pybind11::error_already_set& raised) {
      raised_ = raised;
    }
  }
  bool is_raised() const { return raised_.has_value(); }
  /// With the interpreter's lock, where something was raised.
  [[noreturn]] void rethrow() {
    const pybind11::error_already_set raised = *raised_;
    raised_.reset();
    throw raised;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  std::optional<pybind11::error_already_set> raised_;
};

}  // namespace carom::python
