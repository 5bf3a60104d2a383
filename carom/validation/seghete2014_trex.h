#pragma once

#include <vector>

#include "carom/validation/validation.h"

// Paper PROP's tailed runner (TREX), section VII-B: table I and figure 8.
namespace carom::seghete2014 {

/// Entries, a text and figure 8 drawn again, into `validation`. Reads scenes/seghete2014/trex.yaml and
/// ../studies/trex.yaml.
void validate_trex(const ValidationOptions& options, Validation& validation);

/// The entries of these about table I as it is printed.
void trex_table(const ValidationOptions& options, Validation& validation);

/// All entries alone.
std::vector<ValidationEntry> trex_entries(const ValidationOptions& options);

}  // namespace carom::seghete2014
