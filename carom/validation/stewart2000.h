#pragma once

#include "carom/validation/validation.h"

namespace carom {

/// Paper ST's examples: the falling rod (figures 2 to 5) and the four balls (table 1).
Validation validate_stewart2000(const ValidationOptions& options);

}  // namespace carom
