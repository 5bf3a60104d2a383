#pragma once

#include <map>
#include <string>
#include <vector>

#include "carom/import/sdf_frames.h"

namespace carom {

/// Links by the names of the joints that they hang on.
using SdfHung = std::map<std::string, int>;

/// Couplers of joint coordinates, their bodies counted as in `tree` and `links`:
///
/// - `<mimic joint="J" axis="axis2">` of an axis, q = multiplier (q_J − reference) + offset;
/// - Drake's `<drake:mimic joint="J" multiplier="…" offset="…"/>` of a joint of one axis;
/// - joints of type gearbox, θ₂ = −gearbox_ratio θ₁ about `<axis>` and `<axis2>` (specification 1.6, "gearbox_ratio").
///   θ₁ is the angle of the parent and θ₂ that of the child, both relative to the gearbox_reference_body.
///
/// A joint that follows others starts where the coupler holds.
std::vector<Constraint> read_couplers(const SdfTree& tree, const SdfHung& hung,
                                      std::vector<ImportedModel::Link>& links);

/// Drake's `<drake:ball_constraint>`, two points of links of a model that meet, and `<drake:linear_spring_damper>`, a
/// spring between two.
std::vector<Constraint> read_drake_ties(const SdfTree& tree);

}  // namespace carom
