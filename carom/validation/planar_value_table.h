#pragma once

#include <string>
#include <vector>

#include "carom/validation/planar_fits.h"

namespace carom {

/// Heads of a table of fitted values.
const std::vector<std::string>& planar_value_columns();
/// A row for each parameter of a law fitted for a body: its value fitted to all, and the least and greatest of the
/// folds. The law has values for the body.
std::vector<std::vector<std::string>> planar_value_rows(const PlanarLaw& law, const std::string& body);

}  // namespace carom
