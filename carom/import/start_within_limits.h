#pragma once

#include "carom/import/imported_model.h"

namespace carom {

/// Moves every coordinate that the file starts beyond its joint's limits, in rad and m, to the nearest of them, and
/// keeps in `asked` where the file had it. To start beyond a limit is to be thrown back by it in one step.
void start_within_limits(ImportedModel& model);
void start_within_limits(const std::vector<ImportedModel::Link>& links, ImportedModel::Keyframe& keyframe);

}  // namespace carom
