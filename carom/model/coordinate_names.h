#pragma once

#include <string>
#include <vector>

#include "carom/model/model.h"

// Names of the coordinates of joints, in records and in formulas. They are the joint's name and, if the coordinate has
// a name of its own, that behind a point ("hip", "hip.rate", "ankle.angle_x").
namespace carom {

struct CoordinateName {
  std::string name;  ///< empty for a joint's only position coordinate
  std::string unit;  ///< 1 for quaternions and for the coordinates of a user's own twists
};

/// Names of the joint's entries of q and v.
std::vector<CoordinateName> position_coordinates(const Joint& joint);
std::vector<CoordinateName> velocity_coordinates(const Joint& joint);

/// The joint of a body; a free joint's name is its body's, which users know.
std::string joint_name(const Model& model, std::size_t body);

}  // namespace carom
