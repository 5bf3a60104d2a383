#pragma once

#include <vector>

#include "carom/import/sdf_frames.h"

namespace carom {

/// The `<visual>`s of a link, whose number `body` is yet to be set. Colours are the diffuse ones of their materials; a
/// `<transparency>` t leaves the opacity 1 − t. No mesh is opened. What is not drawn is a note, never a fault: poses
/// relative to other than a link, a joint or a frame of the file are that, too.
std::vector<Visual> read_sdf_visuals(const SdfTree& tree, const SdfLink& link, const ImportOptions& options,
                                     std::vector<ImportNote>& notes);

}  // namespace carom
