#pragma once

#include <string>
#include <vector>

#include "carom/model/coordinate_names.h"
#include "carom/model/model.h"

namespace carom::python {

/// Names of the entries of q or v (by position_coordinates or velocity_coordinates): "hip", "ankle.angle_x", "box.x".
template <class Coordinates>
std::vector<std::string> coordinate_names(const Model& model, Coordinates coordinates) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < model.joints().size(); ++i) {
    const std::string joint = joint_name(model, i);
    for (const CoordinateName& each : coordinates(model.joints()[i])) {
      names.push_back(each.name.empty() ? joint : joint + "." + each.name);
    }
  }
  return names;
}

}  // namespace carom::python
