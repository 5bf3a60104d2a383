#include "carom/validation/fitted_values.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace carom {

double rounded(double value) { return std::stod(fmt::format("{:.5g}", value)); }

nlohmann::ordered_json json_of(const std::vector<std::string>& names, const FittedValues& fitted) {
  nlohmann::ordered_json object;
  for (std::size_t i = 0; i < names.size(); ++i) object[names[i]] = fitted.values[i];
  object["objective"] = rounded(fitted.objective);
  object["evaluations"] = fitted.evaluations;
  return object;
}

FittedValues fitted_of(const std::vector<std::string>& names, const nlohmann::ordered_json& object) {
  FittedValues fitted;
  fitted.values.reserve(names.size());
  for (const std::string& name : names) fitted.values.push_back(object.at(name).get<double>());
  fitted.objective = object.at("objective").get<double>();
  fitted.evaluations = object.at("evaluations").get<int>();
  return fitted;
}

}  // namespace carom
