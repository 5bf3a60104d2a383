#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

namespace carom {

/// From now on Ctrl-C (SIGINT) and SIGTERM ask the program to stop, on the way through a long step as well, instead of
/// killing it; a second one kills it.
void catch_interrupts();
/// True if one came.
bool interrupted();
/// From now on they end the program at once, as they do before catch_interrupts() and as a second one does after it.
void release_interrupts();

/// A file, or a folder that is empty by then, that goes when a signal ends the program at once, for as long as this
/// lives. Later ones go first. There is room for a handful.
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

/// Does `work` in a thread of its own and returns what it returns, or throws what it throws. Work that has not ended
/// `patience` after interrupted() came true is left to itself, and nothing is returned: one factorization of a large
/// matrix asks nobody whether to go on. It must own what it uses, as it goes on using it until the program ends.
std::optional<std::string> unless_left(const std::function<std::string()>& work, std::chrono::milliseconds patience);
/// True if work was left to itself. The program must then end by std::_Exit, under which no thread loses what it uses.
bool work_was_left();

}  // namespace carom
