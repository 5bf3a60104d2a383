#include "carom/record/curve_json.h"

#include <nlohmann/json.hpp>

namespace carom {

nlohmann::ordered_json curve_json(const std::string& name, std::size_t number, const std::vector<double>& values,
                                  std::size_t largest) {
  constexpr std::size_t colors = 8, dashes = 3;  // of player/src/report.css and player/src/dashes.js
  return {{"name", name},
          {"color", "c" + std::to_string(number % colors)},
          {"dash", number / colors % dashes},
          {"data", base64(thin(values, largest))}};
}

}  // namespace carom
