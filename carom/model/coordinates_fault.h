#pragma once

#include <string>

#include "carom/model/joint.h"

namespace carom {

/// Fault of a joint's pitch or twists, as "has …; what would be right"; empty if there is none. Twists must be
/// one to six, finite, none of them zero, and independent in some position of the joint: S of full rank there. Rank is
/// judged to 1e-9 at positions in general position, with lengths measured by the arms of the turns.
std::string coordinates_fault(const Joint& joint);

}  // namespace carom
