#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
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

  /// Names what is being done from now on.
  void name(std::string what) { what_ = std::move(what); }
  /// Shows how many events there have been, from now on.
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

/// "reading robot.urdf … 7 s" on standard error while it lives, from its second second on: for work that can't say how
/// far it is. Nothing where standard error is not a terminal.
class Working {
 public:
  explicit Working(const std::string& what);
  ~Working();  ///< wipes the line
  Working(const Working&) = delete;
  Working& operator=(const Working&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable_any done_;
  std::jthread teller_;  ///< last, so that it ends before what it uses
};

}  // namespace carom
