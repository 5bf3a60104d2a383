#pragma once

#include <string>

#include "carom/stepper/stepper_entry.h"

// Rules by which steppers of the usual kinds take laws, for their entries.
namespace carom {

inline bool takes_laws_of_impacts(const LawEntry& law) { return law.make != nullptr; }
inline bool takes_laws_in_step(const LawEntry& law) { return law.in_step != InStep::no; }
inline bool takes_no_restitution(const LawEntry& law) { return law.in_step == InStep::inelastic; }

/// The fault for steppers whose impacts are instants of their own.
std::string fault_beside_impacts(const StepperEntry& stepper, const LawEntry& law, const Catalogue& catalogue);
/// The fault for steppers whose impacts are part of their steps.
std::string fault_in_step(const StepperEntry& stepper, const LawEntry& law, const Catalogue& catalogue);

}  // namespace carom
