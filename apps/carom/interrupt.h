#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

namespace carom {

/// From now on Ctrl-C (SIGINT) and SIGTERM ask the program to end, within a long step too, instead of killing it. A
/// second signal kills it.
void catch_interrupts();
/// True if one came.
bool interrupted();
/// From now on they end the program at once, as they do before catch_interrupts() and as a second one does after it.
void release_interrupts();

/// While this lives, a signal that ends the program at once also removes this file, or this folder if it is empty by
/// then. Later objects go first. There is room for a handful.
class GoneOnSignal {
 public:
  explicit GoneOnSignal(const std::string& path);
  /// The file gets the name `to` instead of going.
  GoneOnSignal(const std::string& path, const std::string& to);
  GoneOnSignal(const GoneOnSignal&) = delete;
  GoneOnSignal& operator=(const GoneOnSignal&) = delete;
  ~GoneOnSignal();

 private:
  int place_;
};

/// Does `work` while no signal comes through: it waits until then.
void without_signals(const std::function<void()>& work);

/// Runs `work` in a thread of its own and returns what it returns, or throws what it throws. If interrupted() comes
/// true and `work` has not ended `patience` later, it is left to itself and nothing is returned. For example, one
/// factorization of a large matrix never asks whether to go on. As it goes on until the program ends, `work` must own
/// what it uses.
std::optional<std::string> unless_left(const std::function<std::string()>& work, std::chrono::milliseconds patience);
/// True if work was left to itself. The program must then end by std::_Exit, under which no thread loses what it uses.
bool work_was_left();

}  // namespace carom
