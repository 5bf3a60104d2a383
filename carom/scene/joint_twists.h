#pragma once

#include "carom/model/joint.h"
#include "carom/scene/values.h"

namespace carom {

/// Reads what makes a joint's motion besides its type: the `pitch` of a screw, the `twists` of a joint of that type.
/// Both are required there, and told where another type has them. False if it stays unknown how the joint moves, and so
/// what its coordinates are.
bool read_twists(Fields& fields, Joint& joint, Diagnostics& diagnostics);

}  // namespace carom
