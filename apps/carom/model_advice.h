#pragma once

#include <string>
#include <vector>

#include "carom/import/imported_model.h"

namespace carom {

/// Sentences about what `carom run MODEL` will find missing in a model that loads: friction, a ground, a start within
/// the joints' limits, an impact law. Each names the option that gives it. Empty if the file says all of it.
std::vector<std::string> advice_for(const ImportedModel& model);

}  // namespace carom
