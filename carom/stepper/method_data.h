#pragma once

#include <string>
#include <vector>

#include "carom/model/model.h"
#include "carom/stepper/method.h"

namespace carom {

/// Reasons why a method and a model, each sound by itself, make no sense together, a sentence each. They are data that
/// stepper compliant lacks (compliant_data.h), and a proximity as large as the bodies.
std::vector<std::string> method_data_faults(const Model& model, const Method& method);

/// Surprises that the method makes of the model, a sentence each. For stepper compliant see compliant_data.h. Contacts
/// without a Young's modulus under a law that reads stiffness are one. Others are friction and restitutions that a law
/// takes for none, or for 1, and layers of materials that the stepper takes for rigid.
std::vector<std::string> method_data_warnings(const Model& model, const Method& method);

/// True if colliders that may meet have friction in impacts.
bool impacts_have_friction(const Model& model);
/// True if everything that may strike has the restitution 1: colliders that may meet, joints' limits, ropes.
bool impacts_are_elastic(const Model& model);

/// True if anything has a restitution above 0, whatever it meets: materials, joints' limits, ropes.
bool may_rebound(const Model& model);

/// Materials of colliders that may meet, by their numbers in ascending order, each pair once and sorted.
std::vector<std::pair<int, int>> meeting_materials(const Model& model);

/// "material 'rubber'" or "materials 'rubber' and 'steel'".
std::string material_names(const Model& model, const std::pair<int, int>& pair);

}  // namespace carom
