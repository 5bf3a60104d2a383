#pragma once

#include "carom/validation/validation.h"

namespace carom {

/// Verdicts on accuracy beside the truth: ten scenes (accuracy/), five steps each. Whenever a verdict says "accurate to
/// x", the true error is below 3 x in 95 % of the runs and never above 30 x. No motion that is off by more than a tenth
/// of its extent is called good. The text is the truth table.
Validation validate_accuracy(const ValidationOptions& options);

}  // namespace carom
