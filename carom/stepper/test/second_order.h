#pragma once

#include "carom/stepper/test/experiment.h"

namespace carom::test {

inline constexpr StepperKind second_order_steppers[] = {StepperKind::stewart_trinkle, StepperKind::anitescu_potra,
                                                        StepperKind::semi_explicit};

inline Method second_order(double step, StepperKind stepper) {
  Method method = plastic_with_step(step, stepper);
  method.smooth = SmoothParts::second_order;
  return method;
}

}  // namespace carom::test
