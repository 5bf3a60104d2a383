#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>

namespace carom {

/// Thrown to leave a step that its user has asked to stop. It is not an Error, since nobody made a mistake.
class Stopped : public std::exception {
 public:
  const char* what() const noexcept override { return "stopped on request"; }
};

/// A user's function that loops within a step call again and again, to learn whether to stop. Between two calls lies at
/// most the work of one pass of such a loop, such as an iteration of a solver. The signal is handed down to whatever
/// may take long; a default one never stops anything. Threads that share one call it one after the other.
class StopSignal {
 public:
  StopSignal() = default;
  explicit StopSignal(std::function<bool()> asked) : asked_(std::move(asked)), one_at_a_time_(new std::mutex) {}

  bool is_set() const { return static_cast<bool>(asked_); }
  /// Throws Stopped if asked to.
  void check() const {
    if (!asked_) return;
    const std::lock_guard<std::mutex> lock(*one_at_a_time_);
    if (asked_()) throw Stopped();
  }

 private:
  std::function<bool()> asked_;
  std::shared_ptr<std::mutex> one_at_a_time_;
};

/// The same for a signal that may be null.
inline void ask_to_go_on(const StopSignal* stop) {
  if (stop != nullptr) stop->check();
}

}  // namespace carom
