#pragma once

#include <string>

#include "carom/stepper/method.h"

namespace carom {

/// What a stepper takes for granted about contact and time, a sentence for a reader who has to choose.
std::string stepper_assumption(StepperKind stepper);
/// What a law takes for granted about a blow, likewise.
std::string law_assumption(LawKind law);

}  // namespace carom
