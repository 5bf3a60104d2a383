#pragma once

#include <cmath>

#include "carom/model/state.h"
#include "carom/stepper/step_report.h"

namespace carom {

/// True if a step led to numbers: a run must not go on from what is none, nor from an energy beyond what a number
/// holds, which no verdict could judge.
inline bool is_finite(const State& state, const StepReport& report) {
  return state.q.allFinite() && state.v.allFinite() && std::isfinite(report.energy.kinetic) &&
         std::isfinite(report.energy.potential);
}

}  // namespace carom
