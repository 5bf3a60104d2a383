#pragma once

#include <vector>

#include "carom/stepper/contact_step.h"

namespace carom {

/// True if a change of velocity (coordinates at q) moves no body's origin and no point of contact faster than a bound.
/// The bound is `speed`, m/s, plus round-off of their places over a step of `h` seconds. Gaps are not known better, and
/// what rests has no velocity that a change could be small beside. The workspace is scratch.
bool moves_by_round_off(const Model& model, const VectorX& q, const VectorX& change, double h, double speed,
                        const std::vector<CandidateContact>& candidates, DynamicsWorkspace& workspace);

}  // namespace carom
