#pragma once

#include "carom/validation/validation.h"

namespace carom {

/// The examples of Chakraborty, Berard, Akella and Trinkle 2007 (paper QR) by stepper quasi-rigid. They stand beside
/// closed forms, steps written out by hand and an ODE: docs/validation/chakraborty2007.md. Scenes: chakraborty2007/ in
/// the folder. Throws Error if a scene is missing or a step is not solved.
Validation validate_chakraborty2007(const ValidationOptions& options);

}  // namespace carom
