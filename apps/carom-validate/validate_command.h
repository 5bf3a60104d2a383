#pragma once

#include "validate_options.h"

namespace carom {

/// Runs the validations, writes their page and prints the entries. Returns 1 if an entry leaves its tolerance. Throws
/// Error for a name that there is not, missing data, or scenes that are not found.
int validate_command(const ValidateOptions& options);

}  // namespace carom
