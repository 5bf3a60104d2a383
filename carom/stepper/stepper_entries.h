#pragma once

#include "carom/stepper/stepper_entry.h"

// The entries of the product's steppers, each in a file beside the stepper.
namespace carom::stepper_entries {

extern const StepperEntry stewart_trinkle;
extern const StepperEntry anitescu_potra;
extern const StepperEntry stewart_trinkle_nonlinear;
extern const StepperEntry semi_explicit;
extern const StepperEntry event_driven;
extern const StepperEntry variational;
extern const StepperEntry compliant;
extern const StepperEntry implicit_geometry;
extern const StepperEntry quasi_rigid;
extern const StepperEntry hybrid_dca;

}  // namespace carom::stepper_entries
