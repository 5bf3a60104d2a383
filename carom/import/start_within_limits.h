#pragma once

#include "carom/import/imported_model.h"

namespace carom {

/// Moves every coordinate that the file starts beyond its joint's limits, in rad and m, to the nearest of them. Keeps
/// the file's value in `asked`. A start beyond a limit would be thrown back by it in one step.
void start_within_limits(ImportedModel& model);
void start_within_limits(const std::vector<ImportedModel::Link>& links, ImportedModel::Keyframe& keyframe);

}  // namespace carom
