#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace carom {

/// Numbers in place of names that were fitted, and how well.
struct FittedValues {
  std::vector<double> values;  ///< in the order of what is fitted
  double objective = 0;        ///< on what was fitted to
  int evaluations = 0;
};

/// So many digits of a number as a reader wants, and as many as give the same number again: five.
double rounded(double value);

/// A JSON object of each name with its value, `objective` and `evaluations`, and back. fitted_of throws
/// nlohmann::json::exception where one is missing.
nlohmann::ordered_json json_of(const std::vector<std::string>& names, const FittedValues& fitted);
FittedValues fitted_of(const std::vector<std::string>& names, const nlohmann::ordered_json& object);

}  // namespace carom
