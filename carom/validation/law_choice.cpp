#include "carom/validation/law_choice.h"

#include <fmt/format.h>

#include <algorithm>

#include "carom/error.h"

namespace carom {

std::vector<std::size_t> choose_laws(const std::vector<NamedLaw>& laws, const ValidationOptions& options,
                                     const std::string& validation, const std::string& file) {
  std::vector<std::size_t> chosen;
  std::string known;
  for (std::size_t i = 0; i < laws.size(); ++i) {
    known += (known.empty() ? "" : ", ") + laws[i].name;
    if (options.laws.empty() && (options.fit || laws[i].fitted)) chosen.push_back(i);
  }
  for (const std::string& name : options.laws) {
    const auto found = std::find_if(laws.begin(), laws.end(), [&](const NamedLaw& law) { return law.name == name; });
    if (found == laws.end()) {
      throw Error(fmt::format("no law of {} is named '{}'; there are: {}", validation, name, known));
    }
    chosen.push_back(static_cast<std::size_t>(found - laws.begin()));
  }
  if (chosen.empty()) throw Error(file + ": no law has fitted values; fit them with --fit");
  return chosen;
}

std::vector<PlanarLaw*> choose_laws(PlanarFits& fits, const ValidationOptions& options, const std::string& validation,
                                    const std::string& file) {
  std::vector<NamedLaw> laws;
  laws.reserve(fits.laws.size());
  for (const PlanarLaw& law : fits.laws) laws.push_back({law.name, !law.fits.empty()});
  std::vector<PlanarLaw*> chosen;
  for (const std::size_t i : choose_laws(laws, options, validation, file)) chosen.push_back(&fits.laws[i]);
  return chosen;
}

}  // namespace carom
