#pragma once

#include <exception>
#include <functional>
#include <utility>

namespace carom {

/// Leaves a step that its user has asked to stop: no fault of anybody's, so it is no Error.
class Stopped : public std::exception {
 public:
  const char* what() const noexcept override { return "stopped on request"; }
};

/// A user's question that loops within a step ask again and again: whether to stop. Between two questions lies at most
/// the work of one of their passes, as a contact problem. Handed down to whatever may take long; a default one never
/// stops anything.
class StopSignal {
 public:
  StopSignal() = default;
  explicit StopSignal(std::function<bool()> asked) : asked_(std::move(asked)) {}

  bool is_set() const { return static_cast<bool>(asked_); }
  /// Throws Stopped if asked to.
  void check() const {
    if (asked_ && asked_()) throw Stopped();
  }

 private:
  std::function<bool()> asked_;
};

}  // namespace carom
