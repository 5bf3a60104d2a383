#pragma once

#include <string>

#include "carom/record/stored_json.h"

// A model, and a method, as data: text with the long lists of numbers beside it. Any program makes the same one from
// it, bit for bit.
namespace carom::stored {

/// Versions of what the texts hold; another is refused.
inline constexpr std::int64_t model_version = 3, method_version = 3;

Tree write_model(const Model& model);
/// Makes it through a ModelBuilder, which checks it as it checks any other. `path`: of the file, for sentences. Throws
/// Error with the place of what is wrong.
std::shared_ptr<const Model> read_model(const Tree& tree, const std::string& path);

Tree write_method(const Method& method);
/// Throws Error with the place of what is wrong, and if the catalogue lacks its stepper or law.
Method read_method(const Tree& tree, const std::string& path, const Catalogue& catalogue);

}  // namespace carom::stored
