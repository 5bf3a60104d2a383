#pragma once

#include <functional>
#include <string>
#include <vector>

#include "carom/study/sweep_journal.h"

namespace carom {

struct SweepResult {
  std::vector<std::string> varied, outputs, columns;  ///< columns: sweep_columns
  std::vector<SweepCase> cases;                       ///< those that are done, by number
  std::vector<SweepRow> rows;                         ///< one for each
  std::int64_t count = 0;                             ///< of all cases of the study
  std::int64_t earlier = 0;                           ///< of the rows, done by an earlier program
  bool whole() const { return static_cast<std::int64_t>(rows.size()) == count; }
};

/// A study with its scene read: cases one by one, in whatever process, and the table of those that a journal has.
class SweepWork {
 public:
  /// `records`: folder for records that are kept. Throws Error or SceneError if study and scene do not fit each other.
  SweepWork(SweepStudy study, std::string records);
  SweepWork(const SweepWork&) = delete;
  SweepWork& operator=(const SweepWork&) = delete;

  const SweepCases& cases() const { return cases_; }
  /// Key of the case's row in journals.
  std::string key(std::int64_t number) const { return cases_.key(cases_.at(number)); }
  /// The row of one case; its record is kept as the study says. Leaves by Stopped when `stop`, which may be empty, says
  /// so.
  SweepRow run(std::int64_t number, const std::function<bool()>& stop) const;
  /// A row from start to end into a record at `path`, whatever the study keeps.
  SweepRow run_into(std::int64_t number, const std::string& path, const std::function<bool()>& stop) const;
  /// The rows that the journal has. `keys`: of all cases, by number.
  SweepResult gathered(const SweepJournal& journal, const std::vector<std::string>& keys) const;

 private:
  SweepStudy study_;
  std::string records_;
  SweepCases cases_;
  std::vector<std::string> outputs_;
};

}  // namespace carom
