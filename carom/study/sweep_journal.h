#pragma once

#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "carom/study/sweep_run.h"

namespace carom {

/// The journals at `path` and of other parts beside it, in the order of their names, and at last `own`, which is
/// written to.
std::vector<std::string> journal_files(const std::string& path, const std::string& own);

/// Rows of finished cases, by their keys, in a file that only grows. Each is a line of JSON, written whole by one call.
/// Whatever kills the program loses no more than the cases in progress. Numbers are written in hexadecimal, bit for
/// bit.
///
/// A case in which the program dies of a fault of its own (a signal such as SIGSEGV) leaves a line of its own too. The
/// next program passes this case over. If a thread dies that works for one of several cases, each of them leaves a line
/// as a suspect. Run alone, the case with the fault is then found.
class SweepJournal {
 public:
  /// Reads the files, of which there need be none, and appends to the last. A line that is cut off is passed over.
  /// Throws Error if a file can't be read or written, or if another journal writes the last one.
  explicit SweepJournal(const std::vector<std::string>& files);
  ~SweepJournal();
  SweepJournal(const SweepJournal&) = delete;
  SweepJournal& operator=(const SweepJournal&) = delete;

  /// Null if the case is not done. `columns`: how many numbers a row has.
  const SweepRow* find(const std::string& key) const;
  /// True of a case that is not done and was on its way when a program died.
  bool is_suspect(const std::string& key) const { return suspects_.contains(key); }
  /// May be called by several threads. Throws OutputError if the line can't be written whole.
  void add(const std::string& key, const SweepRow& row);
  /// A line that line() made elsewhere. Throws Error for one that says nothing, OutputError as add does.
  void add_line(const std::string& line);
  /// That of a case, without the end of line.
  static std::string line(const std::string& key, const SweepRow& row);

  /// While one lives, faults of the program are attributed to the cases in progress. Earlier handlers of such signals
  /// run afterwards, and are restored when the last watch has gone.
  class FaultWatch {
   public:
    FaultWatch();
    ~FaultWatch();
    FaultWatch(const FaultWatch&) = delete;
    FaultWatch& operator=(const FaultWatch&) = delete;
  };

  /// While it lives, the case is on its way in this thread and those that help it.
  class OnItsWay {
   public:
    explicit OnItsWay(const SweepJournal& journal, const std::string& key);
    ~OnItsWay();
    OnItsWay(const OnItsWay&) = delete;
    OnItsWay& operator=(const OnItsWay&) = delete;
  };

 private:
  void read(const std::string& file);
  void write(const std::string& line);

  std::map<std::string, SweepRow> rows_;
  std::set<std::string> suspects_;
  std::string path_;
  int file_ = -1;
  std::mutex adding_;
};

}  // namespace carom
