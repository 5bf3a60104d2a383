#include "progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "carom/counted.h"

namespace carom {
namespace {

std::string clock_time(double seconds) {
  const long s = std::lround(seconds);
  return s >= 3600 ? fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60)
                   : fmt::format("{}:{:02}", s / 60, s % 60);
}

}  // namespace

Progress::Progress(std::string what)
    : what_(std::move(what)), terminal_(isatty(STDERR_FILENO) == 1), start_(Clock::now()), last_(start_) {}

Progress::~Progress() {
  if (terminal_) fmt::print(stderr, "\r\033[K");
}

void Progress::show(double fraction) {
  if (!terminal_) return;
  const Clock::time_point now = Clock::now();
  if (now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  constexpr int width = 40;
  const int full = std::clamp(static_cast<int>(width * fraction), 0, width);
  const double spent = std::chrono::duration<double>(now - start_).count();
  const std::string left = fraction > 0.01 ? clock_time(spent / fraction - spent) + " left" : "";
  const std::string events = events_ < 0 ? "" : ", " + counted(events_, "event");
  fmt::print(stderr, "\r\033[K{} [{}{}] {:3.0f} %{} {}", what_, std::string(full, '='), std::string(width - full, ' '),
             100 * fraction, events, left);
  std::fflush(stderr);
}

}  // namespace carom
