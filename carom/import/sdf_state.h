#pragma once

#include "carom/import/sdf_source.h"

namespace carom {

/// A world that Gazebo saved has a `<state>` with the pose of every model, which replaces the model's own. Poses of
/// links in it are not used: links of an articulated model would have moved by its joints. Scaled, inserted and deleted
/// models are faults; a model that the world does not name is a warning. Without a `<state>` nothing is done.
void apply_state(SdfFile& file, XmlNode& world);

}  // namespace carom
