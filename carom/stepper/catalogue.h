#pragma once

#include <string>
#include <vector>

#include "carom/impact/law_kind.h"
#include "carom/stepper/stepper_kind.h"

namespace carom {

/// The steppers and laws that there are, in the order in which they are listed everywhere. A value that is handed to
/// whoever reads names or goes through all: another one may hold more, or less. Its entries must outlive it.
struct Catalogue {
  std::vector<StepperKind> steppers;
  std::vector<LawKind> laws;

  /// The one of the name. Throws Error that lists all names.
  StepperKind stepper(const std::string& name) const;
  LawKind law(const std::string& name) const;

  /// Names of all that `belongs` is true of.
  template <class Belongs>
  std::vector<std::string> steppers_that(Belongs&& belongs) const {
    std::vector<std::string> names;
    for (const StepperKind stepper : steppers) {
      if (belongs(stepper.entry())) names.emplace_back(stepper->name);
    }
    return names;
  }
  template <class Belongs>
  std::vector<std::string> laws_that(Belongs&& belongs) const {
    std::vector<std::string> names;
    for (const LawKind law : laws) {
      if (belongs(law.entry())) names.emplace_back(law->name);
    }
    return names;
  }
};

/// The product's own: a stepper or a law joins it by a line here.
const Catalogue& default_catalogue();

/// "a, b and c", or with another last word "a, b or c".
std::string in_words(const std::vector<std::string>& names, const char* last = "and");

}  // namespace carom
