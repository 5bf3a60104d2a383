#pragma once

#include <string>

#include "carom/model/appearance.h"
#include "carom/record/stored_json.h"

// Things that are drawn of a scene beside its colliders, as data.
namespace carom::stored {

/// Version of what the text holds. An appearance of another is left out: the run is the same without it.
inline constexpr std::int64_t appearance_version = 1;

Tree write_appearance(const Appearance& appearance);
/// Throws Error with the place of what is wrong. `bodies`, `colliders`: how many the model has.
Appearance read_appearance(const Tree& tree, const std::string& path, int bodies, std::size_t colliders);

}  // namespace carom::stored
