#include "carom/validation/planar_value_table.h"

#include <fmt/format.h>

#include <algorithm>

namespace carom {

const std::vector<std::string>& planar_value_columns() {
  static const std::vector<std::string> columns{"law", "parameter", "fitted to all", "to four folds of five"};
  return columns;
}

std::vector<std::vector<std::string>> planar_value_rows(const PlanarLaw& law, const std::string& body) {
  std::vector<std::vector<std::string>> rows;
  const PlanarBodyFit& fit = law.fits.at(body);
  for (std::size_t i = 0; i < law.parameters.size(); ++i) {
    double least = fit.all.values[i], most = least;
    for (const FittedValues& fold : fit.folds) {
      least = std::min(least, fold.values[i]);
      most = std::max(most, fold.values[i]);
    }
    rows.push_back({law.name, law.parameters[i].name, fmt::format("{:.4g}", fit.all.values[i]),
                    fmt::format("{:.4g} to {:.4g}", least, most)});
  }
  return rows;
}

}  // namespace carom
