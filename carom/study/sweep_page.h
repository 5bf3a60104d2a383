#pragma once

#include <functional>
#include <string>

#include "carom/study/sweep_work.h"

namespace carom {

/// Writes a sweep as one self-contained page. It has counts, distributions and quantiles of the outputs, and a map of
/// each output over every two numbers that are varied. It also plays the runs that need a look most. If none does, it
/// plays those that end at the extremes of the first output. They are simulated anew, three at most. Throws Error if
/// the file can't be written, Stopped when `stop` says so.
void write_sweep_page(const SweepStudy& study, const SweepResult& result, const std::string& path,
                      const std::function<bool()>& stop);

}  // namespace carom
