#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "carom/stepper/method.h"

namespace carom {

/// Data of contacts that not all steppers read; restitution_change is of shapes, the others are of materials.
inline constexpr std::string_view friction_data[] = {"static_friction",  "impact_friction",    "impact_friction_slope",
                                                     "viscous_friction", "torsional_friction", "restitution_change",
                                                     "tangential_spring"};

/// Keys of a Material or Collider, as scene files write them, that the method does not read although its contact would
/// depend on them. They are static_friction (above the friction), impact_friction (other than the friction),
/// impact_friction_slope (not 0), viscous_friction, torsional_friction and restitution_change. Another is
/// tangential_spring, which needs a law of springs beside such a stepper. A scene that gives them is refused.
/// Elasticity (youngs_modulus, poisson_ratio, dissipation, contact_radius) says what the bodies are made of. A method
/// with rigid contacts leaves it unread by its nature, and it is never listed; of layers method_data_warnings tells.
std::vector<std::string> ignored_material_data(const Method& method);

/// "a " or "an ", whichever goes before such a key in a sentence.
std::string article_of(const std::string& key);
/// Advice about such a key of the list, as the end of a sentence.
std::string ignored_material_data_remedy(const Method& method, const std::string& key, const Catalogue& catalogue);

}  // namespace carom
