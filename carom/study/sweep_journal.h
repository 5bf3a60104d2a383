#pragma once

#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "carom/study/sweep_run.h"

namespace carom {

/// Rows of cases that are done, by their keys, in a file that only grows: a line of JSON for each, written whole by one
/// call. Whatever kills the program loses no more than the cases that were on their way. Numbers are written in
/// hexadecimal, bit for bit.
///
/// A case in which the program dies of a fault of its own (a signal such as SIGSEGV) leaves a line of its own too, so
/// that the next program passes it over.
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
  /// May be called by several threads. Throws OutputError if the line can't be written whole.
  void add(const std::string& key, const SweepRow& row);

  /// While it lives, a fault of the program in this thread is put down to the case.
  class OnItsWay {
   public:
    explicit OnItsWay(const SweepJournal& journal, const std::string& key);
    ~OnItsWay();
    OnItsWay(const OnItsWay&) = delete;
    OnItsWay& operator=(const OnItsWay&) = delete;
  };

 private:
  void read(const std::string& file);

  std::map<std::string, SweepRow> rows_;
  std::string path_;
  int file_ = -1;
  std::mutex adding_;
};

}  // namespace carom
