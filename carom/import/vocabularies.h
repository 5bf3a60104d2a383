#pragma once

#include "carom/import/vocabulary.h"

namespace carom {

/// URDF as the ROS wiki specifies it, with what urdfdom 4 added (`quat_xyzw`, limits of acceleration and jerk),
/// `<capsule>` and Bullet's `<contact>`. Open: robots carry elements of many programs.
const Vocabulary& urdf_vocabulary();

/// Words of versions 1.4 to 1.9 of SDFormat, together, for models, links, joints, collisions and what is in them. Open.
const Vocabulary& sdformat_vocabulary();

/// MJCF from MuJoCo 2.2 to 3.3, of bodies and what acts on them. Closed, as MuJoCo's own reader is. Children are listed
/// where no reader refuses the others.
const Vocabulary& mjcf_vocabulary();

}  // namespace carom
