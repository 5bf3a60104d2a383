#pragma once

#include <string>
#include <vector>

#include "carom/validation/law_runs.h"
#include "carom/validation/validation.h"

namespace carom {

/// `count` tosses, evenly spaced over the distinct ones of a file, cut after rest.
std::vector<Toss> choose_tosses(const std::string& path, int count, const TossProtocol& protocol);

/// Real tosses of a cube (S. Pfrommer, M. Halm and M. Posa, ContactNets, CoRL 2020) beside simulated ones. The file
/// options.data holds them. Every law of options.scenes/cube_tosses throws them with its fitted values (cube_fits.h).
/// So does options.scenes/measured_toss.yaml, where nothing is fitted. With options.fit the values are fitted to these
/// tosses first, and replace those of the folder. Writes predictions of every law and a page of plots of the first into
/// options.output.
Validation validate_cube_tosses(const ValidationOptions& options);

}  // namespace carom
