#pragma once

#include <string_view>

#include "carom/model/state.h"

// From names to numbers, and the coordinates of a joint in a state. Look a name up once, before the steps: O(parts).
namespace carom {

// A number in the list of the model that bears the kind's name. Throw Error that says what there is where nothing has
// the name, and where several have it.
int body_number(const Model& model, std::string_view name);      ///< −1 for "world", unless a body is called so
int joint_number(const Model& model, std::string_view name);     ///< of the body that hangs on it; a free joint's name
                                                                 ///< is its body's (coordinate_names.h)
int frame_number(const Model& model, std::string_view name);     ///< Model::frames()
int collider_number(const Model& model, std::string_view name);  ///< Model::colliders()
int constraint_number(const Model& model, std::string_view name);
int drive_number(const Model& model, std::string_view name);

/// Every joint at zero (quaternions at identity), at rest, at time 0.
State state_at_rest(const Model& model);

/// The joint's own entries of q and v, to read and to write: sizes and units as joint.h has them by type. Throw Error
/// if there is no joint of that number.
VectorX::SegmentReturnType joint_position(const Model& model, int joint, State& state);
VectorX::ConstSegmentReturnType joint_position(const Model& model, int joint, const State& state);
VectorX::SegmentReturnType joint_velocity(const Model& model, int joint, State& state);
VectorX::ConstSegmentReturnType joint_velocity(const Model& model, int joint, const State& state);

}  // namespace carom
