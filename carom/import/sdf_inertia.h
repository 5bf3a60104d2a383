#pragma once

#include "carom/import/sdf_frames.h"

namespace carom {

/// The inertia of a link in its frame; mass 0 if the file gives it none, which matters only once welded links are
/// merged.
///
/// Parts that an `<inertial>` leaves out have the format's default of 1, with a warning. An `<inertial>` with `auto` is
/// the sum of the link's shapes as solids. Their density is that of each `<collision>`, else that of the `<inertial>`,
/// else 1000 kg/m³.
SpatialInertia read_inertia(const SdfLink& link, const ImportOptions& options);

}  // namespace carom
