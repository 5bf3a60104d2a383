#pragma once

#include <string>
#include <vector>

#include "carom/model/model.h"

// Names of the coordinates and the parts of a model in records, pages and JSON.
namespace carom {

/// Names of the entries of q: "ball.x" of a free joint's body. A joint's only coordinate has the joint's own name
/// ("hip"). If a joint has several, each has the coordinate's name behind the joint's ("ankle.angle_x").
std::vector<std::string> position_names(const Model& model);
/// Names of the entries of v: "ball.vx", "hip.rate", "ankle.rate_x".
std::vector<std::string> velocity_names(const Model& model);
/// Units of the entries of q and v; 1 for quaternions and for the coordinates of a user's own twists.
std::vector<std::string> position_units(const Model& model);
std::vector<std::string> velocity_units(const Model& model);

std::vector<std::string> body_names(const Model& model);
std::vector<std::string> joint_names(const Model& model);  ///< by body: of its inboard joint
/// By entry of jointed_bodies: the joints of bodies that do not move freely.
std::vector<std::string> jointed_names(const Model& model);
/// By constraint; one without a name is called by its kind and its number among all: "ball.2".
std::vector<std::string> constraint_names(const Model& model);
/// By entry of torque_coordinates: "hip" for a joint's only coordinate, "ankle.angle_x", "shoulder.wx".
std::vector<std::string> torque_names(const Model& model);
/// By entry of StepLoads::torques(): "hip.servo".
std::vector<std::string> torque_source_names(const Model& model);
/// Units of the two: N m, N, or 1 for the coordinates of a user's own twists.
std::vector<std::string> torque_units(const Model& model);
std::vector<std::string> torque_source_units(const Model& model);
std::vector<std::string> frame_names(const Model& model);
std::vector<std::string> mechanism_names(const Model& model);  ///< of each tree the name of its first body
/// A collider without a name of its own has its body's (the world's: "world"), with a number where that has several.
std::vector<std::string> collider_names(const Model& model);

}  // namespace carom
