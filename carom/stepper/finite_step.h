#pragma once

#include <cmath>

#include "carom/model/state.h"
#include "carom/stepper/step_report.h"

namespace carom {

/// True if position, velocity and both energies at the end of a step are finite. A run must not go on from NaN or
/// infinity, nor from an energy too large for a number, which no verdict could judge.
inline bool is_finite(const State& state, const StepReport& report) {
  return state.q.allFinite() && state.v.allFinite() && std::isfinite(report.energy.kinetic) &&
         std::isfinite(report.energy.potential);
}

}  // namespace carom
