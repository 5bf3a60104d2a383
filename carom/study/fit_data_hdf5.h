#pragma once

#include <string>

#include "carom/study/fit_data.h"

namespace carom {

/// Measurements of an HDF5 file, laid out as read_fit_data says. Throws Error with file and dataset.
FitData read_fit_hdf5(const std::string& path);

}  // namespace carom
