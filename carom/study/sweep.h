#pragma once

#include <functional>
#include <string>
#include <vector>

#include "carom/study/sweep_work.h"

// Many runs of one scene, on all cores of a machine or in parts on several: sweep_study.h says what is run, sweep_run.h
// what is told of each. The result is the same, to the bit, whatever the number of threads or parts, and however often
// the work was killed and taken up.
namespace carom {

struct SweepOptions {
  int threads = 0;                       ///< 0: as many as there are cores
  std::string journal;                   ///< path; further files beside it, JOURNAL.part-*, are read too
  std::int64_t part = 0, parts = 1;      ///< of the cases only those whose number leaves this rest
  std::string records;                   ///< folder for records that are kept
  std::function<bool()> stop;            ///< asked again and again; may be empty
  std::function<void(double)> progress;  ///< part of the cases that are done; called by any thread, one at a time
};

/// Throws Error or SceneError if study and scene do not fit each other, or the journal can't be written. A stop is a
/// result that is not whole.
SweepResult sweep(const SweepStudy& study, const SweepOptions& options);

/// Does work() in a child process and returns what it returns, there. In the parent returns the child's exit status, or
/// 128 + the signal that killed it; where that is a fault (SIGSEGV and the like) and `again` says that something came
/// of the work, a new child goes on. Called before the program has threads.
int supervised(const std::function<int()>& work, const std::function<bool()>& again);

}  // namespace carom
