#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "carom/validation/planar_fits.h"
#include "carom/validation/validation.h"

namespace carom {

/// A law of a file of fits, for choosing.
struct NamedLaw {
  std::string name;
  bool fitted = false;  ///< it has values
};

/// Which laws to run: those that options.laws names, in that order. If it names none, all that have values, or with
/// options.fit all there are. `validation` is the name for messages. Throws Error that lists the names there are, or if
/// there is none to run.
std::vector<std::size_t> choose_laws(const std::vector<NamedLaw>& laws, const ValidationOptions& options,
                                     const std::string& validation, const std::string& file);
/// The same of laws with fits by body: one is fitted that has values for any body.
std::vector<PlanarLaw*> choose_laws(PlanarFits& fits, const ValidationOptions& options, const std::string& validation,
                                    const std::string& file);

}  // namespace carom
