#pragma once

#include <string>

namespace carom {

/// A text as a page shows it, which may be handed on: of absolute paths in it only the last name stays, behind "…/", so
/// that no folder of the machine that made it is told. A path begins at the text's start or after a sign that ends a
/// word in YAML.
std::string without_folders(const std::string& text);

}  // namespace carom
