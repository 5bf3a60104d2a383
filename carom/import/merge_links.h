#pragma once

#include "carom/import/imported_model.h"

namespace carom {

/// Merges every link that a fixed joint ties to another link, or to the world, into that. Inertia, colliders, visuals,
/// constraints, drives, frames and exclusions move along. Joints of its children get new frames on the parent. A frame
/// with the link's name, line, pose and own inertia remains. The motion of the mechanism is unchanged. Links keep their
/// order.
void merge_fixed_links(ImportedModel& model);

/// Gives links without a joint a fixed joint to the world. Links in options.bases go where that puts them. With
/// options.fixed_base, all others stay where the file puts them. Throws UnknownBase.
void weld_roots(ImportedModel& model, const ImportOptions& options);

/// Gives a link without a joint a fixed one to the world, where the file puts it.
void weld_root(ImportedModel::Link& link);

}  // namespace carom
