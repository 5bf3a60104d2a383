#pragma once

#include <vector>

#include "carom/import/sdf_frames.h"

namespace carom {

/// The `<visual>`s of a link, whose number `body` is yet to be set. Colours are the diffuse ones of their materials; a
/// `<transparency>` t leaves the opacity 1 − t. No mesh is opened. A visual that is not drawn is a note, never a fault.
/// So is a pose relative to anything but a link, a joint or a frame of the file.
std::vector<Visual> read_sdf_visuals(const SdfTree& tree, const SdfLink& link, const ImportOptions& options,
                                     std::vector<ImportNote>& notes);

}  // namespace carom
