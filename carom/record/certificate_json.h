#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "carom/record/record.h"

namespace carom {

/// A number, or a text where JSON has none for it.
nlohmann::ordered_json json_number(double value);
/// Why a quantity of a run's certificate is not defined for its method, a sentence; empty if it is. The same quantities
/// are left out where a certificate is printed or drawn.
std::string why_no_contact_residuals(const Method& method);  ///< cone_violation and dissipation_residual
std::string why_no_momentum_residual(const Method& method);
std::string why_no_complementarity(const Method& method);  ///< normal_complementarity
std::string why_no_polyhedral_error(const Method& method);
std::string why_no_natural_map(const Method& method);

/// The `certificate` of a run (docs/manual/json.md).
nlohmann::ordered_json certificate_object(const Record& record);

/// Positions and velocities as `q` and `v`, with the names of their entries as `q_names` and `v_names`.
nlohmann::ordered_json state_json(const Model& model, const State& state);

}  // namespace carom
