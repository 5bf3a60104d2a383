#pragma once

#include <string>

#include "carom/validation/law_runs.h"
#include "carom/validation/validation.h"

namespace carom {

/// Entries on the conduct of a law's throws, whatever was measured: no step unsolved, momentum balanced, no energy
/// above that of the release.
void add_run_entries(const std::string& source, const LawRuns& law, Validation& validation);

}  // namespace carom
