#pragma once

#include <string>
#include <vector>

#include "carom/model/model.h"
#include "carom/stepper/method.h"

namespace carom {

/// Reasons why stepper compliant cannot compute with a model, a sentence each; empty for sound models. Pairs of
/// materials that may meet without a Young's modulus are faults, and so are limits and ropes without a limit_stiffness.
/// So are ratchets, which hold a rate and not a position. A restitution other than 1 without a dissipation is one too:
/// Hunt and Crossley's rebound depends on the speed, e ≈ 1 − c s, so no c is an e.
std::vector<std::string> compliant_data_faults(const Model& model, const Method& method);

/// Data that it leaves unread, or that may surprise, a sentence each: restitution beside dissipation; impacts that lose
/// nothing.
std::vector<std::string> compliant_data_warnings(const Model& model, const Method& method);

}  // namespace carom
