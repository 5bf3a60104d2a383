#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "carom/record/curve.h"

namespace carom {

/// One curve of many, by its number, as the script of player/ draws it. The colours c0 to c7 come in turn, solid at
/// first, then dashed, then dotted. Values are thinned to `largest` points.
nlohmann::ordered_json curve_json(const std::string& name, std::size_t number, const std::vector<double>& values,
                                  std::size_t largest = largest_curve);

}  // namespace carom
