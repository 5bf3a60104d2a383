#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>

namespace carom {

/// A bar with the time left on standard error, drawn at most ten times a second; nothing where standard error is not a
/// terminal.
class Progress {
 public:
  explicit Progress(std::string what);
  ~Progress();  ///< wipes the bar
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// What is being done from now on.
  void name(std::string what) { what_ = std::move(what); }
  /// How many events there have been, shown from now on.
  void count_events(std::int64_t events) { events_ = events; }
  /// fraction in [0, 1] of the work that is done.
  void show(double fraction);

 private:
  using Clock = std::chrono::steady_clock;
  std::string what_;
  std::int64_t events_ = -1;  ///< < 0: not shown
  bool terminal_;
  Clock::time_point start_, last_;
};

}  // namespace carom
