#include "interrupt.h"

#include <csignal>

namespace carom {
namespace {

volatile std::sig_atomic_t asked_to_stop = 0;

void on_signal(int signal) {
  asked_to_stop = 1;
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

bool interrupted() { return asked_to_stop != 0; }

}  // namespace carom
