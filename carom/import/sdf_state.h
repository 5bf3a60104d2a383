#pragma once

#include "carom/import/sdf_source.h"

namespace carom {

/// A world that Gazebo saved has a `<state>` with the place of every model, which then takes the place of the model's
/// own. Where its links stand within the model is theirs: of an articulated model its joints would have moved.
/// Scaled, inserted and deleted models are faults, a model that the world does not name is a warning. Without a
/// `<state>` nothing is done.
void apply_state(SdfFile& file, XmlNode& world);

}  // namespace carom
