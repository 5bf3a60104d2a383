#pragma once

#include <functional>
#include <string>
#include <vector>

#include "carom/study/sweep_work.h"

// Many runs of one scene, on all cores of a machine or in parts on several. See sweep_study.h for the runs, and
// sweep_run.h for the numbers that each gives. The result is the same, to the bit, whatever the number of threads or
// parts, and however often the work was killed and resumed.
namespace carom {

struct SweepOptions {
  int threads = 0;                       ///< 0: as many as there are cores
  std::string journal;                   ///< path; further files beside it, JOURNAL.part-*, are read too
  std::int64_t part = 0, parts = 1;      ///< of the cases only those whose number leaves this rest
  std::string records;                   ///< folder for records that are kept
  std::function<bool()> stop;            ///< polled; may be empty
  std::function<void(double)> progress;  ///< part of the cases that are done; called by any thread, one at a time
};

/// Throws Error or SceneError if study and scene do not fit each other, or the journal can't be written. A sweep that
/// was stopped returns an incomplete result.
SweepResult sweep(const SweepStudy& study, const SweepOptions& options);

/// Does work() in a child process and returns what it returns, there. In the parent returns the child's exit status, or
/// 128 + the signal that killed it. After a fault (SIGSEGV and the like), a new child goes on if `again` says that
/// something came of the work. Call it before the program has threads.
int supervised(const std::function<int()>& work, const std::function<bool()>& again);

}  // namespace carom
