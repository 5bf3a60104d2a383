#include "carom/stepper/law_faults.h"

#include "carom/stepper/catalogue.h"

namespace carom {

std::string fault_beside_impacts(const StepperEntry& stepper, const LawEntry& law, const Catalogue& catalogue) {
  return "law " + std::string(law.name) + " says nothing of an impact, and stepper " + stepper.name +
         " needs to know: choose " + in_words(catalogue.laws_that(stepper.takes), "or");
}

std::string fault_in_step(const StepperEntry& stepper, const LawEntry& law, const Catalogue& catalogue) {
  const auto steppers = catalogue.steppers_that([&](const StepperEntry& other) { return other.takes(law); });
  const std::string other = steppers.empty() ? "" : "stepper " + in_words(steppers, "or") + " with it, or ";
  return "law " + std::string(law.name) + " is one of impacts that are instants of their own, which stepper " +
         stepper.name + " does not have: choose " + other + "law " + in_words(catalogue.laws_that(stepper.takes), "or");
}

}  // namespace carom
